"""Storing many made-up sheets of a club at once: what the rules make of them, in bulk inserts."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import functools
import itertools
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import connection
from django.db.models import OuterRef, Subquery

from rules import games
from sheets import names, rows
from sheets.actions.inserting import insert, new_keys
from sheets.actions.opening import free_code, stored_rules
from sheets.actions.writing import fingerprint_of, one_transaction
from sheets.demo import NAMES, SEATS, Deal, Evening
from sheets.models import (
    Change,
    ChangeKind,
    Club,
    ClubPerson,
    Entry,
    HouseRules,
    Person,
    Player,
    Result,
    Review,
    Round,
    RoundKind,
    Season,
    Sheet,
    SheetState,
    Table,
    User,
)
from sheets.models.sheet import POSITION_GAP
from sheets.oddities import DEALS_EACH, Odd, Oddity, stored
from sheets.results import results
from sheets.seen import mark_of_key

T = TypeVar("T")

AT_ONCE = 500  # sheets in one transaction
# The fields of a round that a deal decides, and the others that a stored one has.
_DECIDED = ("kind", "bidder_id", "bid", "trump", "outcome")
_STORED = ("id", "public_id", "sheet_id", "position", "house_rules_id", "changed")
_DEALT = ("entered_at", "dealer_id")
# The figures of a result that hands add up to; what was taken in comes first.
_FIGURES = ("units", "net", "hands", "bids", "made", "sets", "thrown_in", "bid_points", "spades")
_TO_REVIEW = 6  # of each table
_A_HAND = datetime.timedelta(minutes=4)


@dataclasses.dataclass(frozen=True, slots=True)
class DemoTable:
    """A table of the demo club, and its person for everybody on the roster, in order."""

    table: Table
    people: list[Person]


def demo_owner(email: str) -> User:
    """Return the user with this address; a new one cannot sign in before a password is set."""
    found = User.objects.filter(email=User.normalize_username(email)).first()
    return found or User.objects.create_user(email)


def demo_tables(club: Club, count: int) -> list[DemoTable]:
    """Store the roster of a demo club and its tables, at which everybody is known."""
    with one_transaction():
        roster = ClubPerson.objects.bulk_create(ClubPerson(club=club, name=one) for one in NAMES)
        tables = Table.objects.bulk_create(
            Table(code=free_code(), club=club, time_zone=club.time_zone, name=f"Table {number}")
            for number in range(1, count + 1)
        )
        return [
            DemoTable(
                table,
                Person.objects.bulk_create(
                    Person(table=table, name=one.name, club_person=one) for one in roster
                ),
            )
            for table in tables
        ]


def store_evenings(
    club: Club, tables: Sequence[DemoTable], house: Any, evenings: Iterable[Evening]
) -> Iterator[int]:
    """Store made-up sheets, all banked, a few hundred in a transaction; yield how many so far.

    Each has one line of history. All are approved but the newest of each table.
    """
    rules = stored_rules(games.DEFAULT, house)
    numbered = _numbered(evenings)
    batches = iter(lambda: list(itertools.islice(numbered, AT_ONCE)), [])
    stored = 0
    for some in _in_order(functools.partial(_store, club, tables, rules), batches):
        stored += some
        yield stored
    for table in club.tables.filter(changes__isnull=False).distinct():
        last = table.changes.latest("version")
        table.version, table.mark = last.version, mark_of_key(last.key)
        table.save(update_fields=("version", "mark"))


def _numbered(evenings: Iterable[Evening]) -> Iterator[tuple[int, Evening]]:
    """Give each evening the version that its sheet makes of its table."""
    versions: dict[int, int] = collections.Counter()
    for one in evenings:
        versions[one.table] += 1
        yield versions[one.table], one


def _in_order(work: Callable[[T], int], batches: Iterable[T]) -> Iterator[int]:
    """Do the work for each batch and yield what it answers.

    PostgreSQL looks up the foreign keys of one batch while the next one is being made; SQLite
    takes one after the other.
    """
    if connection.vendor != "postgresql":
        yield from map(work, batches)
        return

    def apart(batch: T) -> int:
        try:
            return work(batch)
        finally:
            connection.close()  # this thread's own

    waiting: collections.deque[Future[int]] = collections.deque()
    with ThreadPoolExecutor(2) as pool:
        for batch in batches:
            waiting.append(pool.submit(apart, batch))
            if len(waiting) > 2:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _store(
    club: Club,
    tables: Sequence[DemoTable],
    rules: HouseRules,
    numbered: Sequence[tuple[int, Evening]],
) -> int:
    """Store some evenings with all that hangs on them, a statement for each kind of row."""
    evenings = [evening for _version, evening in numbered]
    with one_transaction():
        sheets = Sheet.objects.bulk_create(
            _sheet(club, tables[one.table], rules, one, version) for version, one in numbered
        )
        _store_rows(tables, evenings, sheets)
        Change.objects.bulk_create(
            _imported(sheet, version, len(one.deals))
            for sheet, (version, one) in zip(sheets, numbered, strict=True)
        )
    return len(sheets)


def _store_rows(
    tables: Sequence[DemoTable], evenings: Sequence[Evening], sheets: Sequence[Sheet]
) -> None:
    taken = [_taken(sheet, evening) for evening, sheet in zip(evenings, sheets, strict=True)]
    players = Player.objects.bulk_create(
        player
        for evening, sheet, each in zip(evenings, sheets, taken, strict=True)
        for player in _players(sheet, tables[evening.table], evening, each)
    )
    seated = [players[n : n + SEATS] for n in range(0, len(players), SEATS)]
    _store_hands(evenings, sheets, seated)
    Result.objects.bulk_create(
        one
        for sheet, at, each in zip(sheets, seated, taken, strict=True)
        for one in _results(sheet, at, each)
    )
    first = Player.objects.filter(sheet=OuterRef("pk"), place=0).values("pk")
    marked = Sheet.objects.filter(pk__in=[sheet.pk for sheet in sheets])
    marked.update(dealer_mark=Subquery(first))


def _sheet(club: Club, at: DemoTable, house: HouseRules, evening: Evening, version: int) -> Sheet:
    started = evening.started.replace(tzinfo=club.zone)
    ended = started + _A_HAND * len(evening.deals)
    return Sheet(
        table=at.table,
        club=club,
        game=house.game,
        state=SheetState.BANKED,
        house_rules=house,
        started_at=started,
        ended_at=ended + _A_HAND,
        played_at=ended,
        oddities=stored(list(_oddities(house, evening.deals))),
        review=Review.TO_REVIEW if version <= _TO_REVIEW else Review.APPROVED,
    )


def _oddities(house: HouseRules, deals: Sequence[Deal]) -> Iterator[Odd]:
    """Say what is odd about made-up hands: of all that may be, two things."""
    if any(_is_odd(house, deal) for deal in deals):
        yield Odd(Oddity.BY_NO_RULE)
    if len(deals) < DEALS_EACH * SEATS:
        yield Odd(Oddity.SHORT)


@functools.lru_cache(maxsize=4096)
def _is_odd(house: HouseRules, deal: Deal) -> bool:
    return bool(deal.typed and games.GAMES[house.game].row_doubts(deal.typed, house.value))


def _taken(sheet: Sheet, evening: Evening) -> list[list[int | None]]:
    """Return what each seat's figures are over an evening, in the order of `_FIGURES`.

    Only a net may be missing: of one hand nobody can tell who paid whom, so of all of them.
    """
    taken: list[list[int | None]] = [[0] * len(_FIGURES) for _seat in range(SEATS)]
    for deal in evening.deals:
        for so_far, more in zip(taken, _adds(sheet.house_rules, deal), strict=True):
            for n, figure in enumerate(more):
                before = so_far[n]
                so_far[n] = None if before is None or figure is None else before + figure
    return taken


@functools.lru_cache(maxsize=4096)
def _adds(house: HouseRules, deal: Deal) -> tuple[tuple[int | None, ...], ...]:
    """Return what a hand adds to the figures of each seat: settled as if it were all of a sheet."""
    units = _units(house, deal)
    table = Table()
    sheet = Sheet(table=table, house_rules=house, game=house.game)
    at = [
        Player(pk=n + 1, sheet=sheet, person=Person(pk=n + 1), place=n, total=units[n])
        for n in range(SEATS)
    ]
    decided = dict(zip(_DECIDED, _decided(deal, [1, 2, 3]), strict=True))
    row = Round(sheet=sheet, position=1, house_rules=house, dealer_id=1, **decided)
    line = rows.line_from(row, at, 1, {n + 1: units[n] for n in range(SEATS)})
    by_person = {one.person_id: one for one in results(sheet, at, [line])}
    return tuple(tuple(getattr(by_person[n + 1], name) for name in _FIGURES) for n in range(SEATS))


def _units(house: HouseRules, deal: Deal) -> tuple[int, ...]:
    if deal.bidder is None:
        return deal.typed or (0,) * SEATS
    game = games.GAMES[house.game]
    hand = game.Hand(bidder=deal.bidder, bid=deal.bid, trump=deal.trump, outcome=deal.outcome)
    return game.settle(hand, house.value).entries


def _decided(deal: Deal, players: Sequence[int]) -> tuple[Any, ...]:
    """Return what a deal decides of a round, by `_DECIDED`; `players` are keys by seat."""
    kind = RoundKind.TYPED if deal.typed else RoundKind.PASSED_OUT
    return (
        str(kind if deal.bidder is None else RoundKind.PLAYED),
        None if deal.bidder is None else players[deal.bidder],
        deal.bid,
        deal.trump and str(deal.trump),
        deal.outcome and str(deal.outcome),
    )


def _players(
    sheet: Sheet, at: DemoTable, evening: Evening, taken: Sequence[Sequence[int | None]]
) -> Iterator[Player]:
    for place, (one, figures_) in enumerate(zip(evening.people, taken, strict=True)):
        person = at.people[one]
        yield Player(
            sheet=sheet,
            person=person,
            place=place,
            name=person.name,
            name_key=names.key(person.name),
            total=figures_[0] or 0,
        )


def _results(
    sheet: Sheet, players: Sequence[Player], taken: Sequence[Sequence[int | None]]
) -> Iterator[Result]:
    won = rows.winners(players)
    for player, each in zip(players, taken, strict=True):
        yield Result(
            sheet=sheet,
            person=player.person,
            won=player in won,
            shared=player in won and len(won) > 1,
            **dict(zip(_FIGURES, each, strict=True)),
        )


def _store_hands(
    evenings: Sequence[Evening], sheets: Sequence[Sheet], seated: Sequence[Sequence[Player]]
) -> None:
    """Store the hands and their entries: by far the most rows, so they go without the models."""
    keys = iter(new_keys(Round, sum(len(one.deals) for one in evenings)))
    hands, entries = [], []
    for evening, sheet, players in zip(evenings, sheets, seated, strict=True):
        at = [player.pk for player in players]
        for number, deal in enumerate(evening.deals, start=1):
            pk, dealt_at = next(keys), sheet.started_at + _A_HAND * number
            stored = (pk, uuid.uuid4(), sheet.pk, number * POSITION_GAP, sheet.house_rules_id, 1)
            dealer = at[(number - 1) % SEATS]
            hands.append((*stored, dealt_at, dealer, *_decided(deal, at)))
            adds = _adds(sheet.house_rules, deal)
            entries += [(pk, one, more[0], False) for one, more in zip(at, adds, strict=True)]
    insert(Round, _STORED + _DEALT + _DECIDED, hands)
    insert(Entry, ("round_id", "player_id", "units", "signed"), entries)


def _imported(sheet: Sheet, version: int, hands: int) -> Change:
    """Return the one line of a sheet's history."""
    assert sheet.ended_at is not None
    after = {"from": "demo", "hands": hands}
    return Change(
        table=sheet.table,
        version=version,
        kind=ChangeKind.SHEET_IMPORTED,
        sheet=sheet,
        system=True,
        after=after,
        at=sheet.ended_at,
        key=uuid.uuid4(),
        fingerprint=fingerprint_of("demo", sheet.public_id),
    )


def demo_seasons(club: Club, first: datetime.date, last: datetime.date) -> None:
    """Store a season for each quarter of a year from one day to another."""
    with one_transaction():
        Season.objects.bulk_create(_quarters(club, first, last))


def _quarters(club: Club, first: datetime.date, last: datetime.date) -> Iterator[Season]:
    starts = first.replace(month=first.month - (first.month - 1) % 3, day=1)
    while starts <= last:
        after = (starts + datetime.timedelta(days=95)).replace(day=1)
        name = f"{starts.year} · {(starts.month + 2) // 3}"
        ends = after - datetime.timedelta(days=1)
        yield Season(club=club, name=name, name_key=names.key(name), starts=starts, ends=ends)
        starts = after
