"""The meld counter: a hand tapped card by card, or its melds by name."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules import RuleError, auction, meld_limits
from rules import melds as meld_rules
from rules.cards import COPIES, Card, Rank, Suit, parse
from rules.melds import MeldCount, Shared
from sheets import hand_wording
from sheets.forms.base import Chip, translated
from sheets.forms.guide import AidForm

LONGEST = 400  # of what is typed or tapped; 48 cards need less
BY_CARDS, BY_NAMES = "cards", "names"
# Melds to tap, in the order they are always shown.
_AROUND = tuple(name for name, _points, _rank in meld_rules.AROUND)
_PLACES = ("run", "dix", *meld_rules.MARRIAGES.values(), "pinochle", *_AROUND)


@dataclasses.dataclass(frozen=True, slots=True)
class Cell:
    """Something to tap that is there not at all, once or twice."""

    value: str
    label: str
    beside: str  # what is read out after the label, or stands small under it
    times: int


class MeldsForm(AidForm):
    """A hand tapped card by card, or its melds tapped by name, and what they come to."""

    by = forms.CharField(required=False, max_length=10)
    trump = forms.CharField(required=False, max_length=10)
    cards = forms.CharField(
        required=False,
        max_length=LONGEST,
        label=gettext_lazy("Or type the cards"),
        widget=forms.TextInput(
            attrs={"placeholder": "AH 10H KH QH", "autocomplete": "off", "autocapitalize": "off"}
        ),
    )
    melds = forms.CharField(required=False, max_length=LONGEST, widget=forms.HiddenInput)
    tap = forms.CharField(required=False, max_length=30)

    held: Counter[Card]
    called: Counter[str]
    count: MeldCount | None = None
    suit: Suit | None = None
    refusal = ""

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        self.held, self.called = Counter(), Counter()
        self.suit = data.get("trump")
        try:
            if self.by_names():
                self._read_names()
            else:
                self._read_cards()
        except RuleError as error:
            self.count = None
            self.refusal = translated(error.message)
        return data

    @property
    def bonus(self) -> int:
        """What a roundhouse beside a run counts more at this table."""
        bonus: int = self.house.roundhouse_bonus
        return bonus

    def by_names(self) -> bool:
        """Say whether melds are tapped instead of cards."""
        return self.data.get("by") == BY_NAMES

    def _read_cards(self) -> None:
        self.held = Counter(parse(self.cleaned_data.get("cards", "")))
        self._tap(self.held, tuple(parse(self.cleaned_data.get("tap", "")))[:1])
        self._show("cards", map(str, self.held.elements()))
        if self.suit is None:
            self.suit = self.best_trumps()[0]
        self.count = self.in_every_suit[self.suit]
        self._check(self.held.total())

    def _read_names(self) -> None:
        known = {cell.value for cell in self.kinds()}
        self.called = Counter(
            word for word in self.cleaned_data.get("melds", "").split() if word in known
        )
        for word in self.called:
            self.called[word] = min(self.called[word], COPIES)
        self._tap(self.called, [word for word in [self.cleaned_data.get("tap")] if word in known])
        self._show("melds", self.called.elements())
        if self.suit is None:
            return
        royal = _slug(meld_rules.MARRIAGES[self.suit])
        names = [
            "royal marriage" if word == royal else word.replace("-", " ")
            for word in self.called.elements()
        ]
        self.count = meld_rules.named(names, self.suit, roundhouse_bonus=self.bonus)
        self.held = meld_rules.fewest_cards(self.count.melds)
        self._check(self.held.total())

    def _check(self, size: int) -> None:
        assert self.count is not None
        meld_limits.check(self.count.total, size, roundhouse_bonus=self.bonus)

    def _tap(self, counts: Counter[Any], tapped: Any) -> None:
        """Once more of what was tapped without a script, and after the second time none."""
        for one in tapped:
            counts[one] = (counts[one] + 1) % (COPIES + 1)

    def _show(self, field: str, words: Any) -> None:
        """Put back into the form what is there after a tap."""
        self.data = {**self.data, field: " ".join(words)}

    # What the screen shows.

    def ways(self) -> list[Chip]:
        """Return the two ways of counting."""
        ways = [(BY_CARDS, _("Tap cards")), (BY_NAMES, _("Tap melds"))]
        return [Chip(value, label, (value == BY_NAMES) == self.by_names()) for value, label in ways]

    def board(self) -> list[tuple[Suit, list[Cell]]]:
        """Return the 24 cards, a row for each suit."""
        return [
            (
                suit,
                [
                    Cell(f"{rank}{suit.letter}", rank, hand_wording.suit(suit), self.held[one])
                    for rank in Rank
                    for one in [Card(rank, suit)]
                ],
            )
            for suit in Suit
        ]

    def kinds(self) -> list[Cell]:
        """Return the melds to tap by name, each with its points.

        The four marriages are there whatever is trumps: that in trumps is the royal one.
        """
        known = {meld.name: meld for meld in meld_rules.kinds(self.suit or Suit.SPADES)}
        royal = known.pop("royal marriage").points
        points = {name: str(meld.points) for name, meld in known.items()}
        either = _("%(plain)s, trumps %(royal)s")
        figures = {"plain": meld_rules.PLAIN_MARRIAGE, "royal": royal}
        points |= dict.fromkeys(meld_rules.MARRIAGES.values(), either % figures)
        names = sorted(points, key=_PLACES.index)
        return [
            Cell(_slug(name), _(name), points[name], self.called[_slug(name)]) for name in names
        ]

    @cached_property
    def in_every_suit(self) -> Mapping[Suit, MeldCount]:
        """What the hand counts with each suit as trumps."""
        held = self.held.elements()
        return meld_rules.by_trump(held, roundhouse_bonus=self.bonus)

    def best_trumps(self) -> tuple[Suit, ...]:
        """Return the suit, or the suits, that count most."""
        return meld_rules.best_trumps(self.held.elements(), roundhouse_bonus=self.bonus)

    def suit_in_words(self) -> str:
        """Return the trump suit that is counted with."""
        return hand_wording.suit(self.suit) if self.suit else ""

    def size(self) -> int:
        """Return how many cards there are, or how many the melds take at least."""
        return self.held.total()

    def totals(self) -> list[tuple[Suit, str, int, bool]]:
        """Return the total with each suit as trumps, those that count most marked."""
        best = self.best_trumps()
        return [
            (suit, hand_wording.suit(suit), count.total, suit in best and count.total > 0)
            for suit, count in self.in_every_suit.items()
        ]

    def lines(self) -> list[tuple[str, int]]:
        """Return the melds with their points, equal ones in a line of their own each."""
        assert self.count is not None
        return [(_(meld.name), meld.points) for meld in self.count.melds]

    def shared(self) -> list[str]:
        """Say which cards serve more than once, and in what."""
        assert self.count is not None
        said = []
        for one in meld_rules.shared(self.held.elements(), self.count):
            names = ", ".join(dict.fromkeys(_(meld.name) for meld in one.melds))
            said.append(_("%(card)s: %(melds)s") % {"card": _written(one), "melds": names})
        return said

    def notes(self) -> list[str]:
        """Return what is odd about the hand without being impossible."""
        assert self.count is not None
        found = [*meld_limits.notes(self.held.total())]
        found += auction.count_doubts(self.count.total, self.house)
        said = [translated(note) for note in found]
        if self.by_names():
            assert self.suit is not None
            more = meld_rules.best(self.held.elements(), self.suit, roundhouse_bonus=self.bonus)
            missed = Counter(more.melds) - Counter(self.count.melds)
            if more.total > self.count.total:
                names = ", ".join(_(meld.name) for meld in missed)
                sentence = _("The same cards hold more: %(melds)s. That makes %(total)s.")
                said.append(sentence % {"melds": names, "total": more.total})
        return said


def _slug(name: str) -> str:
    return name.replace(" ", "-")


def _written(one: Shared) -> str:
    card = meld_rules.written(one.card)
    return card if one.held == 1 else _("%(card)s (two of them)") % {"card": card}
