"""Standings: what the banked sheets of a club come to for each person of its roster.

The database adds up the results; places and averages are made of whole numbers and exact fractions
here. Three queries, however many sheets there are.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from django.db.models import BigIntegerField, Case, Count, F, Q, QuerySet, Sum, Value, When, Window
from django.db.models.functions import RowNumber

from sheets import names, roster
from sheets.models import Club, Result, Review, Season, Sheet, SheetState


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What somebody's sheets add up to.

    `net` leaves out the `unknown` sheets, of which nobody can tell who paid whom; None where that
    is all of them. `shared` of the `wins` were ties.
    """

    sheets: int
    wins: int
    shared: int
    units: int
    net: int | None
    unknown: int
    hands: int
    bids: int
    made: int
    sets: int
    thrown_in: int
    bid_points: int
    spades: int

    @property
    def made_share(self) -> Fraction | None:
        """How many of the bids were made; None where there was no bid."""
        return Fraction(self.made, self.bids) if self.bids else None

    @property
    def average_bid(self) -> Fraction | None:
        """The average bid; None where there was none."""
        return Fraction(self.bid_points, self.bids) if self.bids else None

    @property
    def per_hand(self) -> Fraction | None:
        """Units taken in for each hand played; None where no hand was."""
        return Fraction(self.units, self.hands) if self.hands else None


@dataclasses.dataclass(frozen=True, slots=True)
class Took:
    """What somebody took in on one sheet, and the evening it was played."""

    units: int
    sheet: str
    evening: datetime.date


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """Somebody's line: `place` is None for who stands apart."""

    person: int
    name: str
    note: str
    figures: Figures
    best: Took
    place: int | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Standings:
    """Everybody who played, in no order yet; and seats of how many sheets belong to nobody."""

    rows: Sequence[Row]
    nobodys_seats: int
    nobodys_sheets: int


@dataclasses.dataclass(frozen=True, slots=True)
class Ranked:
    """Lines in order: those with a place, and those with too few hands for one."""

    placed: Sequence[Row]
    apart: Sequence[Row]


# What lines are sorted by, from most to least; None: nothing to go by, which comes last.
VALUES: Final[Mapping[str, Callable[[Row], int | Fraction | None]]] = {
    "units": lambda row: row.figures.units,
    "sheets": lambda row: row.figures.sheets,
    "wins": lambda row: row.figures.wins,
    "net": lambda row: row.figures.net,
    "hands": lambda row: row.figures.hands,
    "bids": lambda row: row.figures.bids,
    "made": lambda row: row.figures.made_share,
    "sets": lambda row: row.figures.sets,
    "thrown_in": lambda row: row.figures.thrown_in,
    "average": lambda row: row.figures.average_bid,
    "spades": lambda row: row.figures.spades,
    "per_hand": lambda row: row.figures.per_hand,
    "best": lambda row: row.best.units,
}
USUAL: Final = "units"  # the order of a season
NAME: Final = "name"

ADDED_UP: Final[Mapping[str, Any]] = {
    "sheets": Count("sheet", distinct=True),
    "wins": Count("sheet", distinct=True, filter=Q(won=True)),
    "shared": Count("sheet", distinct=True, filter=Q(shared=True)),
    "unknown": Count("sheet", distinct=True, filter=Q(net=None)),
    **{f"all_{name}": Sum(name) for name in ("units", "net", "hands", "bids", "made", "sets")},
    **{f"all_{name}": Sum(name) for name in ("thrown_in", "bid_points", "spades")},
}


def which_sheets(club: Club, season: Season | None, at: str = "") -> Q:
    """Return which sheets count: banked, not set aside, and of the season's evenings if given.

    `at`: the way to the sheet, for a question that starts elsewhere.
    """
    counts = Q((f"{at}club", club), (f"{at}state", SheetState.BANKED))
    counts &= ~Q((f"{at}review", Review.SET_ASIDE))
    if season is not None:
        first, after = season.instants()
        counts &= Q((f"{at}played_at__gte", first), (f"{at}played_at__lt", after))
    return counts


def who(club: Club, into: Mapping[int, int], at: str = "person__") -> Case:
    """Return who a result counts for; only the merged are named, so the list stays short.

    Null for whoever is not on this club's roster: somebody may be on that of another club, which
    had the table before.
    """
    merged: dict[int, list[int]] = {}
    for person, counts_as in into.items():
        if person != counts_as:
            merged.setdefault(counts_as, []).append(person)
    field = f"{at}club_person"
    whens = [When(Q((f"{field}__in", of)), then=Value(one)) for one, of in merged.items()]
    whens.append(When(Q((f"{field}__club", club)), then=F(field)))
    return Case(*whens, output_field=BigIntegerField())


def standings(club: Club, season: Season | None = None) -> Standings:
    """Return the line of everybody who played in a season, or ever."""
    people = {row["pk"]: row for row in club.people.values("pk", "name", "note", "merged_into")}
    merged = {pk: row["merged_into"] for pk, row in people.items()}
    results = Result.objects.filter(which_sheets(club, season, "sheet__")).annotate(
        who=who(club, {pk: roster.last_of(merged, pk) for pk in merged})
    )
    best = _best(club, results)
    rows, nobodys_seats, nobodys_sheets = [], 0, 0
    for one in results.values("who").annotate(seats=Count("pk"), **ADDED_UP).order_by():
        if one["who"] is None:
            nobodys_seats, nobodys_sheets = one["seats"], one["sheets"]
            continue
        pk = one["who"]
        if pk in people and pk in best:  # else something changed between two questions
            person = people[pk]
            rows.append(Row(pk, person["name"], person["note"], figures(one), best[pk]))
    return Standings(rows, nobodys_seats, nobodys_sheets)


def figures(found: Mapping[str, Any]) -> Figures:
    """Return figures of what the database has added up."""
    fields = (field.name for field in dataclasses.fields(Figures))
    return Figures(**{name: found.get(f"all_{name}", found.get(name)) for name in fields})


def per_sheet(results: QuerySet[Result], *by: str) -> QuerySet[Result, dict[str, Any]]:
    """Return what was taken in on each sheet."""
    sheet = ("sheet", "sheet__public_id", "sheet__played_at")
    found: QuerySet[Result, dict[str, Any]] = results.order_by().values(*by, *sheet)
    return found.annotate(took=Sum("units"))


def took(club: Club, found: Mapping[str, Any]) -> Took:
    """Return a line of `per_sheet` with its evening."""
    evening = club.evening(found["sheet__played_at"])
    return Took(found["took"], found["sheet__public_id"], evening)


def _best(club: Club, results: QuerySet[Result]) -> dict[int, Took]:
    """Return everybody's best sheet, of equal ones the newest."""
    nth = Window(
        RowNumber(),
        partition_by=[F("who")],
        order_by=[F("took").desc(), F("sheet__played_at").desc(), F("sheet").desc()],
    )
    found = per_sheet(results.exclude(Q(("who", None))), "who")
    return {one["who"]: took(club, one) for one in found.annotate(nth=nth).filter(nth=1)}


@dataclasses.dataclass(frozen=True, slots=True)
class Counted:
    """How many sheets count, and how many of them no organiser has looked at yet."""

    sheets: int
    to_review: int


def counted(club: Club, season: Season | None = None) -> Counted:
    """Return what the standings of a season rest on."""
    found = Sheet.objects.filter(which_sheets(club, season)).aggregate(
        sheets=Count("pk"), to_review=Count("pk", filter=Q(review=Review.TO_REVIEW))
    )
    return Counted(**found)


def ranked(
    rows: Iterable[Row], by: str = USUAL, *, up: bool = False, least_hands: int = 0
) -> Ranked:
    """Put lines in order, most first or, `up`, least first, and give them their places.

    The place is that of the figure they are sorted by; equal figures share one, and the next is
    skipped. Sorted by name, everybody keeps the usual place.
    """
    by_name = sorted(rows, key=lambda row: (names.in_order(row.name), row.person))
    in_order = _in_order(by_name, USUAL if by == NAME else by, up and by != NAME)
    placed = _placed([row for row in in_order if row.figures.hands >= least_hands], by, up)
    apart = [row for row in in_order if row.figures.hands < least_hands]
    if by == NAME:
        where = {row.person: n for n, row in enumerate(reversed(by_name) if up else by_name)}
        placed.sort(key=lambda row: where[row.person])
        apart.sort(key=lambda row: where[row.person])
    return Ranked(placed, apart)


def _in_order(rows: Iterable[Row], by: str, up: bool) -> list[Row]:
    def first(row: Row) -> tuple[bool, int | Fraction]:
        value = VALUES[by](row)
        return value is None, 0 if value is None else value if up else -value

    return sorted(rows, key=first)


def _placed(rows: Sequence[Row], by: str, up: bool) -> list[Row]:
    """Give places to lines that are in order."""
    value = VALUES[USUAL if by == NAME else by]
    placed: list[Row] = []
    for n, row in enumerate(rows, start=1):
        ties = placed and value(placed[-1]) == value(row)
        placed.append(dataclasses.replace(row, place=placed[-1].place if ties else n))
    return placed


def seasons(club: Club, today: datetime.date) -> list[tuple[Season, bool]]:
    """Return the club's seasons and whether each is running: those first, then the newest."""
    found = [(one, one.starts <= today <= one.ends) for one in club.seasons.all()]
    return sorted(found, key=lambda one: not one[1])


def overlapping(season: Season) -> list[Season]:
    """Return the club's other seasons that share an evening with this one."""
    others = season.club.seasons.exclude(pk=season.pk)
    return list(others.filter(starts__lte=season.ends, ends__gte=season.starts))


def published(published_id: str) -> Season | None:
    """Return the season whose standings are published at an address."""
    return Season.objects.filter(published_id=published_id).select_related("club").first()
