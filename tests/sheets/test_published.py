"""The published standings of a season: whoever has the link sees the table, nothing behind it."""

from __future__ import annotations

import datetime
import re

import pytest
from django.utils import timezone
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains, assertTemplateUsed

from sheets import actions
from sheets.models import Club, ClubPerson, Person, Player, Season, Sheet, Table, User
from tests.sheets.clubs import a_club
from tests.sheets.evenings import Hand, a_table, bank

URL = "/seasons/published-season/"


@pytest.fixture
def season(thursday):
    """A published season of Ann, Bob and Cid; others play on other evenings and elsewhere."""
    now = timezone.now()
    today = thursday.club.evening(now)
    autumn, spring = (
        Season.objects.create(
            club=thursday.club,
            name=name,
            name_key=name.lower(),
            starts=today - datetime.timedelta(days=ago),
            ends=today - datetime.timedelta(days=ago),
        )
        for name, ago in (("Autumn cup", 0), ("Spring cup", 90))
    )
    a_sheet_of(thursday.club, ("Ann", "Bob", "Cid"), now)
    a_sheet_of(thursday.club, ("Dora", "Emil", "Faye"), now - datetime.timedelta(days=90))
    a_sheet_of(a_club("friday", "Friday Club").club, ("Gus", "Hanna", "Ilse"), now)
    ClubPerson.objects.create(club=thursday.club, name="Never played", note="Hill Street")
    ClubPerson.objects.filter(name="Bob").update(note="the tall one")
    Season.objects.filter(pk=autumn.pk).update(published_id="published-season")
    Season.objects.filter(pk=spring.pk).update(published_id="published-spring")
    return Season.objects.get(pk=autumn.pk)


def a_sheet_of(club, names, at):
    """A sheet of these, whose names at the table are others."""
    people = [
        (f"{name} at the table", ClubPerson.objects.create(club=club, name=name)) for name in names
    ]
    table = a_table(club, [*people, ("Watcher", None)])
    table.name = f"Table of {names[0]}"
    table.save()
    bank(table, list(table.people.all())[:3], [Hand(bidder=1), Hand(bidder=0, outcome="set")], at)


def test_nothing_else_of_any_club_is_in_it(client, season):
    page = client.get(URL)
    html = page.content.decode()
    for name in ("Ann", "Bob", "Cid", "Autumn cup", "Thursday Club"):
        assert escape(name) in html
    secret = {
        *Club.objects.values_list("code", flat=True),
        *Club.objects.values_list("slug", flat=True),
        *Club.objects.exclude(pk=season.club_id).values_list("name", flat=True),
        *Table.objects.values_list("code", flat=True),
        *Table.objects.values_list("public_id", flat=True),
        *Table.objects.values_list("watch_id", flat=True),
        *Table.objects.values_list("name", flat=True),
        *Sheet.objects.values_list("public_id", flat=True),
        *Season.objects.exclude(pk=season.pk).values_list("name", flat=True),
        *Season.objects.values_list("published_id", flat=True),
        *ClubPerson.objects.exclude(name__in=("Ann", "Bob", "Cid")).values_list("name", flat=True),
        *ClubPerson.objects.exclude(note="").values_list("note", flat=True),
        *Person.objects.values_list("name", flat=True),
        *Player.objects.values_list("name", flat=True),
        *User.objects.values_list("name", flat=True),
        *User.objects.values_list("email", flat=True),
    }
    assert len(secret) > 30
    shown = html.lower().replace("thursday club", "")
    assert [text for text in secret if escape(text).lower() in shown] == []
    # No link leads anywhere but to the same page in another order, and nothing can be sent.
    links = re.findall(r"<a\b[^>]*\bhref=\"([^\"]*)\"", html)
    assert links
    assert all(link.startswith("?by=") for link in links)
    assert "<form" not in html


def test_an_organiser_who_opens_it_sees_the_same(client, mara, season):
    assert mara.get(URL).content == client.get(URL).content


def test_it_says_how_many_sheets_nobody_has_reviewed(client, season, thursday):
    assertContains(client.get(URL), "1 sheet not yet reviewed")
    a_sheet_of(thursday.club, ("Ann", "Bob", "Cid"), timezone.now())
    assertContains(client.get(URL), "2 sheets not yet reviewed")
    Sheet.objects.filter(club=thursday.club).update(review="approved")
    assertNotContains(client.get(URL), "not yet reviewed")


def test_whoever_stands_apart_is_in_it_without_a_place(client, season):
    Season.objects.update(least_hands=3)
    page = client.get(URL)
    assertContains(page, "Fewer than 3 hands, so without a place")
    assert [line.place for line in page.context["apart"]] == ["", "", ""]
    assert page.context["lines"] == []


def test_it_is_sorted_like_the_organisers(client, season):
    by_name = client.get(URL + "?by=name").context["lines"]
    assert [line.name for line in by_name] == ["Ann", "Bob", "Cid"]
    assertContains(client.get(URL + "?by=bids"), 'aria-sort="descending"', 1)


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_it_is_for_people_and_not_for_search_engines_or_caches(client, season, headers):
    page = client.get(URL, headers=headers)
    assert page.status_code == 200
    assert page["Cache-Control"] == "private, no-store"
    if not headers:
        assertContains(page, '<meta name="robots" content="noindex">')


def test_a_link_that_was_taken_back_opens_nothing_at_once(client, thursday, season):
    assert client.get(URL).status_code == 200
    answer = actions.hide_season(thursday.write(), season.pk)
    assert isinstance(answer, actions.ClubSaved), answer
    gone, never = client.get(URL), client.get("/seasons/never-published/")
    assert (gone.status_code, never.status_code) == (404, 404)
    assertTemplateUsed(gone, "404.html")
    assert gone.content == never.content


@pytest.mark.parametrize("published_id", ["None", "null", "x" * 300, "published-season%20", "0"])
def test_no_other_address_opens_it(client, season, published_id):
    hidden = Season.objects.filter(pk=season.pk)
    hidden.update(published_id=None)
    assert client.get(f"/seasons/{published_id}/").status_code == 404


def test_nothing_can_be_sent_to_it(client, season):
    assert client.post(URL).status_code == 405


def test_erased_and_renamed_names_are_gone_from_it(client, season):
    ClubPerson.objects.filter(name="Cid").update(name="Zoë <b>")
    page = client.get(URL)
    assertNotContains(page, "Cid")
    assertContains(page, "Zoë &lt;b&gt;")
