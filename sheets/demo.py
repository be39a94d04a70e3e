"""Plausible evenings of a club, made up from a seed: who sat where, who bid what and how it went.

Only the cards are made up: what a hand comes to is for the rules to say.
"""

from __future__ import annotations

import dataclasses
import datetime
import random
from collections.abc import Iterator

from rules.auction import Outcome
from rules.auction_bids import legal_bids
from rules.auction_house import HouseRules
from rules.cards import Suit

TABLES = 13
WEEKDAYS = (1, 3, 4)  # the club meets on Tuesdays, Thursdays and Fridays
SHEETS_A_TABLE = 2  # in one evening
HANDS = 24
SEATS = 3
NAMES = (
    *("Ada", "Albert", "Anna", "Bella", "Bruno", "Carla", "Chuck", "Clara", "Conrad", "Dora"),
    *("Edgar", "Elsa", "Emil", "Erna", "Felix", "Flora", "Frank", "Frieda", "Georg", "Greta"),
    *("Hanna", "Harald", "Hedy", "Hugo", "Ida", "Igor", "Ilse", "Ivan", "Jakob", "Jenny"),
    *("Jonas", "Karla", "Klaus", "Lena", "Leo", "Lisa", "Ludwig", "Maja", "Max", "Mia"),
    *("Moritz", "Nora", "Oskar", "Otto", "Paula", "Pia", "Ralf", "Rosa", "Ruth", "Sam"),
    *("Sara", "Tom", "Toni", "Ulla", "Vera", "Viktor", "Walter", "Wanda", "Wim", "Zoë"),
)


@dataclasses.dataclass(frozen=True, slots=True)
class Deal:
    """One hand: seats from 0. Without a bidder nobody bid; `typed` are numbers without a hand."""

    bidder: int | None = None
    bid: int | None = None
    trump: Suit | None = None
    outcome: Outcome | None = None
    typed: tuple[int, ...] | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Evening:
    """One sheet: at which table, when, who sat where (as places in `NAMES`), and the hands."""

    table: int
    started: datetime.datetime  # on the club's clock, without a zone
    people: tuple[int, ...]  # the first of them deals first
    deals: tuple[Deal, ...]


def evenings(count: int, *, last: datetime.date, seed: int, house: HouseRules) -> Iterator[Evening]:
    """Make up so many sheets, newest first, back from a day; the same seed makes the same."""
    chance = random.Random(seed)
    bids = legal_bids(house)
    weights = [0.75**n for n in range(len(bids))]  # few people bid 500
    day, made = last, 0
    while made < count:
        if day.weekday() in WEEKDAYS:
            for started, table, people in _seated(chance, day):
                if made < count:
                    deals = tuple(_deals(chance, bids, weights))
                    yield Evening(table, started, people, deals)
                    made += 1
        day -= datetime.timedelta(days=1)


def _seated(
    chance: random.Random, day: datetime.date
) -> Iterator[tuple[datetime.datetime, int, tuple[int, ...]]]:
    """Seat everybody for an evening: both sheets of a table have the same three, newest first."""
    tonight = chance.sample(range(len(NAMES)), TABLES * SEATS)
    for sheet in reversed(range(SHEETS_A_TABLE)):
        for table in range(TABLES):
            minutes = chance.randrange(20)
            started = datetime.datetime.combine(day, datetime.time(19 + 2 * sheet, minutes))
            yield started, table, tuple(tonight[table * SEATS :][:SEATS])


def _deals(chance: random.Random, bids: tuple[int, ...], weights: list[float]) -> Iterator[Deal]:
    short = chance.random() < 0.02
    for _number in range(5 if short else HANDS):
        luck = chance.random()
        if luck < 0.02:
            yield Deal()
        elif luck < 0.03:
            yield Deal(typed=(2, 0, 0))
        elif luck < 0.036:
            yield Deal(typed=(1, 2, 3))  # no hand gives this
        else:
            bid = chance.choices(bids, weights)[0]
            outcome = _outcome(chance, bid)
            trump = None if outcome is Outcome.THROWN_IN else chance.choice(list(Suit))
            yield Deal(chance.randrange(SEATS), bid, trump, outcome)


def _outcome(chance: random.Random, bid: int) -> Outcome:
    """The higher the bid, the more often it goes wrong."""
    luck = chance.random()
    if luck < 0.12:
        return Outcome.THROWN_IN
    return Outcome.SET if luck < 0.12 + min(0.6, bid / 1500) else Outcome.MADE
