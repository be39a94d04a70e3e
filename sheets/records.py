"""What a club's sheets say of one person: season by season, evening by evening, against others.

Whatever somebody has played, a page asks the same few questions: the database adds up, and lists
are cut off.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import (
    Case,
    Count,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)

from rules import cards
from sheets import names, roster
from sheets.models import Club, ClubPerson, Entry, Result, Round, RoundKind, Season
from sheets.standings import (
    ADDED_UP,
    Figures,
    Took,
    figures,
    per_sheet,
    took,
    which_sheets,
    who,
)

NEWEST_SHEETS = 100  # of the chart, and searched for hands
NEWEST_HANDS = 50
MOST_SEASONS = 30
MOST_OTHERS = 100


@dataclasses.dataclass(frozen=True, slots=True)
class Someone:
    """A person of the roster with all who were merged into them."""

    club: Club
    person: ClubPerson
    into: dict[int, int]

    @property
    def pks(self) -> list[int]:
        """Everybody of the roster who counts as this person."""
        return [pk for pk, counts_as in self.into.items() if counts_as == self.person.pk]

    def results(self) -> QuerySet[Result]:
        """Return the results that count for them."""
        of = Result.objects.filter(person__club_person__in=self.pks)
        return of.filter(which_sheets(self.club, None, "sheet__"))


def someone(club: Club, pk: int) -> Someone | None:
    """Return who a person of the roster counts as; None where the club has nobody of that key."""
    into = roster.stands_for(club)
    if pk not in into:
        return None
    return Someone(club, club.people.get(pk=into[pk]), into)


def by_season(one: Someone) -> tuple[Figures | None, list[tuple[Season, Figures]]]:
    """Return somebody's figures of all time, and of each season they played in, newest first.

    Seasons may overlap, and each would be a question of its own. So time is cut wherever a season
    begins or ends: one question adds up each stretch, and every season is some of the stretches.
    """
    seasons = list(one.club.seasons.all()[:MOST_SEASONS])
    spans = [season.instants() for season in seasons]
    cuts = sorted({instant for span in spans for instant in span})
    # Without any season there is one stretch, even of nothing.
    stretches = {row["stretch"]: row for row in _by_stretch(one, cuts) if row["sheets"]}
    if not stretches:
        return None, []
    found = []
    for season, (first, after) in zip(seasons, spans, strict=True):
        within = range(cuts.index(first) + 1, cuts.index(after) + 1)
        if played := [stretches[n] for n in within if n in stretches]:
            found.append((season, _together(played)))
    return _together(stretches.values()), found


def _by_stretch(
    one: Someone, cuts: Sequence[datetime.datetime]
) -> QuerySet[Result, dict[str, Any]]:
    """Add up results by stretches of time: number `n` ends just before the cut number `n`."""
    before = [When(sheet__played_at__lt=cut, then=Value(n)) for n, cut in enumerate(cuts)]
    stretch = Case(*before, default=Value(len(cuts)), output_field=IntegerField())
    found: QuerySet[Result, dict[str, Any]] = (
        one.results().order_by().annotate(stretch=stretch).values("stretch")
    )
    return found.annotate(**ADDED_UP)


def _together(rows: Collection[Mapping[str, Any]]) -> Figures:
    """Return the figures of several stretches; a sheet lies in one of them."""
    known = {name: [row[name] for row in rows if row[name] is not None] for name in ADDED_UP}
    return figures({name: sum(values) if values else None for name, values in known.items()})


@dataclasses.dataclass(frozen=True, slots=True)
class Sheets:
    """What somebody took in on their newest sheets, oldest first; and the best and worst ever."""

    newest: Sequence[Took]
    best: Took
    worst: Took


def sheets(one: Someone) -> Sheets | None:
    """Return what somebody took in sheet by sheet; None where they have played none."""
    each = per_sheet(one.results())
    newest_first = ("-sheet__played_at", "-sheet")
    newest = [took(one.club, row) for row in each.order_by(*newest_first)[:NEWEST_SHEETS]]
    if not newest:
        return None
    best, worst = (each.order_by(by, *newest_first).first() for by in ("-took", "took"))
    assert best is not None
    assert worst is not None
    return Sheets(newest[::-1], took(one.club, best), took(one.club, worst))


@dataclasses.dataclass(frozen=True, slots=True)
class Against:
    """Two people on the sheets both played: who took in more how often, and how much each."""

    person: int
    name: str
    note: str
    sheets: int
    more: int
    less: int
    ties: int
    units: int
    theirs: int


def head_to_head(one: Someone) -> list[Against]:
    """Return somebody's sheets against each of the others, who they played with most first."""
    other = "sheet__results__"
    pairs = one.results().annotate(
        who=who(one.club, one.into, f"{other}person__"), theirs=F(f"{other}units")
    )
    found = (
        pairs.exclude(who=one.person.pk)
        .filter(who__isnull=False)
        .order_by()
        .values("who")
        .annotate(
            together=Count("sheet", distinct=True),
            more=Count("pk", filter=Q(units__gt=F("theirs"))),
            less=Count("pk", filter=Q(units__lt=F("theirs"))),
            ties=Count("pk", filter=Q(units=F("theirs"))),
            mine=Sum("units"),
            all_theirs=Sum("theirs"),
        )
        .order_by("-together", "who")[:MOST_OTHERS]
    )
    rows = list(found)
    people = ClubPerson.objects.in_bulk([row["who"] for row in rows])
    met = [_against(people[row["who"]], row) for row in rows]
    return sorted(met, key=lambda each: (-each.sheets, names.in_order(each.name), each.person))


def _against(person: ClubPerson, row: dict[str, int]) -> Against:
    return Against(
        person=person.pk,
        name=person.name,
        note=person.note,
        sheets=row["together"],
        more=row["more"],
        less=row["less"],
        ties=row["ties"],
        units=row["mine"],
        theirs=row["all_theirs"],
    )


@dataclasses.dataclass(frozen=True, slots=True)
class Bid:
    """A hand somebody bid: `units` is what it brought them, None where that is off the sheet."""

    sheet: str
    evening: datetime.date
    bid: int
    suit: cards.Suit | None
    outcome: str
    units: int | None


def newest_bids(one: Someone, newest: Iterable[Took]) -> list[Bid]:
    """Return the newest hands somebody bid, of their newest sheets."""
    own = Entry.objects.filter(round=OuterRef("pk"), player=OuterRef("bidder"))
    found = (
        Round.objects.filter(
            sheet__public_id__in=[each.sheet for each in newest],
            kind=RoundKind.PLAYED,
            taken_back=False,
            bidder__person__club_person__in=one.pks,
        )
        .annotate(units=Subquery(own.values("units")[:1]))
        .select_related("sheet")
        .order_by("-sheet__played_at", "-sheet", "-position")[:NEWEST_HANDS]
    )
    return [
        Bid(
            sheet=row.sheet.public_id,
            evening=one.club.evening(row.sheet.played_at),
            bid=row.bid or 0,
            suit=cards.Suit(row.trump) if row.trump else None,
            outcome=row.outcome or "",
            units=row.units,
        )
        for row in found
    ]
