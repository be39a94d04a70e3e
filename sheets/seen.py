"""What somebody had before their eyes: a version of a table or a club, and which history it is of.

Versions alone are not enough: a server that was set back to a backup counts on from there, and
comes to the same numbers again with other changes.
"""

from __future__ import annotations

import dataclasses
import re
import uuid
from collections.abc import Iterable

MARK = 8  # letters of a change's key


@dataclasses.dataclass(frozen=True, slots=True)
class Seen:
    """A version, and the first letters of the key of the change that made it.

    Written "8-1f2e3d4c". Without a mark ("8") it names a version of whatever history there is:
    forms of older releases have none, and neither has a new table.
    """

    version: int = 0
    mark: str = ""

    def __str__(self) -> str:
        return f"{self.version}-{self.mark}" if self.mark else str(self.version)

    def is_gone(self, now: Seen, then: Iterable[uuid.UUID]) -> bool:
        """Say whether this belongs to a history that ended when a backup was restored.

        It does where it is above the version of today, or where another change made that version:
        `then` is the key of the one that did in today's history, if any.
        """
        if self.version > now.version:
            return True
        return self != now and self.mark not in {"", *map(mark_of_key, then)}


def mark_of_key(key: uuid.UUID) -> str:
    """Return what tells the change with this key from others that made the same version."""
    return key.hex[:MARK]


def read_seen(text: str) -> Seen | None:
    """Return what a form or a header names; None where it names nothing."""
    found = re.fullmatch(rf"(\d{{1,9}})(?:-([0-9a-f]{{{MARK}}}))?", text, re.ASCII)
    return Seen(int(found[1]), found[2] or "") if found else None
