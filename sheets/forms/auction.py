"""Enter or change a hand of Auction Pinochle: by its result, or counted."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules import RuleError, auction, cards
from rules.auction_house import CACHED_HOUSES
from sheets import hand_wording, names, numbers, seats
from sheets.actions import EnteredHand
from sheets.forms.base import WHO_CHANGED, Chip, WholeNumberField, chips
from sheets.forms.hand import HandForm
from sheets.forms.house_query import with_house
from sheets.models import Player, Round, RoundKind
from sheets.numbers import MOST_TYPED

FIRST_BIDS = 14  # as many chips as fill three rows together with "more"
RESULT, COUNT = "result", "count"


class Form(HandForm):
    """Who bid what in which suit, and how it ended: said, or decided by melds and tricks."""

    template = "sheets/_hand_auction.html"

    bidder = forms.TypedChoiceField(
        coerce=int,
        empty_value=None,
        required=False,
        error_messages=WHO_CHANGED | {"required": gettext_lazy("Choose who bid.")},
    )
    bid = forms.CharField(
        required=False, error_messages={"required": gettext_lazy("Choose the bid.")}
    )
    other_bid = WholeNumberField(most=MOST_TYPED, placeholder="760")
    trump = forms.ChoiceField(
        required=False,
        choices=[(suit, suit) for suit in cards.Suit],
        error_messages={"required": gettext_lazy("Choose the trump suit.")},
    )
    outcome = forms.ChoiceField(
        required=False,
        choices=[(o, o) for o in auction.Outcome],
        error_messages={"required": gettext_lazy("Choose how it ended.")},
    )
    meld_points = WholeNumberField(
        most=MOST_TYPED,
        label=gettext_lazy("Melds"),
        error_messages={"required": gettext_lazy("Type the bidder's melds, 0 for none.")},
    )
    trick_points = WholeNumberField(
        most=MOST_TYPED,
        label=gettext_lazy("Tricks, with buried cards and the last trick"),
        error_messages={
            "required": gettext_lazy("Type the points in the bidder's tricks, 0 for none.")
        },
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bidder"].choices = self.everybody()  # type: ignore[attr-defined]

    def behind(self, way: str) -> tuple[str, ...]:
        if way in (self.NUMBERS, self.PASSED):
            return super().behind(way)
        last = ("meld_points", "trick_points") if way == COUNT else ("outcome",)
        return ("bidder", "bid", "other_bid", "trump", *last)

    def read_hand(self, way: str) -> None:
        bidder = self.needed("bidder")
        bid = self._read_bid()
        counts: dict[str, int] | None = None
        if way == COUNT:
            counts, outcome = self._read_counts(bid)
        else:
            outcome = self.needed("outcome")
        trump = None
        if outcome != auction.Outcome.THROWN_IN:
            trump = self.needed("trump")
        if self.errors:
            return
        self.entered = EnteredHand(
            kind=RoundKind.PLAYED,
            bidder=bidder,
            bid=bid,
            trump=trump,
            outcome=outcome,
            counts=counts,
            **self.whose_deal(),
        )
        hand = seats.hand(
            self.game,
            self.players,
            bidder=bidder,
            bid=bid,
            trump=trump,
            outcome=outcome,
            **self.whose_deal(),
        )
        self.game.settle(hand, self.house)
        self.doubts += auction.doubts(hand, self.house)

    def _read_bid(self) -> int | None:
        """Return the bid, from a chip or typed; what is missing or given twice is said."""
        chip, typed = self.cleaned_data.get("bid", ""), self.cleaned_data.get("other_bid")
        tapped = numbers.maybe(chip, most=MOST_TYPED)
        if "other_bid" in self.errors:
            return None
        if typed is not None and tapped is not None and typed != tapped:
            self.add_error("bid", _("Two bids are given: tap one or type one."))
        elif typed is None and tapped is None:
            self.add_error("bid", self.fields["bid"].error_messages["required"])
        return tapped if typed is None else typed

    def _read_counts(self, bid: int | None) -> tuple[dict[str, int] | None, str | None]:
        """Let melds and tricks decide whether the bid was made."""
        melds, tricks = self.needed("meld_points"), self.needed("trick_points")
        if self.errors or bid is None:
            return None, None
        outcome = auction.decide(bid, melds, tricks, self.house)
        self.doubts += auction.count_doubts(melds, self.house)
        return {"meld_points": melds, "trick_points": tricks}, outcome.value

    # What the screen shows.

    def way(self) -> str:
        """Return which of the four ways is open."""
        return str(self["by"].value() or RESULT)

    def ways(self) -> list[Chip]:
        """Return the doors into the form."""
        choices = [
            (RESULT, _("By result")),
            (COUNT, _("Count it")),
            (self.NUMBERS, _("Just the numbers")),
            (self.PASSED, _("Passed out")),
        ]
        return [Chip(value, label, value == self.way()) for value, label in choices]

    def bidders(self) -> list[Chip]:
        """Return a chip for every player."""
        return chips(self, "bidder")

    def dealers_bid(self) -> Chip | None:
        """Return the chip of the bid that only the dealer can be left with."""
        bid = self.house.dealers_bid
        return (
            None if bid is None or bid in auction.legal_bids(self.house) else self._bids([bid])[0]
        )

    def bids(self) -> list[Chip]:
        """Return the bids that are heard every evening."""
        return self._bids(auction.legal_bids(self.house)[:FIRST_BIDS])

    def more_bids(self) -> list[Chip]:
        """Return the rest of the legal bids."""
        return self._bids(auction.legal_bids(self.house)[FIRST_BIDS:])

    def opens_more(self) -> bool:
        """Say whether a bid was typed, or is about to be: then the rest of them lies open."""
        return bool(self["other_bid"].value()) or self["bid"].value() == "more"

    def _bids(self, bids: Sequence[int]) -> list[Chip]:
        return chips(self, "bid", [(str(bid), str(bid)) for bid in bids])

    def trumps(self) -> list[Chip]:
        """Return a chip for every suit."""
        labels = {suit: hand_wording.suit(suit) for suit in cards.Suit}
        if self.house.spades_double:
            labels[cards.Suit.SPADES] += " ×2"
        suits = chips(self, "trump", list(labels.items()))
        return [dataclasses.replace(chip, suit=cards.Suit(chip.value)) for chip in suits]

    def outcomes(self) -> list[Chip]:
        """Return the three ways a bid ends."""
        return chips(
            self, "outcome", [(o, hand_wording.outcome(o).capitalize()) for o in auction.Outcome]
        )

    def count_fields(self) -> list[forms.BoundField]:
        """Return what is counted: melds and tricks."""
        return [self["meld_points"], self["trick_points"]]

    def aids(self) -> dict[str, str]:
        """Return where melds and tricks are counted and odds told, under the rules of the hand."""
        pages = {"guide_melds": {}, "guide_tricks": {}, "guide_odds": self._in_the_pot()}
        return {
            page: with_house(reverse(f"sheets:{page}"), self.house, **more)
            for page, more in pages.items()
        }

    def _in_the_pot(self) -> dict[str, str]:
        return {} if self.house.pot is None else {"in_pot": str(self.pot or 0)}

    def spelled_out(self) -> dict[str, Any]:
        """Return what the script looks the row up in before saving; no rule is written twice.

        `bids`: bid → index in `rows`; a row: its bracket and, for each outcome, plain and in
        spades, the units of each opponent and what the bidder writes down. `players` says of each
        what it takes to tell who pays whom; `deals` who sits out by who deals, and who can be left
        with the dealer's bid by who sits out.
        """
        return _look_up(self.house) | {
            "players": {str(one.pk): self._as_bidder(one) for one in self.players},
            "deals": self._deals(),
            "made": _("%(bidder)s takes %(take)s"),
            "from": _("%(each)s from %(name)s"),
            "paid": _("%(others)s take %(each)s each"),
            "paid_why": _("from %(bidder)s"),
            "why": _("%(bid)s is in %(bracket)s"),
            "pot": self._pot_spelled_out(),
            **self._beside(),
        }

    def _pot_spelled_out(self) -> dict[str, Any] | None:
        """Return the same for the pot: which bids take it, and what it gets from the others."""
        if self.house.pot is None:
            return None
        return _look_up_pot(self.house) | {
            "holds": self.pot or 0,
            "taken": _(", and the pot of %(units)s"),
            "paid": _(", and %(units)s to the pot"),
        }

    def _beside(self) -> dict[str, str]:
        """Return what is said of a fourth without a column, where there is one."""
        fourth = seats.off_sheet(self.players)
        if fourth is None:
            return {}
        return {
            "fourth": str(self.players[fourth].name),
            "beside": _("A row of zeros: it is settled off the sheet"),
            "beside_made": _("%(bidder)s collects %(each)s from each"),
            "beside_paid": _("%(bidder)s pays %(each)s to each"),
            "fourth_made": _("%(fourth)s pays %(bidder)s %(each)s, off the sheet"),
            "fourth_paid": _("%(bidder)s pays %(fourth)s %(each)s, off the sheet"),
        }

    def _as_bidder(self, player: Player) -> dict[str, Any]:
        """Return a player's name, who pays or collects on the sheet, and whether the row counts."""
        others = [str(one.name) for one in seats.scoring(self.players) if one != player]
        return {
            "name": str(player.name),
            "column": player.scores,
            "others": others,
            "listed": names.listed(others),
        }

    def _deals(self) -> dict[str, Any]:
        """Return, for each dealer, who sits out by the rules, and who holds the dealer's bid.

        The second is told by who sits out, as somebody else may have than the rules say.
        """
        deals: dict[str, Any] = {}
        sitters: Sequence[int | None] = (
            [None] if len(self.players) == auction.SEATS else range(len(self.players))
        )
        keys = [str(one.pk) for one in self.players]
        for dealer, key in enumerate(keys):
            sits_out = self.game.sits_out(dealer, self.house)
            holders = {
                "" if sitter is None else keys[sitter]: keys[
                    self.game.dealers_bidder(dealer, sitter, self.house)
                ]
                for sitter in sitters
            }
            deals[key] = {"sitter": "" if sits_out is None else keys[sits_out], "holders": holders}
        return deals


@functools.lru_cache(maxsize=CACHED_HOUSES)
def _look_up(house: auction.HouseRules) -> dict[str, Any]:
    off_sheet = auction.SEATS if auction.seats(house) > auction.columns(house) else None

    def each_and_all(bid: int, outcome: auction.Outcome, trump: cards.Suit) -> list[int]:
        hand = auction.Hand(bidder=0, bid=bid, trump=trump, outcome=outcome, off_sheet=off_sheet)
        settled = auction.settle(hand, house)
        return [settled.payments[0].units, settled.entries[0]]

    suits = (cards.Suit.HEARTS, cards.Suit.SPADES)
    rows: dict[str, dict[str, list[list[int]]]] = {}
    bids = {}
    for bid in _all_bids(house):
        bracket = auction.bracket(bid, house)
        if bracket not in rows:
            rows[bracket] = {
                o.value: [each_and_all(bid, o, suit) for suit in suits] for o in auction.Outcome
            }
        bids[bid] = list(rows).index(bracket)
    return {"bids": bids, "rows": [{"bracket": bracket} | units for bracket, units in rows.items()]}


@functools.lru_cache(maxsize=CACHED_HOUSES)
def _look_up_pot(house: auction.HouseRules) -> dict[str, Any]:
    """Return the bids that take the pot when made, and by bracket what a lost bid pays it.

    Of each outcome that is: in a plain suit, and in spades.
    """
    off_sheet = auction.SEATS if house.fourth is auction.Fourth.OFF_SHEET else None

    def gains(bid: int, outcome: auction.Outcome, trump: cards.Suit) -> int:
        hand = auction.Hand(bidder=0, bid=bid, trump=trump, outcome=outcome, off_sheet=off_sheet)
        return auction.settle(hand, house, pot=auction.TOP_BID * MOST_TYPED).pot

    plain, spades = cards.Suit.HEARTS, cards.Suit.SPADES
    lost = [one for one in auction.Outcome if one is not auction.Outcome.MADE]
    bids = _all_bids(house)
    return {
        "takes": [bid for bid in bids if gains(bid, auction.Outcome.MADE, plain) < 0],
        "gets": {
            auction.bracket(bid, house): {
                one.value: [gains(bid, one, plain), gains(bid, one, spades)] for one in lost
            }
            for bid in bids
        },
    }


def stakes(house: auction.HouseRules) -> list[tuple[str, str, str]]:
    """Return the stake table by rows: bids, what each opponent pays on a make, takes on a set."""
    rows = _look_up(house)["rows"]
    return [(row["bracket"], str(row["made"][0][0]), str(row["set"][0][0])) for row in rows]


def _all_bids(house: auction.HouseRules) -> list[int]:
    """Return every bid an auction can end at, beyond what a hand can make too."""

    def ends(bid: int) -> bool:
        try:
            auction.check_bid(bid, house, by_dealer=True)
        except RuleError:
            return False
        return True

    return [bid for bid in range(10, auction.TOP_BID + 1, 10) if ends(bid)]


def as_typed(row: Round, house: auction.HouseRules) -> dict[str, Any]:
    """Return what the form would hold had this hand just been entered with it."""
    ways = {RoundKind.TYPED: Form.NUMBERS, RoundKind.PASSED_OUT: Form.PASSED}
    counts = row.counts or {}
    has_chip = row.bid in (*auction.legal_bids(house), house.dealers_bid)
    return {
        "by": ways.get(RoundKind(row.kind), COUNT if counts else RESULT),
        "bidder": row.bidder_id,
        "bid": row.bid if has_chip else None,
        "other_bid": None if has_chip else row.bid,
        "trump": row.trump,
        "outcome": row.outcome,
        **counts,
    }
