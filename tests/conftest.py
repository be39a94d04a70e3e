"""What tests of all kinds share."""

from __future__ import annotations

import sys

import pytest
from hypothesis import settings

# The same examples on every machine: a red run means the change, not the dice.
settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")


@pytest.fixture(autouse=True)
def _nobody_is_slowed():
    """Forget in every test what a process remembers: who is slowed, heard of, or a proxy."""
    yield
    # Django is not there for the tests of the rules.
    for name in ("sheets.slowing", "sheets.proxies", "sheets.presence", "sheets.outages"):
        if module := sys.modules.get(name):
            module.forget()
