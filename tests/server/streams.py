"""A phone's stream over a plain socket, and what other processes do to the same database."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time

from sheets.access import COOKIE
from tests.server.conftest import ROOT

ELSEWHERE = """
import json, sys, uuid
import django
django.setup()
from sheets import codes
from sheets.actions.answers import Saved
from sheets.actions.writing import Write, action
from sheets.models import ChangeKind, Member, Table

@action
def write_down(at, kind, after):
    return at.record(ChangeKind(kind), after=after)

def record(table, kind, after):
    first = table.members.get(number=1)
    write = Write(table=table.pk, key=uuid.uuid4(), seen=table.seen, phone=first.phone)
    answer = write_down(write, kind, after)
    assert isinstance(answer, Saved), answer
    return str(answer.change.version)

def join(table):
    secret = codes.new_phone()
    member = Member.objects.create(table=table, phone=codes.phone_hash(secret), number=2)
    return secret, member.pk

for line in sys.stdin:
    what, public_id, *given = json.loads(line)
    done = globals()[what](Table.objects.get(public_id=public_id), *given)
    print(json.dumps(done), flush=True)
"""


def elsewhere(server, what, table, *given):
    """Do something to a table from another process, as manage.py would; return what it answers."""
    if not server.neighbours:
        server.neighbours.append(
            subprocess.Popen(
                [sys.executable, "-c", ELSEWHERE],
                cwd=ROOT,
                env=server.env | {"DJANGO_SETTINGS_MODULE": "squarescores.settings"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
    (process,) = server.neighbours
    print(json.dumps([what, table.split("/")[2], *given]), file=process.stdin, flush=True)
    answer = process.stdout.readline()
    assert answer, "the other process ended; what it said stands above"
    return json.loads(answer)


def record(server, table, kind, after=None):
    """Record a change from another process; return the version it made, as a stream tells it."""
    return elsewhere(server, "record", table, kind, after)


def joined(server, table):
    """Return a second phone at the table and the key of its membership."""
    secret, member = elsewhere(server, "join", table)
    phone = server.other_phone()
    phone.cookies[COOKIE] = secret
    return phone, member


def stream_of(phone, table):
    """Return the address of the stream that a phone's page of the table names."""
    found = re.search(r'data-stream="([^"]+)"', phone.ask("GET", table).text)
    assert found is not None
    return found[1]


class Stream:
    """What a phone hears; `status` and `headers` are those of the answer."""

    def __init__(self, server, path, method="GET"):
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        self._socket.sendall(
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode()
        )
        self._file = self._socket.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        self.headers = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode().partition(":")
            self.headers[name.lower()] = value.strip()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._file.close()
        self._socket.close()

    def hear(self, within=10):
        """Return the next event as (name, data), or None once the stream is ended."""
        self._socket.settimeout(within)
        size = int(self._file.readline(), 16)
        fields = dict(
            line.split(": ", 1) for line in self._file.read(size).decode().splitlines() if line
        )
        self._file.readline()
        return (fields["event"], fields["data"]) if size else None

    def hears_of(self, version):
        """Say whether this version comes next. A slow notice may name older ones before it."""
        while (heard := self.hear()) and heard[0] == "version":
            if (got := int(re.split("[ -]", heard[1])[1])) >= int(version):
                return got == int(version)
        return False

    def hears_nothing(self, within=0.3):
        """Say whether nothing comes for a while; the stream is of no use afterwards."""
        self._socket.settimeout(within)
        try:
            self._file.readline()
        except TimeoutError:
            return True
        return False


def status_of(server, path, method="GET"):
    """Return how the server answers; a stream that opens is left at once."""
    with Stream(server, path, method) as stream:
        return stream.status


def opens_soon(phone, table):
    """Say whether a phone with fresh pages gets a stream within some seconds."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        if status_of(phone, stream_of(phone, table)) == 200:
            return True
        time.sleep(0.2)
    return False
