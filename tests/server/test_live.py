"""Streams of the real server: on SQLite, and on PostgreSQL where DATABASE_URL names one."""

from __future__ import annotations

import contextlib
import pathlib
import re

import psycopg
import pytest

from tests.server.streams import Stream, joined, opens_soon, record, status_of, stream_of

pytestmark = pytest.mark.on_postgresql


def threads_of(server):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    found = re.search(r"^Threads:\s+(\d+)$", status, re.MULTILINE)
    assert found is not None
    return int(found[1])


def test_a_hand_is_told_with_its_version_and_only_to_its_table(server):
    table, other = server.start_table(), server.start_table()
    with (
        Stream(server, stream_of(server, table)) as mine,
        Stream(server, stream_of(server, other)) as theirs,
    ):
        assert mine.hear() == theirs.hear() == ("hello", "15")
        assert server.enter_hand(table).status == 303
        assert mine.hears_of(2)
        assert server.enter_hand(table).status == 303
        assert mine.hears_of(3)
        assert server.enter_hand(other).status == 303
        assert theirs.hears_of(2)
        assert mine.hears_nothing()


def test_a_hand_that_another_process_writes_is_told_too(server):
    table = server.start_table()
    with Stream(server, stream_of(server, table)) as stream:
        assert stream.hear() == ("hello", "15")
        version = record(server, table, "dealer_set")
        assert stream.hears_of(version)


@pytest.mark.parametrize(
    ("kind", "after", "ended"),
    [
        ("code_changed", {"watch": True}, True),
        ("code_changed", None, False),
        ("phone_removed", {"member": 0}, True),  # whoever it was, it knew the watch link
        ("joining_locked", None, False),
    ],
)
def test_watchers_are_out_when_their_link_changes(server, signed, kind, after, ended):
    table = server.start_table()
    number = stream_of(server, table).removeprefix("/live/").partition(".")[0]
    who = f"{number}.:1"
    with (
        Stream(server, stream_of(server, table)) as member,
        Stream(server, signed(who)) as watcher,
    ):
        assert member.hear() == watcher.hear() == ("hello", "15")
        version = record(server, table, kind, after)
        assert member.hears_of(version)
        assert watcher.hear() is None if ended else watcher.hears_of(version)
    assert status_of(server, signed(who)) == (401 if ended else 200)


def test_who_is_taken_out_hears_nothing_more(server):
    table = server.start_table()
    second, member = joined(server, table)
    path = stream_of(second, table)
    with Stream(server, stream_of(server, table)) as stays, Stream(second, path) as goes:
        assert stays.hear() == goes.hear() == ("hello", "15")
        version = record(server, table, "phone_removed", {"member": member})
        assert goes.hear() is None
        assert stays.hears_of(version)
    assert status_of(second, path) == 401
    # Once it is let back in its pages carry fresher tokens, and those open.
    assert opens_soon(second, table)
    assert status_of(second, path) == 401


def test_who_is_out_stays_out_of_a_server_that_starts_again(serve, database):
    first = serve(**database).wait()
    table = first.start_table()
    second, member = joined(first, table)
    path = stream_of(second, table)
    record(first, table, "phone_removed", {"member": member})
    first.stop()
    again = serve(**database).wait()
    assert status_of(again, path) == 401


def test_streams_take_neither_threads_nor_connections(server, database):
    path = stream_of(server, server.start_table())
    with contextlib.ExitStack() as stack:
        threads, before = threads_of(server), connections_to(database)
        streams = [stack.enter_context(Stream(server, path)) for _ in range(100)]
        assert [stream.hear() for stream in streams] == [("hello", "15")] * 100
        assert threads_of(server) < threads + 10
        assert connections_to(database) <= before + 1


def connections_to(database):
    """Count the connections to a PostgreSQL database; SQLite has none to count."""
    if not database:
        return 0
    with psycopg.connect(database["DATABASE_URL"]) as asking:
        found = asking.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchone()
    assert found is not None
    return found[0]
