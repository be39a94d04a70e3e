"""Every question a page asks, one named function each. Nothing here writes."""

from __future__ import annotations

import dataclasses
import datetime
import uuid
from collections.abc import Sequence

from django.db.models import (
    Case,
    Count,
    Exists,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from rules import cards, games
from rules.games import Settlement
from sheets import codes, names, seats
from sheets.models import (
    Change,
    Entry,
    Member,
    NameUsed,
    Person,
    Player,
    Round,
    RoundKind,
    Sheet,
    SheetState,
    Table,
)
from sheets.models.sheet import POSITION_GAP
from sheets.phone_queries import seat_news

NEWEST = 30  # hands on a page before the older ones are asked for
HISTORY_PAGE = 100
ASLEEP_AFTER = datetime.timedelta(hours=12)


@dataclasses.dataclass(frozen=True, slots=True)
class Next:
    """The hand that comes next: its number, its dealer and where it goes.

    `last`: the last hand that stands. `half`: the one that stands and waits for numbers, if any.
    """

    number: int
    dealer: Player
    position: int
    last: uuid.UUID | None = None
    half: uuid.UUID | None = None


def where_next(sheet: Sheet, players: Sequence[Player]) -> Next:
    """Say where the sheet stands, in one query whatever its length.

    The dealer is whoever was marked by hand, until a later hand stands; then the player left of the
    last standing hand's dealer.
    """
    rounds = Round.objects.filter(sheet=OuterRef("pk")).order_by().values("sheet")
    standing = Round.objects.filter(sheet=OuterRef("pk"), taken_back=False).order_by("-position")
    count = rounds.filter(taken_back=False).annotate(n=Count("pk")).values("n")
    highest = rounds.annotate(p=Max("position")).values("p")
    found = (
        Sheet.objects.filter(pk=sheet.pk)
        .values("dealer_mark", "dealer_marked_after__position")
        .annotate(
            hands=Coalesce(Subquery(count, output_field=IntegerField()), 0),
            highest=Coalesce(Subquery(highest, output_field=IntegerField()), 0),
            last=Subquery(standing.values("position")[:1]),
            last_dealer=Subquery(standing.values("dealer")[:1]),
            last_id=Subquery(standing.values("public_id")[:1]),
            half=Subquery(standing.filter(half=True).values("public_id")[:1]),
        )
        .get()
    )
    marked_after = found["dealer_marked_after__position"] or 0
    if found["last"] is not None and found["last"] > marked_after:
        dealer = seats.left_of(players, found["last_dealer"])
    else:
        dealer = seats.player(players, found["dealer_mark"])
    return Next(
        number=found["hands"] + 1,
        dealer=dealer,
        position=found["highest"] + POSITION_GAP,
        last=found["last_id"],
        half=found["half"],
    )


def where_before(later: Round, players: Sequence[Player]) -> Next:
    """Say where a forgotten hand goes that belongs before `later`, and who probably dealt it.

    That is whoever sits left of the dealer of the hand before it; before the first hand, whoever
    sits right of that one's dealer.
    """
    earlier = later.sheet.rounds.filter(position__lt=later.position).order_by("-position")
    highest = earlier.first()
    last = earlier.filter(taken_back=False).first()
    dealer = (
        seats.left_of(players, last.dealer_id) if last else seats.right_of(players, later.dealer_id)
    )
    low = highest.position if highest else 0
    return Next(number_of(later), dealer, (low + later.position) // 2)


def number_of(row: Round) -> int:
    """Return the number people see: the round's place among those that stand."""
    earlier = Round.objects.filter(sheet=row.sheet_id, position__lt=row.position, taken_back=False)
    return earlier.count() + 1


def membership(table_id: str, phone: str) -> Member | None:
    """Return this phone's membership of a table, with the table; None once it was removed."""
    if not codes.is_public_id(table_id):
        return None
    # Asked along with it, so that a page need not ask each time whether the table is to be deleted.
    wishes = Member.objects.filter(table=OuterRef("table"), agreed_to_delete_at__isnull=False)
    member = (
        Member.objects.select_related("table", "person", "asks")
        .filter(table__public_id=table_id, phone=phone, removed_at=None)
        .annotate(
            news=Case(When(seat_news(), then=True), default=False),
            some_agree_to_delete=Exists(wishes),
        )
        .first()
    )
    if member is not None:
        member.seat_news = member.news
    return member


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
    tables = Table.objects.filter(members__in=mine).annotate(
        latest=Subquery(_best_first(Sheet.objects.filter(table=OuterRef("pk"))).values("pk")[:1])
    )
    by_sheet = {table.latest: table for table in tables}
    sheets = Sheet.objects.filter(pk__in=by_sheet).prefetch_related("players")
    return [
        TableOnHome(by_sheet[sheet.pk], title(by_sheet[sheet.pk], list(sheet.players.all())), sheet)
        for sheet in sheets.order_by("-started_at")
    ]


def title(table: Table, players: Sequence[Player]) -> str:
    """Return the table's name, or its players' names until somebody names it."""
    return table.name or names.listed([player.name for player in players])


def latest_sheet(table: Table) -> tuple[Sheet, list[Player]]:
    """Return the open sheet, or else the last one, with its players by place.

    Discarded sheets come last: a table shows one only when it never had another.
    """
    newest = _best_first(table.sheets.all()).values("pk")[:1]
    found = _with_players(table, Q(sheet=Subquery(newest)))
    assert found is not None  # a table is started with a sheet
    return found


def _best_first(sheets: QuerySet[Sheet]) -> QuerySet[Sheet]:
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
    """Return the people behind the players, by seat."""
    by_key = Person.objects.in_bulk([player.person_id for player in players])
    return [by_key[player.person_id] for player in players]


def people_of_last_sheet(table: Table) -> list[Person]:
    """Return who sat at the table's newest sheet, discarded or not; nobody at a new table."""
    newest = table.sheets.order_by("-started_at", "-pk").values("pk")[:1]
    return list(Person.objects.filter(players__sheet=Subquery(newest)))


def again(sheet: Sheet) -> tuple[Sheet, list[Player]]:
    """Return a sheet and its players as they are now."""
    found = _with_players(sheet.table, Q(sheet=sheet.pk))
    assert found is not None
    return found


def _with_players(table: Table, which: Q) -> tuple[Sheet, list[Player]] | None:
    players = list(
        Player.objects.filter(which, sheet__table=table)
        .select_related("sheet__house_rules")
        .order_by("place")
    )
    if not players:
        return None
    sheet = players[0].sheet
    sheet.table = table
    return sheet, players


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """One hand as the pad shows it. Numbers are strings: templates format integers slowly."""

    round: Round
    number: str
    bidder: str
    bid: str
    suit: cards.Suit | None
    units: tuple[int | None, ...]
    running: tuple[str, ...]
    # A typed row that no hand gives.
    odd: bool
    # The players whose numbers a half hand waits for.
    missing: tuple[Player, ...]
    # Nobody in another seat has said yet that it is right, at a table that wants that.
    unconfirmed: bool

    @property
    def cells(self) -> tuple[str, ...]:
        """What each player took in, for the page; "?" where it is missing."""
        return tuple("?" if n is None else str(n) for n in self.units)

    def pairs(self) -> list[tuple[str, str]]:
        """What each player took in, with the running total after it."""
        return list(zip(self.cells, self.running, strict=True))


def lines(
    sheet: Sheet, players: Sequence[Player], where: Next, *, newest: int | None = NEWEST
) -> list[Line]:
    """Return the hands that stand before `where`, newest first; `newest` None wants all.

    Running totals are counted back from the players' totals, so that a page of a long sheet need
    not read the older hands.
    """
    # A hand entered since they were counted would shift all numbers: it waits for the next look.
    standing_rounds = sheet.rounds.filter(taken_back=False, position__lt=where.position)
    rounds = list(standing_rounds.order_by("-position")[:newest])
    entries: dict[int, dict[int, int]] = {row.pk: {} for row in rounds}
    found = Entry.objects.filter(round__in=rounds)
    for row_id, player_id, units in found.values_list("round", "player", "units"):
        entries[row_id][player_id] = units
    running = [player.total for player in players]
    shown = []
    for number, row in zip(range(where.number - 1, 0, -1), rounds, strict=False):
        if row.house_rules_id == sheet.house_rules_id:
            row.house_rules = sheet.house_rules
        taken_in = [entries[row.pk].get(player.pk) for player in players]
        shown.append(_line(row, players, number, taken_in, running))
        running = [total - (n or 0) for total, n in zip(running, taken_in, strict=True)]
    return shown


def line_of(row: Round, players: Sequence[Player]) -> Line:
    """Return one hand as the pad shows it."""
    units = units_of(row, players)
    return _line(row, players, number_of(row), units, [n or 0 for n in units])


def units_of(row: Round, players: Sequence[Player]) -> list[int | None]:
    """Return what each player took in, by place; None where a half hand waits for the number."""
    by_player = dict(row.entries.values_list("player", "units"))
    return [by_player.get(player.pk) for player in players]


def _line(
    row: Round,
    players: Sequence[Player],
    number: int,
    units: Sequence[int | None],
    running: Sequence[int],
) -> Line:
    whole = not row.half
    wants_a_word = row.sheet.table.confirm and row.sheet.is_open and not row.taken_back
    return Line(
        round=row,
        number=str(number),
        bidder=seats.player(players, row.bidder_id).name if row.bidder_id else "",
        bid=str(row.bid or ""),
        suit=cards.Suit(row.trump) if row.trump else None,
        units=tuple(units),
        running=tuple(str(n) for n in running),
        odd=row.kind == RoundKind.TYPED and whole and settlement(row, players, units) is None,
        missing=tuple(p for p, n in zip(players, units, strict=True) if n is None),
        unconfirmed=wants_a_word and whole and row.confirmed_by_id is None,
    )


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


def settlement(
    row: Round, players: Sequence[Player], units: Sequence[int | None]
) -> Settlement | None:
    """Return who pays whom for a hand and why, under its own rules; None where nobody can tell.

    A typed row is settled where its numbers are all there and have one of the shapes of the game.
    """
    game = games.GAMES[row.house_rules.game]
    house = row.house_rules.value
    match RoundKind(row.kind):
        case RoundKind.PLAYED:
            hand = seats.hand(
                game,
                players,
                bidder=row.bidder_id,
                bid=row.bid,
                trump=row.trump,
                outcome=row.outcome,
                dealer=row.dealer_id,
            )
            return game.settle(hand, house)
        case RoundKind.TYPED:
            there = [n for n in units if n is not None]
            return game.settle_row(there, house) if len(there) == len(players) else None
        case RoundKind.PASSED_OUT:
            return None


@dataclasses.dataclass(frozen=True, slots=True)
class Standing:
    """A player's place on a sheet; equal totals share one, and the next is skipped."""

    player: Player
    place: int
    total: str
    leads: bool


def standings(players: Sequence[Player]) -> list[Standing]:
    """Return every player's place, in the order of the columns.

    Nobody leads before somebody has more than the others.
    """
    totals = sorted((player.total for player in players), reverse=True)
    return [
        Standing(
            player=player,
            place=1 + sum(other.total > player.total for other in players),
            total=str(player.total),
            leads=player.total == totals[0] > totals[1],
        )
        for player in players
    ]


def winners(players: Sequence[Player]) -> list[Player]:
    """Return who took in the most; several on a tie, nobody where every column is 0."""
    most = max(player.total for player in players)
    return [player for player in players if most and player.total == most]


def deals(sheet: Sheet, players: Sequence[Player]) -> list[tuple[Player, int]]:
    """Return how often each player has dealt a hand that stands."""
    counted = dict(
        sheet.rounds.filter(taken_back=False).order_by().values_list("dealer").annotate(Count("pk"))
    )
    return [(player, counted.get(player.pk, 0)) for player in players]


def evenings(table: Table) -> list[tuple[Sheet, list[Player]]]:
    """Return the table's banked sheets, newest first, with their players."""
    sheets = (
        table.sheets.filter(state=SheetState.BANKED)
        .order_by("-started_at", "-pk")
        .prefetch_related("players")
    )
    return [(sheet, list(sheet.players.all())) for sheet in sheets]


def asleep(sheet: Sheet, shown: Sequence[Line]) -> bool:
    """Say whether an open sheet's last hand is so old that the evening is probably another one."""
    return (
        sheet.is_open and bool(shown) and timezone.now() - shown[0].round.entered_at > ASLEEP_AFTER
    )


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
    )
