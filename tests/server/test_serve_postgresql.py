"""The same server on PostgreSQL; runs where DATABASE_URL names one."""

from __future__ import annotations

import psycopg


def test_database_url_switches_to_postgresql(serve, postgres, tmp_path):
    server = serve(DATABASE_URL=postgres).wait()
    table = server.start_table()
    assert server.enter_hand(table).status == 303
    assert not (tmp_path / "db.sqlite3").exists()
    with psycopg.connect(postgres) as database:
        assert database.execute("SELECT sum(units) FROM sheets_entry").fetchone() == (2,)
