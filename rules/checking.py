"""What the functions of the rules take: checked by their annotations, here and nowhere else.

    @checked
    def sits_out(dealer: Seat, house: HouseRules) -> int | None: ...

A wrong type is a TypeError, and True is no number. A value that cannot be is a RuleError, its field
the name of the argument. A whole number says how large it may be, a text or a list how long:
`Annotated[int, range(4)]`. Without that a function can't be defined, so none can be kept busy.
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, ParamSpec, TypeVar

from rules import Message, RuleError, gettext_noop

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Class = TypeVar("_Class")
_Check = Callable[[str, Any], None]

# What people type: the function says itself what is wrong with it, in a sentence for the page.
SAYS_ITSELF: Final = object()
Typed = Annotated[int, SAYS_ITSELF]
# What is looked for first: to ask whether something is a Sequence takes long.
_AT_ONCE: Final[Mapping[Any, tuple[type, ...]]] = {Sequence: (tuple, list), Mapping: (dict,)}
_UNBOUNDED: Final = (int, str, list, tuple, Sequence, Mapping)
Seat = Annotated[int, range(4)]  # to the left; nobody sits at a table of more than four


def checked(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let a function check its arguments by their annotations before it runs."""
    checks = _checks(typing.get_type_hints(function, include_extras=True))
    code = _innermost(function).__code__
    by_place = [
        (name, checks.get(name, _anything)) for name in code.co_varnames[: code.co_argcount]
    ]

    @functools.wraps(function)
    def checks_first(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for (name, check), value in zip(by_place, args, strict=False):  # too many: Python says so
            check(name, value)
        for name, value in kwargs.items():  # of another name: Python says so
            checks.get(name, _anything)(name, value)
        return function(*args, **kwargs)

    return checks_first


def checked_fields(cls: type[_Class]) -> type[_Class]:
    """Let a dataclass check its fields, all given by name, whenever one is made."""
    make = cls.__init__
    checks = _checks(typing.get_type_hints(cls, include_extras=True))

    @functools.wraps(make)
    def checks_first(self: Any, **fields: Any) -> None:
        for name, value in fields.items():
            checks.get(name, _anything)(name, value)
        make(self, **fields)

    cls.__init__ = checks_first  # type: ignore[method-assign]
    return cls


def _innermost(function: Any) -> Any:
    """Return the function itself, whatever is wrapped around it."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def _checks(hints: dict[str, Any]) -> dict[str, _Check]:
    return {name: _check_of(hint) for name, hint in hints.items() if name != "return"}


def _anything(name: str, value: Any) -> None:
    pass


def _check_of(hint: Any) -> _Check:
    """Return what checks a value that is annotated so."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, TypeVar) or hint is Any:
        return _anything
    if origin is Annotated:
        kind, limits = parts
        return _anything if limits is SAYS_ITSELF else _fits(kind, limits)
    if origin in (typing.Union, types.UnionType):
        (kind,) = set(parts) - {types.NoneType}
        return _or_none(_check_of(kind))
    kind = origin or hint
    if kind in _UNBOUNDED:
        raise TypeError(f"Say how much may be in {hint}.")
    return _is_a(kind)


def _or_none(check: _Check) -> _Check:
    def or_none(name: str, value: Any) -> None:
        if value is not None:
            check(name, value)

    return or_none


def _is_a(kind: type) -> _Check:
    at_once = _AT_ONCE.get(kind, (kind,))

    def is_a(name: str, value: Any) -> None:
        if type(value) in at_once:
            return
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(f"{name} has to be {kind.__name__}, not {type(value).__name__}.")

    return is_a


def _fits(kind: Any, limits: range) -> _Check:
    """Check the type of a value, and its size: that of a number, or how much is in all else."""
    origin = typing.get_origin(kind) or kind
    is_right = _is_a(origin)
    is_inside = _is_inside([_check_of(part) for part in typing.get_args(kind) if part is not ...])

    def fits(name: str, value: Any) -> None:
        is_right(name, value)
        if (value if origin is int else len(value)) not in limits:
            sentence = gettext_noop("This goes from %(least)s to %(most)s, in steps of %(step)s.")
            params = {"least": limits[0], "most": limits[-1], "step": limits.step}
            raise RuleError(Message("does_not_fit", sentence, params), field=name)
        is_inside(name, value)

    return fits


def _is_inside(checks: Sequence[_Check]) -> _Check:
    """Check what is in a list or a mapping, each by its own annotation."""
    if all(check is _anything for check in checks):
        return _anything

    def in_list(name: str, value: Any) -> None:
        for one in value:
            checks[0](name, one)

    def in_mapping(name: str, value: Any) -> None:
        for pair in value.items():
            for check, one in zip(checks, pair, strict=True):
                check(name, one)

    return in_list if len(checks) == 1 else in_mapping
