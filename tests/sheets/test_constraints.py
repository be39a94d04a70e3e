"""The database itself refuses what must never be stored."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.utils import timezone

from sheets import codes
from sheets.models import (
    Change,
    Club,
    ClubChange,
    ClubPerson,
    Entry,
    HouseRules,
    Invitation,
    Member,
    NameUsed,
    Organiser,
    Person,
    Player,
    Result,
    Round,
    SavedRules,
    Season,
    Sheet,
    Table,
    User,
)


@pytest.fixture
def at(game):
    """A row of everything, to break one thing at a time."""
    game.enter()
    row = game.standing[0]
    sheet = game.sheet
    return {
        "table": game.table,
        "member": Member.objects.get(table=game.table, number=1),
        "sheet": sheet,
        "players": game.players,
        "row": row,
        "house": sheet.house_rules,
    }


def a_table(at, **other):
    return Table(**{"code": "ABCDEF", "time_zone": "UTC"} | other)


def a_sheet(at, **other):
    other = {"game": "auction", "house_rules": at["house"], "started_by": at["member"]} | other
    return Sheet(**{"table": at["table"]} | other)


def banked():
    return {"state": "banked", "ended_at": timezone.now()}


def a_player(at, **other):
    person = Person.objects.create(table=at["table"], name="Dan")
    fields = {"sheet": at["sheet"], "person": person, "place": 3, "name": "Dan", "name_key": "dan"}
    return Player(**fields | other)


def a_round(at, **other):
    players = at["players"]
    fields = {
        "sheet": at["sheet"],
        "position": 5000,
        "kind": "played",
        "house_rules": at["house"],
        "dealer": players[0],
        "bidder": players[1],
        "bid": 320,
        "trump": "hearts",
        "outcome": "made",
        "changed": 9,
        "entered_by": at["member"],
    }
    return Round(**fields | other)


def a_season(at, **other):
    club, _made = Club.objects.get_or_create(
        slug="c", defaults={"name": "C", "time_zone": "UTC", "code": "ABCDEF"}
    )
    days = {"starts": datetime.date(2026, 9, 1), "ends": datetime.date(2026, 12, 31)}
    return Season(**{"club": club, "name": "A", "name_key": "a"} | days | other)


def a_result(at, **other):
    counted = ("units", "hands", "bids", "made", "sets", "thrown_in", "bid_points", "spades")
    fields = {"sheet": at["sheet"], "person": at["players"][0].person, "won": False}
    return Result(**fields | dict.fromkeys(counted, 0) | {"shared": False} | other)


def an_entry(at, **other):
    row = a_round(at)
    row.save()
    fields = {"round": row, "player": at["players"][0], "units": 2, "signed": False}
    return Entry(**fields | other)


def a_change(at, **other):
    fields = {
        "table": at["table"],
        "version": 99,
        "kind": "joined",
        "member": at["member"],
        "key": uuid.uuid4(),
        "fingerprint": "",
    }
    return Change(**fields | other)


def saved_rules(at, **other):
    fields = {"table": at["table"], "name": "Club", "name_key": "club", "house_rules": at["house"]}
    return SavedRules(**fields | other)


def into_itself(at):
    club = a_club()
    club.save()
    person = ClubPerson.objects.create(club=club, name="Ben")
    person.merged_into = person
    return person


def a_user(email):
    return User(email=email, password="!")


def a_club(**other):
    known = {"slug": "friday", "name": "Friday", "time_zone": "UTC", "code": codes.new_code()}
    return Club(**known | other)


def with_club(made):
    """What `made` makes of a stored club and a stored user."""
    user = User.objects.create_user(f"{uuid.uuid4().hex}@b.example")
    club = a_club(slug=uuid.uuid4().hex)
    club.save()
    return made(club, user)


def a_club_change(club, **other):
    fields = {"club": club, "version": 1, "kind": "started", "key": uuid.uuid4()}
    return ClubChange(**fields | other)


BROKEN = [
    ("sheets_table_code_form", lambda at: a_table(at, code="ABCDEL")),
    ("sheets_person_name_not_empty", lambda at: Person(table=at["table"], name="")),
    (
        "sheets_nameused_unique",
        lambda at: [
            NameUsed(person=at["players"][0].person, name="Al"),
            NameUsed(person=at["players"][0].person, name="Al"),
        ],
    ),
    (
        "sheets_member_phone_unique",
        lambda at: Member(table=at["table"], phone=at["member"].phone, number=9),
    ),
    ("sheets_member_number_unique", lambda at: Member(table=at["table"], phone="x", number=1)),
    (
        "sheets_member_removed_when",
        lambda at: Member(table=at["table"], phone="x", number=9, removed_by=at["member"]),
    ),
    (
        "sheets_member_asks_since",
        lambda at: Member(table=at["table"], phone="x", number=9, asks=at["players"][0].person),
    ),
    (
        "sheets_houserules_unique",
        lambda at: HouseRules(game="auction", format=1, canonical="", digest=at["house"].digest),
    ),
    ("sheets_houserules_game_known", lambda at: HouseRules(game="skat", format=1, digest="x")),
    ("sheets_sheet_one_open", a_sheet),
    (
        "sheets_sheet_state_known",
        lambda at: a_sheet(at, state="lost", ended_at=at["table"].created_at),
    ),
    (
        "sheets_sheet_review_known",
        lambda at: a_sheet(at, table=other_table(), **banked(), review="liked"),
    ),
    (
        "sheets_sheet_only_banked_reviewed",
        lambda at: a_sheet(at, table=other_table(), review="approved"),
    ),
    (
        "sheets_sheet_review_says_why",
        lambda at: a_sheet(at, table=other_table(), **banked(), review="flagged"),
    ),
    (
        "sheets_sheet_review_says_why",
        lambda at: a_sheet(at, table=other_table(), **banked(), review="set_aside"),
    ),
    ("sheets_sheet_game_known", lambda at: a_sheet(at, game="skat", table=other_table())),
    ("sheets_sheet_ended_when_closed", lambda at: a_sheet(at, state="banked")),
    ("sheets_sheet_pot_not_negative", lambda at: a_sheet(at, table=other_table(), pot=-1)),
    ("sheets_sheet_unit_has_currency", lambda at: a_sheet(at, table=other_table(), unit_cents=5)),
    (
        "sheets_sheet_unit_has_currency",
        lambda at: a_sheet(at, table=other_table(), unit_cents=0, currency="EUR"),
    ),
    ("sheets_player_total_has_column", lambda at: a_player(at, scores=False, total=2)),
    ("sheets_player_place_unique", lambda at: a_player(at, place=0)),
    ("sheets_player_name_unique", lambda at: a_player(at, name_key="ben")),
    ("sheets_player_person_once", lambda at: a_player(at, person=at["players"][0].person)),
    ("sheets_player_name_not_empty", lambda at: a_player(at, name_key="")),
    ("sheets_round_position", lambda at: a_round(at, position=at["row"].position)),
    ("sheets_round_kind_known", lambda at: a_round(at, kind="guessed", **nobody())),
    ("sheets_round_trump_known", lambda at: a_round(at, trump="stars")),
    ("sheets_round_outcome_known", lambda at: a_round(at, outcome="lost")),
    ("sheets_round_kind_has_its_fields", lambda at: a_round(at, bidder=None)),
    ("sheets_round_kind_has_its_fields", lambda at: a_round(at, kind="passed_out")),
    ("sheets_round_kind_has_its_fields", lambda at: a_round(at, trump=None)),
    (
        "sheets_round_kind_has_its_fields",
        lambda at: a_round(at, kind="typed", counts={"meld_points": 10}, **nobody()),
    ),
    ("sheets_round_half_is_typed", lambda at: a_round(at, half=True)),
    (
        "sheets_round_half_is_typed",
        lambda at: a_round(at, kind="typed", half=True, confirmed_by=at["member"], **nobody()),
    ),
    ("sheets_round_dealt_by_somebody", lambda at: a_round(at, dealer=None)),
    (
        "sheets_round_dealt_by_somebody",
        lambda at: a_round(at, kind="correction", reason="a gift", **nobody()),
    ),
    (
        "sheets_round_correction_has_reason",
        lambda at: a_round(at, kind="correction", dealer=None, **nobody()),
    ),
    ("sheets_round_correction_has_reason", lambda at: a_round(at, reason="none is due")),
    ("sheets_round_sitter_did_not_bid", lambda at: a_round(at, sitter=at["players"][1])),
    ("sheets_savedrules_unique", lambda at: [saved_rules(at), saved_rules(at)]),
    ("sheets_savedrules_name_not_empty", lambda at: saved_rules(at, name_key="")),
    ("sheets_entry_once", lambda at: an_entry(at, round=at["row"])),
    ("sheets_entry_not_negative", lambda at: an_entry(at, units=-1)),
    ("sheets_entry_in_range", lambda at: an_entry(at, units=100_000)),
    ("sheets_season_name_unique", lambda at: [a_season(at), a_season(at, name="Á")]),
    ("sheets_season_name_not_empty", lambda at: a_season(at, name_key="")),
    ("sheets_season_starts_before_end", lambda at: a_season(at, ends=datetime.date(2026, 8, 31))),
    ("sheets_result_once", lambda at: [a_result(at), a_result(at)]),
    ("sheets_result_bids_add_up", lambda at: a_result(at, bids=2, made=1)),
    ("sheets_result_only_wins_shared", lambda at: a_result(at, shared=True)),
    ("sheets_change_version", lambda at: a_change(at, version=1)),
    ("sheets_change_kind_known", lambda at: a_change(at, kind="forgotten")),
    ("sheets_change_one_author", lambda at: a_change(at, member=None)),
    ("sheets_change_one_author", lambda at: a_change(at, system=True)),
    (
        "sheets_clubperson_name_not_empty",
        lambda at: with_club(lambda club, user: ClubPerson(club=club, name="")),
    ),
    ("sheets_clubperson_not_into_itself", into_itself),
    ("sheets_change_by_somebody_else", lambda at: a_change(at, by="Mara")),
    ("sheets_club_name_not_empty", lambda at: a_club(name="")),
    ("sheets_club_code_form", lambda at: a_club(code="ABCDEL")),
    (
        "sheets_organiser_once",
        lambda at: with_club(
            lambda club, user: [Organiser(club=club, user=user) for _ in range(2)]
        ),
    ),
    (
        "sheets_organiser_role_known",
        lambda at: with_club(lambda club, user: Organiser(club=club, user=user, role="guest")),
    ),
    (
        "sheets_invitation_used_by_somebody",
        lambda at: with_club(
            lambda club, user: Invitation(
                club=club, secret_hash="x", made_by=user, used_at=timezone.now()
            )
        ),
    ),
    (
        "sheets_clubchange_version",
        lambda at: with_club(lambda club, user: [a_club_change(club), a_club_change(club)]),
    ),
    (
        "sheets_clubchange_kind_known",
        lambda at: with_club(lambda club, user: a_club_change(club, kind="forgotten")),
    ),
    ("sheets_user_closed_is_nobody", lambda at: a_closed_user(is_active=True)),
    ("sheets_user_closed_is_nobody", lambda at: a_closed_user(is_staff=True)),
    ("sheets_user_closed_is_nobody", lambda at: a_closed_user(name="Mara")),
    ("sheets_user_email_any_case", lambda at: [a_user("a@b.example"), a_user("A@b.example")]),
]


def a_closed_user(**other):
    closed = {"closed_at": timezone.now(), "is_active": False, "is_staff": False, "name": ""}
    return User(**{"email": "gone@closed.invalid"} | closed | other)


def nobody():
    return {"bidder": None, "bid": None, "trump": None, "outcome": None}


def other_table():
    return Table.objects.create(code=codes.new_code(), time_zone="UTC")


@pytest.mark.on_postgresql
def test_the_database_refuses_whatever_must_never_be_stored(at):
    for name, broken in BROKEN:
        with transaction.atomic():
            refuses(name, broken(at))
            transaction.set_rollback(True)


def refuses(name, rows):
    *fine, last = rows if isinstance(rows, list) else [rows]
    for row in fine:
        row.save()
    try:
        with transaction.atomic():
            last.save()
    except IntegrityError as refused:
        said = str(refused)
    else:
        raise AssertionError(f"{name} let it through")
    # SQLite names the columns of a unique constraint, PostgreSQL the constraint itself.
    constraint = next(c for c in last._meta.constraints if c.name == name)
    columns = [last._meta.get_field(f).column for f in getattr(constraint, "fields", ())]
    assert name in said or (columns and all(f".{column}" in said for column in columns)), name


def test_every_constraint_is_tried():
    named = {
        constraint.name
        for model in apps.get_app_config("sheets").get_models()
        for constraint in model._meta.constraints
    }
    assert named == {name for name, _ in BROKEN}


@pytest.mark.on_postgresql
def test_rows_that_are_right_are_stored(at):
    a_player(at).save()
    an_entry(at).save()
    a_change(at).save()
    a_closed_user().save()
    a_season(at, ends=datetime.date(2026, 9, 1)).save()
    a_result(at, bids=3, made=1, sets=1, thrown_in=1, won=True, shared=True).save()
    a_round(at, position=6000, kind="passed_out", **nobody()).save()
    gift = {"kind": "correction", "dealer": None, "reason": "a gift"}
    a_round(at, position=7000, **gift, **nobody()).save()
    # Whoever left gives way to somebody else at the same place.
    left = at["players"][0]
    left.until = at["row"]
    left.save()
    a_player(at, place=left.place, name=left.name, name_key=left.name_key, since=at["row"]).save()
