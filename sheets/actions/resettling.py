"""Settle hands again that other changes reach: the pot they took, the rules they stand under."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from django.db.models import Q

from rules import Message, RuleError, games
from rules.payments import Settlement, share
from sheets import seats
from sheets.actions.answers import Moved
from sheets.actions.keeping import change_entries, units_by_column
from sheets.actions.writing import Step
from sheets.models import Entry, HouseRules, Player, Round, RoundKind, Sheet

COMPUTED = (RoundKind.PLAYED, RoundKind.POT_SHARED)


@dataclasses.dataclass(slots=True)
class _Walk:
    """A sheet walked from its first hand on: the pot as it fills, and what moves on the way."""

    at: Step
    sheet: Sheet
    players: Sequence[Player]
    entries: dict[int, dict[int, int]]
    pot: int | None = None
    moves: list[Moved] = dataclasses.field(default_factory=list)


def follow(at: Step, sheet: Sheet, players: Sequence[Player], row: Round) -> list[Moved]:
    """Settle again what a change of this round moves, and ask whether that is meant.

    Only where there is a pot does one hand reach another. Refuses until somebody has seen the moves
    and agreed to them.
    """
    if sheet.pot is None:
        return []
    moves = resettle(at, sheet, players, apart_from=row)
    at.ask(moves, sheet=sheet)
    return moves


def resettle(
    at: Step,
    sheet: Sheet,
    players: Sequence[Player],
    *,
    apart_from: Round | None = None,
    under: Callable[[Round], HouseRules] | None = None,
) -> list[Moved]:
    """Settle every computed hand that stands again, in order, and store what differs.

    Each under its own rules, or those that `under` names for it; a hand that can't be under these
    stays as it is, under its own. Typed rows never change, nor do their rules. The pot is followed
    from the antes on. Returns what moved, `apart_from` one round whose change is told anyway. That
    one counts for the numbers of the others though it was just taken back: they are called what
    people see.
    """
    told = None if apart_from is None else apart_from.pk
    counted = sheet.rounds.filter(Q(taken_back=False) | Q(pk=told)).select_related("house_rules")
    rounds = list(counted.order_by("position"))
    entries: dict[int, dict[int, int]] = {row.pk: {} for row in rounds}
    for row_id, player_id, units in Entry.objects.filter(round__in=rounds).values_list(
        "round", "player", "units"
    ):
        entries[row_id][player_id] = units
    walk = _Walk(at, sheet, players, entries)
    for number, row in enumerate(rounds, start=1):
        row.sheet = sheet
        if not row.taken_back:
            _settle_again(walk, row, number, under, told=row.pk == told)
    if walk.pot is None:
        walk.pot = _antes(sheet.house_rules)
    if walk.pot != sheet.pot:
        sheet.pot = walk.pot
        sheet.save(update_fields=("pot",))
    return walk.moves


def _antes(house: HouseRules) -> int | None:
    """Return what everybody puts in before the first deal; None where the rules have no pot."""
    return games.GAMES[house.game].antes(house.value) or None


def _settle_again(
    walk: _Walk,
    row: Round,
    number: int,
    under: Callable[[Round], HouseRules] | None,
    *,
    told: bool,
) -> None:
    if row.kind not in COMPUTED:
        return
    house = under(row) if under else row.house_rules
    try:
        settled, held = _settled(walk, row, house)
    except RuleError as error:
        walk.moves.append(_stays(row, number, error.message))
        house = row.house_rules
        settled, held = _settled(walk, row, house)
    seated = seats.during(walk.players, row)
    scoring = seats.scoring(seated)
    old = [walk.entries[row.pk].get(one.pk) for one in scoring]
    new = units_by_column(seated, settled.entries)
    fields = {"pot": held, "house_rules_id": house.pk}
    if tuple(old) != new:
        change_entries(row, scoring, old, new)
        fields |= {"changed": walk.at.version, "confirmed_by": None}
        if not told:
            walk.moves.append(_moved(row, number, scoring, old, new))
    if any(getattr(row, name) != value for name, value in fields.items()):
        Round.objects.filter(pk=row.pk).update(**fields)
    if walk.pot is not None:
        walk.pot += settled.pot


def _settled(walk: _Walk, row: Round, house: HouseRules) -> tuple[Settlement, int | None]:
    """Return what a round comes to and what the pot held before it.

    Whoever dealt, the hand was legal when it was entered: the dealer is not asked again.
    """
    if walk.pot is None:
        walk.pot = _antes(house)
    seated = seats.during(walk.players, row)
    if row.kind == RoundKind.POT_SHARED:
        return share(walk.pot or 0, len(seated), seats.off_sheet(seated)), walk.pot
    game = games.GAMES[house.game]
    held = walk.pot if _antes(house) else None
    return game.settle(seats.played(game, seated, row), house.value, pot=held or 0), held


def _stays(row: Round, number: int, why: Message) -> Moved:
    return Moved(round=row.pk, number=number, stays=why)


def _moved(
    row: Round,
    number: int,
    scoring: Sequence[Player],
    old: Sequence[int | None],
    new: Sequence[int],
) -> Moved:
    differing = [
        (player.pk, before or 0, n)
        for player, before, n in zip(scoring, old, new, strict=True)
        if before != n
    ]
    return Moved(
        round=row.pk,
        number=number,
        before=tuple((pk, before) for pk, before, _n in differing),
        after=tuple((pk, n) for pk, _before, n in differing),
    )
