"""From JSON to the values of `sheets.portable`; every mistake is named by its place in the file."""

from __future__ import annotations

import dataclasses
import datetime
import difflib
import enum
import functools
import math
import re
import types
import typing
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from sheets import names
from sheets.portable import Range

MOST_MISTAKES: Final = 50  # that are told at once
MOST_DEEP: Final = 20  # objects and lists in one another
# Neither a database nor a screen takes these.
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")

T = TypeVar("T")


@dataclasses.dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong with a file, and where: a path in it, or a line."""

    where: str
    what: str


class Mistaken(Exception):  # noqa: N818 - the mistakes are what matters
    """The file cannot be taken in."""

    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__(*mistakes)
        self.mistakes = mistakes


def at_line(number: int, what: str, column: str = "") -> Mistake:
    """Return a mistake in a line, as an editor counts them, and in a column of it."""
    where = _("line %(n)s") % {"n": number}
    return Mistake(f"{where}, {column}" if column else where, what)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return which of the known names was probably meant; empty where none is alike."""
    return next(iter(difflib.get_close_matches(name, sorted(known), n=1)), "")


class _Form(enum.Enum):
    """What a type asks of JSON."""

    SCALAR, MAYBE, FITTING, OBJECT, LIST, PLAIN = range(6)


@functools.cache
def _form(kind: Any) -> tuple[_Form, Any, Any]:
    """Return the form of a type, what is in it, and which of that fits."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _Form.FITTING, *args
    if origin in (typing.Union, types.UnionType):
        (inner,) = (one for one in args if one is not types.NoneType)
        return _Form.MAYBE, inner, None
    if origin is tuple:
        return _Form.LIST, args[0], None
    if origin is dict:
        return _Form.PLAIN, kind, None
    return _Form.OBJECT if dataclasses.is_dataclass(kind) else _Form.SCALAR, kind, None


class Decoder:
    """Reads values and collects what is wrong with them."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []

    def read(self, kind: type[T], data: object) -> T:
        """Return a whole value, or raise all that is wrong with it."""
        value = self._value(kind, data, "")
        if self.mistakes:
            raise Mistaken(*self.mistakes)
        return typing.cast("T", value)

    def _wrong(self, where: str, what: str) -> None:
        self.mistakes.append(Mistake(where, what))
        if len(self.mistakes) >= MOST_MISTAKES:
            raise Mistaken(*self.mistakes)

    def _value(self, kind: Any, data: Any, where: str) -> Any:
        form, inner, fits = _form(kind)
        match form:
            case _Form.SCALAR:
                return self._scalar(inner, data, where)
            case _Form.MAYBE:
                return None if data is None else self._value(inner, data, where)
            case _Form.FITTING:
                return self._fitting(self._value(inner, data, where), fits, where)
            case _Form.OBJECT:
                return self._object(inner, data, where)
            case _Form.LIST:
                return self._list(inner, data, where)
            case _Form.PLAIN:
                return self._plain(data, where) if self._is(dict, data, where) else {}

    def _object(self, kind: Any, data: Any, where: str) -> Any:
        if not self._is(dict, data, where):
            return None
        before, values = len(self.mistakes), {}
        self._refuse_unknown(kind, data, where)
        for name, hint, needed in _fields(kind):
            if name in data:
                values[name] = self._value(hint, data[name], f"{where}.{name}".lstrip("."))
            elif needed:
                self._wrong(where, _("“%(name)s” is missing.") % {"name": name})
        return kind(**values) if len(self.mistakes) == before else None

    def _refuse_unknown(self, kind: Any, data: dict[str, Any], where: str) -> None:
        """Name what this value has no place for: it would be lost."""
        known = _names(kind)
        for name in data.keys() - known:
            said = {"name": names.Isolated(name[:40]), "meant": nearest(name, known - data.keys())}
            if said["meant"]:
                sentence = _("“%(name)s” is not known here: did you mean “%(meant)s”?")
            else:
                sentence = _("“%(name)s” is not known here.")
            self._wrong(where, sentence % said)

    def _list(self, kind: Any, data: Any, where: str) -> tuple[Any, ...]:
        if not self._is(list, data, where):
            return ()
        return tuple(self._value(kind, one, f"{where}[{n}]") for n, one in enumerate(data))

    def _is(self, kind: type[Any], data: object, where: str) -> bool:
        if isinstance(data, kind):
            return True
        an_object, a_list = _("An object is expected here."), _("A list is expected here.")
        self._wrong(where, an_object if kind is dict else a_list)
        return False

    def _plain(self, data: Any, where: str, deep: int = 0) -> Any:
        """Return JSON as it is, if a database takes it."""
        match data:
            case dict() | list() if deep >= MOST_DEEP:
                self._wrong(where, _("There is too much in one another here."))
            case dict():
                return {
                    self._text(k, where): self._plain(v, where, deep + 1) for k, v in data.items()
                }
            case list():
                return [self._plain(one, where, deep + 1) for one in data]
            case str():
                return self._text(data, where)
            case int() if abs(data) >= 2**31:
                self._wrong(where, _("This number is too large."))
            case float() if not math.isfinite(data):
                self._wrong(where, _("A number is expected here."))
        return data

    def _text(self, data: str, where: str) -> str:
        if _NO_TEXT.search(data):
            self._wrong(where, _("This text has characters in it that are none."))
            return ""
        return data

    def _fitting(self, value: Any, fits: Range, where: str) -> Any:
        if isinstance(value, str) and not fits.low <= len(value) <= fits.high:
            self._wrong(where, _("This text is too long or too short."))
        elif isinstance(value, int) and not fits.low <= value <= fits.high:
            said = {"low": fits.low, "high": fits.high}
            self._wrong(where, _("A number from %(low)s to %(high)s is expected here.") % said)
        return value

    def _scalar(self, kind: Any, data: Any, where: str) -> Any:
        if kind is bool and type(data) is bool:
            return data
        if kind is int and type(data) is int:
            return self._plain(data, where)
        if isinstance(data, str):
            if kind is str:
                return names.Isolated(self._text(data, where))
            try:
                if (value := _from_text(kind, data)) is not None:
                    return value
            except ValueError:
                pass
        self._wrong(where, _expected(kind))
        return None


def _from_text(kind: Any, text: str) -> Any:
    if issubclass(kind, enum.Enum):
        return kind(text)
    if kind is uuid.UUID:
        return uuid.UUID(text)
    if kind is datetime.datetime:
        moment = parse_datetime(text)
        return moment if moment is not None and _has_place(moment) else None
    return parse_date(text) if kind is datetime.date else None


def _has_place(moment: datetime.datetime) -> bool:
    """Say whether this is a moment on every clock of the world."""
    return moment.tzinfo is not None and 1900 <= moment.year <= 9000


def _expected(kind: Any) -> str:
    if issubclass(kind, enum.Enum):
        return _("One of these is expected here: %(words)s.") % {"words": ", ".join(kind)}
    return {
        bool: _("True or false is expected here."),
        int: _("A whole number is expected here."),
        str: _("A text is expected here."),
        uuid.UUID: _("An id such as a hand has is expected here."),
        datetime.datetime: _("A moment is expected here, such as 2026-01-31T20:00:00Z."),
        datetime.date: _("A day is expected here, such as 2026-01-31."),
    }[kind]


@functools.cache
def _fields(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    """Return the fields of a value: their names, kinds, and whether they must be there."""
    hints: Mapping[str, Any] = typing.get_type_hints(kind, include_extras=True)
    return tuple(
        (one.name, hints[one.name], one.default is dataclasses.MISSING)
        for one in dataclasses.fields(kind)
    )


@functools.cache
def _names(kind: Any) -> frozenset[str]:
    return frozenset(name for name, _hint, _needed in _fields(kind))
