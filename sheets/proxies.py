"""A proxy that is not believed: noticed at its first request, said once in the log and to staff.

uvicorn puts the forwarded address in the place of the proxy's own where it believes the proxy
(FORWARDED_ALLOW_IPS). Where it does not, all that come through the proxy have one address, and
whatever is counted by address stops all of them together.
"""

from __future__ import annotations

import logging
import re
from typing import Any

log = logging.getLogger(__name__)

_found: list[str] = []


def unbelieved() -> str:
    """Return the address of a proxy that this process was reached through and did not believe."""
    return _found[0] if _found else ""


def notice(scope: Any) -> None:
    """Look at a request as uvicorn hands it on (its ASGI scope)."""
    if _found or not scope.get("client"):
        return
    host = scope["client"][0]
    sent = ",".join(
        value.decode("latin1") for name, value in scope["headers"] if name == b"x-forwarded-for"
    )
    # A believed proxy's word has become the client: then the header names it.
    if not sent.strip(" ,") or re.search(rf"(?<![\w.:]){re.escape(host)}(?![\w.])", sent):
        return
    _found.append(host)
    log.warning(
        "Requests come through %(host)s, whose X-Forwarded-For is not believed: limits count "
        "everybody behind it as one address. If it is your proxy, start the server with "
        "FORWARDED_ALLOW_IPS=%(host)s.",
        {"host": host},
    )


def forget() -> None:
    """Notice anew."""
    _found.clear()
