"""What a sheet waits for: the numbers of a half hand, and a second person's word for a hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from sheets import queries, rows, seats
from sheets.models import Change, ChangeKind, Member, Player, Round, Sheet
from sheets.rows import Line


def half_line(where: queries.Next, lines: Sequence[Line]) -> Line | None:
    """Return the half hand that stands, where it is among these lines."""
    return next((line for line in lines if line.round.public_id == where.half), None)


def half_hand(sheet: Sheet, players: Sequence[Player]) -> Line | None:
    """Return the half hand that stands on a sheet."""
    row = sheet.rounds.filter(half=True, taken_back=False).select_related("house_rules").first()
    return rows.line_of(row, players) if row else None


def columns_filled(change: Change | None) -> list[int]:
    """Return the players whose numbers a change put in by themselves, by key; mostly nobody's."""
    if change is None or change.kind != ChangeKind.NUMBER_ENTERED:
        return []
    filled: list[int] = (change.after or {})["numbers"]
    return filled


def last_change(row: Round) -> Change:
    """Return the change that made a hand what it is."""
    changes = row.sheet.table.changes.select_related("member__person", "user")
    return changes.get(version=row.changed)


def is_same_seat(member: Member, change: Change) -> bool:
    """Say whether a change came from this phone, or from another one of the same person."""
    author = change.member
    if author is None:
        return False
    same_person = author.person_id is not None and author.person_id == member.person_id
    return author.pk == member.pk or same_person


@dataclasses.dataclass(frozen=True, slots=True)
class Word:
    """A hand that this phone may confirm, what was done to it last, and how many more wait."""

    line: Line
    change: Change
    more: int


def word_asked(member: Member, players: Sequence[Player], lines: Sequence[Line]) -> Word | None:
    """Return the newest of these hands that waits for this phone's word, in one query at most."""
    waiting = [line for line in lines if line.unconfirmed]
    if not waiting or seats.of(member, players) is None:
        return None
    changes = member.table.changes.filter(version__in=[line.round.changed for line in waiting])
    by_version = {
        change.version: change for change in changes.select_related("member__person", "user")
    }
    asked = [
        (line, by_version[line.round.changed])
        for line in waiting
        if not is_same_seat(member, by_version[line.round.changed])
    ]
    return Word(*asked[0], more=len(asked) - 1) if asked else None


def unconfirmed(sheet: Sheet, players: Sequence[Player]) -> list[Line]:
    """Return all hands of a sheet that nobody has confirmed yet, oldest first."""
    if not sheet.table.confirms:
        return []
    where = queries.where_next(sheet, players)
    lines = rows.lines(sheet, players, where, newest=None)
    return [line for line in reversed(lines) if line.unconfirmed]
