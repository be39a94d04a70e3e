"""Phones that enter hands while the server is killed and started again, and a look at what is left.

Shared by the test and by `bench/crash.py`. A phone here does what a real one does: it sends a hand
until it is answered, always under the same key, and once it is told that somebody else was quicker
it has seen that and sends the hand again.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import http.client
import pathlib
import random
import re
import signal
import sqlite3
import threading
import time
import uuid

from tests.server.conftest import Server, ask, free_port


@dataclasses.dataclass
class Sent:
    """A hand a phone has been told to enter."""

    key: str
    bidder: int
    bid: int
    acknowledged: bool = False


@dataclasses.dataclass
class Phone:
    """A phone at a table, with what it needs to fill in the form."""

    table: str
    cookies: dict
    sheet: str
    players: list
    sent: list = dataclasses.field(default_factory=list)
    tries: int = 0

    def fields(self, hand, seen):
        return {
            "key": hand.key,
            "seen": seen,
            "sheet": self.sheet,
            "by": "result",
            "bidder": hand.bidder,
            "bid": hand.bid,
            "trump": "hearts",
            "outcome": "made",
        }


class Crashes:
    """Phones against a server that is killed at random moments."""

    def __init__(self, var: pathlib.Path, *, seed: int = 1, **env: str) -> None:
        self.chance = random.Random(seed)
        self.var, self.env, self.port = var, env, free_port()
        self.phones: list[Phone] = []
        self.kills, self.over = 0, threading.Event()
        self.server = self.start()

    def start(self):
        return Server(self.var, self.port, **self.env).wait()

    def sit_down(self, tables: int, phones: int) -> None:
        """Start tables, and let so many phones sit down at each."""
        for _ in range(tables):
            self.server.cookies.pop("phone", None)
            table = self.server.start_table()
            page = self.server.ask("GET", f"{table}share/").text
            code = re.findall(r'class="code"><strong>(\w{6})<', page)[0]
            for n in range(phones):
                if n:
                    self.server.cookies.pop("phone", None)
                    page = self.server.ask("GET", f"/join/{code}").text
                    fields = hidden(page) | {"person": "none"}
                    assert self.server.ask("POST", f"/join/{code}", fields).status == 303
                page = self.server.ask("GET", table).text
                players = re.findall(r'name="bidder" value="(\d+)"', page)
                phone = Phone(table, dict(self.server.cookies), hidden(page)["sheet"], players)
                self.phones.append(phone)

    def run(self, hands: int, *, every: int) -> float:
        """Let all phones enter `hands` hands in all; kill the server about `every` hands."""
        share = [hands // len(self.phones)] * len(self.phones)
        share[0] += hands - sum(share)
        threads = [
            threading.Thread(target=self.play, args=(phone, n, random.Random(seed)))
            for seed, (phone, n) in enumerate(zip(self.phones, share, strict=True))
        ]
        killer = threading.Thread(target=self.kill, args=(every,))
        began = time.monotonic()
        for thread in (*threads, killer):
            thread.start()
        for thread in threads:
            thread.join()
        self.over.set()
        killer.join()
        assert self.acknowledged() == hands, "a phone gave up"
        return time.monotonic() - began

    def kill(self, every):
        """Kill the server at random moments, each some hands after it has come up."""
        while not self.over.is_set():
            enough = self.acknowledged() + every * self.chance.uniform(0.5, 1.5)
            while self.acknowledged() < enough and not self.over.wait(0.005):
                pass
            time.sleep(self.chance.uniform(0, 0.02))  # anywhere in the life of a request
            if not self.over.is_set():
                self.server.stop(signal.SIGKILL)
                self.kills += 1
                self.server = self.start()

    def acknowledged(self):
        return sum(hand.acknowledged for phone in self.phones for hand in phone.sent[-1:]) + sum(
            max(len(phone.sent) - 1, 0) for phone in self.phones
        )

    def play(self, phone, hands, chance):
        for _ in range(hands):
            bid = chance.choice((300, 350, 400))
            hand = Sent(str(uuid.uuid4()), int(chance.choice(phone.players)), bid)
            phone.sent.append(hand)
            # Half of them look at the sheet first, half have not heard of the others' hands.
            seen = chance.choice(("0", self.look(phone)))
            while not hand.acknowledged:
                phone.tries += 1
                seen = self.send(phone, hand, seen)

    def look(self, phone):
        """Return what a phone sees on the sheet: nothing while the server is down."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            return hidden(ask(self.port, phone.cookies, "GET", phone.table).text).get("seen", "0")
        return "0"

    def send(self, phone, hand, seen):
        """Send a hand once; return what the phone has seen by then."""
        try:
            answer = ask(
                self.port,
                phone.cookies,
                "POST",
                f"{phone.table}hands/new/",
                phone.fields(hand, seen),
            )
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)  # as long as the server is down
            return seen
        if answer.status == 303:
            hand.acknowledged = True
        elif answer.status == 409:
            return hidden(answer.text)["seen"]
        elif answer.status < 500:
            raise AssertionError(f"{answer.status}: {answer.text}")
        return seen

    def stop(self) -> None:
        self.over.set()
        if self.server.process.poll() is None:
            self.server.stop(signal.SIGKILL)


def hidden(page):
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


@contextlib.contextmanager
def rows_of(var, url=""):
    """Ask the database itself, past the application: yields a function of SQL to rows."""
    if url:
        import psycopg

        with psycopg.connect(url) as database:
            yield lambda sql: database.execute(sql).fetchall()
        return
    with contextlib.closing(sqlite3.connect(var / "db.sqlite3")) as database:
        # The check of join codes uses it.
        database.create_function("REGEXP", 2, lambda form, text: bool(re.search(form, text)))
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        yield lambda sql: database.execute(sql).fetchall()


def check(crashes: Crashes, DATABASE_URL: str = "") -> int:  # noqa: N803 - as the server calls it
    """Fail unless every acknowledged hand is there once, no other is, and no sheet is half written.

    Returns how many hands are in the database.
    """
    sent = {uuid.UUID(hand.key): hand for phone in crashes.phones for hand in phone.sent}
    acknowledged = {key for key, hand in sent.items() if hand.acknowledged}
    with rows_of(crashes.var, DATABASE_URL) as ask:
        rounds = ask("SELECT r.id, r.public_id, r.bidder_id, r.bid, r.sheet_id FROM sheets_round r")
        keys = [uuid.UUID(str(row[1])) for row in rounds]
        assert len(keys) == len(set(keys))
        assert acknowledged <= set(keys)
        assert not set(keys) - set(sent)
        for key, row in zip(keys, rounds, strict=True):
            assert (sent[key].bidder, sent[key].bid) == (row[2], row[3])
        nobodys = ask(
            "SELECT r.id FROM sheets_round r LEFT JOIN sheets_entry e ON e.round_id = r.id "
            "GROUP BY r.id HAVING count(e.id) <> 3"
        )
        assert nobodys == [], "a hand is half written"
        wrong = ask(
            "SELECT p.id FROM sheets_player p LEFT JOIN sheets_entry e ON e.player_id = p.id "
            "GROUP BY p.id, p.total HAVING p.total <> coalesce(sum(e.units), 0)"
        )
        assert wrong == [], "a total is not the sum of its column"
        told = ask("SELECT round_id FROM sheets_change WHERE kind = 'hand_entered'")
        assert sorted(told) == sorted((row[0],) for row in rounds), "history and sheet differ"
        versions = collections.defaultdict(list)
        for table, version in ask("SELECT table_id, version FROM sheets_change"):
            versions[table].append(version)
        for table, version in ask("SELECT id, version FROM sheets_table"):
            assert sorted(versions[table]) == list(range(1, version + 1)), "a version is missing"
    return len(rounds)
