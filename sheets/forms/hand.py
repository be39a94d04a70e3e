"""What the form of every game has in common: people, the dealer, just the numbers, and doubts."""

from __future__ import annotations

import abc
import dataclasses
import importlib
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from rules import Message, RuleError, games
from sheets import queries, seats
from sheets.actions import EnteredHand
from sheets.forms.base import (
    WHO_CHANGED,
    Chip,
    QueuedForm,
    ReasonField,
    UnitsField,
    chips,
    translated,
)
from sheets.models import Player, Round, RoundKind, Sheet
from sheets.numbers import MOST_TYPED
from sheets.seen import Seen


class HandForm(QueuedForm):
    """A hand, entered in one of several ways (`by`); people are keys of players.

    What the rules refuse is an error beside its field; what they doubt is asked once and then kept:
    `sure` comes back with exactly the hand that was doubted. A valid form has `entered`.
    """

    NUMBERS, PASSED = "numbers", "passed"
    ASKED_ALWAYS = ("by", "dealer", "sitter", "sure", "reason")
    template: str

    by = forms.CharField(required=False)
    dealer = forms.TypedChoiceField(
        coerce=int, empty_value=None, required=False, error_messages=WHO_CHANGED
    )
    sitter = forms.TypedChoiceField(
        coerce=int, empty_value=None, required=False, error_messages=WHO_CHANGED
    )
    sure = forms.CharField(required=False, widget=forms.HiddenInput)

    entered: EnteredHand

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        game: games.Game,
        house: Any,
        players: Sequence[Player],
        likely_dealer: int | None = None,
        asks_reason: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.game, self.house, self.players = game, house, players
        # Asked only where nobody can know it: for a forgotten hand or a changed one.
        self.likely_dealer = likely_dealer
        # Whose deal it is as far as anybody knows: the screen offers the dealer's own bid to them.
        self.deals = likely_dealer
        # What the pot holds before the hand; None where there is none.
        self.pot: int | None = None
        self.doubts: tuple[Message, ...] = ()
        # Whether the only thing left is to be sure.
        self.asks_again = False
        if asks_reason:
            self.fields["reason"] = ReasonField()
        self.fields["dealer"].choices = self.everybody()  # type: ignore[attr-defined]
        self.fields["sitter"].choices = self.everybody()  # type: ignore[attr-defined]
        if len(players) <= game.SEATS:
            del self.fields["sitter"]
        for player in seats.scoring(players):
            missing = _("Type what %(name)s took in, 0 for nothing.") % {"name": player.name}
            self.fields[f"units_{player.pk}"] = UnitsField(
                most=MOST_TYPED, label=player.name, error_messages={"required": missing}
            )

    def clean(self) -> dict[str, Any]:
        way = self.cleaned_data.get("by") or ""
        # What was typed behind another door is kept, and nobody is told off for it.
        for field in set(self.errors) - {*self.hidden_parts, *self.ASKED_ALWAYS, *self.behind(way)}:
            del self.errors[field]
        try:
            match way:
                case self.NUMBERS:
                    self._read_numbers()
                case self.PASSED:
                    self.entered = EnteredHand(kind=RoundKind.PASSED_OUT, **self.whose_deal())
                case _:
                    self.read_hand(way)
        except RuleError as error:
            self.add_rule_error(error)
        if self.doubts and not self.errors and self.cleaned_data.get("sure") != self._doubted():
            self.add_error(None, " ".join(translated(doubt) for doubt in self.doubts))
            self.asks_again = True
            self.data = self.data.copy()
            self.data["sure"] = self._doubted()
        return self.cleaned_data

    def behind(self, way: str) -> tuple[str, ...]:
        """Return the fields that show when the hand is entered this way."""
        if way == self.NUMBERS:
            return tuple(f"units_{player.pk}" for player in seats.scoring(self.players))
        return ()

    @abc.abstractmethod
    def read_hand(self, way: str) -> None:
        """Set `entered` and `doubts` from what the game asks; add errors, or let RuleErrors out."""

    def _read_numbers(self) -> None:
        units: dict[int, int] = {}
        for player in seats.scoring(self.players):
            number = self.needed(f"units_{player.pk}")
            if number is not None:
                units[player.pk] = number
        if self.errors:
            return
        self.doubts = self.game.row_doubts(list(units.values()), self.house)
        self.entered = EnteredHand(kind=RoundKind.TYPED, units=units, **self.whose_deal())

    def needed(self, field: str) -> Any:
        """Return what a field holds; an empty one without an error says what it asks for."""
        value = self.cleaned_data.get(field)
        if value in (None, "") and field not in self.errors:
            self.add_error(field, self.fields[field].error_messages["required"])
        return value

    def _doubted(self) -> str:
        """Return the hand that is doubted, so that "sure" about one is not "sure" about another."""
        return repr(dataclasses.astuple(self.entered))

    def whose_deal(self) -> dict[str, Any]:
        """Return who dealt and who sat out, where the form asks and it was said."""
        chosen = self.cleaned_data
        return {"dealer": chosen.get("dealer"), "sitter": chosen.get("sitter")}

    # What the screen shows.

    def everybody(self) -> list[tuple[str, str]]:
        """Return the players as choices, by seat."""
        return [(str(player.pk), player.name) for player in self.players]

    def dealers(self) -> list[Chip]:
        """Return a chip for everybody who may have dealt, where the form asks."""
        return chips(self, "dealer") if self.likely_dealer else []

    def sitters(self) -> list[Chip]:
        """Return a chip for everybody who may have sat out, where four play and the form asks."""
        asks = self.likely_dealer and "sitter" in self.fields
        return chips(self, "sitter") if asks else []

    def units_fields(self) -> list[tuple[forms.BoundField, Player]]:
        """Return the columns to type into, by seat, each with its player."""
        return [(self[f"units_{player.pk}"], player) for player in seats.scoring(self.players)]


def _module(game: str) -> Any:
    """Return the module with the form of a game: it bears the game's name."""
    return importlib.import_module(f"sheets.forms.{game}")


def form_for(
    sheet: Sheet,
    players: Sequence[Player],
    data: QueryDict | None = None,
    *,
    seen: Seen,
    row: Round | None = None,
    units: Sequence[int | None] = (),
    before: Round | None = None,
    likely: queries.Next | None = None,
    pot: int | None = None,
    asks_reason: bool = False,
) -> HandForm:
    """Return the form of the sheet's game: empty, as posted, or filled in with a hand to change.

    `players` are those at the table in that hand, by seat.

    A hand that stands is changed under the rules it was settled under, and a forgotten one that
    goes `before` another stands under those of that one; `likely` says who dealt it, as far as
    anybody can tell, `pot` what the pot held before it. `asks_reason`: by staff.
    """
    module = _module(sheet.game)
    house = (row or before or sheet).house_rules.value
    initial: dict[str, Any] = {"sheet": sheet.public_id}
    likely_dealer = likely.dealer.pk if likely else None
    if likely is not None:
        initial |= {"dealer": likely_dealer, "sitter": likely.sitter and likely.sitter.pk}
    if row is not None:
        scoring = seats.scoring(players)
        initial |= {f"units_{p.pk}": n for p, n in zip(scoring, units, strict=True)}
        initial |= {"dealer": row.dealer_id, "sitter": row.sitter_id}
        initial |= module.as_typed(row, house)
        likely_dealer = row.dealer_id
    form: HandForm = module.Form(
        data,
        seen=seen,
        game=games.GAMES[sheet.game],
        house=house,
        players=players,
        likely_dealer=likely_dealer,
        asks_reason=asks_reason,
        initial=initial,
    )
    form.pot = sheet.pot if pot is None else pot
    return form


def rules_in_words(game: str, house: Any) -> dict[str, Any]:
    """Return the house rules for the screen, all made from the rules themselves.

    The game's name, short phrases, the stake table in rows of words, and sentences about it.
    """
    module = games.GAMES[game]
    return {
        "game": _(module.NAME),
        "rules": [translated(message) for message in module.in_words(house)],
        "stakes": _module(game).stakes(house),
        "notes": [translated(message) for message in module.notes(house)],
    }
