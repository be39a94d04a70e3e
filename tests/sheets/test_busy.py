"""Somebody else holds the database: looking goes on, a write gets a sentence in time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time

import psycopg
import pytest
from django.db import OperationalError, connection
from pytest_django.asserts import assertContains

from sheets import outages
from sheets.models import Round
from sheets.outages import Trouble
from squarescores import asgi
from squarescores.settings import postgresql
from tests.sheets.test_full_disk import HTMX, log  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]


@contextlib.contextmanager
def another_program(table):
    """Hold what a write of this table needs, from a connection that is nothing of ours."""
    if connection.vendor == "sqlite":
        path = connection.settings_dict["NAME"]
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
        return
    params = connection.get_connection_params()
    names = ("host", "port", "user", "password", "dbname")
    with psycopg.connect(**{name: params[name] for name in names if name in params}) as other:
        other.execute("SELECT 1 FROM sheets_table WHERE id = %s FOR UPDATE", [table.pk])
        yield


@pytest.fixture
def hurry(settings):
    """Let writes wait for a fifth of a second."""
    settings.WAIT_FOR_LOCK = 0.2
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
    yield
    connection.close()


def test_a_write_that_gets_no_lock_is_told_so_and_looking_goes_on(
    game,
    alice,
    hurry,
    log,  # noqa: F811
):
    alice.raise_request_exception = False
    hand = game.fields()
    with another_program(game.table):
        began = time.monotonic()
        refused = alice.post(game.url("hands/new/"), hand, headers=HTMX)
        assert 0.2 <= time.monotonic() - began < 2
        assertContains(refused, "What you typed is kept.", status_code=503)
        assert (refused["Trouble"], refused["Retry-After"]) == ("busy", "5")
        assert not {"Refused", "Saved"} & set(refused.headers)
        plain = alice.post(game.url("hands/new/"), hand)
        assertContains(plain, "<h2>Not saved</h2>", status_code=503)
        for address in ("", "phones/", "history/"):
            assert alice.get(game.url(address)).status_code == 200
    [line] = [record.getMessage() for record in log.records]
    assert line.startswith("A request waited too long for the database: ")
    assert alice.post(game.url("hands/new/"), hand).status_code == 303
    assert Round.objects.count() == 1


def test_a_write_that_finds_no_free_thread_in_time_is_told_so(settings):
    settings.WAIT_FOR_LOCK = 0.1
    said = []

    async def send(message):
        said.append(message)

    async def play():
        done = asyncio.Event()

        async def page(scope, receive, send):
            await done.wait()

        writing = asgi.in_turn(page, 1)
        first = asyncio.ensure_future(writing({}, None, send))
        await asyncio.sleep(0)
        await writing({}, None, send)
        start, body = said
        assert start["status"] == 503
        assert (b"trouble", b"busy") in start["headers"]
        assert "the server is busy. What you typed is kept." in body["body"].decode()
        done.set()
        await first
        await writing({}, None, send)  # the thread is free again
        assert said == [start, body]

    asyncio.run(play())


def test_options_of_an_address_are_kept_and_win():
    options = postgresql("postgres://user@host/name")["OPTIONS"]
    assert options["options"].startswith("-c random_page_cost=1.1 -c lock_timeout=5s ")
    given = "postgres://host/name?options=-c%20lock_timeout%3D9s&connect_timeout=2&sslmode=require"
    options = postgresql(given)["OPTIONS"]
    assert options["options"].endswith(" -c lock_timeout=9s")
    assert (int(options["connect_timeout"]), options["sslmode"]) == (2, "require")


def test_a_database_that_does_not_answer_is_no_mistake_of_ours():
    for state, trouble in (
        ("57P01", Trouble.AWAY),
        ("08006", Trouble.AWAY),
        ("40P01", Trouble.BUSY),
    ):
        error = OperationalError("what psycopg says")
        error.__cause__ = psycopg.errors.lookup(state)("what PostgreSQL says")
        assert outages.trouble(error) is trouble
    if connection.vendor == "postgresql":
        params = connection.get_connection_params() | {"dbname": "nowhere"}
        with pytest.raises(OperationalError) as raised, connection.wrap_database_errors:
            psycopg.connect(host=params.get("host", ""), port=1, dbname="nowhere")
        assert outages.trouble(raised.value) is Trouble.AWAY


def test_the_log_names_a_mistake_of_ours_with_its_traceback(caplog):
    outages.note(ValueError("nonsense"))
    outages.note(ValueError("nonsense"))
    [record] = caplog.records
    assert record.exc_info is not None
    assert record.levelno == logging.ERROR
