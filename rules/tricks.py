"""The points in tricks, from how many of each rank a side took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from rules import Message, RuleError, gettext_noop
from rules.cards import COPIES, LAST_TRICK, POINTS, Counting, Rank, Suit
from rules.checking import Typed, checked

Taken = Annotated[Mapping[Rank, Typed], range(len(Rank) + 1)]
OF_A_RANK: Final = COPIES * len(Suit)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickCount:
    """What the two sides of a deal took: in cards, and with the last trick in all."""

    in_cards: int
    bidder: int
    opponents: int


@checked
def ranks(scheme: Counting) -> tuple[Rank, ...]:
    """Return the ranks that count anything under a scheme, highest first."""
    return tuple(rank for rank, value in POINTS[scheme].items() if value)


@checked
def whole_deal(scheme: Counting) -> int:
    """Return what all cards and the last trick come to: 250 under every scheme."""
    return OF_A_RANK * sum(POINTS[scheme].values()) + LAST_TRICK


@checked
def count(
    taken: Taken,
    *,
    last_trick: bool,
    scheme: Counting,
) -> TrickCount:
    """Return both sides' points from how many of each rank the bidder's side took.

    Buried cards are among them. Ranks that are left out count as none.

    Raises RuleError, its field the rank, for fewer than none or more than the pack has.
    """
    for rank, number in taken.items():
        if type(number) is not int or not 0 <= number <= OF_A_RANK:
            sentence = gettext_noop("The pack has %(most)s of each rank: 0 to %(most)s.")
            raise RuleError(Message("of_a_rank", sentence, {"most": OF_A_RANK}), field=rank.value)
    in_cards = sum(POINTS[scheme][rank] * number for rank, number in taken.items())
    bidder = in_cards + (LAST_TRICK if last_trick else 0)
    return TrickCount(in_cards=in_cards, bidder=bidder, opponents=whole_deal(scheme) - bidder)
