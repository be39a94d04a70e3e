"""Who deals, names and seats, and the forms that only ask "sure?"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets import names
from sheets.forms.base import (
    WHO_CHANGED,
    Chip,
    NameField,
    SheetForm,
    chips,
    offer_names,
    refuse_equal_names,
)
from sheets.models import Player


class DealerForm(SheetForm):
    """Who deals the next hand."""

    dealer = forms.TypedChoiceField(
        coerce=int, error_messages=WHO_CHANGED | {"required": gettext_lazy("Choose who deals.")}
    )

    def __init__(
        self, data: QueryDict | None = None, *, players: list[Player], **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        choices = [(str(player.pk), player.name) for player in players]
        self.fields["dealer"].choices = choices  # type: ignore[attr-defined]

    def dealers(self) -> list[Chip]:
        """Return a chip for everybody who may deal."""
        return chips(self, "dealer")


class _SeatedForm(SheetForm):
    """A field for everybody at the table."""

    def fill_in_newcomers(self, part: str, players: Sequence[Player]) -> None:
        """Take what the field would hold for whoever sat down in the middle of the match.

        A form that was opened before has no such field.
        """
        if not self.is_bound:
            return
        fields = [f"{part}_{player.pk}" for player in players if player.since_id is not None]
        missing = [name for name in fields if name not in self.data]
        if missing:
            self.data = self.data.copy()
        for name in missing:
            self.data[name] = str(self.fields[name].initial)


class NamesForm(_SeatedForm):
    """The table's name and its players' names."""

    table_name = NameField(required=False)

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        players: list[Player],
        left: Sequence[Player] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.players, self.left = players, left
        for player in players:
            self.fields[f"name_{player.pk}"] = NameField(label=player.name, initial=player.name)
        self.fill_in_newcomers("name", players)

    def clean(self) -> dict[str, Any]:
        # Those whose names were erased may go by the same words: their keys differ.
        kept = {p.pk for p in self.players if self.cleaned_data.get(f"name_{p.pk}") == p.name}
        former = {p.pk for p in self.players if p.name_key.startswith(names.NO_NAME)}
        asked = [player.pk for player in self.players if player.pk not in kept & former]
        refuse_equal_names(self, [f"name_{pk}" for pk in asked])
        for player in self.players:
            name = self.cleaned_data.get(f"name_{player.pk}", "")
            if any(
                one.name_key == names.key(name) and one.person_id != player.person_id
                for one in self.left
            ):
                sentence = _("A %(name)s has left this sheet: add a letter to tell them apart.")
                self.add_error(f"name_{player.pk}", sentence % {"name": name})
        return self.cleaned_data

    def offer(self, known: Sequence[str]) -> None:
        """Offer these names for the players."""
        offer_names(self, [f"name_{player.pk}" for player in self.players], known)

    @property
    def new_names(self) -> dict[int, str]:
        """The cleaned names by player."""
        return {p.pk: self.cleaned_data[f"name_{p.pk}"] for p in self.players}

    def name_fields(self) -> list[forms.BoundField]:
        """Return the players' fields in seat order."""
        return [self[f"name_{player.pk}"] for player in self.players]


class OrderForm(_SeatedForm):
    """Who sits where: a place for every player, each place once."""

    def __init__(
        self, data: QueryDict | None = None, *, players: list[Player], **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        self.players = players
        places = [(str(n), str(n)) for n in range(1, len(players) + 1)]
        for place, player in zip(places, players, strict=True):
            self.fields[f"place_{player.pk}"] = forms.TypedChoiceField(
                label=player.name, choices=places, coerce=int, initial=place[0]
            )
        self.fill_in_newcomers("place", players)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        places = [data.get(f"place_{player.pk}") for player in self.players]
        if None not in places and len(set(places)) < len(places):
            self.add_error(None, _("Two players can't sit in one place: give each its own."))
        return data

    @property
    def order(self) -> list[int]:
        """The players' keys by place."""
        by_place = sorted(self.players, key=lambda p: self.cleaned_data[f"place_{p.pk}"])
        return [player.pk for player in by_place]

    def place_fields(self) -> list[forms.BoundField]:
        """Return the places to choose, in seat order."""
        return [self[f"place_{player.pk}"] for player in self.players]
