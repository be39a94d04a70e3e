"""What a stream is sent, and when: the hub with phones that are quick, slow or gone."""

from __future__ import annotations

import asyncio

import pytest

from sheets.live import hub as hubs
from sheets.live import tokens
from sheets.live.hub import Hub
from sheets.live.notices import Notice
from sheets.live.tokens import Viewer


class Phone:
    """What the server would write to a phone; a slow one takes nothing until it is let."""

    def __init__(self, *, slow=False):
        self.heard = []
        self.takes = asyncio.Event()
        if not slow:
            self.takes.set()

    async def send(self, message):
        await self.takes.wait()
        if message["type"] == "http.response.start":
            self.heard.append(message["status"])
        elif body := message["body"].decode():
            self.heard.append(" ".join(line.split(": ")[1] for line in body.split("\n") if line))
        else:
            self.heard.append("end")


async def settled():
    for _ in range(5):
        await asyncio.sleep(0)


async def quiet(publish, look):
    """A source that is there and says nothing."""
    look()


def opened(hub, phone, *, table=1, member=1, version=1):
    """Open a stream and return it with the task that began it."""
    return opened_for(hub, phone, Viewer(table, member, version))


def opened_for(hub, phone, *viewers):
    stream = hub.add(viewers, phone.send)
    return stream, asyncio.ensure_future(stream.begin())


def run(play):
    asyncio.run(play())


def test_a_slow_phone_is_told_the_newest_version_only():
    async def play():
        hub, slow, quick = Hub(quiet), Phone(slow=True), Phone()
        opened(hub, slow), opened(hub, quick)
        await settled()
        for version in range(2, 6):
            hub.publish(Notice(1, version))
            await settled()
        slow.takes.set()
        await settled()
        assert quick.heard == [200, "2000 hello 15"] + [f"version 1 {n}" for n in range(2, 6)]
        assert slow.heard == [200, "2000 hello 15", "version 1 5"]

    run(play)


def test_a_version_does_not_hide_that_notices_were_missed():
    async def play():
        hub, slow = Hub(quiet), Phone(slow=True)
        opened(hub, slow)
        hub.look()
        hub.publish(Notice(1, 7))
        slow.takes.set()
        await settled()
        assert slow.heard[2:] == ["look now"]
        hub.publish(Notice(1, 8))
        await settled()
        assert slow.heard[2:] == ["look now", "version 1 8"]

    run(play)


def test_one_stream_hears_of_each_table_that_a_tab_of_the_browser_shows():
    async def play():
        hub, slow, quick = Hub(quiet), Phone(slow=True), Phone()
        viewers = Viewer(1, 7, 1), Viewer(2, None, 1), Viewer(2, 8, 1)
        for phone in (slow, quick):
            opened_for(hub, phone, *viewers)
        await settled()
        for notice in (Notice(1, 2), Notice(2, 5), Notice(1, 3, mark="1f2e3d4c")):
            hub.publish(notice)
            await settled()
        hub.publish(Notice(3, 9))
        slow.takes.set()
        await settled()
        # The newest of each table waits; one event serves both viewers of a table.
        assert quick.heard[2:] == ["version 1 2", "version 2 5", "version 1 3-1f2e3d4c"]
        assert slow.heard[2:] == ["version 1 3-1f2e3d4c", "version 2 5"]
        hub.look()
        await settled()
        assert quick.heard[5:] == slow.heard[4:] == ["look now"]

    run(play)


def test_who_is_out_of_one_table_goes_on_hearing_of_the_others():
    async def play():
        hub, phone, slow = Hub(quiet), Phone(), Phone(slow=True)
        old = Viewer(1, 7, 1), Viewer(1, None, 1), Viewer(2, 8, 1)
        (stream, _), (_, _) = opened_for(hub, phone, *old), opened_for(hub, slow, *old)
        await settled()
        hub.publish(Notice(1, 2, out=7))
        await settled()
        assert phone.heard[2:] == ["out 1.7", "version 1 2"]  # its watcher's part goes on
        for notice in (Notice(1, 3, watchers_out=True), Notice(1, 4), Notice(2, 5)):
            hub.publish(notice)
            await settled()
        hub.look()
        slow.takes.set()
        await settled()
        assert phone.heard[4:] == ["out 1.", "version 2 5", "look now"]
        # That somebody is out is not lost behind what is newer.
        assert slow.heard[2:] == ["out 1.7", "out 1.", "look now"]
        hub.publish(Notice(2, 6, out=8))
        await settled()
        assert phone.heard[-1] == slow.heard[-1] == "end"
        hub.remove(stream)

    run(play)


def test_every_stream_beats(monkeypatch):
    monkeypatch.setattr(hubs, "BEAT", 0.05)
    monkeypatch.setattr(hubs, "TICK", 0.01)

    async def play():
        hub, gone, stays = Hub(quiet), Phone(), Phone()
        assert await hub.ready()
        (left, _), (_, _) = opened(hub, gone), opened(hub, stays)
        await settled()
        hub.remove(left)
        await asyncio.sleep(0.3)
        assert gone.heard[2:] == []
        assert stays.heard[2:4] == ["beat on", "beat on"]
        hub.close()

    run(play)


@pytest.mark.parametrize(
    ("notice", "member", "version", "ended"),
    [
        (Notice(1, 5, out=1), 1, 1, True),
        (Notice(1, 5, out=1), 1, 4, True),  # its page was in the making
        (Notice(1, 5, out=1), 1, 6, False),  # it was let back in
        (Notice(1, 5, out=1), 2, 1, False),
        (Notice(1, 5, out=1), None, 1, False),
        (Notice(2, 5, out=1), 1, 1, False),
        (Notice(1, 5, watchers_out=True), None, 4, True),
        (Notice(1, 5, watchers_out=True), None, 5, False),  # it came by the new link
        (Notice(1, 5, watchers_out=True), 1, 1, False),
        (Notice(2, 5, watchers_out=True), None, 1, False),
    ],
)
def test_who_is_out_is_ended_and_comes_in_no_more(notice, member, version, ended):
    async def play():
        hub, phone = Hub(quiet), Phone()
        opened(hub, phone, member=member, version=version)
        await settled()
        hub.publish(notice)
        await settled()
        assert (phone.heard[-1] == "end") == ended
        assert hub.is_out(Viewer(1, member, version)) == ended

    run(play)


def test_who_is_out_is_remembered_as_long_as_a_token_lasts(monkeypatch):
    async def play():
        hub = Hub(quiet)
        hub.publish(Notice(1, 5, out=1))
        hub.publish(Notice(1, 6, out=2))
        assert hub.is_out(Viewer(1, 1, 4))
        # A line of history that is read once more takes nothing back.
        hub.publish(Notice(1, 3, out=1))
        assert hub.is_out(Viewer(1, 1, 4))
        monkeypatch.setattr(tokens, "LASTS", -tokens.AHEAD)
        hub.publish(Notice(1, 7, out=2))
        assert not hub.is_out(Viewer(1, 1, 4))

    run(play)


def test_without_notices_no_stream_opens(monkeypatch):
    monkeypatch.setattr(hubs, "READY", 0.05)

    async def never(publish, look):
        await asyncio.sleep(60)

    async def play():
        assert not await Hub(never).ready()
        hub = Hub(quiet)
        assert await hub.ready()
        hub.close()
        assert not await hub.ready()

    run(play)
