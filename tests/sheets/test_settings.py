"""What the settings promise of the database and of what is left to do."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection


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
