"""Slowing: how often somebody may guess codes or start tables before they are asked to wait.

Counted in this process's memory: after a restart, and in another process, counting starts anew.
That slows guessing all the same, and nothing is kept of anybody's address.
"""

from __future__ import annotations

import dataclasses
import datetime
import ipaddress
import math
import time
import unicodedata
from collections.abc import Mapping
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

_storage = MemoryStorage()
_windows = MovingWindowRateLimiter(_storage)


@dataclasses.dataclass(frozen=True, slots=True)
class Slowed:
    """Something that one phone or address may do only so often."""

    name: str
    limits: tuple[RateLimitItem, ...]

    def wait(self, who: str) -> int:
        """Return how many seconds they have to wait before the next one; 0 for none."""
        seconds = 0
        for limit in self.limits:
            if not _windows.test(limit, self.name, who):
                free_at, _left = _windows.get_window_stats(limit, self.name, who)
                seconds = max(seconds, math.ceil(free_at - time.time()), 1)
        return seconds

    def note(self, who: str) -> None:
        """Count one."""
        for limit in self.limits:
            _windows.hit(limit, self.name, who)


# A room of people mistypes a few codes; whoever walks through a billion of them gets 60 an hour.
WRONG_CODES = Slowed("code", (RateLimitItemPerMinute(10), RateLimitItemPerHour(60)))
NEW_TABLES = Slowed("table", (RateLimitItemPerHour(settings.TABLES_PER_HOUR),))
# Organisers are few: a club evening at one address signs up no more of them than this.
NEW_ACCOUNTS = Slowed("account", (RateLimitItemPerHour(20),))
NEW_CLUBS = Slowed("club", (RateLimitItemPerHour(20),))
# By who asks, and by the mailbox the messages go to.
RESETS = Slowed("reset", (RateLimitItemPerHour(10),))


def forget() -> None:
    """Start counting anew."""
    _storage.reset()


def address(remote: str) -> str:
    """Return what stands for a client: its address; of IPv6 the network, which is one customer's.

    An address that cannot be read is everybody's who has none.
    """
    try:
        ip = ipaddress.ip_address(remote)
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((int(ip), 64), strict=False))


def client_ip(request: HttpRequest) -> str | None:
    """Return the address that wrong passwords are counted by: `address`, as an address alone."""
    counted = address(request.META.get("REMOTE_ADDR", "")).partition("/")[0]
    return None if counted == "unknown" else counted


def account(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """Return the account that somebody tries passwords of, however they spell its address.

    Upper case first: a dotless i finds the same account as an i.
    """
    sent: Mapping[str, Any] = credentials or request.POST
    typed = str(sent.get("email") or sent.get("username") or "")
    return unicodedata.normalize("NFKC", typed).strip().upper().lower()


def locked_for(request: HttpRequest, credentials: Mapping[str, Any] | None) -> int:
    """Return how many seconds somebody waits who has tried too many passwords."""
    tried = AccessAttempt.objects.filter(
        username=account(request, credentials), ip_address=client_ip(request)
    )
    last = tried.order_by("-attempt_time").values_list("attempt_time", flat=True).first()
    until: datetime.datetime = (last or timezone.now()) + settings.AXES_COOLOFF_TIME
    return max(math.ceil((until - timezone.now()).total_seconds()), 1)
