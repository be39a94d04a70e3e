"""A disk that takes nothing in: pages go on, a write gets a sentence, the log one line."""

from __future__ import annotations

import contextlib
import datetime
import logging

import pytest
from django.db import DatabaseError, connection
from pytest_django.asserts import assertContains

from sheets import actions, outages
from sheets.models import Member, Round
from sheets.outages import Trouble

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]
HTMX = {"HX-Request": "true"}


@contextlib.contextmanager
def read_only():
    """Let the database refuse every write, as on a file system that was mounted read-only."""
    setting = {
        "sqlite": "PRAGMA query_only = {}",
        "postgresql": "SET default_transaction_read_only = {}",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(setting.format("on"))
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(setting.format("off"))


@pytest.fixture
def log(caplog):
    """What the log of a server says that has had no such line for a minute."""
    request_log, one_line = logging.getLogger("django.request"), outages.OneLine()
    request_log.addFilter(one_line)
    yield caplog
    request_log.removeFilter(one_line)


def test_a_write_gets_a_sentence_and_looking_goes_on(game, alice, log):
    alice.raise_request_exception = False
    Member.objects.update(last_seen=game.table.created_at - datetime.timedelta(days=1))
    hand = game.fields()
    with read_only():
        refused = alice.post(game.url("hands/new/"), hand, headers=HTMX)
        assert (refused.status_code, refused["Content-Type"]) == (503, "text/plain")
        assertContains(refused, "What you typed is kept.", status_code=503)
        assert (refused["Trouble"], refused["Retry-After"]) == ("disk", "30")
        # Nobody has decided anything: the phone's queue tries again later.
        assert not {"Refused", "Saved"} & set(refused.headers)
        plain = alice.post(game.url("hands/new/"), hand)
        assertContains(plain, "<h2>Not saved</h2>", status_code=503)
        assert alice.get(game.url()).status_code == 200
        assert [r.getMessage() for r in log.records][1:] == []
        # When the phone was heard of cannot be written down either; nobody but the log hears of it.
        with pytest.raises(DatabaseError) as raised:
            actions.write_down_heard()
        assert outages.trouble(raised.value) is Trouble.DISK
    actions.write_down_heard()
    assert Member.objects.get(phone=game.alice).last_seen > game.table.created_at
    assert not Round.objects.exists()
    assert [record.name for record in log.records] == ["sheets.outages"]
    assert alice.post(game.url("hands/new/"), hand).status_code == 303


def test_a_file_that_may_not_grow_is_a_full_disk(game):
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        if sqlite:
            cursor.execute("PRAGMA max_page_count = 1")  # no more than there are
            write = "CREATE TABLE more AS SELECT randomblob(1000000)"
        else:  # what a server says whose disk is not ours to fill
            write = "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$"
        with pytest.raises(DatabaseError) as raised:
            cursor.execute(write)
        if sqlite:
            cursor.execute("PRAGMA max_page_count = 1073741823")
    assert outages.trouble(raised.value) is Trouble.DISK


def test_other_errors_keep_their_tracebacks():
    with connection.cursor() as cursor, pytest.raises(DatabaseError) as raised:
        cursor.execute("SELECT nothing FROM nowhere")
    assert outages.trouble(raised.value) is None
    assert outages.trouble(OSError(2, "no such file")) is None
    assert outages.trouble(OSError(28, "no space left")) is Trouble.DISK
