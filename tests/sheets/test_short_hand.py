"""Lines of a paper sheet: no number is changed, nobody is taken for somebody else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.auction import HouseRules
from sheets import names as known
from sheets.actions.paper import Deal
from sheets.forms.paper import Reading
from sheets.forms.short_hand import HAND_NUMBER
from sheets.models import RoundKind

NAMES = ("Alice", "Ben", "Cass")
USUAL = HouseRules()
NOTHING_BELOW_0 = "Nobody takes in less than 0: what was paid out is not written down."
EACH = "Write a number for each column: Alice, Ben and Cass."


def read(text, names=NAMES):
    return Reading(text, Deal(names, 0, None, "auction", USUAL), "auction", USUAL)


def line(text, names=NAMES):
    (one,) = read(text, names).lines
    return one


def bidder(text, names):
    """Who bid by a line that is understood."""
    reading = read(text, names)
    assert not reading.problems, reading.problems
    return names[reading.hands[0].entered.bidder - 1]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("= −4 0 0", NOTHING_BELOW_0),
        ("= -4 0 0", NOTHING_BELOW_0),
        ("-4 0 0", NOTHING_BELOW_0),
        ("= –4 0 0", NOTHING_BELOW_0),
        ("= － ４ 0 0", EACH),
        ("= - 4 0 0", EACH),
        ("= 4 - 0 0", EACH),
        ("= 4 ? 0 0", EACH),
        ("= 4;;0;0", EACH),
        ("= (4) 0 0", EACH),
        ("= · 4 0 0", EACH),
        ("= 4 0 0 x", EACH),
        ("= 4 0", EACH),
        ("= 1.5 0", "Whole numbers only: 1.5 has a fraction."),
        ("1,5 0 0", "Whole numbers only: 1,5 has a fraction."),
        ("= 0,2,0", "“0,2,0” is not a number: put a space between two."),
        ("= 99999 0 0", "99999 is more than fits: 9999 at most."),
        ("= 1\u202f234 0", EACH),
        ("= ² 0 0", EACH),
        ("alice -350 h m", "Nothing below 0 goes in here."),
        ("alice - 350 h m", "Nothing below 0 goes in here."),
        ("alice −350 h m", "Nothing below 0 goes in here."),
        ("alice-350 h m", "Nothing below 0 goes in here."),
        ("alice 350 − h m", "“−” is not a number."),
        ("alice 35.5 h m", "Whole numbers only: 35.5 has a fraction."),
        ("alice 35² h m", "“²” is nobody here, no suit and no result."),
        ("alice 350% h m", "“%” is nobody here, no suit and no result."),
        ("alice = 350 h m", "“=” is nobody here, no suit and no result."),
        ("deal b 350 s x", "Who deals the next hand? Write the name behind “deal”."),
        ("deal -2", "Who deals the next hand? Write the name behind “deal”."),
        ("deal 4", "Who deals the next hand? Write the name behind “deal”."),
    ],
)
def test_a_line_that_would_lose_something_is_refused_in_words(typed, sentence):
    one = line(typed)
    assert (one.number, one.problem) == ("1", sentence)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("= 1,234 0 0", "typed 1234 · 0 · 0"),
        ("= 1\u202f234 0 9.999", "typed 1234 · 0 · 9999"),
        ("8 · 0 · 8", "typed 8 · 0 · 8"),
        ("4 / 0 / 0", "typed 4 · 0 · 0"),
        ("4/0/0.", "typed 4 · 0 · 0"),
        ("٤ ٠ ٠", "typed 4 · 0 · 0"),
        ("ben 350 - spades – set", "Ben 350 spades set (8 · 0 · 8)"),
        ("ben 350 s-x", "Ben 350 spades set (8 · 0 · 8)"),
        ("ben 350 ♠️ x", "Ben 350 spades set (8 · 0 · 8)"),
        ("ben ٣٥٠ s x", "Ben 350 spades set (8 · 0 · 8)"),
        ("deal: b", "Ben deals the next hand"),
        ("deal 2", "Ben deals the next hand"),
    ],
)
def test_what_can_be_understood_in_one_way_is(typed, said):
    one = line(typed)
    assert (one.said, one.problem, one.doubt[:0]) == (said, "", "")


def told(one):
    """What was understood, written down again."""
    if isinstance(one, int):
        return f"deal {one}"
    match one.kind:
        case RoundKind.PASSED_OUT:
            return "-"
        case RoundKind.TYPED:
            return "= " + " ".join(map(str, one.units.values()))
        case _:
            return f"{one.bidder} {one.bid} {one.trump or ''} {one.outcome.split('_')[0]}"


PIECES = st.sampled_from(
    [
        *"abcshdmxtp=-−–+.,;:/·?²½#",
        *("1", "2", "35", "350", "1,234", "1.5", "0", "-4", "−350", "٤", "12345", "7."),
        *("ben", "cass", "alice", "spades", "made", "deal", "bid", "pass", "in", "b350", "sx"),
    ]
)


@given(st.lists(st.tuples(PIECES, st.sampled_from(["", " ", " ", " ", "\u202f"])), max_size=6))
@settings(max_examples=200, deadline=None)
def test_what_is_understood_reads_the_same_again_and_has_every_number(parts):
    text = "".join(piece + gap for piece, gap in parts)
    reader = read("").reader
    if not text.strip():
        return
    (one,) = read(text).lines
    if one.problem:
        return
    meant = reader.read(text.strip())
    again = told(meant)
    assert reader.read(again) == meant
    said = re.findall(r"\d+", again)
    for digits in re.findall(r"\d+", HAND_NUMBER.sub("", text)):
        ascii_digits = str(int(digits))
        assert any(ascii_digits in number for number in said), (text, again)


HOSTILE = [
    *("Anne-Marie", "Anne", "Marie", "Anne Marie", "Deal", "Deal Ben", "Ben", "Ben 1", "Ben s"),
    *("350", "1", "2", "3", "=", "-", "+", "s", "S x", "m", "x", "t", "c", "made", "Pass", "p"),
    *(
        "the",
        "in",
        "7.",
        "#1",
        "350 s x",
        "🎴",
        "👨\u200d👩\u200d👧",
        "דוד",
        "علي ٣",
        "O'Brien",
        "²",
    ),
    *(
        "²",
        "½",
        "a",
        "·",
        "?",
        "350 t",
        "Deal 350",
        "Player 2",
        "<b>",
        "Ｂｅｎ Ｂ",
        "ß",
        "ss",
        "=0",
    ),
    *("Tim", "Theo", "Max", "Hm", "Jean–Luc", "हिन्दी", "A name of forty letters, which is too lon"),
]


def apart(three):
    return len({known.key(one) for one in three}) == 3


@given(st.lists(st.sampled_from(HOSTILE), min_size=3, max_size=3).filter(apart))
@settings(max_examples=40, deadline=None)
def test_whatever_the_box_offers_is_read_as_it_says(names):
    for (word, name), of in zip(read("", names).reader.offered(), names, strict=True):
        assert name == of
        for suit in "shdc":
            for end in "mxt":
                assert bidder(f"{word} 350 {suit} {end}", names) == of
        assert line(f"deal {word}", names).said == f"{of} deals the next hand"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_whole_name_is_always_accepted(name):
    names = [name, "Zoe", "Quentin"]
    assert bidder(f"{name} 350 s x", names) == name
    assert bidder(f"{name.upper()}, 350 s x", names) == name
    assert bidder(f"4. {name} 350 s x", names) == name
    assert line(f"deal {name}", names).said == f"{name} deals the next hand"


def test_the_box_offers_words_that_say_nothing_else():
    def words(*names):
        return [word for word, _name in read("", names).reader.offered()]

    assert words("Anne-Marie", "Anne", "Marie") == ["anne-m", "anne", "ma"]
    assert words("Alice", "Ben", "Cass") == ["a", "b", "ca"]
    assert words("Deal", "Ben 2", "Ben 1") == ["de", "2", "ben 1"]
    assert words("Al", "Alfred", "🎴") == ["al", "alf", "🎴"]
    assert words("s", "made", "=") == ["1", "ma", "3"]


@pytest.mark.parametrize(
    ("typed", "names", "who"),
    [
        ("anne- 350 s x", ("Anne-Marie", "Anne", "Marie"), "Anne-Marie and Anne"),
        ("ben s t 350", ("Ben s", "Ben", "Cy"), "Ben s and Ben"),
        ("1 350 s x", ("Cy", "Ben 2", "Ben 1"), "Cy and Ben 1"),
        ("b 350 s x", ("Ben", "Bob", "Cy"), "Ben and Bob"),
        ("s x 350 b", ("Ben", "Bob", "Cy"), "Ben and Bob"),
        ("deal b", ("Ben", "Bob", "Cy"), "Ben and Bob"),
        ("b 350", ("Ben", "Bob", "Cy"), None),
        ("deal 350 t", ("Deal", "350 t", "Cy"), "Deal and 350 t"),
    ],
)
def test_what_can_mean_two_people_is_refused_naming_both(typed, names, who):
    problem = line(typed, names).problem
    if who is None:
        assert problem == "How did it end? m made, x set, t thrown in."
    else:
        assert problem.endswith(f"this fits {who}.")


def test_a_whole_name_goes_before_the_beginning_of_another():
    names = ("Anne-Marie", "Anne", "Marie")
    assert bidder("anne 350 s x", names) == "Anne"
    assert bidder("Anne-Marie 350 s x", names) == "Anne-Marie"
    assert bidder("350 s x anne-marie", names) == "Anne-Marie"
    assert bidder("anne-m 350 s x", names) == "Anne-Marie"
    assert bidder("marie 350 s x", names) == "Marie"
    assert bidder("ben s 350 t", ("Ben s", "Ben", "Cy")) == "Ben s"
    assert bidder("ben 350 s t", ("Ben s", "Ben", "Cy")) == "Ben"
    assert bidder("ben350sx", ("Ben3", "Ben", "Cy")) == "Ben"


def test_a_long_line_is_read_in_no_time():
    one = line("a " * 19_000 + "350 s x", ("a", "s", "x"))
    assert one.problem == "There is more here than a bidder, a bid, a suit and a result."
