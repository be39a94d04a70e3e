"""Between players and seats: the rules count seats from 0 clockwise, a sheet knows players.

Players come as a list of all who have ever been on the sheet, by place and then in the order in
which they sat down. `now` and `during` say which of them are at the table: a list by seat, so that
the index in it is what the rules call a seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules import cards, games
from sheets.models import Member, Player, Round


def player(players: Sequence[Player], pk: int) -> Player:
    """Return the player with this key; KeyError when nobody here has it."""
    for one in players:
        if one.pk == pk:
            return one
    raise KeyError(pk)


def seat(seated: Sequence[Player], pk: int) -> int:
    """Return the seat of a player; KeyError when nobody at the table has this key."""
    return seated.index(player(seated, pk))


def now(players: Sequence[Player]) -> list[Player]:
    """Return who is at the table now, by seat."""
    return [one for one in players if one.is_seated]


def during(players: Sequence[Player], row: Round) -> list[Player]:
    """Return who was at the table in a round, by seat."""
    return [one for one in players if one.was_seated(row.position)]


def scoring(seated: Sequence[Player]) -> list[Player]:
    """Return those of the players who have a column, or had one."""
    return [one for one in seated if one.scores and one.ever_sat]


def off_sheet(seated: Sequence[Player]) -> int | None:
    """Return the seat of the fourth player, where that one has no column."""
    return next((seat for seat, one in enumerate(seated) if not one.scores), None)


def columns(players: Sequence[Player]) -> list[Player]:
    """Return who heads each column: at each place that has one, whoever sat there last."""
    heads = {one.place: one for one in scoring(players)}
    return list(heads.values())


def of(member: Member, players: Sequence[Player]) -> Player | None:
    """Return the player at the table that a phone belongs to; None where it only keeps score."""
    return next((one for one in now(players) if one.person_id == member.person_id), None)


def left_of(seated: Sequence[Player], pk: int, *, among: Sequence[Player] | None = None) -> Player:
    """Return who of those at the table sits left of a player, and so deals next.

    That player may have left: `among` are all who were ever on the sheet.
    """
    place = player(among or seated, pk).place
    return next((one for one in seated if one.place > place), seated[0])


def right_of(seated: Sequence[Player], pk: int, *, among: Sequence[Player] | None = None) -> Player:
    """Return who of those at the table sits right of a player, and so dealt before."""
    place = player(among or seated, pk).place
    return next((one for one in reversed(seated) if one.place < place), seated[-1])


def sits_out(
    game: games.Game, seated: Sequence[Player], dealer: Player, house: Any
) -> Player | None:
    """Return who sits out the hand of this dealer; None where three play."""
    sitter = game.sits_out(seat(seated, dealer.pk), house)
    return None if sitter is None else seated[sitter]


def hand(
    game: games.Game,
    seated: Sequence[Player],
    *,
    bidder: int | None,
    bid: int | None,
    trump: str | None,
    outcome: str | None,
    dealer: int | None = None,
    sitter: int | None = None,
) -> Any:
    """Return the game's own value for a played hand; people are keys of players at the table.

    What is missing stays missing: settling such a hand says so.
    """
    return game.Hand(
        bidder=None if bidder is None else seat(seated, bidder),
        bid=bid,
        trump=cards.Suit(trump) if trump else None,
        outcome=game.Outcome(outcome) if outcome else None,
        dealer=None if dealer is None else seat(seated, dealer),
        sitter=None if sitter is None else seat(seated, sitter),
        off_sheet=off_sheet(seated),
    )


def played(game: games.Game, seated: Sequence[Player], row: Round, *, dealt: bool = False) -> Any:
    """Return the game's own value for a hand that was played, as it is stored.

    A hand that stands was legal when it was entered, whoever is called its dealer by now: so that
    is left out, unless `dealt` asks for it.
    """
    return hand(
        game,
        seated,
        bidder=row.bidder_id,
        bid=row.bid,
        trump=row.trump,
        outcome=row.outcome,
        dealer=row.dealer_id if dealt else None,
        sitter=row.sitter_id if dealt else None,
    )
