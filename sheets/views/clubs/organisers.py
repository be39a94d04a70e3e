"""Who runs a club: owners decide who is an owner and who goes, and anybody may leave."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets import club_queries, http
from sheets.access import for_organisers, for_owners
from sheets.actions import ClubAnswer, ClubWrite, change_role, remove_organiser
from sheets.forms.base import WritingForm
from sheets.forms.clubs import RoleForm
from sheets.http import OrganiserRequest
from sheets.models import Organiser, Role
from sheets.views.clubs.front import club_context


@for_organisers
@require_safe
def club_organisers(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Everybody who runs the club, and what each may do."""
    form = RoleForm(seen=organiser.club.seen)
    return http.page(request, "clubs/organisers.html", _context(organiser) | {"form": form})


@for_owners
@require_http_methods(["GET", "HEAD", "POST"])
def club_role(request: OrganiserRequest, organiser: Organiser, user_id: int) -> HttpResponse:
    """Make somebody an owner, or no longer one."""
    club = organiser.club
    to = reverse("sheets:club_organisers", args=[club.slug])
    if request.method != "POST":
        return http.see(to)
    form = RoleForm(request.POST, seen=club.seen)

    def act(write: ClubWrite) -> ClubAnswer:
        return change_role(write, user_id, Role(form.cleaned_data["role"]))

    context = _context(organiser)
    return http.club_form_page(request, club, "clubs/organisers.html", context, form, act, to)


@require_http_methods(["GET", "HEAD", "POST"])
def club_organiser_remove(request: OrganiserRequest, slug: str, user_id: int) -> HttpResponse:
    """Take somebody off the organisers, or leave; left once more, one has still left."""
    if request.user.is_authenticated and request.user.pk == user_id and request.method == "POST":
        form = WritingForm(request.POST)
        key = form.cleaned_data["key"] if form.is_valid() else uuid.uuid4()
        if club_queries.has_left(slug, request.user, key):
            return http.see(reverse("sheets:clubs"))
    return _remove(request, slug, user_id)


@for_organisers
def _remove(request: OrganiserRequest, organiser: Organiser, user_id: int) -> HttpResponse:
    club, leaves = organiser.club, organiser.user_id == user_id
    if not leaves and not organiser.is_owner:
        context = club_context(organiser)
        return http.page(request, "clubs/owners_only.html", context, status=403)
    to = reverse("sheets:clubs") if leaves else reverse("sheets:club_organisers", args=[club.slug])
    who = club_queries.fellow(club, user_id)
    if who is None:  # gone already
        return http.see(to)

    def act(write: ClubWrite) -> ClubAnswer:
        return remove_organiser(write, user_id)

    form = WritingForm(request.POST or None, seen=club.seen)
    context = club_context(organiser) | {"who": who, "leaves": leaves}
    return http.club_form_page(request, club, "clubs/organiser_remove.html", context, form, act, to)


def _context(organiser: Organiser) -> dict[str, Any]:
    return club_context(organiser) | {"organisers": club_queries.organisers(organiser.club)}
