"""The inbox of a club: which banked sheets it shows, and in which order."""

from __future__ import annotations

import datetime
import itertools
import uuid
import zoneinfo

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains

from rules import auction
from sheets import inbox, names
from sheets.actions.opening import stored_rules
from sheets.forms.review import InboxForm
from sheets.models import Person, Player, Result, Review, Round, Sheet, Table
from sheets.oddities import Oddity
from tests.sheets.clubs import a_club

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
CODES = ("".join(letters) for letters in itertools.product("ABCDEFGH", repeat=6))


def a_table(club, *people, name=""):
    """A table of the club at which these people are known; nobody has played yet."""
    table = Table.objects.create(
        club=club.club, name=name, code=next(CODES), time_zone="Europe/Berlin"
    )
    for one in people or ("Alice", "Ben", "Cass"):
        Person.objects.create(table=table, name=one)
    return table


def bank(table, when, **other):
    """A banked sheet of the table, last played at a time of the club's clock."""
    played_at = datetime.datetime.fromisoformat(when).replace(tzinfo=BERLIN)
    house = stored_rules("auction", auction.HouseRules())
    sheet = Sheet.objects.create(
        table=table,
        club=table.club,
        game="auction",
        state="banked",
        house_rules=house,
        started_at=played_at,
        played_at=played_at,
        ended_at=played_at,
        **other,
    )
    players = [
        Player(
            sheet=sheet,
            person=one,
            place=place,
            name=one.name,
            name_key=names.key(one.name),
            total=2 * place,
        )
        for place, one in enumerate(table.people.all())
    ]
    Player.objects.bulk_create(players)
    figures = dict.fromkeys(("bids", "made", "sets", "thrown_in", "bid_points", "spades"), 0)
    Result.objects.bulk_create(
        Result(
            sheet=sheet,
            person=one.person,
            units=one.total,
            hands=1,
            won=False,
            shared=False,
            **figures,
        )
        for one in players
    )
    Round.objects.create(
        public_id=uuid.uuid4(),
        sheet=sheet,
        position=1000,
        kind="passed_out",
        house_rules=house,
        dealer=players[0],
        changed=1,
    )
    return sheet


@pytest.fixture
def look(thursday, otto):
    """What Otto's inbox shows: the sheets in its order, by the end of their address."""

    def shown(query="", page=None):
        page = page or otto.get(thursday.url(f"sheets/{query}"))
        assert page.status_code == 200
        return [row.url.split("/sheets/")[1].split("/")[0] for row in page.context["rows"]]

    return shown


def ids(*sheets):
    return [sheet.public_id for sheet in sheets]


def test_a_row_says_what_an_organiser_wants_to_know(thursday, otto):
    bank(a_table(thursday, name="Back room"), "2026-11-26T23:40", oddities=" late two_ends ")
    page = otto.get(thursday.url("sheets/"))
    for said in (
        "Thu 26 Nov 2026",
        "Back room",
        "Cass wins with 4",
        "Cass 4, Ben 2, Alice 0",
        "1 hand",
        "To review",
        "changed late, ended twice",
    ):
        assertContains(page, said)


def test_what_is_played_after_midnight_belongs_to_the_evening_before(thursday, otto):
    bank(a_table(thursday), "2026-11-27T00:20")
    assertContains(otto.get(thursday.url("sheets/")), "Thu 26 Nov 2026")


@pytest.mark.on_postgresql
def test_the_newest_evening_comes_first(thursday, look):
    table = a_table(thursday)
    old, new, older = (bank(table, f"2026-11-{day}T22:00") for day in ("19", "26", "12"))
    same = bank(a_table(thursday), "2026-11-26T22:00")
    assert look() == ids(same, new, old, older)


def test_only_banked_sheets_of_the_club_are_there(thursday, look, club_game):
    friday = a_club("friday", "Friday Club")
    bank(a_table(friday), "2026-11-26T22:00")
    ours = bank(a_table(thursday), "2026-11-26T22:00")
    assert club_game.sheet.is_open
    assert look() == ids(ours)


def test_it_shows_what_is_to_review_unless_asked_for_more(thursday, look):
    table = a_table(thursday)
    by_state = {
        state: bank(table, f"2026-11-2{n}T22:00", review=state, review_note="Why")
        for n, state in enumerate(Review.values)
    }
    assert look() == ids(by_state["to_review"])
    for state, sheet in by_state.items():
        assert look(f"?state={state}") == ids(sheet)
    assert len(look("?state=all")) == 4


@pytest.mark.on_postgresql
@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("?since=2026-11-26", [27, 26]),
        ("?until=2026-11-26", [26, 25]),
        ("?since=2026-11-26&until=2026-11-26", [26]),
    ],
)
def test_evenings_from_and_to_by_the_clock_of_the_club(thursday, look, query, days):
    table = a_table(thursday)
    by_day = {
        25: bank(table, "2026-11-26T05:59"),
        26: bank(table, "2026-11-26T06:00"),
        27: bank(table, "2026-11-27T06:00"),
    }
    assert look(query) == ids(*(by_day[day] for day in days))


def test_of_one_table(thursday, look, otto):
    here, there = a_table(thursday, name="Back room"), a_table(thursday, "Dora", "Emil", "Fay")
    bank(here, "2026-11-26T22:00")
    theirs = bank(there, "2026-11-19T22:00")
    assert look(f"?table={there.pk}") == ids(theirs)
    assertContains(otto.get(thursday.url("sheets/")), "Dora, Emil and Fay</option>")


@pytest.mark.on_postgresql
def test_of_one_person_of_the_roster_under_every_name(thursday, look, otto):
    here, there = a_table(thursday), a_table(thursday, "Benno", "Emil", "Fay")
    sheets = [bank(here, "2026-11-26T22:00"), bank(there, "2026-11-19T22:00")]
    bank(a_table(thursday, "Gus", "Hal", "Ida"), "2026-11-19T22:00")
    ben = thursday.person("Ben", of=here.people.filter(name="Ben"))
    benno = thursday.person("Benno", of=there.people.filter(name="Benno"))
    assert look(f"?person={ben.pk}") == ids(sheets[0])
    benno.merged_into = ben
    benno.save()
    assert look(f"?person={ben.pk}") == ids(*sheets)
    page = otto.get(thursday.url("sheets/"))
    assertNotContains(page, "Benno</option>")  # counts as Ben
    assert look(f"?person={thursday.person('Nobody yet').pk}") == []


@pytest.mark.on_postgresql
def test_with_oddities_and_with_one_kind(thursday, look):
    table = a_table(thursday)
    late = bank(table, "2026-11-26T22:00", oddities=" late ")
    both = bank(table, "2026-11-19T22:00", oddities=" late after_end two_ends ")
    bank(table, "2026-11-12T22:00")
    assert look("?odd=any") == ids(late, both)
    assert look("?odd=late") == ids(late, both)
    assert look("?odd=after_end") == ids(both)
    assert look("?odd=short") == []


def test_filters_are_taken_together_and_stay_in_the_links(thursday, otto, look):
    table = a_table(thursday, name="Back room")
    bank(table, "2026-11-26T22:00", review="flagged", review_note="Why", oddities=" short ")
    query = f"?state=flagged&since=2026-11-26&until=2026-11-26&table={table.pk}&odd=short"
    assert len(look(query)) == 1
    page = otto.get(thursday.url(f"sheets/{query}"))
    assertContains(page, escape(query))
    assertContains(page, escape(query.replace("state=flagged", "state=approved")))
    assertContains(page, escape(query.replace("state=flagged&", "")))


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("?since=yesterday", "Type a day as 2026-11-30."),
        ("?since=0001-01-01", "Nobody has sheets that old."),
        ("?until=9999-12-31", "That is too far ahead."),
        ("?since=2026-11-27&until=2026-11-26", "This is before the first evening."),
        ("?table=1000000000", "Select a valid choice"),
        ("?person=Ben", "Select a valid choice"),
        ("?odd=all", "Select a valid choice"),
    ],
)
def test_a_filter_that_cannot_be_says_so_and_filters_nothing(thursday, otto, query, says):
    sheet = bank(a_table(thursday), "2026-11-28T22:00")
    page = otto.get(thursday.url(f"sheets/{query}"))
    assertContains(page, says)
    assertContains(page, sheet.public_id)


@pytest.mark.on_postgresql
def test_pages_follow_each_other_by_key(thursday, otto, look, monkeypatch):
    monkeypatch.setattr(inbox, "PAGE", 2)
    table = a_table(thursday)
    # Three of one moment: their keys decide.
    when = ("2026-11-26", "2026-11-19", "2026-11-19", "2026-11-19", "2026-11-12")
    sheets = [bank(table, f"{day}T22:00") for day in when]
    in_order = [sheets[0], *reversed(sheets[1:4]), sheets[4]]
    seen, url = [], thursday.url("sheets/")
    while url:
        page = otto.get(url)
        seen.append(look(page=page))
        # What was approved meanwhile is no reason to lose one's place.
        Sheet.objects.filter(public_id=seen[-1][-1]).update(review="approved")
        older = page.context["older"]
        url = thursday.url(f"sheets/{older}") if older else ""
    assert seen == [ids(*in_order[:2]), ids(*in_order[2:4]), ids(in_order[4])]
    assertContains(page, "Back to the newest")


def test_a_place_in_the_list_that_is_none_is_its_beginning(thursday, look):
    sheet = bank(a_table(thursday), "2026-11-26T22:00")
    for after in ("nothing", "A" * 16, "1000000000", ""):
        assert look(f"?after={after}") == ids(sheet)


@pytest.mark.on_postgresql
def test_next_and_previous_are_those_of_the_list(thursday):
    table = a_table(thursday)
    days = ("26", "19", "19", "12")
    sheets = [bank(table, f"2026-11-{day}T22:00") for day in days]
    sheets = [sheets[0], sheets[2], sheets[1], sheets[3]]  # by key within a moment
    wanted = inbox.Wanted(thursday.club, review="to_review")
    for n, sheet in enumerate(sheets):
        newer = sheets[n - 1] if n else None
        older = sheets[n + 1] if n < 3 else None
        assert inbox.neighbours(wanted, sheet) == (newer, older)
    Sheet.objects.filter(pk=sheets[1].pk).update(review="approved")
    assert inbox.neighbours(wanted, sheets[0]) == (None, sheets[2])
    assert inbox.neighbours(wanted, sheets[1]) == (sheets[0], sheets[2])


def test_sixty_sheets_ask_as_many_questions_as_three(thursday, otto):
    def asked():
        with CaptureQueriesContext(connection) as captured:
            page = otto.get(thursday.url("sheets/?state=all&odd=any"))
        assert page.status_code == 200
        return len(captured), len(page.context["rows"])

    def add(tables):
        for _table in range(tables):
            table = a_table(thursday)
            for day in range(10, 13):
                bank(table, f"2026-11-{day}T22:00", oddities=" late ")

    add(1)
    few, rows = asked()
    assert rows == 3
    add(19)
    many, rows = asked()
    assert rows == 50
    assert few == many <= 12


def test_nothing_to_review_says_so(thursday, otto):
    assertContains(otto.get(thursday.url("sheets/")), "Nothing to review")
    assertContains(otto.get(thursday.url("sheets/?odd=late")), "No banked sheet is like that.")


def test_it_comes_whole_and_as_a_part(thursday, otto):
    assertContains(otto.get(thursday.url("sheets/")), "<html")
    part = otto.get(thursday.url("sheets/"), headers={"HX-Request": "true"})
    assertContains(part, '<main id="page"')
    assertNotContains(part, "<html")


INDEX_OF = {
    "": "sheets_sheet_inbox",  # or that of the state: nearly all are to review
    "?state=flagged": "sheets_sheet_inbox_review",
    "?state=all": "sheets_sheet_inbox",
    "?state=all&since=2026-11-01&until=2026-11-30": "sheets_sheet_inbox",
    "?state=all&odd=any": "sheets_sheet_inbox_odd",
    "?state=all&odd=short": "sheets_sheet_inbox_odd",
}


@pytest.mark.on_postgresql
def test_a_page_is_read_off_an_index(thursday):
    table, house = a_table(thursday), stored_rules("auction", auction.HouseRules())
    Sheet.objects.bulk_create(
        Sheet(
            public_id=f"{n:016}",
            table=table,
            club=thursday.club,
            game="auction",
            state="banked",
            house_rules=house,
            ended_at=thursday.club.created_at,
            review="flagged" if n % 20 == 0 else "to_review",
            review_note="Why" if n % 20 == 0 else "",
            oddities=" short " if n % 25 == 0 else "",
            played_at=thursday.club.created_at - datetime.timedelta(hours=n),
        )
        for n in range(2000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if connection.vendor == "sqlite" else "ANALYZE sheets_sheet")
    for query, index in INDEX_OF.items():
        wanted = InboxForm(QueryDict(query[1:]), club=thursday.club).wanted()
        plan = inbox.sheets(wanted)[: inbox.PAGE + 1].explain()
        assert index in plan, plan
        assert "TEMP B-TREE" not in plan
        assert "Sort" not in plan or "odd=short" in query  # so few may be sorted
    wanted = inbox.Wanted(thursday.club)
    plan = inbox._older(inbox.sheets(wanted), Sheet.objects.latest("played_at"))[:1].explain()
    assert "sheets_sheet_inbox" in plan, plan
    assert "played_at" in plan  # entered there, not walked to


def test_every_kind_of_oddity_can_be_asked_for(thursday, otto):
    page = otto.get(thursday.url("sheets/"))
    for kind in Oddity:
        assertContains(page, f'<option value="{kind}">{kind.label}</option>')
