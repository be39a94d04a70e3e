"""A person of a club: what their sheets come to, season by season and against the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from sheets import charts, hand_wording, http, records, standings_wording
from sheets.access import for_organisers
from sheets.http import OrganiserRequest
from sheets.models import Organiser, Season
from sheets.records import Sheets, Someone
from sheets.standings import Figures, Row
from sheets.standings_wording import COLUMNS
from sheets.views.clubs.front import club_context
from sheets.views.clubs.seasons import not_here


@for_organisers
@require_safe
def person(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """Somebody of the roster; a merged person's page leads to whoever they count as."""
    one = records.someone(organiser.club, pk)
    if one is None:
        return not_here(request)
    if one.person.pk != pk:
        return redirect("sheets:club_person", organiser.club.slug, one.person.pk)
    context = club_context(organiser) | {"person": one.person, "headings": COLUMNS[:-1]}
    ever, by_season = records.by_season(one)
    sheets = records.sheets(one)
    if ever is not None and sheets is not None:
        context |= _played(one, sheets, ever, by_season)
    return http.page(request, "clubs/person.html", context)


def _played(
    one: Someone, sheets: Sheets, ever: Figures, by_season: Sequence[tuple[Season, Figures]]
) -> dict[str, Any]:
    best, worst = sheets.best, sheets.worst

    def cells(figures: Figures) -> list[str]:
        row = Row(one.person.pk, one.person.name, one.person.note, figures, best)
        return [column.said(row) for column in COLUMNS[:-1]]

    return _chart(one, sheets, ever) | {
        "seasons": [(season, cells(figures)) for season, figures in by_season],
        "ever": cells(ever),
        "not_all_nets": ever.unknown > 0,
        "extremes": [
            (_("Best sheet"), (best, standings_wording.day(best))),
            (_("Worst sheet"), (worst, standings_wording.day(worst))),
        ],
        "others": records.head_to_head(one),
        "bids": [
            (
                bid,
                standings_wording.evening(bid.evening),
                hand_wording.suit(bid.suit) if bid.suit else "",
                hand_wording.outcome(bid.outcome),
            )
            for bid in records.newest_bids(one, sheets.newest)
        ],
    }


def _chart(one: Someone, sheets: Sheets, ever: Figures) -> dict[str, Any]:
    """Return the running total over the newest sheets, from 0, or the line of years were flat."""
    newest = sheets.newest
    totals = [0]
    for each in newest:
        totals.append(totals[-1] + each.units)
    n = len(newest)
    said = {"n": n, "of": ever.sheets, "total": totals[-1], "name": one.person.name}
    over = (
        _("The newest %(n)s of %(of)s sheets, oldest first, counted from 0") % said
        if n < ever.sheets
        else ngettext("%(n)s sheet", "%(n)s sheets, oldest first", n) % said
    )
    return {
        "chart": charts.chart([charts.Series(one.person.name, totals)]),
        "chart_in_words": f"{over}: {_('%(name)s took in %(total)s') % said}",
        "chart_over": over,
        "figures": [
            (standings_wording.day(each), each, total)
            for each, total in zip(newest[::-1], totals[:0:-1], strict=True)
        ],
    }
