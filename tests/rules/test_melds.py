"""Melds: hands counted by hand, hands counted elsewhere, and a slow search that agrees."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, cards, melds
from rules.cards import Card, Rank, Suit

DATA = Path(__file__).parents[1] / "data"
CHECKED = json.loads((DATA / "checked_hands.json").read_text())["hands"]
OUTSIDE = json.loads((DATA / "outside_melds.json").read_text())["hands"]
PACK = [Card(rank, suit) for suit in Suit for rank in Rank] * 2
COURT = [card for card in PACK if card.rank not in {Rank.NINE, Rank.TEN}]

hands = st.integers(0, 24).flatmap(
    lambda size: st.sampled_from([PACK, COURT]).flatmap(
        lambda pack: st.permutations(pack).map(lambda shuffled: shuffled[:size])
    )
)
fifteens = st.sampled_from([PACK, COURT]).flatmap(
    lambda pack: st.permutations(pack).map(lambda shuffled: shuffled[:15])
)


@pytest.mark.parametrize("hand", CHECKED, ids=lambda hand: hand["id"])
def test_checked_hands_have_exactly_these_melds(hand):
    count = melds.best(cards.parse(hand["cards"]), Suit(hand["trump"]))
    groups = Counter({"A": 0, "B": 0, "C": 0})
    for meld in count.melds:
        groups[meld.group] += meld.points
    assert [meld.name for meld in count.melds] == hand["melds"]
    assert count.total == hand["total"]
    assert groups == hand["groups"]


@pytest.mark.parametrize("hand", OUTSIDE, ids=lambda hand: f"{hand['source']}:{hand['cards']}")
def test_other_projects_count_melds_alike(hand):
    assert melds.best(cards.parse(hand["cards"]), Suit(hand["trump"])).total == hand["total"]


@pytest.mark.parametrize(
    ("trump", "held", "total"),
    [
        (Suit.SPADES, "AS 10S KS QS JS KH QH KD QD JD KC QC", 390),
        (Suit.HEARTS, "KS QS AH 10H KH QH JH KD QD JD KC QC", 390),
        (Suit.DIAMONDS, "KS QS KH QH AD 10D KD QD JD 9D KC QC", 400),
        (Suit.CLUBS, "KS QS KH QH KD QD JD AC 10C KC QC JC", 390),
        (Suit.SPADES, "AS 10S KS QS JS AH KH QH AD KD QD JD AC KC QC", 490),
        (Suit.HEARTS, "AS KS QS AH 10H KH QH JH AD KD QD JD AC KC QC", 490),
        (Suit.DIAMONDS, "AS KS QS AH KH QH AD 10D KD QD JD 9D AC KC QC", 500),
        (Suit.CLUBS, "AS KS QS AH KH QH AD KD QD JD AC 10C KC QC JC", 490),
        (Suit.SPADES, "AS AS 10S 10S KS KS QS QS JS JS KH QH KD QD JD JD KC QC", 580),
        (Suit.HEARTS, "KS KS QS QS KH KH QH QH KD KD QD QD JD JD KC KC QC QC", 560),
        (Suit.DIAMONDS, "KS KS QS QS KH QH AD AD 10D 10D KD KD QD QD JD JD KC QC", 600),
        (Suit.CLUBS, "KS KS QS QS KH KH QH QH KD KD QD QD JD JD KC KC QC QC", 560),
    ],
)
def test_the_most_that_12_15_and_18_cards_hold_can_be_held(trump, held, total):
    assert melds.best(cards.parse(held), trump).total == total


def test_the_whole_pack_melds_1080():
    for trump in Suit:
        assert melds.best(PACK, trump).total == 1080


def test_each_dix_is_a_meld_with_its_own_card():
    count = melds.best(cards.parse("9H 9H 9S"), Suit.HEARTS)
    nine = melds.Meld(name="dix", points=10, cards=cards.parse("9H"), group="A")
    assert count == melds.MeldCount(total=20, melds=(nine, nine))


def test_a_third_copy_is_refused():
    with pytest.raises(RuleError, match="9H is here 3 times"):
        melds.best([Card(Rank.NINE, Suit.HEARTS)] * 3, Suit.HEARTS)


def slow_total(held: list[Card], trump: Suit) -> int:
    """Try every way of laying melds down, group by group; written apart from the rules."""

    def pack(left: Counter[str], kinds: list[tuple[int, list[str]]]) -> int:
        if not kinds:
            return 0
        (points, needed), *rest = kinds
        most = pack(left, rest)
        if all(left[card] for card in needed):
            most = max(most, points + pack(left - Counter(needed), kinds))
        return most

    t = trump.letter
    plain = [suit for suit in "SHDC" if suit != t]
    first = [
        (10, [f"9{t}"]),
        *((20, [f"K{suit}", f"Q{suit}"]) for suit in plain),
        (40, [f"K{t}", f"Q{t}"]),
        (150, [f"{rank}{t}" for rank in ("A", "10", "K", "Q", "J")]),
    ]
    third = [
        (points, [f"{rank}{suit}" for suit in "SHDC"])
        for rank, points in {"A": 100, "K": 80, "Q": 60, "J": 40}.items()
    ]
    counts = Counter(str(card) for card in held)
    return sum(pack(counts, kinds) for kinds in (first, [(40, ["JD", "QS"])], third))


@given(held=hands, trump=st.sampled_from(Suit))
def test_no_other_way_of_laying_melds_down_is_worth_more(held, trump):
    assert melds.best(held, trump).total == slow_total(held, trump)


@given(held=hands, trump=st.sampled_from(Suit))
def test_no_card_serves_twice_in_a_group(held, trump):
    count = melds.best(held, trump)
    assert count.total == sum(meld.points for meld in count.melds)
    for group in "ABC":
        used = Counter(card for meld in count.melds if meld.group == group for card in meld.cards)
        assert used <= Counter(held)


@given(held=fifteens, trump=st.sampled_from(Suit))
def test_fifteen_cards_never_hold_more_than_the_limit(held, trump):
    total = melds.best(held, trump).total
    assert total <= (500 if trump is Suit.DIAMONDS else 490)
    assert total % 10 == 0
