"""What is kept in memory: none of it grows for good with what visitors ask for."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest
from django.test import Client
from django.urls import reverse

import rules
import sheets
from rules import auction
from rules.auction import HouseRules
from rules.auction_house import CACHED_HOUSES
from sheets.forms.auction import stakes

# Kept by what the program itself is made of, or by a few small numbers that the rules check.
FEW = {f"sheets.imports.decoding.{name}" for name in ("_form", "_fields", "_names")} | {
    "rules.meld_limits._plain",
    "rules.meld_limits._trumps",
}


def caches():
    """Every function of ours that keeps what it returned, by its name."""
    found = {}
    for package in (rules, sheets):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" in module.name:
                continue
            for one in vars(importlib.import_module(module.name)).values():
                while hasattr(one, "__wrapped__") and not hasattr(one, "cache_info"):
                    one = one.__wrapped__
                if hasattr(one, "cache_info"):
                    found[f"{one.__module__}.{one.__name__}"] = one
    return found


def test_every_cache_that_is_asked_by_others_has_a_size():
    found = caches()
    assert "rules.auction_bids.legal_bids" in found
    assert "sheets.forms.auction._look_up" in found
    endless = {name for name, one in found.items() if one.cache_parameters()["maxsize"] is None}
    asked = {name for name in endless if inspect.signature(found[name]).parameters}
    assert asked == FEW


@pytest.mark.django_db
def test_house_rules_that_a_visitor_makes_up_are_not_kept_for_good():
    address = reverse("sheets:table_new")
    assert Client().get(address, {"stakes": "250:1,350:77"}).status_code == 200
    for units in range(1, CACHED_HOUSES + 10):
        house = HouseRules(stakes=((250, units),))
        stakes(house)
        auction.legal_bids(house)
    found = caches()
    for name in ("rules.auction_bids.legal_bids", "sheets.forms.auction._look_up"):
        assert found[name].cache_info().currsize == CACHED_HOUSES
