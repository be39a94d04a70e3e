"""Sentences about settling up: who owes whom, what is left out, what a unit is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from rules import games
from rules.settling import Debt
from sheets import hand_wording, money
from sheets.models import Player, RoundKind
from sheets.rows import Line


def net_of(party: int, who: Mapping[int, Player]) -> str:
    """Return whose net a line is: a player's, one's without a column, or the pot's."""
    if party == games.POT:
        return _("The pot")
    if who[party].scores:
        return who[party].name
    return _("%(who)s, off the sheet") % {"who": who[party].name}


def _names(one: Debt[int], who: Mapping[int, Player]) -> dict[str, str]:
    """Return what the two are called in a sentence that begins with the payer."""
    return {
        "payer": _("The pot") if one.payer == games.POT else who[one.payer].name,
        "payee": _("the pot") if one.payee == games.POT else who[one.payee].name,
    }


def owed(one: Debt[int], who: Mapping[int, Player]) -> str:
    """Return how two parties stand: "Alice owes Ben", or that they are even."""
    if not one.units:
        return _("%(payer)s and %(payee)s are even") % _names(one, who)
    return _("%(payer)s owes %(payee)s") % _names(one, who)


def paid(one: Debt[int], who: Mapping[int, Player]) -> str:
    """Return a payment without its units: "Alice pays Ben"."""
    return _("%(payer)s pays %(payee)s") % _names(one, who)


def left_out(line: Line) -> str:
    """Return why a hand is left out of settling up."""
    said = {
        "number": line.number,
        "row": "/".join(cell for _player, cell in line.taken_in()),
        "reason": line.round.reason,
    }
    if line.missing:
        said["waits"] = hand_wording.waits_for(line.missing)
        return _("Hand %(number)s (%(row)s) %(waits)s: it is left out until it is whole.") % said
    if line.round.kind == RoundKind.CORRECTION:
        return _("Hand %(number)s corrects by %(row)s (%(reason)s): settle it yourselves.") % said
    return _("Hand %(number)s was typed %(row)s: settle it yourselves.") % said


def value_set(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return what was said of the worth of a unit, as history keeps it."""
    was, now = (
        money.said(one["unit_cents"], one["currency"]) if one["unit_cents"] else ""
        for one in (before, after)
    )
    said = {"before": was, "after": now}
    if was and now:
        return _("changed what a unit is worth from %(before)s to %(after)s") % said
    if now:
        return _("said what a unit is worth: %(after)s") % said
    return _("said that units are not counted in money")
