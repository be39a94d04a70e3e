"""The games a sheet can hold. The rest of the product names no game: it asks here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from rules import Message, auction
from rules.payments import POT, Payment, Settlement

__all__ = ["DEFAULT", "GAMES", "OUTCOMES", "POT", "Game", "Payment", "Settlement"]


class Game(Protocol):
    """What the module of a game offers to everybody."""

    @property
    def NAME(self) -> str: ...  # noqa: N802 - a module's constant, to be translated
    @property
    def SEATS(self) -> int: ...  # noqa: N802 - a module's constant
    @property
    def SIGNED(self) -> bool: ...  # noqa: N802 - whether a column can go down
    @property
    def COUNTS(self) -> tuple[str, ...]: ...  # noqa: N802 - what is counted of a hand, by name

    HouseRules: Any
    Hand: Any
    Outcome: Any

    def seats(self, house: Any, /) -> int: ...
    def columns(self, house: Any, /) -> int: ...
    def with_fourth(self, house: Any, fourth: str, sitter: str = "", /) -> Any: ...
    def sits_out(self, dealer: int, house: Any, /) -> int | None: ...
    def dealers_bidder(self, dealer: int, sitter: int | None, house: Any, /) -> int: ...
    def seated_like(self, house: Any, other: Any, /) -> Any: ...
    def antes(self, house: Any, /) -> int: ...
    def antes_in_words(self, house: Any, /) -> Message | None: ...
    def pot_goes_to(self, house: Any, /) -> Message | None: ...
    def settle(self, hand: Any, house: Any, /, *, pot: int = 0) -> Settlement: ...
    def settle_row(
        self, entries: Sequence[int], house: Any, /, *, off_sheet: int | None = None
    ) -> Settlement | None: ...
    def row_doubts(self, entries: Sequence[int], house: Any, /) -> tuple[Message, ...]: ...
    def in_words(self, house: Any, /) -> tuple[Message, ...]: ...
    def notes(self, house: Any, /) -> tuple[Message, ...]: ...


# By the name that is stored with a sheet.
GAMES: Final[Mapping[str, Game]] = {"auction": auction}
DEFAULT: Final = "auction"
OUTCOMES: Final = tuple(sorted(outcome.value for outcome in auction.Outcome))
