"""Requests that make no sense are refused in words before any page looks at them."""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Callable, Iterator

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from sheets import texts


class Unreadable(BadRequest):
    """What is wrong with a request: `str()` says so in words."""


class ReadableMiddleware:
    """Let through what is UTF-8, holds no zero bytes and has texts within `texts`' bounds.

    It stands before whatever looks at a form, so neither sign-in nor the admin sees other texts.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # A cookie may be another program's on this host: one that makes no sense is not looked at.
        request.COOKIES = {name: said for name, said in request.COOKIES.items() if "\0" not in said}
        _read_as_utf8(request)
        if wrong := texts.why_not(_texts(request)):
            raise Unreadable(wrong)
        return self.get_response(request)


def _read_as_utf8(request: HttpRequest) -> None:
    """Take the names that UTF-8 has besides its own; refuse every other encoding."""
    if not request.encoding:
        return
    if codecs.lookup(request.encoding).name != "utf-8":
        # The page that says so is made from this request as well.
        request.encoding = "utf-8"
        raise Unreadable(_("It is written in another encoding than UTF-8."))
    request.encoding = "utf-8"


def _texts(request: HttpRequest) -> Iterator[str]:
    yield request.path_info
    for sent in (request.GET, request.POST):
        for name, values in sent.lists():
            yield from itertools.chain((name,), map(str, values))
