"""Sentences about sheets that organisers review: what looks odd, how they stand, who entered."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets import hand_wording, names, queries, wording
from sheets.models import Change, Member, Player, Review, Round, Sheet
from sheets.oddities import Odd, Oddity


def standing(sheet: Sheet) -> str:
    """Return how a sheet stands with the organisers, and why."""
    if sheet.is_open:
        return _("Open: the match goes on")
    return {
        Review.TO_REVIEW: _("To review"),
        Review.APPROVED: _("Approved"),
        Review.FLAGGED: _("Flagged: %(note)s"),
        Review.SET_ASIDE: _("Set aside: %(note)s"),
    }[Review(sheet.review)] % {"note": sheet.review_note}


def in_short(sheet: Sheet) -> str:
    """Return which sheet this is: "Table 4, 28 November 2026: Ben 12, Cass 10, Alice 8"."""
    players = list(sheet.players.all())
    return _("%(table)s, %(day)s: %(line)s") % {
        "table": queries.title(sheet.table, players),
        "day": date_format(queries.evening(sheet), "j F Y"),
        "line": wording.final_line(players),
    }


def oddity(odd: Odd) -> str:
    """Return what is odd and which hands it is about: "Changed late: hands 3 and 7"."""
    said = {
        Oddity.BY_NO_RULE: _("Typed numbers that the rules can't produce"),
        Oddity.LATE: _("Changed a quarter of an hour or more after it was entered"),
        Oddity.AFTER_END: _("Changed after the match was ended"),
        Oddity.UNEVEN: _("The deals are uneven: somebody dealt two hands more than somebody else"),
        Oddity.SHORT: _("Very short: not even two deals each"),
        Oddity.UNCONFIRMED: _("Nobody in another seat confirmed it"),
        Oddity.TWO_ENDS: _("The match was ended more than once"),
        Oddity.ALIKE: _("Another sheet has the same people, evening and hands"),
    }[odd.kind]
    return f"{said}: {about}" if (about := _hands(odd)) else said


def _hands(odd: Odd) -> str:
    numbers = len(odd.hands)
    said = []
    if odd.hands:
        word = ngettext("hand %(which)s", "hands %(which)s", numbers)
        said.append(word % {"which": names.listed(list(odd.hands))})
    if odd.off_sheet:
        word = ngettext(
            "%(n)s that is off the sheet now", "%(n)s that are off the sheet now", odd.off_sheet
        )
        said.append(word % {"n": odd.off_sheet})
    return names.listed(said)


def phone(member: Member) -> str:
    """Return whose phone it is and which one: "Ben, phone 2"."""
    if member.person is None:
        return str(member)
    return _("%(who)s, phone %(number)s") % {"who": member.person.name, "number": member.number}


def author(change: Change) -> str:
    """Return who made a change, and with which phone."""
    return wording.author(change) if change.member is None else phone(change.member)


def entered(row: Round, by: Member | None) -> str:
    """Return who entered a hand and when, on the clock that is active."""
    who = phone(by) if by is not None else _("An organiser")
    return _("%(who)s, %(when)s") % {"who": who, "when": _clock(row.entered_at)}


def _clock(moment: datetime.datetime) -> str:
    return date_format(timezone.localtime(moment), "H:i")


def corrected(change: Change, players: Sequence[Player]) -> str:
    """Return what a hand said before an organiser corrected it, and why it was.

    Of a hand that an organiser added: who did, and why.
    """
    if change.before is None:
        said = {"who": wording.author(change), "reason": change.reason}
        return _("Added by %(who)s. %(reason)s") % said
    by_key = {player.pk: player.name for player in players}
    return _("Corrected by %(who)s: it said %(before)s. %(reason)s") % {
        "who": wording.author(change),
        "before": hand_wording.hand(change.before or {}, by_key),
        "reason": change.reason,
    }
