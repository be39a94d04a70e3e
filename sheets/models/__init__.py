"""What the database holds, by noun. Only `sheets.actions` writes it."""

from __future__ import annotations

from sheets.models.history import Change, ChangeKind
from sheets.models.sheet import (
    NEVER_DEALT,
    Entry,
    HouseRules,
    Player,
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
    "Entry",
    "HouseRules",
    "Member",
    "NameUsed",
    "Person",
    "PhoneLink",
    "Player",
    "Round",
    "RoundKind",
    "SavedRules",
    "Sheet",
    "SheetState",
    "Table",
    "User",
]
