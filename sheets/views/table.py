"""The sheet, its result, and what can be looked up about a table."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from sheets import (
    club_queries,
    club_wording,
    hand_wording,
    http,
    lifetimes,
    numbers,
    queries,
    roster_wording,
    rows,
    seats,
    wording,
)
from sheets.access import for_members, private
from sheets.forms.base import WritingForm
from sheets.forms.columns import NumberForm
from sheets.forms.hand import HandForm, form_for
from sheets.http import PlayerRequest
from sheets.models import Member, Player, Sheet, SheetState
from sheets.reckoning import lines_of
from sheets.seen import Seen
from sheets.views import asks, pot
from sheets.views.asks import Context
from sheets.views.figures import chart_context, settle_context


@for_members
@require_safe
def table(request: PlayerRequest, member: Member) -> HttpResponse:
    """The open sheet, or the result of the last one."""
    etag = http.etag(member.table, member)
    make = partial(_table_page, request, member, etag)
    return http.live_page(request, member.table, etag, make)


def _table_page(request: PlayerRequest, member: Member, etag: str) -> HttpResponse:
    part = http.wants_live_part(request)
    sheet, players = queries.latest_sheet(member.table)
    if not sheet.is_open:
        template, context = "sheets/result.html", result_context(request, member, sheet, players)
    else:
        make = live_context if part else sheet_context
        template, context = "sheets/sheet.html", make(request, member, sheet, players)
    if part:
        context["news"] = _news(member)
    response = http.page(request, template, context | {"etag": etag})
    response["Sheet"] = sheet.public_id
    return response


def _news(member: Member) -> str:
    """Return in words what another phone has just done; nothing where it was this one."""
    change = queries.change_at(member.table)
    if change is None or change.member_id == member.pk:
        return ""
    said = wording.change(change, queries.past_of(member.table, [change]))
    return f"{wording.author(change)} {said}"


@for_members
@require_safe
def sheet(request: PlayerRequest, member: Member, sheet_id: str) -> HttpResponse:
    """One sheet of the table with its hands; the open one lives at the table's own address."""
    found = queries.sheet_of(member.table, sheet_id)
    if found is None:
        return private(request)
    if found[0].is_open:
        return http.see(member.table.get_absolute_url())
    # An earlier evening stays what it is: what is played now shows at the table's own address.
    context = sheet_context(request, member, *found) | {"live_url": ""}
    return http.page(request, "sheets/sheet.html", context)


@for_members
@require_safe
def paper(request: PlayerRequest, member: Member, sheet_id: str) -> HttpResponse:
    """A sheet for printing: every hand, oldest first, with running totals."""
    found = queries.sheet_of(member.table, sheet_id)
    if found is None:
        return private(request)
    context = base_context(member, *found) | {
        "headline": headline(*found),
        "evening": queries.evening(found[0]),
    }
    lines = rows.lines(*found, queries.where_next(*found), newest=None)
    return http.page(request, "sheets/paper.html", context | {"lines": lines[::-1]})


@for_members
@require_safe
def evenings(request: PlayerRequest, member: Member) -> HttpResponse:
    """The banked sheets of the table, newest first."""
    context = base_context(member, *queries.latest_sheet(member.table))
    context["evenings"] = [
        (sheet, wording.result(sheet, players), wording.final_line(players))
        for sheet, players in queries.evenings(member.table)
    ]
    return http.page(request, "sheets/evenings.html", context)


@for_members
@require_safe
def history(request: PlayerRequest, member: Member) -> HttpResponse:
    """What happened at the table, newest first; nobody can change or empty it."""
    older_than = numbers.maybe(request.GET.get("before", ""), most=numbers.MOST_VERSION)
    past = queries.history(member.table, older_than=older_than)
    context = base_context(member, *queries.latest_sheet(member.table))
    context |= {"events": events(past), "older_than": past.older_than}
    context["purged_on"] = lifetimes.purged_on(member.table)
    return http.page(request, "sheets/history.html", context)


def events(past: queries.Past) -> list[tuple[Any, str, str]]:
    """Return when, who and what of every change."""
    return [(one.at, wording.author(one), wording.change(one, past)) for one in past.changes]


def base_context(member: Member, sheet: Sheet, players: list[Player]) -> Context:
    """Return what the head and the menu of every page of a table need."""
    return asks.of_table(member) | {
        "table": member.table,
        "member": member,
        "mine": seats.of(member, players),
        "live_url": member.table.get_absolute_url(),
        "sheet": sheet,
        "players": seats.now(players),
        "columns": seats.columns(players),
        "title": queries.title(member.table, players),
        "sheet_url": (member.table if sheet.is_open else sheet).get_absolute_url(),
    }


def live_context(
    request: PlayerRequest, member: Member, sheet: Sheet, players: list[Player]
) -> Context:
    """Return what the part of the sheet's page needs that live updates replace."""
    pad = pad_context(request, sheet, players)
    asked = asks.of_sheet(member, players, pad["next"], pad["lines"])
    return base_context(member, sheet, players) | pad | asked


def pad_context(request: PlayerRequest, sheet: Sheet, players: list[Player]) -> Context:
    """Return what the pad needs, whoever looks."""
    where = queries.where_next(sheet, players)
    everything = request.GET.get("hands") == "all"
    newest = None if everything else rows.NEWEST
    lines = rows.lines(sheet, players, where, newest=newest)
    return {
        "which_hands": "?hands=all" if everything else "",
        "next": where,
        "lines": lines,
        "older": where.number - 1 > len(lines),
        "standings": rows.standings(players),
        "pot": pot.on_the_pad(sheet),
    }


def sheet_context(
    request: PlayerRequest,
    member: Member,
    sheet: Sheet,
    players: list[Player],
    *,
    form: HandForm | None = None,
) -> dict[str, Any]:
    """Return what the pad and the form below it need; with a form given, it is open."""
    context = live_context(request, member, sheet, players)
    where, lines, seen = context["next"], context["lines"], member.table.seen
    is_open = form is not None
    form = form or form_for(sheet, seats.now(players), seen=seen)
    form.deals = where.dealer.pk
    # While the next sheet is empty the end before it can still be taken back.
    ended = lifetimes.sheet_before(sheet) if sheet.is_open and where.number == 1 else sheet
    return context | {
        "end_offer": asks.end_offer(ended, seen),
        "headline": headline(sheet, players),
        "draft": sheet.public_id,
        "open": is_open,
        "form": form,
        "asleep": rows.asleep(sheet, lines),
        "note": _note(request, sheet, players, lines, seen),
        "whom_to_ask": whom_to_ask(sheet),
        "number_form": _number_form(member, sheet, players, where, context["half"]),
    }


def _number_form(
    member: Member,
    sheet: Sheet,
    players: list[Player],
    where: queries.Next,
    half: rows.Line | None,
) -> NumberForm | None:
    """Return the form of one's own number, where the table uses it.

    A half hand that is too old to be among those shown is settled first, on its own page.
    """
    if not (member.table.own_columns and sheet.is_open) or (where.half and half is None):
        return None
    return number_form(member, players, where, half)


def number_form(
    member: Member,
    players: list[Player],
    where: queries.Next,
    half: rows.Line | None,
    data: QueryDict | None = None,
) -> NumberForm:
    """Return the form of a number of the half hand, or of the next."""
    return NumberForm(
        data,
        seen=member.table.seen,
        players=players,
        where=where,
        half=half,
        mine=seats.of(member, players),
    )


def headline(sheet: Sheet, players: list[Player]) -> str:
    """Return how a match ended; nothing while it goes on."""
    return "" if sheet.is_open else wording.result(sheet, players)


def _note(
    request: PlayerRequest, sheet: Sheet, players: list[Player], lines: list[Any], seen: Seen
) -> dict[str, Any] | None:
    """Return what was just saved: who pays whom now, and the way to take it back."""
    try:
        saved = uuid.UUID(request.GET.get("saved", ""))
    except ValueError:
        return None
    form = WritingForm(seen=seen)
    line = next((line for line in lines if line.round.public_id == saved), None)
    if line is None:
        found = queries.hand_of(sheet.table, saved)
        if found is None or found[0].sheet.pk != sheet.pk:
            return None
        row, players = found
        if row.taken_back:
            return {"taken_back": row, "form": form}
        line = rows.line_of(row, players)
    return {
        "line": line,
        "waits_for": hand_wording.waits_for(line.missing),
        "payments": payments(line),
        "form": form,
    }


def payments(line: rows.Line) -> list[str]:
    """Return who pays whom for a hand, a sentence each."""
    settled = rows.settlement(line)
    return [] if settled is None else hand_wording.payments(settled, line.seated)


def result_context(
    request: PlayerRequest, member: Member, sheet: Sheet, players: list[Player]
) -> dict[str, Any]:
    """Return what the result page needs."""
    dealt = rows.deals(sheet, players)
    context = base_context(member, sheet, players)
    lines = lines_of(sheet, players)
    context |= chart_context(players, lines) | settle_context(request, sheet, players, lines)
    return context | {
        "headline": wording.result(sheet, players),
        "standings": rows.standings(players),
        "pot": pot.on_the_pad(sheet) if sheet.pot else None,
        "places": bool(rows.winners(players)),
        "dealt": wording.dealt(dealt.each),
        "left": [one for one in rows.standings(players) if not one.heads],
        "ended": wording.ended(sheet),
        "whom_to_ask": whom_to_ask(sheet),
        "taken_away": _taken_away(sheet),
        "end_offer": asks.end_offer(sheet, member.table.seen),
        "purged_on": lifetimes.purged_on(member.table),
    }


def whom_to_ask(sheet: Sheet) -> str:
    """Return whom players tell of a wrong hand on a banked sheet of a club; else nothing."""
    club = sheet.table.club
    if club is None or sheet.state != SheetState.BANKED:
        return ""
    return club_wording.whom_to_ask(club, club_queries.names_for_players(club))


def _taken_away(sheet: Sheet) -> str:
    """Say that an organiser discarded what was played here last, and why; mostly nothing."""
    if sheet.table.club_id is None and sheet.state != SheetState.DISCARDED:
        return ""
    gone = lifetimes.taken_away(sheet)
    if gone is None:
        return ""
    discarded = roster_wording.discarded(gone, shown=gone.pk == sheet.pk)
    return f"{discarded} “{queries.why_discarded(gone)}”"
