"""What the log says of a request: one line of what is wrong, and nothing that opens a table."""

from __future__ import annotations

import logging
from typing import Any, Final

MOST_LETTERS: Final = 300  # of a line about a request that was refused


class Tidy(logging.Filter):
    """Shorten what clients did wrong to a line, and name pages by their pattern, not their address.

    The address of a page may be the very secret that lets somebody in.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record in place; every record is logged."""
        if record.name.startswith("django.security"):
            record.msg, record.args = record.getMessage()[:MOST_LETTERS], ()
            record.exc_info = record.exc_text = None
        elif (request := getattr(record, "request", None)) is not None and record.args:
            record.args = _without_address(record.args, request)
        return True


def _without_address(args: Any, request: Any) -> Any:
    match = getattr(request, "resolver_match", None)
    pattern = "/" + match.route if match else "(no page)"
    return tuple(pattern if arg == getattr(request, "path", None) else arg for arg in args)
