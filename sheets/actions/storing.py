"""Whole sheets put into the database at once: as many statements for a hundred as for one."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Iterable, Mapping, Sequence

from rules import games
from sheets import names, portable
from sheets.actions.opening import stored_rules
from sheets.models import Entry, Player, Round, Sheet, Table

# Players who left point at a round that comes after them: until it is there, at none.
_LATER = 0


@dataclasses.dataclass(slots=True)
class Here:
    """What the ids of a file are here: keys of rows."""

    people: dict[int, int] = dataclasses.field(default_factory=dict)
    phones: dict[int, int] = dataclasses.field(default_factory=dict)
    rules: dict[int, int] = dataclasses.field(default_factory=dict)
    names: dict[int, int] = dataclasses.field(default_factory=dict)
    saved: dict[int, int] = dataclasses.field(default_factory=dict)
    players: dict[int, int] = dataclasses.field(default_factory=dict)
    rounds: dict[uuid.UUID, int] = dataclasses.field(default_factory=dict)
    sheets: dict[str, int] = dataclasses.field(default_factory=dict)


def store_rules(houses: Iterable[portable.Rules], values: Mapping[int, object], here: Here) -> None:
    """Store the house rules of a file, one row for those that are the same."""
    for one in houses:
        here.rules[one.id] = stored_rules(one.game, values[one.id]).pk


def store_sheets(
    table: Table,
    sheets: Sequence[portable.Sheet],
    here: Here,
    changed: Mapping[str, int] | None = None,
) -> list[Sheet]:
    """Store whole sheets of a table that were checked before; totals are added up here.

    `here` has people, phones and rules, and gets the rest. `changed` is the table version that is
    said to have changed the hands of a sheet; without, they keep what they say.
    """
    stored = Sheet.objects.bulk_create(_sheet(table, one, here) for one in sheets)
    here.sheets |= {one.public_id: one.pk for one in stored}
    of = dict(zip((one.id for one in sheets), stored, strict=True))
    players = _store_players(sheets, here)
    rounds = Round.objects.bulk_create(
        _round(row, of[one.id], here, (changed or {}).get(one.id, row.changed))
        for one in sheets
        for row in one.rounds
    )
    here.rounds |= {row.public_id: row.pk for row in rounds}
    Entry.objects.bulk_create(
        Entry(
            round_id=here.rounds[row.id],
            player_id=here.players[entry.player],
            units=entry.units,
            signed=games.GAMES[one.game].SIGNED,
        )
        for one in sheets
        for row in one.rounds
        for entry in row.entries
    )
    _point_at_rounds(sheets, of, players, here)
    return stored


def _sheet(table: Table, one: portable.Sheet, here: Here) -> Sheet:
    phone = here.phones.get
    return Sheet(
        public_id=one.id,
        table=table,
        club=table.club,
        game=one.game,
        state=one.state,
        house_rules_id=here.rules[one.rules],
        started_at=one.started_at,
        started_by_id=phone(one.started_by or 0),
        ended_at=one.ended_at,
        ended_by_id=phone(one.ended_by or 0),
        played_at=one.played_at,
        pot=one.pot,
        unit_cents=one.unit_cents,
        currency=one.currency,
        review=one.review,
        review_note=one.review_note,
        oddities=one.oddities,
    )


def _store_players(sheets: Sequence[portable.Sheet], here: Here) -> list[Player]:
    rows = []
    told = [one for sheet in sheets for one in sheet.players]
    for sheet in sheets:
        totals = portable.totals(sheet)
        rows += [
            Player(
                sheet_id=here.sheets[sheet.id],
                person_id=here.people[one.person],
                place=one.place,
                name=one.name,
                name_key=_erased_key() if one.erased else names.key(one.name),
                scores=one.scores,
                until_id=None if one.until is None else _LATER,
                total=totals.get(one.id, 0),
            )
            for one in sheet.players
        ]
    stored = Player.objects.bulk_create(rows)
    here.players |= {one.id: row.pk for one, row in zip(told, stored, strict=True)}
    return stored


def _erased_key() -> str:
    return f"{names.NO_NAME}{uuid.uuid4()}"


def _round(row: portable.Round, sheet: Sheet, here: Here, changed: int) -> Round:
    player, phone = here.players.get, here.phones.get
    return Round(
        public_id=row.id,
        sheet=sheet,
        position=row.position,
        kind=row.kind,
        house_rules_id=here.rules[row.rules],
        dealer_id=player(row.dealer or 0),
        sitter_id=player(row.sitter or 0),
        bidder_id=player(row.bidder or 0),
        bid=row.bid,
        trump=row.trump,
        outcome=row.outcome,
        counts=row.counts,
        pot=row.pot,
        reason=row.reason,
        taken_back=row.taken_back,
        half=row.half,
        changed=changed,
        entered_at=row.entered_at,
        entered_by_id=phone(row.entered_by or 0),
        confirmed_by_id=phone(row.confirmed_by or 0),
    )


def _point_at_rounds(
    sheets: Sequence[portable.Sheet],
    of: Mapping[str, Sheet],
    players: Sequence[Player],
    here: Here,
) -> None:
    """Say of players who came or left after which hand, and of sheets who was marked to deal."""
    told = (one for sheet in sheets for one in sheet.players)
    moved = []
    for one, row in zip(told, players, strict=True):
        row.since_id = None if one.since is None else here.rounds[one.since]
        row.until_id = None if one.until is None else here.rounds[one.until]
        if one.since or one.until:
            moved.append(row)
    Player.objects.bulk_update(moved, ("since", "until"), batch_size=200)
    for sheet in sheets:
        stored = of[sheet.id]
        stored.dealer_mark_id = here.players[sheet.dealer_mark or 0]
        after = sheet.dealer_marked_after
        stored.dealer_marked_after_id = None if after is None else here.rounds[after]
    Sheet.objects.bulk_update(of.values(), ("dealer_mark", "dealer_marked_after"), batch_size=200)
