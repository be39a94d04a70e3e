"""The seasons of a club: the list, a form, and the link that shows one to anybody."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets import http, standings, standings_wording
from sheets.access import for_organisers
from sheets.actions import (
    ClubAnswer,
    ClubSaved,
    ClubWrite,
    add_season,
    change_season,
    hide_season,
    publish_season,
    remove_season,
)
from sheets.forms.base import WritingForm
from sheets.forms.seasons import SeasonForm
from sheets.http import OrganiserRequest
from sheets.models import Organiser, Season
from sheets.views.clubs.front import club_context


def not_here(request: OrganiserRequest) -> HttpResponse:
    """Answer like any address without a page."""
    return render(request, "404.html", status=404)


def season_of(organiser: Organiser, pk: int) -> Season | None:
    """Return a season of the organiser's club."""
    found: Season | None = organiser.club.seasons.filter(pk=pk).first()
    return found


def address(organiser: Organiser, season: int, name: str = "club_season") -> str:
    """Return the address of a page of a season."""
    return reverse(f"sheets:{name}", args=[organiser.club.slug, season])


@for_organisers
@require_safe
def seasons(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """The club's seasons, those that run now first."""
    today = organiser.club.evening(timezone.now())
    found = standings.seasons(organiser.club, today)
    shown = [(one, standings_wording.span(one), running) for one, running in found]
    context = club_context(organiser) | {"seasons": shown}
    return http.page(request, "clubs/seasons.html", context)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Start a season."""
    form = SeasonForm(request.POST or None, seen=organiser.club.seen)

    def act(write: ClubWrite) -> ClubAnswer:
        return add_season(write, form.season_fields)

    def to(saved: ClubSaved) -> str:
        assert saved.change.after is not None
        return address(organiser, saved.change.after["season"])

    context = club_context(organiser)
    return http.club_form_page(
        request, organiser.club, "clubs/season_form.html", context, form, act, to
    )


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """Change a season; what was typed for one that is gone makes a new one."""
    season = season_of(organiser, pk)
    if season is None:
        return _gone(request, organiser) if request.method == "POST" else not_here(request)
    form = SeasonForm(request.POST or None, seen=organiser.club.seen, season=season)

    def act(write: ClubWrite) -> ClubAnswer:
        return change_season(write, pk, form.season_fields)

    context = club_context(organiser) | {"season": season}
    to = address(organiser, pk)
    return http.club_form_page(
        request, organiser.club, "clubs/season_form.html", context, form, act, to
    )


def _gone(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    form = SeasonForm(request.POST, seen=organiser.club.seen)
    form.offer_again(organiser.club.seen, fresh_key=True)
    sentence = _(
        "This season was removed meanwhile. What you typed is below: save it as a new one."
    )
    context = club_context(organiser) | {"form": form, "refusal": sentence}
    return http.page(request, "clubs/season_form.html", context, status=409)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def season_remove(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """Ask whether a season goes, and remove it; where it is gone, there is no more to do."""
    to = reverse("sheets:club_seasons", args=[organiser.club.slug])
    season = season_of(organiser, pk)
    if season is None:
        return http.see(to) if request.method == "POST" else not_here(request)
    form = WritingForm(request.POST or None, seen=organiser.club.seen)

    def act(write: ClubWrite) -> ClubAnswer:
        return remove_season(write, pk)

    context = club_context(organiser) | {"season": season, "span": standings_wording.span(season)}
    return http.club_form_page(
        request, organiser.club, "clubs/season_remove.html", context, form, act, to
    )


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def season_link(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """The link to a season's standings, and a new one in its place."""
    return _link(request, organiser, pk)


@for_organisers
@require_http_methods(["POST"])
def season_link_back(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """Take the link back."""
    return _link(request, organiser, pk, back=True)


def _link(
    request: OrganiserRequest, organiser: Organiser, pk: int, *, back: bool = False
) -> HttpResponse:
    season = season_of(organiser, pk)
    if season is None:
        return not_here(request)
    form = WritingForm(request.POST or None, seen=organiser.club.seen)
    shared = None
    if season.published_id:
        path = reverse("sheets:season_published", args=[season.published_id])
        shared = http.shared_url(path)
    context = club_context(organiser) | {"season": season, "shared": shared}

    def act(write: ClubWrite) -> ClubAnswer:
        return hide_season(write, pk) if back else publish_season(write, pk)

    to = address(organiser, pk, "club_season_link")
    return http.club_form_page(
        request, organiser.club, "clubs/season_link.html", context, form, act, to
    )
