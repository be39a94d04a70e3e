"""What only PostgreSQL has: a LISTEN connection that can be lost, and several processes."""

from __future__ import annotations

import json
import uuid

import psycopg
import pytest

from tests.server.streams import Stream, joined, status_of, stream_of

pytestmark = pytest.mark.on_postgresql

LISTENING = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'squarescores live'
"""
# What nobody sends a notice of: only a process that looks for itself will know.
UNTOLD = """
    INSERT INTO sheets_change
        (table_id, version, kind, member_id, system, after, reason, at, key, fingerprint, by)
    SELECT table_id, version + 1, 'phone_removed', member_id, system, %s, '', now(), %s, '', ''
    FROM sheets_change
    WHERE table_id = (SELECT id FROM sheets_table WHERE public_id = %s)
"""


def test_after_a_lost_connection_everybody_looks_and_hears_again(serve, own_postgres):
    server = serve(DATABASE_URL=own_postgres).wait()
    table, other = server.start_table(), server.start_table()
    second, member = joined(server, table)
    path = stream_of(second, table)
    with (
        Stream(server, stream_of(server, table)) as mine,
        Stream(server, stream_of(server, other)) as theirs,
        Stream(second, path) as goes,
    ):
        assert mine.hear() == theirs.hear() == goes.hear() == ("hello", "15")
        with psycopg.connect(own_postgres, autocommit=True) as database:
            database.execute(
                UNTOLD, [json.dumps({"member": member}), uuid.uuid4(), table.split("/")[2]]
            )
            assert database.execute(LISTENING).fetchall() == [(True,)]
        assert mine.hear() == theirs.hear() == ("look", "now")
        assert goes.hear() is None
        assert status_of(second, path) == 401
        assert server.enter_hand(other).status == 303
        assert theirs.hears_of(2)
        with psycopg.connect(own_postgres) as database:
            assert len(database.execute(LISTENING).fetchall()) == 1


def test_every_process_hears_of_what_any_of_them_saves(serve, postgres):
    first = serve(DATABASE_URL=postgres).wait()
    second = serve(DATABASE_URL=postgres).wait()
    table = first.start_table()
    path = stream_of(first, table)
    with Stream(first, path) as here, Stream(second, path) as there:
        assert here.hear() == there.hear() == ("hello", "15")
        assert first.enter_hand(table).status == 303
        assert here.hears_of(2)
        assert there.hears_of(2)
    assert second.stop() < 3
    with Stream(first, path) as here:
        assert here.hear() == ("hello", "15")
        assert first.enter_hand(table).status == 303
        assert here.hears_of(3)
