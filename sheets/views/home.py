"""Home, Start a table, Join."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from rules import games
from sheets import (
    access,
    club_queries,
    http,
    links,
    phone_queries,
    phone_wording,
    queries,
    refusal_wording,
    roster,
    slowing,
)
from sheets.actions import Refused, Why, Write, join, start_table
from sheets.forms.codes import MOST_TYPED, CodeForm
from sheets.forms.tables import StartForm, WhoForm
from sheets.http import PlayerRequest
from sheets.models import Club


@require_safe
def home(request: PlayerRequest) -> HttpResponse:
    """Start a table, join one, or go back to one this phone has joined."""
    return _home(request, CodeForm())


@require_http_methods(["GET", "HEAD", "POST"])
def table_new(request: PlayerRequest) -> HttpResponse:
    """Start a table: this phone becomes its first member."""
    return _start(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
def table_new_club(request: PlayerRequest, start_secret: str) -> HttpResponse:
    """Start a table of the club whose link or QR code was opened."""
    club = club_queries.club_opened_by(start_secret)
    if club is not None:
        return _start(request, club)
    form = StartForm(request.POST or None, game=games.DEFAULT)
    context = {"form": form, "refusal": phone_wording.old_club_link()}
    context |= {"rules_url": reverse("sheets:table_new")}
    return http.page(request, "sheets/table_new.html", context, status=404)


def _start(request: PlayerRequest, club: Club | None) -> HttpResponse:
    form = StartForm(request.POST or None, game=games.DEFAULT, query=request.GET.dict(), club=club)
    context: dict[str, Any] = {"form": form, "rules_url": request.path}
    status = 200
    if club is None and form.asks_code and request.POST.get("club_code"):
        status = access.code_status(request, form.club, wrong=422)
    if (of_club := form.club.club) is not None:
        form.offer(roster.labels_for(of_club.pk))
    if request.method != "POST" or form.looks:
        return http.page(request, "sheets/table_new.html", context, status=status)
    if not form.is_valid():
        return http.page(request, "sheets/table_new.html", context, status=max(status, 422))
    slowed, who = _counted(request, of_club)
    if seconds := slowed.wait(who):
        context["refusal"] = (
            phone_wording.too_many_tables(seconds)
            if of_club is None
            else phone_wording.too_many_club_tables(of_club.name, seconds)
        )
        return http.page(request, "sheets/table_new.html", context, status=429)
    phone, secret = access.phone_for_writing(request)
    answer = start_table(form.new_table(), phone=phone, key=form.cleaned_data["key"])
    if isinstance(answer, Refused):
        return _not_started(request, context, form, answer)
    if not answer.repeated:
        slowed.note(who)
    response = http.see(answer.change.table.get_absolute_url())
    if secret:
        access.set_cookie(response, secret)
    return response


def _counted(request: PlayerRequest, club: Club | None) -> tuple[slowing.Slowed, str]:
    """Return where a new table is counted: by its club, without one by address."""
    if club is not None:
        return slowing.CLUB_TABLES, str(club.pk)
    return slowing.NEW_TABLES, slowing.who(request)


def _not_started(
    request: PlayerRequest, context: dict[str, Any], form: StartForm, answer: Refused
) -> HttpResponse:
    form.refuse(answer)
    if answer.why == Why.KEY_USED:
        context["refused"] = True
    else:
        context["refusal"] = refusal_wording.refusal(answer)
    return http.page(request, "sheets/table_new.html", context, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
def join_code(request: PlayerRequest) -> HttpResponse:
    """Take a typed code and go to its page; the code itself opens nothing yet.

    Another link of ours that was pasted here leads to its own page. From a right code on it is the
    table's link, so wrong codes typed beside this phone no longer stop it.
    """
    if request.method != "POST":
        return http.see(reverse("sheets:home"))
    form = CodeForm(request.POST)
    status = access.code_status(request, form, wrong=422)
    if status == 200:
        return http.see(reverse("sheets:join_link", args=[form.table.join_secret]))
    pasted = links.read(request.POST.get("code", "")[:MOST_TYPED])
    if pasted is not None and pasted.page != "join":
        return http.see(pasted.path)
    return _home(request, form, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def join_table(request: PlayerRequest, code: str) -> HttpResponse:
    """Join by a code in an address that someone typed: counted as in the field."""
    code_form = CodeForm({"code": code})
    status = access.code_status(request, code_form, wrong=404)
    if status != 200:
        return _home(request, code_form, status=status)
    return _join(request, code_form)


@require_http_methods(["GET", "HEAD", "POST"])
def join_link(request: PlayerRequest, join_secret: str) -> HttpResponse:
    """Join by the link or the QR code that the table's phones show: never slowed."""
    code_form = CodeForm({"code": join_secret})
    if not code_form.is_valid():
        # The field below it is for a code: the secret of a dead link helps nobody there.
        code_form.data = {"code": ""}
        return _home(request, code_form, status=404)
    return _join(request, code_form)


def _join(request: PlayerRequest, code_form: CodeForm) -> HttpResponse:
    """Ask who holds this phone, then make it a member. Looking alone never joins."""
    table = code_form.table
    _sheet, players = queries.latest_sheet(table)
    people = queries.people(players) + phone_queries.scorers(table)
    form = WhoForm(request.POST or None, seen=table.seen, people=people)
    context = {
        "form": form,
        "action": reverse("sheets:join_link", args=[table.join_secret]),
        "title": queries.title(table, players),
    }
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return http.page(request, "sheets/join.html", context, status=status)
    phone, secret = access.phone_for_writing(request)
    write = Write(table=table.pk, key=form.cleaned_data["key"], seen=table.seen, phone=phone)
    answer = join(
        write,
        form.person_id,
        name=form.cleaned_data["name"],
        code=code_form.cleaned_data["code"],
    )
    if isinstance(answer, Refused):
        return _join_refused(request, context, form, code_form, answer)
    response = http.see(table.get_absolute_url())
    if secret:
        access.set_cookie(response, secret)
    return response


def _join_refused(
    request: PlayerRequest,
    context: dict[str, Any],
    form: WhoForm,
    code_form: CodeForm,
    answer: Refused,
) -> HttpResponse:
    if answer.why == Why.WRONG_CODE:  # it was changed this very moment
        code_form.add_error("code", refusal_wording.refusal(answer))
        return _home(request, code_form, status=404)
    form.refuse(answer)
    if answer.why == Why.KEY_USED:
        context["used"] = True
    else:
        context["refusal"] = refusal_wording.refusal(answer)
    return http.page(request, "sheets/join.html", context, status=422)


def _home(request: PlayerRequest, form: CodeForm, status: int = 200) -> HttpResponse:
    tables = queries.tables_of(request.phone) if request.phone else []
    context = {"tables": tables, "form": form, "deleted": "deleted" in request.GET}
    return http.page(request, "sheets/home.html", context, status=status)
