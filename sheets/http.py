"""Answers: a whole page, or for htmx the part of it that changes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django_htmx.middleware import HtmxDetails

from sheets import (
    club_queries,
    club_wording,
    hand_wording,
    phone_queries,
    phone_wording,
    queries,
    refusal_wording,
    review_wording,
    wording,
)
from sheets.actions import Answer, ClubAnswer, ClubSaved, ClubWrite, Refused, Saved, Why, Write
from sheets.forms.base import WritingForm
from sheets.forms.codes import CodeForm
from sheets.models import Club, Member, Table, User
from sheets.seen import read_seen

_STATUS = {
    Why.KEY_USED: 422,
    Why.IMPOSSIBLE: 422,
    Why.ONE_PHONE: 422,
    Why.LONG_REASON: 422,
    Why.NAME_TAKEN: 422,
    Why.SAME_RULES: 422,
    Why.SAVED_NAME: 422,
    Why.NOT_THERE: 404,
    Why.SLUG_TAKEN: 422,
    Why.INTO_ITSELF: 422,
    Why.ONE_SHEET: 422,
    Why.SAT_TWICE: 422,
    Why.SEASON_NAME: 422,
    Why.SEASON_ENDS: 422,
    Why.NO_SEASON: 404,
    Why.EMAIL_TAKEN: 422,
    Why.NO_ACCOUNT: 422,
    Why.NOT_A_MEMBER: 403,
    Why.NOT_AN_ORGANISER: 403,
    Why.LINK_USED: 410,
    Why.INVITATION_OVER: 410,
}

# Every page loads all of them, each under a name that changes with its content.
SCRIPTS = sorted(f"js/{path.name}" for path in (settings.BASE_DIR / "static/js").glob("*.js"))
# What an answer depends on besides its address.
VARY = ("HX-Request", "HX-Target")
# The pages that have a part `live`: whatever a phone asks for, the others have none.
LIVE = frozenset(
    {
        "clubs/table_live.html",
        "sheets/asks.html",
        "sheets/result.html",
        "sheets/sheet.html",
        "sheets/watch.html",
    }
)
# Pages made by another run of the program may be other pages.
_RUN = secrets.token_hex(4)


class PlayerRequest(HttpRequest):
    """A request in the views: `phone` is the hash of the phone's secret, or empty."""

    phone: str
    htmx: HtmxDetails


class OrganiserRequest(PlayerRequest):
    """A request in the views of a club: somebody has signed in."""

    user: User


def page_of(request: PlayerRequest) -> str:
    """Return the path of the page that somebody has before them: of the form, when one was sent."""
    return request.htmx.current_url_abs_path or request.get_full_path()


def wants_live_part(request: PlayerRequest) -> bool:
    """Say whether a phone asks only for the part of a sheet that live updates replace."""
    return bool(request.htmx) and request.htmx.target == "sheet"


def etag(table: Table, member: Member | None = None) -> str:
    """Return what the live part of a sheet depends on, for a member or a watcher.

    The version is read before the rows: the part is never older than what it is called. A question
    for a seat runs out without a new version: while there is one, no two parts are called the same.
    """
    parts = [_RUN, get_language(), table.seen, table.confirms]
    if member is not None:
        parts += [member.pk, member.person_id]
        if phone_queries.seat_news(member.table):
            parts.append(timezone.now().timestamp())
    return f'"{"-".join(map(str, parts))}"'


def page(
    request: PlayerRequest,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """Render the page, or for htmx only its part: `live` for what is replaced while people look."""
    if request.htmx:
        live = template in LIVE and wants_live_part(request)
        template += "#live" if live else "#page"
    response = render(request, template, context, status=status)
    patch_vary_headers(response, VARY)
    return response


def scripts(request: HttpRequest) -> dict[str, Any]:
    """Give every page the scripts it loads."""
    return {"scripts": SCRIPTS}


def live_page(
    request: PlayerRequest, table: Table, etag: str, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Answer with a page, or with its live part unless the phone has that.

    A phone names what it shows. Where a restored backup has taken that away it is told so, and
    takes a part that looks older than its own.
    """
    if not wants_live_part(request):
        return make()
    response = get_conditional_response(request, etag) or make()
    shown = read_seen(request.headers.get("Showing", ""))
    if shown is not None and queries.is_gone(table, shown):
        response["Set-Back"] = "yes"
    return response


def door(
    request: PlayerRequest, template: str, context: Mapping[str, Any], *, status: int
) -> HttpResponse:
    """Answer whoever may not see the sheet: where a part of it was asked for, the page goes too."""
    response = render(
        request, f"{template}#page" if request.htmx else template, context, status=status
    )
    if request.htmx:
        response["HX-Retarget"] = "#page"
        response["HX-Reswap"] = "outerHTML"
    patch_vary_headers(response, VARY)
    return response


def removed(request: PlayerRequest, member: Member) -> HttpResponse:
    """Tell a phone that was removed so: nothing of the sheet, and what it sent is not lost.

    The fields it sent stand in the page and can be sent once more after it has joined again; what
    came out of its queue waits there.
    """
    sent = [
        (name, value)
        for name, values in request.POST.lists()
        if name != "csrfmiddlewaretoken" and "Outbox" not in request.headers
        for value in values
    ]
    with timezone.override(member.table.zone):
        context = {
            "sentence": phone_wording.removed(member),
            "sent": sent,
            "form": CodeForm(),
            "address": request.path,
        }
        response = door(request, "sheets/removed.html", context, status=403)
    response["Refused"] = str(Why.REMOVED)
    return response


def see(url: str) -> HttpResponse:
    """Send the browser on after a write, so that a reload shows and never repeats it."""
    return HttpResponse(status=303, headers={"Location": url})


def saved(request: PlayerRequest, form: WritingForm, url: str) -> HttpResponse:
    """Answer a write that is in the database: go on to `url`.

    A phone that sends from its queue is told by name what was saved: only then does the hand leave
    the queue. A 200 from something else on the way, a hotel's login page for one, names nothing.
    """
    if "Outbox" not in request.headers:
        return see(url)
    return HttpResponse(headers={"Saved": str(form.cleaned_data["key"]), "Location": url})


def shared_url(path: str) -> str:
    """Return the address other phones reach a page at; never what a Host header claims."""
    return f"{settings.SHARED_URL}{path}"


def write(member: Member, form: WritingForm) -> Write:
    """Return who writes, with the key and the version that came with a valid form."""
    return Write(
        table=member.table_id,
        key=form.cleaned_data["key"],
        seen=form.cleaned_data["seen"],
        phone=member.phone,
        agreed=form.cleaned_data["agreed"],
    )


def organiser_write(request: OrganiserRequest, table: Table, form: WritingForm) -> Write:
    """Return the write of an organiser at a table of the club."""
    return Write(
        table=table.pk,
        key=form.cleaned_data["key"],
        seen=form.cleaned_data["seen"],
        agreed=form.cleaned_data["agreed"],
        user=request.user,
    )


def invalid(request: PlayerRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """Show a posted form with what is wrong in it."""
    response = page(request, template, context, status=422)
    response["Refused"] = "invalid"
    return response


def refused(
    request: PlayerRequest,
    template: str,
    context: Mapping[str, Any],
    form: WritingForm,
    table: Table,
    answer: Refused,
) -> HttpResponse:
    """Show why nothing was saved, what happened meanwhile, and what was typed."""
    if answer.why == Why.REMOVED:
        assert answer.member is not None
        return removed(request, answer.member)
    form.refuse(answer)
    meanwhile = ""
    if answer.change is not None:
        past = queries.past_of(table, [answer.change])
        meanwhile = f"{wording.author(answer.change)} {wording.change(answer.change, past)}"
        if answer.why == Why.SET_BACK:
            meanwhile = refusal_wording.last_of_backup(meanwhile)
    moves = []
    if answer.moves:
        past = queries.past_of(table, [])
        moves = [hand_wording.move(one, past) for one in answer.moves]
    details = {
        "refused": answer.why,
        "refusal": refusal_wording.refusal(answer),
        "moves": moves,
        "meanwhile": meanwhile,
    }
    status = _STATUS.get(answer.why, 409)
    response = page(request, template, {**context, **details, "form": form}, status=status)
    # A phone that sends from its queue learns that it was us who refused, and what to do.
    response["Refused"] = str(answer.why)
    return response


Done = TypeVar("Done", Saved, ClubSaved)


def _form_page(
    request: PlayerRequest,
    template: str,
    context: Mapping[str, Any],
    form: WritingForm,
    act: Callable[[], Done | Refused],
    refuse: Callable[[Mapping[str, Any], Refused], HttpResponse],
    to: str | Callable[[Done], str],
) -> HttpResponse:
    """Show a form; once it is posted and right, act on it and go on to the next page.

    What is wrong with it, and why the action refused, is shown with what was typed.
    """
    context = {**context, "form": form}
    if request.method != "POST":
        return page(request, template, context)
    if not form.is_valid():
        return invalid(request, template, context)
    answer = act()
    if isinstance(answer, Refused):
        return refuse(context, answer)
    return saved(request, form, to(answer) if callable(to) else to)


def form_page(
    request: PlayerRequest,
    member: Member,
    template: str,
    context: Mapping[str, Any],
    form: WritingForm,
    act: Callable[[Write], Answer],
    to: str | Callable[[Saved], str],
) -> HttpResponse:
    """Show a form of a phone, act on it once it is right, or show why that was refused."""

    def refuse(context: Mapping[str, Any], answer: Refused) -> HttpResponse:
        return refused(request, template, context, form, member.table, answer)

    return _form_page(
        request, template, context, form, lambda: act(write(member, form)), refuse, to
    )


def table_form_page(
    request: OrganiserRequest,
    table: Table,
    template: str,
    context: Mapping[str, Any],
    form: WritingForm,
    act: Callable[[Write], Answer],
    to: str | Callable[[Saved], str],
) -> HttpResponse:
    """The same for an organiser's form about a table of the club."""

    def refuse(context: Mapping[str, Any], answer: Refused) -> HttpResponse:
        return refused(request, template, context, form, table, answer)

    def done() -> Answer:
        return act(organiser_write(request, table, form))

    return _form_page(request, template, context, form, done, refuse, to)


def club_form_page(
    request: OrganiserRequest,
    club: Club,
    template: str,
    context: Mapping[str, Any],
    form: WritingForm,
    act: Callable[[ClubWrite], ClubAnswer],
    to: str | Callable[[ClubSaved], str],
) -> HttpResponse:
    """The same for an organiser's form about the club itself."""

    def refuse(context: Mapping[str, Any], answer: Refused) -> HttpResponse:
        return club_refused(request, club, template, context, form, answer)

    def done() -> ClubAnswer:
        key, seen = form.cleaned_data["key"], form.cleaned_data["seen"]
        agreed = form.cleaned_data["agreed"]
        return act(ClubWrite(club=club.pk, user=request.user, key=key, seen=seen, agreed=agreed))

    return _form_page(request, template, context, form, done, refuse, to)


def club_refused(
    request: OrganiserRequest,
    club: Club,
    template: str,
    context: Mapping[str, Any],
    form: WritingForm,
    answer: Refused,
) -> HttpResponse:
    """Show why nothing of a club was changed, what happened meanwhile, and what was typed."""
    form.refuse(answer)
    meanwhile = ""
    if (done := answer.club_change) is not None:
        said = club_wording.change(done, club_queries.past_of(club, [done]))
        meanwhile = f"{club_wording.author(done)} {said}"
        if answer.why == Why.SET_BACK:
            meanwhile = refusal_wording.last_of_backup(meanwhile)
    details = {
        "refused": answer.why,
        "refusal": refusal_wording.refusal(answer),
        "meanwhile": meanwhile,
        "alike": [(one, review_wording.in_short(one)) for one in answer.alike],
    }
    status = _STATUS.get(answer.why, 409)
    response = page(request, template, {**context, **details, "form": form}, status=status)
    response["Refused"] = str(answer.why)
    return response
