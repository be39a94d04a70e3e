"""What a table playing Auction Pinochle has agreed beforehand, checked once and then frozen."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Annotated, Any, Final, Self, TypeVar

from rules import Message, RuleError, gettext_noop
from rules.cards import Counting
from rules.checking import checked

TOP_BID: Final = 1000  # more than this is a slip of the pen
TOP_MADE: Final = 750  # the most a hand can make: 500 in melds and all 250 in tricks
TOP_UNITS: Final = 1000
SET_FACTOR: Final = 2  # a lost bid pays each opponent twice what it would have won from him
SPADES_FACTOR: Final = 2  # on makes and sets; a hand thrown in is never doubled
PLAIN_ROUNDHOUSE: Final = 350  # a run and a roundhouse whose trump marriage is in the run
RICH_ROUNDHOUSE: Final = 390  # the same where that marriage counts once more
CACHED_HOUSES: Final = 256  # house rules whose figures are kept: anybody may ask for any
FORMAT: Final = 1  # of the stored form; a new one whenever its keys change

_Choice = TypeVar("_Choice", bound=enum.StrEnum)


class Fourth(enum.StrEnum):
    """Where a fourth player's units go: nobody's, beside the sheet, or a column of his own."""

    NONE = "none"
    OFF_SHEET = "off_sheet"
    COLUMN = "column"


class Sitter(enum.StrEnum):
    """Who sits out when four are at the table."""

    RIGHT_OF_DEALER = "right_of_dealer"
    DEALER = "dealer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """The pot everybody antes to; `winning_bid` is the lowest made bid that takes it."""

    ante: int = 1
    winning_bid: int = 410

    def __post_init__(self) -> None:
        if type(self.ante) is not int or not 1 <= self.ante <= TOP_UNITS:
            raise RuleError(
                Message("ante", gettext_noop("Make the ante a whole number from 1 to 1,000.")),
                field="ante",
            )
        if not _is_tens(self.winning_bid, TOP_MADE):
            raise RuleError(
                Message(
                    "winning_bid",
                    gettext_noop(
                        "Make the lowest bid that takes the pot a multiple of 10, up to 750."
                    ),
                ),
                field="winning_bid",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The agreed rules of one table; the defaults are the game as it is usually played.

    `stakes` holds pairs (lowest bid of the row, units each opponent pays when it is made); a set
    pays double that. `dealer_bid` is the bid the dealer can be left with, None where there is no
    such rule. `roundhouse` is what a run together with a roundhouse counts, 350 or 390.

    Raises RuleError, its `field` the name of the setting, for anything that can't be played.
    """

    minimum: int = 300
    step: int = 10
    forties_and_nineties: bool = False
    dealer_bid: int | None = 250
    spades_double: bool = True
    counting: Counting = Counting.STANDARD
    roundhouse: int = PLAIN_ROUNDHOUSE
    stakes: tuple[tuple[int, int], ...] = (
        (250, 1),
        (350, 2),
        (400, 4),
        (450, 8),
        (500, 16),
        (550, 32),
    )
    fourth: Fourth = Fourth.NONE
    sitter: Sitter = Sitter.RIGHT_OF_DEALER
    pot: Pot | None = None

    def __post_init__(self) -> None:
        _check_choices(self)
        _check_bidding(self)
        # Lists, as they come out of JSON, would leave the rules without a hash.
        object.__setattr__(self, "stakes", _checked_stakes(self.stakes))

    @property
    def dealers_bid(self) -> int | None:
        """The bid the dealer is left with: never more than the lowest opening bid."""
        return None if self.dealer_bid is None else min(self.dealer_bid, self.minimum)

    @property
    def roundhouse_bonus(self) -> int:
        """What a run beside a roundhouse is worth here beyond the usual 350."""
        return self.roundhouse - PLAIN_ROUNDHOUSE

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as JSON can hold them; `from_dict` reads them back."""
        return {
            "format": FORMAT,
            "minimum": self.minimum,
            "step": self.step,
            "forties_and_nineties": self.forties_and_nineties,
            "dealer_bid": self.dealer_bid,
            "spades_double": self.spades_double,
            "counting": self.counting.value,
            "roundhouse": self.roundhouse,
            "stakes": [list(row) for row in self.stakes],
            "fourth": self.fourth.value,
            "sitter": self.sitter.value,
            "pot": self.pot and {"ante": self.pot.ante, "winning_bid": self.pot.winning_bid},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote.

        Raises RuleError for another format, a key too many or too few, or a value that can't be.
        """
        values = _exactly(data, {"format", *(field.name for field in fields(cls))})
        if type(values["format"]) is not int or values.pop("format") != FORMAT:
            raise _unreadable()
        values["counting"] = _choice(Counting, values["counting"], "counting")
        values["fourth"] = _choice(Fourth, values["fourth"], "fourth")
        values["sitter"] = _choice(Sitter, values["sitter"], "sitter")
        if values["pot"] is not None:
            pot = _exactly(values["pot"], {field.name for field in fields(Pot)})
            values["pot"] = Pot(**pot)
        return cls(**values)


@checked
def ends_in_forty_or_ninety(bid: Annotated[int, range(TOP_BID + 1)]) -> bool:
    """Say whether the bid is one of 40, 90, 140, ... 340, 390, ..., which most tables skip."""
    return bid % 50 == 40


def _is_tens(value: object, top: int) -> bool:
    return type(value) is int and 0 < value <= top and value % 10 == 0


def _check_choices(house: HouseRules) -> None:
    """Refuse a setting that is none of the answers offered for it."""
    right = {
        "forties_and_nineties": type(house.forties_and_nineties) is bool,
        "spades_double": type(house.spades_double) is bool,
        "counting": isinstance(house.counting, Counting),
        "roundhouse": type(house.roundhouse) is int
        and house.roundhouse in {PLAIN_ROUNDHOUSE, RICH_ROUNDHOUSE},
        "fourth": isinstance(house.fourth, Fourth),
        "sitter": isinstance(house.sitter, Sitter),
        "pot": house.pot is None or isinstance(house.pot, Pot),
    }
    for name, is_right in right.items():
        if not is_right:
            raise not_offered(name)


def _check_bidding(house: HouseRules) -> None:
    """Refuse a minimum, a step or a dealer's bid that no auction could be held with."""
    if not _is_tens(house.minimum, TOP_MADE):
        sentence = gettext_noop("Make the lowest bid a multiple of 10, up to 750.")
        raise RuleError(Message("minimum", sentence), field="minimum")
    if not _is_tens(house.step, TOP_BID):
        sentence = gettext_noop("Make the step a multiple of 10: bids go up in tens.")
        raise RuleError(Message("step", sentence), field="step")
    if house.dealer_bid is not None and not _is_tens(house.dealer_bid, TOP_MADE):
        sentence = gettext_noop(
            "Make the bid the dealer is left with a multiple of 10, up to 750, or leave it out."
        )
        raise RuleError(Message("dealer_bid", sentence), field="dealer_bid")
    for name, bid in (("minimum", house.minimum), ("dealer_bid", house.dealer_bid)):
        if bid is None or house.forties_and_nineties or not ends_in_forty_or_ninety(bid):
            continue
        sentence = gettext_noop(
            "A bid can't end in 40 or 90 at this table: choose another than %(bid)s, "
            "or allow 40s and 90s."
        )
        raise RuleError(Message("setting_forty_ninety", sentence, {"bid": bid}), field=name)


def _checked_stakes(stakes: object) -> tuple[tuple[int, int], ...]:
    """Return the stake table as tuples, or refuse it and say which row is wrong, counted from 1."""
    given = stakes if isinstance(stakes, list | tuple) else ()
    given = given[: TOP_BID // 10 + 1]  # each row starts at a higher ten: one more is refused
    rows = tuple(_checked_row(row, number) for number, row in enumerate(given, start=1))
    if not rows:
        sentence = gettext_noop("Give the stakes at least one row.")
        raise RuleError(Message("stakes_empty", sentence), field="stakes")
    for number, ((bid, units), (next_bid, next_units)) in enumerate(pairwise(rows), start=2):
        params: dict[str, int | str] = {"row": number, "bid": bid, "units": units}
        if next_bid <= bid:
            sentence = gettext_noop(
                "Start row %(row)s of the stakes at a higher bid than the row before it, "
                "which starts at %(bid)s."
            )
            raise RuleError(Message("stakes_overlap", sentence, params), field="stakes")
        if next_units < units:
            sentence = gettext_noop(
                "Let row %(row)s of the stakes pay no less than the row before it, "
                "which pays %(units)s."
            )
            raise RuleError(Message("stakes_down", sentence, params), field="stakes")
    return rows


def _checked_row(row: object, number: int) -> tuple[int, int]:
    if isinstance(row, list | tuple) and len(row) == 2:
        bid, units = row
        if _is_tens(bid, TOP_BID) and type(units) is int and 1 <= units <= TOP_UNITS:
            return bid, units
    sentence = gettext_noop(
        "Give row %(row)s of the stakes a bid, a multiple of 10 up to 1,000, and a whole number "
        "of units from 1 to 1,000."
    )
    raise RuleError(Message("stakes_row", sentence, {"row": number}), field="stakes")


def _choice(choices: type[_Choice], value: Any, name: str) -> _Choice:
    try:
        return choices(value)
    except ValueError:
        raise not_offered(name) from None


def _exactly(data: object, keys: set[str]) -> dict[str, Any]:
    """Return a copy of a mapping that has these keys and no others."""
    if not isinstance(data, Mapping) or set(data) != keys:
        raise _unreadable()
    return dict(data)


@checked
def not_offered(name: Annotated[str, range(101)]) -> RuleError:
    """Return what is said about an answer to a setting that was never offered."""
    sentence = gettext_noop("Choose one of the answers offered for this setting.")
    return RuleError(Message("not_offered", sentence), field=name)


def _unreadable() -> RuleError:
    sentence = gettext_noop("These house rules are in a form that can't be read here.")
    return RuleError(Message("house_format", sentence))
