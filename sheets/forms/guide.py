"""The counting aids of Auction Pinochle: forms that are only looked at.

Nothing here is posted. What was tapped stands in the address, so every count can be linked to.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules import RuleError, auction, auction_advice, tricks
from rules.cards import POINTS, Counting, Rank, Suit
from rules.payments import TOP_POT
from sheets import hand_wording
from sheets.forms.base import Chip, WholeNumberField, chips, translated
from sheets.forms.house_query import house_query
from sheets.numbers import MOST_TYPED


class AidForm(forms.Form):
    """A counting aid under the house rules of a table; what it finds is shown beside it."""

    # Set where the aid lies open over the form of a hand: the field that its result goes into.
    into = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)

    def __init__(self, query: Mapping[str, str], house: auction.HouseRules) -> None:
        super().__init__(query, use_required_attribute=False, auto_id="aid_%s")
        self.house = house

    def clean_into(self) -> str:
        """Return the field of the hand's form: one of those that are counted, or none of them."""
        into: str = self.cleaned_data["into"]
        return into if into in ("meld_points", "trick_points", "none") else ""

    def house_fields(self) -> list[tuple[str, str]]:
        """Return the house rules as hidden fields, apart from those the aid asks for itself."""
        return [
            (name, value)
            for name, value in house_query(self.house).items()
            if name not in self.fields
        ]

    def suits(self) -> list[Chip]:
        """Return a chip for every suit."""
        names = [(suit.value, hand_wording.suit(suit)) for suit in Suit]
        return [
            dataclasses.replace(chip, suit=Suit(chip.value)) for chip in chips(self, "trump", names)
        ]

    def clean_trump(self) -> Suit | None:
        """Return the suit; whatever is none counts as not chosen."""
        chosen = self.cleaned_data["trump"]
        return Suit(chosen) if chosen in list(Suit) else None


class TricksForm(AidForm):
    """How many of each rank the bidder's side took, and the last trick."""

    counting = forms.CharField(required=False, max_length=10, widget=forms.HiddenInput)
    last_trick = forms.CharField(required=False, max_length=3)

    count: tricks.TrickCount | None = None

    def __init__(self, query: Mapping[str, str], house: auction.HouseRules) -> None:
        super().__init__(query, house)
        for rank in Rank:
            self.fields[rank.name.lower()] = WholeNumberField(most=MOST_TYPED)

    def clean(self) -> dict[str, Any]:
        asked = tricks.ranks(self.house.counting)
        taken = {rank: self.cleaned_data.get(rank.name.lower()) or 0 for rank in asked}
        last = self.cleaned_data.get("last_trick")
        if not self.errors and last in ("yes", "no"):
            try:
                self.count = tricks.count(
                    taken, last_trick=last == "yes", scheme=self.house.counting
                )
            except RuleError as error:
                self.add_error(None, translated(error.message))
        return self.cleaned_data

    # What the screen shows.

    def whole(self) -> int:
        """Return what both sides have together."""
        return tricks.whole_deal(self.house.counting)

    def last(self) -> int:
        """Return what the last trick counted for the bidder."""
        assert self.count is not None
        return self.count.bidder - self.count.in_cards

    def most(self) -> int:
        """Return how many of a rank there are."""
        return tricks.OF_A_RANK

    def schemes(self) -> list[Chip]:
        """Return the schemes of counting."""
        return [
            Chip(scheme.value, label, scheme is self.house.counting)
            for scheme, label in schemes_in_words().items()
        ]

    def rows(self) -> list[tuple[str, str, int, list[Chip]]]:
        """Return a row of chips for each rank that counts: field, word, points, 0 to 8."""
        points = POINTS[self.house.counting]
        return [
            (field, ranks_in_words()[rank], points[rank], self._numbers(field))
            for rank in tricks.ranks(self.house.counting)
            for field in [rank.name.lower()]
        ]

    def _numbers(self, field: str) -> list[Chip]:
        chosen = str(self[field].value() or "0")
        return [Chip(str(n), str(n), str(n) == chosen) for n in range(tricks.OF_A_RANK + 1)]

    def last_tricks(self) -> list[Chip]:
        """Return whose the last trick was."""
        choices = [("yes", _("the bidder")), ("no", _("the opponents"))]
        return chips(self, "last_trick", choices)


def schemes_in_words() -> dict[Counting, str]:
    """Return what each scheme of counting is called."""
    return {
        Counting.STANDARD: _("Standard"),
        Counting.TENS: _("Tens"),
        Counting.FIVES: _("Fives"),
    }


def ranks_in_words() -> dict[Rank, str]:
    """Return each rank as people say it of several cards."""
    return {
        Rank.ACE: _("Aces"),
        Rank.TEN: _("Tens"),
        Rank.KING: _("Kings"),
        Rank.QUEEN: _("Queens"),
        Rank.JACK: _("Jacks"),
        Rank.NINE: _("Nines"),
    }


class OddsForm(AidForm):
    """A bid, trumps, the bidder's own estimate of making it, and what the pot holds."""

    bid = WholeNumberField(most=MOST_TYPED, label=gettext_lazy("Bid"), placeholder="320")
    trump = forms.CharField(required=False, max_length=10)
    estimate = WholeNumberField(
        most=100, label=gettext_lazy("Your chance of making it, in percent"), placeholder="40"
    )
    # Empty: no more than the first antes. Only asked where there is a pot.
    in_pot = WholeNumberField(most=TOP_POT, label=gettext_lazy("Units in the pot"))

    stake: auction_advice.AtStake | None = None

    def __init__(self, query: Mapping[str, str], house: auction.HouseRules) -> None:
        super().__init__(query, house)
        self.fields["in_pot"].widget.attrs["placeholder"] = str(auction.antes(house))
        if house.pot is None:
            del self.fields["in_pot"]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        bid, trump, in_pot = data.get("bid"), data.get("trump"), data.get("in_pot")
        if bid is None or trump is None or "in_pot" in self.errors:
            return data
        pot = auction.antes(self.house) if in_pot is None else in_pot
        try:
            self.stake = auction_advice.at_stake(bid, trump, self.house, pot=pot)
            self.each = auction_advice.with_each(bid, trump, self.house)
        except RuleError as error:
            self.add_error("bid", translated(error.message))
        return data

    # What the screen shows.

    def asks(self) -> str:
        """Say what is still to be chosen."""
        if self.errors or self.stake is not None:
            return ""
        return _("Choose a bid and the trump suit.")

    def rows(self) -> list[tuple[str, str, str]]:
        """Return each way it can end, in units with each of the others and in all."""
        assert self.stake is not None
        in_all, each = self.stake, self.each
        rows = [
            (_("Played and made"), each.made, in_all.made),
            (_("Played and set"), -each.lost, -in_all.lost),
            (_("Thrown in"), -each.thrown_in, -in_all.thrown_in),
        ]
        return [(words, signed(units), signed(summed)) for words, units, summed in rows]

    def break_even(self) -> str:
        """Return the chance from which on playing is better, as a fraction and in percent."""
        assert self.stake is not None
        return fraction(self.stake.break_even)

    def pays(self) -> str:
        """Return the chance from which on the bid wins something, always played to the end."""
        assert self.stake is not None
        return fraction(self.stake.pays)

    def pays_at_best(self) -> str:
        """Return the same where every hand that would be set is thrown in."""
        assert self.stake is not None
        return fraction(self.stake.pays_at_best)

    def advice(self) -> str:
        """Say what the estimate comes to; nothing without one."""
        estimate = self.cleaned_data.get("estimate")
        if self.stake is None or estimate is None:
            return ""
        chance = Fraction(estimate, 100)
        playing, giving_up = self.stake.expected(chance), -self.stake.thrown_in
        figures = {"playing": signed(playing), "giving_up": signed(giving_up)}
        match self.stake.verdict(chance):
            case auction_advice.Verdict.PLAY:
                says = _("Play it: %(playing)s on average, %(giving_up)s if thrown in.")
            case auction_advice.Verdict.THROW_IN:
                says = _("Throw it in: %(giving_up)s, and %(playing)s on average if played.")
            case auction_advice.Verdict.EITHER:
                says = _("It is all the same: %(giving_up)s either way.")
        return says % figures

    def pot_note(self) -> str:
        """Say what the pot does to these figures, where there is one."""
        if self.house.pot is None:
            return ""
        sentence = _(
            "The pot is counted: a set or a hand thrown in pays it like one more opponent. "
            "A made %(winning)s or more takes it, less the ante of %(ante)s for the next."
        )
        return sentence % {"winning": self.house.pot.winning_bid, "ante": self.house.pot.ante}


class KittyForm(AidForm):
    """How many of the cards nobody has shown would help."""

    useful = WholeNumberField(
        most=MOST_TYPED, label=gettext_lazy("Unseen cards that would help"), placeholder="2"
    )

    found: tuple[int, Fraction] | None = None

    def clean_useful(self) -> int | None:
        """Work the chance out, or say why it can't be."""
        useful: int | None = self.cleaned_data["useful"]
        if useful is not None:
            try:
                chance = auction_advice.kitty_chance(useful)
                self.found = auction_advice.kitties_with(useful), chance
            except RuleError as error:
                raise forms.ValidationError(translated(error.message)) from None
        return useful

    def answer(self) -> str:
        """Say how likely help is; nothing before a number is given."""
        if self.found is None:
            return ""
        kitties, chance = self.found
        return _("%(n)s of %(of)s kitties hold at least one of them: %(percent)s.") % {
            "n": kitties,
            "of": auction_advice.kitties(),
            "percent": percent(chance, places=2),
        }


def percent(chance: Fraction, places: int = 0) -> str:
    """Return a chance in percent."""
    return f"{float(chance * 100):.{places}f} %"


def fraction(chance: Fraction) -> str:
    """Return a chance as a fraction and, about, in percent."""
    return f"{chance.numerator}/{chance.denominator} ({percent(chance)})"


def signed(units: Fraction | int) -> str:
    """Return units with their sign: what is taken in, or paid."""
    number = round(float(units), 2)
    text = f"{abs(number):g}"
    return f"−{text}" if number < 0 else f"+{text}" if number else "0"
