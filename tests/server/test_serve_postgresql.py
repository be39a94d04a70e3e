"""The same server on PostgreSQL; runs where DATABASE_URL names one."""

from __future__ import annotations

import psycopg
import pytest

pytestmark = pytest.mark.on_postgresql

STORED = """
    SELECT sum(units) FROM sheets_entry
    JOIN sheets_round ON sheets_round.id = round_id
    JOIN sheets_sheet ON sheets_sheet.id = sheets_round.sheet_id
    JOIN sheets_table ON sheets_table.id = table_id
    WHERE sheets_table.public_id = %s
"""


def test_database_url_switches_to_postgresql(server, postgres, running_folder):
    table = server.start_table()
    assert server.enter_hand(table).status == 303
    assert not (running_folder / "db.sqlite3").exists()
    with psycopg.connect(postgres) as database:
        assert database.execute(STORED, [table.split("/")[2]]).fetchone() == (2,)
