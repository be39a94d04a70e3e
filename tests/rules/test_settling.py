"""Settling up: the net, what is left between two, and the fewest payments."""

from __future__ import annotations

import functools
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError
from rules.settling import MOST_EXACT, Debt, between, fewest, nets


def debt(payer, payee, units):
    return Debt(payer=payer, payee=payee, units=units)


def payments_among(parties, most=40):
    """Lists of payments between any two of the parties."""
    two = st.permutations(parties).map(lambda order: order[:2])
    paid = st.tuples(two, st.integers(0, most)).map(lambda p: debt(*p[0], p[1]))
    return st.lists(paid, max_size=25)


tables = st.sampled_from(["AB", "ABC", "ABCD", "ABCDP", "ABCDEFGP"])
evenings = tables.flatmap(lambda parties: st.tuples(st.just(parties), payments_among(parties)))


def test_an_evening_of_three():
    # Ben makes 350, is set at 320, and Cass takes 2 from each.
    paid = [debt("Alice", "Ben", 2), debt("Cass", "Ben", 2)]
    paid += [debt("Ben", "Alice", 2), debt("Ben", "Cass", 2)]
    paid += [debt("Alice", "Cass", 2), debt("Ben", "Cass", 2)]
    names = ["Alice", "Ben", "Cass"]
    assert nets(paid, names) == {"Alice": -2, "Ben": -2, "Cass": 4}
    assert between(paid, names) == (
        debt("Alice", "Ben", 0),
        debt("Alice", "Cass", 2),
        debt("Ben", "Cass", 2),
    )
    assert fewest(nets(paid, names)) == (debt("Alice", "Cass", 2), debt("Ben", "Cass", 2))


@pytest.mark.parametrize(
    ("net", "expected"),
    [
        ({}, []),
        ({"A": 0, "B": 0}, []),
        ({"A": 5, "B": -5}, [("B", "A", 5)]),
        # A circle is nobody's debt.
        ({"A": 0, "B": 0, "C": 0}, []),
        # Whoever owes most pays whoever is owed most.
        ({"A": 9, "B": -6, "C": -3}, [("B", "A", 6), ("C", "A", 3)]),
        # Paying greedily (C pays D 4 first) would take four payments.
        (
            {"A": 3, "B": 2, "C": -5, "D": 4, "E": -4},
            [("C", "A", 3), ("C", "B", 2), ("E", "D", 4)],
        ),
        # Three pairs hidden among six.
        (
            {"A": 7, "B": -4, "C": 5, "D": -7, "E": 4, "F": -5},
            [("D", "A", 7), ("B", "E", 4), ("F", "C", 5)],
        ),
        # Two groups of three and one of two, the pot among them.
        (
            {"A": 10, "B": -3, "C": 6, "D": -7, "E": -2, "F": 1, "G": -4, "pot": -1},
            [("D", "A", 7), ("B", "A", 3), ("G", "C", 4), ("E", "C", 2), ("pot", "F", 1)],
        ),
    ],
)
def test_the_fewest_payments(net, expected):
    assert fewest(net) == tuple(debt(*payment) for payment in expected)


def test_parties_may_be_anything_that_can_be_told_apart():
    pot = object()
    assert fewest({7: -2, pot: 2}) == (debt(7, pot, 2),)


def test_nets_that_come_to_something_are_no_nets():
    with pytest.raises(RuleError, match="what the others have lost"):
        fewest({"A": 1, "B": 0})


@pytest.mark.parametrize("paid", [debt("A", "X", 1), debt("X", "A", 1)])
def test_somebody_unknown_settles_with_nobody(paid):
    for count in (nets, between):
        with pytest.raises(RuleError):
            count([paid], "AB")


def test_nobody_owes_themselves():
    with pytest.raises(RuleError):
        between([debt("A", "A", 1)], "AB")


@given(evenings)
def test_what_some_gain_the_others_lose(evening):
    parties, paid = evening
    assert sum(nets(paid, parties).values()) == 0


@given(evenings)
def test_what_is_left_between_pairs_comes_to_the_net(evening):
    parties, paid = evening
    left = between(paid, parties)
    assert nets(left, parties) == nets(paid, parties)
    pairs = [frozenset((one.payer, one.payee)) for one in left]
    assert pairs == [frozenset(pair) for pair in itertools.combinations(parties, 2)]
    assert all(one.units >= 0 for one in left)


@given(evenings)
def test_the_fewest_payments_come_to_the_net(evening):
    parties, paid = evening
    net = nets(paid, parties)
    payments = fewest(net)
    assert nets(payments, parties) == net
    assert all(payment.units > 0 for payment in payments)
    assert len(payments) <= max(0, sum(units != 0 for units in net.values()) - 1)
    assert fewest(dict(net)) == payments


def test_more_parties_than_a_sheet_has_settle_too():
    net = {n: n for n in range(1, 40)} | {-n: -n for n in range(1, 40)}
    payments = fewest(net)
    assert nets(payments, list(net)) == net
    assert len(payments) < len(net)
    assert len(net) > MOST_EXACT


# Against every way to pay there is.

MOST = 4


@functools.cache
def payments_needed(parties):
    """How many payments make so many even, for all nets from -4 to 4, by trying them all."""
    even = (0,) * parties
    needed, reached = {even: 0}, [even]
    while reached:
        ways = itertools.product(reached, itertools.permutations(range(parties), 2))
        found = []
        for net, (payer, payee) in ways:
            for units in range(1, min(MOST + net[payer], MOST - net[payee]) + 1):
                after = list(net)
                after[payer] -= units
                after[payee] += units
                if tuple(after) not in needed:
                    needed[tuple(after)] = needed[net] + 1
                    found.append(tuple(after))
        reached = found
    return needed


@pytest.mark.parametrize("parties", [2, 3, 4, 5])
def test_no_way_to_pay_takes_fewer_payments(parties):
    for net, needed in payments_needed(parties).items():
        assert len(fewest(dict(enumerate(net)))) == needed, net
