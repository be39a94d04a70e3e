"""A PostgreSQL that comes late, goes away while nobody asks, and comes back."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import urllib.parse

import psycopg
import pytest

from tests.server.conftest import Server, free_port

pytestmark = pytest.mark.on_postgresql


class Wire:
    """A port that leads to a database while it is plugged in."""

    def __init__(self, address):
        with psycopg.connect(address) as database:
            info = database.info
            self.to = (info.host, info.port)
        self.port = free_port()
        self.ends = []
        parts = urllib.parse.urlsplit(address)
        user = parts.netloc.rpartition("@")[0] or "postgres"
        self.address = f"postgres://{user}@127.0.0.1:{self.port}{parts.path}"

    def plug_in(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.accepts = threading.Thread(target=self._accept, args=(self.listener,))
        self.accepts.start()

    def pull(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.cut()
        self.accepts.join()
        self.listener.close()

    def cut(self):
        """Break the connections there are, as a restart of PostgreSQL does."""
        for end in self.ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.ends.clear()

    def _accept(self, listener):
        with contextlib.suppress(OSError), contextlib.ExitStack() as closed:
            while True:
                near = closed.enter_context(listener.accept()[0])
                host, port = self.to
                if host.startswith("/"):
                    far = closed.enter_context(socket.socket(socket.AF_UNIX))
                    far.connect(f"{host}/.s.PGSQL.{port}")
                else:
                    far = closed.enter_context(socket.create_connection((host, port)))
                self.ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    @staticmethod
    def _carry(one, other):
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def wire(own_postgres):
    return Wire(own_postgres)


def test_a_server_waits_for_postgresql_and_outlives_its_restart(new_folder, wire):
    server = Server(new_folder(), free_port(), DATABASE_URL=wire.address)
    try:
        assert server.process.stdout.readline().startswith(
            "Waiting a minute at most for PostgreSQL: connection failed"
        )
        wire.plug_in()
        server.wait()
        table = server.start_table()
        for _ in range(8):  # all threads have their connections
            assert server.ask("GET", table).status == 200
        wire.cut()
        for _ in range(8):
            assert server.ask("GET", table).status == 200
        assert server.enter_hand(table).status == 303
        wire.pull()
        gone = server.ask("GET", table)
        assert (gone.status, gone.headers["Retry-After"]) == (503, "10")
        assert "The server cannot reach its database. Try again in a minute." in gone.text
        wire.plug_in()
        assert server.ask("GET", table).status == 200
    finally:
        server.process.terminate()
        said, _ = server.process.communicate(timeout=20)
        wire.pull()
    assert "Traceback" not in said
    assert "The database does not answer: " in said


def test_more_threads_than_postgresql_has_connections_are_refused(new_folder, own_postgres):
    server = Server(new_folder(), free_port(), DATABASE_URL=own_postgres, PAGE_THREADS="1000")
    said, _ = server.process.communicate(timeout=60)
    assert server.process.returncode == 1
    assert said.startswith("PAGE_THREADS is 1000, and each keeps a connection; this PostgreSQL")
    assert said.count("\n") == 1
    assert os.environ["DATABASE_URL"]
