"""Imports: what a file adds is shown first, and then exactly that is added, or nothing."""

from __future__ import annotations

import copy
import csv
import io
import json
import pathlib
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django.asserts import assertContains

from sheets import actions, codes
from sheets.forms.files import ImportForm
from sheets.imports import as_json, planning, reading
from sheets.imports.decoding import Mistaken
from sheets.models import Change, Entry, Member, Organiser, Result, Round, Sheet, Table
from tests.sheets import files
from tests.sheets.clubs import a_club, signed_in
from tests.sheets.files import set_in

DATA = pathlib.Path(__file__).parents[1] / "data"
SAMPLE = (DATA / "club_format_1.json").read_bytes()
ROWS = (DATA / "hands_format_1.csv").read_bytes()


def post(client, thursday, data, *, mark="", key=None, name="club.json"):
    fields = {"key": str(key or files.a_key()), "seen": "1", "mark": mark}
    upload = SimpleUploadedFile(name, data)
    return client.post(thursday.url("files/import/"), fields | {"file": upload})


def mark_in(response):
    return re.search(r'name="mark" value="(\w+)"', response.content.decode())[1]


@pytest.fixture
def sample():
    return json.loads(SAMPLE)


def written(file):
    return json.dumps(file).encode()


@pytest.mark.parametrize("data", [SAMPLE, ROWS])
def test_a_file_of_the_first_format_can_always_be_imported(thursday, data):
    files.brought(thursday, data)
    sheet = Sheet.objects.get()
    assert sorted(sheet.players.values_list("name", "total")) == [
        ("Alicia", 11),
        ("Ben", 10),
        ("Cass", 0),
    ]
    assert Round.objects.filter(taken_back=False).count() == 5
    assert Result.objects.count() == 3
    assert not Member.objects.filter(phone__regex="^[0-9a-f]{64}$").exists()


def test_the_page_shows_what_would_be_added_and_adds_nothing(otto, thursday):
    response = post(otto, thursday, SAMPLE)
    said = response.content.decode()
    assert response.status_code == 200
    for part in (
        "1 sheet",
        "4 hands",
        "The Cellar",
        "Alicia 11, Ben 10, Cass 0",
        "New seasons: 2026",
    ):
        assert part in said
    assert "Dora (Hill Street)" in said
    assert not Table.objects.exists()


@pytest.mark.on_postgresql
def test_the_button_adds_exactly_that_and_sent_twice_it_is_one_import(otto, thursday):
    mark, key = mark_in(post(otto, thursday, SAMPLE)), files.a_key()
    for _time in range(2):
        response = post(otto, thursday, SAMPLE, mark=mark, key=key)
        assert response.status_code == 303
    assert "Otto imported 1 sheet." in otto.get(response["Location"]).content.decode()
    assert (Table.objects.count(), Sheet.objects.count()) == (1, 1)
    again = post(otto, thursday, SAMPLE).content.decode()
    assert "All of this file is here already" in again
    assert 'name="mark"' not in again


def test_imported_twice_a_file_adds_nothing(thursday):
    files.brought(thursday, SAMPLE)
    counts = [model.objects.count() for model in (Table, Sheet, Round, Entry, Change, Member)]
    for data in (SAMPLE, ROWS):
        assert isinstance(files.bring(thursday, data), actions.Refused)
    assert [m.objects.count() for m in (Table, Sheet, Round, Entry, Change, Member)] == counts


def test_when_more_is_here_than_was_shown_it_is_asked_again(otto, thursday):
    mark = mark_in(post(otto, thursday, SAMPLE))
    files.brought(thursday, ROWS)
    response = post(otto, thursday, SAMPLE, mark=mark)
    assert response.status_code == 409
    assert "1 sheet is here already and stays as it is." in response.content.decode()
    other_file = post(otto, thursday, ROWS.replace(b"Cellar", b"Attic"), mark=mark)
    assert other_file.status_code == 409


def test_a_banked_sheet_that_is_here_is_never_rewritten(thursday, sample):
    files.brought(thursday, SAMPLE)
    before = list(Entry.objects.order_by("pk").values_list("round", "units"))
    sheet = sample["tables"][0]["sheets"][0]
    typed = next(row for row in sheet["rounds"] if row["kind"] == "typed")
    typed["entries"][0]["units"] = 9
    more = copy.deepcopy(sheet) | {"id": "another-sheet-16"}
    more["rounds"] = more["rounds"][1:2]
    more["rounds"][0]["id"] = str(files.a_key())
    more["dealer_marked_after"] = None
    for player in more["players"]:
        player["id"] += 100
        sample["tables"][0]["sheets"][:1] = [sheet]
    _renumber(more)
    sample["tables"][0]["sheets"].append(more)
    files.brought(thursday, written(sample))
    assert list(Entry.objects.order_by("pk").values_list("round", "units"))[: len(before)] == before
    assert Sheet.objects.count() == 2
    assert Table.objects.get().people.count() == 3
    assert Change.objects.latest("pk").kind == "sheet_imported"


def _renumber(sheet):
    sheet["dealer_mark"] += 100
    for row in sheet["rounds"]:
        for who in ("dealer", "sitter", "bidder"):
            row[who] = row[who] and row[who] + 100
        for entry in row["entries"]:
            entry["player"] += 100


@pytest.mark.parametrize("data", [SAMPLE, ROWS])
def test_a_sheet_that_another_club_has_is_refused_without_a_word_of_where(thursday, data):
    files.brought(thursday, SAMPLE)
    elsewhere = a_club("friday", "Friday Club")
    response = post(signed_in(elsewhere.otto), elsewhere, data)
    said = response.content.decode()
    assert response.status_code == 422
    assert "kept elsewhere" in said
    assert "Thursday" not in said


def test_a_wrong_line_of_a_csv_is_named_and_nothing_is_added(otto, thursday):
    lines = ROWS.split(b"\r\n")
    assert lines[2].count(b",8,") == 2
    lines[2] = lines[2].replace(b",8,", b",7,")
    response = post(otto, thursday, b"\r\n".join(lines), name="hands.csv")
    said = response.content.decode()
    assert response.status_code == 422
    assert "line 3" in said
    assert "The rules give 8 · 0 · 0" in said or "The rules give 8 · 8 · 0" in said
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        (b"played,computed", b"plaid,computed", "line 2, kind"),
        (b",320,", b",many,", "line 2, bid"),
        (b",Alicia,", b",Nobody,", "line"),
        (b"hand_id", b"some_id", "line 1"),
        (b",hearts,", b",leaves,", "line 2"),
        (b"1,", b"9,", "line 2, format"),
    ],
)
def test_what_is_wrong_in_a_csv_is_told_by_line(thursday, old, new, where):
    head, rest = ROWS.split(b"\r\n", 1)
    if old == b"hand_id":
        head = head.replace(old, new)
    else:
        rest = rest.replace(old, new, 1)
    with pytest.raises(Mistaken) as wrong:
        reading.read(head + b"\r\n" + rest)
    assert wrong.value.mistakes[0].where.startswith(where)


def test_a_csv_that_went_through_another_spreadsheet_is_still_read(thursday):
    """Semicolons between the cells, and the lines in another order."""
    head, *rows = csv.reader(io.StringIO(ROWS.decode("utf-8-sig"), newline=""))
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows([head, *reversed(rows)])
    files.brought(thursday, out.getvalue().encode())
    assert sorted(p.total for p in Sheet.objects.get().players.all()) == [0, 10, 11]


def first_sheet(file):
    return file["tables"][0]["sheets"][0]


SHEET = ("tables", 0, "sheets", 0)


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        (set_in("format", to=2), "format"),
        (set_in("tables", to={}), "tables"),
        (set_in("tables", 0, "id", to="short"), "tables[0].id"),
        (set_in("tables", 0, "time_zone", to="Mars/Olympus"), "tables[0].time_zone"),
        (set_in(*SHEET, "state", to="lost"), "tables[0].sheets[0].state"),
        (set_in(*SHEET, "ended_at", to=None), "tables[0].sheets[0].ended_at"),
        (set_in(*SHEET, "ended_at", to="2026-01-01T20:00:00"), "tables[0].sheets[0].ended_at"),
        (set_in(*SHEET, "review", to="set_aside"), "tables[0].sheets[0].review_note"),
        (set_in(*SHEET, "rules", to=77), "tables[0].sheets[0].rules"),
        (set_in(*SHEET, "dealer_mark", to=77), "tables[0].sheets[0].dealer_mark"),
        (set_in(*SHEET, "players", 0, "person", to=77), "tables[0].sheets[0].players[0]"),
        (set_in(*SHEET, "players", 0, "name", to=" "), "tables[0].sheets[0].players[0].name"),
        (set_in(*SHEET, "players", 0, "place", to=1), "tables[0].sheets[0].players"),
        (set_in(*SHEET, "rounds", 0, "dealer", to=None), "tables[0].sheets[0].rounds[0]"),
        (set_in(*SHEET, "rounds", 0, "bid", to=340), "tables[0].sheets[0].rounds[0]"),
        (set_in(*SHEET, "rounds", 0, "bidder", to=77), "tables[0].sheets[0].rounds[0]"),
        (set_in(*SHEET, "rounds", 0, "reason", to="why"), "tables[0].sheets[0].rounds[0]"),
        (set_in(*SHEET, "rounds", 0, "counts", to={"x": 1}), "tables[0].sheets[0].rounds[0]"),
        (set_in(*SHEET, "rounds", 0, "entries", to=[]), "tables[0].sheets[0].rounds[0]"),
        (set_in(*SHEET, "rounds", 0, "entered_by", to=9), "tables[0].sheets[0].rounds[0]"),
        (set_in("tables", 0, "history", 0, "after", "order", to=[77]), "tables[0].history[0]"),
        (set_in("tables", 0, "history", 0, "after", to={}), "tables[0].history[0]"),
        (set_in("tables", 0, "history", 1, "version", to=0), "tables[0].history[1]"),
        (set_in("rules", 0, "rules", "minimum", to=1), "rules[0]"),
        (set_in("club", "people", 0, "merged_into", to=1), "club.people[0]"),
        (set_in("club", "seasons", 0, "ends", to="2025-01-01"), "club.seasons[0]"),
        (set_in("tables", 0, "name", to="a\u0000b"), "tables[0].name"),
        (set_in("tables", 0, "people", 0, "id", to=10**30), "tables[0].people[0].id"),
    ],
)
def test_what_is_wrong_in_a_json_file_is_told_by_its_place(otto, thursday, sample, wrong, where):
    wrong(sample)
    response = post(otto, thursday, written(sample))
    assert response.status_code == 422
    told = [mistake.where for mistake in response.context["mistakes"]]
    assert where in told
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfe\x00", "not in UTF-8 or UTF-16"),
        (b"\xe9,\xe8", "not in UTF-8 or UTF-16"),
        (b"PK\x03\x04", "This is a workbook"),
        (b'{"app": "SquareScores", "app": 1}', "“app” is there twice"),
        (b"{", "no JSON from here on"),
        (b'{"app": "Other"}', "no file that was saved here"),
        (b'{"app": NaN}', "can&#x27;t be read"),
        (b"[" * 100_000, "No line has the headings"),
        (b'{"a":' * 100_000, "can&#x27;t be read"),
        (b"a,b\r\n1,2\r\n", "No line has the headings"),
        (b"x" * (20 * 1024 * 1024 + 1), "too large"),
    ],
)
def test_any_other_file_is_refused_in_words(otto, thursday, data, said):
    response = post(otto, thursday, data)
    assert response.status_code == 422
    assert said in response.content.decode()


def test_no_file_at_all_is_asked_for(otto, thursday):
    response = otto.post(thursday.url("files/import/"), {"key": str(files.a_key()), "seen": "1"})
    assert response.status_code == 422
    assert "Choose a file." in response.content.decode()


def test_what_may_be_missing_may_be_missing(thursday, sample):
    """A file that says no more than what was played."""
    del sample["club"], sample["made_at"]
    table = sample["tables"][0]
    for part in ("phones", "saved_rules", "history", "own_columns", "name", "created_at"):
        table.pop(part, None)
    for person in table["people"]:
        person.pop("names"), person.pop("club_person")
    sheet = table["sheets"][0]
    for part in ("started_by", "ended_by", "review", "oddities", "unit_cents"):
        sheet.pop(part, None)
    for row in sheet["rounds"]:
        for part in ("entered_by", "confirmed_by", "changed", "counts", "taken_back"):
            if part != "taken_back" or not row[part]:
                row.pop(part, None)
    files.brought(thursday, written(sample))
    assert Sheet.objects.get().rounds.count() == 6
    assert Change.objects.get().kind == "sheet_imported"


def test_lines_of_the_clubs_history_that_can_be_told_from_others_are_shown_and_added_once(
    otto, thursday, sample
):
    files.brought(thursday, SAMPLE)  # its line has no key, as files of the first days have none
    lines = thursday.club.changes.count()
    sample["club"]["history"][0]["key"] = str(files.a_key())
    told = post(otto, thursday, written(sample))
    assertContains(told, "1 line of the club's history")
    assertContains(told, "Would be added: 0 sheets")
    post(otto, thursday, written(sample), mark=mark_in(told))
    assert thursday.club.changes.count() == lines + 2
    again = post(otto, thursday, written(sample))
    assertContains(again, "All of this file is here already")
    history = otto.get(thursday.url("history/")).content.decode()
    assert history.count("<strong>Mara</strong> started the club") == 2


def test_somebody_who_was_just_removed_imports_nothing(thursday):
    Organiser.objects.filter(user=thursday.otto).delete()
    answer = files.bring(thursday, SAMPLE, user=thursday.otto)
    assert answer.why == "not_an_organiser"
    assert not Table.objects.exists()


def test_an_imported_table_opens_by_fresh_codes_alone(thursday, sample, client):
    files.brought(thursday, SAMPLE)
    table = Table.objects.get()
    assert table.code not in SAMPLE.decode()
    assert table.watch_id not in SAMPLE.decode()
    client.cookies["phone"] = codes.new_phone()
    assert client.get(table.get_absolute_url()).status_code == 404


def test_an_imported_sheet_is_shown_with_its_history(thursday, client):
    files.brought(thursday, SAMPLE)
    table = Table.objects.get()
    secret = codes.new_phone()
    Member.objects.filter(number=1).update(phone=codes.phone_hash(secret))
    client.cookies["phone"] = secret
    said = client.get(f"{table.get_absolute_url()}history/").content.decode()
    assert "because: Alice bid it" in said
    assert "imported this table from a file: 4 hands" in said
    assert client.get(table.get_absolute_url()).status_code == 200


@st.composite
def spoilt(draw):
    """The sample with one thing in it changed, at any place."""
    file = json.loads(SAMPLE)
    at, path = file, []
    while isinstance(at, dict | list) and at and (not path or draw(st.integers(0, 5))):
        parts = sorted(at) if isinstance(at, dict) else range(len(at))
        path.append((at, draw(st.sampled_from(list(parts)))))
        at = path[-1][0][path[-1][1]]
    holder, name = path[-1]
    junk = [None, -1, 0, 1, 2, 7, 2**40, True, "", "x", "made", [], {}, [[1, 2]], {"1": 1}]
    holder[name] = draw(st.sampled_from(junk))
    return file


@given(file=spoilt())
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_spoilt_in_a_file_it_is_refused_in_words_or_taken_in(db, file):
    files.empty()
    thursday = a_club(f"c-{files.a_key()}"[:30])
    upload = SimpleUploadedFile("club.json", written(file))
    form = ImportForm({"key": str(files.a_key()), "seen": "1"}, files={"file": upload})
    if not form.is_valid():
        return
    mark = planning.plan(thursday.club, form.brought).mark
    answer = actions.import_file(thursday.write(), form.brought, mark)
    if isinstance(answer, actions.ClubSaved):  # and then it goes out again
        files.club_file(thursday.club)
        files.hands_file(thursday.club)
    else:
        assert answer.why == "stale"


def test_older_formats_are_upgraded_step_by_step(monkeypatch, sample):
    def first_to_second(data):
        return data | {"format": 1}

    monkeypatch.setattr(as_json, "UPGRADES", {0: first_to_second})
    with pytest.raises(Mistaken):
        as_json.upgraded(sample | {"format": 0})  # there never was one
    monkeypatch.setattr("sheets.portable.FORMAT", 2)
    monkeypatch.setattr(as_json, "UPGRADES", {1: lambda data: data | {"upgraded": True}})
    assert as_json.upgraded(sample)["upgraded"]
