"""Hands are entered while the server is killed; the long form is `bench/crash.py`.

On SQLite, and on PostgreSQL where DATABASE_URL names one.
"""

from __future__ import annotations

import pytest

from tests.server.crashing import Crashes, check

pytestmark = pytest.mark.on_postgresql

HANDS = 60


def test_every_hand_that_was_acknowledged_is_there_once_whenever_the_server_dies(
    new_folder, database
):
    crashes = Crashes(new_folder(), **database)
    try:
        crashes.sit_down(tables=3, phones=2)
        crashes.run(HANDS, every=20)
    finally:
        crashes.stop()
    assert crashes.kills >= 2
    assert check(crashes, **database) == HANDS
