"""Start a club, change how it is set up, give it a new code."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets import account_wording, http, refusal_wording, slowing
from sheets.access import for_accounts, for_owners
from sheets.actions import (
    ClubAnswer,
    ClubWrite,
    Refused,
    change_club,
    change_club_code,
    start_club,
)
from sheets.forms.base import WritingForm
from sheets.forms.clubs import ClubSettingsForm, StartClubForm
from sheets.http import OrganiserRequest
from sheets.models import Organiser
from sheets.views.clubs.front import club_context


@for_accounts
@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: OrganiserRequest) -> HttpResponse:
    """Start a club: whoever does owns it."""
    form = StartClubForm(request.POST or None)
    context: dict[str, Any] = {"form": form, "start": http.shared_url(reverse("sheets:clubs"))}
    template = "clubs/club_new.html"
    if request.method != "POST":
        return http.page(request, template, context)
    if not form.is_valid():
        return http.invalid(request, template, context)
    who = slowing.who(request)
    if seconds := slowing.NEW_CLUBS.wait(who):
        context["refusal"] = account_wording.too_many_clubs(seconds)
        return http.page(request, template, context, status=429)
    said = form.cleaned_data
    answer = start_club(
        request.user, said["name"], slug=said["slug"], time_zone=said["time_zone"], key=said["key"]
    )
    if isinstance(answer, Refused):
        form.refuse(answer)
        if not form.errors:
            context["refusal"] = refusal_wording.refusal(answer)
        return http.page(request, template, context, status=422)
    if not answer.repeated:
        slowing.NEW_CLUBS.note(who)
    return http.see(answer.change.club.get_absolute_url())


@for_owners
@require_http_methods(["GET", "HEAD", "POST"])
def club_settings(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Name, clock, whom players ask, and whether each hand wants a second person's word."""
    club = organiser.club
    form = ClubSettingsForm(request.POST or None, club=club)

    def act(write: ClubWrite) -> ClubAnswer:
        said = form.cleaned_data
        return change_club(write, said["name"], said["time_zone"], form.confirms, said["contact"])

    context = club_context(organiser)
    to = club.get_absolute_url()
    return http.club_form_page(request, club, "clubs/settings.html", context, form, act, to)


@for_owners
@require_http_methods(["GET", "HEAD", "POST"])
def club_code(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Make a new club code: the old one makes no table the club's any more."""
    club = organiser.club
    form = WritingForm(request.POST or None, seen=club.seen)
    context, to = club_context(organiser), club.get_absolute_url()
    return http.club_form_page(
        request, club, "clubs/code.html", context, form, change_club_code, to
    )
