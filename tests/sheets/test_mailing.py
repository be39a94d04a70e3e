"""The sender of messages: beside the requests, bounded, one line for what fails."""

from __future__ import annotations

import threading

import pytest

from sheets.mailing import LONGEST_LINE, Sender


@pytest.fixture
def sender():
    sender = Sender(most=3)
    sender.start()
    yield sender
    sender.stop(within=5)


def lines(caplog):
    return [one.getMessage() for one in caplog.records]


def test_without_a_server_a_message_goes_out_within_the_call():
    sent = []
    Sender().later(lambda: sent.append(threading.current_thread()))
    assert sent == [threading.current_thread()]


def test_with_one_it_goes_out_beside_the_request_in_its_turn(sender):
    may, done, sent = threading.Event(), threading.Event(), []
    sender.later(lambda: may.wait(5))
    sender.later(lambda: sent.append(threading.current_thread().name))
    sender.later(done.set)
    assert sent == []
    may.set()
    assert done.wait(5)
    assert sent == ["mail"]


def test_what_fails_is_one_line_and_the_next_goes_out(sender, caplog):
    done = threading.Event()

    def fail():
        raise ConnectionRefusedError(111, "refused\nby the server " + "x" * 1000)

    sender.later(fail)
    sender.later(done.set)
    assert done.wait(5)
    [line] = lines(caplog)
    assert line.startswith("A message was not sent. ConnectionRefusedError: [Errno 111] refused by")
    assert "\n" not in line
    assert len(line) < LONGEST_LINE + 50


def test_no_more_wait_than_is_said(sender, caplog):
    busy, may = threading.Event(), threading.Event()
    sender.later(lambda: (busy.set(), may.wait(5)))
    assert busy.wait(5)
    for _ in range(5):
        sender.later(may.wait)
    assert lines(caplog) == ["A message was not sent: 3 wait for the mail server."] * 2
    may.set()


def test_stopping_finishes_what_is_on_its_way_and_counts_what_is_left(caplog):
    sender, busy, may, sent = Sender(), threading.Event(), threading.Event(), []
    sender.start()
    sender.later(lambda: (busy.set(), may.wait(5), sent.append("first")))
    sender.later(lambda: sent.append("second"))
    assert busy.wait(5)
    threading.Timer(0.1, may.set).start()
    sender.stop(within=5)
    assert sent == ["first"]
    assert lines(caplog) == ["The server stopped: 1 requests for a message were dropped."]


def test_stopping_does_not_wait_for_a_server_that_never_answers(caplog):
    sender, busy, may = Sender(), threading.Event(), threading.Event()
    sender.start()
    sender.later(lambda: (busy.set(), may.wait(5)))
    assert busy.wait(5)
    sender.stop(within=0.05)
    assert lines(caplog) == ["The server stopped: 1 requests for a message were dropped."]
    may.set()
