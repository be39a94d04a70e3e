"""How a round is kept: its own fields, an entry for everybody with a column, the running totals."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Case, F, When

from rules import games
from sheets import seats
from sheets.models import NEVER_DEALT, Entry, HouseRules, Player, Round, RoundKind


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class EnteredHand:
    """One hand as a form read it; people are keys of players.

    A played hand has bidder, bid, outcome and mostly trump; a typed one and a correction have
    units, one for each player with a column, a correction a reason too. `dealer` None: whoever is
    next; `sitter` None: whoever sits out by the rules.
    """

    kind: RoundKind
    bidder: int | None = None
    bid: int | None = None
    trump: str | None = None
    outcome: str | None = None
    units: Mapping[int, int] | None = None
    counts: Mapping[str, int] | None = None
    dealer: int | None = None
    sitter: int | None = None
    reason: str = ""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What a hand comes to: the round's own fields, the units by seat, what the pot gains."""

    fields: dict[str, Any]
    units: tuple[int, ...]
    into_pot: int = 0


def settle(
    house: HouseRules,
    seated: Sequence[Player],
    entered: EnteredHand,
    *,
    dealer: Player,
    sitter: Player | None,
    pot: int | None,
) -> Settled:
    """Return what a hand comes to; the rules decide a played one.

    `seated` are the players at the table by seat, `pot` what the pot held before. The units are
    those of the players with a column. Raises RuleError for a hand that can't have happened.
    """
    dealt = entered.kind not in NEVER_DEALT
    fields: dict[str, Any] = {
        "kind": entered.kind,
        "dealer": dealer if dealt else None,
        "sitter": sitter if dealt else None,
        "bidder_id": entered.bidder,
        "bid": entered.bid,
        "trump": entered.trump,
        "outcome": entered.outcome,
        "counts": entered.counts,
        "reason": entered.reason,
        "pot": pot if entered.kind == RoundKind.PLAYED else None,
    }
    if entered.kind == RoundKind.PLAYED:
        game = games.GAMES[house.game]
        hand = seats.hand(
            game,
            seated,
            bidder=entered.bidder,
            bid=entered.bid,
            trump=entered.trump,
            outcome=entered.outcome,
            dealer=dealer.pk,
            sitter=sitter.pk if sitter else None,
        )
        settlement = game.settle(hand, house.value, pot=pot or 0)
        units = units_by_column(seated, settlement.entries)
        return Settled(fields=fields, units=units, into_pot=settlement.pot)
    typed = entered.units or {}
    return Settled(
        fields=fields, units=tuple(typed.get(one.pk, 0) for one in seats.scoring(seated))
    )


def units_by_column(seated: Sequence[Player], entries: Sequence[int]) -> tuple[int, ...]:
    """Return the entries of those at the table who have a column."""
    return tuple(n for one, n in zip(seated, entries, strict=True) if one.scores)


def store_entries(row: Round, numbers: Iterable[tuple[Player, int]]) -> None:
    """Store what these players took in."""
    signed = games.GAMES[row.sheet.game].SIGNED
    Entry.objects.bulk_create(
        Entry(round=row, player=player, units=n, signed=signed) for player, n in numbers
    )


def change_entries(
    row: Round, players: Sequence[Player], old: Sequence[int | None], new: Sequence[int]
) -> None:
    """Make a round's entries the new ones, and move the totals by the difference."""
    whens = [When(player=p, then=n) for p, n in zip(players, new, strict=True)]
    row.entries.update(units=Case(*whens))
    pairs = list(zip(players, new, old, strict=True))
    store_entries(row, [(player, n) for player, n, before in pairs if before is None])
    add_to_totals(players, [n - (before or 0) for _player, n, before in pairs])


def add_to_totals(players: Sequence[Player], units: Sequence[int]) -> None:
    """Add what each player took in to the running totals."""
    if not any(units):
        return
    whens = [When(pk=p.pk, then=F("total") + n) for p, n in zip(players, units, strict=True)]
    Player.objects.filter(sheet=players[0].sheet_id).update(total=Case(*whens, default=F("total")))


def state(
    row: Round, players: Sequence[Player], units: Sequence[int | None], number: int
) -> dict[str, Any]:
    """Return what history keeps of a round: ids, never names; `number` as people called it then.

    `players` are those with a column, `units` theirs; null where a half hand waits for them.
    """
    return {
        "number": number,
        "kind": str(row.kind),
        "dealer": row.dealer_id,
        "sitter": row.sitter_id,
        "bidder": row.bidder_id,
        "bid": row.bid,
        "trump": row.trump,
        "outcome": row.outcome,
        "counts": row.counts,
        "reason": row.reason,
        # Pairs in the order of the columns: a database may reorder the keys of an object.
        "units": [[player.pk, n] for player, n in zip(players, units, strict=True)],
    }
