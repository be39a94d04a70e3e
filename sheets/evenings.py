"""Evenings: which one a moment belongs to, and how days and moments are written.

A match lies on the evening of its last hand. An evening lasts until six in the morning on the clock
of its table, which is that of the club where it has one.
"""

from __future__ import annotations

import datetime

from django.utils import timezone
from django.utils.formats import date_format

ENDS = datetime.time(6)


def evening(moment: datetime.datetime, zone: datetime.tzinfo | None = None) -> datetime.date:
    """Return the evening a moment belongs to, on this clock or else on the one that is active."""
    local = timezone.localtime(moment, zone)
    day = local.date()
    return day if local.time() >= ENDS else day - datetime.timedelta(days=1)


def begins(day: datetime.date, zone: datetime.tzinfo) -> datetime.datetime:
    """Return the first moment that belongs to the evening of a day."""
    return datetime.datetime.combine(day, ENDS, tzinfo=zone)


def is_tonight(moment: datetime.datetime) -> bool:
    """Say whether a moment belongs to this evening, on the clock that is active."""
    return evening(moment) == evening(timezone.now())


def written(day: datetime.date, pattern: str) -> str:
    """Return a day as Django's date format says, with its year where that is not this one.

    This year is that of this evening, on the clock that is active.
    """
    this_year = day.year == evening(timezone.now()).year
    return date_format(day, pattern if this_year else f"{pattern} Y")


def written_moment(moment: datetime.datetime, pattern: str) -> str:
    """Return the day of the calendar, as `written`, and the time, on the clock that is active."""
    local = timezone.localtime(moment)
    return f"{written(local.date(), pattern)} {date_format(local, 'H:i')}"
