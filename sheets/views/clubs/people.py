"""The roster of a club: who is on it, under which name, and who is whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets import http, names, numbers, refusal_wording, roster, roster_wording
from sheets.access import for_organisers
from sheets.actions import (
    ClubAnswer,
    ClubWrite,
    Refused,
    Why,
    add_people,
    merge_people,
    part_people,
    rename_person,
    retire_person,
    take_person_back,
)
from sheets.forms.base import WritingForm
from sheets.forms.roster import MergeForm, PeopleForm, PersonForm
from sheets.http import OrganiserRequest
from sheets.models import Club, ClubPerson, Organiser
from sheets.views.clubs.front import club_context


@for_organisers
@require_safe
def people(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Who is on the roster, and who was merged into whom."""
    return http.page(request, "clubs/people.html", _people_context(organiser))


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def person_new(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Put people on the roster, several at once."""
    club = organiser.club
    form = PeopleForm(request.POST or None, club=club)

    def act(write: ClubWrite) -> ClubAnswer:
        return add_people(write, form.people)

    context, to = club_context(organiser), _people_url(club)
    return http.club_form_page(request, club, "clubs/person_new.html", context, form, act, to)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def person_edit(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """Change a name and a note; retire somebody, or take them back."""
    club, person = organiser.club, roster.person_of(organiser.club, pk)
    if person is None:
        return not_there(request)
    form = PersonForm(request.POST or None, person=person, club=club)
    context = club_context(organiser) | {"person": person}

    def act(write: ClubWrite) -> ClubAnswer:
        return rename_person(write, pk, form.cleaned_data["name"], form.cleaned_data["note"])

    to = _people_url(club, person)
    return http.club_form_page(request, club, "clubs/person_edit.html", context, form, act, to)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def person_merge(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """Choose who else this is, see what follows, and who of the two stays."""
    club, person = organiser.club, roster.person_of(organiser.club, pk)
    if person is None:
        return not_there(request)
    if request.method != "POST" and person.merged_into is not None:
        return http.see(_people_url(club, person.merged_into))
    others = [one for one in club.people.filter(merged_into=None) if one.pk != pk]
    alike = roster.meant_by(others, person.name)
    others.sort(key=lambda one: (one not in alike, names.in_order(one.label)))
    context = club_context(organiser) | {"person": person, "others": others}
    asked = (request.POST if request.method == "POST" else request.GET).get("other", "")
    key = numbers.maybe(asked, most=numbers.MOST_KEY)
    other = None if key is None else roster.person_of(club, key)
    if other is None or other.pk == pk:
        return http.page(request, "clubs/person_merge.html", context)
    form = MergeForm(request.POST or None, club=club, pair=(person, other))
    context |= {"other": other, "follows": _what_follows(club, person, other)}

    def act(write: ClubWrite) -> ClubAnswer:
        return merge_people(write, form.goes, form.cleaned_data["stays"])

    to = _people_url(club, person)
    return http.club_form_page(request, club, "clubs/person_merge.html", context, form, act, to)


def _what_follows(club: Club, person: ClubPerson, other: ClubPerson) -> dict[str, Any]:
    """Return what each of two brings into a merge, or why it can't be."""
    counts = roster.stands_for(club)
    groups = [roster.counted_as(counts, counts[one.pk]) for one in (person, other)]
    why_not = ""
    if groups[0] != groups[1]:
        sheet = roster.sheet_with_both(*(roster.people_at_tables(group) for group in groups))
        if sheet is not None:
            why_not = refusal_wording.refusal(Refused(why=Why.ONE_SHEET, sheet=sheet))
    return {
        "each": [
            (one, roster_wording.played(roster.weight(group)))
            for one, group in zip((person, other), groups, strict=True)
        ],
        "together": roster_wording.played(roster.weight(groups[0] | groups[1])),
        "why_not": why_not,
    }


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def person_part(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """Take a merge back."""
    return _one_tap(request, organiser, pk, part_people)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def person_retire(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """Offer somebody for seats no more."""
    return _one_tap(request, organiser, pk, retire_person)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def person_back(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """Offer somebody for seats again."""
    return _one_tap(request, organiser, pk, take_person_back)


def _one_tap(
    request: OrganiserRequest,
    organiser: Organiser,
    pk: int,
    action: Callable[[ClubWrite, int], ClubAnswer],
) -> HttpResponse:
    """Do what a button of the roster asks for; looking at its address leads to the roster."""
    club, person = organiser.club, roster.person_of(organiser.club, pk)
    if person is None:
        return not_there(request)
    if request.method != "POST":
        return http.see(_people_url(club, person))
    form = WritingForm(request.POST, seen=club.seen)

    def act(write: ClubWrite) -> ClubAnswer:
        return action(write, pk)

    context, to = _people_context(organiser), _people_url(club, person)
    return http.club_form_page(request, club, "clubs/people.html", context, form, act, to)


def not_there(request: OrganiserRequest) -> HttpResponse:
    """Answer for what is not the club's: the same page whether it is somebody else's or nowhere."""
    return render(request, "404.html", status=404)


def _people_context(organiser: Organiser) -> dict[str, Any]:
    club = organiser.club
    return club_context(organiser) | {
        "roster": roster.roster(club),
        "new_form": PeopleForm(club=club),
        "form": WritingForm(seen=club.seen),
        "unmatched": roster.unmatched(club).count(),
    }


def _people_url(club: Club, person: ClubPerson | None = None) -> str:
    """Return the roster's address, at the line of a person."""
    url = reverse("sheets:club_people", args=[club.slug])
    return url if person is None else f"{url}#person-{person.merged_into_id or person.pk}"
