"""A fourth sits down, or somebody leaves."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules import games
from sheets import seats
from sheets.actions import Refused, Why
from sheets.forms.base import WHO_CHANGED, Chip, NameField, SheetForm, chips
from sheets.forms.fourth import OFF_SHEET, FourthFields
from sheets.models import Player, Sheet

SOMEBODY, NOBODY = "somebody", "nobody"


class _NewcomerForm(SheetForm):
    """Somebody who sits down, by name.

    Who is at the table is asked by the action alone: a form that is sent twice finds it changed.
    """

    name = NameField(required=False)

    def __init__(self, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        # The style sheet tells an empty field by its placeholder.
        self.fields["name"].widget.attrs |= {"list": "known", "placeholder": " "}

    def ask_for_name(self) -> None:
        """Ask for the name of whoever sits down, where it is missing."""
        if not self.cleaned_data.get("name") and "name" not in self.errors:
            self.add_error("name", self.fields["name"].error_messages["required"])

    def refuse(self, refused: Refused) -> None:
        """Show beside the name that somebody at the table has it."""
        super().refuse(refused)
        if refused.why == Why.NAME_TAKEN:
            sentence = _("There is already a %(name)s here: add a letter to one of them.")
            self.add_error("name", sentence % {"name": self.cleaned_data["name"]})


class FourthForm(FourthFields, _NewcomerForm):
    """A fourth sits down: the name, with a column or without, and who sits out from then on."""

    def __init__(self, data: QueryDict | None = None, *, sheet: Sheet, **kwargs: Any) -> None:
        self.game, self.house = sheet.game, sheet.house_rules.value
        kwargs["initial"] = {
            "sheet": sheet.public_id,
            "fourth": OFF_SHEET,
            "sitter": self.house.sitter,
        }
        super().__init__(data, **kwargs)

    def clean(self) -> dict[str, Any]:
        self.ask_for_name()
        if not self.has_fourth:
            self.add_error("fourth", _("Choose whether there is a column."))
        self.with_fourth(self.house)
        return self.cleaned_data


class LeaveForm(_NewcomerForm):
    """Who leaves, and who sits down in that seat; where four are at the table, perhaps nobody."""

    player = forms.TypedChoiceField(
        coerce=int, error_messages=WHO_CHANGED | {"required": gettext_lazy("Choose who leaves.")}
    )
    follows = forms.CharField(required=False)

    def __init__(
        self, data: QueryDict | None = None, *, sheet: Sheet, players: list[Player], **kwargs: Any
    ) -> None:
        kwargs["initial"] = {"sheet": sheet.public_id}
        super().__init__(data, **kwargs)
        self.seated = seats.now(players)
        choices = [(str(player.pk), player.name) for player in players]
        self.fields["player"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        follows = self.cleaned_data.get("follows")
        if follows == NOBODY:
            if self.cleaned_data.get("name"):
                sentence = _("Nobody sits down there: empty this, or choose “Somebody”.")
                self.add_error("name", sentence)
        elif follows != SOMEBODY and self.ways():
            self.add_error("follows", _("Choose whether somebody sits down there."))
        else:
            self.ask_for_name()
        return self.cleaned_data

    def players(self) -> list[Chip]:
        """Return a chip for everybody who may leave."""
        choices = [(str(player.pk), player.name) for player in self.seated]
        return chips(self, "player", choices)

    def ways(self) -> list[Chip]:
        """Return a chip for somebody and one for nobody, where there is a choice."""
        if len(self.seated) <= games.GAMES[self.seated[0].sheet.game].SEATS:
            return []
        choices = [(SOMEBODY, _("Somebody sits down there")), (NOBODY, _("Three play on"))]
        return chips(self, "follows", choices)
