"""The most that a number of cards can hold in melds, worked out and not looked up."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import Annotated, Final

from rules import Message, RuleError, gettext_noop
from rules.cards import COPIES, PACK, Rank, Suit
from rules.checking import checked
from rules.melds import Bonus, InMelds

KEPT: Final = 15  # the cards that melds are shown from
TAKEN: Final = 18  # with the kitty, before anything is buried

Held = Annotated[int, range(PACK + 1)]
_FEW: Final = range(COPIES + 1)
_IN_A_SUIT: Final = COPIES * len(Rank)
_AROUND: Final = (100, 80, 60, 40)  # aces, kings, queens, jacks
_PINOCHLE: Final = 40
_NEVER: Final = -1  # so many cards of a suit can't hold what is asked of them

_Least = tuple[int, int, int, int]  # aces, kings, queens, jacks


@checked
@lru_cache(maxsize=256)
def most(cards: Held, trump: Suit, *, roundhouse_bonus: Bonus = 0) -> int:
    """Return the most that so many cards can be worth in melds.

    Whatever a hand holds in the groups that cross suits fixes the least that each suit must have
    of its aces, kings, queens and jacks; given those, the suits are independent of each other, and
    the cards are shared out among them.
    """
    best = 0
    for least, pinochles in product(product(_FEW, repeat=4), _FEW):
        if sum(least) * len(Suit) > cards:
            continue
        around = sum(points * n for points, n in zip(_AROUND, least, strict=True))
        so_far = [around + pinochles * _PINOCHLE] * (cards + 1)
        for suit in Suit:
            aces, kings, queens, jacks = least
            if suit is Suit.SPADES:
                queens = max(queens, pinochles)
            if suit is Suit.DIAMONDS:
                jacks = max(jacks, pinochles)
            held: _Least = (aces, kings, queens, jacks)
            if suit is trump:
                table = _trumps(held, min(least[1], least[2]), roundhouse_bonus)
            else:
                table = _plain(held)
            so_far = _shared_out(so_far, table)
        best = max(best, *so_far)
    return best


@checked
def most_in_any_suit(cards: Held, *, roundhouse_bonus: Bonus = 0) -> int:
    """Return the most that so many cards can be worth, whatever is trumps."""
    return max(most(cards, suit, roundhouse_bonus=roundhouse_bonus) for suit in Suit)


@checked
def check(total: InMelds, cards: Held, *, roundhouse_bonus: Bonus = 0) -> None:
    """Refuse what no hand can hold: too many cards, or too many points for them.

    Raises RuleError with the reason.
    """
    if cards > TAKEN:
        sentence = gettext_noop(
            "These are %(cards)s cards, and nobody ever holds more than %(taken)s: "
            "%(kept)s dealt, and the kitty."
        )
        params: dict[str, int | str] = {"cards": cards, "taken": TAKEN, "kept": KEPT}
        raise RuleError(Message("too_many_cards", sentence, params), field="cards")
    limit = most_in_any_suit(cards, roundhouse_bonus=roundhouse_bonus)
    if total > limit:
        sentence = gettext_noop("%(cards)s cards hold no more than %(most)s in melds.")
        raise RuleError(
            Message("beyond_holding", sentence, {"cards": cards, "most": limit}), field="melds"
        )


@checked
def notes(cards: Held) -> tuple[Message, ...]:
    """Return what is to be said about more cards than melds are shown from."""
    if cards <= KEPT:
        return ()
    sentence = gettext_noop(
        "That is %(cards)s cards. Melds are shown from the %(kept)s that are kept after the bury: "
        "%(over)s too many."
    )
    params: dict[str, int | str] = {"cards": cards, "kept": KEPT, "over": cards - KEPT}
    return (Message("more_than_kept", sentence, params),)


@cache
def _plain(least: _Least) -> tuple[int, ...]:
    """The most in marriages for 0, 1, 2, ... cards of a plain suit that has at least these."""
    aces, kings, queens, jacks = least
    best = [_NEVER] * (_IN_A_SUIT + 1)
    for k, q in product(range(kings, COPIES + 1), range(queens, COPIES + 1)):
        size = aces + k + q + jacks
        best[size] = max(best[size], 20 * min(k, q))
    return tuple(best)


@cache
def _trumps(least: _Least, roundhouses: int, bonus: int) -> tuple[int, ...]:
    """The same for trumps: runs, royal marriages, dix, and what a roundhouse beside a run adds."""
    best = [_NEVER] * (_IN_A_SUIT + 1)
    ranges = [range(n, COPIES + 1) for n in least]
    for a, k, q, j, tens, nines in product(*ranges, _FEW, _FEW):
        runs = min(a, tens, k, q, j)
        points = 150 * runs + 40 * min(k - runs, q - runs) + 10 * nines
        points += bonus * min(runs, roundhouses)
        size = a + k + q + j + tens + nines
        best[size] = max(best[size], points)
    return tuple(best)


def _shared_out(so_far: list[int], suit: tuple[int, ...]) -> list[int]:
    """Add a suit: for each number of cards in all, the best way to give it some of them."""
    added = [_NEVER] * len(so_far)
    for size, points in enumerate(suit):
        if points == _NEVER:
            continue
        for cards in range(size, len(so_far)):
            if so_far[cards - size] != _NEVER:
                added[cards] = max(added[cards], so_far[cards - size] + points)
    return added
