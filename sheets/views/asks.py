"""What a table asks whoever looks: seats, deleting it, an end to take back, half hands, a word."""

from __future__ import annotations

import datetime
import math
from typing import Any

from django.utils import timezone

from sheets import lifetimes, phone_queries, phone_wording, queries, rows, waiting, wording
from sheets.forms.base import WritingForm
from sheets.forms.phones import AnswerForm
from sheets.models import Member, Player, Review, Sheet
from sheets.seen import Seen

Context = dict[str, Any]


def of_table(member: Member) -> Context:
    """Return what phones ask each other: who may have a seat, whether the table goes."""
    own = phone_queries.own_ask(member)
    # With the seconds after which it is another question, so that a phone looks again then.
    seen = member.table.seen
    return {
        "asks": [
            (
                ask,
                AnswerForm(seen=seen, initial={"number": ask.number, "person": ask.person.pk}),
                _seconds_to(ask.until),
            )
            for ask in phone_queries.asks_to_answer(member)
        ],
        "to_delete": _wish_to_delete(member),
        "own_ask": own
        and {
            "said": phone_wording.own_ask(own, member),
            "seconds": _seconds_to(own.until),
        },
    }


def _seconds_to(moment: datetime.datetime | None) -> str:
    return "" if moment is None else str(math.ceil((moment - timezone.now()).total_seconds()))


def _wish_to_delete(member: Member) -> Context | None:
    """Return what the table's phones are asked once one of them wants it deleted."""
    if not member.table.to_delete:
        return None
    asked = lifetimes.asked_to_delete(member.table)
    if not asked.agree:
        return None
    return {
        "asked": asked,
        "mine": member in asked.agree,
        "holds": wording.holds(lifetimes.size(member.table)),
        "form": WritingForm(seen=member.table.seen),
    }


def of_sheet(
    member: Member, players: list[Player], where: queries.Next, lines: list[rows.Line]
) -> Context:
    """Return what the sheet asks this phone: to settle a half hand, to confirm another's."""
    word = waiting.word_asked(member, players, lines)
    return half_context(member, waiting.half_line(where, lines)) | {
        "word": word,
        "word_said": wording.said(word.change, players) if word else "",
        "word_form": WritingForm(seen=member.table.seen),
    }


def half_context(member: Member, half: rows.Line | None) -> Context:
    """Return what it takes to settle a half hand: each of the ways is a form of its own."""
    seen = member.table.seen
    return {
        "half": half,
        "zeros_form": WritingForm(seen=seen),
        "back_form": WritingForm(seen=seen),
    }


def end_offer(sheet: Sheet | None, seen: Seen) -> Context | None:
    """Return what a page needs to take back the end of a sheet, while that is possible."""
    until = lifetimes.reopens_until(sheet) if sheet else None
    if sheet is None or until is None or sheet.review == Review.APPROVED:
        return None
    if lifetimes.newer_hand_stands(sheet):
        return None
    form = WritingForm(seen=seen)
    return {"sheet": sheet, "ended": wording.ended(sheet), "until": until, "form": form}
