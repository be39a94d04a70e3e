"""The guide to the game and its counting aids: for everybody, without a table and without a cookie.

Everything stands in the address, so that a page can be kept by whoever it passes and be linked to.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from sheets import http
from sheets.forms.guide import KittyForm, OddsForm, TricksForm
from sheets.forms.guide_facts import UNSEEN, facts
from sheets.forms.guide_melds import MeldsForm
from sheets.forms.house_query import house_from, house_query
from sheets.http import PlayerRequest

KEPT = 300  # seconds; a page names the style sheets and scripts of its own day
# What is asked for alone, by the element it goes into: in the form of a hand the whole aid, which
# brings its own style sheet, and on every tap what was counted.
PARTS = {"aid": "aid", "counter": "counter", "counted": "counted", "chance": "chance"}

View = Callable[[PlayerRequest], HttpResponse]


def for_everybody(view: View) -> View:
    """Let anybody see a page, and anybody keep it for a while."""

    @require_safe
    @conditional_page
    @functools.wraps(view)
    def open_to_all(request: PlayerRequest) -> HttpResponse:
        response = view(request)
        patch_cache_control(response, public=True, max_age=KEPT)
        return response

    return open_to_all


@for_everybody
def guide(request: PlayerRequest) -> HttpResponse:
    """The whole game, in our own words."""
    context = facts() | {"sections": sections(), "canonical": _canonical("guide")}
    return http.page(request, "sheets/guide.html", context)


@for_everybody
def melds(request: PlayerRequest) -> HttpResponse:
    """Count the melds of a hand."""
    _form, context = _aid(request, MeldsForm, "guide_melds")
    return _page(request, "sheets/guide_melds.html", context)


@for_everybody
def tricks(request: PlayerRequest) -> HttpResponse:
    """Count the points in the tricks."""
    _form, context = _aid(request, TricksForm, "guide_tricks")
    return _page(request, "sheets/guide_tricks.html", context)


@for_everybody
def odds(request: PlayerRequest) -> HttpResponse:
    """Play it or throw it in, and what the kitty may bring."""
    form, context = _aid(request, OddsForm, "guide_odds")
    kitty = KittyForm(request.GET.dict(), form.house)
    kitty.is_valid()
    context |= {"kitty": kitty, "unseen": UNSEEN}
    return _page(request, "sheets/guide_odds.html", context)


def sections() -> dict[str, str]:
    """Return the sections of the guide in order: what their addresses end in, and their titles."""
    return {
        "players": _("Players and cards"),
        "deal": _("The deal"),
        "bidding": _("The bidding"),
        "kitty": _("The kitty and the bury"),
        "melding": _("Melding"),
        "play": _("The play"),
        "scoring": _("Scoring"),
        "example": _("One hand from start to end"),
        "recording": _("How the sheet records a hand"),
        "ending": _("Ending the match"),
        "tips": _("Five tips"),
        "variants": _("Variants"),
        "questions": _("Questions people ask"),
    }


def _aid(request: PlayerRequest, form_class: Any, name: str) -> tuple[Any, dict[str, Any]]:
    """Return the form of an aid, with what its page shows in any case."""
    query = request.GET.dict()
    house, readable = house_from(query)
    form = form_class(query, house)
    form.is_valid()
    address = reverse(f"sheets:{name}")
    into = form.cleaned_data.get("into", "")
    afresh = house_query(house) | ({"into": into} if into else {})
    return form, {
        "form": form,
        "house": house,
        "unreadable": not readable,
        "canonical": _canonical(name),
        "address": address,
        "afresh": f"{address}?{urlencode(afresh)}",
        # Over the form of a hand the address in the browser's bar is the sheet's.
        "into": into,
    }


def _canonical(name: str) -> str:
    return http.shared_url(reverse(f"sheets:{name}"))


def _page(request: PlayerRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """Render the page, or the part of it that was asked for."""
    part = PARTS.get(request.htmx.target or "") if request.htmx else None
    if part is None:
        return http.page(request, template, context)
    response = render(request, f"{template}#{part}", context)
    patch_vary_headers(response, http.VARY)
    return response
