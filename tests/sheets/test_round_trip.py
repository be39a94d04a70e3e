"""A club goes out as a file and comes back into an empty database: nothing is lost on the way."""

from __future__ import annotations

import dataclasses
import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.auction import HouseRules, Pot
from sheets import actions, club_queries, club_wording, history_ids, queries, wording
from sheets.imports import planning, reading
from sheets.models import (
    Change,
    Club,
    ClubChange,
    ClubPerson,
    Entry,
    Result,
    Role,
    Round,
    Season,
    Sheet,
    Table,
)
from tests.sheets import files, sitting
from tests.sheets.clubs import a_club
from tests.sheets.test_history_replay import as_stored, replayed, saved, step, take

WITH_A_POT = HouseRules(pot=Pot(winning_bid=350))


def standings():
    """The results by name and sheet: what standings are made of."""
    fields = [f.name for f in Result._meta.fields if f.name not in ("id", "sheet", "person")]
    rows = Result.objects.values_list("sheet__public_id", "person__name", *fields)
    return sorted(rows.filter(sheet__review__in=("to_review", "approved", "flagged")))


def told():
    """History as people read it, with who and when."""
    lines = []
    for table in Table.objects.order_by("public_id"):
        changes = list(table.changes.select_related("member__person", "user").order_by("version"))
        past = queries.past_of(table, changes)
        lines += [
            (table.public_id, one.version, wording.author(one), wording.change(one, past), one.at)
            for one in changes
        ]
    return lines


def hands():
    """All hands with their numbers, people by name."""
    rows = []
    who = ("dealer__name", "sitter__name", "bidder__name")
    what = ("public_id", "kind", "bid", "trump", "outcome", "counts", "pot", "reason", "half")
    for row in Round.objects.filter(taken_back=False).order_by("sheet__public_id", "position"):
        taken = Entry.objects.filter(round=row).order_by("player__place")
        units = list(taken.values_list("player__name", "units"))
        about = Round.objects.filter(pk=row.pk).values_list(
            "sheet__public_id", "house_rules__canonical", *who, *what
        )
        rows.append((*about[0], units))
    return rows


def totals():
    rows = Sheet.objects.filter(state="banked").order_by("public_id")
    return [
        (sheet.public_id, sheet.pot, list(sheet.players.values_list("place", "name", "total")))
        for sheet in rows
    ]


@pytest.fixture
def an_evening(club_game, thursday):
    """A sheet on which much happened."""
    game = club_game
    saved(actions.change_settings(game.write(), True, False))
    first = game.enter()
    game.enter(game.played(2, 350, "spades", "set"))
    game.enter(game.typed(0, 2, 0), game.ben)
    game.enter(game.passed())
    wrong = game.enter(game.played(0, 300, "clubs", "made"))
    saved(actions.take_back(game.write(), wrong.public_id))
    saved(actions.edit_hand(game.write(game.ben), first.public_id, game.played(1, 420)))
    players = game.players
    new = {one.pk: one.name for one in players} | {players[0].pk: "Alicia"}
    saved(actions.rename(game.write(), game.sheet.public_id, "The Cellar", new))
    saved(actions.save_rules(game.write(), game.sheet.public_id, "Ours"))
    saved(actions.set_dealer(game.write(), game.sheet.public_id, players[2].pk))
    game.enter(game.correction(1, 0, 0))
    saved(actions.remove_phone(game.write(), 2))
    game.end()
    thursday.match_all()
    return game


@pytest.mark.on_postgresql
def test_a_club_comes_back_as_it_was(an_evening, thursday):
    fourth = thursday.person("Dora", "Hill Street")
    ClubPerson.objects.filter(pk=fourth.pk).update(merged_into=thursday.club.people.first())
    starts, ends = "2026-01-01", "2026-12-31"
    Season.objects.create(
        club=thursday.club, name="2026", name_key="2026", starts=starts, ends=ends, least_hands=9
    )
    correction = an_evening.played(0, 320, "hearts", "made")
    row = an_evening.standing[0].public_id
    answer = actions.correct_hand(
        thursday.at(an_evening.table), row, correction, reason="Alice bid it"
    )
    saved(answer)
    data = files.club_file(thursday.club)
    before = standings(), told(), hands(), totals()
    roster = list(ClubPerson.objects.values_list("name", "note", "merged_into__name"))
    files.empty()
    elsewhere = a_club("friday", "Friday Club")
    files.brought(elsewhere, data)
    history = told()
    assert history.pop()[3] == "imported this table from a file: 4 hands"
    assert (standings(), history, hands(), totals()) == before
    assert list(ClubPerson.objects.values_list("name", "note", "merged_into__name")) == roster
    assert Season.objects.get().least_hands == 9
    assert Table.objects.get().club == elsewhere.club
    assert set(Sheet.objects.values_list("club", flat=True)) == {elsewhere.club.pk}
    assert history[-1][2] == "Otto"
    assert len(before[0]) == 3


def told_of(club):
    """A club's own history as organisers read it, with who and when, oldest first."""
    changes = list(club.changes.select_related("user").order_by("version"))
    past = club_queries.past_of(club, changes)
    return [(club_wording.author(one), club_wording.change(one, past), one.at) for one in changes]


def done(answer):
    assert isinstance(answer, actions.ClubSaved), answer


@pytest.mark.on_postgresql
def test_the_clubs_own_history_comes_along_once(an_evening, thursday):
    otto, mara = thursday.otto.pk, thursday.mara.pk
    done(actions.change_club(thursday.write(), "The Cellar", "America/Chicago", True, ""))
    done(actions.add_people(thursday.write(thursday.otto), [("Dora", ""), ("Dori", "")]))
    dora, dori = (thursday.club.people.get(name=name).pk for name in ("Dora", "Dori"))
    done(actions.rename_person(thursday.write(), dora, "Dorothy", "Hill Street"))
    done(actions.merge_people(thursday.write(), dori, dora))
    autumn, spring = (
        actions.SeasonFields(
            name=name,
            starts=datetime.date(2026, month, 1),
            ends=datetime.date(2026, month, 28),
            least_hands=0,
        )
        for name, month in (("Autumn", 9), ("Spring", 3))
    )
    for fields in (autumn, spring):
        done(actions.add_season(thursday.write(), fields))
    done(actions.publish_season(thursday.write(), Season.objects.get(name="Autumn").pk))
    done(actions.remove_season(thursday.write(), Season.objects.get(name="Spring").pk))
    done(actions.let_go(thursday.write(), an_evening.table.pk))
    fresh = Table.objects.get().code
    done(actions.take_in(thursday.write(), fresh))
    done(actions.change_role(thursday.write(), otto, Role.OWNER))
    done(actions.remove_organiser(thursday.write(thursday.otto), mara))
    before, data = told_of(thursday.club), files.club_file(thursday.club)
    words = {said for _who, said, _at in before}
    assert {"made Otto an owner", "took Mara off the organisers"} <= words
    assert {"merged Dori into Dorothy (Hill Street)", "removed the season Spring"} <= words
    files.empty()
    friday = a_club("friday", "Friday Club")
    files.brought(friday, data)
    first, *brought_along, last = told_of(friday.club)
    assert (first[1], last[1]) == ("started the club", "imported 1 sheet")
    assert brought_along == before
    assert not ClubChange.objects.exclude(club=friday.club).exists()
    plan = planning.plan(Club.objects.get(slug="friday"), reading.read(data))
    assert not plan.adds
    # And once more, from there: whose names were kept are kept.
    again = files.club_file(friday.club)
    files.empty()
    files.brought(friday, again)
    assert [one[:2] for one in told_of(friday.club)][1:-2] == [one[:2] for one in before]


def test_history_tells_the_imported_sheet_as_it_told_the_first(an_evening, thursday):
    data = files.club_file(thursday.club)
    files.empty()
    files.brought(thursday, data)
    table = Table.objects.get()
    replay = replayed(table)
    (sheet,) = table.sheets.all()
    fields = ("kind", "dealer", "sitter", "bidder", "bid", "trump", "outcome")
    rows = [
        {field: row["state"][field] for field in fields} | {"units": dict(row["state"]["units"])}
        for row in replay.sheets[sheet.pk].standing()
    ]
    assert as_stored(sheet) == rows


@given(steps=st.lists(step, max_size=10), pot=st.booleans())
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_was_done_at_a_table_comes_back(new_game, pot, steps):
    files.empty()
    at = a_club(f"c-{files.a_key()}"[:30])
    game, *_ = new_game(house=WITH_A_POT if pot else None)
    at.take_in(game)
    saved(actions.change_settings(game.write(), True, False))
    for one in steps:
        take(game, one)
    data = files.club_file(at.club)
    before = standings(), told(), hands(), totals()
    for change in Change.objects.all():
        keys = [*history_ids.unknown_keys(change.before), *history_ids.unknown_keys(change.after)]
        assert not keys, change.kind
    files.empty()
    files.brought(at, data)
    history = told()
    history.pop()
    assert (standings(), history, hands(), totals()) == before


@pytest.mark.parametrize("pot", [False, True])
def test_a_sheet_is_rebuilt_from_its_csv_alone(new_game, thursday, pot):
    game, *_ = new_game(house=WITH_A_POT if pot else None)
    thursday.take_in(game)
    game.enter()
    game.enter(game.played(2, 350, "spades", "set"))
    game.enter(game.typed(0, 2, 0), game.ben)
    taken = game.enter()
    saved(actions.take_back(game.write(), taken.public_id))
    game.enter(game.passed())
    game.enter(game.correction(1, 0, 0, reason="=1+1"))
    counted = game.played(1, 300, "hearts", "made")
    counts = {"meld_points": 150, "trick_points": 160}
    game.enter(dataclasses.replace(counted, counts=counts))
    if pot:
        saved(actions.share_pot(game.write(), game.sheet.public_id))
    game.end()
    data = files.hands_file(thursday.club)
    before = standings(), hands(), totals()
    moments = list(Sheet.objects.values_list("started_at", "ended_at", "played_at"))
    files.empty()
    files.brought(thursday, data)
    assert (standings(), hands(), totals()) == before
    assert list(Sheet.objects.values_list("started_at", "ended_at", "played_at")) == moments
    (change,) = Change.objects.all()
    assert (change.kind, change.user) == ("sheet_imported", thursday.mara)


def test_a_fourth_who_came_and_one_who_left_come_back(new_game, thursday):
    game, *_ = new_game()
    thursday.take_in(game)
    game.enter()
    sitting.saved(sitting.sit_down(game))
    sitting.enter(game, "Ben", bid=300)
    sitting.enter(game, "Dana", bid=300, outcome="set")
    sitting.saved(sitting.leave(game, "Ben", "Emil"))
    sitting.enter(game, "Alice", bid=300, outcome="thrown_in")
    sitting.saved(sitting.leave(game, "Alice"))
    sitting.enter(game, "Emil", bid=400)
    game.end()
    before = standings(), hands(), totals()
    as_json, as_csv = files.club_file(thursday.club), files.hands_file(thursday.club)
    for data in (as_json, as_csv):
        files.empty()
        files.brought(thursday, data)
        assert (standings(), hands(), totals()) == before
