"""Standings: added up by the database, and counted again slowly from the rounds."""

from __future__ import annotations

import dataclasses
import datetime
import io
import zoneinfo

import openpyxl
import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, records, standings, standings_wording
from sheets.models import ClubPerson, Person, Season, Sheet
from tests.sheets.evenings import (
    COLUMNS,
    Hand,
    a_club_row,
    a_table,
    bank,
    count_sheets,
    counts_as,
    slowly,
    throw_in,
)

FIRST_DAY = datetime.date(2026, 10, 20)  # a fortnight around the night the clocks go back
TIMES = [(18, 0), (23, 40), (0, 20), (5, 59), (6, 0)]
ROWS = [(0, 2, 0), (4, 0, 4), (1, 2, 3), (0, 0, 0), (2, 2, 0)]

hands = st.lists(
    st.builds(
        Hand,
        kind=st.sampled_from(["played"] * 4 + ["typed", "passed_out", "correction"]),
        bidder=st.integers(0, 2),
        bid=st.sampled_from([300, 320, 350, 400, 450]),
        trump=st.sampled_from(["hearts", "spades", "clubs"]),
        outcome=st.sampled_from(["made", "set", "thrown_in"]),
        units=st.sampled_from(ROWS),
        taken_back=st.sampled_from([False] * 5 + [True]),
    ),
    min_size=1,
    max_size=6,
)


def moment(club, day, hour, minute):
    return datetime.datetime.combine(
        FIRST_DAY + datetime.timedelta(days=day), datetime.time(hour, minute), tzinfo=club.zone
    )


@st.composite
def clubs(draw):
    """A small club with everything that happens in one."""
    zone = draw(st.sampled_from(["Europe/Berlin", "America/Los_Angeles", "Pacific/Auckland"]))
    club = a_club_row(time_zone=zone)
    roster = [
        ClubPerson.objects.create(club=club, name=f"P{n}") for n in range(draw(st.integers(3, 6)))
    ]
    for n, one in enumerate(roster[1:]):  # into whoever is earlier: chains, never circles
        if draw(st.integers(0, 3)) == 0:
            one.merged_into = roster[draw(st.integers(0, n))]
            one.save()
    for _ in range(draw(st.integers(1, 2))):
        table = a_table(club, [(one.name, one) for one in roster] + [("X", None), ("Y", None)])
        a_table_plays(draw, club, table)
    for n in range(draw(st.integers(1, 3))):
        starts = FIRST_DAY + datetime.timedelta(days=draw(st.integers(-1, 13)))
        Season.objects.create(
            club=club,
            name=f"S{n}",
            name_key=f"s{n}",
            starts=starts,
            ends=starts + datetime.timedelta(days=draw(st.integers(0, 10))),
            least_hands=draw(st.sampled_from([0, 0, 4, 9])),
        )
    return club


def a_table_plays(draw, club, table):
    everybody = list(table.people.select_related("club_person"))
    for _ in range(draw(st.integers(1, 4))):
        there, known = [], set()
        for person in draw(st.permutations(everybody)):
            who = counts_as(person.club_person)
            if who is None or who.pk not in known:  # nobody sits at a table twice
                there.append(person)
                known.add(who and who.pk)
        there += [Person.objects.create(table=table, name="Guest")] * (len(there) < 3)
        at = moment(club, draw(st.integers(0, 14)), *draw(st.sampled_from(TIMES)))
        review = draw(st.sampled_from(["to_review", "approved", "flagged", "set_aside"]))
        seats = draw(st.sampled_from([3, 3, 4]))
        sheet = bank(table, there[:seats], draw(hands), at, review)
        if draw(st.booleans()):
            throw_in(sheet)


@pytest.mark.on_postgresql
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_they_are_what_the_rounds_say(db, data):
    club = data.draw(clubs())
    counted = count_sheets(club)
    slow = {}
    for season in [None, *club.seasons.all()]:
        least = season.least_hands if season else 0
        slow[season], nobodys = slowly(counted, season)
        found = standings.standings(club, season)
        assert (found.nobodys_seats, found.nobodys_sheets) == nobodys
        assert {row.person: said(row) for row in found.rows} == slow[season]
        for by, value in COLUMNS.items():
            for up in (False, True):
                ranked = standings.ranked(found.rows, by, up=up, least_hands=least)
                places = {row.person: row.place for row in ranked.placed}
                assert places == slow_places(slow[season], value, up, least)
                assert [*places.values()] == sorted(places.values())
                assert {row.person for row in ranked.apart} == slow[season].keys() - places.keys()
    for pk in list(slow[None])[:3]:
        a_persons_record_agrees(club, pk, slow, counted)


def said(row):
    figures = dataclasses.asdict(row.figures)
    return figures | {"best": (row.best.units, row.best.sheet, row.best.evening)}


def slow_places(slow, value, up, least):
    """One more than those who are better; who has nothing to go by comes after all others."""
    of = {pk: value(one) for pk, one in slow.items() if one["hands"] >= least}

    def better(one, other):
        if one is None or other is None:
            return one is not None and other is None
        return one < other if up else one > other

    return {pk: 1 + sum(better(other, mine) for other in of.values()) for pk, mine in of.items()}


def a_persons_record_agrees(club, pk, slow, counted):
    one = records.someone(club, pk)
    all_time, by_season = records.by_season(one)
    found = {season: dataclasses.asdict(figures) for season, figures in by_season}
    assert {None: dataclasses.asdict(all_time), **found} == {
        season: {name: n for name, n in of[pk].items() if name != "best"}
        for season, of in slow.items()
        if pk in of
    }
    sheets = records.sheets(one)
    assert sum(each.units for each in sheets.newest) == slow[None][pk]["units"]
    assert (sheets.best.units, sheets.best.sheet) == slow[None][pk]["best"][:2]
    met = {
        each.person: (each.sheets, each.more, each.less, each.ties, each.units, each.theirs)
        for each in records.head_to_head(one)
    }
    assert met == slow_meetings(counted, pk)


def slow_meetings(counted, pk):
    met = {}
    for _sheet, _evening, ones in counted:
        took = {who: figures["units"] for who, figures in ones if who is not None}
        for other in took.keys() - {pk} if pk in took else ():
            mine, theirs = took[pk], took[other]
            one = (1, mine > theirs, mine < theirs, mine == theirs, mine, theirs)
            met[other] = tuple(map(sum, zip(met.get(other, (0,) * 6), one, strict=True)))
    return met


# The evening a sheet belongs to.


CLOCKS = {  # the nights on which they change, where they do
    "America/Los_Angeles": ("2026-03-08", "2026-11-01"),
    "Pacific/Auckland": ("2026-04-05", "2026-09-27"),
    "Pacific/Tongatapu": (),
}


def on_the_clock(zone, local):
    return datetime.datetime.fromisoformat(local).replace(tzinfo=zoneinfo.ZoneInfo(zone))


@pytest.mark.on_postgresql
@pytest.mark.parametrize("zone", CLOCKS)
@pytest.mark.parametrize("local", ["2026-12-31T23:40", "2027-01-01T00:20"])
def test_a_sheet_keeps_the_very_moment_of_its_last_hand(thursday, club_game, zone, local):
    type(thursday.club).objects.update(time_zone=zone)
    thursday.club.refresh_from_db()
    old, new = (
        a_season(thursday.club, datetime.date(year, 1, 1), last=datetime.date(year, 12, 31))
        for year in (2026, 2027)
    )
    club_game.enter()
    club_game.sheet.rounds.update(entered_at=on_the_clock(zone, local))
    club_game.end()
    thursday.match_all()
    assert club_game.sheet.played_at == on_the_clock(zone, local).astimezone(datetime.UTC)
    assert thursday.club.evening(club_game.sheet.played_at) == old.ends
    assert len(standings.standings(thursday.club, old).rows) == 3
    assert not standings.standings(thursday.club, new).rows


@pytest.mark.on_postgresql
@pytest.mark.parametrize("zone", CLOCKS)
def test_a_sheet_belongs_to_the_evening_on_the_clubs_clock(db, zone):
    club = a_club_row(time_zone=zone)
    table = a_table(club, [("A", None), ("B", None), ("C", None)])
    people = list(table.people.all())
    for day in map(datetime.date.fromisoformat, (*CLOCKS[zone], "2027-01-01")):
        before = day - datetime.timedelta(days=1)
        evenings = {before: set(), day: set()}
        for local, evening in (
            (f"{before}T23:40", before),
            (f"{day}T00:20", before),
            (f"{day}T05:59:59.999999", before),
            (f"{day}T06:00", day),
        ):
            sheet = bank(table, people, [Hand()], on_the_clock(zone, local))
            assert club.evening(sheet.played_at) == evening
            evenings[evening].add(sheet)
        for evening, sheets in evenings.items():
            season = a_season(club, evening)
            assert set(Sheet.objects.filter(standings.which_sheets(club, season))) == sheets
            assert standings.standings(club, season).nobodys_sheets == len(sheets)


@pytest.mark.parametrize("fold", [0, 1])
def test_the_hour_that_comes_twice_belongs_to_one_evening(thursday, fold):
    thursday.club.time_zone = "America/Los_Angeles"
    twice = datetime.datetime(2026, 11, 1, 1, 30, fold=fold, tzinfo=thursday.club.zone)
    assert twice.astimezone(datetime.UTC).hour == 8 + fold
    assert thursday.club.evening(twice) == datetime.date(2026, 10, 31)


def a_season(club, first, last=None, **other):
    n = club.seasons.count()
    return Season.objects.create(
        club=club, name=f"S{n}", name_key=f"s{n}", starts=first, ends=last or first, **other
    )


# What is shown.


@pytest.fixture
def season(thursday):
    today = thursday.club.evening(timezone.now())
    week = datetime.timedelta(days=7)
    return a_season(thursday.club, today - week, today + week)


@pytest.fixture
def played(thursday, club_game, season):
    """Ben made two bids and is ahead of Alice and Cass, who tie."""
    club_game.enter()
    club_game.enter(club_game.played(1, 350, "spades"))
    club_game.enter(club_game.played(1, 320, "hearts", "thrown_in"))
    club_game.end()
    thursday.match_all()
    return club_game


@pytest.fixture
def url(thursday, season):
    return thursday.url(f"seasons/{season.pk}/")


def shown(client, url, query=""):
    context = client.get(url + query).context
    return [(line.place, line.name, line.cells) for line in [*context["lines"], *context["apart"]]]


def places(client, url, query=""):
    return [(place, name) for place, name, _cells in shown(client, url, query)]


@pytest.mark.on_postgresql
def test_ties_share_a_place_and_the_next_is_skipped(played, otto, url):
    assert places(otto, url) == [("1", "Ben"), ("2", "Alice"), ("2", "Cass")]
    assert places(otto, url, "?order=turned") == [("1", "Alice"), ("1", "Cass"), ("3", "Ben")]
    by = "?by=average"  # the others have bid nothing
    assert places(otto, url, by) == [("1", "Ben"), ("2", "Alice"), ("2", "Cass")]
    assert places(otto, url, by + "&order=turned") == places(otto, url, by)
    by = "?by=name"
    assert places(otto, url, by) == [("2", "Alice"), ("1", "Ben"), ("2", "Cass")]
    assert places(otto, url, by + "&order=turned") == places(otto, url, by)[::-1]
    assert places(otto, url, "?by=password") == places(otto, url)


def test_the_heading_says_how_it_is_sorted_and_turns_it(played, otto, url):
    page = otto.get(url)
    assertContains(page, 'aria-sort="descending"><a href="?by=units&amp;order=turned"')
    assertContains(page, '<a href="?by=sets"')
    assertContains(otto.get(url + "?by=units&order=turned"), 'aria-sort="ascending"')
    assertContains(otto.get(url + "?by=name"), 'aria-sort="ascending"')


def test_figures_are_rounded_only_for_the_eye_halves_up(played, otto, url):
    headings = [str(column.heading) for column in standings_wording.COLUMNS]
    ben = dict(zip(headings, shown(otto, url)[0][2], strict=False))
    assert ben["Made"] == "66.7%"
    assert ben["Average bid"] == "330.0"
    assert ben["Wins"] == "1"
    half = standings.Fraction(1, 8)
    assert [standings_wording.rounded(half, n) for n in (0, 1, 2)] == ["0", "0.1", "0.13"]
    assert standings_wording.rounded(-half, 2) == "-0.12"
    assert standings_wording.rounded(standings.Fraction(-1, 50), 1) == "0.0"


def test_a_shared_win_says_so(thursday, club_game, otto, season, url):
    club_game.enter(club_game.typed(2, 2, 0))
    club_game.end()
    thursday.match_all()
    assert [cells[2] for _place, _name, cells in shown(otto, url)] == [
        "1 (1 shared)",
        "1 (1 shared)",
        "0",
    ]


def test_where_nobody_can_tell_who_paid_the_net_has_a_mark(thursday, played, otto, url):
    assertNotContains(otto.get(url), "nobody can tell")
    actions.play_again(played.write(), ("Alice", "Ben", "Cass"), 0)
    played.enter()
    played.enter(played.correction(1, 0, 0))
    played.end()
    page = otto.get(url)
    assertContains(page, "* Without sheets of which nobody can tell who paid whom.")
    assert all(line.cells[3].endswith("*") for line in page.context["lines"])


def test_who_played_too_few_hands_stands_apart_without_a_place(thursday, played, otto, url, season):
    Season.objects.update(least_hands=4)
    page = otto.get(url)
    assert places(otto, url) == [("", "Ben"), ("", "Alice"), ("", "Cass")]
    assertContains(page, "Fewer than 4 hands, so without a place")
    Season.objects.update(least_hands=3)
    assert places(otto, url)[0] == ("1", "Ben")


def test_seats_of_nobody_and_sheets_to_review_are_said(thursday, played, otto, url):
    assertContains(otto.get(url), "1 sheet counts, 1 sheet not yet reviewed.")
    Person.objects.filter(name="Cass").update(club_person=None)
    Sheet.objects.update(review="approved")
    page = otto.get(url)
    assertContains(page, "1 sheet counts.")
    assertContains(page, "1 seat of 1 sheet belongs to nobody on the roster")
    assert len(page.context["lines"]) == 2


def test_somebody_on_the_roster_of_a_club_that_had_the_table_before_is_nobody(
    thursday, played, otto, url
):
    elsewhere = ClubPerson.objects.create(club=a_club_row(), name="Not ours")
    Person.objects.filter(name="Cass").update(club_person=elsewhere)
    page = otto.get(url)
    assertContains(page, "belongs to nobody on the roster")
    assertNotContains(page, "Not ours")


def test_everything_that_changes_a_sheet_moves_them_at_once(thursday, played, otto, url):
    before = shown(otto, url)
    row = played.standing[0]
    for outcome, moves in (("set", True), ("made", False)):
        hand = played.played(1, 320, "hearts", outcome)
        answer = actions.correct_hand(
            thursday.at(played.table), row.public_id, hand, reason="looked again"
        )
        assert isinstance(answer, actions.Saved), answer
        assert (shown(otto, url) != before) == moves
    for review, there in (("set_aside", False), ("flagged", True)):
        Sheet.objects.update(review=review, review_note="twice the same")
        assert (shown(otto, url) == before) == there
        assert bool(shown(otto, url)) == there
    actions.reopen(thursday.at(played.table), played.sheet.public_id, "one more")
    assert shown(otto, url) == []
    played.end()
    assert shown(otto, url) == before


def test_two_people_with_one_name_stay_two(thursday, played, otto, url):
    ClubPerson.objects.filter(name="Cass").update(name="Ben", note="Hill Street")
    assert places(otto, url) == [("1", "Ben"), ("2", "Alice"), ("2", "Ben")]
    assertContains(otto.get(url), "Hill Street", 1)


@pytest.mark.on_postgresql
def test_a_merge_moves_them_at_once_and_so_does_taking_it_back(thursday, played, otto, url):
    before = shown(otto, url)
    alice, ben = (ClubPerson.objects.get(name=name) for name in ("Alice", "Ben"))
    benjamin = thursday.person("Benjamin")
    benny = thursday.person("Benny")
    ClubPerson.objects.filter(pk=ben.pk).update(merged_into=benjamin)
    ClubPerson.objects.filter(pk=benjamin.pk).update(merged_into=benny)
    assert [(p, n if n != "Benny" else "Ben", c) for p, n, c in shown(otto, url)] == before
    ClubPerson.objects.filter(pk=benjamin.pk).update(merged_into=None)
    assert places(otto, url)[0] == ("1", "Benjamin")
    ClubPerson.objects.filter(pk=ben.pk).update(merged_into=None)
    assert shown(otto, url) == before
    assert alice.name == "Alice"


def many_sheets(club, n):
    everybody = [(name, ClubPerson.objects.create(club=club, name=name)) for name in "ABCDE"]
    table = a_table(club, everybody)
    people = list(table.people.all())
    now = timezone.now()
    for k in range(n):
        there = [people[(k + seat) % 5] for seat in range(3)]
        bank(table, there, [Hand(bidder=k % 3)], now - datetime.timedelta(minutes=k))


def test_as_many_questions_for_thirty_sheets_as_for_three(
    thursday, otto, client, season, url, at_most_queries, django_assert_num_queries
):
    Season.objects.update(published_id="published-season")
    many_sheets(thursday.club, 3)
    # Who asks, the season; people, figures, best sheets; sheets, overlaps.
    inside = {url: 9, thursday.url("standings/"): 7, url + "standings.xlsx": 7}
    for more in (0, 27):
        many_sheets(thursday.club, more)
        with django_assert_num_queries(3):
            standings.standings(thursday.club, season)
        for address, most in inside.items():
            with at_most_queries(most):
                assert otto.get(address).status_code == 200
        with at_most_queries(5):
            assert client.get("/seasons/published-season/").status_code == 200


# As a spreadsheet.


def test_the_spreadsheet_holds_text_as_text_and_numbers_as_numbers(thursday, played, otto, url):
    ClubPerson.objects.filter(name="Ben").update(name="=1+1", note="https://evil.example")
    answer = otto.get(url + "standings.xlsx")
    assert answer["Content-Disposition"].startswith('attachment; filename="thursday-')
    page = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    head, *lines = page.iter_rows()
    named = {cell.value: n for n, cell in enumerate(head)}
    first = lines[0]
    assert [cell.value for cell in first[:3]] == [1, "=1+1", "https://evil.example"]
    assert first[1].data_type == "s"
    assert first[2].hyperlink is None
    made = first[named["Bids made, of a hundred"]]
    assert made.value == pytest.approx(2 / 3)
    assert made.number_format == "0.0%"
    assert first[named["Average bid"]].value == 330
    assert lines[1][named["Average bid"]].value is None
    assert [[cell.value for cell in line[:2]] for line in lines] == [
        [1, "=1+1"],
        [2, "Alice"],
        [2, "Cass"],
    ]
