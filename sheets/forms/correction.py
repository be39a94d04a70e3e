"""A correction: what the table agreed on beside its hands, with a reason and units per column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets import names, seats
from sheets.actions import EnteredHand
from sheets.forms.base import QueuedForm, ReasonField, UnitsField
from sheets.forms.hand import HandForm, form_for
from sheets.models import Player, Round, RoundKind
from sheets.models.sheet import MOST_REASON
from sheets.numbers import MOST_TYPED
from sheets.seen import Seen


class CorrectionForm(QueuedForm):
    """A reason, and what each column takes in; what is left empty is 0. A valid one has `entered`.

    `asks_reason`: staff say besides why they change it.
    """

    template = "sheets/_correction.html"
    NOTHING = gettext_lazy(
        "Type what somebody takes in: with nothing but 0 there is no correction."
    )

    why = forms.CharField(
        error_messages={"required": gettext_lazy("Say what it is for: it shows on the sheet.")}
    )

    entered: EnteredHand

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        players: Sequence[Player],
        asks_reason: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.columns = [(f"units_{player.pk}", player) for player in seats.scoring(players)]
        for field, player in self.columns:
            self.fields[field] = UnitsField(most=MOST_TYPED, placeholder="0", label=player.name)
        if asks_reason:
            self.fields["reason"] = ReasonField()
        self.fields["why"].widget.attrs |= {"autocomplete": "off", "maxlength": MOST_REASON}

    def clean_why(self) -> str:
        """Return the reason in one line, as it shows on the sheet."""
        why = names.clean(self.cleaned_data["why"])
        if not names.key(why):
            raise forms.ValidationError(self.fields["why"].error_messages["required"])
        if len(why) > MOST_REASON:
            raise forms.ValidationError(
                _("%(n)s letters are too many: %(most)s fit.")
                % {"n": len(why), "most": MOST_REASON}
            )
        return why

    def clean(self) -> dict[str, Any]:
        if any(field in self.errors for field in ("why", *(name for name, _one in self.columns))):
            return self.cleaned_data
        units = {player.pk: self.cleaned_data[field] or 0 for field, player in self.columns}
        if not any(units.values()):
            self.add_error(None, self.NOTHING)
        why = self.cleaned_data["why"]
        self.entered = EnteredHand(kind=RoundKind.CORRECTION, units=units, reason=why)
        return self.cleaned_data

    # What the screen shows.

    def units_fields(self) -> list[tuple[forms.BoundField, Player]]:
        """Return the columns to type into, by seat."""
        return [(self[field], player) for field, player in self.columns]


def form_to_change(
    row: Round,
    players: Sequence[Player],
    data: QueryDict | None,
    *,
    seen: Seen,
    units: Sequence[int | None],
    pot: int | None = None,
    asks_reason: bool = False,
) -> HandForm | CorrectionForm:
    """Return the form that changes a row: of its game, or of a correction.

    `players` are those at the table in that row, by seat, `units` what they took in.
    """
    if row.kind != RoundKind.CORRECTION:
        return form_for(
            row.sheet,
            players,
            data,
            seen=seen,
            row=row,
            units=units,
            pot=pot,
            asks_reason=asks_reason,
        )
    scoring = seats.scoring(players)
    typed = {f"units_{p.pk}": n or None for p, n in zip(scoring, units, strict=True)}
    return CorrectionForm(
        data,
        seen=seen,
        players=players,
        asks_reason=asks_reason,
        initial={"sheet": row.sheet.public_id, "why": row.reason, **typed},
    )
