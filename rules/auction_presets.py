"""The house rules that tables ask for most, each with a line of plain words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules import gettext_noop
from rules.auction_house import Fourth, HouseRules, Pot
from rules.cards import Counting


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of rules under a name; `key` names it in addresses, `line` says what is special."""

    key: str
    name: str
    line: str
    house: HouseRules


PRESETS: Final = (
    Preset(
        "standard",
        gettext_noop("Standard"),
        gettext_noop("Opens at 300, no 40s or 90s, spades double."),
        HouseRules(),
    ),
    Preset(
        "lower",
        gettext_noop("Opens lower, any ten"),
        gettext_noop("Bids start at 250, and 40s and 90s are bids like others."),
        HouseRules(minimum=250, forties_and_nineties=True),
    ),
    Preset(
        "simple",
        gettext_noop("Simple counting"),
        gettext_noop("In tricks aces, tens and kings count 10, the rest nothing."),
        HouseRules(counting=Counting.TENS),
    ),
    Preset(
        "four",
        gettext_noop("Four at the table"),
        gettext_noop("One sits out each hand; the fourth is settled off the sheet."),
        HouseRules(fourth=Fourth.OFF_SHEET),
    ),
    Preset(
        "pot",
        gettext_noop("Playing for a pot"),
        gettext_noop("Everybody antes 1; a set pays the pot too, a made 410 or more takes it."),
        HouseRules(pot=Pot()),
    ),
    # One of the scales in print; below 350 and above 550 the usual rows stay.
    Preset(
        "stakes",
        gettext_noop("Another stake table"),
        gettext_noop("High bids pay less: 1, 2, 4, 6, 8 and 10 units instead of up to 32."),
        HouseRules(stakes=((250, 1), (350, 2), (400, 4), (450, 6), (500, 8), (550, 10))),
    ),
)
