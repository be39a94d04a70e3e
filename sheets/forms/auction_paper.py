"""The short hand of Auction Pinochle: who bid, how much, in which suit, how it ended."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from rules import auction, cards
from sheets import names, numbers
from sheets.actions import EnteredHand
from sheets.forms.short_hand import Kind, NotUnderstood, People, Said, Token, heard, number
from sheets.models import RoundKind

LEFT_OUT: Final = frozenset({"bid", "bids", "for", "in", "the", "of"})  # once nothing else
MOST_TOGETHER: Final = 3  # a bidder, a suit and a result
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


def read(said: Sequence[Token], people: People, house: auction.HouseRules) -> list[Said]:
    """Return the hands that a line can mean; raises NotUnderstood with what is missing.

    Letters may stand together, and in another order than is explained, as long as only one hand can
    be meant.
    """
    told = heard(said)
    values = [number(one.text) for one in told if one.kind is Kind.NUMBER]
    seat = [n for n in values if 0 < n <= len(people.players)]
    bids = [n for n in values if n not in seat]
    words = _meanings(told, people)
    if len(bids) != 1 or len(seat) > 1:
        raise NotUnderstood(_("Write one bid, such as 350."))
    if seat:
        meant = people.in_seat(str(seat[0]))
        words = [[_Meaning("bidder", pk) for pk in meant], *words]
    found = _hands(words) or _hands(words, allow_no_suit=True)
    if not found:
        raise _missing(words, people)
    at = next(n for n, one in enumerate(told) if one.kind is Kind.NUMBER)
    ordered = _in_order(found, 1 if seat else at)
    return [Said(_hand(one, bids[0], house), one in ordered) for one in ordered or found]


def read_of(bidder: int, said: Sequence[Token], house: auction.HouseRules) -> EnteredHand:
    """Return the hand that the rest of a line says, whose bidder is known; raises NotUnderstood."""
    told = heard(said)
    bids = [number(one.text) for one in told if one.kind is Kind.NUMBER]
    words = [[_Meaning("bidder", bidder)], *_meanings(told)]
    if len(bids) != 1:
        raise NotUnderstood(_("Write one bid, such as 350."))
    found = _hands(words) or _hands(words, allow_no_suit=True)
    if not found:
        raise _missing(words)
    return _hand(found[0], bids[0], house)


def _hand(told: Mapping[str, _Meaning], bid: int, house: auction.HouseRules) -> EnteredHand:
    outcome = told["outcome"].value
    trump = told.get("suit")
    thrown_in = outcome == auction.Outcome.THROWN_IN
    if trump is None and not thrown_in:
        raise NotUnderstood(_("In which suit? s, h, d or c."))
    bidder = told["bidder"].value
    assert isinstance(bidder, int)
    return EnteredHand(
        kind=RoundKind.PLAYED,
        bidder=bidder,
        bid=_bid(bid, house),
        trump=None if trump is None or thrown_in else str(trump.value),
        outcome=str(outcome),
    )


def explained(
    offered: Sequence[tuple[str, str]], house: auction.HouseRules
) -> list[tuple[str, str]]:
    """Return what can be written, and what it means; `offered` has a word for every name."""
    short, name = offered[1]
    whole = {"name": name}
    return [
        (f"{short} 350 s x", _("%(name)s bid 350 in spades and was set") % whole),
        (", ".join(letters for letters, _name in offered), _("who bid")),
        ("s, h, d, c", _("spades, hearts, diamonds, clubs")),
        ("m, x, t", _("made, set, thrown in (needs no suit)")),
    ]


def examples(who: str) -> list[str]:
    """Return the lines that are explained, with this word for the bidder."""
    ends = [f"{suit} {end}" for suit in "shdc" for end in "mxt"]
    return [f"{who} 350 {end}" for end in (*ends, "t")]


def is_a_word(word: str) -> bool:
    """Say whether a word says something of a hand, whoever sits at the table."""
    if word in LEFT_OUT or _meaning(word):
        return True
    return len(word) <= MOST_TOGETHER and all(map(_meaning, word))


def _bid(n: int, house: auction.HouseRules) -> int:
    lowest = min(house.minimum, house.dealers_bid or house.minimum)
    return n * 10 if n in SHORT_BIDS and lowest >= SHORT_BIDS.stop else n


def _meanings(told: Sequence[Token], people: People | None = None) -> list[list[_Meaning]]:
    """Return what each word that is no number can mean; letters that stand together are parted."""
    said = []
    for one in told:
        word = one.text
        bare = word.rstrip(numbers.MINUS)
        if one.kind is Kind.NUMBER:
            continue
        if meant := list(dict.fromkeys([*_meaning(word, people), *_meaning(bare, people)])):
            said.append(meant)
            continue
        if bare in LEFT_OUT:
            continue
        letters = [_meaning(letter, people) for letter in re.sub(f"[{numbers.MINUS}]", "", word)]
        if not all(letters) or len(letters) > MOST_TOGETHER:
            sentence = _("“%(word)s” is nobody here, no suit and no result.")
            raise NotUnderstood(sentence % {"word": names.Isolated(word[:20])})
        said += letters
    return said


def _meaning(word: str, people: People | None = None) -> list[_Meaning]:
    meant = [_Meaning("bidder", pk) for pk in (people.called(word) if people else ())]
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
    if len(said) > MOST_TOGETHER:
        return found
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


def _missing(said: Sequence[Sequence[_Meaning]], people: People | None = None) -> NotUnderstood:
    """Return the refusal that says which part of a hand none of these words can be."""
    parts = [{one.part for one in meant} for meant in said]
    if len(said) > MOST_TOGETHER:
        return NotUnderstood(_("There is more here than a bidder, a bid, a suit and a result."))
    if not any("bidder" in one for one in parts):
        return NotUnderstood(_("Who bid? Begin with the first letter of a name."))
    if not any("outcome" in one for one in parts):
        return NotUnderstood(_("How did it end? m made, x set, t thrown in."))
    for meant in said if people else ():
        bidders = {one.value for one in meant if one.part == "bidder"}
        if len(bidders) > 1 and len(bidders) == len(meant) and people:
            return people.both(one for one in bidders if isinstance(one, int))
    return NotUnderstood(_("Write who bid, the bid, the suit and how it ended."))
