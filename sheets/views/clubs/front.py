"""The clubs of an organiser, the front page of each, and what happened in it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets import (
    account_wording,
    club_queries,
    club_wording,
    http,
    numbers,
    qr,
    slowing,
    standings,
)
from sheets.access import for_accounts, for_organisers
from sheets.http import OrganiserRequest
from sheets.models import Club, Organiser, Season

# The front page shows the first places, and of many who share one not all.
PLACES = 3
MOST_LEADERS = 6


def club_context(organiser: Organiser) -> dict[str, Any]:
    """Return what the head and the menu of every page of a club need."""
    return {"club": organiser.club, "organiser": organiser}


def slowed_for(club: Club) -> str:
    """Return how long no table of the club can be started, after too many of them; else nothing."""
    seconds = slowing.CLUB_TABLES.wait(str(club.pk))
    return account_wording.how_long(seconds) if seconds else ""


@for_accounts
@require_safe
def clubs(request: OrganiserRequest) -> HttpResponse:
    """The clubs that whoever has signed in runs."""
    context = {"organiser_of": club_queries.clubs_of(request.user)}
    return http.page(request, "clubs/clubs.html", context)


@for_organisers
@require_safe
def club(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """What waits for the organisers the morning after, the last evening, and who leads."""
    club = organiser.club
    played = club_queries.last_evening(club)
    season = club_queries.season_now(club)
    start_url = http.shared_url(reverse("sheets:table_new_club", args=[club.start_secret]))
    context = club_context(organiser) | {
        "to_review": club_queries.to_review(club),
        "flagged": club_queries.flagged(club),
        "unmatched": club_queries.unmatched(club),
        "open_sheets": club_queries.open_sheets(club),
        "played": played,
        "evening": club_wording.evening(played) if played else "",
        "season": season,
        "leaders": _leaders(club, season) if season else [],
        "start_address": http.shared_url(reverse("sheets:table_new")),
        "start_url": start_url,
        "start_qr": qr.svg(start_url, _("QR code of the address that starts a table of the club")),
        "slowed": slowed_for(club),
    }
    return http.page(request, "clubs/club.html", context)


def _leaders(club: Club, season: Season) -> list[standings.Row]:
    """Return the first places of a season."""
    rows = standings.standings(club, season).rows
    placed = standings.ranked(rows, least_hands=season.least_hands).placed
    return [row for row in placed[:MOST_LEADERS] if row.place is not None and row.place <= PLACES]


@for_organisers
@require_safe
def club_history(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """What happened to the club's own rows, newest first, a page at a time."""
    older_than = numbers.maybe(request.GET.get("before", ""), most=numbers.MOST_VERSION)
    past = club_queries.history(organiser.club, older_than=older_than)
    events = [
        (one.at, club_wording.author(one), club_wording.change(one, past)) for one in past.changes
    ]
    context = club_context(organiser) | {"events": events, "older_than": past.older_than}
    return http.page(request, "clubs/history.html", context)
