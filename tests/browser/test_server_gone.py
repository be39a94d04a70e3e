"""The server is killed and started again while phones look at a sheet and send to it."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import socket
import sqlite3
import threading
import uuid

import pytest
from playwright.sync_api import expect

from sheets.access import COOKIE
from sheets.forms.tables import ONLY_KEEPS_SCORE
from tests.browser.hands import ALICE, ALICE_ROW, BEN, BEN_ROW, CASS, CASS_ROW
from tests.browser.phone import Phone
from tests.server.conftest import Server, free_port

pytestmark = [pytest.mark.no_network, pytest.mark.lost_replies]


@pytest.fixture
def join_in(new_context):
    """Bring phones that look at a table of a server, the one that started it first."""

    def bring(server, table, phones=1):
        code = re.search(r"<small>(\w{6})</small>", server.ask("GET", table).text)
        assert code is not None
        url = f"http://127.0.0.1:{server.port}"
        there = []
        for number in range(phones):
            at = server.other_phone() if number else server
            if number:
                fields = {"key": uuid.uuid4(), "seen": 0, "person": ONLY_KEEPS_SCORE}
                assert at.ask("POST", f"/join/{code[1]}", fields).status == 303
            context = new_context()
            context.add_cookies([{"name": COOKIE, "value": at.cookies[COOKIE], "url": url}])
            there.append(Phone(context.new_page()))
            there[-1].page.goto(url + table)
        for phone in there:
            expect(phone.state).to_have_text("live")
        return there

    return bring


class Relay:
    """Stands between phone and server, and can keep the answers to what is posted to itself."""

    def __init__(self, port):
        self.to = port
        self.keeps_answers = False
        self.answered = threading.Event()  # the server has answered something that is kept
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                phone, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(phone,), daemon=True).start()

    def _serve(self, phone):
        try:
            server = socket.create_connection(("127.0.0.1", self.to))
        except OSError:
            phone.close()
            return
        posted = threading.Event()
        back = threading.Thread(target=self._bring_back, args=(server, phone, posted), daemon=True)
        back.start()
        with phone, server:
            while data := self._take(phone):
                if data.startswith(b"POST"):
                    posted.set()
                server.sendall(data)

    def _bring_back(self, server, phone, posted):
        while data := self._take(server):
            if posted.is_set() and self.keeps_answers:
                self.answered.set()
                continue
            try:
                phone.sendall(data)
            except OSError:
                return
        phone.close()

    @staticmethod
    def _take(end):
        try:
            return end.recv(65536)
        except OSError:
            return b""


@pytest.fixture
def relay():
    between = Relay(0)
    yield between
    between.close()


@pytest.mark.service_worker
def test_the_reply_to_the_first_of_several_is_cut_by_a_kill(serve, join_in, relay):
    server = serve().wait()
    table = server.start_table()
    relay.to, real = server.port, server.port
    server.port = relay.port
    (phone,) = join_in(server, table)
    server.port = real
    phone.wait_for_kept_page(table)
    relay.keeps_answers = True
    phone.queue_up(BEN)
    assert relay.answered.wait(20)
    phone.queue_up(CASS)
    phone.queue_up(ALICE)
    server.stop(signal.SIGKILL)
    phone.page.reload()
    expect(phone.waiting).to_have_count(3)
    expect(phone.state).to_have_text("offline: 3 to send")
    relay.keeps_answers = False
    serve(PORT=real).wait()
    phone.expect_rows([BEN_ROW, CASS_ROW, ALICE_ROW])
    expect(phone.waiting).to_have_count(0)
    expect(phone.page.locator(".saved")).to_contain_text("Hand 3 is saved.")
    expect(phone.state).to_have_text("live", timeout=60_000)


def test_three_phones_are_live_again_after_a_restart(serve, join_in):
    port = free_port()
    server = serve(PORT=port).wait()
    table = server.start_table()
    phones = join_in(server, table, phones=3)
    phones[0].enter(BEN | {"hand": 1})
    server.stop()
    for phone in phones:
        expect(phone.state).to_contain_text("offline")
    phones[1].queue_up(CASS)
    serve(PORT=port).wait()
    for phone in phones:
        phone.expect_rows([BEN_ROW, CASS_ROW])
        expect(phone.state).to_have_text("live", timeout=60_000)
    phones[2].enter(ALICE | {"hand": 3})
    for phone in phones:
        phone.expect_rows([BEN_ROW, CASS_ROW, ALICE_ROW])


@pytest.fixture
def restored(new_folder):
    """A server of its own, which can be stopped and set back to a copy of its database."""
    var, port, running = new_folder(), free_port(), []
    copy = var / "copy.sqlite3"

    def start():
        server = Server(var, port).wait()
        if running:
            server.cookies = running[-1].cookies
        running.append(server)
        return server

    def back_up():
        with contextlib.closing(sqlite3.connect(var / "db.sqlite3")) as database:
            # The check of join codes uses it.
            database.create_function("REGEXP", 2, lambda form, text: bool(re.search(form, text)))
            database.execute("VACUUM INTO ?", [str(copy)])

    def restore():
        for rest in ("db.sqlite3-wal", "db.sqlite3-shm"):
            (var / rest).unlink(missing_ok=True)
        shutil.copyfile(copy, var / "db.sqlite3")

    yield start, back_up, restore
    if running[-1].process.poll() is None:
        running[-1].stop(signal.SIGKILL)


@pytest.mark.refusals
def test_a_server_that_was_set_back_to_a_backup_is_noticed(restored, join_in, new_context):
    start, back_up, restore = restored
    server = start()
    table = server.start_table()
    for _ in range(5):
        assert server.enter_hand(table).status == 303
    back_up()
    (phone,) = join_in(server, table)
    watching = Phone(new_context().new_page())
    watch = re.search(r"/watch/[\w-]+/", server.ask("GET", f"{table}share/").text)
    watching.page.goto(f"http://127.0.0.1:{server.port}{watch[0]}")
    for _ in range(3):
        assert server.enter_hand(table).status == 303
    for one in (phone, watching):
        one.expect_rows([BEN_ROW] * 8)

    server.stop()
    expect(phone.state).to_contain_text("offline")
    phone.queue_up(CASS)
    restore()
    server = start()
    for one in (phone, watching):
        one.expect_rows([BEN_ROW] * 5)
    news = watching.page.locator("#news")
    expect(news).to_have_text(
        "The server was set back to an earlier backup. Hand 5 is the last one here now."
    )
    # What waited on the phone is not on the sheet, but asked about.
    asked = phone.page.get_by_role("alert")
    expect(asked).to_contain_text("This server was set back to an earlier backup")
    expect(asked).to_contain_text("The last thing this server knows: Alice entered hand 5")
    phone.page.get_by_role("button", name="Another hand: save as hand 6").tap()
    expect(asked).to_be_hidden()
    for one in (phone, watching):
        one.expect_rows([*[BEN_ROW] * 5, CASS_ROW])
        expect(one.state).to_have_text("live", timeout=60_000)
    expect(phone.waiting).to_have_count(0)

    # Again; and by the time they look, others have come to the same version with another hand.
    for one in (phone, watching):
        one.go_offline()
    server.stop()
    restore()
    server = start()
    assert server.enter_hand(table).status == 303
    for one in (phone, watching):
        one.go_online()
        one.expect_rows([BEN_ROW] * 6)
        expect(one.page.locator("#news")).to_contain_text("Hand 6 is the last one here now.")

    # A page that is loaded anew knows what it showed before.
    url = phone.page.url
    phone.page.goto("about:blank")
    server.stop()
    restore()
    server = start()
    phone.page.goto(url)
    phone.expect_rows([BEN_ROW] * 5)
    expect(phone.page.locator("#news")).to_contain_text("Hand 5 is the last one here now.")
