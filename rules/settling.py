"""Settling up: who owes whom after many payments, and the fewest payments that make it even.

A party is whoever pays or is paid: a player, a fourth at the table, the pot. Anything hashable may
name one. Units are whole numbers, and every answer is in the order in which the parties were given.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Generic, TypeVar

from rules import Message, RuleError, gettext_noop
from rules.checking import checked, checked_fields

Party = TypeVar("Party", bound=Hashable)

# Up to here the fewest payments are found exactly; the work doubles with each further party.
MOST_EXACT: Final = 12
MOST_OWED: Final = 10**12  # units; no sheet comes near
MOST_PARTIES: Final = 1_000  # every two of them are compared
MOST_DEBTS: Final = 1_000_000


@checked_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Debt(Generic[Party]):
    """Units that one party owes, or pays, another."""

    payer: Party
    payee: Party
    units: Annotated[int, range(MOST_OWED + 1)]


_Debts = Annotated[Sequence[Debt[Party]], range(MOST_DEBTS + 1)]
_Parties = Annotated[Sequence[Party], range(MOST_PARTIES + 1)]
_Net = Annotated[int, range(-MOST_OWED, MOST_OWED + 1)]
_Nets = Annotated[Mapping[Party, _Net], range(MOST_PARTIES + 1)]


@checked
def nets(debts: _Debts[Party], parties: _Parties[Party]) -> dict[Party, int]:
    """Return what each party is up, or down where it is below zero; they come to zero in all.

    Raises RuleError for a debt of somebody who is not among the parties.
    """
    net = dict.fromkeys(parties, 0)
    for debt in debts:
        if debt.payer not in net or debt.payee not in net:
            raise _stranger()
        net[debt.payer] -= debt.units
        net[debt.payee] += debt.units
    return net


@checked
def between(debts: _Debts[Party], parties: _Parties[Party]) -> tuple[Debt[Party], ...]:
    """Return what is left between every two parties once their debts are set against each other.

    Every pair is there once; where the two are even, the units are 0.

    Raises RuleError for a debt of somebody who is not among the parties, or to oneself.
    """
    pairs = [(one, other) for n, one in enumerate(parties) for other in parties[n + 1 :]]
    owed = dict.fromkeys(pairs, 0)
    for debt in debts:
        if (debt.payer, debt.payee) in owed:
            owed[debt.payer, debt.payee] += debt.units
        elif (debt.payee, debt.payer) in owed:
            owed[debt.payee, debt.payer] -= debt.units
        else:
            raise _stranger()
    return tuple(
        Debt(payer=one, payee=other, units=units)
        if units >= 0
        else Debt(payer=other, payee=one, units=-units)
        for (one, other), units in owed.items()
    )


@checked
def fewest(net: _Nets[Party]) -> tuple[Debt[Party], ...]:
    """Return the fewest payments that make all even: always less than there are parties.

    As many groups as possible that are even among themselves are found first, for a group settles
    with one payment less than it has parties, and no fewer do if no part of it is even. With more
    parties than a sheet ever has, all are settled as one group.

    Raises RuleError unless the nets come to zero.
    """
    if sum(net.values()):
        sentence = gettext_noop("What some have gained must be what the others have lost.")
        raise RuleError(Message("uneven_nets", sentence), field="net")
    open_ones = [party for party, units in net.items() if units]
    groups = _even_groups([net[party] for party in open_ones])
    return tuple(
        debt
        for group in groups
        for debt in _settled({open_ones[n]: net[open_ones[n]] for n in group})
    )


def _stranger() -> RuleError:
    sentence = gettext_noop("Only two of those who are named can owe each other.")
    return RuleError(Message("stranger", sentence), field="debts")


def _even_groups(units: Sequence[int]) -> list[list[int]]:
    """Part indices into as many groups as possible whose units come to zero.

    `most[s]`: when the parties of the set `s` (a bit each) join one by one, how often at most those
    who have joined are even. The order that reaches it for all gives the groups.
    """
    if len(units) > MOST_EXACT:
        return [list(range(len(units)))]
    everybody = (1 << len(units)) - 1
    total, most, joined_last = [0] * (everybody + 1), [0] * (everybody + 1), [0] * (everybody + 1)
    for s in range(1, everybody + 1):
        members = [n for n in range(len(units)) if s >> n & 1]
        total[s] = total[s & (s - 1)] + units[members[0]]
        before = {n: most[s & ~(1 << n)] for n in members}
        joined_last[s] = max(reversed(members), key=before.__getitem__)
        most[s] = before[joined_last[s]] + (total[s] == 0)
    groups: list[list[int]] = []
    s = everybody
    while s:
        if total[s] == 0:
            groups.append([])
        groups[-1].append(joined_last[s])
        s &= ~(1 << joined_last[s])
    return sorted(sorted(group) for group in groups)


def _settled(net: Mapping[Party, int]) -> Iterable[Debt[Party]]:
    """Settle one group: whoever owes most pays whoever is owed most, until all are even.

    Each payment brings at least one party to zero, and the last one two.
    """
    left = dict(net)
    while any(left.values()):
        payer = min(left, key=lambda party: left[party])
        payee = max(left, key=lambda party: left[party])
        units = min(-left[payer], left[payee])
        left[payer] += units
        left[payee] -= units
        yield Debt(payer=payer, payee=payee, units=units)
