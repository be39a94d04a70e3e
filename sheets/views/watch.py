"""Watching: whoever has the link sees the sheet, and nothing that grants more."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from sheets import http, phone_queries, queries, wording
from sheets.http import PlayerRequest
from sheets.models import Table
from sheets.views.asks import Context
from sheets.views.table import headline, pad_context


@require_safe
def watch(request: PlayerRequest, watch_id: str) -> HttpResponse:
    """The open sheet of a table, or the result of the last one, for looking at only."""
    table = phone_queries.watched(watch_id)
    if table is None:
        response = render(request, "404.html", status=404)
        response["Refused"] = "stranger"
    else:
        with timezone.override(table.time_zone):
            response = _looked_at(request, table)
    response["Cache-Control"] = "private, no-cache"
    return response


def _looked_at(request: PlayerRequest, table: Table) -> HttpResponse:
    etag = http.etag(table)
    if http.wants_live_part(request) and (unchanged := get_conditional_response(request, etag)):
        return unchanged
    return http.page(request, "sheets/watch.html", _context(request, table) | {"etag": etag})


def _context(request: PlayerRequest, table: Table) -> Context:
    """Return what the pad needs; there is no member in it, so no way to anything else."""
    sheet, players = queries.latest_sheet(table)
    context = pad_context(request, sheet, players) | {
        "watching": True,
        "table": table,
        "sheet": sheet,
        "players": players,
        "title": queries.title(table, players),
        "live_url": reverse("sheets:watch", args=[table.watch_id]),
        "headline": headline(sheet, players),
    }
    if not sheet.is_open:
        context |= {"places": bool(queries.winners(players)), "ended": wording.ended(sheet)}
    return context
