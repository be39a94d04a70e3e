"""What looks odd about a sheet: what an organiser looks at first. The app judges nothing by it."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence

from django.db import models
from django.utils.translation import gettext_lazy as _

from sheets import rows, seats
from sheets.models import NEVER_DEALT, Change, ChangeKind, Player, Sheet

# A hand takes five minutes or so: what is changed while the next is played is a slip of the thumb.
LATE_AFTER = datetime.timedelta(minutes=15)
# Fewer hands than this for each at the table make a very short sheet.
DEALS_EACH = 2

_CHANGES_A_HAND = (
    ChangeKind.HAND_EDITED,
    ChangeKind.HAND_TAKEN_BACK,
    ChangeKind.HAND_PUT_BACK,
    ChangeKind.HAND_CORRECTED,
)
# What changes what a sheet comes to, or opens the way to it.
_CHANGES_THE_SHEET = (
    *_CHANGES_A_HAND,
    ChangeKind.HAND_ENTERED,
    ChangeKind.NUMBER_ENTERED,
    ChangeKind.POT_SHARED,
    ChangeKind.TOTALS_REPLACED,
    ChangeKind.TOTALS_RESTORED,
    ChangeKind.RULES_CHANGED,
    ChangeKind.RULES_RESTORED,
    ChangeKind.SEATS_CHANGED,
    ChangeKind.SAT_DOWN,
    ChangeKind.SHEET_REOPENED,
)
_READ = (*_CHANGES_THE_SHEET, ChangeKind.SHEET_BANKED, ChangeKind.SHEET_IMPORTED)


class Oddity(models.TextChoices):
    """What may be odd about a sheet; the words stand in `Sheet.oddities`."""

    BY_NO_RULE = "by_no_rule", _("not by the rules")
    LATE = "late", _("changed late")
    AFTER_END = "after_end", _("changed after the end")
    UNEVEN = "uneven", _("uneven deals")
    SHORT = "short", _("very short")
    UNCONFIRMED = "unconfirmed", _("not confirmed")
    TWO_ENDS = "two_ends", _("ended twice")
    ALIKE = "alike", _("like another sheet")


@dataclasses.dataclass(frozen=True, slots=True)
class Odd:
    """One thing that is odd, and the hands it is about by the numbers people see.

    `off_sheet`: how many more it is about that do not stand.
    """

    kind: Oddity
    hands: tuple[str, ...] = ()
    off_sheet: int = 0


def changes_of(sheet: Sheet) -> list[Change]:
    """Return what `oddities` reads of a sheet's history, oldest first."""
    wanted = sheet.changes.filter(kind__in=_READ).order_by("version")
    return list(wanted.select_related("round").defer("before"))


def oddities(
    sheet: Sheet,
    players: Sequence[Player],
    lines: Sequence[rows.Line],
    changes: Sequence[Change],
    *,
    is_alike: bool,
) -> list[Odd]:
    """Return what is odd about a banked sheet with these hands and this history, oldest first.

    `is_alike`: another sheet that counts holds the same match.
    """
    number = {line.round.pk: line.number for line in lines}
    before, after = _by_the_end(changes)
    late = [one for one in before if _is_late(one)]
    by_no_rule = [line.number for line in lines if line.odd]
    unconfirmed = _unconfirmed(lines, changes)
    found = [
        Odd(Oddity.BY_NO_RULE, tuple(by_no_rule)) if by_no_rule else None,
        _about(Oddity.LATE, late, number),
        _about(Oddity.AFTER_END, after, number),
        Odd(Oddity.UNEVEN) if rows.deals(sheet, players).uneven else None,
        Odd(Oddity.SHORT) if _is_short(players, lines) else None,
        Odd(Oddity.UNCONFIRMED, tuple(unconfirmed)) if unconfirmed else None,
        Odd(Oddity.TWO_ENDS) if _ends(changes) > 1 else None,
        Odd(Oddity.ALIKE) if is_alike else None,
    ]
    return [one for one in found if one is not None]


def stored(found: Sequence[Odd]) -> str:
    """Return the words that a sheet keeps of them, with spaces around each."""
    return f" {' '.join(one.kind.value for one in found)} " if found else ""


def read(kept: str) -> list[Oddity]:
    """Return the kinds that a sheet keeps."""
    return [Oddity(word) for word in kept.split()]


def _by_the_end(changes: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """Split what changed the sheet at its first end; a sheet from elsewhere ended when it came."""
    ended = [one.version for one in changes if one.kind == ChangeKind.SHEET_BANKED] or [
        one.version for one in changes if one.kind == ChangeKind.SHEET_IMPORTED
    ]
    told = [one for one in changes if one.kind in _CHANGES_THE_SHEET]
    if not ended:
        return told, []
    return (
        [one for one in told if one.version < ended[0]],
        [one for one in told if one.version > ended[0]],
    )


def _is_late(one: Change) -> bool:
    if one.kind not in _CHANGES_A_HAND or one.round is None:
        return False
    return one.at - one.round.entered_at > LATE_AFTER


def _about(kind: Oddity, changes: Sequence[Change], number: dict[int, str]) -> Odd | None:
    if not changes:
        return None
    about = {one.round_id for one in changes if one.round_id is not None}
    standing = sorted((number[pk] for pk in about if pk in number), key=int)
    return Odd(kind, tuple(standing), off_sheet=len(about) - len(standing))


def _is_short(players: Sequence[Player], lines: Sequence[rows.Line]) -> bool:
    dealt = sum(line.round.kind not in NEVER_DEALT for line in lines)
    return dealt < DEALS_EACH * len(seats.now(players))


def _unconfirmed(lines: Sequence[rows.Line], changes: Sequence[Change]) -> list[str]:
    """Return the hands that nobody confirmed, where that was wanted when the match ended.

    What an organiser corrected or added is right by that.
    """
    ends = [one for one in changes if one.kind == ChangeKind.SHEET_BANKED]
    if not ends or not (ends[-1].after or {}).get("confirms"):
        return []
    theirs = {one.round_id for one in changes if is_organisers(one)}
    return [
        line.number
        for line in lines
        if line.round.confirmed_by_id is None and line.round.pk not in theirs
    ]


def is_organisers(one: Change) -> bool:
    """Say whether a change is an organiser's correction of a hand, or a hand that one added.

    Phones enter hands too; an imported history has a phone for each of those.
    """
    added = one.kind == ChangeKind.HAND_ENTERED and one.member_id is None
    return added or one.kind == ChangeKind.HAND_CORRECTED


def _ends(changes: Sequence[Change]) -> int:
    return sum(one.kind == ChangeKind.SHEET_BANKED for one in changes)
