"""Between players and seats: the rules count seats from 0 clockwise, a sheet knows players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules import cards, games
from sheets.models import Member, Player


def player(players: Sequence[Player], pk: int) -> Player:
    """Return the player with this key; KeyError when nobody at the table has it."""
    for one in players:
        if one.pk == pk:
            return one
    raise KeyError(pk)


def seat(players: Sequence[Player], pk: int) -> int:
    """Return the seat of a player; KeyError when nobody at the table has this key."""
    return players.index(player(players, pk))


def of(member: Member, players: Sequence[Player]) -> Player | None:
    """Return the player that a phone belongs to; None for one that only keeps score here."""
    return next((one for one in players if one.person_id == member.person_id), None)


def left_of(players: Sequence[Player], pk: int) -> Player:
    """Return who sits left of a player, and so deals next."""
    return players[(seat(players, pk) + 1) % len(players)]


def right_of(players: Sequence[Player], pk: int) -> Player:
    """Return who sits right of a player, and so dealt before."""
    return players[seat(players, pk) - 1]


def hand(
    game: games.Game,
    players: Sequence[Player],
    *,
    bidder: int | None,
    bid: int | None,
    trump: str | None,
    outcome: str | None,
    dealer: int | None,
) -> Any:
    """Return the game's own value for a played hand; bidder and dealer are keys of players.

    What is missing stays missing: settling such a hand says so.
    """
    return game.Hand(
        bidder=None if bidder is None else seat(players, bidder),
        bid=bid,
        trump=cards.Suit(trump) if trump else None,
        outcome=game.Outcome(outcome) if outcome else None,
        dealer=None if dealer is None else seat(players, dealer),
    )
