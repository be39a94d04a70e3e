"""The places of a club, as the head of its every page lists them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

register = template.Library()


@dataclasses.dataclass(frozen=True, slots=True)
class _Place:
    """Where a link leads, and the pages behind it: their names begin with one of these words."""

    name: str
    says: str | Promise
    around: tuple[str, ...]
    rarely: bool = False
    for_owners: bool = False


# In the order of their use: what is wanted every morning comes first. Of the beginnings of a
# page's name the longest decides, so the people of a sheet are the review's.
_PLACES: Final[Sequence[_Place]] = (
    _Place(
        "club_inbox",
        gettext_lazy("Review"),
        ("club_inbox", "club_sheet", "club_paper", "club_review", "club_reopen", "club_correct"),
    ),
    _Place(
        "club_open",
        gettext_lazy("Open sheets"),
        ("club_open", "club_sheet_end", "club_sheet_discard", "club_sheet_take_up"),
    ),
    _Place("club_seasons", gettext_lazy("Standings"), ("club_season", "club_standings")),
    _Place("club_people", gettext_lazy("People"), ("club_people", "club_person", "club_names")),
    _Place("club_tables", gettext_lazy("Tables"), ("club_table", "club_phone")),
    _Place("club_files", gettext_lazy("Files"), ("club_files", "club_import", "club_typed")),
    _Place(
        "club_organisers",
        gettext_lazy("Organisers"),
        ("club_organiser", "club_invite", "club_role"),
        rarely=True,
    ),
    _Place("club_history", gettext_lazy("History"), ("club_history",), rarely=True),
    _Place(
        "club_settings",
        gettext_lazy("Settings"),
        ("club_settings", "club_code"),
        rarely=True,
        for_owners=True,
    ),
)


@dataclasses.dataclass(frozen=True, slots=True)
class PlaceLink:
    """A link to a place; `current` is what a browser reads out: "page", "true" behind it, or ""."""

    url: str
    says: str
    current: str
    rarely: bool


@register.simple_tag(takes_context=True)
def club_places(context: Context) -> list[PlaceLink]:
    """Return the places of the club that whoever has signed in may go to."""
    here = context["request"].resolver_match.url_name or ""
    around = max(
        ((len(word), one.name) for one in _PLACES for word in one.around if here.startswith(word)),
        default=(0, ""),
    )[1]
    return [
        PlaceLink(
            url=reverse(f"sheets:{one.name}", args=[context["club"].slug]),
            says=str(one.says),
            current="page" if here == one.name else "true" if around == one.name else "",
            rarely=one.rarely,
        )
        for one in _PLACES
        if context["organiser"].is_owner or not one.for_owners
    ]
