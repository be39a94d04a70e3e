"""House rules of Auction Pinochle in words, made from the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator

from rules import Message, gettext_noop
from rules.auction_house import Fourth, HouseRules, Sitter
from rules.cards import Counting
from rules.checking import checked

_USUAL = HouseRules()


@checked
def in_words(house: HouseRules) -> tuple[Message, ...]:
    """Return the rules in short phrases: what a table asks first, and all that is not usual.

    Rules under which anything is played differently never have the same phrases.
    """
    return (*_bidding(house), *_counting(house), *_at_the_table(house))


@checked
def notes(house: HouseRules) -> tuple[Message, ...]:
    """Return what the stake table does not show, in sentences."""
    said = []
    if house.spades_double:
        said.append(Message("spades_note", gettext_noop("Spades double both.")))
    thrown_in = gettext_noop(
        "A hand thrown in before a card is played costs what a make would have paid, "
        "and never doubles."
    )
    said.append(Message("thrown_in_note", thrown_in))
    if house.pot:
        pot = gettext_noop(
            "Everybody puts %(ante)s in the pot before the first deal; a set pays the pot like "
            "one more opponent, and a made bid of %(winning)s or more takes it."
        )
        params: dict[str, int | str] = {
            "ante": house.pot.ante,
            "winning": house.pot.winning_bid,
        }
        said.append(Message("pot_note", pot, params))
    return tuple(said)


def _bidding(house: HouseRules) -> Iterator[Message]:
    yield Message("opens", gettext_noop("opens at %(minimum)s"), {"minimum": house.minimum})
    if house.step != _USUAL.step:
        yield Message("step", gettext_noop("goes up by %(step)s"), {"step": house.step})
    if house.forties_and_nineties:
        yield Message("forties", gettext_noop("40s and 90s allowed"))
    else:
        yield Message("forties", gettext_noop("no 40s or 90s"))
    if house.dealers_bid is None:
        yield Message("dealer_bid", gettext_noop("the dealer is left with no bid"))
    elif house.dealers_bid != _USUAL.dealers_bid:
        left = gettext_noop("the dealer can be left with %(bid)s")
        yield Message("dealer_bid", left, {"bid": house.dealers_bid})


def _counting(house: HouseRules) -> Iterator[Message]:
    if house.spades_double:
        yield Message("spades", gettext_noop("spades double"))
    else:
        yield Message("spades", gettext_noop("spades don't double"))
    match house.counting:
        case Counting.STANDARD:
            pass
        case Counting.TENS:
            yield Message("counting", gettext_noop("tricks counted in tens"))
        case Counting.FIVES:
            yield Message("counting", gettext_noop("tricks counted in fives"))
    if house.roundhouse != _USUAL.roundhouse:
        rich = gettext_noop("a run with a roundhouse counts %(points)s")
        yield Message("roundhouse", rich, {"points": house.roundhouse})
    if house.stakes != _USUAL.stakes:
        rows = " · ".join(f"{bid}: {units}" for bid, units in house.stakes)
        yield Message("stakes", gettext_noop("stakes %(rows)s"), {"rows": rows})


def _at_the_table(house: HouseRules) -> Iterator[Message]:
    match house.fourth:
        case Fourth.NONE:
            pass
        case Fourth.OFF_SHEET:
            yield Message("fourth", gettext_noop("a fourth player off the sheet"))
        case Fourth.COLUMN:
            yield Message("fourth", gettext_noop("a fourth player with a column"))
    if house.fourth is not Fourth.NONE:
        match house.sitter:
            case Sitter.RIGHT_OF_DEALER:
                right = gettext_noop("the player on the dealer's right sits out")
                yield Message("sitter", right)
            case Sitter.DEALER:
                yield Message("sitter", gettext_noop("the dealer sits out"))
    if house.pot:
        sentence = gettext_noop("a pot: ante %(ante)s, won from %(winning)s")
        params: dict[str, int | str] = {
            "ante": house.pot.ante,
            "winning": house.pot.winning_bid,
        }
        yield Message("pot", sentence, params)
