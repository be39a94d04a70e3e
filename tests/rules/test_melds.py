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


@pytest.mark.parametrize("hand", CHECKED, ids=lambda hand: hand["id"])
def test_checked_hands_where_a_roundhouse_beside_a_run_counts_390(hand):
    count = melds.best(cards.parse(hand["cards"]), Suit(hand["trump"]), roundhouse_bonus=40)
    assert count.total == hand["total_with_390_roundhouse"]


@pytest.mark.parametrize(
    ("held", "plain", "rich"),
    [
        ("AH 10H KH QH JH KS QS KD QD KC QC", 350, 390),
        ("AH 10H KH KH QH QH JH KS QS KD QD KC QC", 390, 430),  # a spare royal marriage counts too
        ("KH QH KS QS KD QD KC QC", 240, 240),  # no run beside it
        ("AH 10H KH QH JH KS QS KD QD KC", 270, 270),  # no roundhouse
    ],
)
def test_a_run_and_a_roundhouse(held, plain, rich):
    hand = cards.parse(held)
    assert melds.best(hand, Suit.HEARTS).total == plain
    assert melds.best(hand, Suit.HEARTS, roundhouse_bonus=40).total == rich


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


@given(held=hands)
def test_the_best_trumps_are_those_no_other_suit_beats(held):
    totals = {suit: slow_total(held, suit) for suit in Suit}
    assert set(melds.best_trumps(held)) == {
        suit for suit in Suit if totals[suit] == max(totals.values())
    }


@given(held=fifteens, trump=st.sampled_from(Suit), bonus=st.sampled_from([0, 40]))
def test_melds_called_by_name_count_what_their_cards_do(held, trump, bonus):
    count = melds.best(held, trump, roundhouse_bonus=bonus)
    names = [meld.name for meld in count.melds if meld.group != "D"]
    again = melds.named(names, trump, roundhouse_bonus=bonus)
    assert (again.total, sorted(again.melds, key=str)) == (
        count.total,
        sorted(count.melds, key=str),
    )
    fewest = melds.fewest_cards(count.melds)
    assert fewest <= Counter(held)
    assert melds.best(fewest.elements(), trump, roundhouse_bonus=bonus).total == count.total


def test_melds_that_no_pack_holds_are_refused():
    with pytest.raises(RuleError, match="these melds take K♥ 3 times"):
        melds.named(["run", "run", "royal marriage"], Suit.HEARTS)
    with pytest.raises(RuleError, match="no such meld"):
        melds.named(["marriage in hearts"], Suit.HEARTS)


def test_a_queen_of_spades_serves_three_times_and_two_of_them_share():
    one = cards.parse("QS KS JD QH QD QC")
    (queen,) = melds.shared(one, melds.best(one, Suit.HEARTS))
    assert (str(queen.card), queen.held) == ("QS", 1)
    assert [meld.name for meld in queen.melds] == [
        "marriage in spades",
        "pinochle",
        "queens around",
    ]
    pair = cards.parse("QS QS KS JD")  # one for the marriage, one for the pinochle
    assert melds.shared(pair, melds.best(pair, Suit.HEARTS)) == ()


@given(held=hands, trump=st.sampled_from(Suit))
def test_what_is_not_shared_could_lie_on_the_table_all_at_once(held, trump):
    count = melds.best(held, trump)
    uses = Counter(card for meld in count.melds for card in meld.cards)
    named = {one.card: one for one in melds.shared(held, count)}
    for card, times in uses.items():
        assert (card in named) == (times > Counter(held)[card])
        if card in named:
            assert len({meld.group for meld in named[card].melds}) > 1
