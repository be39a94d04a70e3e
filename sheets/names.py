"""Names: cleaned for showing, folded for comparing, counted as people see them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import regex
from django.utils.text import slugify
from django.utils.translation import gettext as _

LONGEST = 40  # letters, as people count them
MOST_ROOM = 200  # code points: a family is one letter and takes eleven
LONGEST_KEY = 600  # code points: some letters fold into eighteen
LONGEST_SLUG = 40
RESERVED_SLUGS = {"new"}  # what else lies where clubs have their addresses
NO_NAME = "\n"  # starts the keys that no name has: nobody can type one


def clean(text: str) -> str:
    """Return the name as it is shown: composed, without control characters, single spaces."""
    # Direction overrides have no place in a name; the joiner that holds an emoji family together
    # stays. What is left of tabs and line breaks parts words.
    text = regex.sub(r"[\u202a-\u202e\u2066-\u2069\p{Cs}]", "", text)
    text = regex.sub(r"[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+", " ", text)
    return unicodedata.normalize("NFC", text).strip()


def key(text: str) -> str:
    """Return what names are compared by: width, case, encoding of accents, spacing do not count.

    Empty when nothing of the name can be seen. Names alike in the first 600 letters are the same.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean(text)).casefold())
    return " ".join(seen(folded).split())[:LONGEST_KEY]


def seen(text: str) -> str:
    """Return a text without the characters that nobody can see."""
    return regex.sub(r"[\p{C}\p{Default_Ignorable_Code_Point}\u2800]", "", text)


def former() -> str:
    """Return what somebody is called whose name was erased."""
    return _("a former player")


def no_key(pk: int) -> str:
    """Return a key, unique among players, that no name has."""
    return f"{NO_NAME}{pk}"


def letters(text: str) -> int:
    """Return the length as people see it: a flag or a family is one letter."""
    return len(regex.findall(r"\X", text))


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence says them: "Alice, Ben and Cass"."""
    if len(names) < 2:
        return "".join(names)
    return _("%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def slug(text: str) -> str:
    """Return what a name looks like in an address: letters a to z, digits, hyphens."""
    return slugify(clean(text))[:LONGEST_SLUG].strip("-_") or "club"
