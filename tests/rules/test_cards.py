"""The pack: reading cards, and what they count in tricks."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from rules import RuleError, cards
from rules.cards import Card, Counting, Rank, Suit

DATA = Path(__file__).parents[1] / "data"
OUTSIDE = json.loads((DATA / "outside_tricks.json").read_text())["tricks"]
PACK = [Card(rank, suit) for suit in Suit for rank in Rank] * 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  , ", ""),
        ("10H", "10H"),
        ("TH", "10H"),
        ("th", "10H"),
        ("AS 9C", "AS 9C"),
        ("AS,9C", "AS 9C"),
        ("AS, 9C\nKD", "AS 9C KD"),
        ("AS10H9C", "AS 10H 9C"),
        ("as10hth", "AS 10H 10H"),
        ("A♠K♥Q♦J♣", "AS KH QD JC"),
        ("A♤ K♡ Q♢ J♧", "AS KH QD JC"),
        ("10♥\ufe0f9♣\ufe0f", "10H 9C"),
    ],
)
def test_cards_are_read_as_people_write_them(text, expected):
    assert " ".join(str(card) for card in cards.parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "card"),
    [("8H", "8H"), ("AS8h9C", "8H"), ("hello", "HELLO"), ("10", "10"), ("AS S", "S"), ("0H", "0H")],
)
def test_an_unknown_card_is_refused_by_name(text, card):
    with pytest.raises(RuleError) as refusal:
        cards.parse(text)
    assert refusal.value.code == "unknown_card"
    assert refusal.value.field == "cards"
    assert str(refusal.value).startswith(f"{card} isn't a pinochle card")


def test_a_refusal_never_reads_a_long_text_back():
    with pytest.raises(RuleError) as refusal:
        cards.parse("x" * 10_000)
    assert len(str(refusal.value)) < 100


def test_a_third_copy_is_refused():
    for count in (cards.parse, lambda text: cards.points([Card(Rank.ACE, Suit.SPADES)] * 3)):
        with pytest.raises(RuleError, match="two of each card, and AS is here 3 times") as refusal:
            count("AS as A♠")
        assert refusal.value.code == "third_copy"


def test_suits_have_an_order_a_glyph_and_a_letter():
    assert [f"{suit}{suit.glyph}{suit.letter}" for suit in Suit] == [
        "spades♠S",
        "hearts♥H",
        "diamonds♦D",
        "clubs♣C",
    ]


def test_every_card_reads_back_as_itself():
    assert list(cards.parse(" ".join(map(str, PACK)))) == PACK
    assert list(cards.parse("".join(map(str, PACK)))) == PACK


@pytest.mark.parametrize("scheme", Counting)
def test_the_pack_and_the_last_trick_are_250(scheme):
    assert cards.points(PACK, scheme, last_trick=True) == 250


def test_points_default_to_the_standard_values():
    held = cards.parse("AS 10H 9C")
    assert cards.points(held) == 21
    assert cards.points(held, scheme=Counting.STANDARD, last_trick=False) == 21
    assert cards.points(held, last_trick=True) == 31


@pytest.mark.parametrize("case", OUTSIDE, ids=lambda case: case["cards"])
def test_other_projects_count_tricks_alike(case):
    suits = itertools.cycle(Suit)  # for the two rows that name ranks alone
    held = [
        word if word[-1] in "SHDC" else word + next(suits).letter for word in case["cards"].split()
    ]
    points = cards.points(
        cards.parse(" ".join(held)), Counting(case["scheme"]), last_trick=case["last_trick"]
    )
    assert points == case["points"]


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        (Counting.STANDARD, set(range(251)) - {1, 249}),
        (Counting.TENS, set(range(0, 251, 10))),
        (Counting.FIVES, set(range(0, 251, 5))),
    ],
)
def test_a_side_can_hold_these_totals_and_no_others(scheme, expected):
    assert cards.possible_trick_points(scheme) == expected
