"""The secrets that open things: join codes, addresses and phones."""

from __future__ import annotations

import hashlib
import itertools
import re
import secrets

from sheets.texts import composed

# Crockford's base 32: no I, L, O or U, so that a code read aloud or off a beer mat is still right.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 6
_LOOKALIKES = str.maketrans({"O": "0", "I": "1", "L": "1"})


def new_code() -> str:
    """Return a fresh join code, for example AB7K9Q."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(typed: str) -> str:
    """Return the code somebody meant: case, spaces, hyphens, full width and look-alikes forgiven.

    Words and punctuation around it are, too, as long as only one part of the text looks most like
    a code. What cannot be a code comes back as an empty string.
    """
    text = composed("NFKC", typed)
    return _plain(text) or _among_words(text)


def _plain(text: str) -> str:
    """Return the code that a text spells from its first letter to its last."""
    letters = "".join(filter(str.isalnum, text)).upper().translate(_LOOKALIKES)
    return letters if len(letters) == LENGTH and set(letters) <= set(ALPHABET) else ""


def _among_words(text: str) -> str:
    """Return the one part of a text that looks most like a code.

    Of words in small letters a code is told by its digits or capitals: one in ten has no digit.
    """
    words = re.findall(r"\w+(?:[-–—]\w+)*", text)
    halves = (first + second for first, second in itertools.pairwise(words) if len(first) == 3)
    found: dict[tuple[bool, ...], set[str]] = {}
    for word in (*words, *halves):
        if code := _plain(word):
            likely = (any(map(str.isdecimal, word)), word.isupper())
            found.setdefault(likely, set()).add(code)
    best = found[max(found)] if found else set()
    return best.pop() if len(best) == 1 else ""


def new_link_secret() -> str:
    """Return what a link carries instead of a code: 128 random bits in 22 letters."""
    return secrets.token_urlsafe(16)


LINK_SECRET = r"[\w-]{22}"  # what `new_link_secret` looks like


def is_link_secret(text: str) -> bool:
    """Say whether a text can be the secret of a link; anything else is not looked up as one."""
    return re.fullmatch(LINK_SECRET, text, re.ASCII) is not None


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
