"""What organisers ask about the banked sheets of their club: which there are, which is next.

Lists go newest evening first and are walked by key, so that a page costs the same however many
sheets there are. Nothing here writes.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterator, Sequence

from django.db.models import BooleanField, Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce

from sheets import codes
from sheets.models import Change, Club, Member, Person, Player, Result, Round, Sheet, Table

PAGE = 50
_BATCH = 500
# Said as the partial indexes say it: SQLite looks for these very words, and a parameter is none.
_BANKED = RawSQL('"sheets_sheet"."state" = \'banked\'', (), output_field=BooleanField())
_ODD = RawSQL('NOT ("sheets_sheet"."oddities" = \'\')', (), output_field=BooleanField())


@dataclasses.dataclass(frozen=True, slots=True)
class Wanted:
    """Which banked sheets of a club: what is None or empty asks for nothing.

    `since` and `before` are the first moment and the first one after the evenings; `persons` are
    people at tables, empty where whoever was asked for played at none; `oddity` is one kind, `odd`
    asks for any.
    """

    club: Club
    since: datetime.datetime | None = None
    before: datetime.datetime | None = None
    table: int | None = None
    persons: frozenset[int] | None = None
    review: str = ""
    odd: bool = False
    oddity: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Page:
    """Some sheets of a list with their players, and whether there are older ones."""

    sheets: list[tuple[Sheet, list[Player]]]
    more: bool


def sheets(wanted: Wanted) -> QuerySet[Sheet]:
    """Return these banked sheets, newest evening first."""
    found = Sheet.objects.filter(_BANKED, club=wanted.club)
    if wanted.review:
        found = found.filter(review=wanted.review)
    if wanted.odd or wanted.oddity:
        found = found.filter(_ODD)
    if wanted.oddity:
        found = found.filter(oddities__contains=f" {wanted.oddity} ")
    if wanted.since is not None:
        found = found.filter(played_at__gte=wanted.since)
    if wanted.before is not None:
        found = found.filter(played_at__lt=wanted.before)
    if wanted.table is not None:
        found = found.filter(table=wanted.table)
    if wanted.persons is not None:
        theirs = Result.objects.filter(person__in=wanted.persons)
        found = found.filter(pk__in=theirs.values("sheet"))
    return found.order_by("-played_at", "-pk")


def page(wanted: Wanted, after: Sheet | None = None) -> Page:
    """Return a page of these sheets, the newest or those after one; two queries."""
    found = sheets(wanted) if after is None else _older(sheets(wanted), after)
    standing = Round.objects.filter(sheet=OuterRef("pk"), taken_back=False, dealer__isnull=False)
    count = standing.order_by().values("sheet").annotate(n=Count("pk")).values("n")
    some = list(
        found.select_related("table").annotate(hands=Coalesce(Subquery(count), 0))[: PAGE + 1]
    )
    shown = some[:PAGE]
    return Page(_with_players(shown), len(some) > PAGE)


def neighbours(wanted: Wanted, sheet: Sheet) -> tuple[Sheet | None, Sheet | None]:
    """Return the sheets before and after this one in a list, which it need not be in itself."""
    found = sheets(wanted)
    newer = _newer(found, sheet).order_by("played_at", "pk").first()
    return newer, _older(found, sheet).first()


def _older(found: QuerySet[Sheet], sheet: Sheet) -> QuerySet[Sheet]:
    """Return what comes after a sheet; so said that an index is entered at its moment."""
    behind = Q(played_at__lt=sheet.played_at) | Q(pk__lt=sheet.pk)
    return found.filter(behind, played_at__lte=sheet.played_at)


def _newer(found: QuerySet[Sheet], sheet: Sheet) -> QuerySet[Sheet]:
    before = Q(played_at__gt=sheet.played_at) | Q(pk__gt=sheet.pk)
    return found.filter(before, played_at__gte=sheet.played_at)


def _with_players(some: Sequence[Sheet]) -> list[tuple[Sheet, list[Player]]]:
    players: dict[int, list[Player]] = {one.pk: [] for one in some}
    for player in Player.objects.filter(sheet__in=list(players)).order_by("place", "pk"):
        players[player.sheet_id].append(player)
    return [(one, players[one.pk]) for one in some]


def sheet_of(club: Club, sheet_id: str) -> tuple[Sheet, list[Player]] | None:
    """Return a sheet at a table of the club with its players by place; not a discarded one."""
    if not codes.is_public_id(sheet_id):
        return None
    players = list(
        Player.objects.filter(sheet__public_id=sheet_id, sheet__club=club, sheet__table__club=club)
        .exclude(sheet__state="discarded")
        .select_related("sheet__house_rules", "sheet__table", "sheet__ended_by__person")
        .order_by("place", "pk")
    )
    if not players:
        return None
    sheet = players[0].sheet
    sheet.club = sheet.table.club = club
    return sheet, players


def banked_sheet(club: Club, sheet_id: str) -> Sheet | None:
    """Return a banked sheet of the club by itself, to walk a list from."""
    if not codes.is_public_id(sheet_id):
        return None
    return Sheet.objects.filter(_BANKED, club=club, public_id=sheet_id).first()


def history(sheet: Sheet) -> list[Change]:
    """Return all that happened to a sheet, oldest first."""
    told = sheet.changes.select_related("member__person", "user", "round")
    return list(told.order_by("version"))


def members(changes: Sequence[Change], rounds: Sequence[Round]) -> dict[int, Member]:
    """Return the phones that rounds were entered from, by key; mostly they are in the history."""
    known = {one.member.pk: one.member for one in changes if one.member is not None}
    wanted = {row.entered_by_id for row in rounds if row.entered_by_id is not None}
    missing = wanted - known.keys()
    if missing:
        known |= Member.objects.select_related("person").in_bulk(missing)
    return known


def tables(club: Club) -> list[tuple[Table, list[str]]]:
    """Return the tables of a club, and who is known at those that nobody has named."""
    found = list(Table.objects.filter(club=club))
    unnamed: dict[int, list[str]] = {one.pk: [] for one in found if not one.name}
    people = Person.objects.filter(table__in=unnamed).order_by("pk") if unnamed else ()
    for person in people:
        unnamed[person.table_id].append(person.name)
    return [(one, unnamed.get(one.pk, [])) for one in found]


def persons(club: Club, club_people: set[int]) -> frozenset[int]:
    """Return the people at tables of the club who are these people of its roster."""
    found = Person.objects.filter(club_person__in=club_people, table__club=club)
    return frozenset(found.values_list("pk", flat=True))


def batches_with_results() -> Iterator[list[int]]:
    """Return the keys of all sheets that have results, or should have, some at a time."""
    should = Q(club__isnull=False, state="banked")
    has = ~Q(oddities="") | Exists(Result.objects.filter(sheet=OuterRef("pk")))
    found = Sheet.objects.filter(should | has).order_by("pk")
    last = 0
    while batch := list(found.filter(pk__gt=last).values_list("pk", flat=True)[:_BATCH]):
        yield batch
        last = batch[-1]
