"""CSV files as other programs leave them: no column and no cell of them is dropped in silence."""

from __future__ import annotations

import csv
import io
import json
import pathlib

import pytest

from sheets.hand_rows import COLUMNS, ONLY_SHOWN
from sheets.imports import reading
from sheets.imports.decoding import Mistaken
from sheets.models import Result, Round, Sheet, Table
from tests.sheets import files
from tests.sheets.test_imports import post

DATA = pathlib.Path(__file__).parents[1] / "data"
RENAMED = (DATA / "hands_renamed_headings.csv").read_bytes()
TOLD = (DATA / "hands_sep.csv").read_text().partition("\n")[2]
CLUB = json.loads((DATA / "club_format_1.json").read_text())


def mistakes(data):
    with pytest.raises(Mistaken) as wrong:
        reading.read(data)
    return [(one.where, one.what) for one in wrong.value.mistakes]


def changed(column, to, *, line=2):
    """A file that says all there is to say, with one cell of it changed, or a heading."""
    rows = list(csv.reader(io.StringIO(TOLD, newline=""), delimiter=";"))
    rows[0] = list(COLUMNS)
    if column is not None:
        rows[line - 1][COLUMNS.index(column)] = to
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


def without(column):
    """The same without one of its columns."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, [one for one in COLUMNS if one != column], extrasaction="ignore")
    writer.writeheader()
    writer.writerows(csv.DictReader(io.StringIO(changed(None, "").decode(), newline="")))
    return out.getvalue().encode()


def test_renamed_headings_are_named_with_what_was_meant_and_nothing_comes_in(otto, thursday):
    response = post(otto, thursday, RENAMED, name="hands.csv")
    assert response.status_code == 422
    told = [(one.where, one.what) for one in response.context["mistakes"]]
    assert told == [
        ("line 1", "There is no column “Unit-Cent”: did you mean “unit_cents”?"),
        ("line 1", "There is no column “Curency”: did you mean “currency”?"),
        ("line 1", "There is no column “revew”: did you mean “review”?"),
        ("line 1", "There is no column “Notes on it”: take it out, or give it its right name."),
        ("line 1", "There is no column “melds”: did you mean “meld_points”?"),
        (
            "line 1",
            "These columns are missing: unit_cents, currency, review, review_note, meld_points."
            " A column may be empty.",
        ),
    ]
    assert "did you mean “review”?" in response.content.decode()
    assert not Table.objects.exists()


@pytest.mark.parametrize("name", ["hands_sep.csv", "hands_title_line.csv", "hands_utf16.txt"])
def test_a_file_that_another_program_saved_says_all_that_it_said(otto, thursday, name):
    files.brought(thursday, (DATA / name).read_bytes())
    sheet = Sheet.objects.get()
    told = (sheet.review, sheet.review_note, sheet.unit_cents, sheet.currency)
    assert told == ("set_aside", "Typed in twice", 50, "EUR")
    assert sorted(p.total for p in sheet.players.all()) == [0, 10, 11]
    counts = Round.objects.exclude(counts=None).values_list("counts", flat=True)
    assert list(counts) == [{"meld_points": 120, "trick_points": 210}]
    assert Result.objects.count() == 3


@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_that_is_missing_is_named(column):
    if column in ONLY_SHOWN:
        reading.read(without(column))
        return
    ((where, what),) = mistakes(without(column))
    assert (where, what) == (
        "line 1",
        f"These columns are missing: {column}. A column may be empty.",
    )


@pytest.mark.parametrize(
    ("data", "where", "what"),
    [
        (changed("review", "to_review", line=4), "line 4, review", "An earlier line of the same"),
        (changed("unit_cents", "", line=3), "line 3, unit_cents", "An earlier line of the same"),
        (changed("table_name", "Attic", line=3), "line 3, table_name", "An earlier line"),
        (changed("review", "sent_back"), "line 2, review", "One of these is expected here"),
        (changed("bid", "320.5"), "line 2, bid", "Whole numbers only: 320.5 has a fraction."),
        (changed("seat_1_units", "2.0"), "line 2, seat_1_units", "Whole numbers only"),
        (changed("seat_1_units", "−2"), "line 2", "Nobody takes in less than 0."),
        (changed("seat_1_column", "ja"), "line 2, seat_1_column", "One of these is expected"),
        (changed("seat_4_units", "3"), "line 2, seat_4_units", "Nobody sits in this seat."),
        (changed("meld_points", "10000"), "line 2", "What was counted can't be read."),
        (changed("seat_2_units", "12345", line=4), "line 4", "More than fits in one column of one"),
        (changed("house_rules", "{"), "line 2, house_rules", "These house rules can't be read"),
        (changed("house_rules", '{"a":1,"a":2}', line=5), "line 5, house_rules", "These house"),
        (changed("review", "Currency", line=1), "line 1", "The column “currency” is there twice."),
        (changed("review_note", "", line=1), "line 1", "These columns are missing: review_note."),
        (changed(None, "") + b"," * 50 + b"more\r\n", "line 7", "Cell 51 of this line is in"),
        (b"a,b,c,d,e\r\n" + changed(None, ""), "line 1", "This line is above the headings."),
    ],
)
def test_what_would_be_lost_or_changed_is_told_by_line_and_column(data, where, what):
    told = mistakes(data)
    assert told[0][0] == where
    assert told[0][1].startswith(what)


def test_a_thousand_and_digits_of_any_script_are_numbers_in_a_file():
    data = changed("seat_2_units", "1,234", line=4)
    (table,) = reading.read(data).file.tables
    assert 1234 in [entry.units for row in table.sheets[0].rounds for entry in row.entries]
    data = changed("bid", "٣٢٠")
    (table,) = reading.read(data).file.tables
    assert table.sheets[0].rounds[0].bid == 320


@pytest.mark.parametrize(
    ("path", "name", "where", "what"),
    [
        (("tables", 0, "sheets", 0), "review", "tables[0].sheets[0]", "did you mean “review”?"),
        (("club",), "seasons", "club", "did you mean “seasons”?"),
        (("club", "people", 0), "note", "club.people[0]", "did you mean “note”?"),
        ((), "made_at", "", "did you mean “made_at”?"),
    ],
)
def test_what_a_json_file_calls_by_another_name_is_named(path, name, where, what):
    file = json.loads(json.dumps(CLUB))
    at = file
    for part in path:
        at = at[part]
    at[f"{name}x"] = at.pop(name)
    ((place, said),) = mistakes(json.dumps(file).encode())
    assert place == where
    assert said == f"“{name}x” is not known here: {what}"


def test_house_rules_of_a_json_file_keep_their_place_and_say_what_is_wrong():
    file = json.loads(json.dumps(CLUB))
    file["rules"][0]["rules"]["minimum"] = 305
    ((where, what),) = mistakes(json.dumps(file).encode())
    assert where == "rules[0]"
    assert what.startswith("These house rules can't be read here. ")
