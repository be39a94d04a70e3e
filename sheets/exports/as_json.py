"""A club or a sheet as JSON, piece by piece: a table at a time is in memory."""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Iterator
from typing import Any

from django.utils import timezone

from sheets import portable
from sheets.exports import reading
from sheets.models import Club, Sheet


def club(which: Club) -> Iterator[str]:
    """Write all of a club."""
    ids = reading.Ids()
    tables = which.tables.order_by("pk")
    written = (reading.whole_table(table, ids) for table in tables.iterator())
    yield from _file(ids, written, reading.read_club(which, ids))


def sheet(which: Sheet) -> Iterator[str]:
    """Write one sheet of a club, with its table and its history."""
    ids = reading.Ids()
    yield from _file(ids, iter([reading.table_with(which, ids)]), None)


def _file(
    ids: reading.Ids, tables: Iterator[portable.Table], club: portable.Club | None
) -> Iterator[str]:
    head = {
        "app": portable.APP,
        "format": portable.FORMAT,
        "made_at": timezone.now(),
        "club": None if club is None else dataclasses.asdict(club),
    }
    yield written(head)[:-1] + ',"tables":[\n'
    comma = ""
    for table in tables:
        yield comma + written(dataclasses.asdict(table))
        comma = ",\n"
    rules = [dataclasses.asdict(one) for one in reading.read_rules(ids)]
    yield f'\n],"rules":{written(rules)}}}\n'


def written(value: Any) -> str:
    """Write a value down; moments in UTC."""
    return json.dumps(value, default=plain, ensure_ascii=False, separators=(",", ":"))


def plain(value: Any) -> str:
    """Return moments, days and keys as text."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return value.isoformat()
    return str(value)
