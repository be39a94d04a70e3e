"""House rules as a part of a form: sets to start from, then every single rule to change."""

from __future__ import annotations

import abc
import dataclasses
import importlib
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules import games
from sheets.actions import Refused, Why
from sheets.forms import hand
from sheets.forms.base import Chip, NameField, SheetForm, chips
from sheets.models import SavedRules

NEXT, WHOLE = "next", "whole"
SAVED = "saved-"  # before the key of a saved set, where sets are named


@dataclasses.dataclass(frozen=True, slots=True)
class RuleSet:
    """A set of house rules to start from: one of the game's, or one the table has saved."""

    value: str
    name: str
    line: str
    house: Any
    chosen: bool = False


class RulesForm(forms.Form):
    """All rules of a game in fields. A valid one, or one nobody has typed in, has `house`.

    It stands within another form and is sent along with it. A button of that form picks a set
    (`preset`) or only looks (`look`): then `looks` is set, and the page comes back with what was
    typed, and nothing is saved. What an address asks for is filled in, what it asks in vain for is
    left out. `seats_stay`: how many sit at the table is not decided here.
    """

    template: str
    SENT: str  # a field without which nothing of this part was sent

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        game: str,
        house: Any,
        saved: Iterable[SavedRules] = (),
        query: Mapping[str, str] | None = None,
        seats_stay: bool = False,
    ) -> None:
        self.game, self.seats_stay = game, seats_stay
        self.looks = data is not None and ("preset" in data or "look" in data)
        self.now = house
        self._sets = [*self._offered(), *map(_saved_set, saved)]
        asked: Mapping[str, str] = (query or {}) if data is None else data
        picked = [one.house for one in self._sets if one.value == asked.get("preset")]
        sent = data if data is not None and self.SENT in data and not picked else None
        house = picked[0] if picked else house
        if data is None:
            house = self.read(query or {}, house)
        self.starts_from = self._seated(house)
        self.asked_to_look = data is not None and "look" in data
        self.built: Any = None
        super().__init__(
            sent, initial=self.as_typed(self.starts_from), use_required_attribute=False
        )

    @abc.abstractmethod
    def presets(self) -> list[RuleSet]:
        """Return the sets the game itself offers."""

    @abc.abstractmethod
    def read(self, query: Mapping[str, str], house: Any) -> Any:
        """Return the rules with what an address asks for, as far as that can be."""

    @abc.abstractmethod
    def as_typed(self, house: Any) -> dict[str, Any]:
        """Return what the fields hold under these rules."""

    @property
    def is_right(self) -> bool:
        """Whether these are rules one can play by."""
        return not self.is_bound or self.is_valid()

    @property
    def house(self) -> Any:
        """The rules as they stand in the fields; where those are wrong, as they were before."""
        return self.built if self.is_bound and self.is_valid() else self.starts_from

    @property
    def moved(self) -> bool:
        """Whether these are other rules than those that hold."""
        return bool(self.house != self.now)

    def _seated(self, house: Any) -> Any:
        """Return the rules for those at the table, where that is not decided here."""
        return games.GAMES[self.game].seated_like(house, self.now) if self.seats_stay else house

    def _offered(self) -> list[RuleSet]:
        """Return the game's sets; those that differ only in who sits there are one."""
        offered: dict[Any, RuleSet] = {}
        for one in self.presets():
            offered.setdefault(self._seated(one.house), one)
        return list(offered.values())

    def sets(self) -> list[RuleSet]:
        """Return the sets to start from; the one that the fields hold is marked."""
        house = self.house if self.is_right else None
        return [
            dataclasses.replace(one, chosen=self._seated(one.house) == house) for one in self._sets
        ]

    def said(self) -> dict[str, Any]:
        """Return the rules in words, made from the rules themselves."""
        return hand.rules_in_words(self.game, self.house)

    @property
    def opens(self) -> bool:
        """Whether this part is shown unfolded: something was chosen, typed wrong or asked for."""
        return self.looks or not self.is_right or (not self.is_bound and self.moved)

    @property
    def opens_every_rule(self) -> bool:
        """Whether every single rule is shown: one was changed, or typed wrong."""
        return self.asked_to_look or not self.is_right


def _saved_set(saved: SavedRules) -> RuleSet:
    house = saved.house_rules.value
    words = ", ".join(hand.rules_in_words(saved.house_rules.game, house)["rules"])
    return RuleSet(f"{SAVED}{saved.pk}", saved.name, words, house)


def rules_form(game: str, data: QueryDict | None = None, **options: Any) -> RulesForm:
    """Return the form of a game's house rules; its module bears the game's name."""
    module = importlib.import_module(f"sheets.forms.{game}_rules")
    form: RulesForm = module.Form(data, game=game, **options)
    return form


def wrong_rules() -> str:
    """Return what a form says above all where something is wrong with the rules in it."""
    return _("See what is marked in the house rules.")


class ChangeRulesForm(SheetForm):
    """Other rules for an open sheet: from the next hand on, or for the whole of it."""

    reach = forms.ChoiceField(
        choices=[(NEXT, ""), (WHOLE, "")],
        error_messages={"required": gettext_lazy("Choose from when on these rules hold.")},
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        rules: RulesForm,
        next_hand: int,
        initial: dict[str, Any],
        **kwargs: Any,
    ) -> None:
        self.rules, self.next_hand = rules, next_hand
        if rules.looks and data is not None:
            initial = data.dict() | initial
            data = None
        super().__init__(data, initial=initial, **kwargs)
        if next_hand == 1:  # no hand stands: nothing to ask
            del self.fields["reach"]

    def clean(self) -> dict[str, Any]:
        if not self.rules.is_right:
            self.add_error(None, wrong_rules())
        return self.cleaned_data

    @property
    def whole(self) -> bool:
        """Whether the hands that stand are settled again."""
        return bool(self.cleaned_data.get("reach") == WHOLE)

    def reaches(self) -> list[Chip]:
        """Return the two answers to "from when on"; none where no hand stands."""
        if "reach" not in self.fields:
            return []
        from_next = _("From hand %(number)s on") % {"number": self.next_hand}
        return chips(self, "reach", [(NEXT, from_next), (WHOLE, _("The whole sheet"))])


class RestoreRulesForm(SheetForm):
    """Take the newest change of the rules back."""

    change = forms.IntegerField(widget=forms.HiddenInput)
    hidden_parts = (*SheetForm.hidden_parts, "change")


class SaveRulesForm(SheetForm):
    """A name for the rules as they are now."""

    name = NameField(label=gettext_lazy("Name"))

    def refuse(self, refused: Refused) -> None:
        """Show beside the name that another set has it."""
        super().refuse(refused)
        if refused.why == Why.SAVED_NAME:
            self.add_error("name", _("Another saved set has this name."))


class ForgetRulesForm(SheetForm):
    """Forget a saved set."""

    saved = forms.IntegerField(widget=forms.HiddenInput)
    hidden_parts = (*SheetForm.hidden_parts, "saved")
