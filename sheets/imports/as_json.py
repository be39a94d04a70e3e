"""A JSON file as `sheets.portable` has it, whichever format it was written in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from sheets import portable
from sheets.imports.decoding import Decoder, Mistake, Mistaken, at_line

# From each older format to the next one.
UPGRADES: Final[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}


def read(text: str) -> portable.File:
    """Return what is in a file; raises Mistaken."""
    try:
        data = parsed(text)
    except json.JSONDecodeError as error:
        raise Mistaken(at_line(error.lineno, _("This is no JSON from here on."))) from error
    except _Twice as twice:
        said = {"name": str(twice)[:40]}
        raise Mistaken(Mistake("", _("“%(name)s” is there twice in one object.") % said)) from twice
    except (RecursionError, ValueError) as error:
        raise Mistaken(Mistake("", _("This JSON can't be read."))) from error
    if not isinstance(data, dict) or data.get("app") != portable.APP:
        raise Mistaken(Mistake("", _("This is no file that was saved here.")))
    return Decoder().read(portable.File, upgraded(data))


def upgraded(data: dict[str, Any]) -> dict[str, Any]:
    """Return a file of any format as one of today's."""
    number = data.get("format")
    if type(number) is not int or not 0 < number <= portable.FORMAT:
        said = {"most": portable.FORMAT}
        sentence = _("This file is of a format that can't be read here: up to %(most)s is known.")
        raise Mistaken(Mistake("format", sentence % said))
    while number < portable.FORMAT:
        data = UPGRADES[number](data)
        number += 1
    return data


def parsed(text: str) -> Any:
    """Return what JSON says; ValueError where it says something twice, or a number that is none."""
    return json.loads(text, parse_constant=_no_number, object_pairs_hook=_each_once)


def _no_number(text: str) -> None:
    raise ValueError(text)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Twice(next(name for n, (name, _v) in enumerate(pairs) if name in dict(pairs[:n])))
    return found


class _Twice(ValueError):  # noqa: N818 - its text is what is there twice
    """A name is in one object twice, and only one of them could be read."""
