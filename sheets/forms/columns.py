"""Own columns: one player's number of one hand."""

from __future__ import annotations

import dataclasses
import uuid
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from sheets import queries, rows, seats, waiting
from sheets.actions import Refused, Why
from sheets.forms.base import WHO_CHANGED, Chip, QueuedForm, UnitsField, chips
from sheets.models import Change, Player
from sheets.numbers import MOST_TYPED
from sheets.seen import Seen

# The hand that was named takes no number any more, or is not the next by now.
_ABOUT_ANOTHER_HAND = (Why.STALE, Why.SET_BACK, Why.TAKEN_BACK, Why.WHOLE, Why.NOT_THERE)


class NumberForm(QueuedForm):
    """A number, whose it is, and the hand it belongs to.

    That is `hand`, the one that waits for numbers; or else the one next after `after`, the last
    that stood when the form was opened.
    """

    player = forms.TypedChoiceField(
        coerce=int,
        error_messages=WHO_CHANGED | {"required": gettext_lazy("Choose whose number it is.")},
    )
    units = UnitsField(most=MOST_TYPED)
    hand = forms.UUIDField(required=False, widget=forms.HiddenInput)
    after = forms.UUIDField(required=False, widget=forms.HiddenInput)

    hidden_parts = (*QueuedForm.hidden_parts, "hand", "after")

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        players: list[Player],
        mine: Player | None = None,
        where: queries.Next | None = None,
        half: rows.Line | None = None,
        **kwargs: Any,
    ) -> None:
        # What is only shown may be left out where a form is only read.
        scoring = half.scoring if half else seats.scoring(seats.now(players))
        self.filled = dict(zip(scoring, half.units, strict=True)) if half else {}
        # One's own number, until it is in: then somebody else's may be, and is chosen.
        mine = mine if mine in scoring else None
        waits = mine if mine and self.filled.get(mine) is None else None
        kwargs["initial"] = {
            "sheet": players[0].sheet.public_id,
            "player": waits.pk if waits else None,
            **(_named_at(where) if where else {}),
        }
        super().__init__(data, **kwargs)
        self.mine = mine
        self.number = half.number if half else str(where.number if where else "")
        choices = [(str(player.pk), player.name) for player in scoring]
        self.fields["player"].choices = choices  # type: ignore[attr-defined]
        missing = gettext_lazy("Type the number, 0 for nothing.")
        self.fields["units"].required = True
        self.fields["units"].error_messages["required"] = missing

    def name_hand(self, where: queries.Next, refused: Refused) -> None:
        """Be about another hand for the next try, as the screen will say.

        Where somebody has filled the same column it stays that hand; otherwise it is the one
        that waits for numbers now, or else the next.
        """
        change = refused.change
        if self.fills_the_same_column(change):
            assert change is not None
            assert change.round is not None
            self._name(hand=change.round.public_id, after=None)
        elif refused.why in _ABOUT_ANOTHER_HAND:
            self._name(**_named_at(where))

    def fills_the_same_column(self, change: Change | None) -> bool:
        """Say whether this change put a number where this form would put one."""
        return self.cleaned_data["player"] in waiting.columns_filled(change)

    def offer_again(self, seen: Seen, *, fresh_key: bool) -> None:
        """Name the hand again too, where that part went missing."""
        super().offer_again(seen, fresh_key=fresh_key)
        if fresh_key:
            self._name(self.initial.get("hand"), self.initial.get("after"))

    def _name(self, hand: uuid.UUID | None, after: uuid.UUID | None) -> None:
        self.data = self.data.copy()
        self.data["hand"], self.data["after"] = str(hand or ""), str(after or "")

    # What the screen shows.

    def whose(self) -> list[Chip]:
        """Return a chip for every player, with the number that is there."""
        there = {str(player.pk): n for player, n in self.filled.items() if n is not None}
        return [
            dataclasses.replace(chip, label=f"{chip.label} · {there[chip.value]}")
            if chip.value in there
            else chip
            for chip in chips(self, "player")
        ]

    def is_mine(self) -> bool:
        """Say whether the number that is asked for is this phone's own."""
        return self.mine is not None and str(self["player"].value()) == str(self.mine.pk)

    @property
    def hand_named(self) -> uuid.UUID | None:
        """The hand the number goes to, where it stands on the sheet already."""
        try:
            return uuid.UUID(str(self["hand"].value()))
        except ValueError:
            return None


def _named_at(where: queries.Next) -> dict[str, uuid.UUID | None]:
    return {"hand": where.half, "after": None if where.half else where.last}
