"""Starts the server as `make run` does: a real process on a real port."""

from __future__ import annotations

import contextlib
import copy
import fcntl
import http.client
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import uuid

import psycopg
import pytest
from django.core import signing

ROOT = pathlib.Path(__file__).parent.parent.parent
TOKEN = "t" * 32  # any secret does for CSRF, as long as cookie and header agree
LEFT_OUT = ("DATABASE_URL", "PUBLIC_URL", "SECRET_KEY", "SECRET_KEY_FILE", "ALLOWED_HOSTS")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, cookies, method, path, fields=None, **headers):
    """Send a request on a connection of its own; return its answer with the body read."""
    body = urllib.parse.urlencode(fields) if fields else None
    sent = {
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "X-CSRFToken": TOKEN,
        "Content-Type": "application/x-www-form-urlencoded",
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with contextlib.closing(connection):
        connection.request(method, path, body, sent | headers)
        answer = connection.getresponse()
        answer.text = answer.read().decode(errors="replace")
    return answer


class Server:
    """One run of the server; requests keep its cookies, as one phone would."""

    def __init__(self, var, port, **env):
        self.port = port
        kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
        kept |= {"VAR_DIR": str(var), "PORT": str(port)} | env
        kept.pop("DJANGO_SETTINGS_MODULE", None)
        self.env = kept
        self.process = subprocess.Popen(
            [sys.executable, "-m", "squarescores.serve"],
            cwd=ROOT,
            env=kept,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.neighbours = []  # processes that write to its database
        self.said = ""
        self.cookies = {"csrftoken": TOKEN}

    def wait(self):
        """Read what it prints until it serves; fail with what it said when it does not."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if "Ctrl-C" in line:
                return self
        raise AssertionError(f"the server did not start:\n{self.said}")

    def ask(self, method, path, fields=None, **headers):
        """Send a request; return its answer with the body read."""
        answer = ask(self.port, self.cookies, method, path, fields, **headers)
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def start_table(self):
        """Start a table and return its address."""
        fields = {
            "key": uuid.uuid4(),
            "seen": 0,
            "first_dealer": 0,
            "this_phone": 0,
            "name_0": "Alice",
            "name_1": "Ben",
            "name_2": "Cass",
        }
        answer = self.ask("POST", "/tables/new/", fields)
        assert answer.status == 303, answer.text
        return answer.headers["Location"]

    def enter_hand(self, table):
        """Enter Ben's 320 in hearts, made, through the form the page holds."""
        page = self.ask("GET", table).text
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
        ben = re.search(r'name="bidder" value="(\d+)"[^>]*><span><bdi translate="no">Ben<', page)
        assert ben is not None
        fields |= {"by": "result", "bidder": ben[1], "bid": 320, "trump": "hearts"}
        return self.ask("POST", f"{table}hands/new/", fields | {"outcome": "made"})

    def other_phone(self):
        """Return the same server as a phone sees it that has no cookies of it yet."""
        phone = copy.copy(self)
        phone.cookies = {"csrftoken": TOKEN}
        return phone

    def stop(self, how=signal.SIGTERM):
        """End the process; return how long that took."""
        for neighbour in self.neighbours:
            neighbour.communicate(timeout=20)
        self.neighbours.clear()
        began = time.monotonic()
        self.process.send_signal(how)
        self.process.communicate(timeout=20)
        return time.monotonic() - began


@pytest.fixture(scope="session")
def first_start(tmp_path_factory):
    """What a first start on SQLite makes, once for all processes of a run: it takes the longest."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    made = shared / "first-start"
    with open(shared / "first-start.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            made.mkdir()
            Server(made, free_port()).wait().stop()
    return made


@pytest.fixture(scope="session")
def new_folder(request, tmp_path_factory):
    """Make folders for servers, as their first start leaves them where that is on SQLite."""

    def make():
        var = tmp_path_factory.mktemp("var")
        if "DATABASE_URL" not in os.environ:
            shutil.copytree(request.getfixturevalue("first_start"), var, dirs_exist_ok=True)
        return var

    return make


@pytest.fixture(scope="session")
def folder(new_folder):
    """The folder of all servers that tests start and stop, one after the other."""
    return new_folder()


@pytest.fixture(scope="session")
def running_folder(new_folder):
    """The folder of the one server that runs all the while: on SQLite no other may have it."""
    return new_folder()


@pytest.fixture
def serve(folder):
    """Start servers on one folder; whatever still runs at the end is ended."""
    servers = []

    def start(**env):
        server = Server(folder, env.pop("PORT", free_port()), **env)
        servers.append(server)
        return server

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)


@contextlib.contextmanager
def new_database():
    """The address of an empty PostgreSQL database, gone afterwards."""
    server = os.environ["DATABASE_URL"]
    name = f"serve_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    yield urllib.parse.urlsplit(server)._replace(path=f"/{name}").geturl()
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def postgres():
    """A database for the servers of all tests."""
    with new_database() as address:
        yield address


@pytest.fixture
def own_postgres():
    """A database that no other server listens on."""
    with new_database() as address:
        yield address


@pytest.fixture(scope="session")
def database(request):
    """The environment that names the database of the server: PostgreSQL where there is one."""
    if "DATABASE_URL" not in os.environ:
        return {}
    return {"DATABASE_URL": request.getfixturevalue("postgres")}


@pytest.fixture(scope="session")
def running(database, running_folder):
    """One server for all tests that do not stop it; each has tables of its own."""
    server = Server(running_folder, free_port(), **database).wait()
    yield server
    server.stop(signal.SIGKILL)


@pytest.fixture
def server(running):
    """A phone that has joined nothing yet."""
    return running.other_phone()


@pytest.fixture
def signed(running_folder):
    """Sign a token with the server's own key."""
    signer = signing.Signer(key=(running_folder / "secret_key").read_text(), salt="stream")

    def sign(who, age=0):
        return "/live/" + signer.sign(f"{who}:{signing.b62_encode(int(time.time()) - age)}")

    return sign
