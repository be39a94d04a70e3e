"""What the settings promise of the database and of what is left to do."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection

from squarescores.settings import env_number


@pytest.mark.django_db
def test_an_answered_hand_survives_a_pulled_plug():
    """SQLite waits for the disk on every commit; PostgreSQL does by default."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            full = cursor.execute("PRAGMA synchronous").fetchone()
            mode = cursor.execute("PRAGMA journal_mode").fetchone()
        assert (full, mode) == ((2,), ("wal",))
        assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    else:
        assert connection.settings_dict.get("OPTIONS", {}).get("options") is None


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize(("value", "days"), [("", 400), ("0", 0), ("30", 30)])
def test_the_days_until_a_purge_are_read_from_the_environment(monkeypatch, value, days):
    monkeypatch.setenv("PURGE_AFTER_DAYS", value)
    assert env_number("PURGE_AFTER_DAYS", 400, least=0) == days


@pytest.mark.parametrize("value", ["never", "-1", "1.5", "40000"])
def test_days_that_are_none_are_said_in_a_sentence(monkeypatch, value):
    monkeypatch.setenv("PURGE_AFTER_DAYS", value)
    with pytest.raises(ImproperlyConfigured, match="must be a whole number of 0 or more"):
        env_number("PURGE_AFTER_DAYS", 400, least=0)
