"""What the database holds, by noun. Only `sheets.actions` writes it."""

from __future__ import annotations

from sheets.models.history import Change, ChangeKind
from sheets.models.sheet import Entry, HouseRules, Player, Round, RoundKind, Sheet, SheetState
from sheets.models.table import Member, NameUsed, Person, PhoneLink, Table
from sheets.models.user import User

__all__ = [
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
    "Sheet",
    "SheetState",
    "Table",
    "User",
]
