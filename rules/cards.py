"""The pinochle pack: 48 cards, two each of A 10 K Q J 9 in four suits, and what they count."""

from __future__ import annotations

import enum
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, NamedTuple

from rules import Message, RuleError, gettext_noop
from rules.checking import checked

COPIES: Final = 2  # of every card in the pack
MOST_LETTERS: Final = 1_000  # of a hand as it is typed
LAST_TRICK: Final = 10  # for the side that takes it, whatever is in it


class Suit(enum.StrEnum):
    """The four suits, in the order they are always shown."""

    SPADES = "spades"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"

    @property
    def glyph(self) -> str:
        """The black sign of the suit: "♠"."""
        return _GLYPHS[self]

    @property
    def letter(self) -> str:
        """The capital the suit is written with: "S"."""
        return self.value[0].upper()


_GLYPHS: Final = dict(zip(Suit, "♠♥♦♣", strict=True))
_OUTLINES: Final = dict(zip(Suit, "♤♡♢♧", strict=True))


class Rank(enum.StrEnum):
    """The six ranks from the highest down: the ten is above the king."""

    ACE = "A"
    TEN = "10"
    KING = "K"
    QUEEN = "Q"
    JACK = "J"
    NINE = "9"


class Card(NamedTuple):
    """One card, written rank first: "10H"."""

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        return f"{self.rank}{self.suit.letter}"


class Counting(enum.StrEnum):
    """The three ways tables count the cards in tricks; a deal is 250 in each."""

    STANDARD = "standard"
    TENS = "tens"
    FIVES = "fives"


PACK: Final = COPIES * len(Rank) * len(Suit)
POINTS: Final[Mapping[Counting, Mapping[Rank, int]]] = {
    Counting.STANDARD: dict(zip(Rank, (11, 10, 4, 3, 2, 0), strict=True)),
    Counting.TENS: dict(zip(Rank, (10, 10, 10, 0, 0, 0), strict=True)),
    Counting.FIVES: dict(zip(Rank, (10, 10, 5, 5, 0, 0), strict=True)),
}

_RANK_OF: Final = {rank.value: rank for rank in Rank} | {"T": Rank.TEN}
_SUIT_OF: Final = {
    sign: suit for suit in Suit for sign in (suit.letter, suit.glyph, _OUTLINES[suit])
}
_SUIT_SIGNS: Final = "".join(_SUIT_OF)
# A card, or else whatever stands in its place: up to the next suit, or to the end of the word,
# and never long, because it is read back in the refusal.
_TOKEN: Final = re.compile(
    rf"(?P<rank>10|[ATKQJ9])(?P<suit>[{_SUIT_SIGNS}])"
    rf"|(?P<unknown>[^\s,]{{1,8}}?[{_SUIT_SIGNS}]|[^\s,]{{1,8}})"
)
_EMOJI_MARK: Final = "\ufe0f"  # phones put it after a suit sign to have it drawn in colour


@checked
def parse(text: Annotated[str, range(MOST_LETTERS + 1)]) -> tuple[Card, ...]:
    """Read cards as people type them: "10H", "th", "T♥", apart or run together.

    Spaces and commas may stand between cards; empty text is no cards.

    Raises RuleError for a word that is no card of the pack, and for a third copy of a card.
    """
    found = []
    for token in _TOKEN.finditer(text.replace(_EMOJI_MARK, "").upper()):
        if unknown := token["unknown"]:
            raise RuleError(
                Message(
                    "unknown_card",
                    gettext_noop(
                        "%(card)s isn't a pinochle card: write A, 10, K, Q, J or 9, "
                        "then S, H, D or C."
                    ),
                    {"card": unknown},
                ),
                field="cards",
            )
        found.append(Card(_RANK_OF[token["rank"]], _SUIT_OF[token["suit"]]))
    tally(found)
    return tuple(found)


@checked
def tally(cards: Iterable[Card]) -> Counter[Card]:
    """Return how many of each card there are.

    Raises RuleError for a third copy: the pack holds two of every card.
    """
    # One more than the whole pack has a third copy among them: no more of them need be looked at.
    counts = Counter(map(_checked, itertools.islice(cards, PACK + 1)))
    for card, count in counts.items():
        if count > COPIES:
            raise RuleError(
                Message(
                    "third_copy",
                    gettext_noop(
                        "The pack has two of each card, and %(card)s is here %(count)s times."
                    ),
                    {"card": str(card), "count": count},
                ),
                field="cards",
            )
    return counts


def _checked(card: Card) -> Card:
    if isinstance(card, Card) and isinstance(card.rank, Rank) and isinstance(card.suit, Suit):
        return card
    raise TypeError(f"cards has to be of cards, not of {type(card).__name__}.")


@checked
def points(
    cards: Iterable[Card], scheme: Counting = Counting.STANDARD, *, last_trick: bool = False
) -> int:
    """Return what the cards count in tricks, with 10 more when the last trick is among them.

    Raises RuleError for a third copy of a card.
    """
    values = POINTS[scheme]
    in_cards = sum(values[card.rank] * count for card, count in tally(cards).items())
    return in_cards + (LAST_TRICK if last_trick else 0)


@checked
def possible_trick_points(scheme: Counting) -> frozenset[int]:
    """Return every total one side can hold at the end of a deal, the last trick included."""
    totals = {0}
    for value in POINTS[scheme].values():
        copies = range(COPIES * len(Suit) + 1)
        totals = {total + value * count for total in totals for count in copies}
    return frozenset(totals | {total + LAST_TRICK for total in totals})
