"""The page of somebody on the roster."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from sheets import actions, records
from sheets.models import ClubPerson, Season
from tests.sheets.clubs import a_club, signed_in
from tests.sheets.evenings import Hand, a_table, bank


def person_url(club_at, name):
    return club_at.url(f"people/{ClubPerson.objects.get(name=name).pk}/")


@pytest.fixture
def evenings(thursday):
    """Ann against Bob and Cid on three evenings, a week apart, of which two are in Autumn."""
    club = thursday.club
    roster = [(name[0], thursday.person(name)) for name in ("Ann", "Bob", "Cid")]
    table = a_table(club, roster)
    people = list(table.people.all())
    now = timezone.now()
    week = datetime.timedelta(days=7)
    bank(table, people, [Hand(bidder=0, bid=400)], now - 2 * week)
    bank(table, people, [Hand(bidder=0, bid=350, outcome="set")], now - week)
    last = [Hand(bidder=0, trump="spades"), Hand(bidder=0, outcome="thrown_in"), Hand(bidder=1)]
    bank(table, people, last, now)
    today = club.evening(now)
    Season.objects.create(
        club=club, name="Autumn", name_key="autumn", starts=today - week, ends=today
    )
    return thursday


def test_season_by_season_and_all_together(evenings, otto):
    page = otto.get(person_url(evenings, "Ann"))
    [(season, autumn)] = page.context["seasons"]
    ever = page.context["ever"]
    assert season.name == "Autumn"
    assert (autumn[1], ever[1]) == ("2", "3")  # sheets
    assert (autumn[5], ever[5]) == ("3", "4")  # bids
    assert (autumn[6], ever[6]) == ("33.3%", "50.0%")
    standings = otto.get(evenings.url(f"seasons/{season.pk}/"))
    [ann] = [line for line in standings.context["lines"] if line.name == "Ann"]
    assert ann.cells == autumn


@pytest.mark.on_postgresql
def test_seasons_that_overlap_or_touch_each_say_what_their_standings_say(evenings, otto):
    club = evenings.club
    today = club.evening(timezone.now())
    for name, starts, ends in (
        ("All", 21, 0),
        ("First", 14, 8),
        ("Second", 7, 1),
        ("Middle", 10, 5),
        ("One", 7, 7),
        ("Empty", 6, 1),
    ):
        first, last = (today - datetime.timedelta(days=days) for days in (starts, ends))
        Season.objects.create(club=club, name=name, name_key=name.lower(), starts=first, ends=last)
    found = dict(otto.get(person_url(evenings, "Ann")).context["seasons"])
    sheets = {season.name: cells[1] for season, cells in found.items()}
    expected = {"All": "3", "Autumn": "2", "First": "1", "Second": "1", "Middle": "1", "One": "1"}
    assert sheets == expected
    for season, cells in found.items():
        lines = otto.get(evenings.url(f"seasons/{season.pk}/")).context["lines"]
        assert [line.cells for line in lines if line.name == "Ann"] == [cells], season.name


def test_the_chart_ends_with_the_total(evenings, otto):
    page = otto.get(person_url(evenings, "Ann"))
    [line] = page.context["chart"].lines
    assert (line.name, line.total) == ("Ann", page.context["ever"][0])
    totals = [total for _evening, _took, total in page.context["figures"]]
    assert totals[0] == int(line.total)
    assertContains(page, "3 sheets, oldest first")


def test_the_chart_of_very_many_sheets_is_that_of_the_newest(evenings, otto, monkeypatch):
    monkeypatch.setattr(records, "NEWEST_SHEETS", 2)
    page = otto.get(person_url(evenings, "Ann"))
    assertContains(page, "The newest 2 of 3 sheets, oldest first, counted from 0")
    [line] = page.context["chart"].lines
    assert int(line.total) == sum(one.units for _evening, one, _total in page.context["figures"])
    assert len(line.points.split()) == 3


def test_against_each_of_the_others(evenings, otto):
    against = {one.name: one for one in otto.get(person_url(evenings, "Ann")).context["others"]}
    bob = against["Bob"]
    assert (bob.sheets, bob.more + bob.less + bob.ties) == (3, 3)
    [ann] = [
        one for one in otto.get(person_url(evenings, "Bob")).context["others"] if one.name == "Ann"
    ]
    assert (ann.more, ann.less, ann.ties) == (bob.less, bob.more, bob.ties)
    assert (ann.units, ann.theirs) == (bob.theirs, bob.units)


def test_the_newest_hands_as_bidder(evenings, otto):
    bids = otto.get(person_url(evenings, "Ann")).context["bids"]
    said = [(bid.bid, suit, outcome) for bid, _evening, suit, outcome in bids]
    assert said == [
        (320, "", "thrown in"),
        (320, "spades", "made"),
        (350, "hearts", "set"),
        (400, "hearts", "made"),
    ]
    units = [bid.units for bid, *_ in bids]
    assert units[0] == units[2] == 0
    assert units[1] > 0
    assert units[3] > 0


def test_the_best_and_the_worst_sheet(evenings, otto):
    page = otto.get(person_url(evenings, "Ann"))
    (_, (best, _)), (_, (worst, _)) = page.context["extremes"]
    took = [one.units for _evening, one, _total in page.context["figures"]]
    assert (best.units, worst.units) == (max(took), min(took))
    assertContains(page, "Worst sheet")


def test_a_merged_persons_page_leads_to_who_they_count_as(evenings, otto):
    ann, bob = (ClubPerson.objects.get(name=name) for name in ("Ann", "Bob"))
    benny = evenings.person("Benny")
    ClubPerson.objects.filter(pk=bob.pk).update(merged_into=benny)
    to = evenings.url(f"people/{benny.pk}/")
    assertRedirects(otto.get(evenings.url(f"people/{bob.pk}/")), to)
    page = otto.get(to)
    assert page.context["ever"][1] == "3"
    assert "Benny" in [one.name for one in otto.get(person_url(evenings, "Ann")).context["others"]]
    assertNotContains(otto.get(evenings.url(f"people/{ann.pk}/")), "Bob")


def test_somebody_who_has_played_nothing_has_a_page(evenings, otto):
    evenings.person("Dora", "Hill Street")
    page = otto.get(person_url(evenings, "Dora"))
    assertContains(page, "No banked sheet counts for this person yet.")
    assertContains(page, "Hill Street")


@pytest.mark.on_postgresql
def test_a_club_without_seasons_has_pages_of_people(evenings, otto):
    evenings.person("Dora")
    evenings.club.seasons.all().delete()
    page = otto.get(person_url(evenings, "Ann"))
    assert page.context["ever"][1] == "3"
    assert page.context["seasons"] == []
    nobody = otto.get(person_url(evenings, "Dora"))
    assertContains(nobody, "No banked sheet counts for this person yet.")


def test_a_hand_that_was_corrected_shows_as_it_is_now(thursday, club_game, otto):
    row = club_game.enter()
    club_game.end()
    thursday.match_all()
    url = person_url(thursday, "Ben")
    assert len(otto.get(url).context["bids"]) == 1
    hand = club_game.played(0, 320, "hearts", "made")
    actions.correct_hand(thursday.at(club_game.table), row.public_id, hand, reason="Alice bid")
    assert otto.get(url).context["bids"] == []
    assert len(otto.get(person_url(thursday, "Alice")).context["bids"]) == 1


def test_people_of_another_club_are_not_there(evenings, otto):
    friday = a_club("friday", "Friday Club")
    url = person_url(evenings, "Ann")
    assert signed_in(friday.mara).get(url).status_code == 404
    theirs = friday.person("Dora")
    assert otto.get(evenings.url(f"people/{theirs.pk}/")).status_code == 404
    assert otto.get(evenings.url(f"people/{10**30}/")).status_code == 404


def test_as_many_questions_for_many_evenings_and_seasons(evenings, otto, at_most_queries):
    url = person_url(evenings, "Ann")
    # Who asks; whom; seasons and figures; sheets, best, worst; the others and who they are; hands.
    with at_most_queries(13):
        otto.get(url)
    table = evenings.club.tables.get()
    today = evenings.club.evening(timezone.now())
    for n in range(20):
        bank(table, list(table.people.all()), [Hand(bidder=n % 3)], timezone.now())
        name = f"S{n}"
        Season.objects.create(
            club=evenings.club, name=name, name_key=name, starts=today, ends=today
        )
    with at_most_queries(13):
        page = otto.get(url)
    assert len(page.context["seasons"]) == 21
