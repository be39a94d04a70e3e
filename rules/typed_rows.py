"""A sheet of typed rows as a whole: are these hands, or the running totals people keep on paper?

Made for games whose columns only ever grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from rules.checking import checked, checked_fields
from rules.payments import TOP_POT

LEAST_ROWS: Final = 3  # fewer rows that grow, or that the rules can't give, are chance or a slip
MOSTLY: Final = 2  # one row in so many


MOST_COLUMNS: Final = 100
MOST_ROWS: Final = 10_000


@checked_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row that stands: a number for each column, typed or not.

    `odd`: it was typed, and the rules can't give it.
    """

    units: Annotated[tuple[Annotated[int, range(TOP_POT + 1)], ...], range(1, MOST_COLUMNS + 1)]
    typed: bool = True
    odd: bool = False


_Rows = Annotated[Sequence[Row], range(MOST_ROWS + 1)]


class Doubt(StrEnum):
    """What may be wrong with all the rows of a sheet."""

    TOTALS = "totals"  # the typed rows look like running totals
    ODD = "odd"  # many of them are none that the rules can give


@checked
def doubt(rows: _Rows) -> Doubt | None:
    """Return what to ask about these rows, oldest first; None: nothing.

    Running totals are three typed rows or more of which none is below what the sheet came to
    before it, two columns have grown from the first to the last, and at least half are odd: hands
    that the rules can give are never taken for totals. Many odd ones are three or more, and half
    of all rows. A row of zeros is never odd here: somebody off the sheet may have played it.
    """
    typed = [row for row in rows if row.typed]
    odd = sum(row.odd and any(row.units) for row in typed)
    if odd * MOSTLY >= len(typed) and len(typed) >= LEAST_ROWS and hands_behind(rows) is not None:
        grown = zip(typed[0].units, typed[-1].units, strict=True)
        if sum(last > first for first, last in grown) > 1:
            return Doubt.TOTALS
    return Doubt.ODD if odd >= LEAST_ROWS and odd * MOSTLY >= len(rows) else None


@checked
def hands_behind(rows: _Rows) -> list[tuple[int, ...]] | None:
    """Return every row as a hand, with the typed ones read as what the sheet came to by then.

    None where that cannot be: a column would shrink, or the rows have not the same columns.
    """
    so_far: tuple[int, ...] | None = None
    hands = []
    for row in rows:
        so_far = so_far or (0,) * len(row.units)
        if len(row.units) != len(so_far):
            return None
        hand = row.units
        if row.typed:
            hand = tuple(n - before for n, before in zip(row.units, so_far, strict=True))
        if min(hand) < 0:
            return None
        so_far = tuple(before + n for before, n in zip(so_far, hand, strict=True))
        hands.append(hand)
    return hands
