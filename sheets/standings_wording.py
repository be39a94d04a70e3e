"""Standings as people read them: the columns, and figures rounded for the eye."""

from __future__ import annotations

import dataclasses
import datetime
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets import names
from sheets.models import Season
from sheets.standings import VALUES, Row, Took

NOTHING = "–"


def rounded(value: Fraction, digits: int) -> str:
    """Return a number with so many digits after the point, halves up."""
    ones = math.floor(value * 10**digits + Fraction(1, 2))
    sign, text = "-" if ones < 0 else "", f"{abs(ones):0{digits + 1}d}"
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else f"{sign}{text}"


def signed(value: int) -> str:
    """Return a net with its sign."""
    return f"+{value}" if value > 0 else f"\N{MINUS SIGN}{-value}" if value < 0 else "0"


def percent(value: Fraction | None) -> str:
    """Return a share in hundredths."""
    return NOTHING if value is None else f"{rounded(value * 100, 1)}%"


def _average(value: Fraction | None, digits: int) -> str:
    return NOTHING if value is None else rounded(value, digits)


def _wins(row: Row) -> str:
    wins, shared = row.figures.wins, row.figures.shared
    if not shared:
        return str(wins)
    return _("%(wins)s (%(shared)s shared)") % {"wins": wins, "shared": shared}


def _net(row: Row) -> str:
    if row.figures.net is None:
        return "?"
    return signed(row.figures.net) + ("*" if row.figures.unknown else "")


def evening(day: datetime.date) -> str:
    """Return an evening in short."""
    return date_format(day, "j M Y")


def day(took: Took) -> str:
    """Return the evening of a sheet."""
    return evening(took.evening)


@dataclasses.dataclass(frozen=True, slots=True)
class Column:
    """A column of standings: what it is sorted by, what it is called, what stands in it.

    `long` says in full what the heading says in short; `format` is a spreadsheet's.
    """

    key: str
    heading: Promise
    long: Promise
    said: Callable[[Row], str]
    format: str = "0"

    def value(self, row: Row) -> int | Fraction | None:
        """Return the exact figure."""
        return VALUES[self.key](row)


def _plain(key: str) -> Callable[[Row], str]:
    return lambda row: str(VALUES[key](row))


COLUMNS: Final[Sequence[Column]] = (
    Column("units", gettext_lazy("Units"), gettext_lazy("units taken in"), _plain("units")),
    Column("sheets", gettext_lazy("Sheets"), gettext_lazy("sheets played"), _plain("sheets")),
    Column("wins", gettext_lazy("Wins"), gettext_lazy("sheets won"), _wins),
    Column(
        "net",
        gettext_lazy("Net"),
        gettext_lazy("taken in less paid out"),
        _net,
        "+0;\N{MINUS SIGN}0;0",
    ),
    Column("hands", gettext_lazy("Hands"), gettext_lazy("hands played"), _plain("hands")),
    Column("bids", gettext_lazy("Bids"), gettext_lazy("hands as bidder"), _plain("bids")),
    Column(
        "made",
        gettext_lazy("Made"),
        gettext_lazy("bids made, of a hundred"),
        lambda row: percent(row.figures.made_share),
        "0.0%",
    ),
    Column("sets", gettext_lazy("Set"), gettext_lazy("bids set"), _plain("sets")),
    Column(
        "thrown_in",
        gettext_lazy("Thrown in"),
        gettext_lazy("bids thrown in"),
        _plain("thrown_in"),
    ),
    Column(
        "average",
        gettext_lazy("Average bid"),
        gettext_lazy("average bid"),
        lambda row: _average(row.figures.average_bid, 1),
        "0.0",
    ),
    Column("spades", gettext_lazy("Spades"), gettext_lazy("bids in spades"), _plain("spades")),
    Column(
        "per_hand",
        gettext_lazy("Per hand"),
        gettext_lazy("units for each hand played"),
        lambda row: _average(row.figures.per_hand, 2),
        "0.00",
    ),
    Column("best", gettext_lazy("Best sheet"), gettext_lazy("best sheet"), _plain("best")),
)


def span(season: Season) -> str:
    """Return from when to when a season goes."""
    days = {"first": season.starts, "last": season.ends}
    return _("%(first)s to %(last)s") % {
        name: date_format(one, "j F Y") for name, one in days.items()
    }


def not_reviewed(sheets: int) -> str:
    """Return how many of the sheets nobody has reviewed; nothing where that is none."""
    if not sheets:
        return ""
    return ngettext("%(n)s sheet not yet reviewed", "%(n)s sheets not yet reviewed", sheets) % {
        "n": sheets
    }


def rests_on(sheets: int, to_review: int) -> str:
    """Return how many sheets count, and how many of them nobody has looked at."""
    said = ngettext("%(n)s sheet counts", "%(n)s sheets count", sheets) % {"n": sheets}
    more = not_reviewed(to_review)
    return f"{said}, {more}." if more else f"{said}."


def nobodys(seats: int, sheets: int) -> str:
    """Return how many seats are matched to nobody, so that their figures stand nowhere."""
    on = ngettext("of %(n)s sheet", "of %(n)s sheets", sheets) % {"n": sheets}
    said = {"n": seats, "on": on}
    return (
        ngettext(
            "%(n)s seat %(on)s belongs to nobody on the roster and is not in this table.",
            "%(n)s seats %(on)s belong to nobody on the roster and are not in this table.",
            seats,
        )
        % said
    )


def apart(least_hands: int) -> str:
    """Return what those without a place have in common."""
    return ngettext(
        "Fewer than %(n)s hand, so without a place",
        "Fewer than %(n)s hands, so without a place",
        least_hands,
    ) % {"n": least_hands}


def overlaps(others: Sequence[Season]) -> str:
    """Return with which seasons this one shares evenings."""
    listed = names.listed([one.name for one in others])
    return _("It overlaps with %(others)s: an evening in both counts in both.") % {"others": listed}
