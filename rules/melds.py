"""The melds in a hand, single values: the most a handful of cards is worth with a given trump."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from rules import Message, RuleError, gettext_noop
from rules.cards import COPIES, PACK, Card, Rank, Suit, tally
from rules.checking import checked

RUN: Final = (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK)
MARRIAGES: Final[Mapping[Suit, str]] = {
    Suit.SPADES: gettext_noop("marriage in spades"),
    Suit.HEARTS: gettext_noop("marriage in hearts"),
    Suit.DIAMONDS: gettext_noop("marriage in diamonds"),
    Suit.CLUBS: gettext_noop("marriage in clubs"),
}
PLAIN_MARRIAGE: Final = 20
AROUND: Final = (
    (gettext_noop("aces around"), 100, Rank.ACE),
    (gettext_noop("kings around"), 80, Rank.KING),
    (gettext_noop("queens around"), 60, Rank.QUEEN),
    (gettext_noop("jacks around"), 40, Rank.JACK),
)
ROUNDHOUSE: Final = tuple(Card(rank, suit) for suit in Suit for rank in (Rank.KING, Rank.QUEEN))
# What a roundhouse beside a run counts more than its parts: a house rule.
Bonus = Annotated[int, range(0, 41, 40)]
InMelds = Annotated[int, range(0, 10_001, 10)]  # points
_Names = Annotated[Sequence[Annotated[str, range(101)]], range(PACK + 1)]
PINOCHLE: Final = (Card(Rank.QUEEN, Suit.SPADES), Card(Rank.JACK, Suit.DIAMONDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Meld:
    """One meld: its points, the cards laid down for it, and its group.

    A card may serve in one meld of each group: "A" (runs, marriages, dix), "B" (pinochle) and
    "C" (one rank in all four suits). "D" is what a roundhouse adds beside a run, at tables where
    its royal marriage counts although the run has its cards.
    """

    name: str
    points: int
    cards: tuple[Card, ...]
    group: str


_Melds = Annotated[Sequence[Meld], range(PACK + 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldCount:
    """The melds of a hand and what they come to."""

    total: int
    melds: tuple[Meld, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A card that serves more often than it is held, and the melds it serves in."""

    card: Card
    held: int
    melds: tuple[Meld, ...]


@checked
def best(cards: Iterable[Card], trump: Suit, *, roundhouse_bonus: Bonus = 0) -> MeldCount:
    """Return the melds that make the most of any number of cards, group by group.

    Taking each meld of a group as often as it is there, the dearest first, is the best there is:
    only a run and a royal marriage ever want the same cards, and the run is worth more.
    `roundhouse_bonus` is what a roundhouse beside a run counts more than its parts: a house rule.

    Raises RuleError for a third copy of a card.
    """
    held = tally(cards)
    left = {group: held.copy() for group in "ABC"}
    melds: list[Meld] = []
    for meld in kinds(trump):
        spare = left[meld.group]
        times = min(spare[card] for card in meld.cards)
        spare.subtract(dict.fromkeys(meld.cards, times))
        melds += [meld] * times
    if roundhouse_bonus:
        run = min(held[Card(rank, trump)] for rank in RUN)
        times = min(run, *(held[card] for card in ROUNDHOUSE))
        melds += [_once_more(trump, roundhouse_bonus)] * times
    return _count(melds)


@checked
def by_trump(cards: Iterable[Card], *, roundhouse_bonus: Bonus = 0) -> Mapping[Suit, MeldCount]:
    """Return the best count with each suit as trumps.

    Raises RuleError for a third copy of a card.
    """
    held = tuple(tally(cards).elements())
    return {suit: best(held, suit, roundhouse_bonus=roundhouse_bonus) for suit in Suit}


@checked
def best_trumps(cards: Iterable[Card], *, roundhouse_bonus: Bonus = 0) -> tuple[Suit, ...]:
    """Return the suit that counts most as trumps, or those that do.

    Raises RuleError for a third copy of a card.
    """
    counts = by_trump(cards, roundhouse_bonus=roundhouse_bonus)
    most = max(count.total for count in counts.values())
    return tuple(suit for suit, count in counts.items() if count.total == most)


@checked
def named(names: _Names, trump: Suit, *, roundhouse_bonus: Bonus = 0) -> MeldCount:
    """Return what melds come to that were called by name, a name for each time.

    Raises RuleError for a name that is no meld with this trump, and for melds that no pack holds.
    """
    known = {meld.name: meld for meld in kinds(trump)}
    melds = []
    for name in names:
        if name not in known:
            sentence = gettext_noop("With these trumps there is no such meld.")
            raise RuleError(Message("no_meld", sentence), field="melds")
        melds.append(known[name])
    melds.sort(key=[*known.values()].index)
    held = fewest_cards(melds)
    runs = sum(meld.name == "run" for meld in melds)
    if roundhouse_bonus:
        times = min(runs, *(held[card] for card in ROUNDHOUSE))
        melds += [_once_more(trump, roundhouse_bonus)] * times
    return _count(melds)


@checked
def fewest_cards(melds: _Melds) -> Counter[Card]:
    """Return the cards it takes to lay these melds down, when they share all they can.

    Raises RuleError where that is a third copy of a card.
    """
    in_group: dict[str, Counter[Card]] = {group: Counter() for group in "ABC"}
    for meld in melds:
        if meld.group in in_group:
            in_group[meld.group].update(meld.cards)
    needed = in_group["A"] | in_group["B"] | in_group["C"]
    for card, count in needed.items():
        if count > COPIES:
            sentence = gettext_noop(
                "Together these melds take %(card)s %(count)s times, and the pack has two of each."
            )
            params: dict[str, int | str] = {"card": written(card), "count": count}
            raise RuleError(Message("melds_take", sentence, params), field="melds")
    return needed


@checked
def shared(cards: Iterable[Card], count: MeldCount) -> tuple[Shared, ...]:
    """Return the cards of a hand that serve in more melds than there are copies of them.

    Raises RuleError for a third copy of a card.
    """
    held = tally(cards)
    found = []
    for card in (Card(rank, suit) for suit in Suit for rank in Rank):
        serves = tuple(meld for meld in count.melds if card in meld.cards)
        if len(serves) > held[card]:
            found.append(Shared(card=card, held=held[card], melds=serves))
    return tuple(found)


@checked
def written(card: Card) -> str:
    """Return a card as it is printed: "10♥"."""
    return f"{card.rank}{card.suit.glyph}"


def _count(melds: Sequence[Meld]) -> MeldCount:
    return MeldCount(total=sum(meld.points for meld in melds), melds=tuple(melds))


def _once_more(trump: Suit, points: int) -> Meld:
    pair = (Card(Rank.KING, trump), Card(Rank.QUEEN, trump))
    name = gettext_noop("royal marriage again, in the roundhouse")
    return Meld(name=name, points=points, cards=pair, group="D")


@checked
def kinds(trump: Suit) -> tuple[Meld, ...]:
    """Return every meld there is with this trump, each group in the order it is taken."""

    def marriage(name: str, points: int, suit: Suit) -> Meld:
        pair = (Card(Rank.KING, suit), Card(Rank.QUEEN, suit))
        return Meld(name=name, points=points, cards=pair, group="A")

    run = tuple(Card(rank, trump) for rank in RUN)
    plain = {suit: name for suit, name in MARRIAGES.items() if suit is not trump}
    nine = (Card(Rank.NINE, trump),)
    return (
        Meld(name=gettext_noop("run"), points=150, cards=run, group="A"),
        marriage(gettext_noop("royal marriage"), 40, trump),
        *(marriage(name, PLAIN_MARRIAGE, suit) for suit, name in plain.items()),
        Meld(name=gettext_noop("dix"), points=10, cards=nine, group="A"),
        Meld(name=gettext_noop("pinochle"), points=40, cards=PINOCHLE, group="B"),
        *(
            Meld(name=name, points=points, cards=tuple(Card(rank, s) for s in Suit), group="C")
            for name, points, rank in AROUND
        ),
    )
