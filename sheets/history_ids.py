"""What the ids in history point at, so that it can be written to a file and read back elsewhere.

`before` and `after` of a change hold keys of rows. A file has ids of its own: each of these keys is
put in another way round for each way. A key that is not named here would point at somebody else
after an import; a test collects what the actions write and fails on one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final


class What(StrEnum):
    """A kind of row that history points at."""

    PLAYER = "player"
    PERSON = "person"
    MEMBER = "member"
    ROUND = "round"
    SHEET = "sheet"
    RULES = "rules"
    SAVED = "saved"
    NAME = "name"
    CLUB_PERSON = "club_person"
    SEASON = "season"
    TABLE = "table"
    # Of these a file holds nothing that could be pointed at; it says who a user was.
    CLUB = "club"
    USER = "user"
    INVITATION = "invitation"


@dataclasses.dataclass(frozen=True, slots=True)
class Each:
    """A list of one shape."""

    of: Shape


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """A list with a shape for each of its parts."""

    parts: tuple[Shape, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Pairs:
    """An object whose names are ids written as text."""

    name: What
    value: Shape


@dataclasses.dataclass(frozen=True, slots=True)
class Named:
    """An object with a shape for each name."""

    shapes: Mapping[str, Shape]


Shape = What | Each | Row | Pairs | Named | None  # None: a plain value
Point = Callable[[What, Any], Any]

_UNITS = Each(Row((What.PLAYER, None)))
_MOVED = Named({"round": What.ROUND, "number": None, "before": _UNITS, "after": _UNITS})
_PLAIN = (
    "number kind bid trump outcome counts reason before own zeros again link code watch fresh_code "
    "places whole stayed change own_columns confirm unit_cents currency agree of from table sheets "
    "review note state name confirms taken_up"
)

_PLAIN_OF_CLUBS = "name note contact time_zone confirm role sheets sheet starts ends least_hands"

# Of a table's history.
OF_TABLES: Final[Mapping[str, Shape]] = {
    **dict.fromkeys(_PLAIN.split()),
    "order": Each(What.PLAYER),
    "dealer": What.PLAYER,
    "sitter": What.PLAYER,
    "bidder": What.PLAYER,
    "units": _UNITS,
    "numbers": Each(What.PLAYER),
    "off_sheet": Each(What.PLAYER),
    "moved": Each(_MOVED),
    "person": What.PERSON,
    "asks": What.PERSON,
    "people": Each(What.PERSON),
    "member": What.MEMBER,
    "ended_by": What.MEMBER,
    "names": Pairs(What.PLAYER, What.NAME),
    "rules": What.RULES,
    "saved": What.SAVED,
    # How many there are, or which of them changed their rules, from which to which.
    "hands": Each(Row((What.ROUND, What.RULES, What.RULES))),
    "discarded": What.SHEET,
    "club": What.CLUB,
    "seats": Each(Row((What.PLAYER, What.PERSON))),
}
# Of a club's.
OF_CLUBS: Final[Mapping[str, Shape]] = {
    **dict.fromkeys(_PLAIN_OF_CLUBS.split()),
    "person": What.CLUB_PERSON,
    "into": What.CLUB_PERSON,
    "people": Each(What.CLUB_PERSON),
    "matched": Each(Row((What.PERSON, What.CLUB_PERSON))),
    "user": What.USER,
    "season": What.SEASON,
    "table": What.TABLE,
    "invitation": What.INVITATION,
}


def pointed(
    told: Mapping[str, Any] | None, point: Point, shapes: Mapping[str, Shape] = OF_TABLES
) -> dict[str, Any] | None:
    """Return what history tells with every id as `point` has it; ValueError for a wrong shape."""
    if told is None:
        return None
    return {name: _put(value, shapes.get(name), point) for name, value in told.items()}


def unknown_keys(
    told: Mapping[str, Any] | None, shapes: Mapping[str, Shape] = OF_TABLES
) -> Iterator[str]:
    """Yield the keys of which nobody knows what they point at."""
    for name in told or {}:
        if name not in shapes:
            yield name


def _put(value: Any, shape: Shape, point: Point) -> Any:
    match shape:
        case None:
            return value
        case What():
            return None if value is None else point(shape, value)
        case Each() if type(value) is int:  # how many, where it might have been which
            return value
        case Each():
            return [_put(one, shape.of, point) for one in _a(list, value)]
        case Row():
            parts = zip(_a(list, value), shape.parts, strict=True)
            return [_put(one, part, point) for one, part in parts]
        case Pairs():
            put = {}
            for name, one in _a(dict, value).items():
                put[str(point(shape.name, int(name)))] = _put(one, shape.value, point)
            return put
        case Named():
            if set(_a(dict, value)) != set(shape.shapes):
                raise ValueError(value)
            return {name: _put(one, shape.shapes[name], point) for name, one in value.items()}


def _a(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise ValueError(value)
    return value
