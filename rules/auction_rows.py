"""Rows of Auction Pinochle that were typed: what the numbers alone tell, and what they can't."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from rules import Message, RuleError, gettext_noop
from rules.auction_house import SET_FACTOR, SPADES_FACTOR, Fourth, HouseRules
from rules.auction_seats import check_off_sheet, seats
from rules.checking import Seat, Typed, checked
from rules.payments import TOP_POT, Payment, Settlement, entries_of

_Row = Annotated[Sequence[Typed], range(101)]


@checked
def settle_row(
    entries: _Row, house: HouseRules, *, off_sheet: Seat | None = None
) -> Settlement | None:
    """Return who paid whom for a row typed without its hand, where the numbers alone tell.

    `entries` has a number for each column. One entry and the rest zeros: its player took as much
    from each of the others. One zero and the rest alike: its player paid that much to each. Any
    other row, and any units the stakes can't come to, is None. `off_sheet` is the seat of a fourth
    without a column, who pays and is paid like the others, beside the sheet.

    Raises RuleError unless there is a whole number, 0 or more, for each column, and `off_sheet`
    where a fourth has none.
    """
    check_off_sheet(off_sheet, house)
    columns = [seat for seat in range(seats(house)) if seat != off_sheet]
    _check_entries(entries, len(columns))
    row = tuple(entries)
    stakes = {units for _, units in house.stakes}
    won = stakes | {units * SPADES_FACTOR for units in stakes if house.spades_double}
    lost = stakes | {units * SET_FACTOR for units in won}  # thrown in, or set
    most = max(row)
    share = most // (len(columns) - 1)
    for column, seat in enumerate(columns):
        rest = row[:column] + row[column + 1 :]
        if not any(rest) and share in won and row[column] == share * len(rest):
            sentence = gettext_noop("Column %(column)s took %(each)s from each.")
            says = Message("row_took", sentence, {"column": column + 1, "each": share})
            return _settled(seat, share, house, off_sheet, says, pays_in=True)
        if row[column] == 0 and most in lost and set(rest) == {most}:
            sentence = gettext_noop("Column %(column)s paid %(each)s to each.")
            says = Message("row_paid", sentence, {"column": column + 1, "each": most})
            return _settled(seat, most, house, off_sheet, says, pays_in=False)
    return None


@checked
def row_doubts(entries: _Row, house: HouseRules) -> tuple[Message, ...]:
    """Return a warning when no hand gives the typed row.

    Whoever takes the pot takes any number of units: where there is one, no single entry is odd.
    Where a fourth has no column, a hand of theirs is a row of zeros.

    Raises RuleError unless there is a whole number, 0 or more, for each column.
    """
    off_sheet = 0 if house.fourth is Fourth.OFF_SHEET else None  # any: only how many columns counts
    if settle_row(entries, house, off_sheet=off_sheet) is not None:
        return ()
    if house.pot is not None and sum(entry > 0 for entry in entries) == 1:
        return ()
    if house.fourth is Fourth.OFF_SHEET and not any(entries):
        return ()
    row = " / ".join(str(entry) for entry in entries)
    sentence = gettext_noop("The rules can't produce %(row)s.")
    return (Message("impossible_row", sentence, {"row": row}),)


def _settled(
    bidder: int,
    each: int,
    house: HouseRules,
    off_sheet: int | None,
    reason: Message,
    *,
    pays_in: bool,
) -> Settlement:
    payments = tuple(
        Payment(payer=seat, payee=bidder, units=each)
        if pays_in
        else Payment(payer=bidder, payee=seat, units=each)
        for seat in range(seats(house))
        if seat != bidder
    )
    return Settlement(
        entries=entries_of(payments, seats(house), off_sheet),
        payments=payments,
        reason=reason,
        off_sheet=off_sheet,
    )


def _check_entries(entries: Sequence[int], columns: int) -> None:
    if len(entries) != columns:
        sentence = gettext_noop("A row has %(seats)s numbers, one for each player.")
        raise RuleError(Message("row_length", sentence, {"seats": columns}), field="entries")
    if not all(type(entry) is int and 0 <= entry <= TOP_POT for entry in entries):
        sentence = gettext_noop("Write a whole number for each player, 0 or more.")
        raise RuleError(Message("row_entry", sentence), field="entries")
