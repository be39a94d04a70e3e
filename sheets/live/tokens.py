"""Who may hold a stream: a short-lived signed token, checked without asking the database."""

from __future__ import annotations

import dataclasses
import re

from django.core import signing

LASTS = 600  # seconds; every page and every part of one carries a fresh one
_signer = signing.TimestampSigner(salt="stream")


@dataclasses.dataclass(frozen=True, slots=True)
class Viewer:
    """Who holds a stream: a member of a table (their keys), or a watcher (`member` None)."""

    table: int
    member: int | None
    issued: float  # seconds since the epoch, whole ones

    @property
    def name(self) -> str:
        """What a stream calls this viewer: what their tokens begin with."""
        return f"{self.table}.{self.member or ''}"


def new_token(table: int, member: int | None) -> str:
    """Return a token for the stream of a table; `member` None for a watcher."""
    return _signer.sign(f"{table}.{member or ''}")


def name_in(token: str) -> str:
    """Return whose token this says it is, good or not; empty where it says nothing."""
    said = re.match(r"(\d+\.\d*):", token, re.ASCII)
    return said[1] if said else ""


def read_token(token: str) -> Viewer | None:
    """Return whose token this is; None for one that is forged, broken or too old."""
    try:
        table, _, member = _signer.unsign(token, max_age=LASTS).partition(".")
        issued = signing.b62_decode(token.split(":")[1])
        return Viewer(int(table), int(member) if member else None, issued)
    except (signing.BadSignature, ValueError, IndexError):
        return None
