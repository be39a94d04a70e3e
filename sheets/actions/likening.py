"""Which sheets of an evening hold the same match: looked at after whatever may have changed that.

The warning stands on both sheets, which may be at two tables: so it is written once the change is
in the database, under the club's lock, which lets one look at a time at what is there.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Iterable
from typing import Concatenate, ParamSpec

from django.db.models import Case, F, QuerySet, Value, When
from django.db.models.functions import Concat, Replace

from sheets import alike
from sheets.actions.answers import Answer, Saved
from sheets.actions.writing import Write, one_transaction
from sheets.models import Club, Sheet, SheetState
from sheets.oddities import Oddity

P = ParamSpec("P")
_WORD = Oddity.ALIKE.value
_MARKED = {"oddities__contains": f" {_WORD} "}
Evenings = dict[int, set[datetime.date]]


def likens(
    perform: Callable[Concatenate[Write, P], Answer],
) -> Callable[Concatenate[Write, P], Answer]:
    """Let an action on a banked sheet look at its evening again; sent again, it looks again."""

    @functools.wraps(perform)
    def likened(write: Write, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        answer = perform(write, *args, **kwargs)
        if isinstance(answer, Saved) and answer.change.sheet_id is not None:
            liken(evenings_of(Sheet.objects.filter(pk=answer.change.sheet_id)))
        return answer

    return likened


def evenings_of(sheets: QuerySet[Sheet]) -> Evenings:
    """Return the evenings of sheets of clubs, by the key of the club."""
    found: Evenings = {}
    clubs: dict[int, Club] = {}
    for club, moment in sheets.exclude(club=None).values_list("club", "played_at"):
        if club not in clubs:
            clubs[club] = Club.objects.get(pk=club)
        found.setdefault(club, set()).add(clubs[club].evening(moment))
    return found


def marked_evenings(sheets: QuerySet[Sheet]) -> Evenings:
    """Return the evenings of those of these sheets that are said to be like another."""
    return evenings_of(sheets.filter(**_MARKED))


def liken_people(club: int, one: Iterable[int], other: Iterable[int]) -> None:
    """Look again at the evenings on which both of these groups of people at tables played.

    Only there can it matter whether they are the same people.
    """
    banked = Sheet.objects.filter(club=club, state=SheetState.BANKED)
    first, second = (
        evenings_of(banked.filter(players__person__in=list(people))).get(club, set())
        for people in (one, other)
    )
    liken({club: first & second})


def liken(evenings: Evenings) -> None:
    """Say of the sheets of these evenings whether they are like another, where it is not said."""
    for key, days in evenings.items():
        club = Club.objects.filter(pk=key).first()
        for day in sorted(days) if club else ():
            assert club is not None
            if _may_matter(club, day):
                with one_transaction():
                    # As for a write of the club's own rows: what points at it may go on.
                    locked = Club.objects.select_for_update(no_key=True).filter(pk=key).first()
                    if locked is not None:
                        _liken(locked, day)


def _may_matter(club: Club, day: datetime.date) -> bool:
    """Say whether two sheets were banked that evening, or one is still said to be like another."""
    banked = alike.of_evening(club, day)
    return banked.count() > 1 or banked.filter(**_MARKED).exists()


def _liken(club: Club, day: datetime.date) -> None:
    """Write the word to the sheets that want it and take it from the others.

    In the database, as it is by then: an action at one of the tables may write the other words.
    """
    banked = alike.of_evening(club, day)
    same = set(alike.pairs(club.pk, alike.counting(banked).values_list("pk", flat=True)))
    marked = set(banked.filter(**_MARKED).values_list("pk", flat=True))
    new = Sheet.objects.filter(pk__in=same - marked).exclude(**_MARKED)
    new.update(
        oddities=Case(
            When(oddities="", then=Value(f" {_WORD} ")),
            default=Concat(F("oddities"), Value(f"{_WORD} ")),
        )
    )
    old = Sheet.objects.filter(pk__in=marked - same, **_MARKED)
    old.update(
        oddities=Case(
            When(oddities=f" {_WORD} ", then=Value("")),
            default=Replace(F("oddities"), Value(f" {_WORD} "), Value(" ")),
        )
    )
