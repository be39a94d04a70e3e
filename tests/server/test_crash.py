"""Hands are entered while the server is killed; the long form is `bench/crash.py`."""

from __future__ import annotations

from tests.server.crashing import Crashes, check


def crash(var, hands, every, **env):
    crashes = Crashes(var, **env)
    try:
        crashes.sit_down(tables=3, phones=2)
        crashes.run(hands, every=every)
    finally:
        crashes.stop()
    assert crashes.kills >= 2
    return crashes


def test_every_hand_that_was_acknowledged_is_there_once_whenever_the_server_dies(tmp_path):
    crashes = crash(tmp_path, 240, every=70)
    assert check(crashes) == 240
