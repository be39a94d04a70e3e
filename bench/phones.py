"""Phones for the measurements: they hold streams, fetch the sheet and post hands."""

from __future__ import annotations

import asyncio
import dataclasses
import time
import urllib.parse
import uuid
from collections.abc import Callable

CSRF = "t" * 32
# About what a phone's browser sends; the server keeps it in memory as long as a stream is open.
HEADERS = (
    "Host: localhost\r\n"
    "User-Agent: Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/130.0.0.0 Mobile Safari/537.36\r\n"
    'sec-ch-ua: "Chromium";v="130", "Google Chrome";v="130", "Not?A_Brand";v="99"\r\n'
    'sec-ch-ua-mobile: ?1\r\nsec-ch-ua-platform: "Android"\r\n'
    "Accept-Encoding: gzip, deflate, br\r\nAccept-Language: en-GB,en;q=0.9,de;q=0.8\r\n"
    "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n"
)


@dataclasses.dataclass(frozen=True, slots=True)
class Phone:
    """A member of a table: what it needs to hear, to look and to write."""

    table: int
    address: str  # of the table's page
    looks_at: str  # the same, or the page of those who only watch
    secret: str
    token: str
    sheet: str
    bidder: int
    version: int  # of the table, when it was made

    def fields(self, seen: int) -> dict[str, str | int]:
        """Return a hand as its form would post it."""
        return {
            "key": str(uuid.uuid4()),
            "seen": seen,
            "sheet": self.sheet,
            "by": "result",
            "bidder": self.bidder,
            "bid": 320,
            "trump": "hearts",
            "outcome": "made",
        }


Heard = Callable[[Phone, str, int, float], None]


class Stream(asyncio.Protocol):
    """A phone's stream: calls `heard` with the name of each event, its number and the moment."""

    def __init__(self, phone: Phone, heard: Heard) -> None:
        self.phone = phone
        self.open = asyncio.get_running_loop().create_future()
        self._heard = heard
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        request = (
            f"GET /live/{self.phone.token} HTTP/1.1\r\n{HEADERS}Accept: text/event-stream\r\n"
            f"Cookie: phone={self.phone.secret}; csrftoken={CSRF}\r\n\r\n"
        )
        transport.write(request.encode())

    def data_received(self, data: bytes) -> None:
        now = time.time()
        *whole, self._rest = (self._rest + data).split(b"\n\n")
        for event in whole:
            lines = event.decode().splitlines()
            name = next((line[7:] for line in lines if line.startswith("event: ")), "")
            said = next((line[6:] for line in lines if line.startswith("data: ")), "")
            if name == "hello" and not self.open.done():
                self.open.set_result(True)
            # A version is named "<table> <version>-<mark>".
            version = said.partition(" ")[2].partition("-")[0]
            self._heard(self.phone, name, int(version) if version else 0, now)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.open.done():
            self.open.set_result(False)


async def open_streams(port: int, phones: list[Phone], heard: Heard) -> list[Stream]:
    """Open a stream for every phone, some at a time, and return those that greet."""
    loop, some = asyncio.get_running_loop(), asyncio.Semaphore(100)

    async def one(phone: Phone) -> Stream | None:
        async with some:
            _, stream = await loop.create_connection(
                lambda: Stream(phone, heard), "127.0.0.1", port
            )
            return stream if await asyncio.wait_for(stream.open, 60) else None

    opened = await asyncio.gather(*(one(phone) for phone in phones))
    return [stream for stream in opened if stream is not None]


async def ask(
    port: int, phone: Phone, method: str, path: str, *headers: str, body: str = ""
) -> int:
    """Send one request, read the answer to its last byte and return its status.

    0 stands for no answer within a minute.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = (
        *headers,
        f"Cookie: phone={phone.secret}; csrftoken={CSRF}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    head = f"{method} {path} HTTP/1.1\r\n{HEADERS}" + "\r\n".join(lines)
    try:
        writer.write(f"{head}\r\n\r\n{body}".encode())
        answer = await asyncio.wait_for(reader.read(), 60)
    except TimeoutError:
        return 0
    finally:
        writer.close()
    return int(answer.split(b" ", 2)[1])


async def fetch_part(port: int, phone: Phone) -> int:
    """Fetch the part of the sheet that live updates replace, as a phone that shows an older one."""
    headers = "HX-Request: true", "HX-Target: sheet", f"Showing: {phone.version}"
    return await ask(port, phone, "GET", phone.looks_at, *headers)


async def enter_hand(port: int, phone: Phone, seen: int) -> int:
    """Post a hand."""
    return await ask(
        port,
        phone,
        "POST",
        f"{phone.address}hands/new/",
        f"X-CSRFToken: {CSRF}",
        "Content-Type: application/x-www-form-urlencoded",
        body=urllib.parse.urlencode(phone.fields(seen)),
    )
