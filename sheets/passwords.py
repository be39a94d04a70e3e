"""Passwords: how many are looked at at the same time, and how many wrong ones an address may try.

Looking at a password takes a core half a second on purpose. So pages that hash one stand in a short
queue of their own, and the threads that are left serve everybody else.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from axes.handlers.database import AxesDatabaseHandler
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.http import HttpRequest

from sheets import slowing

RETRY_AFTER: Final = 3  # seconds
# Threads that hash or wait for their turn: half of those that write, so that hands go on.
MOST_THREADS: Final = max(1, settings.PAGE_THREADS // 4)

_room = threading.BoundedSemaphore(MOST_THREADS)
_turn = threading.Lock()  # one core is for passwords, at most


class Busy(Exception):  # noqa: N818 - no error: an answer
    """Too many passwords are looked at; the same form works in a moment."""


@contextmanager
def room() -> Iterator[None]:
    """Be one of those that hash or wait; raises Busy where there are as many as may be."""
    if not _room.acquire(blocking=False):
        raise Busy
    try:
        yield
    finally:
        _room.release()


class Hasher(PBKDF2PasswordHasher):
    """Django's own, one password after the other."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash; raises Busy."""
        with room(), _turn:
            return super().encode(password, salt, iterations)


class Attempts(AxesDatabaseHandler):  # type: ignore[misc]
    """Counts wrong passwords by account and address, and by address over all accounts.

    A right one gives an address no new budget: anybody may have an account of their own.
    """

    def is_locked(self, request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> bool:
        """Say whether no password is looked at."""
        waits = slowing.WRONG_PASSWORDS.wait(slowing.who(request))
        return bool(waits) or super().is_locked(request, credentials)

    def user_login_failed(
        self,
        sender: Any,
        credentials: Mapping[str, Any],
        request: HttpRequest | None = None,
        **kwargs: Any,
    ) -> None:
        """Count a wrong password; one that was not looked at counts for nothing."""
        if request is not None and not getattr(request, "axes_locked_out", False):
            slowing.WRONG_PASSWORDS.note(slowing.who(request))
        super().user_login_failed(sender, credentials, request, **kwargs)
