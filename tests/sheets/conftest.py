"""A table with three players and two phones, and short ways to act at it."""

from __future__ import annotations

import contextlib
import dataclasses
import re
import threading
import uuid

import pytest
from django.core.cache import cache
from django.db import connection
from django.db.models import F
from django.db.models.signals import post_save
from django.template.base import Template
from django.test import Client
from django.test.utils import (  # type: ignore[attr-defined]
    CaptureQueriesContext,
    instrumented_test_render,
)

from rules import auction
from sheets import actions, codes, history_ids, names, seats
from sheets.access import COOKIE
from sheets.models import (
    Change,
    ClubChange,
    Entry,
    Member,
    Player,
    Round,
    RoundKind,
    Sheet,
    Table,
)
from sheets.seen import Seen
from tests.sheets import clubs, usual

TRANSACTION = re.compile(r"(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b")
NAMES = ("Alice", "Ben", "Cass")
SET_APART = names.Isolated.__str__  # as it is outside the tests


@dataclasses.dataclass
class Game:
    """An open sheet and the phones at its table; Alice's phone started it and she deals first."""

    table: Table
    alice: str
    ben: str

    @property
    def sheet(self) -> Sheet:
        # Open or banked before discarded, as the table shows it.
        shown = self.table.sheets.order_by("pk")
        sheet = shown.exclude(state="discarded").last() or shown.last()
        assert sheet is not None
        return sheet

    @property
    def players(self) -> list[Player]:
        return list(self.sheet.players.all())

    @property
    def totals(self) -> list[int]:
        return [player.total for player in self.players]

    @property
    def standing(self) -> list[Round]:
        return list(self.sheet.rounds.filter(taken_back=False).order_by("position"))

    @property
    def version(self) -> int:
        return Table.objects.get(pk=self.table.pk).version

    @property
    def seen(self) -> Seen:
        return Table.objects.get(pk=self.table.pk).seen

    def write(self, phone="", *, seen=None, key=None):
        return actions.Write(
            table=self.table.pk,
            phone=phone or self.alice,
            key=key or uuid.uuid4(),
            seen=clubs.as_seen(seen, self.seen),
        )

    def played(self, bidder=1, bid=320, trump="hearts", outcome="made", dealer=None):
        """A hand as a form would hand it over; people by seat."""
        players = self.players
        return actions.EnteredHand(
            kind=RoundKind.PLAYED,
            bidder=players[bidder].pk,
            bid=bid,
            trump=None if outcome == "thrown_in" else trump,
            outcome=outcome,
            dealer=None if dealer is None else players[dealer].pk,
        )

    def typed(self, *units):
        players = self.players
        return actions.EnteredHand(
            kind=RoundKind.TYPED,
            units={p.pk: n for p, n in zip(seats.scoring(players), units, strict=True)},
        )

    def correction(self, *units, reason="A gift"):
        return dataclasses.replace(self.typed(*units), kind=RoundKind.CORRECTION, reason=reason)

    def passed(self):
        return actions.EnteredHand(kind=RoundKind.PASSED_OUT)

    def enter(self, hand=None, phone="", **write):
        """Enter a hand (the usual 320 in hearts by Ben) and return its round."""
        before = write.pop("before", None)
        answer = actions.enter_hand(
            self.write(phone, **write), self.sheet.public_id, hand or self.played(), before=before
        )
        assert isinstance(answer, actions.Saved), answer
        assert answer.change.round is not None
        return answer.change.round

    def fill(self, n):
        """Let `n` hands stand: the usual one is entered, the others are written as rows like it.

        For what many hands do to a page; the action takes twenty times as long as its rows.
        """
        first, players = self.enter(), self.players
        like = Round.objects.values().get(pk=first.pk)
        del like["id"]
        others = Round.objects.bulk_create(
            Round(
                **like
                | {"public_id": uuid.uuid4(), "position": first.position + 1000 * k}
                | {"dealer_id": players[k % 3].pk}
            )
            for k in range(1, n)
        )
        for entry in first.entries.all():
            Entry.objects.bulk_create(
                Entry(round=row, player_id=entry.player_id, units=entry.units, signed=entry.signed)
                for row in others
            )
            more = entry.units * len(others)
            Player.objects.filter(pk=entry.player_id).update(total=F("total") + more)
        return [first, *others]

    def end(self, phone=""):
        answer = actions.end_match(self.write(phone), self.sheet.public_id)
        assert isinstance(answer, actions.Saved), answer
        return answer

    def url(self, rest=""):
        return f"/t/{self.table.public_id}/{rest}"

    def fields(self, form_url="", **changed):
        """The fields of a hand's form, as a browser would post them: Ben made 320 in hearts."""
        fields = {
            "key": str(uuid.uuid4()),
            "seen": str(self.version),
            "sheet": self.sheet.public_id,
            "by": "result",
            "bidder": str(self.players[1].pk),
            "bid": "320",
            "trump": "hearts",
            "outcome": "made",
        }
        return {name: value for name, value in (fields | changed).items() if value is not None}

    def number_fields(self, seat, units, **changed):
        """The fields of the form of one number, as a browser would post them."""
        other = dict.fromkeys(("by", "bidder", "bid", "trump", "outcome"))
        player = str(self.players[seat].pk)
        return self.fields(**other | {"player": player, "units": units} | changed)


def client_of(secret: str) -> Client:
    client = Client()
    client.cookies[COOKIE] = secret
    return client


@pytest.fixture(autouse=True)
def _nothing_is_kept_for_the_next():
    """Forget what was made for those who watch: the usual table has one address in all tests."""
    yield
    cache.clear()


@pytest.fixture(autouse=True, scope="session")
def _only_whole_pages_are_noted(django_test_environment):
    """An answer's `context` is its page's; noting each part of a sheet takes as long as it does."""
    inside = threading.local()

    def render(template, context):
        if getattr(inside, "page", False):
            return template.nodelist.render(context)
        inside.page = True
        try:
            return instrumented_test_render(template, context)
        finally:
            inside.page = False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(autouse=True, scope="session")
def _sentences_are_bare():
    """Sentences and pages are compared without what sets names apart: test_isolated.py has that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names.Isolated, "__str__", str.__str__)
        yield


@pytest.fixture(autouse=True, scope="session")
def _history_points_at_known_rows():
    """Whatever an action of any test puts into history could be written to a file and read back."""

    def look(instance, shapes):
        for told in (instance.before, instance.after):
            unknown = list(history_ids.unknown_keys(told, shapes))
            assert not unknown, f"{instance.kind}: tell sheets.history_ids of {unknown}"
            history_ids.pointed(told, lambda what, pk: pk, shapes)

    def of_table(instance, **said):
        look(instance, history_ids.OF_TABLES)

    def of_club(instance, **said):
        look(instance, history_ids.OF_CLUBS)

    post_save.connect(of_table, sender=Change)
    post_save.connect(of_club, sender=ClubChange)
    yield
    post_save.disconnect(of_table, sender=Change)
    post_save.disconnect(of_club, sender=ClubChange)


@pytest.fixture
def new_game(db):
    """Start a table; Ben's phone has joined it. Returns (game, Alice's secret, Ben's secret)."""

    def start(names=NAMES, time_zone="Europe/Berlin", house=None, off_sheet=None):
        secrets = [codes.new_phone(), codes.new_phone()]
        alice, ben = (codes.phone_hash(secret) for secret in secrets)
        new = actions.NewTable(
            names=tuple(names),
            first_dealer=0,
            this_phone=0,
            game="auction",
            house=house or auction.HouseRules(),
            time_zone=time_zone,
            off_sheet=off_sheet,
        )
        started = actions.start_table(new, phone=alice, key=uuid.uuid4())
        assert isinstance(started, actions.Saved)
        game = Game(started.change.table, alice, ben)
        actions.join(game.write(ben), game.players[1].person_id)
        return game, *secrets

    return start


@pytest.fixture
def started(new_game):
    return usual.game(new_game)


@pytest.fixture
def game(started) -> Game:
    return started[0]


@pytest.fixture
def alice(started) -> Client:
    """The browser of the phone that started the table."""
    return client_of(started[1])


@pytest.fixture
def ben(started) -> Client:
    """The browser of the second phone at the table."""
    return client_of(started[2])


@pytest.fixture
def members(game):
    return {member.number: member for member in Member.objects.filter(table=game.table)}


@pytest.fixture
def at_most_queries():
    """Count what a block asks of the database; BEGIN, COMMIT and savepoints do not count."""

    @contextlib.contextmanager
    def counting(most):
        with CaptureQueriesContext(connection) as captured:
            yield
        asked = [q["sql"] for q in captured if not TRANSACTION.match(q["sql"])]
        assert len(asked) <= most, "\n".join(asked)

    return counting


@pytest.fixture
def thursday(db) -> clubs.ClubAt:
    """A club with an owner, an organiser and nothing else."""
    return usual.club()


@pytest.fixture
def club_game(thursday, game) -> Game:
    """The usual table as one of the club's."""
    return thursday.take_in(game)


@pytest.fixture
def mara(thursday) -> Client:
    """The browser of the club's owner."""
    return clubs.signed_in(thursday.mara)


@pytest.fixture
def otto(thursday) -> Client:
    """The browser of the club's organiser."""
    return clubs.signed_in(thursday.otto)
