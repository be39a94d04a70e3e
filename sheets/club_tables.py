"""What is asked about the tables of a club: which there are, what they are called, what is open."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery

from sheets import codes, names, queries, seats
from sheets.models import Change, ChangeKind, Club, Player, Sheet, SheetState, Table

PAGE = 50


def titles(tables: Iterable[Table]) -> dict[int, str]:
    """Return what each table is called: by its name, or after those at it now."""
    named = {table.pk: table.name for table in tables}
    nameless = [pk for pk, name in named.items() if not name]
    newest = queries.best_first(Sheet.objects.filter(table=OuterRef("pk"))).values("pk")[:1]
    latest = Table.objects.filter(pk__in=nameless).values_list(Subquery(newest))
    players: dict[int, list[Player]] = {}
    for player in Player.objects.filter(sheet__in=latest).select_related("sheet"):
        players.setdefault(player.sheet.table_id, []).append(player)
    for pk, found in players.items():
        named[pk] = names.listed([player.name for player in seats.now(found)])
    return named


@dataclasses.dataclass(frozen=True, slots=True)
class TableInClub:
    """A table of the club, with how much was banked at it and when it was last played at."""

    table: Table
    title: str
    banked: int
    is_open: bool
    last: datetime.datetime | None


def tables(club: Club, *, page: int = 0) -> tuple[list[TableInClub], bool]:
    """Return a page of the club's tables, the one whose sheet was started last first.

    And whether there are more.
    """
    counted = club.tables.annotate(
        banked=Count("sheets", filter=Q(sheets__state=SheetState.BANKED)),
        opened=Count("sheets", filter=Q(sheets__state=SheetState.OPEN)),
        last=Max("sheets__started_at"),
    ).order_by("-last", "-pk")
    found = list(counted[page * PAGE : (page + 1) * PAGE + 1])
    called = titles(found[:PAGE])
    shown = [
        TableInClub(one, called[one.pk], one.banked, bool(one.opened), one.last)
        for one in found[:PAGE]
    ]
    return shown, len(found) > PAGE


def table_of(club: Club, public_id: str) -> Table | None:
    """Return one table of the club."""
    if not codes.is_public_id(public_id):
        return None
    return club.tables.select_related("club").filter(public_id=public_id).first()


def sheet_of(club: Club, public_id: str) -> tuple[Sheet, list[Player]] | None:
    """Return one sheet of the club with all who were ever on it, by place."""
    if not codes.is_public_id(public_id):
        return None
    sheet = club.sheets.select_related("table").filter(public_id=public_id).first()
    return None if sheet is None else queries.again(sheet)


@dataclasses.dataclass(frozen=True, slots=True)
class OpenSheet:
    """A sheet that is open, or was discarded: who plays, how it stands, when a hand came last."""

    sheet: Sheet
    players: list[Player]
    hands: int
    last: datetime.datetime | None
    reason: str = ""


def open_sheets(club: Club) -> list[OpenSheet]:
    """Return the club's open sheets, the oldest first."""
    found = club.sheets.filter(state=SheetState.OPEN).order_by("started_at", "pk")
    return [_with_hands(sheet) for sheet in _counted(found)]


def discarded_sheets(club: Club) -> list[OpenSheet]:
    """Return the sheets with hands that organisers discarded last, the newest first."""
    why = Change.objects.filter(
        sheet=OuterRef("pk"), kind=ChangeKind.SHEET_DISCARDED, user__isnull=False
    ).order_by("-version")
    found = club.sheets.filter(state=SheetState.DISCARDED, ended_by=None)
    found = found.annotate(reason=Subquery(why.values("reason")[:1])).order_by("-ended_at")
    counted = _counted(found.exclude(reason=None).exclude(reason=""))
    return [dataclasses.replace(_with_hands(one), reason=one.reason) for one in counted[:PAGE]]


def _counted(found: QuerySet[Sheet]) -> QuerySet[Any]:
    """The same sheets with how many hands stand on each, and when the last of them came."""
    stands = Q(rounds__taken_back=False)
    return (
        found.annotate(
            hands=Count("rounds", filter=stands), last=Max("rounds__entered_at", filter=stands)
        )
        .select_related("table")
        .prefetch_related("players")
    )


def _with_hands(sheet: Any) -> OpenSheet:
    players = list(sheet.players.all())
    for player in players:
        player.sheet = sheet
    return OpenSheet(sheet, players, sheet.hands, sheet.last)
