"""Every question a page asks, one named function each. Nothing here writes."""

from __future__ import annotations

import dataclasses
import datetime
import uuid
from collections.abc import Sequence

from django.db.models import (
    Case,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)

from rules import games
from sheets import codes, names, seats
from sheets.models import (
    Change,
    ChangeKind,
    HouseRules,
    Member,
    NameUsed,
    Person,
    Player,
    Round,
    SavedRules,
    Sheet,
    SheetState,
    Table,
)
from sheets.models.sheet import POSITION_GAP
from sheets.seen import Seen

HISTORY_PAGE = 100
CHANGES_RULES = (ChangeKind.RULES_CHANGED, ChangeKind.RULES_RESTORED)
ABOUT_RULES = (*CHANGES_RULES, ChangeKind.RULES_SAVED, ChangeKind.RULES_FORGOTTEN)


@dataclasses.dataclass(frozen=True, slots=True)
class Next:
    """The hand that comes next: its number, who deals, who sits out, and where it goes.

    `last`: the last hand that stands. `half`: the one that stands and waits for numbers, if any.
    """

    number: int
    dealer: Player
    sitter: Player | None
    position: int
    last: uuid.UUID | None = None
    half: uuid.UUID | None = None


def where_next(sheet: Sheet, players: Sequence[Player]) -> Next:
    """Say where the sheet stands, in one query whatever its length.

    The dealer is whoever was marked by hand, until a later hand stands; then the player left of the
    last standing hand's dealer. Rows that were never dealt move no deal.
    """
    # Some fields of every row: to put six questions into words takes longer than to read 200 rows.
    fields = ("pk", "position", "public_id", "dealer", "half", "taken_back")
    newest_first = Round.objects.filter(sheet=sheet).order_by("-position")
    kept = list(newest_first.values_list(*fields, named=True))
    standing = [row for row in kept if not row.taken_back]
    last_dealt = next((row for row in standing if row.dealer is not None), None)
    marked_after = next((row.position for row in kept if row.pk == sheet.dealer_marked_after_id), 0)
    if last_dealt is not None and last_dealt.position > marked_after:
        dealer = seats.left_of(seats.now(players), last_dealt.dealer, among=players)
    else:
        assert sheet.dealer_mark_id is not None  # null only until a new sheet has its players
        dealer = _still_there(players, sheet.dealer_mark_id)
    return Next(
        number=len(standing) + 1,
        dealer=dealer,
        sitter=sitter_of(sheet.house_rules, seats.now(players), dealer),
        position=(kept[0].position if kept else 0) + POSITION_GAP,
        last=standing[0].public_id if standing else None,
        half=next((row.public_id for row in standing if row.half), None),
    )


def _still_there(players: Sequence[Player], marked: int) -> Player:
    """Return who was marked as dealer, or whoever sits at that place, or left of it, by now."""
    mark = seats.player(players, marked)
    here = (one for one in seats.now(players) if one.place == mark.place)
    return next(here, None) or seats.left_of(seats.now(players), marked, among=players)


def sitter_of(house: HouseRules, seated: Sequence[Player], dealer: Player) -> Player | None:
    """Return who sits out the hand of this dealer by these rules."""
    return seats.sits_out(games.GAMES[house.game], seated, dealer, house.value)


def where_before(later: Round, players: Sequence[Player]) -> Next:
    """Say where a forgotten hand goes that belongs before `later`, and who probably dealt it.

    That is whoever sits left of the dealer of the hand before it; before the first hand, whoever
    sits right of the dealer of the first.
    """
    standing = later.sheet.rounds.filter(taken_back=False, dealer__isnull=False)
    highest = later.sheet.rounds.filter(position__lt=later.position).order_by("position").last()
    low = highest.position if highest else 0
    position = (low + later.position) // 2
    last = standing.filter(position__lt=later.position).order_by("position").last()
    first = standing.filter(position__gte=later.position).order_by("position").first()
    seated = seats.during(players, later)
    if last and last.dealer_id:
        dealer = seats.left_of(seated, last.dealer_id, among=players)
    elif first and first.dealer_id:
        dealer = seats.right_of(seated, first.dealer_id, among=players)
    else:
        dealer = seated[0]
    sitter = sitter_of(later.house_rules, seated, dealer)
    return Next(number_of(later), dealer, sitter, position)


def pot_before(row: Round) -> int | None:
    """Return what the pot held before a round; None where there is no pot.

    Only computed rows keep that, and those between it and the next of them don't change the pot.
    """
    if row.sheet.pot is None:
        return None
    later = row.sheet.rounds.filter(taken_back=False, pot__isnull=False)
    held = later.filter(position__gte=row.position).order_by("position").values_list("pot").first()
    return held[0] if held else row.sheet.pot


def number_of(row: Round) -> int:
    """Return the number people see: the round's place among those that stand."""
    earlier = Round.objects.filter(sheet=row.sheet_id, position__lt=row.position, taken_back=False)
    return earlier.count() + 1


def membership(table_id: str, phone: str) -> Member | None:
    """Return this phone's membership of a table, with the table; None once it was removed."""
    if not codes.is_public_id(table_id):
        return None
    return (
        Member.objects.select_related("table__club", "person")
        .filter(table__public_id=table_id, phone=phone, removed_at=None)
        .first()
    )


def table_exists(table_id: str) -> bool:
    """Say whether there is a table at an address."""
    return Table.objects.filter(public_id=table_id).exists()


@dataclasses.dataclass(frozen=True, slots=True)
class TableOnHome:
    """A table this phone has joined, as Home lists it."""

    table: Table
    title: str
    sheet: Sheet


def tables_of(phone: str) -> list[TableOnHome]:
    """Return the tables a phone has joined, the one played at last first."""
    mine = Member.objects.filter(phone=phone, removed_at=None)
    tables = (
        Table.objects.filter(members__in=mine)
        .select_related("club")
        .annotate(
            latest=Subquery(best_first(Sheet.objects.filter(table=OuterRef("pk"))).values("pk")[:1])
        )
    )
    by_sheet = {table.latest: table for table in tables}
    found = []
    sheets = Sheet.objects.filter(pk__in=by_sheet).prefetch_related("players")
    for sheet in sheets.order_by("-started_at"):
        sheet.table = by_sheet[sheet.pk]
        found.append(TableOnHome(sheet.table, title(sheet.table, list(sheet.players.all())), sheet))
    return found


def title(table: Table, players: Sequence[Player]) -> str:
    """Return the table's name, or the names of those at it until somebody names it."""
    return table.name or names.listed([player.name for player in seats.now(players)])


def latest_sheet(table: Table) -> tuple[Sheet, list[Player]]:
    """Return the open sheet, or else the last one, with its players by place.

    Discarded sheets come last: a table shows one only when it never had another.
    """
    found = _with_players(table, Q(sheet__state=SheetState.OPEN))
    if found is None:
        newest = best_first(table.sheets.all()).values("pk")[:1]
        found = _with_players(table, Q(sheet=Subquery(newest)))
    assert found is not None  # a table is started with a sheet
    return found


def best_first(sheets: QuerySet[Sheet]) -> QuerySet[Sheet]:
    """Order sheets as a table shows them: the open one, then banked ones, the newest first."""
    rank = Case(
        When(state=SheetState.OPEN, then=0), When(state=SheetState.BANKED, then=1), default=2
    )
    return sheets.order_by(rank, "-started_at", "-pk")


def sheet_of(table: Table, sheet_id: str) -> tuple[Sheet, list[Player]] | None:
    """Return one of the table's sheets with its players by place."""
    if not codes.is_public_id(sheet_id):
        return None
    return _with_players(table, Q(sheet__public_id=sheet_id))


def people(players: Sequence[Player]) -> list[Person]:
    """Return the people at the table now, by seat."""
    seated = seats.now(players)
    by_key = Person.objects.in_bulk([player.person_id for player in seated])
    return [by_key[player.person_id] for player in seated]


def people_of_last_sheet(table: Table) -> list[Person]:
    """Return who sat at the table's newest sheet, discarded or not; nobody at a new table."""
    newest = table.sheets.order_by("-started_at", "-pk").values("pk")[:1]
    return list(Person.objects.filter(players__sheet=Subquery(newest)).distinct())


def again(sheet: Sheet) -> tuple[Sheet, list[Player]]:
    """Return a sheet and its players as they are now."""
    found = _with_players(sheet.table, Q(sheet=sheet.pk))
    assert found is not None
    return found


def _with_players(table: Table, which: Q) -> tuple[Sheet, list[Player]] | None:
    players = list(
        Player.objects.filter(which, sheet__table=table)
        .select_related("sheet__house_rules")
        .order_by("place", "pk")
    )
    if not players:
        return None
    sheet = players[0].sheet
    sheet.table = table
    return sheet, players


def hand_of(table: Table, round_id: uuid.UUID) -> tuple[Round, list[Player]] | None:
    """Return one hand of the table, on whichever sheet, with that sheet's players."""
    return _hand(Q(public_id=round_id, sheet__table=table))


def any_hand(pk: int) -> tuple[Round, list[Player]] | None:
    """Return a hand of any table, for staff."""
    return _hand(Q(pk=pk))


def _hand(which: Q) -> tuple[Round, list[Player]] | None:
    row = (
        Round.objects.filter(which)
        .select_related("house_rules", "sheet__table", "confirmed_by__person")
        .first()
    )
    if row is None:
        return None
    row.sheet, players = again(row.sheet)
    return row, players


def evenings(table: Table) -> list[tuple[Sheet, list[Player]]]:
    """Return the table's banked sheets, newest first, with their players.

    On one evening they go by their start, which no clock puts out of order.
    """
    sheets = sorted(
        table.sheets.filter(state=SheetState.BANKED).prefetch_related("players"),
        key=lambda sheet: (table.evening(sheet.played_at), sheet.started_at, sheet.pk),
        reverse=True,
    )
    return [(sheet, list(sheet.players.all())) for sheet in sheets]


def last_dealt(sheet: Sheet) -> datetime.datetime | None:
    """Return when the last hand that stands was entered at the table; None where none was.

    The last on the sheet: a forgotten hand or a correction on the next day, or what an organiser
    adds to a banked sheet, moves no match to another evening.
    """
    dealt = sheet.rounds.filter(taken_back=False, dealer__isnull=False, entered_by__isnull=False)
    return dealt.order_by("-position").values_list("entered_at", flat=True).first()


def evening(sheet: Sheet) -> datetime.date:
    """Return the evening of a sheet's last hand; that of its start while it has none."""
    banked = sheet.state == SheetState.BANKED
    last = None if banked else last_dealt(sheet)
    return sheet.table.evening(last or sheet.played_at)


def why_discarded(sheet: Sheet) -> str:
    """Return the reason an organiser gave for discarding a sheet."""
    changes = sheet.changes.filter(kind=ChangeKind.SHEET_DISCARDED)
    return changes.order_by("-version").values_list("reason", flat=True).first() or ""


def is_gone(table: Table, seen: Seen) -> bool:
    """Say whether this was seen in a history of the table that a restored backup has ended."""
    if seen == table.seen:
        return False
    then = table.changes.filter(version=seen.version).values_list("key", flat=True)
    return seen.is_gone(table.seen, then)


def change_at(table: Table) -> Change | None:
    """Return what made the version of the table that was read."""
    changes = table.changes.select_related("member__person", "user", "round")
    return changes.filter(version=table.version).first()


@dataclasses.dataclass(frozen=True, slots=True)
class Past:
    """A page of a table's history, newest first, and the names its ids stand for."""

    changes: list[Change]
    players: dict[int, str]
    people: dict[int, str]
    names_used: dict[int, str]
    older_than: int | None  # the version to ask for next
    rules: dict[int, HouseRules] = dataclasses.field(default_factory=dict)


def history(table: Table, *, older_than: int | None = None, row: Round | None = None) -> Past:
    """Return a page of what happened at the table, or all that happened to one hand."""
    changes = table.changes.select_related("member__person", "user", "round").order_by("-version")
    if row is not None:
        changes = changes.filter(round=row)
    if older_than is not None:
        changes = changes.filter(version__lt=older_than)
    page = list(changes[: HISTORY_PAGE + 1])
    more = len(page) > HISTORY_PAGE
    page = page[:HISTORY_PAGE]
    return past_of(table, page, older_than=page[-1].version if more else None)


def past_of(table: Table, changes: list[Change], *, older_than: int | None = None) -> Past:
    """Return changes of the table with the names that their ids stand for."""
    return Past(
        changes=changes,
        players=dict(Player.objects.filter(sheet__table=table).values_list("pk", "name")),
        people=dict(Person.objects.filter(table=table).values_list("pk", "name")),
        names_used=dict(NameUsed.objects.filter(person__table=table).values_list("pk", "name")),
        older_than=older_than,
        rules=_rules_of(changes),
    )


def _rules_of(changes: Sequence[Change]) -> dict[int, HouseRules]:
    """Return the house rules that these changes are about."""
    told = [said for one in changes if one.kind in ABOUT_RULES for said in (one.before, one.after)]
    ids = {said["rules"] for said in told if said}
    return HouseRules.objects.in_bulk(ids) if ids else {}


def saved_rules(table: Table) -> list[SavedRules]:
    """Return the house rules the table has given a name, by name."""
    return list(table.saved_rules.select_related("house_rules"))


def rules_changed_last(sheet: Sheet) -> Change | None:
    """Return the newest change of a sheet's rules; None where it was taken back, or none was."""
    about = sheet.changes.filter(kind__in=CHANGES_RULES).select_related("member__person", "user")
    last = about.order_by("-version").first()
    return last if last is not None and last.kind == ChangeKind.RULES_CHANGED else None
