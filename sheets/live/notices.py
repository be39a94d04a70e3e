"""Notices: table T is at version N, and who may no longer hear of it.

A notice is what a Change means to the phones at the table, and it is made from the Change alone: on
PostgreSQL when the Change is written, on SQLite when the watcher finds it.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from django.db import connection

from sheets.models import Change, ChangeKind
from sheets.seen import Seen, mark_of_key

CHANNEL = "tables"  # what PostgreSQL's NOTIFY and LISTEN meet on

# The kinds after which somebody's streams may be over.
ENDING = (ChangeKind.PHONE_REMOVED, ChangeKind.CODE_CHANGED)


@dataclasses.dataclass(frozen=True, slots=True)
class Notice:
    """Table `table` is at `version`; both are keys of rows or numbers, never names.

    `out` is a member whose streams are over, `watchers_out` says the same of everybody who came by
    the watch link; both mean those who were let in before this version.
    """

    table: int
    version: int
    out: int | None = None
    watchers_out: bool = False
    mark: str = ""  # of the change that made the version

    def to_json(self) -> str:
        """Return the notice as it travels through PostgreSQL."""
        return json.dumps(dataclasses.astuple(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Notice:
        """Return the notice that was sent as `text`."""
        return cls(*json.loads(text))


def notice_of(table: int, seen: Seen, kind: str, after: Any) -> Notice:
    """Return what a Change of this kind means to the phones; it made `seen` of the table.

    A removed phone takes the watch link with it, because it knew that too.
    """
    out, watchers_out = None, False
    match kind:
        case ChangeKind.PHONE_REMOVED:
            out, watchers_out = after["member"], True
        case ChangeKind.CODE_CHANGED:
            watchers_out = bool(after and after.get("watch"))
    return Notice(table, seen.version, out, watchers_out, seen.mark)


def announce(change: Change) -> None:
    """Send the notice of a Change inside the transaction that writes it.

    On SQLite there is nothing to send: the watcher of each process reads the Change itself.
    """
    if connection.vendor != "postgresql":
        return
    seen = Seen(change.version, mark_of_key(change.key))
    notice = notice_of(change.table_id, seen, change.kind, change.after)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, notice.to_json()])
