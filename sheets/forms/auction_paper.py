"""The short hand of Auction Pinochle: who bid, how much, in which suit, how it ended."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from rules import auction, cards
from sheets.actions import EnteredHand
from sheets.forms.paper import NotUnderstood, People
from sheets.models import RoundKind

LEFT_OUT: Final = frozenset({"bid", "bids", "for", "in", "a", "the", "of"})  # once nothing else
SHORT_BIDS: Final = range(10, 100)  # 35 is 350, where no bid is that low
_OUTCOMES: Final = {
    **dict.fromkeys(("m", "made", "make", "makes", "+", "✓"), auction.Outcome.MADE),
    **dict.fromkeys(("x", "set", "lost", "×", "✗"), auction.Outcome.SET),
    **dict.fromkeys(("t", "ti", "thrown", "threw", "throws"), auction.Outcome.THROWN_IN),
}


@dataclasses.dataclass(frozen=True, slots=True)
class _Meaning:
    """One thing that a word can mean: a bidder, a suit or an outcome."""

    part: str
    value: int | cards.Suit | auction.Outcome


def read(words: Sequence[str], people: People, house: auction.HouseRules) -> EnteredHand:
    """Return the hand that a line says; raises NotUnderstood with what is missing.

    Letters may stand together, and in another order than is explained, as long as only one hand can
    be meant.
    """
    numbers = [int(word) for word in words if word.isdecimal() and len(word) < 6]
    seat = [n for n in numbers if n <= len(people.players)]
    bids = [n for n in numbers if n > len(people.players)]
    if len(bids) != 1 or len(seat) > 1 or len(numbers) < sum(map(str.isdecimal, words)):
        raise NotUnderstood(_("Write one bid, such as 350."))
    said = _meanings(words, people)
    if seat:
        said = [[_Meaning("bidder", seat[0])], *said]
    found = _hands(said) or _hands(said, allow_no_suit=True)
    if not found:
        raise NotUnderstood(_missing(said))
    if len(found) > 1:
        at = next(n for n, word in enumerate(words) if word.isdecimal())
        found = _in_order(found, 1 if seat else at) or found
    if len(found) > 1:
        raise NotUnderstood(_("This can mean two hands: write more of the name or of the suit."))
    told = found[0]
    outcome = told["outcome"].value
    trump = told.get("suit")
    if trump is None and outcome != auction.Outcome.THROWN_IN:
        raise NotUnderstood(_("In which suit? s, h, d or c."))
    bidder = told["bidder"].value
    assert isinstance(bidder, int)
    thrown_in = outcome == auction.Outcome.THROWN_IN
    return EnteredHand(
        kind=RoundKind.PLAYED,
        bidder=bidder,
        bid=_bid(bids[0], house),
        trump=None if trump is None or thrown_in else str(trump.value),
        outcome=str(outcome),
    )


def explained(people: People, house: auction.HouseRules) -> list[tuple[str, str]]:
    """Return what can be written, and what it means."""
    (short, name), *_others = people.shortest()[1:]
    whole = {"name": name}
    return [
        (f"{short} 350 s x", _("%(name)s bid 350 in spades and was set") % whole),
        (", ".join(letters for letters, _name in people.shortest()), _("who bid")),
        ("s, h, d, c", _("spades, hearts, diamonds, clubs")),
        ("m, x, t", _("made, set, thrown in (needs no suit)")),
    ]


def _bid(n: int, house: auction.HouseRules) -> int:
    lowest = min(house.minimum, house.dealers_bid or house.minimum)
    return n * 10 if n in SHORT_BIDS and lowest >= SHORT_BIDS.stop else n


def _meanings(words: Sequence[str], people: People) -> list[list[_Meaning]]:
    """Return what each word that is no number can mean; letters that stand together are parted."""
    said = []
    for word in words:
        if word.isdecimal():
            continue
        if meant := _meaning(word, people):
            said.append(meant)
            continue
        if word in LEFT_OUT:
            continue
        letters = [_meaning(letter, people) for letter in word]
        if not all(letters) or len(letters) > 3:
            sentence = _("“%(word)s” is nobody here, no suit and no result.")
            raise NotUnderstood(sentence % {"word": word[:20]})
        said += letters
    return said


def _meaning(word: str, people: People) -> list[_Meaning]:
    meant = [_Meaning("bidder", pk) for pk in people.called(word)]
    meant += [
        _Meaning("suit", suit)
        for suit in cards.Suit
        if suit.value.startswith(word) or word in (suit.glyph, suit.value.removesuffix("s"))
    ]
    if word in _OUTCOMES:
        meant.append(_Meaning("outcome", _OUTCOMES[word]))
    return meant


def _hands(
    said: Sequence[Sequence[_Meaning]], *, allow_no_suit: bool = False
) -> list[dict[str, _Meaning]]:
    """Return every hand that these words can mean, each of them once and in this order."""
    found: list[dict[str, _Meaning]] = []
    for chosen in itertools.islice(itertools.product(*said), 1_000):
        told = {one.part: one for one in chosen}
        whole = {"bidder", "outcome"} | (set() if allow_no_suit else {"suit"})
        if len(told) == len(chosen) and whole <= set(told) and told not in found:
            found.append(told)
    return found


def _in_order(found: list[dict[str, _Meaning]], before: int) -> list[dict[str, _Meaning]]:
    """Keep what was said in the order that is explained: bidder, bid, suit, outcome.

    `before` says how many words stood before the bid.
    """
    order = ["bidder", "suit", "outcome"]
    return [
        told
        for told in found
        if before == 1 and list(told) == [part for part in order if part in told]
    ]


def _missing(said: Sequence[Sequence[_Meaning]]) -> str:
    """Say which part of a hand none of these words can be."""
    parts = [{one.part for one in meant} for meant in said]
    if len(said) > 3:
        return _("There is more here than a bidder, a bid, a suit and a result.")
    if not any("bidder" in one for one in parts):
        return _("Who bid? Begin with the first letter of a name.")
    if not any("outcome" in one for one in parts):
        return _("How did it end? m made, x set, t thrown in.")
    if len({part for one in parts for part in one}) < len(said) or len(said) < 2:
        return _("Write who bid, the bid, the suit and how it ended.")
    two = [one for one in said if len({m.value for m in one if m.part == "bidder"}) > 1]
    if two:
        return _("Two names begin like that: write more of it.")
    return _("Write who bid, the bid, the suit and how it ended.")
