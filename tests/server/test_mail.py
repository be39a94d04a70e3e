"""Messages against mail servers: one works, one never answers, one is not there."""

from __future__ import annotations

import contextlib
import socketserver
import threading
import time

import pytest

from tests.server.conftest import free_port

ACCOUNT = {"name": "Mara", "email": "mara@club.example", "password": "correct horse battery"}
SOON = 1.0  # seconds, on a machine that does other things as well


class Works(socketserver.StreamRequestHandler):
    """As much of SMTP as one message takes."""

    def handle(self):
        self.say("220 here")
        for line in self.rfile:
            match line.split()[0].upper():
                case b"DATA":
                    self.say("354 go on")
                    lines = iter(self.rfile.readline, b".\r\n")
                    self.server.got.append(b"".join(lines).decode())
                    self.say("250 taken")
                    self.server.came.set()
                case b"QUIT":
                    return self.say("221 bye")
                case _:
                    self.say("250 fine")

    def say(self, line):
        self.wfile.write(f"{line}\r\n".encode())


class NeverAnswers(socketserver.StreamRequestHandler):
    """Takes the connection and says nothing until the other side gives up."""

    def handle(self):
        self.server.came.set()
        self.rfile.read()


@contextlib.contextmanager
def mail_server(handler):
    class Threads(socketserver.ThreadingTCPServer):
        daemon_threads, allow_reuse_address = True, True

    with Threads(("127.0.0.1", 0), handler) as server:
        server.got, server.came = [], threading.Event()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def running_with(serve):
    """A server that sends its mail to a port, with Mara's account on it."""

    def start(port):
        host = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": str(port), "EMAIL_TLS": "False"}
        server = serve(**host).wait()
        assert server.other_phone().ask("POST", "/account/new/", ACCOUNT).status == 303
        return server

    return start


def asks(server, email="mara@club.example", address="192.0.2.1"):
    """Ask for a reset from an address, and return how many seconds the answer took."""
    began = time.monotonic()
    answer = server.other_phone().ask(
        "POST", "/account/reset/", {"email": email}, **{"X-Forwarded-For": address}
    )
    assert (answer.status, answer.headers["Location"]) == (302, "/account/reset/sent/")
    return time.monotonic() - began


def test_a_message_arrives(running_with):
    with mail_server(Works) as mails:
        server = running_with(mails.server_address[1])
        asks(server, "nobody@club.example")
        asks(server)
        assert mails.came.wait(10)
        server.stop()
        [message] = mails.got
    assert "To: mara@club.example" in message
    assert "/account/reset/" in message


def test_a_mail_server_that_never_answers_holds_up_nobody(running_with):
    with mail_server(NeverAnswers) as mails:
        server = running_with(mails.server_address[1])
        asks(server)
        assert mails.came.wait(10)
        # As many as there are threads for pages, from as many addresses.
        known = [asks(server, address=f"192.0.2.{n}") for n in range(10, 18)]
        unknown = asks(server, "nobody@club.example")
        began = time.monotonic()
        assert server.ask("GET", "/").status == 200
        assert time.monotonic() - began < SOON
        assert max(*known, unknown) < SOON
        assert server.stop() < 6


def test_a_mail_server_that_is_not_there_is_a_line_in_the_log(running_with):
    server = running_with(free_port())
    assert asks(server) < SOON
    assert server.process.stdout is not None
    line = server.process.stdout.readline()
    while "A message was not sent" not in line:
        line = server.process.stdout.readline()
    assert "ConnectionRefusedError" in line
    server.stop()
