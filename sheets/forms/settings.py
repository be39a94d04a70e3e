"""How a table wants to keep its sheets."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from sheets.forms.base import Chip, WritingForm, chips
from sheets.models import Table

OFF, ON = "off", "on"
_SWITCH = ((OFF, gettext_lazy("Off")), (ON, gettext_lazy("On")))


class SwitchField(forms.ChoiceField):
    """On or off, said out loud: a part of the form that got lost is not "off"."""

    def __init__(self) -> None:
        super().__init__(
            choices=_SWITCH, error_messages={"required": gettext_lazy("Choose on or off.")}
        )


class SettingsForm(WritingForm):
    """The two switches of a table."""

    own_columns = SwitchField()
    confirm = SwitchField()

    def __init__(self, *args: Any, table: Table, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "own_columns": ON if table.own_columns else OFF,
            "confirm": ON if table.confirm else OFF,
        }
        super().__init__(*args, **kwargs)

    def is_on(self, switch: str) -> bool:
        """Say whether a switch of a valid form is on."""
        return bool(self.cleaned_data[switch] == ON)

    def own_columns_chips(self) -> list[Chip]:
        """Return the two chips of Own columns."""
        return chips(self, "own_columns")

    def confirm_chips(self) -> list[Chip]:
        """Return the two chips of Confirm."""
        return chips(self, "confirm")
