"""Forms about a club's tables and open sheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from sheets import lifetimes, roster
from sheets.forms.base import ReasonField, SheetForm, WritingForm
from sheets.forms.codes import CodeForm
from sheets.models import Club, Person, Player, Sheet


class TakeInForm(CodeForm, WritingForm):
    """The join code of a table that is to be one of the club's."""


class DiscardForm(SheetForm):
    """Why a sheet with hands is discarded, or taken up again."""

    reason = ReasonField()


class SeatsMatchForm(WritingForm):
    """Who the people on a sheet really were: somebody else of the table, or of the roster."""

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        club: Club,
        sheet: Sheet,
        players: Sequence[Player],
        **kwargs: Any,
    ) -> None:
        super().__init__(data, seen=sheet.table.seen, **kwargs)
        everybody = list(sheet.table.people.all())
        # A form that is sent twice speaks of people who have no seat here by now.
        sent = [one for one in everybody if f"seat_{one.pk}" in (data or {})]
        self.on_sheet = {one.pk: one.name for one in sent}
        self.on_sheet |= {one.person_id: one.name for one in players}
        former = lifetimes.former_people(sheet.table)
        people = [one for one in everybody if one.pk not in former]
        known = self._on_the_roster(club, people)
        for pk, name in self.on_sheet.items():
            at_table = [(f"here-{one.pk}", one.name) for one in people if one.pk != pk]
            self.fields[f"seat_{pk}"] = forms.ChoiceField(
                label=name,
                required=False,
                choices=[
                    ("", _("it was %(who)s") % {"who": name}),
                    (_("Known at this table"), at_table),
                    (_("On the roster"), known),
                ],
                error_messages={"invalid_choice": _("People have changed: choose again.")},
            )

    def _on_the_roster(self, club: Club, people: Sequence[Person]) -> list[tuple[str, str]]:
        """Return who is nobody at this table yet; or was when this form was sent before."""
        counts = roster.stands_for(club)
        here = {counts[one.club_person_id] for one in people if one.club_person_id is not None}
        sent = {str(value) for value in self.data.values()}
        choices = [(f"club-{one.pk}", str(one)) for one in club.people.filter(merged_into=None)]
        return [
            (value, label)
            for value, label in choices
            if value in sent or int(value.removeprefix("club-")) not in here
        ]

    def clean(self) -> dict[str, Any]:
        """Refuse to save nothing."""
        if not self.errors and not self.of_club and not self.here:
            self.add_error(None, _("Nothing was changed: choose whose seat it was, then save."))
        return self.cleaned_data

    @property
    def of_club(self) -> dict[int, int]:
        """Whose seats were those of somebody on the roster."""
        return self._chosen("club-")

    @property
    def here(self) -> dict[int, int]:
        """Whose seats were those of somebody else of the table."""
        return self._chosen("here-")

    def _chosen(self, where: str) -> dict[int, int]:
        said = {pk: self.cleaned_data.get(f"seat_{pk}", "") for pk in self.on_sheet}
        return {
            pk: int(one.removeprefix(where)) for pk, one in said.items() if one.startswith(where)
        }

    def seat_fields(self) -> list[forms.BoundField]:
        """Return a field for everybody on the sheet."""
        return [self[f"seat_{pk}"] for pk in self.on_sheet]
