"""House rules: looked up, changed, taken back, and kept under a name."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets import http, queries, wording
from sheets.access import for_members
from sheets.actions import (
    Answer,
    Write,
    change_rules,
    forget_rules,
    restore_rules,
    save_rules,
)
from sheets.forms import hand
from sheets.forms.rules import (
    ChangeRulesForm,
    ForgetRulesForm,
    RestoreRulesForm,
    SaveRulesForm,
    rules_form,
)
from sheets.http import PlayerRequest
from sheets.models import Member, Player, Sheet
from sheets.views.table import base_context

PAGE = "sheets/rules.html"


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def rules(request: PlayerRequest, member: Member) -> HttpResponse:
    """The rules as they are, and other rules from the next hand on or for the whole sheet."""
    sheet, players = _sheet(request, member)
    form = _change_form(request, member, sheet, players)
    context = _context(request, member, sheet, players, change_form=form)
    if form.rules.looks:
        return http.page(request, PAGE, context)

    def act(write: Write) -> Answer:
        return change_rules(write, sheet.public_id, form.rules.house, whole=form.whole)

    return http.form_page(request, member, PAGE, context, form, act, _url(member))


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def rules_back(request: PlayerRequest, member: Member) -> HttpResponse:
    """Take the newest change of the rules back."""
    if request.method != "POST":
        return http.see(_url(member))
    sheet, players = _sheet(request, member)
    form = RestoreRulesForm(
        request.POST, seen=member.table.seen, initial={"sheet": sheet.public_id}
    )
    context = _context(request, member, sheet, players, back_form=form)

    def act(write: Write) -> Answer:
        return restore_rules(write, sheet.public_id, form.cleaned_data["change"])

    return http.form_page(request, member, PAGE, context, form, act, _url(member))


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def rules_save(request: PlayerRequest, member: Member) -> HttpResponse:
    """Give the rules as they are a name."""
    if request.method != "POST":
        return http.see(_url(member))
    sheet, players = _sheet(request, member)
    form = SaveRulesForm(request.POST, seen=member.table.seen, initial={"sheet": sheet.public_id})
    context = _context(request, member, sheet, players, save_form=form)

    def act(write: Write) -> Answer:
        return save_rules(write, sheet.public_id, form.cleaned_data["name"])

    return http.form_page(request, member, PAGE, context, form, act, _url(member))


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def rules_forget(request: PlayerRequest, member: Member) -> HttpResponse:
    """Forget a saved set."""
    if request.method != "POST":
        return http.see(_url(member))
    sheet, players = _sheet(request, member)
    form = ForgetRulesForm(request.POST, seen=member.table.seen, initial={"sheet": sheet.public_id})
    context = _context(request, member, sheet, players)

    def act(write: Write) -> Answer:
        return forget_rules(write, form.cleaned_data["saved"])

    return http.form_page(request, member, PAGE, context, form, act, _url(member))


def _url(member: Member) -> str:
    return reverse("sheets:rules", args=[member.table.public_id])


def _sheet(request: PlayerRequest, member: Member) -> tuple[Sheet, list[Player]]:
    """Return the sheet a form was opened on, which may have ended since; else the latest."""
    posted = request.POST.get("sheet", "")
    found = queries.sheet_of(member.table, posted) if posted else None
    return found or queries.latest_sheet(member.table)


def _change_form(
    request: PlayerRequest,
    member: Member,
    sheet: Sheet,
    players: list[Player],
    *,
    sent: bool = True,
) -> ChangeRulesForm:
    data = (request.POST or None) if sent else None
    part = rules_form(
        sheet.game,
        data,
        house=sheet.house_rules.value,
        saved=queries.saved_rules(member.table),
        query=request.GET.dict(),
        seats_stay=True,
    )
    return ChangeRulesForm(
        data,
        rules=part,
        next_hand=queries.where_next(sheet, players).number,
        seen=member.table.seen,
        initial={"sheet": sheet.public_id},
    )


def _context(
    request: PlayerRequest, member: Member, sheet: Sheet, players: list[Player], **posted: Any
) -> dict[str, Any]:
    """Return the rules as they are and the forms; the one that was posted keeps what it holds."""
    seen, on_sheet = member.table.seen, {"sheet": sheet.public_id}
    context = base_context(member, sheet, players) | {
        "now": hand.rules_in_words(sheet.game, sheet.house_rules.value),
        "rules_url": _url(member),
        "saved": [
            (one, ForgetRulesForm(seen=seen, initial=on_sheet | {"saved": one.pk}))
            for one in queries.saved_rules(member.table)
        ],
        "save_form": SaveRulesForm(seen=seen, initial=on_sheet),
    }
    if "change_form" not in posted:
        context["change_form"] = _change_form(request, member, sheet, players, sent=False)
    last = queries.rules_changed_last(sheet) if sheet.is_open else None
    if last is not None:
        said = wording.change(last, queries.past_of(member.table, [last]))
        context["changed_last"] = f"{wording.author(last)} {said}"
        initial = on_sheet | {"change": last.version}
        context["back_form"] = RestoreRulesForm(seen=seen, initial=initial)
    return context | posted
