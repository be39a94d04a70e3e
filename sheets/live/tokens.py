"""Who may hold a stream: a short-lived signed token, checked without asking the database."""

from __future__ import annotations

import dataclasses
import re
import time

from django.core import signing

LASTS = 600  # seconds; every page and every part of one carries a fresh one
AHEAD = 5  # seconds that the clocks of two processes may differ by
_signer = signing.TimestampSigner(salt="stream")


@dataclasses.dataclass(frozen=True, slots=True)
class Viewer:
    """Who holds a stream: a member of a table (their keys), or a watcher (`member` None).

    `version` is that of the table when they were let in.
    """

    table: int
    member: int | None
    version: int

    @property
    def name(self) -> str:
        """What a stream calls this viewer: what their tokens begin with."""
        return f"{self.table}.{self.member or ''}"


def new_token(table: int, member: int | None, version: int) -> str:
    """Return a token for the stream of a table at a version; `member` None for a watcher."""
    return _signer.sign(f"{table}.{member or ''}:{version}")


def name_in(token: str) -> str:
    """Return whose token this says it is, good or not; empty where it says nothing."""
    said = re.match(r"(\d+\.\d*):", token, re.ASCII)
    return said[1] if said else ""


def read_token(token: str) -> Viewer | None:
    """Return whose token this is; None for one that is forged, broken or too old.

    One of the future was made before the clock was put back, and would last too long.
    """
    try:
        name, version = _signer.unsign(token, max_age=LASTS).split(":")
        table, _, member = name.partition(".")
        if signing.b62_decode(token.split(":")[2]) > time.time() + AHEAD:
            return None
        return Viewer(int(table), int(member) if member else None, int(version))
    except (signing.BadSignature, ValueError, IndexError):
        return None
