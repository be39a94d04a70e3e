"""When the phones were last heard of: noted in memory, written down now and then.

Looking notes it, so it must never fail a page or make one wait. The server writes down what was
noted every few seconds (`actions.write_down_heard`); until then this process knows better than the
database.
"""

from __future__ import annotations

import datetime
import threading

from django.utils import timezone

from sheets.models import Member

AGAIN_AFTER = datetime.timedelta(minutes=1)

_lock = threading.Lock()
_noted: dict[int, datetime.datetime] = {}


def note(member: Member) -> None:
    """Note that a phone was heard of, at most once a minute."""
    now = timezone.now()
    # A moment in the future is one of a clock that was put back since.
    if abs(now - last(member)) >= AGAIN_AFTER:
        with _lock:
            _noted[member.pk] = now


def last(member: Member) -> datetime.datetime:
    """Return when a phone was last heard of, as far as this process knows."""
    return _noted.get(member.pk, member.last_seen)


def to_write_down() -> dict[int, datetime.datetime]:
    """Return the members that were noted, by their keys."""
    with _lock:
        return _noted.copy()


def written_down(noted: dict[int, datetime.datetime]) -> None:
    """Forget these notes; one that is newer stays."""
    with _lock:
        for pk, moment in noted.items():
            if _noted.get(pk) == moment:
                del _noted[pk]


def forget() -> None:
    """Forget everything."""
    with _lock:
        _noted.clear()
