"""Reading the environment: a value that cannot be is refused in a sentence that says what can."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


def env_bool(name: str, default: str = "False") -> bool:
    """Read a switch; anything but True or False is refused rather than guessed."""
    value = os.getenv(name, default)
    if value not in ("True", "False"):
        raise ImproperlyConfigured(f"{name} must be True or False, not {value!r}.")
    return value == "True"


def env_number(name: str, default: int, *, least: int = 1, most: int) -> int:
    """Read a whole number from `least` to `most`; empty counts as left out."""
    value = os.getenv(name) or str(default)
    # Python reads no number of thousands of digits.
    number = int(value) if value.isdecimal() and len(value) <= 20 else -1
    if not least <= number <= most:
        raise ImproperlyConfigured(
            f"{name} must be a whole number from {least} to {most}, not {value[:80]!r}."
        )
    return number


def env_public_url(name: str) -> str:
    """Read the address phones use, without a slash at its end; empty where there is none."""
    value = os.getenv(name, "").rstrip("/")
    if value and not _is_origin(value):
        raise ImproperlyConfigured(
            f"{name} must look like https://scores.example or https://scores.example:8443, "
            f"not {value!r}."
        )
    return value


def var_dir() -> Path:
    """Return the folder that everything is kept in."""
    return Path(os.getenv("VAR_DIR") or Path(__file__).resolve().parent.parent / "var")


def check_proxies(public_url: str) -> None:
    """Refuse to believe every proxy by mistake: then each client says itself who it is.

    Raises ImproperlyConfigured where a public server does so and nobody has said it twice.
    """
    named = [name.strip() for name in os.getenv("FORWARDED_ALLOW_IPS", "").split(",")]
    everybody = [name for name in named if name == "*" or _is_everything(name)]
    if everybody and public_url and not env_bool("TRUST_ANY_PROXY"):
        raise ImproperlyConfigured(
            f"FORWARDED_ALLOW_IPS={everybody[0]} believes what every client says about its "
            "address, so nothing is limited by address. Name the proxy's address instead, as this "
            "server sees it (in a container that is the gateway of its network). Where nobody but "
            "a proxy that replaces X-Forwarded-For reaches this port, TRUST_ANY_PROXY=True allows "
            "it."
        )


def _is_everything(name: str) -> bool:
    try:
        return "/" in name and ipaddress.ip_network(name, strict=False).prefixlen == 0
    except ValueError:
        return False


def _is_origin(value: str) -> bool:
    """Say whether an address is a scheme, a host and perhaps a port, and nothing more."""
    try:
        parts = urlsplit(value)
        host, _port = parts.hostname, parts.port  # the port is read only here
    except ValueError:
        return False
    more = parts.path or parts.query or parts.fragment or "@" in parts.netloc
    return parts.scheme in ("http", "https") and bool(host) and not more
