"""Who of the roster the people at the club's tables are, and whose a seat of a sheet really was."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets import club_tables, http, numbers, queries, roster
from sheets.access import for_organisers
from sheets.actions import Answer, ClubAnswer, ClubWrite, Write, match_names, match_seats
from sheets.forms.club_tables import SeatsMatchForm
from sheets.forms.roster import MatchForm
from sheets.http import OrganiserRequest
from sheets.models import Club, Organiser, Person
from sheets.views.clubs.front import club_context
from sheets.views.clubs.people import not_there


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def names(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Names at tables that nobody has matched yet; with `?table=`, all names of that table."""
    club = organiser.club
    of_table = club_tables.table_of(club, request.GET.get("table", ""))
    if request.method == "POST":
        people = _posted_people(request, club)
        form = MatchForm(request.POST, club=club, people=people)
    else:
        found = roster.at_table(club, of_table.public_id) if of_table else roster.unmatched(club)
        people = list(found[: roster.UNMATCHED_PAGE])
        form = MatchForm(club=club, people=people)
    context = club_context(organiser) | {
        "of_table": of_table,
        "groups": _by_table(form),
        "left": max(0, roster.unmatched(club).count() - len(people)) if not of_table else 0,
        "action": request.get_full_path(),
    }

    def act(write: ClubWrite) -> ClubAnswer:
        return match_names(write, form.wanted)

    to = reverse("sheets:club_names", args=[club.slug])
    if of_table:
        to = reverse("sheets:club_table", args=[club.slug, of_table.public_id])
    return http.club_form_page(request, club, "clubs/names.html", context, form, act, to)


def _posted_people(request: OrganiserRequest, club: Club) -> list[Person]:
    """Return the people a posted form was about, who may have been matched meanwhile."""
    sent = [name.removeprefix("person_") for name in request.POST if name.startswith("person_")]
    keys = [pk for one in sent if (pk := numbers.maybe(one, most=numbers.MOST_KEY)) is not None]
    people = Person.objects.filter(pk__in=keys[:500], table__club=club).select_related("table")
    return list(people.order_by("-table_id", "pk"))


def _by_table(form: MatchForm) -> list[dict[str, Any]]:
    """Return the rows of the form under the table each person sits at."""
    called = club_tables.titles({person.table for person in form.people})
    groups: dict[int, dict[str, Any]] = {}
    for person, field in form.rows():
        new = {"table": person.table, "title": called[person.table_id], "rows": []}
        groups.setdefault(person.table_id, new)["rows"].append((person, field))
    return list(groups.values())


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_people(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """Whose seats of one sheet these really were."""
    club, found = organiser.club, club_tables.sheet_of(organiser.club, sheet_id)
    if found is None:
        return not_there(request)
    sheet, players = found
    table = sheet.table
    form = SeatsMatchForm(request.POST or None, club=club, sheet=sheet, players=players)
    context = club_context(organiser) | {
        "sheet": sheet,
        "title": queries.title(table, players),
        "evening": queries.evening(sheet),
    }

    def act(write: Write) -> Answer:
        return match_seats(write, sheet.public_id, form.of_club, form.here)

    template, to = "clubs/sheet_people.html", request.path
    return http.table_form_page(request, table, template, context, form, act, to)
