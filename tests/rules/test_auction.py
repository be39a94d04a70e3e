"""Auction Pinochle: the vectors, every hand against a table, refusals and warnings."""

from __future__ import annotations

import itertools
import json
import pickle
from pathlib import Path

import pytest

from rules import Message, RuleError, auction
from rules.auction import Hand, HouseRules, Outcome, Payment
from rules.cards import Counting, Suit

DATA = Path(__file__).parents[1] / "data"
VECTORS = json.loads((DATA / "vectors.json").read_text())["vectors"]
READY = [vector for vector in VECTORS if "fourth" not in vector]  # of three at the table
USUAL = HouseRules()
ALL_BIDS = HouseRules(forties_and_nineties=True)
RICH = HouseRules(roundhouse=390)
PLAIN = tuple(suit for suit in Suit if suit is not Suit.SPADES)

# Last bid of the row, what each opponent pays on a make, gets on a set, gets when thrown in.
TABLE = (
    (340, 1, 2, 1),
    (390, 2, 4, 2),
    (440, 4, 8, 4),
    (490, 8, 16, 8),
    (540, 16, 32, 16),
    (1000, 32, 64, 32),
)


def hand(bid=320, trump=Suit.HEARTS, outcome=Outcome.MADE, bidder=0, **other):
    return Hand(bid=bid, trump=trump, outcome=outcome, bidder=bidder, **other)


def house_of(vector):
    return HouseRules(**vector.get("house", {}))


def trumps_of(vector):
    return (Suit(vector["trump"]),) if vector["trump"] else PLAIN


@pytest.mark.parametrize("vector", READY, ids=lambda vector: vector["id"])
def test_the_vectors_settle_as_written(vector):
    for trump, bidder in itertools.product(trumps_of(vector), range(3)):
        played = hand(vector["bid"], trump, Outcome(vector["outcome"]), bidder)
        expected = [vector["each_opponent_takes"]] * 3
        expected[bidder] = vector["bidder_takes"]
        assert auction.settle(played, house_of(vector)).entries == tuple(expected)


@pytest.mark.parametrize(
    "vector",
    [vector for vector in READY if vector["melds"] is not None],
    ids=lambda vector: vector["id"],
)
def test_the_vectors_are_decided_as_written(vector):
    outcome = auction.decide(vector["bid"], vector["melds"], vector["tricks"], house_of(vector))
    assert outcome == vector["outcome"]


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize("trump", Suit)
def test_every_bid_of_every_seat_settles_by_the_table(trump, outcome):
    for bid, bidder in itertools.product((250, *range(300, 1001, 10)), range(3)):
        made, lost, thrown_in = next(row[1:] for row in TABLE if bid <= row[0])
        factor = 2 if trump is Suit.SPADES else 1
        opponents = [seat for seat in range(3) if seat != bidder]
        expected = [0, 0, 0]
        if outcome is Outcome.MADE:
            each = made * factor
            expected[bidder] = 2 * each
            payments = [Payment(payer=seat, payee=bidder, units=each) for seat in opponents]
        else:
            each = thrown_in if outcome is Outcome.THROWN_IN else lost * factor
            for seat in opponents:
                expected[seat] = each
            payments = [Payment(payer=bidder, payee=seat, units=each) for seat in opponents]
        result = auction.settle(hand(bid, trump, outcome, bidder), ALL_BIDS)
        assert result.entries == tuple(expected)
        assert list(result.payments) == payments
        if bid % 50 != 40:
            assert auction.settle(hand(bid, trump, outcome, bidder), USUAL).entries == tuple(
                expected
            )


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        *(({"bidder": seat}, "bidder") for seat in (-1, 3, True, 1.0, "1", None, [])),
        *(({"dealer": seat}, "dealer") for seat in (-1, 3, False, 0.0, "0", [])),
        *(({"bid": bid}, "bid") for bid in (340, 260, 305, 1010, None, "320", 320.0, [])),
        *(({"outcome": outcome}, "outcome") for outcome in ("made", None, 1, [])),
        *(({"trump": trump}, "trump") for trump in ("spades", None, 0, [])),
        *(({"sitter": seat}, "sitter") for seat in (1, 3, True, "1")),
        ({"trump": None, "outcome": Outcome.SET}, "trump"),
        ({"trump": "spades", "outcome": Outcome.THROWN_IN}, "trump"),
        ({"bid": 250, "bidder": 0, "dealer": 1}, "bid"),
    ],
)
def test_a_hand_that_cannot_have_been_is_refused(changes, field):
    with pytest.raises(RuleError) as refusal:
        auction.settle(hand(**changes), USUAL)
    assert refusal.value.field == field
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("dealer", [None, 2])
def test_the_dealers_bid_is_the_dealers(dealer):
    assert auction.settle(hand(250, bidder=2, dealer=dealer), USUAL).entries == (0, 0, 2)


def test_a_hand_thrown_in_needs_no_trumps():
    thrown_in = hand(420, None, Outcome.THROWN_IN, bidder=1)
    assert auction.settle(thrown_in, USUAL).entries == (4, 0, 4)


def test_spades_count_as_any_suit_where_they_do_not_double():
    house = HouseRules(spades_double=False)
    assert auction.settle(hand(trump=Suit.SPADES), house).entries == (2, 0, 0)
    assert auction.settle_row((64, 0, 0), house) is not None
    assert auction.settle_row((128, 0, 0), house) is None


@pytest.mark.parametrize(
    ("played", "sentence"),
    [
        (hand(), "320 is in 250–330: 1 from each."),
        (
            hand(350, Suit.SPADES),
            "350 is in 350–380: 2 from each, doubled for spades: 4.",
        ),
        (hand(350, outcome=Outcome.SET), "350 is in 350–380: 4 to each on a set."),
        (
            hand(350, Suit.SPADES, Outcome.SET),
            "350 is in 350–380: 4 to each on a set, doubled for spades: 8.",
        ),
        (
            hand(420, Suit.SPADES, Outcome.THROWN_IN),
            "420 is in 400–430: thrown in, 4 to each, never doubled.",
        ),
    ],
)
def test_a_settlement_says_why(played, sentence):
    assert str(auction.settle(played, USUAL).reason) == sentence


def test_typed_rows_settle_when_they_have_a_legal_shape_and_only_then():
    makes = {2, 4, 8, 16, 32, 64, 128}
    values = [*range(10), *(value + off for value in (16, 32, 64, 128, 256) for off in (-1, 0, 1))]
    for row in itertools.product(values, repeat=3):
        nonzero = {value for value in row if value}
        took = row.count(0) == 2 and nonzero <= makes
        paid = row.count(0) == 1 and len(nonzero) == 1 and nonzero <= {1, *makes}
        assert (auction.settle_row(row, USUAL) is not None) == (took or paid)


@pytest.mark.parametrize(
    ("row", "payments", "sentence"),
    [
        ([0, 2, 0], [(0, 1, 1), (2, 1, 1)], "Column 2 took 1 from each."),
        ((128, 0, 0), [(1, 0, 64), (2, 0, 64)], "Column 1 took 64 from each."),
        ((2, 0, 2), [(1, 0, 2), (1, 2, 2)], "Column 2 paid 2 to each."),
        ((1, 1, 0), [(2, 0, 1), (2, 1, 1)], "Column 3 paid 1 to each."),
    ],
)
def test_a_typed_row_tells_who_paid(row, payments, sentence):
    result = auction.settle_row(row, USUAL)
    assert result.entries == tuple(row)
    assert [(p.payer, p.payee, p.units) for p in result.payments] == payments
    assert str(result.reason) == sentence
    assert auction.row_doubts(row, USUAL) == ()


@pytest.mark.parametrize(
    "row",
    [(2, 2, 1), (4, 4, 4), (3, 0, 0), (0, 2, 4), (0, 0, 0), (0, 6, 6), (1, 0, 0), (256, 0, 0)],
)
def test_a_row_the_rules_cannot_produce_is_doubted(row):
    assert auction.settle_row(row, USUAL) is None
    (doubt,) = auction.row_doubts(row, USUAL)
    assert str(doubt) == "The rules can't produce {} / {} / {}.".format(*row)


@pytest.mark.parametrize(
    "row", [(), (2, 0), (2, 0, 0, 0), (-2, 0, 0), (2.0, 0, 0), (True, 0, 0), ("2", 0, 0), "abc"]
)
def test_a_row_without_a_whole_number_for_each_seat_is_refused(row):
    for read in (auction.settle_row, auction.row_doubts):
        with pytest.raises(RuleError) as refusal:
            read(row, USUAL)
        assert refusal.value.field == "entries"


@pytest.mark.parametrize(
    ("played", "house", "sentence"),
    [
        (hand(760, outcome=Outcome.SET), USUAL, "No hand can make more than 750."),
        (hand(760, Suit.DIAMONDS), USUAL, "No hand can make more than 750."),
        (hand(800), RICH, "No hand can make more than 790."),
        (hand(750), USUAL, "Only a hand in diamonds can make more than 740."),
        (
            hand(790, Suit.CLUBS),
            HouseRules(roundhouse=390, forties_and_nineties=True),
            "Only a hand in diamonds can make more than 780.",
        ),
    ],
)
def test_a_hand_that_can_hardly_have_been_is_doubted(played, house, sentence):
    auction.settle(played, house)
    assert [str(doubt) for doubt in auction.doubts(played, house)] == [sentence]


@pytest.mark.parametrize(
    ("played", "house"),
    [
        (hand(750, Suit.DIAMONDS), USUAL),
        (hand(750, outcome=Outcome.SET), USUAL),
        (hand(740), ALL_BIDS),
        (hand(780), RICH),
    ],
)
def test_a_hand_that_can_have_been_is_not_doubted(played, house):
    assert auction.doubts(played, house) == ()


@pytest.mark.parametrize(
    ("bid", "melds", "tricks", "house", "expected"),
    [
        (350, 200, 150, USUAL, Outcome.MADE),
        (350, 200, 149, USUAL, Outcome.SET),
        (250, 0, 250, USUAL, Outcome.MADE),
        (600, 600, 0, USUAL, Outcome.MADE),
        (640, 640, 0, HouseRules(roundhouse=390, forties_and_nineties=True), Outcome.MADE),
        (300, 60, 235, HouseRules(counting=Counting.FIVES), Outcome.SET),
        (300, 60, 240, HouseRules(counting=Counting.TENS), Outcome.MADE),
    ],
)
def test_a_bid_is_made_when_it_is_reached(bid, melds, tricks, house, expected):
    assert auction.decide(bid, melds, tricks, house) is expected


@pytest.mark.parametrize(
    ("bid", "melds", "tricks", "scheme", "field"),
    [
        (340, 100, 100, Counting.STANDARD, "bid"),
        *((300, melds, 100, Counting.STANDARD, "meld_points") for melds in (-10, 15, 610, True)),
        *((300, melds, 100, Counting.STANDARD, "meld_points") for melds in (None, "40", 40.0)),
        *((300, 100, n, Counting.STANDARD, "trick_points") for n in (-1, 1, 249, 251, "9", False)),
        *((300, 100, tricks, Counting.TENS, "trick_points") for tricks in (5, 245, 260)),
        *((300, 100, tricks, Counting.FIVES, "trick_points") for tricks in (4, 249, 255)),
    ],
)
def test_counts_nobody_can_hold_are_refused(bid, melds, tricks, scheme, field):
    with pytest.raises(RuleError) as refusal:
        auction.decide(bid, melds, tricks, HouseRules(counting=scheme))
    assert refusal.value.field == field
    assert str(refusal.value).endswith(".")


def test_melds_only_eighteen_cards_hold_are_doubted():
    assert auction.count_doubts(500, USUAL) == auction.count_doubts(540, RICH) == ()
    (doubt,) = auction.count_doubts(510, USUAL)
    assert str(doubt) == "Fifteen cards can't hold more than 500 in melds."
    assert len(auction.count_doubts(550, RICH)) == 1


def test_messages_and_refusals_are_plain_values():
    message = Message("bid_low", "The lowest bid here is %(minimum)s.", {"minimum": 300})
    same = Message("bid_low", "The lowest bid here is %(minimum)s.", {"minimum": 300})
    assert {message, same} == {message}
    assert message != Message("bid_low", message.template, {"minimum": 310})
    refusal = pickle.loads(pickle.dumps(RuleError(message, field="bid")))
    assert (refusal.message, refusal.field, refusal.code) == (message, "bid", "bid_low")
    assert refusal.params == {"minimum": 300}
