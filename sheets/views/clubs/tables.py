"""The tables of a club: taken in, looked at while people play, phones removed, let go, deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets import (
    access,
    club_tables,
    http,
    lifetimes,
    numbers,
    phone_queries,
    phone_wording,
    slowing,
    wording,
)
from sheets.access import for_organisers
from sheets.actions import (
    Answer,
    ClubAnswer,
    ClubWrite,
    Write,
    delete_table,
    let_back,
    let_go,
    remove_phone,
    take_in,
)
from sheets.forms.base import WritingForm
from sheets.forms.club_tables import TakeInForm
from sheets.http import OrganiserRequest
from sheets.models import Organiser, SheetState, Table
from sheets.views.clubs.front import club_context, slowed_for
from sheets.views.clubs.people import not_there
from sheets.views.watch import watch_context


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def tables(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """The club's tables, and the field that takes another one in."""
    club = organiser.club
    form = TakeInForm(request.POST or None, seen=club.seen)
    page = numbers.maybe(request.GET.get("page", ""), most=numbers.MOST_TYPED) or 0
    found, more = club_tables.tables(club, page=page)
    context = club_context(organiser) | {
        "tables": found,
        "next_page": page + 1 if more else None,
        "form": form,
        "slowed": slowed_for(club),
    }
    template = "clubs/tables.html"
    if request.method == "POST":
        status = access.code_status(request, form, wrong=422)
        if status != 200:
            return http.page(request, template, context, status=status)
        table = form.table

    def act(write: ClubWrite) -> ClubAnswer:
        return take_in(write, form.cleaned_data["code"])

    def to(_answer: object) -> str:
        return table_url(organiser, table)

    return http.club_form_page(request, club, template, context, form, act, to)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def tables_lift(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Let tables of the club be started again after too many of them."""
    if request.method == "POST":
        slowing.CLUB_TABLES.lift(str(organiser.club.pk))
    return http.see(reverse("sheets:club_tables", args=[organiser.club.slug]))


def table_url(organiser: Organiser, table: Table) -> str:
    """Return where an organiser finds a table of the club."""
    return reverse("sheets:club_table", args=[organiser.club.slug, table.public_id])


@for_organisers
@require_safe
def table(request: OrganiserRequest, organiser: Organiser, table_id: str) -> HttpResponse:
    """One table: what is played, its phones, its sheets, and the ways to part with it."""
    found = club_tables.table_of(organiser.club, table_id)
    if found is None:
        return not_there(request)
    return http.page(request, "clubs/table.html", _table_context(organiser, found))


def _table_context(organiser: Organiser, table: Table) -> dict[str, Any]:
    banked = table.sheets.filter(state=SheetState.BANKED).order_by("-played_at", "-pk")
    return _title_context(organiser, table) | {
        "form": WritingForm(seen=table.seen),
        "is_open": table.sheets.filter(state=SheetState.OPEN).exists(),
        "phones": [(one, phone_wording.heard(one)) for one in phone_queries.phones(table)],
        "removed_phones": [
            (one, phone_wording.removed_by(one)) for one in phone_queries.removed_phones(table)
        ],
        "banked": [
            (sheet, wording.final_line(list(sheet.players.all())))
            for sheet in banked.prefetch_related("players")[: club_tables.PAGE]
        ],
        "holds": wording.holds(lifetimes.size(table)),
    }


def _title_context(organiser: Organiser, table: Table) -> dict[str, Any]:
    called = club_tables.titles([table])[table.pk]
    return club_context(organiser) | {"table": table, "title": called}


@for_organisers
@require_safe
def table_live(request: OrganiserRequest, organiser: Organiser, table_id: str) -> HttpResponse:
    """What is on a table's sheet now, as a watcher sees it."""
    table = club_tables.table_of(organiser.club, table_id)
    if table is None:
        response = not_there(request)
        response["Refused"] = "stranger"
        return response
    etag = http.etag(table)

    def make() -> HttpResponse:
        context = watch_context(request, table, request.path) | club_context(organiser)
        return http.page(request, "clubs/table_live.html", context | {"etag": etag})

    return http.live_page(request, table, etag, make)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def phone_remove(
    request: OrganiserRequest, organiser: Organiser, table_id: str, number: int
) -> HttpResponse:
    """One question, then a phone is off the table, also the one that started it."""
    table = club_tables.table_of(organiser.club, table_id)
    phone = phone_queries.phone_of(table, number) if table else None
    if table is None or phone is None:
        return not_there(request)
    if request.method != "POST" and phone.removed_at is not None:
        return http.see(table_url(organiser, table))

    def act(write: Write) -> Answer:
        return remove_phone(write, number)

    context = _title_context(organiser, table) | {"phone": phone}
    return at_table(
        request, table, "clubs/phone_remove.html", context, act, table_url(organiser, table)
    )


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def phone_back(
    request: OrganiserRequest, organiser: Organiser, table_id: str, number: int
) -> HttpResponse:
    """Let a phone back in that was removed in the last ten minutes."""
    table = club_tables.table_of(organiser.club, table_id)
    if table is None or phone_queries.phone_of(table, number) is None:
        return not_there(request)
    to = table_url(organiser, table)
    if request.method != "POST":
        return http.see(to)

    def act(write: Write) -> Answer:
        return let_back(write, number)

    return at_table(request, table, "clubs/table.html", _table_context(organiser, table), act, to)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def table_let_go(request: OrganiserRequest, organiser: Organiser, table_id: str) -> HttpResponse:
    """Ask, then let a table leave the club."""
    club, table = organiser.club, club_tables.table_of(organiser.club, table_id)
    to = reverse("sheets:club_tables", args=[club.slug])
    if table is None:  # perhaps by the first of two taps
        return http.see(to) if request.method == "POST" else not_there(request)
    form = WritingForm(request.POST or None, seen=club.seen)
    reviewed = table.sheets.exclude(review="to_review").count()
    context = _title_context(organiser, table) | {
        "holds": wording.holds(lifetimes.size(table)),
        "reviewed": reviewed,
    }

    def act(write: ClubWrite) -> ClubAnswer:
        return let_go(write, table.pk)

    return http.club_form_page(request, club, "clubs/table_let_go.html", context, form, act, to)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def table_delete(request: OrganiserRequest, organiser: Organiser, table_id: str) -> HttpResponse:
    """Say what goes, ask, then delete a table."""
    table = club_tables.table_of(organiser.club, table_id)
    to = reverse("sheets:club_tables", args=[organiser.club.slug])
    if table is None:
        return http.see(to) if request.method == "POST" else not_there(request)
    size = lifetimes.size(table)
    context = _title_context(organiser, table) | {
        "holds": wording.holds(size),
        "phones": size.phones,
        "last": lifetimes.last_change(table),
    }
    return at_table(request, table, "clubs/table_delete.html", context, delete_table, to)


def at_table(
    request: OrganiserRequest,
    table: Table,
    template: str,
    context: dict[str, Any],
    act: Callable[[Write], Answer],
    to: str,
    form: WritingForm | None = None,
) -> HttpResponse:
    """Show a question about a table; once it is answered, act on it as an organiser."""
    form = form or WritingForm(request.POST or None, seen=table.seen)
    return http.table_form_page(request, table, template, context, form, act, to)
