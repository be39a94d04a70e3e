"""Home, Start a table, Join."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from rules import games
from sheets import (
    access,
    http,
    phone_queries,
    phone_wording,
    queries,
    refusal_wording,
    roster,
    slowing,
)
from sheets.actions import Refused, Why, Write, join, start_table
from sheets.forms.tables import CodeForm, StartForm, WhoForm
from sheets.http import PlayerRequest


@require_safe
def home(request: PlayerRequest) -> HttpResponse:
    """Start a table, join one, or go back to one this phone has joined."""
    return _home(request, CodeForm())


@require_http_methods(["GET", "HEAD", "POST"])
def table_new(request: PlayerRequest) -> HttpResponse:
    """Start a table: this phone becomes its first member."""
    form = StartForm(request.POST or None, game=games.DEFAULT, query=request.GET.dict())
    context: dict[str, Any] = {"form": form, "rules_url": reverse("sheets:table_new")}
    status = 200
    if form.asks_code and request.POST.get("club_code"):
        status = access.code_status(request, form.club, wrong=422)
        if form.club.club is not None:
            form.offer(roster.labels_for(form.club.club.pk))
    if request.method != "POST" or form.looks:
        return http.page(request, "sheets/table_new.html", context, status=status)
    if not form.is_valid():
        return http.page(request, "sheets/table_new.html", context, status=max(status, 422))
    who = slowing.address(request.META.get("REMOTE_ADDR", ""))
    if seconds := slowing.NEW_TABLES.wait(who):
        context["refusal"] = phone_wording.too_many_tables(seconds)
        return http.page(request, "sheets/table_new.html", context, status=429)
    phone, secret = access.phone_for_writing(request)
    answer = start_table(form.new_table(), phone=phone, key=form.cleaned_data["key"])
    if isinstance(answer, Refused):
        return _not_started(request, context, form, answer)
    if not answer.repeated:
        slowing.NEW_TABLES.note(who)
    response = http.see(answer.change.table.get_absolute_url())
    if secret:
        access.set_cookie(response, secret)
    return response


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
    """Take a typed code and go to its page; the code itself opens nothing yet."""
    if request.method != "POST":
        return http.see(reverse("sheets:home"))
    form = CodeForm(request.POST)
    status = access.code_status(request, form, wrong=422)
    if status == 200:
        return http.see(reverse("sheets:join", args=[form.cleaned_data["code"]]))
    return _home(request, form, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def join_table(request: PlayerRequest, code: str) -> HttpResponse:
    """Ask who holds this phone, then make it a member. Looking alone never joins."""
    code_form = CodeForm({"code": code})
    status = access.code_status(request, code_form, wrong=404)
    if status != 200:
        return _home(request, code_form, status=status)
    table = code_form.table
    _sheet, players = queries.latest_sheet(table)
    people = queries.people(players) + phone_queries.scorers(table)
    form = WhoForm(request.POST or None, seen=table.version, people=people)
    context = {"form": form, "code": table.code, "title": queries.title(table, players)}
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return http.page(request, "sheets/join.html", context, status=status)
    phone, secret = access.phone_for_writing(request)
    write = Write(table=table.pk, key=form.cleaned_data["key"], seen=table.version, phone=phone)
    answer = join(write, form.person_id, name=form.cleaned_data["name"], code=table.code)
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
    context |= {"used": answer.why == Why.KEY_USED}
    return http.page(request, "sheets/join.html", context, status=422)


def _home(request: PlayerRequest, form: CodeForm, status: int = 200) -> HttpResponse:
    tables = queries.tables_of(request.phone) if request.phone else []
    context = {"tables": tables, "form": form, "deleted": "deleted" in request.GET}
    return http.page(request, "sheets/home.html", context, status=status)


def form_too_old(request: PlayerRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose page was open longer than its token, or whose cookies were cleared."""
    response = http.page(request, "sheets/form_too_old.html", status=403)
    response["Refused"] = "token"
    return response
