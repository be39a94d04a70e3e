"""A sheet that was kept on paper, typed in."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from rules import games
from sheets import actions, club_queries, http, queries, wording
from sheets.access import for_organisers
from sheets.exports import choosing
from sheets.forms.paper import PaperForm
from sheets.http import OrganiserRequest
from sheets.models import Organiser
from sheets.views.clubs.front import club_context

TEMPLATE = "clubs/paper.html"


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def typed(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """One page for an evening; what is understood of it is spelled out while it is typed."""
    club = organiser.club
    form = PaperForm(
        request.POST if request.method == "POST" else None,
        club=club,
        game=games.DEFAULT,
        tables=club_queries.table_titles(club),
        saved=club_queries.rules_played(club),
        seen=club.seen,
    )
    context = {
        **club_context(organiser),
        "form": form,
        "roster": club_queries.names_on_roster(club),
        "rules_url": request.path,
    }
    if form.looks:
        return http.page(request, TEMPLATE, context)
    return http.club_form_page(
        request,
        club,
        TEMPLATE,
        context,
        form,
        lambda write: actions.type_in(write, form.paper()),
        lambda saved: reverse(
            "sheets:club_typed_in", args=[club.slug, (saved.change.after or {})["sheet"]]
        ),
    )


@for_organisers
@require_safe
def typed_in(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """What was banked just now, and the way to the next one."""
    club = organiser.club
    sheet = choosing.any_sheet(club, sheet_id)
    if sheet is None:
        return render(request, "404.html", status=404)
    sheet, players = queries.again(sheet)
    counted = sheet.rounds.filter(taken_back=False).count()
    context = {
        **club_context(organiser),
        "sheet": sheet,
        "title": queries.title(sheet.table, players),
        "evening": club.evening(sheet.played_at),
        "line": wording.final_line(players),
        "result": wording.result(sheet, players),
        "hands": counted,
    }
    return http.page(request, "clubs/paper_done.html", context)
