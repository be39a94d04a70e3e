"""A club, a table or a sheet as a file holds it: plain values, with ids of its own.

No codes, no addresses that open anything, no phones, passwords or e-mail addresses are in it.
"""

from __future__ import annotations

import datetime
import uuid
from collections import defaultdict
from dataclasses import dataclass
from typing import Annotated, Any, Final

from sheets import names
from sheets.models import ChangeKind, ClubChangeKind, Review, RoundKind, SheetState
from sheets.models.sheet import MOST_REASON, MOST_UNITS

FORMAT: Final = 1  # a new one whenever what is here would be read differently
APP: Final = "SquareScores"  # by which a file is known as one of ours


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that fit, or how many letters do."""

    low: int
    high: int


Small = Annotated[int, Range(0, 32_767)]
PhoneNumber = Annotated[int, Range(1, 30_000)]
# What counts on from a number in a file must fit into the database too.
Count = Annotated[int, Range(0, 1_000_000_000)]
Units = Annotated[int, Range(-MOST_UNITS, MOST_UNITS)]
Place = Annotated[int, Range(0, 3)]
Id = Annotated[int, Range(1, 2**31 - 1)]
Name = Annotated[str, Range(0, names.MOST_ROOM)]
PublicId = Annotated[str, Range(16, 16)]
Moment = datetime.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """House rules of a game, under the number by which the rest of the file names them.

    `line` is where they are in a file that has lines.
    """

    id: Id
    game: Annotated[str, Range(1, 20)]
    rules: dict[str, Any]
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OnRoster:
    """Somebody on the roster of the club."""

    id: Id
    name: Name
    note: Name = ""
    retired: bool = False
    merged_into: Id | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A season, without the address it is published at."""

    id: Id
    name: Name
    starts: datetime.date
    ends: datetime.date
    least_hands: Small = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubStep:
    """A line of the club's own history; `by` is the name of whoever did it.

    Without a key, as earlier files have them, nobody can tell whether it is here already.
    """

    version: Count
    kind: ClubChangeKind
    at: Moment
    key: uuid.UUID | None = None
    by: Name = ""
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Club:
    """The club itself."""

    name: Name
    time_zone: Annotated[str, Range(1, 64)]
    people: tuple[OnRoster, ...] = ()
    seasons: tuple[Season, ...] = ()
    history: tuple[ClubStep, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NameUsed:
    """A name that history points at."""

    id: Id
    name: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody known to a table, and who of the roster that is."""

    id: Id
    name: Name
    club_person: Id | None = None
    names: tuple[NameUsed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Phone:
    """A phone at a table, known by its number alone."""

    number: PhoneNumber
    joined_at: Moment
    person: Id | None = None
    removed_at: Moment | None = None
    removed_by: Small | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRules:
    """House rules that a table gave a name."""

    id: Id
    name: Name
    rules: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A person on one sheet; `since` and `until` are the last hands before that."""

    id: Id
    person: Id
    place: Place
    name: Name
    scores: bool = True
    erased: bool = False
    since: uuid.UUID | None = None
    until: uuid.UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What one player took in."""

    player: Id
    units: Units


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One hand. `line` is where it stands in a file that has lines."""

    id: uuid.UUID
    kind: RoundKind
    rules: Id
    entries: tuple[Entry, ...]
    entered_at: Moment
    position: Annotated[int, Range(1, 1_000_000_000)]
    dealer: Id | None = None
    sitter: Id | None = None
    bidder: Id | None = None
    bid: Small | None = None
    trump: str | None = None
    outcome: str | None = None
    counts: dict[str, Any] | None = None
    pot: Count | None = None
    reason: Annotated[str, Range(0, MOST_REASON)] = ""
    taken_back: bool = False
    half: bool = False
    changed: Count = 0
    entered_by: Small | None = None
    confirmed_by: Small | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One match with its players and all its hands."""

    id: PublicId
    game: str
    state: SheetState
    rules: Id
    started_at: Moment
    played_at: Moment
    players: tuple[Player, ...]
    rounds: tuple[Round, ...]
    dealer_mark: Id | None = None
    dealer_marked_after: uuid.UUID | None = None
    started_by: Small | None = None
    ended_at: Moment | None = None
    ended_by: Small | None = None
    pot: Count | None = None
    unit_cents: Count | None = None
    currency: Annotated[str, Range(0, 3)] = ""
    review: Review = Review.TO_REVIEW
    review_note: str = ""
    oddities: Annotated[str, Range(0, 100)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A line of a table's history: by a phone, by somebody who had signed in, or by the app."""

    version: Count
    kind: ChangeKind
    at: Moment
    key: uuid.UUID
    sheet: PublicId | None = None
    round: uuid.UUID | None = None
    phone: PhoneNumber | None = None
    by: Name = ""
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with its people, its phones as numbers, its sheets and its history."""

    id: PublicId
    time_zone: Annotated[str, Range(1, 64)]
    name: Name = ""
    own_columns: bool = False
    confirm: bool = False
    created_at: Moment | None = None
    people: tuple[Person, ...] = ()
    phones: tuple[Phone, ...] = ()
    saved_rules: tuple[SavedRules, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    history: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """All of a file. `club` is missing where it is about a single sheet."""

    app: str
    format: int
    tables: tuple[Table, ...]
    rules: tuple[Rules, ...]
    club: Club | None = None
    made_at: Moment | None = None


def totals(sheet: Sheet) -> dict[int, int]:
    """Return what each player took in: never what a file might say, always added up."""
    of: dict[int, int] = defaultdict(int)
    for row in sheet.rounds:
        if not row.taken_back:
            for entry in row.entries:
                of[entry.player] += entry.units
    return of
