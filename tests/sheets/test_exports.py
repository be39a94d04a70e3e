"""Exports: everything is there for those who may have it, and nothing that opens anything."""

from __future__ import annotations

import csv
import datetime
import io
import json
import zoneinfo

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheets import actions, hand_rows
from sheets.models import Club, Member, Season, Sheet, Table, User
from tests.sheets.clubs import a_club, signed_in

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
NASTY = ("=cmd|' /C calc'!A0", "@Ben", "'Cass")


def body(response):
    assert response.status_code == 200, response.content
    return b"".join(response.streaming_content)


def read(client, thursday, query=""):
    text = body(client.get(thursday.url(f"files/hands.csv{query}"))).decode()
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@pytest.fixture
def nasty(new_game, thursday):
    """A sheet of people whose names a spreadsheet would run."""
    game, *_ = new_game(NASTY)
    thursday.take_in(game)
    Table.objects.filter(pk=game.table.pk).update(name="+1 Table")
    game.enter()
    game.enter(game.typed(0, 2, 0))
    game.enter(game.correction(1, 0, 0, reason="-2 too many\nfor Cass"))
    game.end()
    return game


def test_csv_has_a_mark_one_header_and_lines_as_spreadsheets_want_them(nasty, otto, thursday):
    response = otto.get(thursday.url("files/hands.csv"))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="thursday.csv"'
    data = body(response)
    assert data.startswith(b"\xef\xbb\xbfformat,table,table_name,")
    assert data.count(b"\r\n") == 4
    rows = read(otto, thursday)
    assert [row["hand"] for row in rows] == ["1", "2", "3"]
    first = rows[0]
    assert (first["bid"], first["trump"], first["outcome"]) == ("320", "hearts", "made")
    assert (first["seat_2_units"], first["seat_2_column"]) == ("2", "yes")
    assert (first["numbers"], rows[1]["numbers"]) == ("computed", "typed")
    assert json.loads(first["house_rules"])["minimum"] == 300
    assert first["entered_by"] == "'=cmd|' /C calc'!A0"


def test_no_cell_of_a_csv_is_a_formula(nasty, otto, thursday):
    for row in read(otto, thursday):
        for text in row.values():
            assert not text.strip("\"' \t").startswith(tuple("=+-@")) or text.startswith("'")
    names = [read(otto, thursday)[0][f"seat_{n}"] for n in (1, 2, 3)]
    assert names == ["'=cmd|' /C calc'!A0", "'@Ben", "''Cass"]
    assert [hand_rows.as_it_was(name) for name in names] == list(NASTY)


@given(st.text(alphabet="=+-@'\"\t\n ＝a1é山"))
def test_what_was_made_harmless_comes_back_letter_by_letter(text):
    put = hand_rows.harmless(text)
    assert hand_rows.as_it_was(put) == text
    assert not put.strip(' "\t\n').startswith(tuple("=+-@＝"))
    assert not put.startswith(("\t", "\n"))


def test_xlsx_holds_text_as_text_and_numbers_as_numbers(nasty, otto, thursday):
    book = openpyxl.load_workbook(io.BytesIO(body(otto.get(thursday.url("files/hands.xlsx")))))
    head, *rows = book.active.iter_rows()
    at = {cell.value: n for n, cell in enumerate(head)}
    assert tuple(at) == hand_rows.COLUMNS
    assert len(rows) == 3
    cells = rows[0]
    assert [(cells[at[name]].data_type, cells[at[name]].value) for name in ("seat_1", "bid")] == [
        ("s", NASTY[0]),
        ("n", 320),
    ]
    assert not any(cell.data_type == "f" for row in rows for cell in row)
    assert rows[2][at["reason"]].value == "-2 too many\nfor Cass"


def evening_at(game, *moment):
    at = datetime.datetime(*moment, tzinfo=BERLIN)
    Sheet.objects.filter(pk=game.sheet.pk).update(played_at=at)


@pytest.mark.parametrize(
    ("query", "there"),
    [
        ("", True),
        ("?starts=2026-03-28", True),
        ("?starts=2026-03-29", False),
        ("?ends=2026-03-28", True),
        ("?ends=2026-03-27", False),
        ("?starts=2026-03-28&ends=2026-03-28", True),
    ],
)
def test_an_evening_is_asked_for_by_its_day_even_after_midnight(
    club_game, otto, thursday, query, there
):
    club_game.enter()
    club_game.end()
    evening_at(club_game, 2026, 3, 29, 0, 20)
    assert len(read(otto, thursday, query)) == there
    if there:
        assert read(otto, thursday, query)[0]["evening"] == "2026-03-28"


def test_a_season_or_one_sheet_can_be_asked_for(club_game, otto, thursday):
    club_game.enter()
    club_game.end()
    evening_at(club_game, 2026, 3, 28, 21, 0)
    made = {"club": thursday.club, "starts": "2026-01-01"}
    spring = Season.objects.create(name="S", name_key="s", ends="2026-06-30", **made)
    winter = Season.objects.create(name="W", name_key="w", ends="2026-02-28", **made)
    assert len(read(otto, thursday, f"?season={spring.pk}")) == 1
    assert read(otto, thursday, f"?season={winter.pk}&ends=2026-12-31") == []
    assert len(read(otto, thursday, f"?sheet={club_game.sheet.public_id}")) == 1
    assert read(otto, thursday, "?sheet=0123456789abcdef") == []
    response = otto.get(thursday.url(f"files/hands.csv?season={spring.pk}&starts=2026-02-01"))
    assert (
        'filename="thursday-from-2026-02-01-to-2026-06-30.csv"' in response["Content-Disposition"]
    )


@pytest.mark.parametrize(
    "query",
    ["?starts=yesterday", "?starts=2026-02-01&ends=2026-01-01", "?ends=9999-12-31"],
)
@pytest.mark.parametrize("name", ["hands.csv", "hands.xlsx", "club.json"])
def test_evenings_that_are_none_are_told_beside_the_field(otto, thursday, query, name):
    response = otto.get(thursday.url(f"files/{name}{query}"))
    assert response.status_code == 422
    assert "<em" in response.content.decode()


def test_a_taken_back_hand_an_open_sheet_and_another_club_are_not_in_the_rows(
    club_game, otto, thursday, new_game
):
    elsewhere = a_club("friday", "Friday Club")
    other, *_ = new_game(("Xeno", "Yara", "Zoe"))
    elsewhere.take_in(other)
    other.enter()
    other.end()
    taken = club_game.enter()
    actions.take_back(club_game.write(), taken.public_id)
    assert read(otto, thursday) == []
    club_game.enter(club_game.played(0, 300, "clubs"))
    club_game.end()
    assert [row["bidder"] for row in read(otto, thursday)] == ["Alice"]
    one = otto.get(thursday.url(f"files/club.json?sheet={other.sheet.public_id}"))
    assert one.status_code == 422
    assert b"Xeno" not in one.content


def test_one_sheet_goes_out_as_json_with_its_own_history(club_game, otto, thursday):
    club_game.enter()
    club_game.end()
    actions.play_again(club_game.write(), ("Alice", "Ben", "Cass"), 1)
    club_game.enter()
    club_game.end()
    first = club_game.table.sheets.order_by("pk")[0]
    file = json.loads(body(otto.get(thursday.url(f"files/club.json?sheet={first.public_id}"))))
    (table,) = file["tables"]
    assert [sheet["id"] for sheet in table["sheets"]] == [first.public_id]
    kinds = [step["kind"] for step in table["history"]]
    assert kinds == ["table_started", "hand_entered", "sheet_banked"]
    assert file["club"] is None


def test_nothing_that_opens_anything_is_in_a_file(club_game, otto, thursday):
    """Walks the database for everything secret, and the files for all of it."""
    made = {"starts": "2026-01-01", "ends": "2026-12-31", "published_id": "published-address"}
    Season.objects.create(club=thursday.club, name="S", name_key="s", **made)
    User.objects.filter(pk=thursday.otto.pk).update(name="")
    row = club_game.enter()
    correction = club_game.played(0, 320, "hearts", "made")
    actions.correct_hand(thursday.at(club_game.table), row.public_id, correction, reason="so")
    club_game.end()
    secrets = [
        *Table.objects.values_list("code", flat=True),
        *Table.objects.values_list("watch_id", flat=True),
        *Club.objects.values_list("code", flat=True),
        *Season.objects.values_list("published_id", flat=True),
        *Member.objects.values_list("phone", flat=True),
        *User.objects.values_list("email", flat=True),
        *User.objects.values_list("password", flat=True),
        *club_game.table.changes.values_list("fingerprint", flat=True),
        *thursday.club.changes.values_list("fingerprint", flat=True),
    ]
    assert len(secrets) > 12
    for name in ("club.json", f"club.json?sheet={club_game.sheet.public_id}", "hands.csv"):
        text = body(otto.get(thursday.url(f"files/{name}"))).decode()
        assert club_game.sheet.public_id in text
        assert [secret for secret in secrets if secret in text] == []
    assert "An organiser" in body(otto.get(thursday.url("files/club.json"))).decode()


def test_many_sheets_cost_as_many_queries_as_few(club_game, thursday, at_most_queries):
    from sheets.exports import choosing, hands

    def all_rows(most):
        with at_most_queries(most):
            return list(hands.rows(thursday.club, choosing.banked(thursday.club)))

    for hands_so_far in (1, 2, 3):
        club_game.enter()
        club_game.end()
        assert len(all_rows(6)) == hands_so_far
        actions.play_again(club_game.write(), ("Alice", "Ben", "Cass"), 0)


@pytest.mark.parametrize("rest", ["", "hands.csv", "hands.xlsx", "club.json", "import/"])
def test_files_are_for_organisers_of_the_club_alone(client, thursday, rest):
    elsewhere = a_club("friday", "Friday Club")
    assert client.get(thursday.url(f"files/{rest}")).status_code == 302
    assert signed_in(elsewhere.otto).get(thursday.url(f"files/{rest}")).status_code == 404
