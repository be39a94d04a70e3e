"""What of the streams depends on no database: how they are asked for, and how they end."""

from __future__ import annotations

import contextlib

import pytest

from sheets.live import tokens
from sheets.live.stream import MOST
from tests.server.streams import Stream, status_of, stream_of


def test_nobody_on_the_way_may_keep_or_compress_a_stream(server):
    with Stream(server, stream_of(server, server.start_table())) as stream:
        assert stream.status == 200
        assert stream.headers["content-type"] == "text/event-stream"
        assert stream.headers["cache-control"] == "no-cache, no-transform"
        assert stream.headers["x-accel-buffering"] == "no"
        assert stream.headers["content-encoding"] == "identity"


def test_a_token_that_is_forged_or_too_old_opens_nothing(server, signed):
    path = stream_of(server, server.start_table())
    name, version, made, signature = path.removeprefix("/live/").split(":")
    who = f"{name}:{version}"
    assert status_of(server, signed(who)) == 200
    assert status_of(server, signed(who, age=tokens.LASTS + 2)) == 401
    assert status_of(server, path[:-1] + ("A" if path[-1] != "A" else "B")) == 401
    assert status_of(server, f"/live/{who}0:{made}:{signature}") == 401
    for nothing in ("/live/", "/live/1.1", "/live/a:b:c", "/live/%00"):
        assert status_of(server, nothing) == 401


def test_one_stream_is_for_several_tables(server, signed):
    tables = [server.start_table() for _ in range(3)]
    *two, third = (stream_of(server, table).removeprefix("/live/") for table in tables)
    old = signed(third.partition(":")[0] + ":1", age=tokens.LASTS + 2).removeprefix("/live/")
    with Stream(server, "/live/" + ",".join([*two, old, "1.1\nevent: x:a:b", "nothing"])) as stream:
        assert stream.hear() == ("hello", "15")
        assert stream.hear() == ("out", third.partition(":")[0])  # it fetches a fresh one
        for table, token in zip(tables, two, strict=False):
            assert server.enter_hand(table).status == 303
            name, data = stream.hear()
            assert (name, data.partition("-")[0]) == ("version", f"{token.partition('.')[0]} 2")
    assert status_of(server, f"/live/{old},{old}") == 401
    assert status_of(server, "/live/" + ",".join([two[0]] * MOST)) == 200
    assert status_of(server, "/live/" + ",".join([two[0]] * (MOST + 1))) == 400


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "OPTIONS"])
def test_a_stream_is_only_got(server, method):
    path = stream_of(server, server.start_table())
    with Stream(server, path, method) as answer:
        assert answer.status == 405
        assert answer.headers["allow"] == "GET"


def test_a_restart_does_not_wait_for_open_streams(serve):
    server = serve().wait()
    path = stream_of(server, server.start_table())
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(Stream(server, path)) for _ in range(20)]
        assert [stream.hear() for stream in streams] == [("hello", "15")] * 20
        assert server.stop() < 3
        assert [stream.hear() for stream in streams] == [None] * 20
