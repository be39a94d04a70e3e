"""Invite an organiser by a link, and say yes to one."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets import club_queries, http, refusal_wording
from sheets.access import for_owners, sign_in_first
from sheets.actions import ClubSaved, Refused, Why, accept_invitation, invite
from sheets.actions.organisers import invitation_secret
from sheets.forms.base import WritingForm
from sheets.http import OrganiserRequest
from sheets.models import Invitation, Organiser
from sheets.views.clubs.front import club_context


@for_owners
@require_http_methods(["GET", "HEAD", "POST"])
def club_invite(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Make a link for one more organiser; it is shown to whoever made it alone."""
    club = organiser.club
    form = WritingForm(request.POST or None, seen=club.seen)
    here = reverse("sheets:club_invite", args=[club.slug])

    def to(saved: ClubSaved) -> str:
        return f"{here}?made={saved.change.key}"

    context = club_context(organiser) | _made(request, organiser)
    return http.club_form_page(request, club, "clubs/invite.html", context, form, invite, to)


def _made(request: OrganiserRequest, organiser: Organiser) -> dict[str, Any]:
    """Return the link that this user has just made, while it is good for anything."""
    try:
        secret = invitation_secret(request.user, uuid.UUID(request.GET.get("made", "")))
    except ValueError:
        return {}
    found = club_queries.invitation(secret)
    if found is None or found.club_id != organiser.club_id:
        return {}
    if not club_queries.invitation_is_open(found):
        return {"over": True, "used_by": found.used_by}
    url = http.shared_url(reverse("sheets:invitation", args=[secret]))
    return {"url": url, "until": found.made_at + club_queries.INVITATION_LASTS}


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: OrganiserRequest, secret: str) -> HttpResponse:
    """Ask whoever has the link to sign in, and then whether they want to run the club."""
    response = _invitation(request, secret)
    response["Cache-Control"] = "private, no-cache"
    return response


def _invitation(request: OrganiserRequest, secret: str) -> HttpResponse:
    found = club_queries.invitation(secret)
    signed_in = request.user.is_authenticated
    if found is not None and signed_in and club_queries.fellow(found.club, request.user.pk):
        return http.see(found.club.get_absolute_url())
    if found is None or not club_queries.invitation_is_open(found):
        return _refused(request, found, Refused(why=Why.INVITATION_OVER))
    form = WritingForm(request.POST or None)
    context = {"form": form, "invitation": found, "here": request.path}
    if request.method != "POST":
        return http.page(request, "clubs/invitation.html", context)
    if not signed_in:
        return sign_in_first(request)
    if not form.is_valid():
        return http.invalid(request, "clubs/invitation.html", context)
    answer = accept_invitation(secret, request.user)
    if isinstance(answer, Refused):
        return _refused(request, found, answer)
    return http.see(answer.change.club.get_absolute_url())


def _refused(request: OrganiserRequest, found: Invitation | None, refused: Refused) -> HttpResponse:
    over = refused.why == Why.INVITATION_OVER
    context = {"refusal": refusal_wording.refusal(refused), "invitation": None if over else found}
    status = 410 if over else 409
    return http.page(request, "clubs/invitation.html", context, status=status)
