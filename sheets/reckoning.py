"""What a whole sheet comes to: the running totals, and what each owes whom."""

from __future__ import annotations

from collections.abc import Sequence

from sheets import queries
from sheets.charts import Series
from sheets.models import Player, Sheet


def running_totals(sheet: Sheet, players: Sequence[Player]) -> list[Series]:
    """Return every player's totals, from before the first hand to after the last that stands."""
    lines = queries.lines(sheet, players, queries.where_next(sheet, players), newest=None)
    totals = [line.running for line in reversed(lines)]
    return [
        Series(player.name, [0, *(int(after[n]) for after in totals)])
        for n, player in enumerate(players)
    ]
