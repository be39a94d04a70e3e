"""What the database holds, by noun. Only `sheets.actions` writes it."""

from __future__ import annotations

from sheets.models.club import (
    Club,
    ClubChange,
    ClubChangeKind,
    ClubPerson,
    Invitation,
    Organiser,
    Role,
    Season,
)
from sheets.models.history import Change, ChangeKind
from sheets.models.result import Result
from sheets.models.sheet import (
    NEVER_DEALT,
    Entry,
    HouseRules,
    Player,
    Review,
    Round,
    RoundKind,
    SavedRules,
    Sheet,
    SheetState,
)
from sheets.models.table import Member, NameUsed, Person, PhoneLink, Table
from sheets.models.user import User

__all__ = [
    "NEVER_DEALT",
    "Change",
    "ChangeKind",
    "Club",
    "ClubChange",
    "ClubChangeKind",
    "ClubPerson",
    "Entry",
    "HouseRules",
    "Invitation",
    "Member",
    "NameUsed",
    "Organiser",
    "Person",
    "PhoneLink",
    "Player",
    "Result",
    "Review",
    "Role",
    "Round",
    "RoundKind",
    "SavedRules",
    "Season",
    "Sheet",
    "SheetState",
    "Table",
    "User",
]
