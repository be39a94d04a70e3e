"""Laws of Auction Pinochle that hold for every hand under every house rules."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, auction
from rules.auction import Fourth, Hand, HouseRules, Outcome, Pot, Sitter
from rules.cards import Counting, Suit
from rules.payments import POT


def tens(top: int) -> st.SearchStrategy[int]:
    return st.integers(1, top // 10).map(lambda ten: ten * 10)


@st.composite
def stakes(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    bids = sorted(draw(st.sets(tens(1000), min_size=1, max_size=8)))
    units = draw(st.lists(st.integers(1, 1000), min_size=len(bids), max_size=len(bids)))
    return tuple(zip(bids, sorted(units), strict=True))


@st.composite
def houses(draw: st.DrawFn, *, three: bool = False) -> HouseRules:
    """Any house rules; with `three`, those of three at the table and no pot."""
    forties = draw(st.booleans())
    bids = tens(750).filter(lambda bid: forties or bid % 50 != 40)
    pots = st.none() | st.builds(Pot, ante=st.integers(1, 1000), winning_bid=tens(750))
    return HouseRules(
        minimum=draw(bids),
        step=draw(tens(100)),
        forties_and_nineties=forties,
        dealer_bid=draw(st.none() | bids),
        spades_double=draw(st.booleans()),
        counting=draw(st.sampled_from(Counting)),
        roundhouse=draw(st.sampled_from([350, 390])),
        stakes=draw(stakes()),
        fourth=Fourth.NONE if three else draw(st.sampled_from(Fourth)),
        sitter=draw(st.sampled_from(Sitter)),
        pot=None if three else draw(pots),
    )


@st.composite
def games(draw: st.DrawFn) -> tuple[Hand, HouseRules]:
    """House rules for three and a hand legal under them."""
    house = draw(st.just(HouseRules()) | houses(three=True))
    return draw(hands(house)), house


@st.composite
def hands(draw: st.DrawFn, house: HouseRules) -> Hand:
    """A hand legal under the house rules, whoever sits at the table."""
    seats = range(auction.seats(house))
    bidder = draw(st.sampled_from(seats))
    others = [seat for seat in seats if seat != bidder]
    bids = list(auction.legal_bids(house))
    if house.dealers_bid is not None:
        bids.append(house.dealers_bid)
    return Hand(
        bidder=bidder,
        bid=draw(st.sampled_from(bids)),
        trump=draw(st.sampled_from(Suit)),
        outcome=draw(st.sampled_from(Outcome)),
        dealer=draw(st.sampled_from([None, bidder])) if len(seats) == 3 else None,
        sitter=draw(st.sampled_from([None, *others])) if len(seats) == 4 else None,
        off_sheet=draw(st.sampled_from(seats)) if house.fourth is Fourth.OFF_SHEET else None,
    )


anything = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-1, 3)
    | tens(1010)
    | st.floats()
    | st.text(max_size=6)
    | st.lists(st.integers(), max_size=2)
    | st.sampled_from(["spades", "made"])
    | st.sampled_from(Suit)
    | st.sampled_from(Outcome)
)


@given(games())
def test_a_settled_row_has_one_of_the_two_shapes(game):
    hand, house = game
    entries = auction.settle(hand, house).entries
    opponents = [entry for seat, entry in enumerate(entries) if seat != hand.bidder]
    if hand.outcome is Outcome.MADE:
        assert entries[hand.bidder] > 0
        assert opponents == [0, 0]
    else:
        assert entries[hand.bidder] == 0
        assert opponents[0] == opponents[1] > 0


@given(games())
def test_payments_come_to_the_entries_and_cancel_out(game):
    result = auction.settle(*game)
    taken, net = [0, 0, 0], [0, 0, 0]
    for payment in result.payments:
        taken[payment.payee] += payment.units
        net[payment.payee] += payment.units
        net[payment.payer] -= payment.units
    assert tuple(taken) == result.entries
    assert sum(net) == 0


@given(st.data(), houses(), st.integers(0, 10_000))
def test_players_and_pot_sum_to_zero_in_every_hand_under_any_rules(data, house, pot):
    hand = data.draw(hands(house))
    result = auction.settle(hand, house, pot=pot)
    net = dict.fromkeys([POT, *range(auction.seats(house))], 0)
    for payment in result.payments:
        assert payment.units > 0
        net[payment.payee] += payment.units
        net[payment.payer] -= payment.units
    assert sum(net.values()) == 0
    assert result.pot == net[POT]
    assert pot + result.pot >= 0
    # The columns hold what was taken in, and nothing of what is settled beside the sheet.
    on_sheet = [one for one in result.payments if one not in result.beside_the_sheet]
    taken = [sum(p.units for p in on_sheet if p.payee == s) for s in range(auction.seats(house))]
    assert result.entries == tuple(taken)
    if hand.off_sheet is not None:
        assert result.entries[hand.off_sheet] == 0


@given(games())
def test_a_hand_thrown_in_costs_at_most_half_a_set(game):
    hand, house = game
    thrown_in = sum(auction.settle(replace(hand, outcome=Outcome.THROWN_IN), house).entries)
    lost = sum(auction.settle(replace(hand, outcome=Outcome.SET), house).entries)
    assert 2 * thrown_in <= lost


@given(games())
def test_the_bidder_wins_by_a_make_what_each_opponent_gets_by_a_set(game):
    hand, house = game
    made = auction.settle(replace(hand, outcome=Outcome.MADE), house).entries
    lost = auction.settle(replace(hand, outcome=Outcome.SET), house).entries
    assert made[hand.bidder] == max(lost)


@given(games())
def test_a_row_typed_from_a_hand_is_settled_alike(game):
    hand, house = game
    result = auction.settle(hand, house)
    typed = auction.settle_row(result.entries, house)
    assert typed is not None
    assert (typed.entries, typed.payments) == (result.entries, result.payments)
    assert auction.row_doubts(result.entries, house) == ()


@given(games())
def test_a_higher_bid_is_never_worth_less(game):
    _, house = game
    worth = [auction.stake(bid, house) for bid in range(10, 1001, 10)]
    assert worth == sorted(worth)


@given(games())
def test_a_label_holds_every_bid_that_may_be_made(game):
    hand, house = game
    low, _, high = auction.bracket(hand.bid, house).rstrip("+").partition("–")
    assert int(low) <= hand.bid
    assert not high or hand.bid <= int(high)


@given(houses())
def test_house_rules_survive_being_stored(house):
    stored = json.loads(json.dumps(house.to_dict()))
    assert HouseRules.from_dict(stored) == house


@given(houses(three=True), st.lists(st.integers(0, 4000), min_size=3, max_size=3))
def test_any_row_of_whole_numbers_is_settled_or_doubted(house, row):
    assert (auction.settle_row(row, house) is None) == bool(auction.row_doubts(row, house))


@given(
    house=st.just(HouseRules()) | houses(),
    hand=st.builds(
        Hand,
        bidder=anything | st.integers(0, 2),
        bid=anything | st.sampled_from(auction.legal_bids(HouseRules())),
        trump=anything | st.sampled_from(Suit),
        outcome=anything | st.sampled_from(Outcome),
        dealer=anything | st.none(),
        sitter=anything | st.none(),
        off_sheet=anything | st.none() | st.integers(0, 3),
    ),
)
def test_whatever_is_entered_is_settled_or_refused_in_words(house, hand):
    try:
        result = auction.settle(hand, house)
        words = [str(result.reason), *map(str, auction.doubts(hand, house))]
    except RuleError as refusal:
        words = [str(refusal), refusal.message.template % refusal.params]
    assert all(sentence.endswith(".") for sentence in words)


@given(
    house=st.just(HouseRules()) | houses(),
    bid=anything | st.just(300),
    melds=anything | tens(650),
    tricks=anything | st.integers(0, 250),
)
def test_whatever_is_counted_is_decided_or_refused_in_words(house, bid, melds, tricks):
    try:
        found = auction.decide(bid, melds, tricks, house)
    except RuleError as refusal:
        found = refusal.field
    if isinstance(found, Outcome):
        assert found is (Outcome.MADE if melds + tricks >= bid else Outcome.SET)
    else:
        assert found in {"bid", "meld_points", "trick_points"}
