"""The house rules of Auction Pinochle in fields."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules import Message, RuleError, auction, cards
from sheets.forms.base import Chip, WholeNumberField, chips, translated
from sheets.forms.house_query import MOST_ROWS, asked
from sheets.forms.rules import RuleSet, RulesForm
from sheets.numbers import MOST_TYPED

MORE_ROWS = 3  # empty rows of the stake table, offered below those that are there
ON, OFF = "on", "off"
_SWITCH = ((ON, ""), (OFF, ""))
_CHOOSE = {
    "required": gettext_lazy("Choose one of these."),
    "invalid_choice": gettext_lazy("Choose one of these."),
}


def _choice(choices: Any) -> forms.ChoiceField:
    return forms.ChoiceField(choices=choices, error_messages=_CHOOSE)


class Form(RulesForm):
    """Every house rule of Auction Pinochle, the stake table row by row."""

    template = "sheets/_rules_auction.html"
    SENT = "minimum"

    minimum = WholeNumberField(most=MOST_TYPED, label=gettext_lazy("Lowest bid"))
    step = WholeNumberField(most=MOST_TYPED, label=gettext_lazy("Bids go up by"))
    forties_and_nineties = _choice(_SWITCH)
    dealer_bid = WholeNumberField(
        most=MOST_TYPED, label=gettext_lazy("The dealer can be left with")
    )
    spades_double = _choice(_SWITCH)
    counting = _choice([(one.value, "") for one in cards.Counting])
    roundhouse = _choice([("350", ""), ("390", "")])
    fourth = _choice([(one.value, "") for one in auction.Fourth])
    sitter = _choice([(one.value, "") for one in auction.Sitter])
    pot = _choice(_SWITCH)
    ante = WholeNumberField(most=MOST_TYPED, label=gettext_lazy("Everybody antes"))
    winning_bid = WholeNumberField(
        most=MOST_TYPED, label=gettext_lazy("Lowest made bid that takes it")
    )

    def __init__(self, data: QueryDict | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        if self.seats_stay:
            del self.fields["fourth"]
            if self.now.fourth is auction.Fourth.NONE:
                del self.fields["sitter"]
        for row in range(self._rows()):
            self.fields[f"stake_bid_{row}"] = WholeNumberField(most=MOST_TYPED)
            self.fields[f"stake_units_{row}"] = WholeNumberField(most=MOST_TYPED)

    def _rows(self) -> int:
        """Return how many rows of stakes are offered: those that are filled, and a few more."""
        filled = len(self.starts_from.stakes)
        if self.is_bound:
            names = [re.fullmatch(r"stake_(?:bid|units)_([0-9]{1,2})", one) for one in self.data]
            typed = [int(one[1]) for one in names if one and self.data[one[0]].strip()]
            filled = min(max(typed, default=-1) + 1, MOST_ROWS)
        return filled + MORE_ROWS

    def presets(self) -> list[RuleSet]:
        return [
            RuleSet(preset.key, _(preset.name), _(preset.line), preset.house)
            for preset in auction.PRESETS
        ]

    def read(self, query: Mapping[str, str], house: Any) -> Any:
        """Take what an address says as a whole where it can be, else rule by rule."""
        found, _readable = asked(query, house)
        for changes in (found, *({name: value} for name, value in found.items())):
            try:
                changed = dataclasses.replace(house, **changes)
            except RuleError:
                continue
            if changes is found:
                return changed
            house = changed
        return house

    def as_typed(self, house: Any) -> dict[str, Any]:
        pot = house.pot or auction.Pot()
        typed = {
            "minimum": house.minimum,
            "step": house.step,
            "forties_and_nineties": ON if house.forties_and_nineties else OFF,
            "dealer_bid": house.dealer_bid,
            "spades_double": ON if house.spades_double else OFF,
            "counting": house.counting.value,
            "roundhouse": str(house.roundhouse),
            "fourth": house.fourth.value,
            "sitter": house.sitter.value,
            "pot": ON if house.pot else OFF,
            "ante": pot.ante,
            "winning_bid": pot.winning_bid,
        }
        for row, (bid, units) in enumerate(house.stakes):
            typed |= {f"stake_bid_{row}": bid, f"stake_units_{row}": units}
        return typed

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("pot") == OFF:  # nobody is told off for what does not count
            self._forgive("ante", "winning_bid")
        if data.get("fourth") == auction.Fourth.NONE:
            self._forgive("sitter")
        if not self.errors:
            try:
                self.built = self._read_fields()
            except RuleError as error:
                self._show(error)
        return data

    def _forgive(self, *fields: str) -> None:
        for field in fields:
            self.errors.pop(field, None)

    def _read_fields(self) -> auction.HouseRules:
        data = self.cleaned_data
        pot = None
        if data["pot"] == ON:
            pot = auction.Pot(ante=data["ante"], winning_bid=data["winning_bid"])
        return auction.HouseRules(
            minimum=data["minimum"],
            step=data["step"],
            forties_and_nineties=data["forties_and_nineties"] == ON,
            dealer_bid=data["dealer_bid"],
            spades_double=data["spades_double"] == ON,
            counting=cards.Counting(data["counting"]),
            roundhouse=int(data["roundhouse"]),
            stakes=tuple((bid, units) for _row, bid, units in self._filled_rows()),
            fourth=auction.Fourth(data.get("fourth", self.now.fourth)),
            sitter=auction.Sitter(data.get("sitter") or self.now.sitter),
            pot=pot,
        )

    def _filled_rows(self) -> list[tuple[int, Any, Any]]:
        """Return the rows of stakes in which something was typed, with where they stand."""
        data = self.cleaned_data
        rows = [
            (row, data[f"stake_bid_{row}"], data[f"stake_units_{row}"])
            for row in range(self._rows())
        ]
        return [(row, bid, units) for row, bid, units in rows if (bid, units) != (None, None)]

    def _show(self, error: RuleError) -> None:
        """Put a sentence beside its field; a row of stakes is called by where it stands."""
        field, message = error.field, error.message
        if field == "stakes":
            at = 0
            if "row" in error.params:
                at = self._filled_rows()[int(error.params["row"]) - 1][0]
            field = f"stake_bid_{at}"
            params = {**message.params, "row": at + 1}
            message = Message(message.code, message.template, params)
        self.add_error(field, translated(message))

    # What the screen shows.

    def forties_chips(self) -> list[Chip]:
        """Return the two answers about bids that end in 40 or 90."""
        return self._switch("forties_and_nineties", _("Allowed"), _("Not allowed"))

    def spades_chips(self) -> list[Chip]:
        """Return the two answers about spades."""
        return self._switch("spades_double", _("Double"), _("Don't double"))

    def pot_chips(self) -> list[Chip]:
        """Return the two answers about a pot."""
        return self._switch("pot", _("With a pot"), _("No pot"))

    def _switch(self, field: str, on: str, off: str) -> list[Chip]:
        return chips(self, field, [(ON, on), (OFF, off)])

    def counting_chips(self) -> list[Chip]:
        """Return the ways of counting tricks."""
        words = {
            cards.Counting.STANDARD: _("Standard"),
            cards.Counting.TENS: _("Tens"),
            cards.Counting.FIVES: _("Fives"),
        }
        return chips(self, "counting", [(one.value, words[one]) for one in cards.Counting])

    def roundhouse_chips(self) -> list[Chip]:
        """Return what a run with a roundhouse may count."""
        return chips(self, "roundhouse", [("350", "350"), ("390", "390")])

    def fourth_chips(self) -> list[Chip]:
        """Return where a fourth player's units may go; none where that is not decided here."""
        words = {
            auction.Fourth.NONE: _("No fourth player"),
            auction.Fourth.OFF_SHEET: _("Settled off the sheet"),
            auction.Fourth.COLUMN: _("With a column"),
        }
        if "fourth" not in self.fields:
            return []
        return chips(self, "fourth", [(one.value, words[one]) for one in auction.Fourth])

    def sitter_chips(self) -> list[Chip]:
        """Return who may sit out of four; none where three are at the table."""
        words = {
            auction.Sitter.RIGHT_OF_DEALER: _("Right of dealer"),
            auction.Sitter.DEALER: _("The dealer"),
        }
        if "sitter" not in self.fields:
            return []
        return chips(self, "sitter", [(one.value, words[one]) for one in auction.Sitter])

    def seats_words(self) -> str:
        """Return how many sit at the table, where that is not decided here."""
        return {
            auction.Fourth.NONE: _("Three at the table."),
            auction.Fourth.OFF_SHEET: _("Four at the table, one of them off the sheet."),
            auction.Fourth.COLUMN: _("Four at the table, each with a column."),
        }[self.now.fourth]

    def stake_rows(self) -> list[tuple[int, forms.BoundField, forms.BoundField]]:
        """Return the rows of the stake table: number, the bid each starts at, the units it pays."""
        return [
            (row + 1, self[f"stake_bid_{row}"], self[f"stake_units_{row}"])
            for row in range(self._rows())
        ]
