"""The club's open sheets by age: ended, discarded with a reason, and taken up again."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets import club_tables, http, lifetimes, queries, wording
from sheets.access import for_organisers
from sheets.actions import Answer, Write, discard_sheet, end_match, reopen, take_back
from sheets.club_tables import OpenSheet
from sheets.forms.base import SheetForm
from sheets.forms.club_tables import DiscardForm
from sheets.http import OrganiserRequest
from sheets.models import Organiser
from sheets.views.clubs.front import club_context
from sheets.views.clubs.people import not_there
from sheets.views.clubs.tables import at_table


@for_organisers
@require_safe
def open_sheets(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Sheets that are open, the oldest first, and those that were discarded."""
    club = organiser.club
    found, discarded = club_tables.open_sheets(club), club_tables.discarded_sheets(club)
    called = club_tables.titles({one.sheet.table for one in [*found, *discarded]})
    context = club_context(organiser) | {
        "open_sheets": [_line(one, called) for one in found],
        "discarded": [_line(one, called) for one in discarded],
    }
    return http.page(request, "clubs/open.html", context)


def _line(one: OpenSheet, called: dict[int, str]) -> dict[str, Any]:
    sheet = one.sheet
    return {
        "sheet": sheet,
        "table": sheet.table,
        "title": called[sheet.table_id],
        "hands": one.hands,
        "last": one.last,
        "line": wording.final_line(one.players),
        "ended": wording.ended(sheet) if not sheet.is_open else "",
        "reason": one.reason,
    }


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_end(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """End a match as it stands, after the same question as at its table.

    A hand that waits for numbers is taken back first: nobody may be there to finish it.
    """
    found = club_tables.sheet_of(organiser.club, sheet_id)
    half = queries.where_next(*found).half if found is not None else None
    if half is None or "half" not in request.POST:
        return _about(request, organiser, sheet_id, "clubs/sheet_end.html", end_match)

    def take_half_back(write: Write, _sheet_id: str) -> Answer:
        return take_back(write, half)

    return _about(
        request, organiser, sheet_id, "clubs/sheet_end.html", take_half_back, to=request.path
    )


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_discard(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """Take an open sheet away with all its hands, for a reason."""
    return _about(request, organiser, sheet_id, "clubs/sheet_discard.html", discard_sheet)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_take_up(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """Give a discarded sheet back to its table, open as it was."""
    return _about(request, organiser, sheet_id, "clubs/sheet_take_up.html", reopen)


def _about(
    request: OrganiserRequest,
    organiser: Organiser,
    sheet_id: str,
    template: str,
    action: Any,
    *,
    to: str = "",
) -> HttpResponse:
    """Ask about one sheet of the club, with the line it ends with, and act on the answer."""
    club, found = organiser.club, club_tables.sheet_of(organiser.club, sheet_id)
    if found is None:
        return not_there(request)
    sheet, players = found
    asks_reason = action in (discard_sheet, reopen)
    make = DiscardForm if asks_reason else SheetForm
    initial = {"sheet": sheet.public_id}
    form = make(request.POST or None, seen=sheet.table.seen, initial=initial)
    where = queries.where_next(sheet, players)
    context = club_context(organiser) | {
        "sheet": sheet,
        "table": sheet.table,
        "title": queries.title(sheet.table, players),
        "line": wording.final_line(players),
        "hands": where.number - 1,
        "half": where.half is not None,
        "ended": wording.ended(sheet) if not sheet.is_open else "",
        "taken_away": lifetimes.discarded_by_organiser(sheet),
    }

    def act(write: Write) -> Answer:
        said = [form.cleaned_data["reason"]] if asks_reason else []
        answer: Answer = action(write, sheet.public_id, *said)
        return answer

    to = to or reverse("sheets:club_open", args=[club.slug])
    return at_table(request, sheet.table, template, context, act, to, form)
