"""Running totals that were typed as hands: rewritten into the hands behind them, and put back."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F

from sheets import typed_rows
from sheets.actions.answers import Moved, Refusal, Why
from sheets.actions.matches import CHANGES_THE_LINE
from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind, Entry, Player, Round, Sheet


@action
def replace_totals(at: Step, sheet_id: str) -> Change:
    """Take the typed rows of the open sheet for running totals: each becomes the hand behind it.

    Refuses where they no longer look like that, and when another phone changed the sheet since the
    question was asked.
    """
    sheet, players = at.open_sheet(sheet_id)
    at.refuse_if_others(CHANGES_THE_LINE, sheet=sheet)
    found = typed_rows.asked(sheet, players)
    if found is None or not found.hands:
        raise Refusal(Why.NOTHING, sheet=sheet)
    moves = []
    for line, hand in found.hands:
        pairs = [
            (player.pk, before or 0, units)
            for player, before, units in zip(line.scoring, line.units, hand, strict=True)
            if before != units
        ]
        if pairs:
            before = tuple((pk, n) for pk, n, _units in pairs)
            after = tuple((pk, units) for pk, _n, units in pairs)
            number = int(line.number)
            moves.append(Moved(round=line.round.pk, number=number, before=before, after=after))
    return _rewrite(at, ChangeKind.TOTALS_REPLACED, sheet, moves)


@action
def restore_totals(at: Step, sheet_id: str) -> Change:
    """Put back what was typed before the newest `replace_totals`.

    Refuses when one of those hands was changed since.
    """
    sheet, _players = at.open_sheet(sheet_id)
    at.refuse_if_others(CHANGES_THE_LINE, sheet=sheet)
    last = typed_rows.replaced(sheet)
    if last is None:
        raise Refusal(Why.NOTHING, sheet=sheet)
    moves = [
        Moved(
            round=told["round"],
            number=told["number"],
            before=_pairs(told["after"]),
            after=_pairs(told["before"]),
        )
        for told in (last.after or {})["moved"]
    ]
    return _rewrite(at, ChangeKind.TOTALS_RESTORED, sheet, moves)


def _pairs(told: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((player, units) for player, units in told)


def _rewrite(at: Step, kind: ChangeKind, sheet: Sheet, moves: Sequence[Moved]) -> Change:
    """Give these hands their new units, and the players the totals that come of it."""
    units = {(one.round, player): n for one in moves for player, n in one.after}
    more: dict[int, int] = {}
    for one in moves:
        for (player, before), (_player, after) in zip(one.before, one.after, strict=True):
            more[player] = more.get(player, 0) + after - before
    rounds = [one.round for one in moves]
    entries = [
        entry
        for entry in Entry.objects.filter(round__in=rounds)
        if (entry.round_id, entry.player_id) in units
    ]
    for entry in entries:
        entry.units = units[entry.round_id, entry.player_id]
    Entry.objects.bulk_update(entries, ("units",), batch_size=200)
    Round.objects.filter(pk__in=rounds).update(changed=at.version, confirmed_by=None)
    for player, n in more.items():
        Player.objects.filter(pk=player).update(total=F("total") + n)
    return at.record(kind, sheet=sheet, after={"moved": [one.as_history() for one in moves]})
