"""The clubs of an organiser, and the front page of each."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from sheets import club_queries, http
from sheets.access import for_organisers
from sheets.http import OrganiserRequest
from sheets.models import Organiser


def club_context(organiser: Organiser) -> dict[str, Any]:
    """Return what the head and the menu of every page of a club need."""
    return {"club": organiser.club, "organiser": organiser}


@login_required
@require_safe
def clubs(request: OrganiserRequest) -> HttpResponse:
    """The clubs that whoever has signed in runs."""
    context = {"organiser_of": club_queries.clubs_of(request.user)}
    return http.page(request, "clubs/clubs.html", context)


@for_organisers
@require_safe
def club(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """What waits for the organisers, and the way to everything else."""
    return http.page(request, "clubs/club.html", club_context(organiser))
