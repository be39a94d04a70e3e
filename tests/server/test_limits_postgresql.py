"""What PostgreSQL ends by itself, whatever other sessions do."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection

from sheets import outages
from sheets.outages import Trouble

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]


def test_a_statement_without_an_end_is_given_up():
    limits = "SELECT setting FROM pg_settings WHERE name = ANY(%s) ORDER BY name"
    names = ["statement_timeout", "idle_in_transaction_session_timeout"]
    with connection.cursor() as cursor:
        cursor.execute(limits, [names])
        assert cursor.fetchall() == [("30000",), ("30000",)]
        cursor.execute("SET statement_timeout = '50ms'")
        with pytest.raises(DatabaseError) as raised:
            cursor.execute("SELECT pg_sleep(10)")
        cursor.execute("SET statement_timeout = '30s'")
    assert outages.trouble(raised.value) is Trouble.BUSY
