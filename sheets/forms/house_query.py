"""House rules of Auction Pinochle in an address, for pages that know no table."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.utils.http import urlencode

from rules import RuleError, auction, cards
from sheets import numbers

STANDARD = auction.HouseRules()
YES, NO = ("true", "1", "on", "yes"), ("false", "0", "off", "no")
MOST_ROWS = 40  # of a stake table


def house_from(query: Mapping[str, str]) -> tuple[auction.HouseRules, bool]:
    """Return the house rules an address names, and whether all of them could be read.

    What it leaves out is as usual. Rules that can't be are the usual ones, and the page says so.
    """
    found, readable = asked(query, STANDARD)
    try:
        house = dataclasses.replace(STANDARD, **found)
    except RuleError:
        return STANDARD, False
    return (house, True) if readable else (STANDARD, False)


def house_query(house: auction.HouseRules) -> dict[str, str]:
    """Return what `house_from` reads these rules from: only what is not as usual."""
    found: dict[str, str] = {}
    for field in dataclasses.fields(house):
        value = getattr(house, field.name)
        if value == getattr(STANDARD, field.name):
            continue
        if field.name == "stakes":
            found["stakes"] = ",".join(f"{bid}:{units}" for bid, units in value)
        elif isinstance(value, auction.Pot):
            found |= {"ante": str(value.ante), "winning_bid": str(value.winning_bid)}
        else:
            found[field.name] = "" if value is None else str(value)
    return found


def with_house(address: str, house: auction.HouseRules, **more: str) -> str:
    """Return an address at which these rules hold; `more` are other fields of its query."""
    query = house_query(house) | more
    return f"{address}?{urlencode(query)}" if query else address


def asked(query: Mapping[str, str], house: auction.HouseRules) -> tuple[dict[str, Any], bool]:
    """Return the settings that an address names, and whether each of them could be read.

    Their names are those of `HouseRules`, a pot being `pot` (on or off), `ante` and `winning_bid`;
    a part of it that is not named is as in `house`. Whether one can play by them all together is
    the rules' to say.
    """
    readers = {
        "minimum": _whole,
        "step": _whole,
        "roundhouse": _whole,
        "dealer_bid": lambda text: _whole(text) if text else None,
        "forties_and_nineties": _switch,
        "spades_double": _switch,
        "counting": cards.Counting,
        "fourth": auction.Fourth,
        "sitter": auction.Sitter,
        "stakes": _stakes,
    }
    named = [name for name in readers if name in query]
    found: dict[str, Any] = {}
    for name in named:
        with suppress(ValueError):
            found[name] = readers[name](query[name])
    pot, pot_readable = _asked_pot(query, house)
    return found | pot, len(found) == len(named) and pot_readable


def _asked_pot(query: Mapping[str, str], house: auction.HouseRules) -> tuple[dict[str, Any], bool]:
    wanted = query.get("pot", "").lower()
    if wanted in NO:
        return {"pot": None}, True
    parts = {name: query[name] for name in ("ante", "winning_bid") if name in query}
    if not parts and wanted not in YES:
        return {}, "pot" not in query
    pot, readable = house.pot or auction.Pot(), True
    for name, text in parts.items():
        try:
            pot = dataclasses.replace(pot, **{name: _whole(text)})
        except ValueError:  # a RuleError is one too
            readable = False
    return {"pot": pot}, readable


def _whole(text: str) -> int:
    return numbers.whole(text, most=numbers.MOST_TYPED)


def _switch(text: str) -> bool:
    if text.lower() not in (*YES, *NO):
        raise ValueError(text)
    return text.lower() in YES


def _stakes(text: str) -> tuple[tuple[int, int], ...]:
    rows = [row.split(":") for row in text.split(",", MOST_ROWS)]
    return tuple((_whole(bid), _whole(units)) for bid, units in rows)
