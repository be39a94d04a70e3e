"""The front page of a club, the count of what waits, and the club's history."""

from __future__ import annotations

import re
import uuid

import pytest
from django.utils import timezone
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains

from sheets import club_queries
from sheets.models import ClubChange, ClubChangeKind, Sheet
from tests.sheets import evenings


def test_the_front_page_says_what_waits(club_game, thursday, otto):
    inbox, names, open_sheets = (thursday.url(rest) for rest in ("sheets/", "names/", "open/"))

    def waits(address, count, what):
        says = f'<a href="{address}"><b>{count}</b> <span><strong>{what}</strong>'
        assertContains(otto.get(thursday.url()), says, count=1)

    club_game.enter()
    waits(open_sheets, 1, "open sheet")
    club_game.end()
    waits(inbox, 1, "to review")
    waits(f"{inbox}?state=flagged", 0, "flagged")
    waits(names, 3, "names to match")
    waits(open_sheets, 0, "open sheets")
    thursday.match_all()
    Sheet.objects.update(review="flagged", review_note="Look again")
    waits(inbox, 0, "to review")
    waits(f"{inbox}?state=flagged", 1, "flagged")
    assertContains(otto.get(thursday.url()), "everybody at the tables is known")


def test_the_front_page_leads_to_the_sheets_of_the_last_evening(club_game, thursday, otto):
    club_game.enter()
    club_game.end()
    page = otto.get(thursday.url())
    assertContains(page, ": 1 sheet banked at 1 table.")
    sheet = club_game.sheet
    day = thursday.club.evening(Sheet.objects.get(pk=sheet.pk).played_at)
    query = f"?state=all&since={day}&until={day}"
    assertContains(page, escape(query))
    assertContains(otto.get(thursday.url("sheets/") + query), sheet.public_id)


def test_the_front_page_counts_the_names_that_can_be_matched(club_game, thursday, otto):
    """Somebody who is known to a table and never sat on a sheet is nobody to match."""
    club_game.table.people.create(name="Nobody")
    page = otto.get(thursday.url("names/"))
    assertNotContains(page, "Nobody")
    assert str(club_queries.unmatched(thursday.club)) == "3"


def test_the_front_page_has_the_first_places_of_tonights_season(thursday, otto):
    today = thursday.club.evening(timezone.now())
    season = thursday.club.seasons.create(name="Autumn", name_key="a", starts=today, ends=today)
    assertContains(otto.get(thursday.url()), "Nobody has a place yet")
    people = [thursday.person(name) for name in ("Ann", "Ben", "Cass", "Dora")]
    table = evenings.a_table(thursday.club, [(one.name, one) for one in people[:3]])
    seats = list(table.people.all())
    evenings.bank(table, seats, [evenings.Hand(bidder=0, bid=300)], timezone.now())
    page = otto.get(thursday.url())
    leaders = page.context["leaders"]
    assert [(row.place, row.name) for row in leaders] == [(1, "Ann"), (2, "Ben"), (2, "Cass")]
    assertContains(page, thursday.url(f"people/{people[0].pk}/"))
    assertContains(page, thursday.url(f"seasons/{season.pk}/"))
    season.least_hands = 2
    season.save()
    assertContains(otto.get(thursday.url()), "Nobody has a place yet")


def test_of_many_who_share_a_place_the_front_page_shows_some(thursday, otto):
    today = thursday.club.evening(timezone.now())
    thursday.club.seasons.create(name="Autumn", name_key="a", starts=today, ends=today)
    for n in range(3):
        people = [thursday.person(f"Ann {n}{letter}") for letter in "abc"]
        table = evenings.a_table(thursday.club, [(one.name, one) for one in people])
        hands = [evenings.Hand(bidder=seat, bid=300) for seat in range(3)]
        evenings.bank(table, list(table.people.all()), hands, timezone.now())
    assert [row.place for row in otto.get(thursday.url()).context["leaders"]] == [1] * 6


def test_phones_at_a_table_do_not_load_what_only_organisers_see(club_game, alice, thursday, otto):
    for path in ("/", "/tables/new/", club_game.url()):
        assertNotContains(alice.get(path), "clubs.css")
    assertContains(otto.get(thursday.url()), "clubs.css", count=1)


def test_every_page_of_a_club_marks_where_one_is(thursday, otto, mara):
    def marked(page):
        return re.findall(r'href="([^"]+)"(?: class="rarely")? aria-current="(\w+)"', page)

    review, people = thursday.url("sheets/"), thursday.url("people/")
    # Once in the line of a laptop, once in the menu of a phone.
    assert marked(otto.get(people).content.decode()) == [(people, "page")] * 2
    assert marked(otto.get(thursday.url("names/")).content.decode()) == [(people, "true")] * 2
    assert marked(otto.get(thursday.url()).content.decode()) == []
    assert (review, "page") in marked(otto.get(review).content.decode())
    settings = f'href="{thursday.url("settings/")}"'
    assertNotContains(otto.get(people), settings)
    assertContains(mara.get(people), settings, count=2)


def test_nobody_counts_beyond_99(club_game, thursday):
    club_game.enter()
    club_game.end()
    sheet = club_game.sheet
    for _ in range(99):
        sheet.pk = None
        sheet.public_id = uuid.uuid4().hex[:16]
        sheet.save()
    assert str(club_queries.to_review(thursday.club)) == "99+"
    Sheet.objects.filter(pk=sheet.pk).update(review="approved")
    assert str(club_queries.to_review(thursday.club)) == "99"


def test_the_front_page_names_the_season_of_tonight(thursday, otto):
    assertContains(otto.get(thursday.url()), "No season runs just now.")
    season = {"name_key": "x", "starts": "2000-01-01", "ends": "2999-12-31"}
    thursday.club.seasons.create(name="Autumn", **season)
    assertContains(otto.get(thursday.url()), "Autumn")


def test_the_front_page_asks_a_few_questions(club_game, thursday, otto, at_most_queries):
    club_game.enter()
    club_game.end()
    with at_most_queries(10):
        otto.get(thursday.url())


def test_history_comes_a_page_at_a_time(thursday, otto):
    kind, after = ClubChangeKind.SETTINGS_CHANGED, {"time_zone": "UTC", "confirm": False}
    ClubChange.objects.bulk_create(
        ClubChange(
            club=thursday.club,
            version=number + 2,
            kind=kind,
            user=thursday.mara,
            before=after | {"name": f"Name {number - 1}"},
            after=after | {"name": f"Name {number}"},
            key=uuid.uuid4(),
        )
        for number in range(101)
    )
    first = otto.get(thursday.url("history/"))
    assertContains(first, "Name 100")
    assertNotContains(first, "started the club")
    older = re.search(r'href="(\?before=\d+)"', first.content.decode())[1]
    second = otto.get(thursday.url(f"history/{older}"))
    assertContains(second, "started the club")
    assertNotContains(second, "Earlier")
    for nonsense in ("x", "-1", "9" * 30, "²"):
        assert otto.get(thursday.url("history/"), {"before": nonsense}).status_code == 200


@pytest.mark.parametrize("kind", ClubChangeKind)
def test_everything_that_happens_to_a_club_has_a_sentence(thursday, otto, kind):
    after = {"user": thursday.otto.pk, "role": "owner", "name": "Autumn", "matched": [[1, 2]]}
    after |= {"time_zone": "UTC", "confirm": False, "sheets": 2, "person": 1, "into": 2}
    key = uuid.uuid4()
    thursday.club.changes.create(version=99, kind=kind, before=after, after=after, key=key)
    said = re.search(r"</time> <strong>The app</strong> (.*?)</li>", page_of(otto, thursday))[1]
    assert said.strip()


def page_of(client, thursday):
    return client.get(thursday.url("history/")).content.decode()
