"""The geometry of the chart: running totals in, points out. Pure; the drawing is a template's.

A chart is three columns: the scale, the lines, and a label at the end of each line. Lines and scale
are placed in hundredths of their column, so that the chart fits any width; labels stand in rows as
high as a line of text, so that none covers another at any size of text.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Final

ROWS: Final = 16  # labels fit above each other; the style sheet has a place for each
SHAPES: Final = 6  # of marks
DASHES: Final = 4  # of lines, each in a colour of its own: together they tell twelve lines apart
MOST_MARKS: Final = 7  # on a line, beside the one at its end
MOST_STEPS: Final = 5  # of the scale of units
MOST_HANDS: Final = 4  # numbers below the lines
LEFT, RIGHT, TOP, BOTTOM = 2.5, 91.0, 4.0, 97.0  # where lines begin and end, to leave marks whole


@dataclasses.dataclass(frozen=True, slots=True)
class Series:
    """A player's totals: before the first of their hands, then after each.

    `after`: how many hands had been played when they sat down.
    """

    name: str
    totals: Sequence[int]
    after: int = 0

    @property
    def last(self) -> int:
        """The number of their last hand."""
        return self.after + len(self.totals) - 1

    def at(self, hand: int) -> str:
        """Return the total after a hand; empty where they were not at the table."""
        return str(self.totals[hand - self.after]) if self.after < hand <= self.last else ""


@dataclasses.dataclass(frozen=True, slots=True)
class Tick:
    """A number at the edge of the chart, and where."""

    at: str
    says: str


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """A player's line: its points, its marks, and its label at the right of the chart.

    `row` is the label's; None for a line whose label finds no room. `leader` leads from the line's
    end to the label, and is empty for a line that ends before the last hand.
    """

    name: str
    total: str
    shape: int
    dash: int
    points: str
    marks: tuple[tuple[str, str], ...]
    row: int | None
    leader: str


@dataclasses.dataclass(frozen=True, slots=True)
class Chart:
    """All that is drawn: the lines, the scale of units and the numbers of hands."""

    lines: tuple[Line, ...]
    scale: tuple[Tick, ...]
    hands: tuple[Tick, ...]

    @property
    def wide(self) -> bool:
        """Whether the numbers of the scale need more room than usual."""
        return any(len(tick.says) > 4 for tick in self.scale)


def chart(series: Sequence[Series]) -> Chart:
    """Return what to draw for the totals of one player or more."""
    low = min(0, *(min(one.totals) for one in series))
    frame = _Frame(
        hands=max(1, *(one.last for one in series)),
        low=low,
        high=max(low + 1, *(max(one.totals) for one in series)),
    )
    rows: list[int | None] = [*_rows([frame.y(one.totals[-1]) for one in series[:ROWS]])]
    rows += [None] * (len(series) - len(rows))
    return Chart(
        lines=tuple(_line(frame, n, one, rows[n]) for n, one in enumerate(series)),
        scale=tuple(
            Tick(_said(frame.y(units)), str(units))
            for units in _steps(frame.low, frame.high, MOST_STEPS)
        ),
        hands=tuple(
            Tick(_said(frame.x(hand)), str(hand)) for hand in _steps(1, frame.hands, MOST_HANDS)
        ),
    )


@dataclasses.dataclass(frozen=True, slots=True)
class _Frame:
    """From hands and units to hundredths of the column of lines."""

    hands: int
    low: int
    high: int

    def x(self, hand: int) -> float:
        return LEFT + (RIGHT - LEFT) * hand / self.hands

    def y(self, units: int) -> float:
        return TOP + (BOTTOM - TOP) * (self.high - units) / (self.high - self.low)


def _line(frame: _Frame, n: int, one: Series, row: int | None) -> Line:
    places = [(frame.x(one.after + k), frame.y(units)) for k, units in enumerate(one.totals)]
    to_the_label = row is not None and one.last == frame.hands
    end = (100.0, 100 * ((row or 0) + 0.5) / ROWS)
    return Line(
        name=one.name,
        total=str(one.totals[-1]),
        shape=n % SHAPES,
        dash=n % DASHES,
        points=_points(places),
        marks=tuple((_said(places[k][0]), _said(places[k][1])) for k in _marked(frame, n, one)),
        row=row,
        leader=_points([places[-1], end]) if to_the_label else "",
    )


def _marked(frame: _Frame, n: int, one: Series) -> list[int]:
    """Return which of a line's points are marked: some on the way, and the end.

    Lines that run on top of each other are marked in turns, so that both are seen.
    """
    every = -(-frame.hands // MOST_MARKS)
    last = len(one.totals) - 1
    return [k for k in range(1, last) if (one.after + k - n) % every == 0] + [last]


def _rows(heights: Sequence[float]) -> list[int]:
    """Return a row of its own for every label, as close to the end of its line as may be."""
    from_the_top = sorted(range(len(heights)), key=lambda n: heights[n])
    rows: list[int] = []
    for n in from_the_top:
        wanted = min(ROWS - 1, int(heights[n] * ROWS / 100))
        rows.append(max(wanted, rows[-1] + 1) if rows else wanted)
    lowest = ROWS
    for k in reversed(range(len(rows))):  # those that were pushed out at the bottom move up
        rows[k] = lowest = min(rows[k], lowest - 1)
    return [rows[from_the_top.index(n)] for n in range(len(heights))]


def _steps(low: int, high: int, most: int) -> range:
    """Return round numbers from `low` to `high`, at most so many steps of 1, 2 or 5 apart."""
    step = next(
        first * 10**power
        for power in itertools.count()
        for first in (1, 2, 5)
        if (high - low) // (first * 10**power) < most
    )
    return range(-(-low // step) * step, high + 1, step)


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_said(x)},{_said(y)}" for x, y in places)


def _said(place: float) -> str:
    """Return a place as SVG reads it, whatever the reader's language."""
    return f"{place:.2f}"
