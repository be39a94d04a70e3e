"""The border to HTML: what `names.Isolated` sets apart in a text becomes an element of the page.

In one place, over whole answers, so that no template has to think of it; those of Django's admin
are covered too.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from sheets import names

_MARK = names.ISOLATE.encode()
_TAG = re.compile(rb"(<[^>]*>)")
_NAME_OF_TAG = re.compile(rb"</?(\w*)")
_APART = re.compile(f"{names.ISOLATE}([^{names.ISOLATE}{names.POP}]*){names.POP}")
_VALUE = re.compile(r'(?<=\svalue=")[^"]*')
# What holds text and no elements.
_PLAIN = {b"title", b"option", b"script", b"text"}


class IsolatingMiddleware:
    """Write what people typed into pages as `<bdi translate="no">`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the answer; what is no page of HTML is left as it is."""
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and not response.streaming and _MARK in response.content:
            response.content = in_html(response.content)
        return response


def in_html(page: bytes) -> bytes:
    """Return a page with elements in place of the characters that set texts apart.

    They stay in attributes, titles and options, where no element can be. A form gets the bare text.
    """
    # Every page goes through this: only the parts with a mark in them are looked at one by one.
    parts = _TAG.split(page)
    for n, part in enumerate(parts):
        if _MARK in part:
            is_tag = n % 2 == 1
            parts[n] = _tag(part) if is_tag else _text(part, parts[n - 1] if n else b"")
    return b"".join(parts)


def _tag(tag: bytes) -> bytes:
    return _VALUE.sub(lambda value: names.bare(value[0]), tag.decode()).encode()


def _text(text: bytes, behind: bytes) -> bytes:
    """Return a text as it stands behind a tag."""
    found = _NAME_OF_TAG.match(behind)
    tag = found[1].lower() if found and not behind.startswith(b"</") else b""
    if tag in _PLAIN:
        return text
    if tag == b"textarea":
        return names.bare(text.decode()).encode()
    return _APART.sub(r'<bdi translate="no">\1</bdi>', text.decode()).encode()
