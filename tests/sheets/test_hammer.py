"""Twenty phones hammer one sheet; what is left is what its history tells."""

from __future__ import annotations

import collections
import random
import threading
import uuid

import pytest

from sheets import actions, codes
from sheets.models import Change, Round
from tests.sheets.test_concurrency import all_at_once, insist, post
from tests.sheets.test_history_replay import assert_history_tells_the_sheet

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]

PHONES, WRITES = 20, 4


class Hammer:
    """One phone with a mind of its own; remembers what it asked under which key, and the answer."""

    def __init__(self, server, game, secret, seed, hands):
        self.server, self.game, self.secret = server, game, secret
        self.chance, self.hands = random.Random(seed), hands
        self.players = [str(player.pk) for player in game.players]
        self.sheet = game.sheet.public_id
        self.answers = []  # (what, key, status)

    def fields(self, key):
        played = {
            "bidder": self.chance.choice(self.players),
            "bid": self.chance.choice(("300", "350", "400")),
            "trump": self.chance.choice(("hearts", "spades")),
            "outcome": self.chance.choice(("made", "set")),
        }
        # Most have just looked; some are as stale as can be.
        seen = self.chance.choice((self.game.seen, self.game.seen, self.game.seen, "0"))
        return played | {"key": key, "seen": seen, "sheet": self.sheet, "by": "result"}

    def write(self):
        what = self.chance.choice(("enter", "enter", "enter", "edit", "take-back", "put-back"))
        key, path = str(uuid.uuid4()), "hands/new/"
        if what != "enter":
            path = f"hands/{self.chance.choice(self.hands)}/{what}/"
        fields = self.fields(key)
        for _ in range(self.chance.choice((1, 1, 1, 2))):
            status, _page = post(self.server, self.secret, self.game.url(path), fields)
            self.answers.append((what, key, status))
        if what == "enter" and status == 303:
            self.hands.append(key)


@pytest.fixture
def phones(live_server, started):
    """Twenty phones at the table, and four hands on its sheet to change and take back."""
    game, *secrets = started
    hands = [str(game.enter().public_id) for _ in range(4)]
    while len(secrets) < PHONES:
        secrets.append(codes.new_phone())
        actions.join(game.write(codes.phone_hash(secrets[-1])), None)
    return [Hammer(live_server, game, secret, n, hands) for n, secret in enumerate(secrets)]


def test_twenty_phones_on_one_sheet_leave_what_its_history_tells(live_server, game, phones):
    written = threading.Semaphore(0)

    def play(phone):
        for _ in range(WRITES):
            phone.write()
            written.release()

    def end():
        for _ in range(PHONES * WRITES // 2):
            written.acquire()
        fields = {"key": str(uuid.uuid4()), "seen": game.seen, "sheet": game.sheet.public_id}
        return insist(live_server, phones[0].secret, game.url("end/"), fields)[0]

    *_, ended = all_at_once([*[lambda phone=phone: play(phone) for phone in phones], end])
    assert ended == 303
    answers = [answer for phone in phones for answer in phone.answers]
    assert {status for _what, _key, status in answers} == {303, 409}
    saved = {key for _what, key, status in answers if status == 303}
    told = collections.Counter(str(key) for key in Change.objects.values_list("key", flat=True))
    assert set(told.values()) == {1}
    assert saved <= set(told)
    refused = {key for _what, key, _status in answers} - saved
    assert not refused & set(told)
    entered = {key for what, key, status in answers if (what, status) == ("enter", 303)}
    assert {str(key) for key in Round.objects.values_list("public_id", flat=True)} >= entered
    assert Round.objects.count() == len(entered) + 4
    assert game.sheet.state == "banked"
    last = Change.objects.filter(table=game.table).latest("version")
    assert last.kind == "sheet_banked"
    assert game.version == Change.objects.filter(table=game.table).count()
    assert_history_tells_the_sheet(game)
    columns = zip(*(row.entries.order_by("player__place") for row in game.standing), strict=True)
    assert [sum(entry.units for entry in column) for column in columns] == game.totals
