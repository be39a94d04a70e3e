"""What to ask about the typed rows of a sheet before it is banked, and what they were before."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from rules import typed_rows
from rules.typed_rows import Doubt
from sheets import rows, seats
from sheets.models import Change, ChangeKind, Player, Round, RoundKind, Sheet
from sheets.reckoning import lines_of

SHOWN = 4  # hands that are named as examples
# The running totals of a sheet became hands, or that was taken back.
ABOUT_TOTALS = (ChangeKind.TOTALS_REPLACED, ChangeKind.TOTALS_RESTORED)


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """What is doubtful: the hands it is about, and each typed hand that the totals would make.

    `hands` are empty where the rows only are none that the rules can give.
    """

    doubt: Doubt
    lines: list[rows.Line]
    hands: list[tuple[rows.Line, tuple[int, ...]]]

    def totals(self, players: Sequence[Player]) -> list[tuple[Player, int]]:
        """Return what everybody with a column comes to once the hands are these."""
        of = {player.pk: player.total for player in seats.scoring(players)}
        for line, hand in self.hands:
            for player, typed, units in zip(line.scoring, line.units, hand, strict=True):
                of[player.pk] += units - (typed or 0)
        return [(player, of[player.pk]) for player in seats.scoring(players)]


def asked(sheet: Sheet, players: Sequence[Player]) -> Asked | None:
    """Return what to ask about an open sheet; mostly nothing, and then it costs one query."""
    typed = sheet.rounds.filter(kind=RoundKind.TYPED, taken_back=False, half=False)
    if not sheet.is_open or typed.count() < typed_rows.LEAST_ROWS:
        return None
    lines = lines_of(sheet, players)
    told = [_row(line) for line in lines]
    doubt = typed_rows.doubt(told)
    # Where somebody came or left, nobody can tell from where on a total counts.
    same = len({tuple(player.pk for player in line.scoring) for line in lines}) == 1
    if doubt is Doubt.TOTALS and same:
        hands = typed_rows.hands_behind(told) or []
        pairs = [
            (line, hand)
            for line, hand in zip(lines, hands, strict=True)
            if line.round.kind == RoundKind.TYPED
        ]
        return Asked(doubt, [line for line, _hand in pairs], pairs)
    odd = [line for line, row in zip(lines, told, strict=True) if row.odd]
    return Asked(Doubt.ODD, odd, []) if doubt else None


def _row(line: rows.Line) -> typed_rows.Row:
    typed = line.round.kind == RoundKind.TYPED
    return typed_rows.Row(units=tuple(n or 0 for n in line.units), typed=typed, odd=line.odd)


def replaced(sheet: Sheet) -> Change | None:
    """Return the change that made hands of running totals, while nobody has touched them since."""
    about = sheet.changes.filter(kind__in=ABOUT_TOTALS).order_by("-version")
    last = about.select_related("member__person", "user").first()
    if last is None or last.kind != ChangeKind.TOTALS_REPLACED or not sheet.is_open:
        return None
    moved = {told["round"] for told in (last.after or {})["moved"]}
    since = Round.objects.filter(pk__in=moved).exclude(changed=last.version, taken_back=False)
    return None if since.exists() else last
