"""Sentences about who is whom and whose table it is, and why a club refused it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets import evenings, names, queries
from sheets.actions import Refused, Why
from sheets.models import Sheet
from sheets.roster import Weight


def refusal(refused: Refused) -> str:
    """Return why the roster or a table of the club was left alone; empty for any other refusal."""
    if refused.why == Why.ONE_SHEET:
        assert refused.sheet is not None
        return _one_sheet(refused.sheet)
    sentences = {
        Why.INTO_ITSELF: _("These are one person already: choose two."),
        Why.MERGED: _(
            "This person was merged into somebody already. Take that back first, or merge whoever "
            "stayed."
        ),
        Why.MERGE_CIRCLE: _(
            "The other one was merged into this person already: nothing is left to merge."
        ),
        Why.SAT_TWICE: _("One person can't have two seats of one sheet: choose again."),
        Why.IN_CLUB: _("This table is one of the club's already."),
        Why.OTHER_CLUB: _(
            "This table is one of another club's. Its organisers have to let it go first."
        ),
        Why.PLAYERS_ENTER: _(
            "This match goes on: its players enter a forgotten hand themselves. Once it has ended "
            "you can add it here."
        ),
        Why.GOES_ON: _(
            "This match still goes on: its players put this right in Names and seats. Once it has "
            "ended you can do it here."
        ),
    }
    return sentences.get(refused.why, "")


def _one_sheet(sheet: Sheet) -> str:
    _sheet, players = queries.again(sheet)
    return _(
        "Both sat on one sheet, at %(table)s on %(day)s: so they are two people, and nothing was "
        "changed. If a seat there was somebody else's, put that right on the sheet first."
    ) % {
        "table": queries.title(sheet.table, players),
        "day": date_format(queries.evening(sheet), "j F Y"),
    }


def played(weight: Weight) -> str:
    """Return what counts as somebody's: "3 sheets at 2 tables"."""
    sheets = ngettext("%(n)s sheet", "%(n)s sheets", weight.sheets) % {"n": weight.sheets}
    tables = ngettext("%(n)s table", "%(n)s tables", weight.tables) % {"n": weight.tables}
    return _("%(sheets)s at %(tables)s") % {"sheets": sheets, "tables": tables}


def discarded(sheet: Sheet, *, shown: bool = True) -> str:
    """Return when an organiser discarded the sheet that is shown, or the one after it."""
    assert sheet.ended_at is not None
    moment = timezone.localtime(sheet.ended_at)
    said = {"time": date_format(moment, "H:i"), "day": date_format(moment, "j F Y")}
    tonight = evenings.is_tonight(moment)
    sentences = {
        (True, True): _("An organiser discarded this sheet at %(time)s."),
        (True, False): _("An organiser discarded this sheet on %(day)s at %(time)s."),
        (False, True): _("An organiser discarded the last sheet at %(time)s."),
        (False, False): _("An organiser discarded the last sheet on %(day)s at %(time)s."),
    }
    return sentences[shown, tonight] % said


def seats_matched(before: Mapping[str, Any], after: Mapping[str, Any], past: queries.Past) -> str:
    """Return whose seats of a sheet an organiser said were somebody else's."""
    was, now = dict(before["seats"]), dict(after["seats"])
    # One person may have sat down twice: that is said once.
    pairs = dict.fromkeys((was[player], now[player]) for player in now)
    parts = [
        _("the seat of %(before)s was that of %(after)s")
        % {"before": _who(past, one), "after": _who(past, other)}
        for one, other in pairs
    ]
    return _("said that %(what)s") % {"what": names.listed(parts)}


def _who(past: queries.Past, person: int) -> str:
    return past.people.get(person, names.former())
