"""The inbox of a club's banked sheets, and what an organiser says of one."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets import correcting, http, inbox, queries, review_wording, rows, seats, wording
from sheets.access import for_organisers
from sheets.actions import Refused, reopen, review
from sheets.forms.base import WritingForm
from sheets.forms.leaving import ReasonForm
from sheets.forms.review import ALL, InboxForm, ReviewForm
from sheets.http import OrganiserRequest
from sheets.models import Club, Organiser, Player, Review, Round, Sheet
from sheets.oddities import Oddity, read
from sheets.reckoning import lines_of
from sheets.views.clubs.front import club_context
from sheets.views.clubs.sheet_page import page_of_sheet
from sheets.views.table import headline


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """A sheet in the inbox."""

    url: str
    evening: datetime.date
    title: str
    result: str
    line: str
    hands: int
    standing: str
    review: str
    oddities: list[Oddity]


@for_organisers
@require_safe
def inbox_page(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """The banked sheets of the club, newest evening first, a page at a time."""
    club = organiser.club
    filters = InboxForm(request.GET, club=club)
    last = inbox.banked_sheet(club, request.GET.get("after", ""))
    page = inbox.page(filters.wanted(), last)
    context = club_context(organiser) | {
        "filters": filters,
        "states": [
            (filters.query(state=value), label, value == filters.state_shown)
            for value, label in (*Review.choices, (ALL, ""))
        ],
        "rows": [_row(club, filters, *one) for one in page.sheets],
        "newest": filters.query() or "?" if last else "",
        "older": filters.query(after=page.sheets[-1][0].public_id) if page.more else "",
        "done": _done(club, request.GET.get("done", "")),
    }
    return http.page(request, "clubs/inbox.html", context)


def _row(club: Club, filters: InboxForm, sheet: Sheet, players: list[Player]) -> Row:
    return Row(
        url=address(club, sheet, filters.query()),
        evening=club.evening(sheet.played_at),
        title=queries.title(sheet.table, players),
        result=wording.result(sheet, players),
        line=wording.final_line(players),
        hands=sheet.hands,  # type: ignore[attr-defined]  # counted by `inbox.page`
        standing=review_wording.standing(sheet),
        review=sheet.review,
        oddities=read(sheet.oddities),
    )


def _done(club: Club, sheet_id: str) -> dict[str, str] | None:
    """Return what was just said of a sheet, and the way back to it."""
    found = inbox.sheet_of(club, sheet_id) if sheet_id else None
    if found is None or found[0].is_open:
        return None
    sheet, players = found
    return {
        "standing": review_wording.standing(sheet),
        "title": queries.title(sheet.table, players),
        "url": address(club, sheet),
    }


def address(club: Club, sheet: Sheet, query: str = "", name: str = "club_sheet") -> str:
    """Return the address of a sheet, or of what is done to it, with the filters behind it."""
    return reverse(f"sheets:{name}", args=[club.slug, sheet.public_id]) + query


@for_organisers
@require_safe
def sheet(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """A whole sheet: every hand, what looks odd, all that happened to it, and what to say of it."""
    found = _found(organiser.club, sheet_id)
    return http.page(request, "clubs/sheet.html", _context(request, organiser, *found))


@for_organisers
@require_safe
def paper(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """A sheet for printing, as its table prints it."""
    sheet, players = _found(organiser.club, sheet_id)
    context = club_context(organiser) | {
        "sheet": sheet,
        "title": queries.title(sheet.table, players),
        "columns": seats.columns(players),
        "headline": headline(sheet, players),
        "evening": queries.evening(sheet),
        "lines": lines_of(sheet, players),
        "sheet_url": address(organiser.club, sheet),
    }
    return http.page(request, "sheets/paper.html", context)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def say(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """Approve a sheet, flag it, set it aside or take that back; then the next of the list."""
    sheet, players = _found(organiser.club, sheet_id)
    state = request.POST.get("state", "")
    filters = InboxForm(request.GET, club=organiser.club)
    if state not in Review.values:  # nothing was sent
        return http.see(address(organiser.club, sheet, filters.query()))
    form = ReviewForm(request.POST, state=state, seen=sheet.table.seen)
    if not form.is_valid():
        context = _context(request, organiser, sheet, players, form)
        return http.invalid(request, "clubs/sheet.html", context)
    write = http.organiser_write(request, sheet.table, form)
    answer = review(write, sheet_id, Review(state), form.cleaned_data["note"])
    if isinstance(answer, Refused):
        return _refused(request, organiser, sheet_id, form, answer)
    # One of two that are alike was excluded from the page of the other: back to that one.
    if (other := inbox.banked_sheet(organiser.club, request.GET.get("then", ""))) is not None:
        query = filters.query(done=sheet.public_id)
        return http.saved(request, form, address(organiser.club, other, query))
    return http.saved(request, form, _next(organiser.club, filters, sheet, state))


def _next(club: Club, filters: InboxForm, sheet: Sheet, state: str) -> str:
    """Return where to go from a sheet of which something was said."""
    if state == Review.TO_REVIEW:
        return address(club, sheet, filters.query())
    _newer, older = inbox.neighbours(filters.wanted(), sheet)
    query = filters.query(done=sheet.public_id)
    if older is not None:
        return address(club, older, query)
    return reverse("sheets:club_inbox", args=[club.slug]) + query


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def reopen_sheet(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """Take back the end of a sheet, with a reason; its table goes on with it."""
    sheet, players = _found(organiser.club, sheet_id)
    here = address(organiser.club, sheet, InboxForm(request.GET, club=organiser.club).query())
    if request.method != "POST":
        return http.see(here)
    form = ReasonForm(request.POST, seen=sheet.table.seen)
    if not form.is_valid():
        context = _context(request, organiser, sheet, players, form)
        return http.invalid(request, "clubs/sheet.html", context)
    write = http.organiser_write(request, sheet.table, form)
    answer = reopen(write, sheet_id, form.cleaned_data["reason"])
    if isinstance(answer, Refused):
        return _refused(request, organiser, sheet_id, form, answer)
    return http.saved(request, form, here)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def correct(
    request: OrganiserRequest, organiser: Organiser, sheet_id: str, round_id: uuid.UUID
) -> HttpResponse:
    """Correct a hand with a reason; the sheet keeps what it said before."""
    row, players = _hand(organiser.club, sheet_id, round_id)
    context = _form_context(request, organiser, row.sheet, players)
    if why_not := correcting.why_not(row):
        details = {"why_not": why_not, "line": rows.line_of(row, players)}
        return http.page(request, correcting.TEMPLATE, context | details, status=409)
    if not row.sheet.is_open:
        names = [organiser.club.slug, sheet_id, round_id]
        query = InboxForm(request.GET, club=organiser.club).query()
        context["before_url"] = reverse("sheets:club_hand_before", args=names) + query
    back = context["sheet_url"]
    return correcting.page(request, request.user, row, players, context, lambda: http.see(back))


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def hand_new(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """Add a forgotten hand as the last of a banked sheet, with a reason."""
    return _add(request, organiser, *_found(organiser.club, sheet_id), correcting.addition)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def hand_before(
    request: OrganiserRequest, organiser: Organiser, sheet_id: str, round_id: uuid.UUID
) -> HttpResponse:
    """Put a forgotten hand in its place on a banked sheet, before another."""
    row, players = _hand(organiser.club, sheet_id, round_id)
    form_page = functools.partial(correcting.addition, before=row)
    return _add(request, organiser, row.sheet, players, form_page)


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def correction_new(request: OrganiserRequest, organiser: Organiser, sheet_id: str) -> HttpResponse:
    """Add a correction to a banked sheet: a row that was never dealt."""
    return _add(request, organiser, *_found(organiser.club, sheet_id), correcting.added_correction)


def _add(
    request: OrganiserRequest,
    organiser: Organiser,
    sheet: Sheet,
    players: list[Player],
    form_page: Callable[..., HttpResponse],
) -> HttpResponse:
    """Show the form of a row that is added; while the match goes on, the sheet."""
    context = _form_context(request, organiser, sheet, players)
    back = context["sheet_url"]
    if request.method != "POST" and sheet.is_open:
        return http.see(back)
    return form_page(request, request.user, sheet, players, context, lambda: http.see(back))


def _form_context(
    request: OrganiserRequest, organiser: Organiser, sheet: Sheet, players: list[Player]
) -> dict[str, Any]:
    query = InboxForm(request.GET, club=organiser.club).query()
    return club_context(organiser) | {
        "sheet_url": address(organiser.club, sheet, query),
        "title": queries.title(sheet.table, players),
    }


def _hand(club: Club, sheet_id: str, round_id: uuid.UUID) -> tuple[Round, list[Player]]:
    """Return a hand of this sheet and the sheet's players."""
    sheet, _players = _found(club, sheet_id)
    hand = queries.hand_of(sheet.table, round_id)
    if hand is None or hand[0].sheet.pk != sheet.pk:
        raise Http404
    return hand


def _found(club: Club, sheet_id: str) -> tuple[Sheet, list[Player]]:
    found = inbox.sheet_of(club, sheet_id)
    if found is None:
        raise Http404
    return found


def _refused(
    request: OrganiserRequest,
    organiser: Organiser,
    sheet_id: str,
    form: WritingForm,
    answer: Refused,
) -> HttpResponse:
    """Show why nothing was said of the sheet, as it is now, with what was typed."""
    sheet, players = _found(organiser.club, sheet_id)
    context = _context(request, organiser, sheet, players, form)
    return http.refused(request, "clubs/sheet.html", context, form, sheet.table, answer)


def _excluding(
    club: Club, filters: InboxForm, sheet: Sheet, alike: Sequence[tuple[Sheet, str]]
) -> list[tuple[str, str, ReviewForm]]:
    """Return the forms that exclude one of several sheets of one match with a single tap.

    Each with its address and what its button says. After another sheet this one is shown again.
    """
    if not alike:
        return []
    found = [(sheet, _("Exclude this sheet"), filters.query())]
    for other, said in alike:
        label = _("Exclude %(sheet)s") % {"sheet": said}
        if len(alike) == 1:
            label = _("Exclude the other sheet")
        found.append((other, label, filters.query(then=sheet.public_id)))
    forms = []
    for one, label, query in found:
        note = _("The same match as another sheet")
        form = ReviewForm(state=Review.SET_ASIDE, seen=one.table.seen, note=note)
        form.auto_id = False  # there are several on the page
        forms.append((address(club, one, query, "club_review"), label, form))
    return forms


def _context(
    request: OrganiserRequest,
    organiser: Organiser,
    sheet: Sheet,
    players: list[Player],
    posted: WritingForm | None = None,
) -> dict[str, Any]:
    """Return what the page of a sheet needs; a form that was posted keeps what it holds."""
    club = organiser.club
    filters = InboxForm(request.GET, club=club)
    newer, older = inbox.neighbours(filters.wanted(), sheet)
    query = filters.query()
    seen = sheet.table.seen

    forms: dict[str, WritingForm] = {
        state: ReviewForm(state=state, seen=seen) for state in Review.values
    }
    if isinstance(posted, ReviewForm):
        forms[posted.initial["state"]] = posted

    page = page_of_sheet(request, sheet, players)
    return (
        club_context(organiser)
        | page
        | {
            "exclude": _excluding(club, filters, sheet, page["alike"]),
            "query": query,
            "inbox_url": reverse("sheets:club_inbox", args=[club.slug]) + query,
            "newer": newer and address(club, newer, query),
            "older": older and address(club, older, query),
            "forms": forms,
            "reopen_form": posted if isinstance(posted, ReasonForm) else ReasonForm(seen=seen),
            "done": _done(club, request.GET.get("done", "")),
        }
    )
