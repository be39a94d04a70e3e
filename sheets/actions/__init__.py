"""Every change to a table or sheet: one function, one transaction. Nothing else writes.

Each action takes a `Write` (who, with which key, having seen what); the answer is `Saved` or
`Refused`.
"""

from __future__ import annotations

from sheets.actions.club_writing import ClubAnswer, ClubSaved, ClubWrite
from sheets.actions.clubs import start_club
from sheets.actions.confirming import confirm_hand
from sheets.actions.deleting import (
    agree_to_delete,
    delete_table,
    deleted,
    keep_table,
    purge_table,
)
from sheets.actions.erasing import erase_person
from sheets.actions.hands import (
    correct_hand,
    edit_hand,
    enter_hand,
    put_back,
    take_back,
)
from sheets.actions.importing import import_file
from sheets.actions.joining import answer_seat, join, say_who
from sheets.actions.keeping import EnteredHand
from sheets.actions.matches import end_match, play_again, rename, set_dealer, share_pot
from sheets.actions.numbers import enter_number, fill_with_zeros
from sheets.actions.paper import PaperHand, PaperSheet, type_in
from sheets.actions.phone_links import make_phone_link, use_phone_link
from sheets.actions.phones import change_code, let_back, lock_joining, note_seen, remove_phone
from sheets.actions.reopening import reopen, why_not_reopened
from sheets.actions.rules import change_rules, forget_rules, restore_rules, save_rules
from sheets.actions.seating import change_seats
from sheets.actions.settings import change_settings
from sheets.actions.sitting import leave, sit_down
from sheets.actions.tables import NewTable, start_table
from sheets.actions.values import MOST_VALUE, set_unit_value
from sheets.actions.writing import Answer, Moved, Refused, Saved, Why, Write

__all__ = [
    "MOST_VALUE",
    "Answer",
    "ClubAnswer",
    "ClubSaved",
    "ClubWrite",
    "EnteredHand",
    "Moved",
    "NewTable",
    "PaperHand",
    "PaperSheet",
    "Refused",
    "Saved",
    "Why",
    "Write",
    "agree_to_delete",
    "answer_seat",
    "change_code",
    "change_rules",
    "change_seats",
    "change_settings",
    "confirm_hand",
    "correct_hand",
    "delete_table",
    "deleted",
    "edit_hand",
    "end_match",
    "enter_hand",
    "enter_number",
    "erase_person",
    "fill_with_zeros",
    "forget_rules",
    "import_file",
    "join",
    "keep_table",
    "leave",
    "let_back",
    "lock_joining",
    "make_phone_link",
    "note_seen",
    "play_again",
    "purge_table",
    "put_back",
    "remove_phone",
    "rename",
    "reopen",
    "restore_rules",
    "save_rules",
    "say_who",
    "set_dealer",
    "set_unit_value",
    "share_pot",
    "sit_down",
    "start_club",
    "start_table",
    "take_back",
    "type_in",
    "use_phone_link",
    "why_not_reopened",
]
