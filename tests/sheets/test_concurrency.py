"""Real requests at once, from several phones, on the real database."""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

import pytest
from django.db import connections, transaction

from sheets import actions
from sheets.access import COOKIE
from sheets.actions import deleting
from sheets.models import Change, Round, Sheet, Table

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "t" * 32  # any secret does for CSRF, as long as cookie and header agree


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


def post(server, secret, path, fields):
    """Post a form as a browser does; return the status and the page."""
    request = urllib.request.Request(
        f"{server.url}{path}",
        urllib.parse.urlencode(fields).encode(),
        {
            "Cookie": f"{COOKIE}={secret}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
        },
    )
    opener = urllib.request.build_opener(NoRedirects)
    try:
        with opener.open(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code, answer.read().decode()


def all_at_once(calls):
    """Run the calls in threads that start together; return their answers in order."""
    ready = threading.Barrier(len(calls))
    answers = [None] * len(calls)

    def run(n, call):
        ready.wait()
        try:
            answers[n] = call()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_the_same_key_sent_four_times_at_once_is_one_hand(live_server, started):
    game, alice, _ben = started
    fields = game.fields()
    path = game.url("hands/new/")
    answers = all_at_once([lambda: post(live_server, alice, path, fields)] * 4)
    assert [status for status, _ in answers] == [303] * 4
    assert Round.objects.count() == 1
    assert game.totals == [0, 2, 0]


def test_two_phones_entering_hand_seven_leave_one_hand_and_one_question(live_server, started):
    game, alice, ben = started
    for _ in range(6):
        game.enter()
    path = game.url("hands/new/")
    mine, theirs = game.fields(), game.fields(bid="350", outcome="set")
    answers = all_at_once(
        [
            lambda: post(live_server, alice, path, mine),
            lambda: post(live_server, ben, path, theirs),
        ]
    )
    assert sorted(status for status, _ in answers) == [303, 409]
    assert len(game.standing) == 7
    question = next(page for status, page in answers if status == 409)
    assert "entered hand 7" in question
    assert "Same hand: discard mine" in question
    assert "Another hand: save as hand 8" in question


def test_two_phones_ending_the_match_bank_it_once(live_server, started):
    game, alice, ben = started
    game.enter()
    path = game.url("end/")
    calls = [
        lambda: post(live_server, alice, path, game.fields()),
        lambda: post(live_server, ben, path, game.fields()),
    ]
    assert [status for status, _ in all_at_once(calls)] == [303, 303]
    assert Sheet.objects.get().state == "banked"
    assert Change.objects.filter(kind="sheet_banked").count() == 1


def test_a_hand_racing_the_end_is_on_the_sheet_or_refused_with_its_values(live_server, started):
    game, alice, ben = started
    game.enter()
    hand, end = game.fields(bid="550", trump="spades", outcome="set"), game.fields()
    answers = all_at_once(
        [
            lambda: post(live_server, alice, game.url("hands/new/"), hand),
            lambda: post(live_server, ben, game.url("end/"), end),
        ]
    )
    (entered, page), (ended, question) = answers
    standing = len(game.standing)
    if entered == 303:
        assert (standing, ended) == (2, 409)
        assert "Alice entered hand 2" in question
    else:
        assert (entered, standing, ended) == (409, 1, 303)
        assert "Ben ended this match" in page
        assert 'name="bid" value="550" checked' in page


def test_two_phones_pressing_play_again_open_one_sheet(live_server, started):
    game, alice, ben = started
    game.enter()
    game.end()
    names = {f"name_{seat}": name for seat, name in enumerate(("Alice", "Ben", "Cass"))}
    calls = [
        lambda: post(
            live_server, alice, game.url("again/"), game.fields(first_dealer="0", **names)
        ),
        lambda: post(live_server, ben, game.url("again/"), game.fields(first_dealer="1", **names)),
    ]
    assert [status for status, _ in all_at_once(calls)] == [303, 303]
    assert Sheet.objects.filter(state="open").count() == 1


def at_a_banked_sheet(game):
    """Bank a sheet with a hand on it; return how to take its end back."""
    game.enter()
    game.end()
    return f"{game.sheet.get_absolute_url()}reopen/", game.fields(sheet=None)


def test_two_phones_taking_back_an_end_do_it_once(live_server, started):
    game, alice, ben = started
    path, fields = at_a_banked_sheet(game)
    calls = [
        lambda: post(live_server, alice, path, fields),
        lambda: post(live_server, ben, path, fields | {"key": str(uuid.uuid4())}),
    ]
    assert [status for status, _ in all_at_once(calls)] == [303, 303]
    assert Change.objects.filter(kind="sheet_reopened").count() == 1
    assert game.sheet.is_open


def test_taking_back_an_end_against_play_again_leaves_the_old_sheet_open(live_server, started):
    game, alice, ben = started
    path, fields = at_a_banked_sheet(game)
    banked = game.sheet
    names = {f"name_{seat}": name for seat, name in enumerate(("Alice", "Ben", "Cass"))}
    again = game.fields(first_dealer="0", **names)
    answers = all_at_once(
        [
            lambda: post(live_server, alice, path, fields),
            lambda: post(live_server, ben, game.url("again/"), again),
        ]
    )
    assert [status for status, _ in answers] == [303, 303]
    assert Sheet.objects.get(state="open") == banked
    assert set(Sheet.objects.exclude(pk=banked.pk).values_list("state")) <= {("discarded",)}


def test_taking_back_an_end_against_a_hand_on_the_newer_sheet_loses_neither(live_server, started):
    game, alice, ben = started
    path, fields = at_a_banked_sheet(game)
    banked = game.sheet
    actions.play_again(game.write(), ("Alice", "Ben", "Cass"), 0)
    hand = game.fields(bid="550", trump="spades", outcome="set")
    (reopened, said), (entered, page) = all_at_once(
        [
            lambda: post(live_server, alice, path, fields),
            lambda: post(live_server, ben, game.url("hands/new/"), hand),
        ]
    )
    banked.refresh_from_db()
    if entered == 303:
        assert (reopened, banked.state, len(game.standing)) == (409, "banked", 1)
        assert "The next sheet holds a hand already" in said
    else:
        assert (reopened, entered, banked.state) == (303, 409, "open")
        assert 'name="bid" value="550" checked' in page


def test_the_last_two_phones_agreeing_at_once_delete_the_table_once(live_server, started):
    game, alice, ben = started
    path = game.url("delete/")
    calls = [
        lambda: post(live_server, alice, path, game.fields()),
        lambda: post(live_server, ben, path, game.fields()),
    ]
    statuses = sorted(status for status, _ in all_at_once(calls))
    assert statuses == [303, 303]
    assert not Table.objects.exists()


def test_a_hand_that_meets_the_deletion_is_answered_in_words(live_server, started):
    game, alice, ben = started
    actions.agree_to_delete(game.write())
    hand, word = game.fields(), game.fields()
    (entered, page), (agreed, said) = all_at_once(
        [
            lambda: post(live_server, alice, game.url("hands/new/"), hand),
            lambda: post(live_server, ben, game.url("delete/"), word),
        ]
    )
    if entered == 303:
        assert (agreed, Round.objects.count()) == (409, 1)
        assert "Alice entered hand 1" in said
    else:
        assert (entered, agreed) == (404, 303)
        assert "This sheet is private." in page
        assert not Table.objects.exists()


def test_a_page_that_waits_while_the_table_is_deleted_is_a_strangers(live_server, started):
    game, alice, _ben = started
    path, fields = game.url("hands/new/"), game.fields()
    answers = []
    sends = threading.Thread(target=lambda: answers.append(post(live_server, alice, path, fields)))
    # The table stays locked until the hand has been let in and waits for its turn.
    with transaction.atomic():
        table = Table.objects.select_for_update().get()
        sends.start()
        time.sleep(0.5)
        deleting._delete_all_of(table)
    sends.join()
    ((status, page),) = answers
    assert status == 404
    assert "This sheet is private." in page


def test_eight_phones_writing_at_once_are_all_answered(live_server, new_game):
    games = [new_game() for _ in range(4)]
    calls = [
        lambda game=game, secret=secret: [
            post(live_server, secret, game.url("hands/new/"), game.fields(seen="999"))[0]
            for _ in range(5)
        ]
        for game, alice, ben in games
        for secret in (alice, ben)
    ]
    answers = all_at_once(calls)
    assert answers == [[303] * 5] * 8
    assert [len(game.standing) for game, *_ in games] == [10] * 4
    assert [game.totals for game, *_ in games] == [[0, 20, 0]] * 4
