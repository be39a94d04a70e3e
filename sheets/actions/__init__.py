"""Every change to a table or sheet: one function, one transaction. Nothing else writes.

Each action takes a `Write` (who, with which key, having seen what); the answer is `Saved` or
`Refused`.
"""

from __future__ import annotations

from sheets.actions.accounts import (
    address_in,
    address_secret,
    change_address,
    confirm_address,
    sign_up,
)
from sheets.actions.answers import Answer, Moved, Refused, Saved, Why
from sheets.actions.closing import close_account
from sheets.actions.club_deleting import delete_club
from sheets.actions.club_tables import let_go, take_in
from sheets.actions.club_writing import ClubAnswer, ClubSaved, ClubWrite
from sheets.actions.clubs import change_club, change_club_code, lock_club, start_club
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
    add_hand,
    correct_hand,
    edit_hand,
    enter_hand,
    put_back,
    take_back,
)
from sheets.actions.importing import import_file
from sheets.actions.joining import answer_seat, join, say_who
from sheets.actions.keeping import EnteredHand
from sheets.actions.matches import (
    discard_sheet,
    end_match,
    play_again,
    rename,
    set_dealer,
    share_pot,
)
from sheets.actions.numbers import enter_number, fill_with_zeros
from sheets.actions.organisers import (
    accept_invitation,
    change_role,
    hand_over,
    invite,
    remove_organiser,
)
from sheets.actions.paper import PaperHand, PaperSheet, type_in
from sheets.actions.phone_links import make_phone_link, use_phone_link
from sheets.actions.phones import (
    change_code,
    let_back,
    lock_joining,
    remove_phone,
    write_down_heard,
)
from sheets.actions.reopening import reopen, why_not_reopened
from sheets.actions.results import keep_missing_results, remake_results
from sheets.actions.reviewing import review
from sheets.actions.roster import (
    NEW,
    add_people,
    match_names,
    merge_people,
    part_people,
    rename_person,
    retire_person,
    take_person_back,
)
from sheets.actions.rules import change_rules, forget_rules, restore_rules, save_rules
from sheets.actions.seasons import (
    SeasonFields,
    add_season,
    change_season,
    hide_season,
    publish_season,
    remove_season,
)
from sheets.actions.seat_matching import match_seats
from sheets.actions.seating import change_seats
from sheets.actions.settings import change_settings
from sheets.actions.sitting import leave, sit_down
from sheets.actions.tables import NewTable, start_table
from sheets.actions.totals import replace_totals, restore_totals
from sheets.actions.values import set_unit_value
from sheets.actions.writing import Write

__all__ = [
    "NEW",
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
    "SeasonFields",
    "Why",
    "Write",
    "accept_invitation",
    "add_hand",
    "add_people",
    "add_season",
    "address_in",
    "address_secret",
    "agree_to_delete",
    "answer_seat",
    "change_address",
    "change_club",
    "change_club_code",
    "change_code",
    "change_role",
    "change_rules",
    "change_season",
    "change_seats",
    "change_settings",
    "close_account",
    "confirm_address",
    "confirm_hand",
    "correct_hand",
    "delete_club",
    "delete_table",
    "deleted",
    "discard_sheet",
    "edit_hand",
    "end_match",
    "enter_hand",
    "enter_number",
    "erase_person",
    "fill_with_zeros",
    "forget_rules",
    "hand_over",
    "hide_season",
    "import_file",
    "invite",
    "join",
    "keep_missing_results",
    "keep_table",
    "leave",
    "let_back",
    "let_go",
    "lock_club",
    "lock_joining",
    "make_phone_link",
    "match_names",
    "match_seats",
    "merge_people",
    "part_people",
    "play_again",
    "publish_season",
    "purge_table",
    "put_back",
    "remake_results",
    "remove_organiser",
    "remove_phone",
    "remove_season",
    "rename",
    "rename_person",
    "reopen",
    "replace_totals",
    "restore_rules",
    "restore_totals",
    "retire_person",
    "review",
    "save_rules",
    "say_who",
    "set_dealer",
    "set_unit_value",
    "share_pot",
    "sign_up",
    "sit_down",
    "start_club",
    "start_table",
    "take_back",
    "take_in",
    "take_person_back",
    "type_in",
    "use_phone_link",
    "why_not_reopened",
    "write_down_heard",
]
