"""Answers: a whole page, or for htmx the part of it that changes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django_htmx.middleware import HtmxDetails

from sheets import queries, wording
from sheets.actions import Answer, Refused, Saved, Why, Write
from sheets.forms.base import WritingForm
from sheets.models import Member, Table

_STATUS = {Why.KEY_USED: 422, Why.IMPOSSIBLE: 422, Why.NOT_THERE: 404, Why.NOT_A_MEMBER: 403}


SCRIPTS = tuple(
    f"js/{name}.js"
    for name in (
        "answers",
        "awake",
        "drafts",
        "entry",
        "hand",
        "live",
        "menu",
        "offline",
        "once",
        "outbox",
        "page",
        "queue",
        "start",
        "waiting",
    )
)
# Pages made by another run of the program may be other pages.
_RUN = secrets.token_hex(4)


class PlayerRequest(HttpRequest):
    """A request in the views: `phone` is the hash of the phone's secret, or empty."""

    phone: str
    htmx: HtmxDetails


def wants_live_part(request: PlayerRequest) -> bool:
    """Say whether a phone asks only for the part of a sheet that live updates replace."""
    return request.htmx.target == "sheet"


def etag(member: Member) -> str:
    """Return what the live part of a member's sheet depends on.

    The version is read before the rows: the part is never older than what it is called.
    """
    parts = (_RUN, get_language(), member.table.version, member.pk, member.person_id)
    return f'"{"-".join(map(str, parts))}"'


def page(
    request: PlayerRequest,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """Render the page, or for htmx only its part: `live` for what is replaced while people look.

    A refusal has no such part: it comes as a page, whatever was asked for.
    """
    if request.htmx:
        template += "#live" if wants_live_part(request) and status == 200 else "#page"
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def scripts(request: HttpRequest) -> dict[str, Any]:
    """Give every page the scripts it loads."""
    return {"scripts": SCRIPTS}


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
    form.refuse(answer)
    meanwhile = ""
    if answer.change is not None:
        past = queries.past_of(table, [answer.change])
        meanwhile = f"{wording.author(answer.change)} {wording.change(answer.change, past)}"
    details = {
        "refused": answer.why,
        "refusal": wording.refusal(answer),
        "meanwhile": meanwhile,
    }
    status = _STATUS.get(answer.why, 409)
    response = page(request, template, {**context, **details, "form": form}, status=status)
    # A phone that sends from its queue learns that it was us who refused, and what to do.
    response["Refused"] = str(answer.why)
    return response


def form_page(
    request: PlayerRequest,
    member: Member,
    template: str,
    context: Mapping[str, Any],
    form: WritingForm,
    act: Callable[[Write], Answer],
    to: str | Callable[[Saved], str],
) -> HttpResponse:
    """Show a form; once it is posted and right, act on it and go on to the next page.

    What is wrong with it, and why the action refused, is shown with what was typed.
    """
    context = {**context, "form": form}
    if request.method != "POST":
        return page(request, template, context)
    if not form.is_valid():
        return invalid(request, template, context)
    answer = act(write(member, form))
    if isinstance(answer, Refused):
        return refused(request, template, context, form, member.table, answer)
    return saved(request, form, to(answer) if callable(to) else to)
