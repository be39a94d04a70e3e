"""Slowing: how often somebody may guess codes or start tables before they are asked to wait.

Counted in this process's memory: after a restart, and in another process, counting starts anew.
That slows guessing all the same, and nothing is kept of anybody's address.
"""

from __future__ import annotations

import dataclasses
import ipaddress
import math
import time

from django.conf import settings
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
