"""The streams of this process, by table, and what is sent down them.

A browser has one stream for all its tabs, which may show several tables.

A stream costs one task, the one the server made for its request, and that task only waits for the
phone to go. Whoever has something to say makes another for as long as the sending takes.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from sheets.live import sources, tokens
from sheets.live.notices import Notice
from sheets.live.tokens import Viewer
from sheets.seen import Seen

BEAT = 15  # seconds between two signs of life
TICK = 0.25  # how exactly that is kept; between two ticks nobody beats, so never all at once
READY = 5  # seconds that the first streams wait for the source of notices

Send = Callable[[dict[str, Any]], Awaitable[None]]
Follow = Callable[[Callable[[Notice], None], Callable[[], None]], Awaitable[None]]


def event(name: str, data: object) -> dict[str, Any]:
    """Return a Server-Sent Event as the server wants it; one is made for all who get it."""
    text = f"event: {name}\ndata: {data}\n\n"
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}


START = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream"),
        # Nobody on the way may keep it, collect it, or compress what must arrive at once.
        (b"cache-control", b"no-cache, no-transform"),
        (b"content-encoding", b"identity"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
    ],
}
# `retry` is for browsers: how long they wait before they open a lost stream again.
HELLO = event("hello", BEAT)
HELLO["body"] = b"retry: 2000\n" + HELLO["body"]
LOOK = event("look", "now")
BEATS = event("beat", "on")
END = {"type": "http.response.body", "body": b""}


def out(name: str) -> dict[str, Any]:
    """Return the event after which a viewer hears no more of a stream that others still hear."""
    return event("out", name)


class Stream:
    """One open stream. Of what waits for a slow phone, the newest about each table says it all."""

    __slots__ = ("_send", "_sending", "_waiting", "due", "over", "viewers")

    def __init__(self, viewers: Iterable[Viewer], send: Send) -> None:
        self.viewers = tuple(viewers)
        self.due = time.monotonic() + BEAT
        self.over = False
        self._send = send
        # What is to be sent, by what it is about: a table, a viewer or (None) all of them.
        self._waiting: dict[int | str | None, dict[str, Any]] = {}
        # Until the head is out nothing else may be sent. Later this is the task that sends, kept
        # here because the event loop does not.
        self._sending: bool | asyncio.Task[None] = True

    async def begin(self) -> None:
        """Send the head, the greeting, and what has come up meanwhile."""
        await self._send(START)
        await self._send(HELLO)
        await self._send_all()

    @property
    def tables(self) -> set[int]:
        """The tables that are heard of here."""
        return {viewer.table for viewer in self.viewers}

    def tell(self, event: dict[str, Any], about: int | str | None = None) -> None:
        """Send an event as soon as the phone takes it, for one about the same that still waits."""
        if self.over:
            return
        if event is END:
            self.over = True
            self._waiting.clear()
        elif event is LOOK:
            for table in self.tables:
                self._waiting.pop(table, None)
        elif isinstance(about, int) and self._waiting.get(None) is LOOK:
            return  # what waits already says more
        elif event is BEATS and self._waiting:
            return
        self._waiting[about] = event
        if not self._sending:
            self._sending = asyncio.create_task(self._send_all())

    def keep(self, viewers: Sequence[Viewer]) -> None:
        """Go on for some viewers; tell the others that they hear no more."""
        gone, tables = set(self.viewers).difference(viewers), self.tables
        self.viewers = tuple(viewers)
        for table in tables - self.tables:
            self._waiting.pop(table, None)
        for viewer in gone:
            self.tell(out(viewer.name), viewer.name)

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                await self._send(self._waiting.pop(next(iter(self._waiting))))
        except OSError:
            self.over = True  # the phone is gone; the server tells the stream's task
        finally:
            self._sending = False


class Hub:
    """Hands notices to the streams of their table, and knows who may not open one."""

    def __init__(self, follow: Follow = sources.follow) -> None:
        self._follow = follow
        self._streams: dict[int, set[Stream]] = {}
        # (table, member; None for watchers): tokens from before this version open nothing. And when
        # that was heard, on the monotonic clock.
        self._out: dict[tuple[int, int | None], tuple[int, float]] = {}
        self._beats: deque[Stream] = deque()
        self._ready = asyncio.Event()
        self._tasks: list[asyncio.Future[None]] = []
        self._closed = False

    @property
    def open(self) -> set[Stream]:
        """The streams that are open."""
        every: set[Stream] = set()
        return every.union(*self._streams.values())

    async def ready(self) -> bool:
        """Wait until notices arrive here; False when they do not, or no more."""
        if not self._tasks and not self._closed:
            self._tasks = [
                asyncio.ensure_future(self._follow(self.publish, self.look)),
                asyncio.ensure_future(self._beat()),
            ]
        if not self._ready.is_set():
            try:
                await asyncio.wait_for(self._ready.wait(), READY)
            except TimeoutError:
                return False
        return not self._closed

    def is_out(self, viewer: Viewer) -> bool:
        """Say whether this token was issued to somebody who has been taken out since."""
        version, _heard = self._out.get((viewer.table, viewer.member), (0, 0.0))
        return viewer.version < version

    def add(self, viewers: Iterable[Viewer], send: Send) -> Stream:
        """Let a stream hear of the tables of its viewers from now on."""
        stream = Stream(viewers, send)
        for table in stream.tables:
            self._streams.setdefault(table, set()).add(stream)
        self._beats.append(stream)
        return stream

    def remove(self, stream: Stream) -> None:
        """Forget a stream; its phone is gone."""
        stream.over = True
        for table in stream.tables:
            self._forget(table, stream)

    def _forget(self, table: int, stream: Stream) -> None:
        streams = self._streams[table]
        streams.discard(stream)
        if not streams:
            del self._streams[table]

    def publish(self, notice: Notice) -> None:
        """Tell the streams of a table, and end those that are over."""
        if notice.out is not None:
            self._take_out(notice.table, notice.out, notice.version)
        if notice.watchers_out:
            self._take_out(notice.table, None, notice.version)
        if streams := self._streams.get(notice.table):
            version = event("version", f"{notice.table} {Seen(notice.version, notice.mark)}")
            for stream in streams:
                stream.tell(version, notice.table)

    def look(self) -> None:
        """Tell every stream to look for itself: notices may have been missed."""
        self._ready.set()
        for stream in self.open:
            stream.tell(LOOK)

    def close(self) -> None:
        """End all streams for good; the server stops."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        for stream in self.open:
            stream.tell(END)

    def _take_out(self, table: int, member: int | None, version: int) -> None:
        # A token lasts a while and no longer, and so does this.
        now = time.monotonic()
        kept = self._out.items()
        self._out = {who: out for who, out in kept if now - out[1] < tokens.LASTS + tokens.AHEAD}
        version = max(version, self._out.get((table, member), (0, 0.0))[0])
        self._out[table, member] = version, now
        for stream in list(self._streams.get(table, ())):
            stay = [one for one in stream.viewers if not self.is_out(one)]
            if not stay:
                stream.tell(END)
            elif len(stay) < len(stream.viewers):
                stream.keep(stay)
                if table not in stream.tables:
                    self._forget(table, stream)

    async def _beat(self) -> None:
        """Send every stream its sign of life; new ones stand at the end of the queue."""
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            while self._beats and self._beats[0].due <= now:
                stream = self._beats.popleft()
                if not stream.over:
                    stream.tell(BEATS)
                    stream.due = now + BEAT
                    self._beats.append(stream)


hub = Hub()
