"""Every change to a table or sheet: one function, one transaction. Nothing else writes.

Each action takes a `Write` (who, with which key, having seen what); the answer is `Saved` or
`Refused`.
"""

from __future__ import annotations

from sheets.actions.hands import (
    EnteredHand,
    correct_hand,
    edit_hand,
    enter_hand,
    put_back,
    take_back,
)
from sheets.actions.joining import answer_seat, join, say_who
from sheets.actions.matches import change_seats, end_match, play_again, rename, set_dealer
from sheets.actions.phone_links import make_phone_link, use_phone_link
from sheets.actions.phones import change_code, let_back, lock_joining, note_seen, remove_phone
from sheets.actions.tables import NewTable, start_table
from sheets.actions.writing import Answer, Refused, Saved, Why, Write

__all__ = [
    "Answer",
    "EnteredHand",
    "NewTable",
    "Refused",
    "Saved",
    "Why",
    "Write",
    "answer_seat",
    "change_code",
    "change_seats",
    "correct_hand",
    "edit_hand",
    "end_match",
    "enter_hand",
    "join",
    "let_back",
    "lock_joining",
    "make_phone_link",
    "note_seen",
    "play_again",
    "put_back",
    "remove_phone",
    "rename",
    "say_who",
    "set_dealer",
    "start_table",
    "take_back",
    "use_phone_link",
]
