"""Clients that send or read slowly, too much, or not to the end: they cost no thread.

The same protocol and the same door as `make run` has, with shorter deadlines, in front of a page
that says what it was handed.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import time

import pytest
import uvicorn
from a2wsgi import WSGIMiddleware
from django.urls import reverse

from squarescores import door
from squarescores.protocol import BoundedProtocol

LARGE = 8 * 1024 * 1024  # bytes; more than a socket keeps


class Protocol(BoundedProtocol):
    HEAD_SECONDS = 0.5
    STUCK_SECONDS = 1.0
    most_connections = 40


@pytest.fixture
def handed(monkeypatch):
    """The bodies that pages were handed."""
    return []


@pytest.fixture
def port(handed, monkeypatch):
    monkeypatch.setattr(door, "BODY_SECONDS", 0.5)

    def page(environ, start_response):
        handed.append(environ["wsgi.input"].read())
        start_response("200 OK", [("Content-Type", "text/plain")])
        if environ["PATH_INFO"] == "/large/":
            return [b"x" * 65536] * (LARGE // 65536)
        return [b"%d bytes" % len(handed[-1])]

    pages = door.Door(WSGIMiddleware(page, workers=1))
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(pages, http=Protocol, ws="none", lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join(10)


def open_with(port, sent=b""):
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(sent)
    return connection


def rest_of(connection):
    """What the server still says before it closes, however it does that."""
    said = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            said += part
    return said


def head(length, path="/"):
    return f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()


def ask(port, path="/"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with contextlib.closing(connection):
        connection.request("GET", path)
        return connection.getresponse().read()


def test_a_body_that_breaks_off_is_handed_to_no_page(port, handed):
    with open_with(port, head(13) + b"Thursday 12") as phone:
        phone.shutdown(socket.SHUT_WR)
        assert rest_of(phone) == b""
    assert ask(port) == b"0 bytes"
    assert handed == [b""]
    with open_with(port, head(13) + b"Thursday 1200") as phone:
        assert phone.recv(1000).startswith(b"HTTP/1.1 200")
    assert handed == [b"", b"Thursday 1200"]


def test_slow_clients_leave_the_one_thread_to_others(port, handed):
    slow = [open_with(port, head(100) + b"half") for _ in range(8)]
    readers = [open_with(port, b"GET /large/ HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(4)]
    heads = [open_with(port, b"GET / HTTP/1.1\r\nX: ") for _ in range(8)]
    silent = [open_with(port) for _ in range(8)]
    began = time.monotonic()
    assert ask(port) == b"0 bytes"
    assert time.monotonic() - began < 5
    assert [rest_of(one).split(b"\r\n")[0] for one in slow] == [b"HTTP/1.1 408 Request Timeout"] * 8
    assert {rest_of(one).split(b"\r\n")[0] for one in heads + silent} == {
        b"HTTP/1.1 408 Request Timeout"
    }
    # What nobody reads is given up; what was sent by then is not all of it.
    time.sleep(2 * Protocol.STUCK_SECONDS)
    assert all(len(rest_of(one)) < LARGE for one in readers)
    for one in slow + readers + heads + silent:
        one.close()


def test_a_large_answer_arrives_whole(port):
    assert ask(port, "/large/") == b"x" * LARGE


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000, b"431"),
        (b"GET /" + b"x" * 40_000, b"431"),
        (head(door.MOST_BODY + 1) + b"x" * (door.MOST_BODY + 1), b"413"),
        (b"nonsense\r\n\r\n", b"400"),
    ],
)
def test_what_is_too_large_or_nonsense_is_refused_in_a_line(port, handed, sent, says):
    with open_with(port, sent) as phone:
        assert rest_of(phone).split(b" ")[1] == says
    assert handed == []


def test_what_an_import_may_send_is_more(port, handed):
    with open_with(
        port, head(door.MOST_BODY + 1, reverse("sheets:club_import", args=["x"]))
    ) as phone:
        phone.sendall(b"x" * (door.MOST_BODY + 1))
        assert phone.recv(1000).startswith(b"HTTP/1.1 200")
    assert [len(body) for body in handed] == [door.MOST_BODY + 1]


def test_requests_behind_one_another_are_all_answered(port):
    """Also where a head begins in the packet that ends the one before."""
    with open_with(port, (head(4) + b"four") * 3) as phone:
        said = b""
        while said.count(b"4 bytes") < 3:
            said += phone.recv(65536)


def test_more_connections_than_may_be_are_closed(port):
    there = [open_with(port) for _ in range(Protocol.most_connections)]
    with open_with(port) as late:
        assert rest_of(late) == b""
    for one in there:
        one.close()
    assert ask(port) == b"0 bytes"
