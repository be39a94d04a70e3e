"""The match: who deals, names and seats, whose phone this is, End match, Play again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets import (
    http,
    lifetimes,
    phone_queries,
    queries,
    roster,
    rows,
    typed_rows,
    waiting,
    wording,
)
from sheets import seats as seats_of
from sheets.access import for_members
from sheets.actions import (
    Answer,
    Refused,
    Saved,
    Write,
    change_seats,
    end_match,
    play_again,
    rename,
    replace_totals,
    restore_totals,
    say_who,
    set_dealer,
    share_pot,
)
from sheets.forms.base import SheetForm
from sheets.forms.match import DealerForm, NamesForm, OrderForm
from sheets.forms.tables import ONLY_KEEPS_SCORE, SeatsForm, WhoForm
from sheets.http import PlayerRequest
from sheets.models import Member, Player, Sheet
from sheets.views import asks, pot
from sheets.views.table import base_context


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def dealer(request: PlayerRequest, member: Member) -> HttpResponse:
    """Who deals the next hand; after a misdeal, that the same player deals again."""
    sheet, players = sheet_of_form(request, member)
    if request.method != "POST" and not sheet.is_open:
        return http.see(member.table.get_absolute_url())
    where = queries.where_next(sheet, players)
    initial = {"sheet": sheet.public_id, "dealer": where.dealer.pk}
    form = DealerForm(
        request.POST or None,
        seen=member.table.seen,
        players=seats_of.now(players),
        initial=initial,
    )
    context = base_context(member, sheet, players) | {"next": where}
    context |= _counts(sheet, players)

    def act(write: Write) -> Answer:
        return set_dealer(write, sheet.public_id, form.cleaned_data["dealer"])

    to = member.table.get_absolute_url()
    return http.form_page(request, member, "sheets/dealer.html", context, form, act, to)


def _counts(sheet: Sheet, players: list[Player]) -> dict[str, Any]:
    """Return how often everybody has dealt and sat out so far."""
    dealt, sat_out = rows.deals(sheet, players).each, rows.sit_outs(sheet, players).each
    pairs = zip(dealt, sat_out, strict=True)
    return {
        "counts": [(player, str(n), str(out)) for (player, n), (_player, out) in pairs],
        "sits_out": any(n for _player, n in sat_out),
    }


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def names(request: PlayerRequest, member: Member) -> HttpResponse:
    """What the table and its players are called."""
    sheet, players = sheet_of_form(request, member)
    if request.method != "POST" and not sheet.is_open:
        return http.see(member.table.get_absolute_url())
    form = NamesForm(
        request.POST or None,
        seen=member.table.seen,
        players=seats_of.now(players),
        left=[one for one in players if not one.is_seated],
        initial={"sheet": sheet.public_id, "table_name": member.table.name},
    )
    context = _people_context(member, sheet, players, names_form=form)

    def act(write: Write) -> Answer:
        return rename(write, sheet.public_id, form.cleaned_data["table_name"], form.new_names)

    to = member.table.get_absolute_url()
    return http.form_page(request, member, "sheets/people.html", context, form, act, to)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def seats(request: PlayerRequest, member: Member) -> HttpResponse:
    """Who sits where, clockwise."""
    sheet, players = sheet_of_form(request, member)
    if request.method != "POST" and not sheet.is_open:
        return http.see(member.table.get_absolute_url())
    form = OrderForm(
        request.POST or None,
        seen=member.table.seen,
        players=seats_of.now(players),
        initial={"sheet": sheet.public_id},
    )
    context = _people_context(member, sheet, players, seats_form=form)

    def act(write: Write) -> Answer:
        return change_seats(write, sheet.public_id, form.order)

    to = member.table.get_absolute_url()
    return http.form_page(request, member, "sheets/people.html", context, form, act, to)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def who(request: PlayerRequest, member: Member) -> HttpResponse:
    """Whose phone this is."""
    sheet, players = sheet_of_form(request, member)
    form = _who_form(member, players, request.POST or None)
    context = _people_context(member, sheet, players, who_form=form)

    def act(write: Write) -> Answer:
        return say_who(write, form.person_id, name=form.cleaned_data["name"])

    to = member.table.get_absolute_url()
    return http.form_page(request, member, "sheets/people.html", context, form, act, to)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def end(request: PlayerRequest, member: Member) -> HttpResponse:
    """One question with the final line in it, then the sheet is banked."""
    sheet, players = sheet_of_form(request, member)
    form = SheetForm(
        request.POST or None, seen=member.table.seen, initial={"sheet": sheet.public_id}
    )
    if request.method != "POST" and not sheet.is_open:
        return http.see(member.table.get_absolute_url())
    if request.method == "POST" and form.is_valid():
        answer = end_match(http.write(member, form), sheet.public_id)
        if not isinstance(answer, Refused):
            return http.see(member.table.get_absolute_url())
        context = _end_context(member, *queries.again(sheet))
        return http.refused(request, "sheets/end.html", context, form, member.table, answer)
    context = _end_context(member, sheet, players) | {"form": form}
    status = 422 if request.method == "POST" else 200
    return http.page(request, "sheets/end.html", context, status=status)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def pot_share(request: PlayerRequest, member: Member) -> HttpResponse:
    """Share what is left in the pot; then the end is asked about with the new final line."""
    return _before_the_end(request, member, share_pot)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def totals(request: PlayerRequest, member: Member) -> HttpResponse:
    """Take rows that look like running totals for these; then the end is asked about again."""
    return _before_the_end(request, member, replace_totals)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def totals_back(request: PlayerRequest, member: Member) -> HttpResponse:
    """Undo that: the rows say again what was typed."""
    return _before_the_end(request, member, restore_totals)


def _before_the_end(
    request: PlayerRequest, member: Member, act: Callable[[Write, str], Answer]
) -> HttpResponse:
    """Do what End match offers besides, and go back to its question with the new final line."""
    sheet, players = sheet_of_form(request, member)
    to = reverse("sheets:end", args=[member.table.public_id])
    if request.method != "POST":
        return http.see(to)
    form = SheetForm(request.POST, seen=member.table.seen, initial={"sheet": sheet.public_id})
    if not form.is_valid():
        context = _end_context(member, sheet, players) | {"form": form}
        return http.invalid(request, "sheets/end.html", context)
    answer = act(http.write(member, form), sheet.public_id)
    if not isinstance(answer, Refused):
        return http.saved(request, form, to)
    context = _end_context(member, *queries.again(sheet))
    return http.refused(request, "sheets/end.html", context, form, member.table, answer)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def again(request: PlayerRequest, member: Member) -> HttpResponse:
    """Open the next sheet: the same seats, and who deals."""
    sheet, players = queries.latest_sheet(member.table)
    if sheet.is_open:
        return http.see(member.table.get_absolute_url())
    deals_next = queries.where_next(sheet, players).dealer
    # People may have been renamed since, on a sheet that was discarded.
    former = lifetimes.former_people(member.table)
    initial: dict[str, Any] = {
        f"name_{seat}": "" if person.pk in former else person.name
        for seat, person in enumerate(queries.people(players))
    }
    seated = seats_of.now(players)
    initial["first_dealer"] = str(seats_of.seat(seated, deals_next.pk))
    if (beside := seats_of.off_sheet(seated)) is not None:
        initial["off_sheet"] = str(beside)
    form = SeatsForm(
        request.POST or None,
        seen=member.table.seen,
        game=sheet.game,
        house=sheet.house_rules.value,
        saved=queries.saved_rules(member.table),
        query=request.GET.dict(),
        initial=initial,
    )
    form.offer(roster.labels_for(member.table.club_id))
    context = base_context(member, sheet, players) | {"rules_url": request.path}
    if form.looks:
        return http.page(request, "sheets/again.html", context | {"form": form})

    def act(write: Write) -> Answer:
        dealer, off_sheet = form.cleaned_data["first_dealer"], form.off_sheet_seat
        return play_again(write, form.names, dealer, off_sheet=off_sheet, house=form.house)

    def to(answer: Saved) -> str:
        fresh = (answer.change.after or {}).get("fresh_code") and not answer.repeated
        url = member.table.get_absolute_url()
        return reverse("sheets:share", args=[member.table.public_id]) if fresh else url

    return http.form_page(request, member, "sheets/again.html", context, form, act, to)


def sheet_of_form(request: PlayerRequest, member: Member) -> tuple[Sheet, list[Player]]:
    """Return the sheet a form was opened on, which may have ended since; else the latest."""
    posted = request.POST.get("sheet", "")
    found = queries.sheet_of(member.table, posted) if posted else None
    return found or queries.latest_sheet(member.table)


def _people_context(
    member: Member, sheet: Sheet, players: list[Player], **posted: Any
) -> dict[str, Any]:
    """Return the three forms of Names and seats; the one that was posted keeps what it holds."""
    seen, on_sheet = member.table.seen, {"sheet": sheet.public_id}
    seated = seats_of.now(players)
    forms: dict[str, Any] = {
        "known": roster.labels_for(member.table.club_id),
        "names_form": NamesForm(
            seen=seen, players=seated, initial=on_sheet | {"table_name": member.table.name}
        ),
        "seats_form": OrderForm(seen=seen, players=seated, initial=on_sheet),
        "who_form": _who_form(member, players),
        "erasable": lifetimes.erasable(member.table),
    }
    forms |= posted
    forms["names_form"].offer(forms["known"])
    return base_context(member, sheet, players) | forms


def _who_form(member: Member, players: list[Player], data: QueryDict | None = None) -> WhoForm:
    return WhoForm(
        data,
        seen=member.table.seen,
        people=queries.people(players) + phone_queries.scorers(member.table),
        initial={"person": str(member.person_id or ONLY_KEEPS_SCORE)},
    )


def _typed(sheet: Sheet, players: list[Player]) -> dict[str, Any] | None:
    """Return what to ask about the typed rows: how the match ends with them, and with others."""
    asked = typed_rows.asked(sheet, players)
    if asked is None:
        return None
    return {
        "lines": asked.lines,
        "shown": asked.lines[: typed_rows.SHOWN],
        "more": len(asked.lines[typed_rows.SHOWN :]),
        "hands": [" · ".join(map(str, hand)) for _line, hand in asked.hands[: typed_rows.SHOWN]],
        "then": wording.final_line_of(asked.totals(players)) if asked.hands else "",
    }


def _end_context(member: Member, sheet: Sheet, players: list[Player]) -> dict[str, Any]:
    dealt, sat_out = rows.deals(sheet, players), rows.sit_outs(sheet, players)
    return base_context(member, sheet, players) | {
        "line": wording.final_line(players),
        "stands": lifetimes.a_hand_stands(sheet),
        "pot": pot.to_share(sheet, players),
        "beside_form": SheetForm(seen=member.table.seen, initial={"sheet": sheet.public_id}),
        "typed": _typed(sheet, players),
        "replaced": typed_rows.replaced(sheet),
        "uneven": wording.dealt(dealt.each) if dealt.uneven else "",
        "uneven_sit_outs": wording.shares(sat_out.each) if sat_out.uneven else "",
        "unconfirmed": waiting.unconfirmed(sheet, players),
        **asks.half_context(member, waiting.half_hand(sheet, players)),
    }
