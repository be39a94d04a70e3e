"""Bounds for every text before anything is done with it: what a request may hold, and composing.

Composing accents takes time that grows with the square of how many marks one letter carries, and
holds up all other pages for as long. So no text is composed but by `composed`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final, Literal

import regex
from django.utils.translation import gettext as _

MOST_LINE: Final = 1_000  # code points: what one field takes
MOST_TEXT: Final = 50_000  # code points: where a field takes several lines, as a paper sheet does
MOST_MARKS: Final = (
    30  # on one letter; what Unicode's stream-safe format allows, and no script needs
)
_TOO_MANY_MARKS = regex.compile(rf"(\p{{M}}{{{MOST_MARKS}}})\p{{M}}+")


def composed(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a normal form of Unicode; of each letter's marks the first thirty stay.

    Takes time in proportion to the length of the text, whatever is in it.
    """
    return unicodedata.normalize(form, _TOO_MANY_MARKS.sub(r"\1", text))


def why_not(texts: Iterable[str]) -> str:
    """Return what is wrong with texts that a request holds; empty where each can be read."""
    for text in texts:
        if "\0" in text:
            return _("There is a character in it that nobody can type.")
        if len(text) > MOST_TEXT or any(len(line) > MOST_LINE for line in text.splitlines()):
            return _(
                "One of its fields holds more than %(most)s characters in a line. Go back and "
                "shorten it."
            ) % {"most": MOST_LINE}
    return ""
