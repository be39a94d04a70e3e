"""The tabs and windows of one browser share one stream: over plain http it has six connections."""

from __future__ import annotations

import contextlib
import time

import pytest
from playwright.sync_api import Error, expect

from sheets import actions
from sheets.live.hub import hub
from sheets.models import Member
from tests.browser.hands import ALICE, ALICE_ROW, BEN, BEN_ROW, CASS, CASS_ROW
from tests.browser.phone import Phone
from tests.browser.tables import Seeded

HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def browser_of_windows(new_context):
    """One browser, and which of its windows holds the stream."""
    return Windows(new_context())


class Windows:
    def __init__(self, context):
        self.context, self.streams = context, {}
        context.on("request", self._asked)
        for over in ("requestfailed", "requestfinished"):
            context.on(over, lambda request: self.streams.pop(request, None))

    def _asked(self, request):
        if "/live/" in request.url:
            self.streams[request] = request.frame.page

    def show(self, url):
        phone = Phone(self.context.new_page())
        phone.page.goto(url)
        return phone

    def leader(self, of):
        """Return the window that leads, which is one of these; wait until a single one does."""
        until = time.monotonic() + 20
        while len(leaders := self._leaders()) != 1 and time.monotonic() < until:
            of[0].page.wait_for_timeout(50)
        (leader,) = [phone for phone in of if [phone.page] == leaders]
        return leader

    def _leaders(self):
        return [page for page in self.streams.values() if not page.is_closed()]


def expect_streams(number, phone):
    """Wait until the server holds this many streams, while the browser goes on."""
    until = time.monotonic() + 20
    while len(hub.open) != number and time.monotonic() < until:
        phone.page.wait_for_timeout(50)
    assert len(hub.open) == number


def watch_url(table):
    return f"/watch/{table.table.watch_id}/"


def test_eight_windows_share_one_stream_and_another_leads_when_the_leader_goes(browser_of_windows):
    tables = [Seeded(), Seeded(names=("Dora", "Emil", "Fritz"))]
    windows = browser_of_windows
    there = [windows.show(watch_url(tables[n % 2])) for n in range(8)]
    rows = []

    def all_hear(hand, row):
        rows.append(row)
        for table in tables:
            table.enter(hand)
        for phone in there:
            phone.expect_rows(rows)
            expect(phone.state).to_have_text("live")
        expect_streams(1, there[0])

    for phone in there:
        expect(phone.state).to_have_text("live")
    expect_streams(1, there[0])
    all_hear(BEN, BEN_ROW)
    home = windows.show("/")
    expect(home.page.get_by_role("link", name="Start a table")).to_be_visible()

    gone = windows.leader(there)
    there.remove(gone)
    gone.page.close()
    all_hear(CASS, CASS_ROW)

    # Nobody looks at it any more: it hears nothing, and is up to date once somebody does.
    hidden = windows.leader(there)
    hidden.page.evaluate(HIDE, True)
    there.remove(hidden)
    all_hear(ALICE, ALICE_ROW)
    assert windows.leader(there)
    expect(hidden.page.locator(".row")).to_have_count(2)
    hidden.page.evaluate(HIDE, False)
    expect(hidden.page.locator(".row")).to_have_count(3)
    there.append(hidden)

    # A leader that dies without a word is missed after a while.
    dead = windows.leader(there)
    there.remove(dead)
    with contextlib.suppress(Error):
        dead.page.goto("chrome://crash", timeout=5_000)
    all_hear(BEN, BEN_ROW)


@pytest.mark.refusals
def test_who_is_out_of_one_table_keeps_the_stream_for_the_other(browser_of_windows, base_url):
    one, other = Seeded(), Seeded()
    one.seat(browser_of_windows.context, base_url, 1)
    member = browser_of_windows.show(one.url())
    expect(member.state).to_have_text("live")
    watching = browser_of_windows.show(watch_url(other))
    expect(watching.state).to_have_text("live")
    expect_streams(1, watching)
    number = Member.objects.get(table=one.table, person=one.players[1].person_id).number
    one._write(actions.remove_phone, number)
    expect(member.page.locator("main")).to_contain_text("Alice removed this phone")
    other.enter(BEN)
    expect(watching.page.locator(".row")).to_have_count(1)
    expect(watching.state).to_have_text("live")
    expect_streams(1, watching)


def test_without_a_channel_between_them_each_tab_has_its_own_stream(browser_of_windows):
    browser_of_windows.context.add_init_script("delete window.BroadcastChannel")
    table = Seeded()
    there = [browser_of_windows.show(watch_url(table)) for _ in range(2)]
    for phone in there:
        expect(phone.state).to_have_text("live")
    expect_streams(2, there[0])
    table.enter(BEN)
    for phone in there:
        expect(phone.page.locator(".row")).to_have_count(1)
