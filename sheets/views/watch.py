"""Watching: whoever has the link sees the sheet, and nothing that grants more."""

from __future__ import annotations

from functools import partial

from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from sheets import http, phone_queries, queries, rows, seats, wording
from sheets.http import PlayerRequest
from sheets.models import Table
from sheets.views.asks import Context
from sheets.views.table import headline, pad_context

KEEP = 60  # seconds; well below what the token in the part lasts


@require_safe
def watch(request: PlayerRequest, watch_id: str) -> HttpResponse:
    """The open sheet of a table, or the result of the last one, for looking at only."""
    table = phone_queries.watched(watch_id)
    if table is None:
        response = render(request, "404.html", status=404)
        response["Refused"] = "stranger"
    else:
        with timezone.override(table.zone):
            response = _looked_at(request, table)
    response["Cache-Control"] = "private, no-cache"
    return response


def _looked_at(request: PlayerRequest, table: Table) -> HttpResponse:
    etag = http.etag(table)
    return http.live_page(request, table, etag, partial(_page, request, table, etag))


def _page(request: PlayerRequest, table: Table, etag: str) -> HttpResponse:
    part = http.wants_live_part(request)
    # A club on the wall: all who watch ask for the same part within a second of each hand.
    everything = request.GET.get("hands") == "all"
    same = f"watch-{table.watch_id}-{everything}-{etag}"
    if part and (made := cache.get(same)):
        response = HttpResponse(made)
        patch_vary_headers(response, http.VARY)
        return response
    address = reverse("sheets:watch", args=[table.watch_id])
    context = watch_context(request, table, address) | {"etag": etag}
    response = http.page(request, "sheets/watch.html", context)
    if part:
        cache.set(same, response.content, KEEP)
    return response


def watch_context(request: PlayerRequest, table: Table, address: str) -> Context:
    """Return what the pad needs, live at this address.

    There is no member in it, so no way to anything else.
    """
    sheet, players = queries.latest_sheet(table)
    context = pad_context(request, sheet, players) | {
        "watching": True,
        "table": table,
        "sheet": sheet,
        "players": seats.now(players),
        "columns": seats.columns(players),
        "title": queries.title(table, players),
        "live_url": address,
        "headline": headline(sheet, players),
    }
    if not sheet.is_open:
        context |= {"places": bool(rows.winners(players)), "ended": wording.ended(sheet)}
    return context
