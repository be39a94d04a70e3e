"""A table as an evening has left it, made without tapping through the evening."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import BrowserContext

from rules import auction
from sheets import actions, codes, queries
from sheets.access import COOKIE
from sheets.models import Round, RoundKind, Table
from sheets.seen import Seen
from tests.browser.phone import NAMES

EIGHT_HANDS: tuple[dict[str, Any], ...] = (
    {"bidder": 1, "bid": 600, "trump": "spades", "outcome": "set"},
    {"bidder": 2, "bid": 300, "trump": "diamonds", "outcome": "made"},
    {"bidder": 1, "bid": 320, "trump": "hearts", "outcome": "made",
     "counts": {"meld_points": 180, "trick_points": 150}},
    {"bidder": 0, "bid": 350, "outcome": "thrown_in"},
    {"kind": "typed", "units": (4, 0, 4)},
    {"kind": "typed", "units": (3, 0, 0)},
    {"kind": "passed_out"},
    {"bidder": 1, "bid": 250, "trump": "clubs", "outcome": "set"},
)  # fmt: skip
LONG_NAMES = (
    "Wolfeschlegelsteinhausenbergerdorffwelth",
    "Anna Maria Theresia Wilhelmine von Bergh",
    "W" * 40,
)
# As high as totals get: an evening of lost 600s in spades.
BIG_HANDS = ({"bidder": 2, "bid": 600, "trump": "spades", "outcome": "set"},) * 12


class Seeded:
    """A table with hands on its open sheet, and the secret of the phone that started it."""

    def __init__(
        self,
        hands: Sequence[dict[str, Any]] = (),
        names: Sequence[str] = NAMES,
        *,
        banked: bool = False,
        house: auction.HouseRules | None = None,
        off_sheet: int | None = None,
    ) -> None:
        self.secret = codes.new_phone()
        self.phone = codes.phone_hash(self.secret)
        new = actions.NewTable(
            names=tuple(names),
            first_dealer=0,
            this_phone=0,
            game="auction",
            house=house or auction.HouseRules(),
            time_zone="Europe/Berlin",
            off_sheet=off_sheet,
        )
        started = actions.start_table(new, phone=self.phone, key=uuid.uuid4())
        assert isinstance(started, actions.Saved)
        self.table: Table = started.change.table
        self.sheet, self.players = queries.latest_sheet(self.table)
        self.rounds: list[Round] = [self.enter(hand) for hand in hands]
        if banked:
            self.end()

    def let_in(self, context: BrowserContext, base_url: str) -> None:
        """Make a browser the phone that started the table."""
        context.add_cookies([{"name": COOKIE, "value": self.secret, "url": base_url}])

    def seat(self, context: BrowserContext, base_url: str, seat: int) -> None:
        """Make a browser the phone of a player; the first one's started the table."""
        secret = codes.new_phone() if seat else self.secret
        if seat:
            phone = codes.phone_hash(secret)
            self._write(actions.join, self.players[seat].person_id, phone=phone)
        context.add_cookies([{"name": COOKIE, "value": secret, "url": base_url}])

    def url(self, rest: str = "") -> str:
        return f"/t/{self.table.public_id}/{rest}"

    def hand_url(self, number: int, rest: str = "") -> str:
        return self.url(f"hands/{self.rounds[number - 1].public_id}/{rest}")

    def other_phone(self) -> str:
        """Let another phone join, and return its hash."""
        other = codes.phone_hash(codes.new_phone())
        self._write(actions.join, self.players[1].person_id, phone=other)
        return other

    def enter(self, hand: dict[str, Any], *, phone: str = "") -> Round:
        """Enter a hand from this phone or another."""
        kind = RoundKind(hand.get("kind", RoundKind.PLAYED))
        plain = {
            name: hand[name]
            for name in ("bid", "trump", "outcome", "counts", "reason")
            if name in hand
        }
        if "bidder" in hand:
            plain["bidder"] = self.players[hand["bidder"]].pk
        if "units" in hand:
            units = zip(self.players, hand["units"], strict=True)
            plain["units"] = {player.pk: n for player, n in units}
        entered = actions.EnteredHand(kind=kind, **plain)
        saved = self._write(actions.enter_hand, self.sheet.public_id, entered, phone=phone)
        assert saved.change.round is not None
        return saved.change.round

    def leave(self, seat: int, name: str) -> None:
        """Let somebody sit down in a player's seat."""
        self._write(actions.leave, self.sheet.public_id, self.players[seat].pk, name=name)

    def end(self) -> None:
        self._write(actions.end_match, self.sheet.public_id)

    def take_back(self, number: int) -> None:
        self._write(actions.take_back, self.rounds[number - 1].public_id)

    def ask_each_other(self) -> None:
        """Switch own columns and confirming on: a hand to confirm, and one that is half entered."""
        other = self.other_phone()
        self._write(actions.change_settings, True, True)
        self.rounds.append(self.enter({"kind": "typed", "units": (4, 0, 4)}, phone=other))
        ben, after = self.players[1].pk, self.rounds[-1].public_id
        begun = self._write(
            actions.enter_number, self.sheet.public_id, ben, 4, phone=other, after=after
        )
        assert begun.change.round is not None
        self.rounds.append(begun.change.round)

    def _write(self, action: Any, *what: Any, phone: str = "", **named: Any) -> actions.Saved:
        version = Table.objects.values_list("version", flat=True).get(pk=self.table.pk)
        write = actions.Write(
            table=self.table.pk, key=uuid.uuid4(), seen=Seen(version), phone=phone or self.phone
        )
        answer = action(write, *what, **named)
        assert isinstance(answer, actions.Saved), answer
        return answer


def playing() -> Seeded:
    return Seeded(EIGHT_HANDS)


def begun() -> Seeded:
    return Seeded(EIGHT_HANDS[:1])


def banked() -> Seeded:
    return Seeded(EIGHT_HANDS, banked=True)


def one_taken_back() -> Seeded:
    table = playing()
    table.take_back(8)
    return table


def asking() -> Seeded:
    table = begun()
    table.ask_each_other()
    return table


def four() -> Seeded:
    """Four columns, long names, big numbers, and a seat that somebody else has taken over."""
    house = auction.HouseRules(fourth=auction.Fourth.COLUMN)
    hands = (BIG_HANDS[0], {"kind": "passed_out"}) * 2
    table = Seeded(hands, (*LONG_NAMES, "D" * 40), house=house)
    table.leave(3, "E" * 40)
    return table
