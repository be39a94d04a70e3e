"""Our own links in what people paste into a field for a code, with words around them or not."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from urllib.parse import unquote

from django.urls import Resolver404, resolve

# The pages that make sense for someone who was sent a link, by the names of their addresses.
SENT_AROUND = frozenset(
    {
        "join",
        "join_link",
        "watch",
        "table_new_club",
        "phone_link",
        "invitation",
        "season_published",
        "table",
        "sheet",
    }
)
# The host does not matter: people know this server by several names.
_ADDRESS = re.compile(r"(?:https?://[^\s/]+)?(/[^\s?#\"'<>]+)", re.IGNORECASE)
_BEHIND = ".,;:!?)]}’”»"  # of the sentence around it; no address of ours ends in one


@dataclasses.dataclass(frozen=True, slots=True)
class Link:
    """An address of ours: the name of its page, its path, and what of it is a secret or a code."""

    page: str
    path: str
    secret: str


def read(typed: str) -> Link | None:
    """Return the first link of ours in a text, None where there is none."""
    for path in _paths(typed):
        try:
            match = resolve(path)
        except Resolver404:
            continue
        if match.app_name == "sheets" and match.url_name in SENT_AROUND:
            return Link(match.url_name, path, str(next(iter(match.kwargs.values()))))
    return None


def _paths(typed: str) -> Iterator[str]:
    for found in _ADDRESS.finditer(typed):
        path = unquote(found[1]).rstrip(_BEHIND)
        yield path.rstrip("/") + "/"
        yield path
