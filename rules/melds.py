"""The melds in a hand, single values: the most a handful of cards is worth with a given trump."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from rules import gettext_noop
from rules.cards import Card, Rank, Suit, tally

RUN: Final = (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK)
MARRIAGES: Final[Mapping[Suit, str]] = {
    Suit.SPADES: gettext_noop("marriage in spades"),
    Suit.HEARTS: gettext_noop("marriage in hearts"),
    Suit.DIAMONDS: gettext_noop("marriage in diamonds"),
    Suit.CLUBS: gettext_noop("marriage in clubs"),
}
AROUND: Final = (
    (gettext_noop("aces around"), 100, Rank.ACE),
    (gettext_noop("kings around"), 80, Rank.KING),
    (gettext_noop("queens around"), 60, Rank.QUEEN),
    (gettext_noop("jacks around"), 40, Rank.JACK),
)
PINOCHLE: Final = (Card(Rank.QUEEN, Suit.SPADES), Card(Rank.JACK, Suit.DIAMONDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Meld:
    """One meld: its points, the cards laid down for it, and its group.

    A card may serve in one meld of each group: "A" (runs, marriages, dix), "B" (pinochle) and
    "C" (one rank in all four suits).
    """

    name: str
    points: int
    cards: tuple[Card, ...]
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldCount:
    """The melds of a hand and what they come to."""

    total: int
    melds: tuple[Meld, ...]


def best(cards: Iterable[Card], trump: Suit) -> MeldCount:
    """Return the melds that make the most of any number of cards, group by group.

    Taking each meld of a group as often as it is there, the dearest first, is the best there is:
    only a run and a royal marriage ever want the same cards, and the run is worth more.

    Raises RuleError for a third copy of a card.
    """
    held = tally(cards)
    left = {group: held.copy() for group in "ABC"}
    melds: list[Meld] = []
    for meld in _melds(trump):
        spare = left[meld.group]
        times = min(spare[card] for card in meld.cards)
        spare.subtract(dict.fromkeys(meld.cards, times))
        melds += [meld] * times
    return MeldCount(total=sum(meld.points for meld in melds), melds=tuple(melds))


def _melds(trump: Suit) -> tuple[Meld, ...]:
    """Every meld there is with this trump, each group in the order it is taken."""

    def marriage(name: str, points: int, suit: Suit) -> Meld:
        pair = (Card(Rank.KING, suit), Card(Rank.QUEEN, suit))
        return Meld(name=name, points=points, cards=pair, group="A")

    run = tuple(Card(rank, trump) for rank in RUN)
    nine = (Card(Rank.NINE, trump),)
    return (
        Meld(name=gettext_noop("run"), points=150, cards=run, group="A"),
        marriage(gettext_noop("royal marriage"), 40, trump),
        *(marriage(name, 20, suit) for suit, name in MARRIAGES.items() if suit is not trump),
        Meld(name=gettext_noop("dix"), points=10, cards=nine, group="A"),
        Meld(name=gettext_noop("pinochle"), points=40, cards=PINOCHLE, group="B"),
        *(
            Meld(name=name, points=points, cards=tuple(Card(rank, s) for s in Suit), group="C")
            for name, points, rank in AROUND
        ),
    )
