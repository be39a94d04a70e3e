"""A sheet that was kept on paper: a line a hand, spelled out while it is typed, banked at once."""

from __future__ import annotations

import datetime
import zoneinfo

import pytest

from rules.auction import Fourth, HouseRules, Pot
from sheets import actions, queries, wording
from sheets.actions.paper import Deal
from sheets.forms.paper import Reading
from sheets.models import Change, ClubChange, Sheet, Table
from tests.sheets import files
from tests.sheets.clubs import a_club

NAMES = ("Alice", "Ben", "Cass")
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
USUAL = HouseRules()


def read(text, names=NAMES, house=USUAL, off_sheet=None):
    return Reading(text, Deal(names, 0, off_sheet, "auction", house), "auction", house)


def said(line, names=NAMES, **table):
    """What one line says, or what is wrong with it."""
    (one,) = read(line, names, **table).lines
    return one.problem or one.said


@pytest.mark.parametrize(
    "line",
    [
        "b 350 s x",
        "B 350 S X",
        "b350sx",
        "b 35 s x",
        "2 350 s x",
        "Ben 350 spades set",
        "ben, 350; spades - set",
        "b 350 sx",
        "350 b s x",
        "350 s x b",
        "b s 350 x",
        "x s 350 b",
        "7. b 350 s x",
        "7) b 350 s x",
        "b 350 ♠ x",
        "b bid 350 in spades set",
        "ｂ ３５０ ｓ ｘ",
    ],
)
def test_a_hand_is_understood_however_it_is_written(line):
    assert said(line) == "Ben 350 spades set (8 · 0 · 8)"


@pytest.mark.parametrize(
    ("line", "hand"),
    [
        ("a 300 h m", "Alice 300 hearts made (2 · 0 · 0)"),
        ("a 300 h made", "Alice 300 hearts made (2 · 0 · 0)"),
        ("a 250 d m", "Alice 250 diamonds made (2 · 0 · 0)"),  # who deals may be left with it
        ("c 300 c m", "Cass 300 clubs made (0 · 0 · 2)"),
        ("c 400 t", "Cass 400 thrown in (4 · 4 · 0)"),
        ("c 400 h t", "Cass 400 thrown in (4 · 4 · 0)"),
        ("c 400 thrown in", "Cass 400 thrown in (4 · 4 · 0)"),
        ("-", "passed out"),
        ("—", "passed out"),
        ("pass", "passed out"),
        ("Passed out", "passed out"),
        ("0 2 0", "typed 0 · 2 · 0"),
        ("= 0 2 0", "typed 0 · 2 · 0"),
        ("0, 2, 0", "typed 0 · 2 · 0"),
    ],
)
def test_every_kind_of_hand_can_be_written(line, hand):
    assert said(line) == hand


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("x 350 s m", "Who bid? Begin with the first letter of a name."),
        ("b 350 s", "How did it end? m made, x set, t thrown in."),
        ("b 350 x", "In which suit? s, h, d or c."),
        ("b s x", "Write one bid, such as 350."),
        ("b 350 360 s x", "Write one bid, such as 350."),
        ("b 340 s x", "A bid can't end in 40 or 90."),
        ("b 250 s x", "Only the dealer can be left with 250."),
        ("b 1010 s x", "Bids go no higher than 1,000."),
        ("b 99999999999 s x", "99999999999 is more than fits: 9999 at most."),
        ("q 350 s x", "“q” is nobody here, no suit and no result."),
        ("= 0 2", "Write a number for each column: Alice, Ben and Cass."),
        ("= 0 2 1000000000", "1000000000 is more than fits: 9999 at most."),
        ("= a b c", "Write a number for each column: Alice, Ben and Cass."),
        ("b a 350 s x m", "There is more here than a bidder, a bid, a suit and a result."),
        ("deal", "Who deals the next hand? Write the name behind “deal”."),
        ("!?", "“!?” is nobody here, no suit and no result."),
    ],
)
def test_what_is_missing_is_said_beside_the_line(line, sentence):
    assert said(line) == sentence


def test_names_that_begin_alike_want_more_letters():
    names = ("Ben", "Bob", "Mary Ann")
    assert said("b 350 s x", names) == (
        "Write more of the name, or the number of the seat: this fits Ben and Bob."
    )
    assert said("bo 350 s x", names).startswith("Bob 350 spades set")
    assert said("ann 350 s x", names).startswith("Mary Ann 350 spades set")
    assert said("m 350 m s", names).startswith("Mary Ann 350 spades made")
    hearts = ("Sam", "Hal", "Cass")
    assert said("s 350 c m", hearts).startswith("Sam 350 clubs made")
    assert said("c 350 s m", hearts).startswith("Cass 350 spades made")


def test_the_deal_goes_round_by_itself_and_totals_run_along():
    lines = read("b 350 s x\n\nb 25 h m\ndeal b\nb 250 h m\nfoo\na 250 c m").lines
    assert [(one.number, one.totals) for one in lines] == [
        ("1", ("8", "0", "8")),
        ("2", ("8", "2", "8")),
        ("", ()),
        ("3", ("8", "4", "8")),
        ("4", ()),
        ("5", ("10", "4", "8")),
    ]


def test_a_number_before_a_line_that_is_another_hands_is_a_doubt():
    lines = read("1. b 350 s x\n3) - \n#3 0 2 0").lines
    assert [one.doubt for one in lines] == ["", "The line says hand 3.", ""]


def test_a_row_the_rules_can_not_give_is_taken_with_a_doubt():
    (line,) = read("1 2 3").lines
    assert line.doubt == "The rules can't produce 1 / 2 / 3."
    assert line.totals == ("1", "2", "3")


def test_a_pot_fills_and_is_taken_hand_by_hand():
    house = HouseRules(pot=Pot())
    assert said("b 350 h x", house=house) == "Ben 350 hearts set (4 · 0 · 4)"
    deal = read("b 350 h x\na 420 h m", house=house).deal
    assert (deal.pot, deal.totals[1]) == (3, 4 + 8 + 7)


@pytest.fixture
def fields():
    return {
        "key": str(files.a_key()),
        "seen": "1",
        "evening": "2026-03-29",
        "table": "new",
        "name_0": "Alice",
        "name_1": "Ben",
        "name_2": "Cass",
        "name_3": "",
        "first_dealer": "0",
        "hands": "b 350 s x\nc 300 h m\n-\n0 2 0\n",
    }


@pytest.fixture(autouse=True)
def later(monkeypatch):
    """The evening of the tests was played already."""
    now = datetime.datetime(2026, 12, 1, 12, tzinfo=BERLIN)
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)


def post(client, thursday, fields, **changed):
    return client.post(thursday.url("paper/"), fields | changed)


def test_it_is_banked_with_everything_at_once(otto, thursday, fields):
    person = thursday.person("ALICE")
    thursday.person("Ben", "Hill Street")
    thursday.person("Ben", "Mill Road")
    response = post(otto, thursday, fields)
    assert response.status_code == 303
    done = otto.get(response["Location"]).content.decode()
    assert "This sheet is banked: 4 hands." in done
    assert "Cass 10, Alice 8, Ben 2" in done
    sheet = Sheet.objects.get()
    assert (sheet.state, sheet.review, sheet.club) == ("banked", "to_review", thursday.club)
    assert sheet.played_at == datetime.datetime(2026, 3, 29, 20, tzinfo=BERLIN)
    assert [p.total for p in sheet.players.all()] == [8, 2, 10]
    rounds = list(sheet.rounds.all())
    assert [row.kind for row in rounds] == ["played", "played", "passed_out", "typed"]
    assert [row.dealer.name for row in rounds] == ["Alice", "Ben", "Cass", "Alice"]
    assert {row.entered_by for row in rounds} == {None}
    assert sheet.results.count() == 3
    matched = dict(sheet.table.people.values_list("name", "club_person"))
    assert matched == {"Alice": person.pk, "Ben": None, "Cass": None}
    (change,) = Change.objects.all()
    assert (change.kind, change.user) == ("sheet_imported", thursday.otto)
    assert change.after == {"from": "paper", "hands": 4}
    past = queries.past_of(sheet.table, [change])
    assert wording.change(change, past) == "typed this sheet in from paper: 4 hands"


def test_sent_twice_it_is_one_sheet(otto, thursday, fields):
    first, second = post(otto, thursday, fields), post(otto, thursday, fields)
    assert first["Location"] == second["Location"]
    assert (Sheet.objects.count(), Table.objects.count()) == (1, 1)
    other = post(otto, thursday, fields, hands="-")
    assert other.status_code == 422
    assert Sheet.objects.count() == 1


def test_it_goes_to_a_table_of_the_club_and_to_its_people(otto, thursday, club_game, fields):
    club_game.enter()
    club_game.end()
    at = {"table": str(club_game.table.pk), "name_2": "Dora", "hands": "d 300 h m"}
    response = post(otto, thursday, fields, **at)
    assert response.status_code == 303
    table = Table.objects.get()
    assert sorted(table.people.values_list("name", flat=True)) == ["Alice", "Ben", "Cass", "Dora"]
    assert table.sheets.count() == 2
    assert table.version == Change.objects.latest("pk").version
    shown, _players = queries.latest_sheet(table)  # the paper one is of an earlier evening
    assert shown == table.sheets.earliest("pk")


def test_phones_at_that_table_can_go_on_after_the_sheet_was_opened_again(
    otto, thursday, club_game, fields
):
    club_game.enter()
    club_game.end()
    post(otto, thursday, fields, table=str(club_game.table.pk))
    sheet = Sheet.objects.latest("pk")
    club_game.table.refresh_from_db()
    ended = actions.end_match(club_game.write(), sheet.public_id)
    assert ended.change.kind == "sheet_imported"
    reopened = actions.reopen(thursday.at(club_game.table), sheet.public_id, reason="a slip")
    assert isinstance(reopened, actions.Saved)
    assert actions.play_again(club_game.write(), NAMES, 0).change.kind == "sheet_imported"
    again = actions.end_match(club_game.write(), sheet.public_id)
    assert again.change.kind == "sheet_banked"
    sheet.refresh_from_db()
    assert thursday.club.evening(sheet.played_at) == datetime.date(2026, 3, 29)


def test_a_table_of_another_club_is_none_of_ours(otto, thursday, new_game, fields):
    other, *_ = new_game()
    a_club("friday", "Friday Club").take_in(other)
    response = post(otto, thursday, fields, table=str(other.table.pk))
    assert response.status_code == 422
    assert "This table is not the club&#x27;s any more." in response.content.decode()


def test_four_sat_there_and_one_had_no_column(otto, thursday, fields):
    four = {"preset": "four", "name_3": "Dana", "off_sheet": "3"}
    looked = post(otto, thursday, fields, **four)
    assert looked.status_code == 200
    assert not Sheet.objects.exists()
    house = {"fourth": "off_sheet", "sitter": "right_of_dealer"}
    text = "b 350 s x\nd 300 h m\n1 1 0"
    reading = read(text, (*NAMES, "Dana"), HouseRules(fourth=Fourth.OFF_SHEET), 3)
    assert not reading.problems
    form = looked.context["form"].rules
    sent = {bound.name: bound.value() for bound in form if bound.value() is not None}
    who = {"name_3": "Dana", "off_sheet": "3"}
    response = post(otto, thursday, fields | sent | house | who, hands=text)
    assert response.status_code == 303, response.content.decode()
    sheet = Sheet.objects.get()
    assert [p.scores for p in sheet.players.all()] == [True, True, True, False]
    assert [row.sitter.name for row in sheet.rounds.all()] == ["Dana", "Alice", "Ben"]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"hands": "b 350 s x\nfoo"}, "1 line is not understood yet"),
        ({"hands": " \n"}, "Type the hands, a line each."),
        ({"hands": "-\n" * 301}, "More than 300 hands are not one evening."),
        ({"hands": ("-" * 200 + "\n") * 201}, "at most 40000 characters"),
        ({"evening": "2027-01-01"}, "This evening is still to come."),
        ({"evening": "0026-03-29"}, "Look at the year again."),
        ({"evening": "soon"}, "Type a day, such as 2026-01-31."),
        ({"name_1": "alice"}, "There is already a Alice here"),
        ({"name_2": ""}, "Type a name."),
        ({"first_dealer": "9"}, "Select a valid choice"),
        ({"seen": "", "key": ""}, "Part of this form was missing."),
    ],
)
def test_what_is_wrong_is_told_and_all_that_was_typed_stays(
    otto, thursday, fields, changed, sentence
):
    response = post(otto, thursday, fields, **changed)
    page = response.content.decode()
    assert response.status_code == 422
    assert sentence in page
    assert (changed | fields)["name_0"] in page
    assert response.context["form"]["hands"].value() == (fields | changed)["hands"]
    assert not Sheet.objects.exists()


def test_checking_says_what_was_understood_and_saves_nothing(otto, thursday, fields):
    response = post(otto, thursday, fields, check="yes", name_2="")
    page = response.content.decode()
    assert response.status_code == 200
    assert "Ben 350 spades set (8 · 0 · 8)" in page
    assert "3 hands understood." in page
    assert "Player 3" in page
    assert not Sheet.objects.exists()
    assert ClubChange.objects.count() == 1


def test_a_name_of_forty_letters_and_markup_are_only_text(otto, thursday, fields):
    response = post(otto, thursday, fields, name_1="<b>en", hands="2 350 s x", check="yes")
    assert "<b>en" not in response.content.decode()
    assert "&lt;b&gt;en 350 spades set" in response.content.decode()


def test_the_roster_and_the_tables_are_offered(otto, thursday, club_game):
    thursday.person("Dora")
    page = otto.get(thursday.url("paper/")).content.decode()
    assert '<option value="Dora">' in page
    assert "Alice, Ben and Cass</option>" in page
    assert 'value="2026-11-30"' in page  # at noon the last evening was yesterday's


def test_a_sheet_of_another_club_is_not_shown_as_done(otto, thursday, new_game):
    other, *_ = new_game()
    assert otto.get(thursday.url(f"paper/{other.sheet.public_id}/")).status_code == 404
