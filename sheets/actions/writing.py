"""The one way anything is written: one lock, one transaction, one line of history.

An action is a function that is handed a `Step`: the table is locked, the phone is a member, the key
is new. It may refuse by raising `Refusal`; whatever it wrote by then is rolled back. Callers get a
value.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Max, Q

from rules import RuleError
from sheets import lifetimes, outages
from sheets.actions.answers import Answer, Moved, Refusal, Refused, Saved, Why, mark_of
from sheets.live import notices
from sheets.models import (
    Change,
    ChangeKind,
    ClubChange,
    Member,
    Organiser,
    Player,
    Round,
    Sheet,
    SheetState,
    Table,
    User,
)
from sheets.models.sheet import MOST_REASON
from sheets.seen import Seen, mark_of_key


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """Who asks for a change: the phone (its hash) or a signed-in user, with a key of its own.

    `seen` is the table as the person had it before their eyes when they opened the form,
    `agreed` the mark of the moves of other hands that they said yes to. `as_staff`: the admin,
    which has looked at the user's permissions, lets them act at any table, in a locked club too.
    """

    table: int
    key: uuid.UUID
    seen: Seen
    agreed: str = ""
    phone: str = ""
    user: User | None = None
    as_staff: bool = False


MOST_PHONES: Final = 10_000  # ever, at one table

P = ParamSpec("P")
T = TypeVar("T")


@dataclasses.dataclass(slots=True)
class Step:
    """A write under way: everything in it was read under the table's lock."""

    table: Table
    write: Write
    fingerprint: str
    member: Member | None
    # What others did after `write.seen`, oldest first.
    since: list[Change]

    @property
    def me(self) -> Member:
        """The phone that acts; only users act without being a member."""
        assert self.member is not None
        return self.member

    @property
    def version(self) -> int:
        """The table version this step will make."""
        return self.table.version + 1

    def sheet(self, public_id: str) -> tuple[Sheet, list[Player]]:
        """Return the table's sheet, open or not, and all its players by place."""
        players = list(
            Player.objects.filter(sheet__table=self.table, sheet__public_id=public_id)
            .select_related("sheet__house_rules")
            .order_by("place", "pk")
        )
        if not players:
            raise Refusal(Why.NOT_THERE)
        sheet = players[0].sheet
        sheet.table = self.table
        return sheet, players

    def open_sheet(self, public_id: str) -> tuple[Sheet, list[Player]]:
        """Return the table's open sheet and its players, or refuse."""
        sheet, players = self.sheet(public_id)
        if sheet.state != SheetState.OPEN:
            raise Refusal(Why.ENDED, sheet=sheet)
        return sheet, players

    def refuse_if_others(
        self,
        kinds: Iterable[ChangeKind],
        *,
        sheet: Sheet | None = None,
        round: Round | None = None,
    ) -> None:
        """Refuse when another phone did one of `kinds` since, to this sheet and round if given."""
        wanted = set(kinds)
        for change in reversed(self.since):
            if (
                change.kind in wanted
                and (sheet is None or change.sheet_id == sheet.pk)
                and (round is None or change.round_id == round.pk)
            ):
                raise Refusal(Why.STALE, change=change, sheet=sheet)

    def ask(self, moves: Sequence[Moved], *, sheet: Sheet) -> None:
        """Refuse until somebody has seen what else changes and said yes to exactly that."""
        if moves and self.write.agreed != mark_of(moves):
            raise Refusal(Why.MOVES, moves=tuple(moves), sheet=sheet)

    def begun_by_others(self, sheet: Sheet) -> list[Change]:
        """Return the first numbers with which other phones have begun a hand since, newest first.

        Like an entered hand such a one stands in the way of the next; not where this phone has
        worked on it itself meanwhile, as then it knows of it.
        """
        begun = [
            change
            for change in reversed(self.since)
            if change.kind == ChangeKind.NUMBER_ENTERED
            and change.before is None
            and change.sheet_id == sheet.pk
        ]
        if not begun:
            return []
        mine = self.table.changes.filter(member=self.me, version__gt=self.write.seen.version)
        known = set(mine.values_list("round", flat=True))
        return [change for change in begun if change.round_id not in known]

    def record(
        self,
        kind: ChangeKind,
        *,
        sheet: Sheet | None = None,
        round: Round | None = None,
        before: Any = None,
        after: Any = None,
        reason: str = "",
    ) -> Change:
        """Append the line of history, raise the table's version and let its phones know."""
        if len(reason) > MOST_REASON:
            raise Refusal(Why.LONG_REASON)
        self.table.version, self.table.mark = self.version, mark_of_key(self.write.key)
        if kind in lifetimes.PLAYED_ON:
            self.table.to_delete = False  # whoever plays on keeps the table
        self.table.save(
            update_fields=("version", "mark", "name", "name_folded", "asked_at", "to_delete")
        )
        change = Change.objects.create(
            table=self.table,
            version=self.table.version,
            kind=kind,
            sheet=sheet,
            round=round,
            member=self.member,
            user=self.write.user,
            before=before,
            after=after,
            reason=reason,
            key=self.write.key,
            fingerprint=self.fingerprint,
        )
        notices.announce(change)
        return change


# SQLite has no queue for its write lock, only naps that grow: with this lock in front of it nobody
# starves. PostgreSQL queues by itself.
_one_writer = threading.Lock()


@contextmanager
def one_writer() -> Iterator[None]:
    """Hold this process's turn to write; raises `outages.BusyError` when it does not come in time.

    Waiting for others of this process and then, in `BEGIN`, for other processes takes
    `settings.WAIT_FOR_LOCK` seconds at most, together. PostgreSQL has a `lock_timeout`.
    """
    if connection.vendor != "sqlite":
        yield
        return
    until = time.monotonic() + settings.WAIT_FOR_LOCK
    if not _one_writer.acquire(timeout=settings.WAIT_FOR_LOCK):
        raise outages.BusyError("others of this server were writing")
    try:
        with _patience(until - time.monotonic()):
            yield
    finally:
        _one_writer.release()


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """Let SQLite wait so long for other processes, and as long as ever afterwards."""
    connection.ensure_connection()
    database = connection.connection
    database.execute(f"PRAGMA busy_timeout = {max(int(seconds * 1000), 1)}")
    try:
        yield
    finally:
        database.execute(f"PRAGMA busy_timeout = {int(settings.WAIT_FOR_LOCK * 1000)}")


@contextmanager
def one_transaction() -> Iterator[None]:
    """Write in one transaction, in this process's turn."""
    with one_writer(), transaction.atomic():
        yield


def _plain(value: Any) -> Any:
    """Turn what actions are handed into JSON for the fingerprint."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)


def fingerprint_of(verb: str, *what: Any) -> str:
    """Return what tells a repeat of a write from another one under the same key."""
    text = json.dumps([verb, *what], default=_plain, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def first_answer(change: Change, write: Write, fingerprint: str) -> Saved:
    """Answer a known key: the same write gets its first answer again, another is refused.

    Its author is told what was saved then.
    """
    same_author = (
        change.user == write.user if change.member is None else change.member.phone == write.phone
    )
    if not same_author or change.fingerprint != fingerprint:
        tells = same_author and change.table_id == write.table
        raise Refusal(Why.KEY_USED, change=change if tells else None)
    return Saved(change, repeated=True)


def in_one_transaction(work: Callable[[], T], *, key: uuid.UUID | None = None) -> T | Refused:
    """Run the work as one transaction and turn a refusal into a value.

    Two writes with one key can meet where no row is locked yet (two tables, or no table yet): the
    unique key lets one of them through, and the other looks again and finds its answer. A write
    stores its `key` in several places; where another write was there first it is refused.
    """

    def once() -> T:
        with one_transaction():
            return work()

    try:
        try:
            return once()
        except IntegrityError:
            return once()
    except IntegrityError:
        if key is None or not _is_used(key):
            raise
        return Refused(why=Why.KEY_USED)
    except Refusal as refusal:
        return Refused(why=refusal.why, **refusal.details)
    except RuleError as error:
        return Refused(why=Why.IMPOSSIBLE, error=error)


def _is_used(key: uuid.UUID) -> bool:
    return (
        Change.objects.filter(key=key).exists()
        or ClubChange.objects.filter(key=key).exists()
        or Round.objects.filter(public_id=key).exists()
    )


def _lock(write: Write, newcomers: bool) -> tuple[Table, Member | None]:
    """Lock the table's row and find who is writing; the version is read under the lock.

    PostgreSQL reads again only the rows that it locks. The member's is among them, after the
    table's: a phone that was removed while its hand waited for the lock is seen to be removed.
    Whoever changes a member holds the lock of its table, so that nobody waits in a circle.
    """
    if write.user is None and not newcomers:
        member = (
            Member.objects.select_for_update(of=("table", "self"))
            .select_related("table__club", "person")
            .filter(table=write.table, phone=write.phone)
            .first()
        )
        if member is None:
            raise Refusal(Why.NOT_A_MEMBER)
        if member.removed_at is not None:
            raise Refusal(Why.REMOVED, member=member)
        _refuse_if_locked(member.table)
        return member.table, member
    table = (
        Table.objects.select_for_update(of=("self",))
        .select_related("club")
        .filter(pk=write.table)
        .first()
    )
    if table is None:
        raise Refusal(Why.NOT_THERE)  # deleted since the page was made
    if write.user is not None:
        if not write.as_staff:
            _refuse_if_not_theirs(table, write.user)
        return table, None
    _refuse_if_locked(table)
    return table, table.members.filter(phone=write.phone).select_related("person").first()


def _refuse_if_locked(table: Table) -> None:
    if table.club is not None and table.club.locked:
        raise Refusal(Why.CLUB_LOCKED)


def _refuse_if_not_theirs(table: Table, user: User) -> None:
    """Let organisers act at the tables of their clubs, staff among them like all others."""
    if not Organiser.objects.filter(club=table.club_id, user=user).exists():
        raise Refusal(Why.NOT_AN_ORGANISER)
    _refuse_if_locked(table)


def _is_own(change: Change, member: Member | None, user: User | None) -> bool:
    if member is not None:
        return change.member_id == member.pk
    return user is not None and change.user_id == user.pk


def add_member(table: Table, phone: str) -> Member:
    """Store a phone as the next member of the table; the table is locked or new.

    Phones that were removed count too: they keep their numbers.
    """
    last = table.members.aggregate(last=Max("number"))["last"] or 0
    if last >= MOST_PHONES:
        raise Refusal(Why.MANY_PHONES)
    return Member.objects.create(table=table, phone=phone, number=last + 1)


def _performed(
    body: Callable[Concatenate[Step, P], Change | Saved], *, newcomers: bool
) -> Callable[Concatenate[Write, P], Answer]:
    @functools.wraps(body)
    def perform(write: Write, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        fingerprint = fingerprint_of(body.__name__, write.table, args, kwargs)

        def work() -> Saved:
            table, member = _lock(write, newcomers)
            # One query for all questions: is the key known, is what was seen still part of history,
            # and what have others done meanwhile?
            found = list(
                Change.objects.filter(
                    Q(key=write.key) | Q(table=table, version__gte=write.seen.version)
                )
                .select_related("member__person", "user", "round")
                .order_by("version")
            )
            for change in found:
                if change.key == write.key:
                    return first_answer(change, write, fingerprint)
            then = [change.key for change in found if change.version == write.seen.version]
            if write.seen.is_gone(table.seen, then):
                last = table.changes.select_related("member__person", "user", "round").first()
                raise Refusal(Why.SET_BACK, change=last, seen=table.seen)
            since = [
                change
                for change in found
                if change.version > write.seen.version and not _is_own(change, member, write.user)
            ]
            step = Step(table, write, fingerprint, member, since)
            try:
                done = body(step, *args, **kwargs)
            except Refusal as refusal:
                refusal.details["seen"] = table.seen
                raise
            return done if isinstance(done, Saved) else Saved(done)

        return in_one_transaction(work, key=write.key)

    return perform


def action(
    body: Callable[Concatenate[Step, P], Change | Saved],
) -> Callable[Concatenate[Write, P], Answer]:
    """Make a public action of a body that works on a `Step`: callers hand in a `Write` instead."""
    return _performed(body, newcomers=False)


def action_for_newcomers(
    body: Callable[Concatenate[Step, P], Change | Saved],
) -> Callable[Concatenate[Write, P], Answer]:
    """The same, where the phone need not be a member yet, or no longer is one."""
    return _performed(body, newcomers=True)
