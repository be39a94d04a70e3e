"""Writing: keys, staleness, refusals as values, and what a write may never do."""

from __future__ import annotations

import dataclasses
import uuid

import pytest

from sheets import actions, codes
from sheets.actions import Refused, Saved, Why
from sheets.models import Change, Round, Sheet, Table

VERBS = {
    "enter": lambda g, w, row: actions.enter_hand(w, g.sheet.public_id, g.played(2, 350)),
    "edit": lambda g, w, row: actions.edit_hand(w, row.public_id, g.played(2, 350)),
    "take back": lambda g, w, row: actions.take_back(w, row.public_id),
    "rename": lambda g, w, row: actions.rename(w, g.sheet.public_id, "Us", same_names(g)),
    "seats": lambda g, w, row: actions.change_seats(w, g.sheet.public_id, other_order(g)),
    "dealer": lambda g, w, row: actions.set_dealer(w, g.sheet.public_id, g.players[2].pk),
    "end": lambda g, w, row: actions.end_match(w, g.sheet.public_id),
}


def same_names(game):
    return {player.pk: player.name for player in game.players}


def other_order(game):
    first, second, third = sorted(player.pk for player in game.players)
    return [second, first, third]


@pytest.fixture(params=VERBS)
def verb(request):
    return VERBS[request.param]


@pytest.mark.on_postgresql
def test_a_write_sent_twice_is_written_once_and_answered_alike(game, verb):
    row = game.enter()
    write = game.write()
    first = verb(game, write, row)
    version = game.version
    again = verb(game, write, row)
    assert isinstance(first, Saved)
    assert isinstance(again, Saved), again
    assert (again.change, again.repeated) == (first.change, True)
    assert game.version == version


@pytest.mark.on_postgresql
def test_a_key_that_saved_something_else_is_refused(game, verb):
    row = game.enter()
    write = game.write()
    assert isinstance(actions.enter_hand(write, game.sheet.public_id, game.played(0)), Saved)
    version = game.version
    answer = verb(game, write, row)
    assert isinstance(answer, Refused)
    assert answer.why == Why.KEY_USED
    assert answer.change is not None
    assert answer.change.key == write.key
    assert game.version == version


def test_another_phones_key_answers_nothing(game):
    write = game.write()
    assert isinstance(actions.enter_hand(write, game.sheet.public_id, game.played()), Saved)
    stolen = dataclasses.replace(write, phone=game.ben)
    answer = actions.enter_hand(stolen, game.sheet.public_id, game.played())
    assert isinstance(answer, Refused)
    assert answer.why == Why.KEY_USED
    assert answer.change is None


@pytest.mark.on_postgresql
def test_a_key_is_not_used_up_by_a_refusal(game):
    seen = game.version
    game.enter(phone=game.ben)
    write = game.write(seen=seen)
    refused = actions.enter_hand(write, game.sheet.public_id, game.played(0))
    assert isinstance(refused, Refused)
    assert refused.why == Why.STALE
    again = dataclasses.replace(write, seen=refused.seen)
    assert isinstance(actions.enter_hand(again, game.sheet.public_id, game.played(0)), Saved)


def test_one_key_on_two_tables_writes_on_one(new_game):
    one, other = new_game()[0], new_game()[0]
    key = uuid.uuid4()
    assert isinstance(
        actions.enter_hand(one.write(key=key), one.sheet.public_id, one.played()), Saved
    )
    answer = actions.enter_hand(other.write(key=key), other.sheet.public_id, other.played())
    assert isinstance(answer, Refused)
    assert answer.why == Why.KEY_USED
    assert answer.change is None
    assert other.totals == [0, 0, 0]


def test_a_stranger_writes_nothing(game, verb):
    row = game.enter()
    version = game.version
    answer = verb(game, game.write(codes.phone_hash("stranger")), row)
    assert isinstance(answer, Refused)
    assert answer.why == Why.NOT_A_MEMBER
    assert game.version == version


def test_nobody_writes_on_the_sheet_of_another_table(new_game):
    mine, other = new_game()[0], new_game()[0]
    row = other.enter()
    sheet = other.sheet.public_id
    answers = [
        actions.enter_hand(mine.write(), sheet, other.played()),
        actions.edit_hand(mine.write(), row.public_id, other.played(0)),
        actions.take_back(mine.write(), row.public_id),
        actions.end_match(mine.write(), sheet),
        actions.set_dealer(mine.write(), sheet, other.players[0].pk),
    ]
    assert [answer.why for answer in answers] == [Why.NOT_THERE] * 5
    assert other.totals == [0, 2, 0]


# What one phone did, what another phone may then not do with what it saw before.
STALE = [
    ("enter", "enter", True),
    ("seats", "enter", True),
    ("edit", "enter", False),
    ("take back", "enter", False),
    ("rename", "enter", False),
    ("dealer", "enter", False),
    ("edit", "edit", True),
    ("seats", "edit", True),
    ("seats", "take back", False),
    ("take back", "edit", True),
    ("enter", "edit", False),
    ("edit", "take back", True),
    ("take back", "take back", True),
    ("enter", "end", True),
    ("edit", "end", True),
    ("take back", "end", True),
    ("rename", "end", False),
    ("rename", "rename", True),
    ("enter", "rename", False),
    ("seats", "seats", True),
    ("enter", "seats", False),
    ("dealer", "dealer", True),
    ("enter", "dealer", True),
]


@pytest.mark.parametrize(("first", "second", "stale"), STALE)
def test_what_is_stale_after_another_phones_change(game, first, second, stale):
    row = game.enter()
    seen = game.version
    assert isinstance(VERBS[first](game, game.write(game.ben), row), Saved)
    answer = VERBS[second](game, game.write(seen=seen), row)
    if not stale:
        assert isinstance(answer, Saved), answer
        return
    assert isinstance(answer, Refused)
    assert answer.why == Why.STALE
    assert answer.seen == game.seen
    assert answer.change is not None
    assert str(answer.change.member) == "Ben"


@pytest.mark.parametrize("first", ["enter", "edit", "take back", "rename", "seats", "dealer"])
def test_a_phones_own_changes_never_make_its_later_writes_stale(game, first):
    row, other = game.enter(), game.enter()
    seen = game.version
    assert isinstance(VERBS[first](game, game.write(), row), Saved)
    for second in ("enter", "rename", "seats", "dealer", "end"):
        assert isinstance(VERBS[second](game, game.write(seen=seen), other), Saved)


def test_putting_a_hand_back_makes_a_new_one_a_question(game):
    row = game.enter()
    actions.take_back(game.write(), row.public_id)
    seen = game.version
    actions.put_back(game.write(game.ben), row.public_id)
    answer = VERBS["enter"](game, game.write(seen=seen), row)
    assert isinstance(answer, Refused)
    assert answer.change.kind == "hand_put_back"


def test_a_change_of_another_hand_is_not_stale(game):
    row, other = game.enter(), game.enter()
    seen = game.version
    actions.edit_hand(game.write(game.ben), other.public_id, game.played(0))
    assert isinstance(VERBS["edit"](game, game.write(seen=seen), row), Saved)


def test_after_the_end_nothing_is_written_and_ending_again_is_answered(game, verb, request):
    row = game.enter()
    game.end(game.ben)
    sheet = Sheet.objects.get()
    version = game.version
    answer = verb(game, game.write(), row)
    assert game.version == version
    if isinstance(answer, Saved):
        assert answer.change.kind == "sheet_banked"
    else:
        assert answer.why == Why.ENDED
        assert str(answer.sheet.ended_by) == "Ben"
    assert Sheet.objects.get() == sheet


@pytest.mark.on_postgresql
def test_every_step_raises_the_version_by_one_and_leaves_one_line(game):
    row = game.enter()
    for name, verb in VERBS.items():
        version, lines = game.version, Change.objects.count()
        answer = verb(game, game.write(), row)
        if name == "take back":
            actions.put_back(game.write(), row.public_id)
            version, lines = version + 1, lines + 1
        assert isinstance(answer, Saved)
        assert (game.version, Change.objects.count()) == (version + 1, lines + 1)


def test_a_hand_is_never_deleted(game):
    row = game.enter()
    actions.take_back(game.write(), row.public_id)
    assert Round.objects.get() == row
    assert game.totals == [0, 0, 0]
    actions.put_back(game.write(), row.public_id)
    assert game.totals == [0, 2, 0]


def test_the_public_id_of_a_hand_is_the_key_it_was_entered_with(game):
    key = uuid.uuid4()
    assert game.enter(key=key).public_id == key


def test_what_the_rules_refuse_under_the_lock_is_a_value(game):
    answer = actions.enter_hand(game.write(), game.sheet.public_id, game.played(1, 250))
    assert isinstance(answer, Refused)
    assert answer.why == Why.IMPOSSIBLE
    assert str(answer.error) == "Only the dealer can be left with 250."


def test_an_edit_is_settled_under_the_rules_of_its_hand(game):
    row = game.enter()
    assert row.house_rules_id == Sheet.objects.get().house_rules_id
    actions.edit_hand(game.write(), row.public_id, game.played(1, 500, "spades", "set"))
    assert game.totals == [64, 0, 64]


@pytest.mark.on_postgresql
def test_tables_that_play_by_the_same_rules_share_one_row_of_them(new_game):
    one, other = new_game()[0], new_game()[0]
    assert one.sheet.house_rules_id == other.sheet.house_rules_id
    assert Table.objects.count() == 2


def test_a_name_two_people_had_is_the_one_who_sat_here_last(game):
    game.enter()
    game.end()
    actions.play_again(game.write(), ("Alice", "Ben", "Dan"), 0)
    dan = game.players[2]
    new = {player.pk: player.name for player in game.players} | {dan.pk: "Cass"}
    actions.rename(game.write(), game.sheet.public_id, "", new)
    game.enter()
    game.end()
    actions.play_again(game.write(), ("Alice", "Ben", "Cass"), 0)
    assert game.players[2].person_id == dan.person_id


def test_play_again_spells_a_name_as_it_is_typed_now(game):
    game.enter()
    game.end()
    actions.play_again(game.write(), ("alice", "Ben", "Cass"), 0)
    assert game.players[0].name == game.players[0].person.name == "alice"
