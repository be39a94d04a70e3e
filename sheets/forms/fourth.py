"""A fourth at the table: with a column or without, and who sits out."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from rules import RuleError, games
from sheets.forms.base import Chip, chips, translated

NONE, OFF_SHEET, COLUMN = "none", "off_sheet", "column"


class FourthFields(forms.Form):
    """Whether a fourth plays, and how; a form that has these fields knows its game.

    An answer that is missing is the first one offered, so that a form that never asked has three.
    """

    fourth = forms.CharField(required=False)
    sitter = forms.CharField(required=False)

    game: str

    def ways(self) -> list[Chip]:
        """Return a chip for each way a fourth can play."""
        return chips(self, "fourth", [(OFF_SHEET, _("off the sheet")), (COLUMN, _("in a column"))])

    def sitters(self) -> list[Chip]:
        """Return a chip for each rule of who sits out."""
        return chips(
            self,
            "sitter",
            [("right_of_dealer", _("the dealer's right")), ("dealer", _("the dealer"))],
        )

    @property
    def has_fourth(self) -> bool:
        """Whether a fourth is asked for."""
        return self.cleaned_data.get("fourth", "") not in ("", NONE)

    @property
    def is_off_sheet(self) -> bool:
        """Whether the fourth that is asked for has no column."""
        return bool(self.cleaned_data.get("fourth") == OFF_SHEET)

    def with_fourth(self, house: Any) -> Any:
        """Return these rules with the fourth that is asked for; what was never offered is said."""
        chosen = self.cleaned_data.get("fourth") or NONE
        try:
            sitter = self.cleaned_data.get("sitter") or ""
            return games.GAMES[self.game].with_fourth(house, chosen, sitter)
        except RuleError as error:
            self.add_error(error.field, translated(error.message))
            return house
