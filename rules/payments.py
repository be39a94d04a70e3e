"""What every game's settling answers with: who hands units to whom, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from rules import Message, RuleError, gettext_noop
from rules.checking import Seat, checked, checked_fields

TOP_POT: Final = 1_000_000_000  # units; no table ever holds so many
POT: Final = -1  # stands where a payment has the pot at one end; seats count from 0


InPot = Annotated[int, range(TOP_POT + 1)]
Seats = Annotated[int, range(1, 5)]  # how many
_End = Annotated[int, range(POT, 4)]


@checked_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """Units one seat hands another, or the pot at one end of it."""

    payer: _End
    payee: _End
    units: InPot


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What each seat writes down, the payments it came from, and why, in sentences.

    `entries` has a number for every seat at the table, 0 where that seat has no column.
    `off_sheet` is the seat without a column, whose payments are settled beside the sheet. `pot` is
    how much more the pot holds after the hand; below zero when it was taken.
    """

    entries: tuple[int, ...]
    payments: tuple[Payment, ...]
    reason: Message
    more: tuple[Message, ...] = ()
    off_sheet: int | None = None

    @property
    def pot(self) -> int:
        """How much more the pot holds after the hand."""
        paid_in = sum(one.units for one in self.payments if one.payee == POT)
        return paid_in - sum(one.units for one in self.payments if one.payer == POT)

    @property
    def beside_the_sheet(self) -> tuple[Payment, ...]:
        """The payments that no column shows: one end of them has none."""
        return tuple(one for one in self.payments if self.off_sheet in (one.payer, one.payee))


@checked
def entries_of(
    payments: Annotated[tuple[Payment, ...], range(101)],
    seats: Seats,
    off_sheet: Seat | None = None,
) -> tuple[int, ...]:
    """Return what each seat takes in on the sheet: a payment counts where both ends have a column.

    The pot is no player: what is taken from it counts for whoever takes it.

    Raises RuleError for a seat without a column that nobody at the table has.
    """
    if off_sheet is not None and off_sheet >= seats:
        sentence = gettext_noop("Nobody sits in the seat that has no column.")
        raise RuleError(Message("no_seat", sentence), field="off_sheet")
    return tuple(
        sum(
            one.units
            for one in payments
            if one.payee == seat and off_sheet not in (one.payer, one.payee)
        )
        for seat in range(seats)
    )


@checked
def share(pot: InPot, seats: Seats, off_sheet: Seat | None = None) -> Settlement:
    """Return what everybody at the table gets when the pot is shared: equal whole units.

    What is left over stays in the pot.
    """
    each = pot // seats
    payments = tuple(Payment(payer=POT, payee=seat, units=each) for seat in range(seats) if each)
    sentence = gettext_noop("The pot of %(pot)s is shared: %(each)s to each.")
    return Settlement(
        entries=entries_of(payments, seats, off_sheet),
        payments=payments,
        reason=Message("pot_shared", sentence, {"pot": pot, "each": each}),
        off_sheet=off_sheet,
    )
