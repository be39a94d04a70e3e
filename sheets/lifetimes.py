"""How long things last: an end to take back, a wish to delete, a table nobody plays at."""

from __future__ import annotations

import dataclasses
import datetime

from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from sheets import names, presence
from sheets.models import ChangeKind, Member, Person, Player, Round, Sheet, SheetState, Table

REOPENS_FOR = datetime.timedelta(minutes=10)
ASKED_IF_HEARD_OF = datetime.timedelta(days=7)

# What makes void that phones agreed to delete the table: somebody plays on, or comes to it.
PLAYED_ON = (
    ChangeKind.JOINED,
    ChangeKind.PHONE_BACK,
    ChangeKind.SHEET_STARTED,
    ChangeKind.SHEET_REOPENED,
    ChangeKind.HAND_ENTERED,
    ChangeKind.HAND_EDITED,
    ChangeKind.HAND_TAKEN_BACK,
    ChangeKind.HAND_PUT_BACK,
    ChangeKind.HAND_CORRECTED,
    ChangeKind.NUMBER_ENTERED,
    ChangeKind.POT_SHARED,
    ChangeKind.TOTALS_REPLACED,
    ChangeKind.TOTALS_RESTORED,
    ChangeKind.SAT_DOWN,
)


def a_hand_stands(sheet: Sheet) -> bool:
    """Say whether any hand of the sheet stands."""
    return sheet.rounds.filter(taken_back=False).exists()


def discarded_by_organiser(sheet: Sheet) -> bool:
    """Say whether an organiser took a sheet with hands away; they can give it back."""
    discarded = sheet.state == SheetState.DISCARDED and sheet.ended_by_id is None
    return discarded and a_hand_stands(sheet)


def taken_away(sheet: Sheet) -> Sheet | None:
    """Return the sheet that an organiser took away last: this one, or one since at its table."""
    later = Sheet.objects.filter(
        table=sheet.table_id, pk__gte=sheet.pk, state=SheetState.DISCARDED, ended_by=None
    )
    last = later.select_related("ended_by").order_by("-pk").first()
    return last if last is not None and discarded_by_organiser(last) else None


def newer_hand_stands(sheet: Sheet) -> bool:
    """Say whether a hand stands on a sheet that was started after this one."""
    newer = Round.objects.filter(sheet__table=sheet.table_id, sheet__gt=sheet.pk)
    return newer.filter(taken_back=False).exists()


def reopens_until(sheet: Sheet) -> datetime.datetime | None:
    """Return until when the clock lets a member take back an end; None: not, or no longer."""
    if sheet.state != SheetState.BANKED or sheet.ended_at is None:
        return None
    until = sheet.ended_at + REOPENS_FOR
    return until if timezone.now() <= until else None


def sheet_before(sheet: Sheet) -> Sheet | None:
    """Return the sheet that was banked last before this one was started."""
    return Sheet.objects.filter(
        table=sheet.table_id, pk__lt=sheet.pk, state=SheetState.BANKED
    ).last()


@dataclasses.dataclass(frozen=True, slots=True)
class Deletion:
    """Some phones want a table deleted: which, and which have not agreed so far."""

    agree: list[Member]  # whoever asked first comes first
    missing: list[Member]

    @property
    def of(self) -> int:
        """How many phones are asked."""
        return len(self.agree) + len(self.missing)


def asked_to_delete(table: Table) -> Deletion:
    """Sort the phones that are asked whether the table goes: all that were heard of this week.

    Only what was agreed since the table was last played at counts.
    """
    played = table.changes.filter(kind__in=PLAYED_ON).aggregate(last=Max("version"))["last"] or 0
    yes = table.changes.filter(kind=ChangeKind.DELETE_AGREED, version__gt=played)
    agreed = dict(yes.order_by("-version").values_list("member", "version"))  # the first of each
    lately = timezone.now() - ASKED_IF_HEARD_OF
    phones = [
        phone
        for phone in table.members.select_related("person").filter(removed_at=None)
        if presence.last(phone) >= lately
    ]
    agree: list[Member] = []
    missing: list[Member] = []
    for phone in phones:
        agrees = phone.agreed_to_delete_at is not None and phone.pk in agreed
        (agree if agrees else missing).append(phone)
    agree.sort(key=lambda phone: agreed[phone.pk])
    return Deletion(agree, missing)


@dataclasses.dataclass(frozen=True, slots=True)
class Size:
    """What goes when a table goes."""

    sheets: int
    hands: int
    phones: int


def size(table: Table) -> Size:
    """Count what a table holds."""
    return Size(
        sheets=table.sheets.exclude(state=SheetState.DISCARDED).count(),
        hands=Round.objects.filter(sheet__table=table, taken_back=False).count(),
        phones=table.members.filter(removed_at=None).count(),
    )


def last_change(table: Table) -> datetime.datetime:
    """Return when anything was last done at a table; a table is started with a change."""
    return table.changes.order_by("-version").values_list("at", flat=True)[0]


def purged_on(table: Table) -> datetime.datetime | None:
    """Return when the table is deleted unless somebody plays before; None: never.

    What belongs to a club is kept until its organisers delete it: seasons are made of it.
    """
    days: int = settings.PURGE_AFTER_DAYS
    if not days or table.club_id is not None:
        return None
    return last_change(table) + datetime.timedelta(days=days)


def unused_since(moment: datetime.datetime) -> list[tuple[Table, datetime.datetime]]:
    """Return the tables of no club without a change since a moment, and when each had its last."""
    free = Table.objects.filter(club=None)
    found = free.annotate(last=Max("changes__at")).filter(last__lt=moment)
    return [(table, table.last) for table in found.order_by("last")]


def former_people(table: Table) -> set[int]:
    """Return who was erased and has not been given a name again since."""
    steps = table.changes.filter(kind=ChangeKind.PERSON_ERASED)
    erased = {step.after["person"] for step in steps if step.after}
    named = Player.objects.filter(person__in=erased).exclude(name_key__startswith=names.NO_NAME)
    return erased - set(named.values_list("person", flat=True))


def erasable(table: Table) -> list[Person]:
    """Return the table's people who can be erased: all but those at the open sheet."""
    people = table.people.exclude(players__sheet__state=SheetState.OPEN).exclude(
        pk__in=former_people(table)
    )
    return sorted(people, key=lambda one: (names.in_order(one.name), one.pk))
