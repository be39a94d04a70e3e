"""Writers of one SQLite file: those of this process take turns, and wait no longer than others."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import OperationalError, transaction

from sheets import outages
from sheets.actions import writing
from sheets.models import Table
from sheets.outages import Trouble
from tests.sheets.test_busy import another_program

pytestmark = pytest.mark.django_db(transaction=True)


def test_waiting_for_others_of_this_process_and_for_other_programs_counts_together(game, settings):
    settings.WAIT_FOR_LOCK = 1.0
    holds, go = threading.Event(), threading.Event()

    def hold():
        with writing._one_writer:
            holds.set()
            go.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    holds.wait()
    with pytest.raises(outages.BusyError), writing.one_transaction():
        pass
    threading.Timer(0.7, go.set).start()
    began = time.monotonic()
    with (
        another_program(game.table),
        pytest.raises(OperationalError) as raised,
        writing.one_transaction(),
    ):
        pass
    # The turn came after 0.7 seconds: what was left of the second was for the other program.
    assert time.monotonic() - began < 0.7 + settings.WAIT_FOR_LOCK
    assert outages.trouble(raised.value) is Trouble.BUSY
    holder.join()
    with transaction.atomic():
        Table.objects.filter(pk=game.table.pk).update(name="as before")
