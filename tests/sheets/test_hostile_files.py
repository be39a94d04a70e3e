"""Files that nobody saved here: each is refused in words, and nothing of it is taken in."""

from __future__ import annotations

import copy
import datetime
import json
import pathlib
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from rules import auction
from sheets import actions
from sheets.models import (
    ChangeKind,
    ClubPerson,
    Entry,
    HouseRules,
    Person,
    RoundKind,
    Season,
    Sheet,
    Table,
)
from tests.sheets import files
from tests.sheets.files import set_in

SAMPLE = (pathlib.Path(__file__).parents[1] / "data" / "club_format_1.json").read_text()


def nested(deep):
    told: dict = {}
    for _ in range(deep):
        told = {"a": told}
    return told


def rules_twice(file):
    file["rules"].append(copy.deepcopy(file["rules"][0]))
    file["tables"][0]["sheets"][0]["rounds"][0]["entries"][0]["units"] = 77


def two_sheets_of_one_set_of_players(file):
    sheets = file["tables"][0]["sheets"]
    other = copy.deepcopy(sheets[0]) | {"id": "b" * 16, "dealer_marked_after": None}
    for row in other["rounds"]:
        row["id"] = str(uuid.uuid4())
    sheets.append(other)


def person_twice(file):
    people = file["tables"][0]["people"]
    people.append(copy.deepcopy(people[0]))


def one_in_two_seats_for_a_while(file):
    # Ben sat in Cass's seat too, until the second hand; only Cass sits there now.
    sheet = file["tables"][0]["sheets"][0]
    second = sheet["rounds"][1]["id"]
    cass = sheet["players"][2]
    sheet["players"].append(cass | {"id": 9, "person": 2, "name": "Benny", "until": second})
    cass["since"] = second
    for row in sheet["rounds"][:2]:
        for entry in row["entries"]:
            entry["player"] = 9 if entry["player"] == 3 else entry["player"]
        row["bidder"] = 9 if row["bidder"] == 3 else row["bidder"]


def far_too_much(file):
    rounds = file["tables"][0]["sheets"][0]["rounds"]
    typed = next(row for row in rounds if row["kind"] == "typed")
    for n in range(11_000):
        again = copy.deepcopy(typed) | {"id": str(uuid.UUID(int=n)), "position": 10_000 + n}
        again["entries"][0]["units"] = 99_999
        rounds.append(again)


def club_history_twice(file):
    history = file["club"]["history"]
    history[0]["key"] = str(uuid.UUID(int=1))
    history.append(history[0] | {"version": 2})


ROUND = ("tables", 0, "sheets", 0, "rounds")
PASSED, PLAYED = 3, 0


@pytest.mark.parametrize(
    "wrong",
    [
        rules_twice,
        two_sheets_of_one_set_of_players,
        person_twice,
        one_in_two_seats_for_a_while,
        far_too_much,
        set_in(*ROUND, PASSED, "bid", to=0),
        set_in(*ROUND, PASSED, "trump", to=""),
        set_in(*ROUND, PASSED, "outcome", to=""),
        set_in(*ROUND, PASSED, "counts", to={}),
        set_in(*ROUND, PASSED, "reason", to=" "),
        set_in(*ROUND, PLAYED, "trump", to=""),
        set_in(*ROUND, PLAYED, "position", to=2**31 - 1),
        set_in(*ROUND, PLAYED, "counts", to=nested(450)),
        set_in("tables", 0, "sheets", 0, "pot", to=2**31 - 1),
        set_in("tables", 0, "phones", 0, "number", to=32_767),
        set_in("tables", 0, "history", 16, "version", to=2**31 - 1),
        set_in("tables", 0, "history", 16, "after", to=nested(450)),
        set_in("rules", 0, "rules", to=nested(450)),
        set_in("club", "history", 0, "after", to=nested(450)),
        set_in("club", "history", 0, "after", to={"person": "1"}),
        set_in("club", "history", 0, "after", to={"user": 1}),
        set_in("club", "history", 0, "after", to=[]),
        set_in("club", "history", 0, "kind", to="role_changed"),
        set_in("club", "history", 0, "kind", to="unheard_of"),
        set_in("club", "history", 0, "key", to="1"),
        club_history_twice,
        set_in("club", "seasons", 0, "ends", to="9999-12-31"),
        set_in("club", "seasons", 0, "starts", to="0001-01-01"),
    ],
)
def test_a_spoilt_file_is_refused_whole(otto, thursday, wrong):
    file = json.loads(SAMPLE)
    wrong(file)
    upload = SimpleUploadedFile("club.json", json.dumps(file).encode())
    fields = {"key": str(uuid.uuid4()), "seen": "0", "file": upload}
    response = otto.post(thursday.url("files/import/"), fields)
    assert response.status_code == 422
    assert response.context["mistakes"]
    for model in (Table, Sheet, Entry, ClubPerson, Season, HouseRules):
        assert not model.objects.exists()


def test_a_thrown_in_hand_without_a_suit_says_none(otto, thursday):
    file = json.loads(SAMPLE)
    row = file["tables"][0]["sheets"][0]["rounds"][PLAYED]
    row |= {"outcome": "thrown_in", "trump": ""}
    row["entries"] = [{"player": n, "units": units} for n, units in ((1, 0), (2, 1), (3, 1))]
    upload = SimpleUploadedFile("club.json", json.dumps(file).encode())
    fields = {"key": str(uuid.uuid4()), "seen": "0", "file": upload}
    assert otto.post(thursday.url("files/import/"), fields).status_code == 422


@pytest.mark.parametrize("how", ["one of the roster", "merged"])
def test_who_would_sit_on_an_imported_sheet_twice_is_left_to_an_organiser(thursday, how):
    file = json.loads(SAMPLE)
    if how == "merged":
        file["club"]["people"][1]["merged_into"] = 1
    else:
        file["tables"][0]["people"][1]["club_person"] = 1
    files.brought(thursday, json.dumps(file).encode())
    matched = dict(Person.objects.values_list("name", "club_person__name"))
    assert matched == {"Alicia": "Alicia", "Ben": None, "Cass": "Cass"}


def test_a_name_with_its_note_is_not_the_same_person_again_on_paper(thursday, db):
    thursday.person("Ann", "Hill Street")
    passed = actions.EnteredHand(kind=RoundKind.PASSED_OUT)
    paper = actions.PaperSheet(
        table=None,
        evening=datetime.date(2026, 3, 5),
        names=("Ann", "Ann (Hill Street)", "Cass"),
        first_dealer=0,
        off_sheet=None,
        game="auction",
        house=auction.HouseRules(),
        hands=(actions.PaperHand(entered=passed),),
    )
    answer = actions.type_in(thursday.write(), paper)
    assert isinstance(answer, actions.ClubSaved), answer
    first, second, _third = Person.objects.order_by("pk")
    assert first.club_person is not None
    assert second.club_person is None


def test_a_table_taken_in_again_seats_nobody_twice_who_was_merged_meanwhile(thursday, club_game):
    club_game.enter()
    club_game.end()
    alice, ben = (one.person for one in club_game.players[:2])
    first, second = thursday.person("Alice", of=[alice]), thursday.person("Ali", of=[ben])
    actions.let_go(thursday.write(), club_game.table.pk)
    merged = actions.merge_people(thursday.write(), second.pk, first.pk)
    assert isinstance(merged, actions.ClubSaved), merged
    club_game.table.refresh_from_db()
    actions.take_in(thursday.write(), club_game.table.code)
    alice.refresh_from_db()
    ben.refresh_from_db()
    assert alice.club_person_id == first.pk
    assert ben.club_person_id is None
    assert club_game.table.changes.filter(kind=ChangeKind.CLUB_JOINED).exists()
