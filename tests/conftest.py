"""What tests of all kinds share."""

from __future__ import annotations

from hypothesis import settings

# The same examples on every machine: a red run means the change, not the dice.
settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")
