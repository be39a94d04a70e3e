"""What an action answers: saved, or refused and why."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from rules import Message, RuleError
from sheets.models import Change, ClubChange, Member, Sheet
from sheets.seen import Seen


class Why(StrEnum):
    """Why a write was refused."""

    NOT_A_MEMBER = "not_a_member"
    REMOVED = "removed"  # the phone was removed from the table; `member` says by whom and when
    NOT_THERE = "not_there"  # the sheet or the hand is not one of this table's
    ENDED = "ended"  # the sheet is banked or discarded
    STALE = "stale"  # another phone was first; `change` says what it did
    SET_BACK = "set_back"  # seen in a history that a restored backup ended; `change` is the last
    KEY_USED = "key_used"  # this key has already saved something else
    TAKEN_BACK = "taken_back"  # the hand does not stand
    STANDS = "stands"  # the hand stands already
    TOO_LATE = "too_late"  # an end is taken back within ten minutes, or by staff
    NEWER = "newer"  # a hand stands on a newer sheet
    BUSY = "busy"  # another sheet is open and holds hands
    NOT_BANKED = "not_banked"  # the sheet was discarded: it holds nothing to go on with
    SEATED = "seated"  # the person sits at the open sheet
    ALIKE = "alike"  # a sheet here holds the same match; `alike` says which, and wants a yes
    MOVES = "moves"  # other hands change with this; `moves` says how, and wants a yes
    UNEVEN = "uneven"  # three or four must sit at the table, by its rules
    NO_HAND = "no_hand"  # four are three only after a hand was entered
    GONE = "gone"  # the player has left the table by now
    NO_POT = "no_pot"  # the pot holds less than a unit for each: nothing to share
    OTHER_ROW = "other_row"  # a hand and a row that was never dealt don't become each other
    SAME_RULES = "same_rules"  # these are the house rules already
    SAVED_NAME = "saved_name"  # another saved set of house rules has this name
    NOTHING = "nothing"  # there is nothing to take back
    IMPOSSIBLE = "impossible"  # the rules say no; `error` says why
    HALF = "half"  # another hand waits for numbers: settle it first
    WAITS = "waits"  # this hand itself waits for numbers
    WHOLE = "whole"  # this hand waits for no number any more
    SWITCHED_OFF = "switched_off"  # the table has switched this off in its settings
    ONE_PHONE = "one_phone"  # the table has no second phone that could confirm
    NO_SEAT = "no_seat"  # the phone belongs to nobody who plays on this sheet
    SAME_SEAT = "same_seat"  # the hand was entered or changed from this phone's own seat
    MANY_PHONES = "many_phones"  # as many phones have joined the table as ever can
    LONG_REASON = "long_reason"  # a reason is a sentence, not a letter
    WRONG_CODE = "wrong_code"  # the code opens this table no more
    NAME_TAKEN = "name_taken"  # somebody at the table goes by this name
    STARTED = "started"  # the phone that started the table is removed by itself alone
    UNDO_OVER = "undo_over"  # the time to undo a removal is over
    NOT_ASKED = "not_asked"  # the question for a seat was answered, or its time is over
    NOT_YOURS = "not_yours"  # nobody answers their own question
    LINK_USED = "link_used"  # the link to another phone was used, or is too old
    APPROVED = "approved"  # an organiser has approved the sheet: its end is final
    NOT_AN_ORGANISER = "not_an_organiser"  # the user may not do this in the club, or no longer
    OF_A_CLUB = "of_a_club"  # the table is a club's: its organisers decide that
    CLUB_LOCKED = "club_locked"  # staff has locked the club: nothing of it changes
    SLUG_TAKEN = "slug_taken"  # another club has this address
    INTO_ITSELF = "into_itself"  # nobody is merged into themselves
    MERGED = "merged"  # this person was merged into somebody already
    MERGE_CIRCLE = "merge_circle"  # the other one counts as this person
    ONE_SHEET = "one_sheet"  # both sat on one sheet: `sheet` says which
    SAT_TWICE = "sat_twice"  # one person would have two seats of this sheet
    IN_CLUB = "in_club"  # the table is one of the club's already
    OTHER_CLUB = "other_club"  # the table is one of another club's
    STILL_OPEN = "still_open"  # a sheet is reviewed once its match has ended
    PLAYERS_ENTER = "players_enter"  # the match goes on: its players put a forgotten hand in
    GOES_ON = "goes_on"  # the match goes on: its players put their seats right themselves
    SEASON_NAME = "season_name"  # another season of the club has this name
    SEASON_ENDS = "season_ends"  # a season would end before it starts
    NO_SEASON = "no_season"  # the season was removed
    EMAIL_TAKEN = "email_taken"  # somebody has an account with this e-mail address
    NO_ACCOUNT = "no_account"  # the account was closed
    ADDRESS_LINK_OVER = "address_link_over"  # it was used, is too old, or the password is another
    LAST_ADMIN = "last_admin"  # an installation has somebody to run it
    LAST_OWNER = "last_owner"  # a club has an owner as long as there is one
    INVITATION_OVER = "invitation_over"  # it was used, is too old, or its maker may not invite


@dataclasses.dataclass(frozen=True, slots=True)
class Saved:
    """The write is in the database; `repeated`: it was already, this is the first answer again."""

    change: Change
    repeated: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What happens to another hand along with a write: units by player, or why it stays."""

    round: int
    number: int
    before: tuple[tuple[int, int], ...] = ()
    after: tuple[tuple[int, int], ...] = ()
    stays: Message | None = None

    def as_history(self) -> dict[str, Any]:
        """Return what history keeps of it: ids, never names."""
        return {
            "round": self.round,
            "number": self.number,
            "before": [list(pair) for pair in self.before],
            "after": [list(pair) for pair in self.after],
        }


def mark_of(moves: Sequence[Moved]) -> str:
    """Return what tells these moves of other hands from any others."""
    text = json.dumps([[one.as_history(), str(one.stays)] for one in moves])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def mark_of_sheets(sheets: Sequence[Sheet]) -> str:
    """Return what tells these sheets from any others."""
    text = json.dumps(sorted(one.public_id for one in sheets))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing was written; here is what a screen needs to say why and to offer the next step."""

    why: Why
    seen: Seen | None = None  # the table or club as it is now: the next try has seen this
    change: Change | None = None
    club_change: ClubChange | None = None  # the same, of the club's own history
    sheet: Sheet | None = None
    error: RuleError | None = None
    member: Member | None = None
    moves: Sequence[Moved] = ()
    alike: Sequence[Sheet] = ()

    @property
    def agreed(self) -> str:
        """What a write bears that agrees to these moves or sheets, and to no others."""
        if self.alike:
            return mark_of_sheets(self.alike)
        return mark_of(self.moves) if self.moves else ""


Answer = Saved | Refused


class Refusal(Exception):  # noqa: N818 - not an error: an answer
    """Raised inside an action to refuse; it leaves the package as a `Refused`."""

    def __init__(self, why: Why, **details: Any) -> None:
        super().__init__(why)
        self.why, self.details = why, details
