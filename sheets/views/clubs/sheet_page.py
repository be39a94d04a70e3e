"""What the page of a sheet shows to organisers: its hands, what is odd, all that happened to it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from sheets import alike, inbox, queries, review_wording, rows, seats, wording
from sheets.http import OrganiserRequest
from sheets.models import Change, Member, Player, Sheet
from sheets.oddities import Odd, Oddity, is_organisers, oddities
from sheets.reckoning import lines_of
from sheets.views.figures import settle_context


@dataclasses.dataclass(frozen=True, slots=True)
class Hand:
    """A hand with what an organiser wants to know of it besides."""

    line: rows.Line
    entered: str
    is_odd: bool
    oddities: list[str]  # in words, besides what the hand itself says
    corrections: list[str]


def page_of_sheet(request: OrganiserRequest, sheet: Sheet, players: list[Player]) -> dict[str, Any]:
    """Return everything about one sheet; who asks needs to be an organiser of its club."""
    lines = lines_of(sheet, players)
    changes = inbox.history(sheet)
    same = alike.of(sheet)
    odd = [] if sheet.is_open else oddities(sheet, players, lines, changes, is_alike=bool(same))
    dealt = rows.deals(sheet, players)
    assert sheet.club is not None
    return settle_context(request, sheet, players, lines) | {
        "sheet": sheet,
        "title": queries.title(sheet.table, players),
        "evening": sheet.club.evening(sheet.played_at),
        "columns": seats.columns(players),
        "hands": _hands(lines, players, odd, changes),
        "headline": "" if sheet.is_open else wording.result(sheet, players),
        "final_line": wording.final_line(players),
        "dealt": wording.dealt(dealt.each),
        "ended": "" if sheet.is_open else wording.ended(sheet),
        "standing": review_wording.standing(sheet),
        "alike": [(one, review_wording.in_short(one)) for one in same],
        "oddities": [review_wording.oddity(one) for one in odd],
        "events": _events(sheet, changes),
    }


def _hands(
    lines: Sequence[rows.Line],
    players: Sequence[Player],
    odd: Sequence[Odd],
    changes: Sequence[Change],
) -> list[Hand]:
    members: dict[int, Member] = inbox.members(changes, [line.round for line in lines])
    corrected = [one for one in changes if is_organisers(one)]
    return [
        Hand(
            line=line,
            entered=review_wording.entered(line.round, members.get(line.round.entered_by_id or 0)),
            is_odd=any(line.number in one.hands for one in odd),
            oddities=[
                str(one.kind.label)
                for one in odd
                if line.number in one.hands and one.kind != Oddity.BY_NO_RULE
            ],
            corrections=[
                review_wording.corrected(one, players)
                for one in corrected
                if one.round_id == line.round.pk
            ],
        )
        for line in lines
    ]


def _events(sheet: Sheet, changes: list[Change]) -> list[tuple[Any, str, str]]:
    """Return when, who with which phone, and what of all that happened, newest first."""
    past = queries.past_of(sheet.table, changes)
    return [
        (one.at, review_wording.author(one), wording.change(one, past)) for one in changes[::-1]
    ]
