"""Names: cleaned and set apart for showing, folded for comparing, counted as people see them."""

from __future__ import annotations

from collections.abc import Sequence

import regex
from django.utils.text import slugify
from django.utils.translation import gettext as _

from sheets.texts import composed

LONGEST = 40  # letters, as people count them
MOST_ROOM = 200  # code points: a family is one letter and takes eleven
LONGEST_KEY = 600  # code points: some letters fold into eighteen
LONGEST_SLUG = 40
_MOST_COUNTED = 500  # code points
RESERVED_SLUGS = {"new"}  # what else lies where clubs have their addresses
NO_NAME = "\n"  # starts the keys that no name has: nobody can type one
# Between these two a text is laid out by itself (Unicode's FSI and PDI): a name written from right
# to left cannot swap places with the number beside it.
ISOLATE, POP = "\u2068", "\u2069"


class Isolated(str):
    """What people typed: a name, a reason, a note.

    The program sees the bare text: it compares, sorts, measures and stores it. Whatever is made for
    people sees it set apart from what is around it, in a sentence, a template or an f-string.
    `"".join` is no sentence to Python: join names with `listed`, or format them first.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return f"{ISOLATE}{super().__str__()}{POP}" if self else ""


def bare(text: str) -> str:
    """Return a text without what sets parts of it apart: as files and databases keep it."""
    return str.__str__(text).replace(ISOLATE, "").replace(POP, "")


def clean(text: str) -> Isolated:
    """Return the name as it is shown: composed, without control characters, single spaces."""
    # Direction overrides have no place in a name; the joiner that holds an emoji family together
    # stays. What is left of tabs and line breaks parts words.
    text = regex.sub(r"[\u202a-\u202e\u2066-\u2069\p{Cs}]", "", text)
    text = regex.sub(r"[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+", " ", text)
    return Isolated(composed("NFC", text).strip())


def key(text: str) -> str:
    """Return what names are compared by: width, case, encoding of accents, spacing do not count.

    Empty when nothing of the name can be seen. Names alike in the first 600 letters are the same.
    """
    folded = composed("NFKC", composed("NFKC", clean(text)).casefold())
    return " ".join(seen(folded).split())[:LONGEST_KEY]


def seen(text: str) -> str:
    """Return a text without the characters that nobody can see."""
    return regex.sub(r"[\p{C}\p{Default_Ignorable_Code_Point}\u2800]", "", text)


# Letters of their own that people look for, and sort, as these.
_PLAIN = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i"}
)
# Accents on Latin, Greek and Cyrillic letters; vowels that Hebrew and Arabic may leave out.
_ACCENTS = regex.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670]"
)
DIGITS = 12  # to which numbers are filled up, so that 2 comes before 10


def folded(text: str) -> str:
    """Return what a name is found by: neither case nor accents count, "Émile" is "emile".

    Two people may be one here: `key` tells them apart.
    """
    bare_letters = _ACCENTS.sub("", composed("NFKD", key(text)))
    return composed("NFC", bare_letters.translate(_PLAIN))[:LONGEST_KEY]


def in_order(text: str) -> tuple[str, str]:
    """Return what names are sorted by: Åsa before Ben, Émile beside Emile, 2 before 10."""
    counted = regex.sub(r"\d+", lambda found: found[0].zfill(DIGITS), folded(text))
    return counted, key(text)


def former() -> str:
    """Return what somebody is called whose name was erased."""
    return _("a former player")


def no_key(pk: int) -> str:
    """Return a key, unique among players, that no name has."""
    return f"{NO_NAME}{pk}"


def letters(text: str) -> int:
    """Return the length as people see it: a flag or a family is one letter.

    More than 500 code points are not looked at: the regex reads back along a row of flags.
    """
    return len(regex.findall(r"\X", text[:_MOST_COUNTED]))


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence says them: "Alice, Ben and Cass"."""
    said = [str(name) for name in names]
    if len(said) < 2:
        return "".join(said)
    return _("%(first)s and %(last)s") % {"first": ", ".join(said[:-1]), "last": said[-1]}


def slug(text: str) -> str:
    """Return what a name looks like in an address: letters a to z, digits, hyphens."""
    return slugify(clean(text))[:LONGEST_SLUG].strip("-_") or "club"
