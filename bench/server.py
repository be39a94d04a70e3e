"""The server as `make run` starts it, on loopback, with a folder and a database of its own."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import django

ROOT = Path(__file__).parent.parent
_KEPT = ("PATH", "HOME", "LANG", "PAGE_THREADS")


class Server:
    """A running server: what it costs, and what it has said."""

    def __init__(self, command: list[str], env: dict[str, str], port: int, folder: Path) -> None:
        self.port = port
        self._log = folder / f"log-{port}"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=env, stdout=log, stderr=subprocess.STDOUT
            )
        until = time.monotonic() + 60
        while True:
            # The port is taken before the database is made: only an answer says it is there.
            with (
                contextlib.suppress(OSError),
                socket.create_connection(("127.0.0.1", port), 60) as asking,
            ):
                asking.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                if asking.recv(1):
                    return
            if self._process.poll() is not None or time.monotonic() > until:
                sys.exit(f"The server did not start:\n{self.said}")
            time.sleep(0.1)

    @property
    def said(self) -> str:
        """What it has printed and logged."""
        return self._log.read_text(errors="replace")

    @property
    def kib(self) -> int:
        """The memory it holds."""
        return int(self._status("VmRSS"))

    @property
    def threads(self) -> int:
        return int(self._status("Threads"))

    @property
    def cpu(self) -> float:
        """The seconds of processor time it has used."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> float:
        """Stop it as an operator would; return how long that took."""
        began = time.monotonic()
        self._process.terminate()
        self._process.wait(30)
        return time.monotonic() - began

    def _status(self, name: str) -> str:
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return status.partition(f"{name}:")[2].split()[0]


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """Start the server on an empty database, and set up Django here on the same one.

    SQLite, or with DATABASE_URL a new database of that PostgreSQL. Once in a process.
    """
    with tempfile.TemporaryDirectory() as folder, _database() as url:
        port = free_port()
        ours = {"VAR_DIR": folder, "SECRET_KEY": secrets.token_urlsafe(50), "PORT": str(port)}
        ours |= {"DATABASE_URL": url} if url else {}
        os.environ.pop("DATABASE_URL", None)
        os.environ.update(ours, DJANGO_SETTINGS_MODULE="squarescores.settings")
        env = {name: os.environ[name] for name in (*_KEPT, *ours) if name in os.environ}
        server = Server([sys.executable, "-m", "squarescores.serve"], env, port, Path(folder))
        django.setup()
        try:
            yield server
        finally:
            _disconnect()
            server.stop()


@contextlib.contextmanager
def bare() -> Iterator[Server]:
    """Start the same HTTP server with next to nothing in it: the least a stream can cost."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [sys.executable, "-m", "uvicorn", "bench.bare:application", "--loop", "uvloop"]
        command += ["--http", "httptools", "--ws", "none", "--lifespan", "off"]
        command += ["--no-access-log", "--timeout-graceful-shutdown", "1", "--port", str(port)]
        env = {name: os.environ[name] for name in _KEPT if name in os.environ}
        server = Server(command, env, port, Path(folder))
        try:
            yield server
        finally:
            server.stop()


@contextlib.contextmanager
def _database() -> Iterator[str]:
    """Make a database on the PostgreSQL that DATABASE_URL names; none: SQLite."""
    url = os.getenv("DATABASE_URL")
    if not url:
        yield ""
        return
    import psycopg

    name = f"bench_{secrets.token_hex(4)}"
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    yield urllib.parse.urlsplit(url)._replace(path=f"/{name}").geturl()
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _disconnect() -> None:
    from django.db import connections

    connections.close_all()
