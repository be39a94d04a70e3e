"""What is asked about the phones of a table: who is in, by which code, and in which seat."""

from __future__ import annotations

import dataclasses
import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from sheets import codes, presence
from sheets.models import Change, ChangeKind, Member, Person, PhoneLink, Sheet, SheetState, Table

# After the last End match a code opens its table for a day, for whoever comes to see the result.
CODE_LASTS = datetime.timedelta(hours=24)
# A seat is in use while its phone was heard of this lately.
IN_USE_FOR = datetime.timedelta(minutes=15)
# Whoever asks for a seat in use gets an answer in this time, or none.
ASK_LASTS = datetime.timedelta(minutes=2)
# How long a phone that asked is told what came of it, and among how many of the newest changes.
ASK_TOLD = datetime.timedelta(minutes=10)
_ASK_AMONG = 30
UNDO_REMOVAL_FOR = datetime.timedelta(minutes=10)
LINK_LASTS = datetime.timedelta(minutes=15)

_ANSWERS = (ChangeKind.SEAT_GIVEN, ChangeKind.SEAT_REFUSED)


def seat_news(table: Table) -> bool:
    """Say whether a phone asked for a seat lately, or was answered."""
    return table.asked_at is not None and table.asked_at > timezone.now() - ASK_TOLD


@dataclasses.dataclass(frozen=True, slots=True)
class Ask:
    """A phone that asks for the seat of a person, until when others can answer."""

    asker: Member
    person: Person
    until: datetime.datetime

    @property
    def number(self) -> int:
        """The number of the phone that asks."""
        return self.asker.number


def asks_to_answer(member: Member) -> list[Ask]:
    """Return what the other phones of the table ask this one, the oldest question first."""
    if not seat_news(member.table):
        return []
    open_asks = _open_asks(member.table).exclude(pk=member.pk)
    return [_ask(asker) for asker in open_asks.order_by("asked_at")]


@dataclasses.dataclass(frozen=True, slots=True)
class OwnAsk:
    """What came of this phone's own question for a seat; `answer` None while it is open."""

    person: Person
    until: datetime.datetime | None = None
    answer: ChangeKind | None = None
    by: Member | None = None


def own_ask(member: Member) -> OwnAsk | None:
    """Return this phone's question for a seat: open, or what came of it in the last minutes.

    Silence is an answer too, wherever it is looked at.
    """
    if not seat_news(member.table):
        return None
    since = timezone.now() - ASK_TOLD
    if member.asks is not None and member.asked_at is not None and member.asked_at > since:
        until = member.asked_at + ASK_LASTS
        if until > timezone.now():
            return OwnAsk(member.asks, until)
        return OwnAsk(member.asks, answer=ChangeKind.SEAT_REFUSED)
    answers = Change.objects.filter(
        table=member.table, version__gt=member.table.version - _ASK_AMONG, kind__in=_ANSWERS
    )
    newest = answers.filter(at__gt=since).select_related("member__person").order_by("-version")
    for change in newest:
        after = change.after or {}
        if after["member"] == member.pk:
            person = Person.objects.get(pk=after["person"])
            return OwnAsk(person, answer=ChangeKind(change.kind), by=change.member)
    return None


def asker(table: Table, number: int, person_id: int) -> Member | None:
    """Return the phone of this number, if it still asks for the seat of this person."""
    return _open_asks(table).filter(number=number, asks=person_id).first()


def _open_asks(table: Table) -> QuerySet[Member]:
    return Member.objects.select_related("asks", "person").filter(
        table=table, removed_at=None, asked_at__gt=timezone.now() - ASK_LASTS
    )


def _ask(member: Member) -> Ask:
    assert member.asks is not None
    assert member.asked_at is not None
    return Ask(member, member.asks, member.asked_at + ASK_LASTS)


def seat_in_use(person_id: int, *, but_for: Member) -> bool:
    """Say whether another phone of this person was heard of lately."""
    phones = Member.objects.filter(person=person_id, removed_at=None).exclude(pk=but_for.pk)
    now = timezone.now()  # a moment in the future is one of a clock that was put back since
    return any(abs(now - presence.last(phone)) < IN_USE_FOR for phone in phones)


def scorers(table: Table) -> list[Person]:
    """Return who has given a name at the table without ever playing there."""
    return list(
        table.people.filter(players=None, members__removed_at=None, members__isnull=False)
        .distinct()
        .order_by("pk")
    )


# Codes.


def _awake() -> Q:
    sheets = Sheet.objects.filter(table=OuterRef("pk"))
    lately = timezone.now() - CODE_LASTS
    return Q(Exists(sheets.filter(Q(state=SheetState.OPEN) | Q(ended_at__gt=lately))))


def table_opened_by(key: str) -> Table | None:
    """Return the table that a join code, or the longer secret of a link, opens now.

    A code that sleeps, one of a locked table and one that never was take the same one query.
    """
    if not key:
        return None
    opened = {"join_secret" if codes.is_link_secret(key) else "code": key}
    return Table.objects.filter(_awake(), joining_locked=False, **opened).first()


def code_sleeps(table: Table) -> bool:
    """Say whether the last match of the table ended so long ago that its code opens nothing."""
    return not Table.objects.filter(_awake(), pk=table.pk).exists()


def watched(watch_id: str) -> Table | None:
    """Return the table a watch link shows."""
    if not codes.is_public_id(watch_id):
        return None
    return Table.objects.select_related("club").filter(watch_id=watch_id).first()


# The phones at a table.


def removal(table_id: str, phone: str) -> Member | None:
    """Return the membership that was taken from this phone, with who took it."""
    if not phone or not codes.is_public_id(table_id):
        return None
    return (
        Member.objects.select_related("table__club", "removed_by__person")
        .filter(table__public_id=table_id, phone=phone, removed_at__isnull=False)
        .first()
    )


def phones(table: Table) -> list[Member]:
    """Return the phones at the table in the order they joined."""
    return list(table.members.filter(removed_at=None).select_related("person"))


def removed_phones(table: Table) -> list[Member]:
    """Return the phones that were removed so lately that they can be let back in."""
    since = timezone.now() - UNDO_REMOVAL_FOR
    return list(
        table.members.filter(removed_at__gt=since).select_related("person", "removed_by__person")
    )


def phone_of(table: Table, number: int) -> Member | None:
    """Return one phone of the table, removed or not."""
    return table.members.filter(number=number).select_related("person").first()


# From one phone to another.


def memberships(phone: str) -> list[Member]:
    """Return all that a phone is a member of, in one order for everybody who locks the tables."""
    return list(
        Member.objects.filter(phone=phone, removed_at=None)
        .select_related("table", "person")
        .order_by("table_id")
    )


def is_anywhere(phone: str) -> bool:
    """Say whether a phone is a member of any table."""
    return bool(phone) and Member.objects.filter(phone=phone, removed_at=None).exists()


def phone_link(secret: str) -> PhoneLink | None:
    """Return the link with this secret, used or not."""
    if not codes.is_phone(secret):
        return None
    return PhoneLink.objects.filter(secret_hash=codes.phone_hash(secret)).first()


def link_is_open(link: PhoneLink) -> bool:
    """Say whether a link still brings its tables."""
    return link.used_at is None and link.made_at > timezone.now() - LINK_LASTS
