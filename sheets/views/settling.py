"""Beside the sheet: the chart of the running totals, and who owes whom."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from sheets import charts, http, queries, wording
from sheets.access import for_members, private
from sheets.http import PlayerRequest
from sheets.models import Member, Player, Sheet
from sheets.reckoning import running_totals
from sheets.views.asks import Context
from sheets.views.table import base_context


@for_members
@require_safe
def chart(request: PlayerRequest, member: Member, sheet_id: str) -> HttpResponse:
    """The running totals of a sheet as lines, and as a table."""
    found = queries.sheet_of(member.table, sheet_id)
    if found is None:
        return private(request)
    context = base_context(member, *found) | chart_context(*found)
    return http.page(request, "sheets/chart.html", context)


def chart_context(sheet: Sheet, players: list[Player]) -> Context:
    """Return what the chart needs; no chart where no hand stands."""
    series = running_totals(sheet, players)
    hands = max(one.last for one in series)
    if not hands:
        return {"chart": None}
    return {
        "chart": charts.chart(series),
        "chart_in_words": ngettext(
            "Totals after %(n)s hand: %(line)s", "Totals after %(n)s hands: %(line)s", hands
        )
        % {"n": hands, "line": wording.final_line(players)},
        "series": series,
        "figures": [
            (str(hand), [str(one.totals[hand]) for one in series]) for hand in range(1, hands + 1)
        ],
    }
