"""Why something was refused and what to do now, as a friend would say it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from sheets import lifetimes, phone_wording, roster_wording, wording
from sheets.actions import Refused, Why


def refusal(refused: Refused) -> str:
    """Return why nothing was saved and what to do now, on the clock that is active."""
    match refused.why:
        case Why.NOT_A_MEMBER:
            return _("This phone is not at this table any more. Join again with the code.")
        case Why.REMOVED:
            assert refused.member is not None
            return phone_wording.removed(refused.member)
        case Why.NOT_THERE:
            return _("This is not on the sheet of this table.")
        case Why.ENDED:
            assert refused.sheet is not None
            return _("%(ended)s Nothing was changed; what you typed is below.") % {
                "ended": wording.ended(refused.sheet)
            }
        case Why.KEY_USED if refused.change or refused.club_change:
            return _(
                "This form has saved that already. What it says now is not saved: press the button "
                "once more to save it too."
            )
        case Why.KEY_USED:
            return _(
                "This form has saved something else already. Look at the sheet, then save again."
            )
        case Why.TAKEN_BACK:
            return _("This hand has been taken back already. Put it back to change it.")
        case Why.STANDS:
            return _("This hand is on the sheet already.")
        case Why.TOO_LATE:
            assert refused.sheet is not None
            sentence = (
                _(
                    "%(ended)s An end can be taken back for ten minutes. Whoever runs this server "
                    "can still do it: tell them why."
                )
                if refused.sheet.club_id is None
                else _(
                    "%(ended)s An end can be taken back for ten minutes. An organiser of your "
                    "club can still do it: tell them why."
                )
            )
            return sentence % {"ended": wording.ended(refused.sheet)}
        case Why.NEWER:
            return _(
                "The next sheet holds a hand already, so this match stays ended. Take that hand "
                "back first, or ask whoever runs this server."
            )
        case Why.BUSY:
            return _("Another sheet of this table is open and holds hands: end that match first.")
        case Why.NOT_BANKED if refused.sheet and lifetimes.discarded_by_organiser(refused.sheet):
            return _("%(ended)s Only an organiser can take it up again: tell them why.") % {
                "ended": wording.ended(refused.sheet)
            }
        case Why.NOT_BANKED:
            return _("This sheet was discarded: no hand was on it, and there is nothing to go on.")
        case Why.SEATED:
            return _(
                "This person sits at the open sheet. End the match first, then erase the name."
            )
        case Why.MOVES:
            return _("This changes other hands too. Is that right?")
        case Why.ALIKE:
            return _(
                "This evening, these people and these hands are in the club already. Both sheets "
                "would count. Is this another match?"
            )
        case Why.UNEVEN:
            return _(
                "Three or four sit at a table, as its rules say: this would leave another number."
            )
        case Why.NO_HAND:
            return _(
                "No hand is on this sheet yet. End the match, which discards the sheet, and start "
                "again with three."
            )
        case Why.GONE:
            return _("This player has left the table already.")
        case Why.SAME_RULES:
            return _("These are the house rules already: nothing was changed.")
        case Why.SAVED_NAME:
            return _("Saved rules of this name are there already: choose another name.")
        case Why.NO_POT:
            return _("The pot holds less than a unit for each: there is nothing to share.")
        case Why.OTHER_ROW:
            return _("This row is no hand. What is wrong with it is put right by taking it back.")
        case Why.NOTHING:
            return _("There is nothing to take back any more.")
        case Why.IMPOSSIBLE:
            return _("The rules don't allow this. See what is marked below.")
        case Why.SET_BACK:
            return _(
                "This server was set back to an earlier backup after you opened this page. Nothing "
                "of yours was saved yet: look at what is there now, then decide."
            )
        case Why.LONG_REASON:
            return _("This reason is too long: shorten it to a sentence.")
        case Why.STALE:
            return _("Somebody else was quicker. Nothing of yours was saved yet.")
        case _:
            return (
                _refused_by_setting(refused.why)
                or _refused_by_club(refused)
                or _refused_phone(refused.why)
            )


def last_of_backup(meanwhile: str) -> str:
    """Say what a backup knows last; `meanwhile` says who did what."""
    return _("The last thing this server knows: %(meanwhile)s") % {"meanwhile": meanwhile}


def _refused_phone(why: Why) -> str:
    """Return why something about phones, codes or seats was refused, and what to do now."""
    return {
        Why.WRONG_CODE: _(
            "No table has this code. Ask somebody at the table to read it out again."
        ),
        Why.MANY_PHONES: _(
            "So many phones have joined this table that no other one can. Start a new table."
        ),
        Why.NAME_TAKEN: _(
            "Somebody at the table goes by this name already: add a letter to yours."
        ),
        Why.STARTED: _("This phone started the table: nobody but itself can take it off."),
        Why.UNDO_OVER: _("It is too late to undo this. The phone can join again with the code."),
        Why.NOT_ASKED: _("This question was answered already, or its two minutes are over."),
        Why.NOT_YOURS: _("This phone asked the question: another one answers it."),
        Why.LINK_USED: _(
            "This link was used already or is too old. Make a new one on the first phone."
        ),
    }[why]


def _refused_by_club(refused: Refused) -> str:
    """Return why a club refused something; empty for any other refusal."""
    sentences = {
        Why.APPROVED: _(
            "An organiser has approved this sheet: its end is final. Tell them if it is wrong."
        ),
        Why.STILL_OPEN: _("This match goes on: its sheet is reviewed once somebody has ended it."),
        Why.NOT_AN_ORGANISER: _(
            "You may not do this in this club, or no longer. Ask one of its owners."
        ),
        Why.CLUB_LOCKED: _(
            "Whoever runs this server has locked this club: nothing of it can be changed for now. "
            "What you typed is below."
        ),
        Why.OF_A_CLUB: _(
            "This table is one of a club's, whose seasons are made of its sheets: ask an organiser "
            "of the club to delete it."
        ),
        Why.SLUG_TAKEN: _("Another club has this address: choose another one."),
        Why.SEASON_NAME: _("Another season of this club has this name: choose another one."),
        Why.SEASON_ENDS: _("A season ends on the day it starts, or later."),
        Why.NO_SEASON: _("This season was removed; the sheets are all there."),
        Why.EMAIL_TAKEN: _(
            "There is an account with this e-mail address already: sign in, or have its password "
            "reset."
        ),
        Why.NO_ACCOUNT: _("This account was closed, or locked by the admin of this installation."),
        Why.ADDRESS_LINK_OVER: _(
            "This link was used already, is older than a day, or the password was changed since. "
            "Ask for a new one on the page of your account."
        ),
        Why.LAST_ADMIN: _(
            "Nobody else can run this installation. Make another account a superuser in the admin "
            "first, then close yours."
        ),
        Why.LAST_OWNER: _(
            "This is the club's last owner. Make somebody else an owner first, then do this again."
        ),
        Why.INVITATION_OVER: _(
            "This invitation was used already, is older than seven days, or was made by somebody "
            "who does not run the club any more. Ask for a new one."
        ),
    }
    return sentences.get(refused.why) or roster_wording.refusal(refused)


def _refused_by_setting(why: Why) -> str:
    """Return why own columns or confirming refused something; empty for any other refusal."""
    sentences = {
        Why.HALF: _(
            "A hand still waits for numbers. Finish it, put 0 for the missing or take it back; "
            "then press this button again."
        ),
        Why.WAITS: _("This hand still waits for numbers: it is confirmed once it is whole."),
        Why.WHOLE: _("This hand waits for no number any more. Change it on its own page."),
        Why.SWITCHED_OFF: _(
            "Somebody has switched this off at this table. It can be switched on in the settings."
        ),
        Why.ONE_PHONE: _(
            "This is the only phone at the table, and a hand is confirmed by somebody in another "
            "seat than the one it was entered from. Let a second phone join, then switch it on."
        ),
        Why.NO_SEAT: _(
            "Only somebody who plays can confirm a hand. Say in Names and seats whose phone this "
            "is, or let another phone do it."
        ),
        Why.SAME_SEAT: _(
            "This hand was entered or changed from your own seat: somebody in another seat "
            "confirms it."
        ),
    }
    return sentences.get(why, "")
