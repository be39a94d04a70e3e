"""Slowing: how often somebody may type codes or start tables before they are asked to wait.

Counted in this process's memory: after a restart, and in another process, counting starts anew.
That slows guessing all the same, and nothing is kept of anybody's address. Only wrong passwords are
counted in the database, by django-axes. An organiser lifts what is counted for their club, staff
all of it.
"""

from __future__ import annotations

import dataclasses
import datetime
import ipaddress
import math
import time
from collections.abc import Mapping
from typing import Any

from axes.models import AccessAttempt
from axes.utils import reset as axes_reset
from django.conf import settings
from django.db.models import Max, Sum
from django.http import HttpRequest
from django.utils import timezone
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from sheets.texts import composed

_storage = MemoryStorage()
_windows = MovingWindowRateLimiter(_storage)
MOST_ACCOUNT = 255  # letters, as django-axes keeps them; no address of an account is longer
MOST_KEPT = 500  # of those who wait, to be shown to staff


@dataclasses.dataclass(frozen=True, slots=True)
class Slowed:
    """Something that one address, mailbox or club may do only so often."""

    name: str
    limits: tuple[RateLimitItem, ...]
    # Who has used up a budget lately, oldest first; whether they still wait is asked anew.
    _at_limit: dict[str, None] = dataclasses.field(default_factory=dict)

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
        if self.wait(who):
            self._at_limit[who] = None
            for oldest in list(self._at_limit)[:-MOST_KEPT]:
                self._at_limit.pop(oldest, None)

    def lift(self, who: str) -> None:
        """Let them go on, with a whole new budget."""
        for limit in self.limits:
            _windows.clear(limit, self.name, who)
        self._at_limit.pop(who, None)

    def waiting(self) -> dict[str, int]:
        """Return who waits now, and for how many seconds."""
        found = {who: self.wait(who) for who in list(self._at_limit)}
        for who, seconds in found.items():
            if not seconds:
                self._at_limit.pop(who, None)
        return {who: seconds for who, seconds in found.items() if seconds}


# A room of people mistypes a few codes; whoever walks through a billion of them gets 60 an hour.
WRONG_CODES = Slowed("wrong-codes", (RateLimitItemPerMinute(10), RateLimitItemPerHour(60)))
# What a hall of a hundred tables types when all of them begin; nothing is without an end.
RIGHT_CODES = Slowed("right-codes", (RateLimitItemPerMinute(100), RateLimitItemPerHour(1000)))
NEW_TABLES = Slowed("tables", (RateLimitItemPerHour(settings.TABLES_PER_HOUR),))
# By club: its tables all start in one hall, at one address, within minutes.
CLUB_TABLES = Slowed("club-tables", (RateLimitItemPerHour(10 * settings.TABLES_PER_HOUR),))
# Organisers are few: a club evening at one address signs up no more of them than this.
NEW_ACCOUNTS = Slowed("accounts", (RateLimitItemPerHour(20),))
NEW_CLUBS = Slowed("clubs", (RateLimitItemPerHour(20),))
# By address, over all accounts. A right password does not start it anew.
WRONG_PASSWORDS = Slowed(
    "wrong-passwords", (RateLimitItemPerMinute(30, 15), RateLimitItemPerHour(60))
)
# Messages: by address, by address and mailbox, by mailbox. A stranger uses up a tenth of what a
# mailbox gets, so its owner gets a message from another address all the same.
RESETS = Slowed("resets", (RateLimitItemPerHour(10),))
RESETS_BY_BOTH = Slowed("resets-by-both", (RateLimitItemPerHour(3),))
RESETS_BY_MAILBOX = Slowed("resets-by-mailbox", (RateLimitItemPerHour(30),))

ALL = {
    one.name: one
    for one in (
        WRONG_CODES,
        RIGHT_CODES,
        NEW_TABLES,
        CLUB_TABLES,
        NEW_ACCOUNTS,
        NEW_CLUBS,
        WRONG_PASSWORDS,
        RESETS,
        RESETS_BY_BOTH,
        RESETS_BY_MAILBOX,
    )
}


def forget() -> None:
    """Start counting anew."""
    _storage.reset()
    for one in ALL.values():
        one.waiting()


def who(request: HttpRequest) -> str:
    """Return whom a request is counted for: `address` of where it comes from."""
    return address(request.META.get("REMOTE_ADDR", ""))


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
    counted = who(request).partition("/")[0]
    return None if counted == "unknown" else counted


def account(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """Return the account that somebody tries passwords of, however they spell its address.

    Upper case first: a dotless i finds the same account as an i.
    """
    sent: Mapping[str, Any] = credentials or request.POST
    typed = str(sent.get("email") or sent.get("username") or "")
    return composed("NFKC", typed).strip().upper().lower()[:MOST_ACCOUNT]


def message_wait(request: HttpRequest, mailbox: str) -> int:
    """Return how many seconds until a message may go to a mailbox; 0 for now, which counts it."""
    told = _messages(request, mailbox)
    seconds = max(limit.wait(who) for limit, who in told)
    if not seconds:
        for limit, who in told:
            limit.note(who)
    return seconds


def _messages(request: HttpRequest, mailbox: str) -> list[tuple[Slowed, str]]:
    here = who(request)
    both = f"{here} {mailbox}"
    return [(RESETS, here), (RESETS_BY_BOTH, both), (RESETS_BY_MAILBOX, mailbox)]


def locked_for(request: HttpRequest, credentials: Mapping[str, Any] | None) -> int:
    """Return how many seconds somebody waits who has tried too many passwords."""
    if seconds := WRONG_PASSWORDS.wait(who(request)):
        return seconds
    tried = AccessAttempt.objects.filter(
        username=account(request, credentials), ip_address=client_ip(request)
    )
    last = tried.order_by("-attempt_time").values_list("attempt_time", flat=True).first()
    return _cools_off_in(last or timezone.now())


def locked_accounts() -> list[tuple[str, str | None, int]]:
    """Return whose password was tried too often, from which address, and for how many seconds."""
    found = AccessAttempt.objects.order_by().values_list("username", "ip_address")
    found = found.annotate(wrong=Sum("failures_since_start"), last=Max("attempt_time"))
    since = timezone.now() - settings.AXES_COOLOFF_TIME
    locked = found.filter(wrong__gte=settings.AXES_FAILURE_LIMIT, last__gt=since)
    return [
        (name or "", ip, _cools_off_in(last))
        for name, ip, _wrong, last in locked.order_by("-last")[:MOST_KEPT]
    ]


def unlock(username: str, ip: str | None) -> None:
    """Let an account be signed in to again from an address."""
    if username or ip:  # without either all would be forgotten
        axes_reset(username=username, ip=ip)


def _cools_off_in(last: datetime.datetime) -> int:
    until: datetime.datetime = last + settings.AXES_COOLOFF_TIME
    return max(math.ceil((until - timezone.now()).total_seconds()), 1)
