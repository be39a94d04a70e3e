"""The secrets that open things: join codes, addresses and phones."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata

# Crockford's base 32: no I, L, O or U, so that a code read aloud or off a beer mat is still right.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 6
_LOOKALIKES = str.maketrans({"O": "0", "I": "1", "L": "1"})


def new_code() -> str:
    """Return a fresh join code, for example AB7K9Q."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(typed: str) -> str:
    """Return the code somebody meant: case, spaces, hyphens, full width and look-alikes forgiven.

    What cannot be a code comes back as an empty string.
    """
    text = unicodedata.normalize("NFKC", typed).upper().translate(_LOOKALIKES)
    code = "".join(letter for letter in text if letter.isalnum())
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else ""


def new_public_id() -> str:
    """Return an address nobody guesses: 96 random bits in 16 letters."""
    return secrets.token_urlsafe(12)


def is_public_id(text: str) -> bool:
    """Say whether an address can be one of ours; anything else is not looked up."""
    return re.fullmatch(r"[\w-]{16}", text, re.ASCII) is not None


def new_phone() -> str:
    """Return the secret a phone keeps: 256 random bits."""
    return secrets.token_urlsafe(32)


def is_phone(secret: str) -> bool:
    """Say whether a cookie can be a phone's secret; anything else in it is not looked at."""
    return re.fullmatch(r"[\w-]{43}", secret, re.ASCII) is not None


def phone_hash(secret: str) -> str:
    """Return what the database keeps of a phone, so that a stolen copy opens nothing."""
    return hashlib.sha256(secret.encode()).hexdigest()
