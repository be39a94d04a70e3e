"""Every public function of the rules, all found by walking, refuses what can't be in any argument.

A new function is covered as soon as it is there; for an argument of a new kind an example is added.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import math
import pkgutil
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction

import pytest

import rules
from rules import RuleError, auction, auction_advice, melds
from rules.auction import Fourth, Hand, HouseRules, Outcome, Pot
from rules.cards import Card, Rank, Suit
from rules.checking import SAYS_ITSELF, checked
from rules.settling import Debt
from rules.typed_rows import Row

QUEEN = Card(Rank.QUEEN, Suit.SPADES)
# Of arguments that their kind alone tells too little about.
NAMED = {
    "bid": 300,
    "cards": (QUEEN,),
    "debts": (Debt(payer="A", payee="B", units=2),),
    "entries": (0, 2, 0),
    "fourth": "none",
    "meld_points": 100,
    "melds": (melds.kinds(Suit.HEARTS)[0],),
    "names": ("run",),
    "net": {"A": -2, "B": 2},
    "parties": ("A", "B"),
    "payments": (),
    "rows": (Row(units=(2, 0, 4)),),
    "seats": 3,
    "text": "QS",
    "trick_points": 100,
    "useful": 4,
}
OF_A_KIND = {
    Card: QUEEN,
    Fraction: Fraction(1, 2),
    Hand: Hand(bidder=1, bid=300, trump=Suit.HEARTS, outcome=Outcome.MADE),
    HouseRules: HouseRules(),
    melds.MeldCount: melds.best([QUEEN], Suit.HEARTS),
    bool: False,
    str: "",
}
NO_NUMBERS = [True, math.nan, math.inf, 1.5, "3", [1], b"3", object()]
NOTHING_AT_ALL = [math.nan, object(), b"3", {1: 2}.keys]


def parts(hint):
    """What a kind is made of: whether None goes, the kind itself, its limits, and what is in it."""
    or_none = typing.get_origin(hint) in (typing.Union, types.UnionType)
    if or_none:
        (hint,) = set(typing.get_args(hint)) - {types.NoneType}
    limits = None
    if typing.get_origin(hint) is typing.Annotated:
        hint, limits = typing.get_args(hint)
    inside = [one for one in typing.get_args(hint) if one is not Ellipsis]
    return or_none, typing.get_origin(hint) or hint, limits, inside


def right(name, hint):
    """A value that can be."""
    or_none, kind, limits, inside = parts(hint)
    number = kind is int and limits is not SAYS_ITSELF
    if name in NAMED and not (name == "cards" and number):
        return NAMED[name]
    if or_none:
        return None
    if number:
        return limits[0]
    if issubclass(kind, Mapping):
        key, value = inside
        return {right(name, key): 2 if parts(value)[2] is SAYS_ITSELF else right(name, value)}
    return OF_A_KIND[kind] if kind in OF_A_KIND else next(iter(kind))


def wrong(hint):
    """Values that cannot be."""
    or_none, kind, limits, inside = parts(hint)
    if isinstance(kind, typing.TypeVar) or hint is typing.Any:
        return [[]]  # nothing that could name anybody
    found = [] if or_none else [None]
    if kind is int:
        found += [*NO_NUMBERS, -(10**30), 10**30]
        found += [] if limits is SAYS_ITSELF else [limits[0] - 1, limits[-1] + 1]
    elif kind is bool:
        found += ["no", "", 0, 1, *NOTHING_AT_ALL]
    elif kind is str:
        found += [7, ["x"], "x" * (limits[-1] + 1), *NOTHING_AT_ALL]
    elif kind is Iterable:
        found += [7, "QS", [("Q", "spades")], itertools.repeat(QUEEN), *NOTHING_AT_ALL]
    elif issubclass(kind, Mapping):
        key, value = inside
        found += [7, [1], *NOTHING_AT_ALL, dict.fromkeys(range(limits[-1] + 1))]
        found += [{right("", key): one} for one in wrong(value)] if key is Rank else []
    elif kind in (Sequence, tuple):
        found += [7, *NOTHING_AT_ALL, (None,) * (limits[-1] + 1)]
        found += [(one,) for one in wrong(inside[0])]
    else:
        found += [7, "hearts", {}, [], Suit, *NOTHING_AT_ALL]
    return found


def walk():
    """Every public function and method that takes anything, with the kinds of its arguments."""
    for module in pkgutil.iter_modules(rules.__path__):
        if module.name == "checking":
            continue
        here = importlib.import_module(f"rules.{module.name}")
        for name, one in vars(here).items():
            if name.startswith("_") or getattr(one, "__module__", "") != here.__name__:
                continue
            if inspect.isfunction(one):
                yield pytest.param(one, id=f"{module.name}.{name}")
            elif inspect.isclass(one) and is_dataclass(one):
                for method, function in vars(one).items():
                    if inspect.isfunction(function) and not method.startswith("_"):
                        bound = getattr(EXAMPLES.get(one), method, function)
                        yield pytest.param(bound, id=f"{module.name}.{name}.{method}")


EXAMPLES = {
    auction_advice.AtStake: auction_advice.at_stake(300, Suit.HEARTS, HouseRules()),
    HouseRules: HouseRules(),
}


@pytest.mark.parametrize("function", [*walk()])
def test_what_cannot_be_is_refused_in_every_argument(function):
    hints = typing.get_type_hints(function, include_extras=True)
    kinds = {name: hints[name] for name in inspect.signature(function).parameters}
    arguments = {name: right(name, hint) for name, hint in kinds.items()}
    function(**arguments)  # so whatever is refused below is refused for one argument
    for name, hint in kinds.items():
        for value in wrong(hint):
            with pytest.raises((RuleError, TypeError)):
                pytest.fail(f"{name}={value!r}: {function(**arguments | {name: value})!r}")


@pytest.mark.parametrize("house", [HouseRules(), HouseRules(fourth=Fourth.OFF_SHEET)])
@pytest.mark.parametrize("field", [one.name for one in fields(Hand)])
def test_no_field_of_a_hand_can_be_anything_else(house, field):
    off_sheet = 3 if house.fourth is Fourth.OFF_SHEET else None
    hand = replace(OF_A_KIND[Hand], off_sheet=off_sheet)
    auction.settle(hand, house)
    for value in (*NO_NUMBERS, -1, 4, 10**30, "hearts", math.nan):
        if (field, value) == ("trump", None):
            continue
        for function in (auction.settle, auction.doubts):
            with pytest.raises(RuleError):
                function(replace(hand, **{field: value}), house)


@pytest.mark.parametrize("key", HouseRules().to_dict())
def test_no_house_rule_can_be_anything_else(key):
    usual = HouseRules(pot=Pot()).to_dict()
    assert HouseRules.from_dict(usual) == HouseRules(pot=Pot())
    many = [[10, 1]] * 10**6
    for value in (*NO_NUMBERS, -10, 10**30, "hearts", {}, [], many, {"ante": -1}):
        if value is True and type(usual[key]) is bool:
            continue
        with pytest.raises((RuleError, TypeError)):
            HouseRules.from_dict(usual | {key: value})


def test_a_function_that_does_not_say_how_much_it_takes_cannot_be_defined():
    def of_numbers(n: int) -> None: ...
    def of_texts(text: str) -> None: ...
    def of_lists(items: Sequence[Card]) -> None: ...

    for function in (of_numbers, of_texts, of_lists):
        with pytest.raises(TypeError, match="Say how much"):
            checked(function)
