"""Real requests at once, from several phones, on the real database."""

from __future__ import annotations

import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

import pytest
from django.db import connections, transaction
from django.db.models import F
from django.utils import timezone

from sheets import actions, codes
from sheets.access import COOKIE
from sheets.actions import deleting, writing
from sheets.models import Change, Member, Review, Round, Sheet, Table
from tests.sheets.clubs import a_club

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]

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


def insist(server, secret, path, fields):
    """Post as somebody does who is shown what others did and wants it all the same."""
    while True:
        status, page = post(server, secret, path, fields)
        if status != 409:
            return status, page
        fields = fields | {"seen": re.search(r'name="seen" value="([^"]+)"', page)[1]}


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


def test_an_end_that_is_approved_and_taken_back_at_once_is_one_of_them(live_server, started):
    game = started[0]
    club = a_club()
    club.take_in(game)
    at_a_banked_sheet(game)
    sheet, review, phone = game.sheet.public_id, club.at(game.table), game.write()
    approved, reopened = all_at_once(
        [
            lambda: actions.review(review, sheet, Review.APPROVED),
            lambda: actions.reopen(phone, sheet),
        ]
    )
    if game.sheet.is_open:
        assert isinstance(reopened, actions.Saved)
        assert (approved.why, game.sheet.review) == ("stale", "to_review")
    else:
        assert isinstance(approved, actions.Saved)
        assert (reopened.why, game.sheet.review) == ("approved", "approved")


def test_two_organisers_saying_the_same_at_once_say_it_once(live_server, started):
    game = started[0]
    club = a_club()
    club.take_in(game)
    at_a_banked_sheet(game)
    sheet = game.sheet.public_id
    writes = [club.at(game.table, user) for user in (club.mara, club.otto)]
    answers = all_at_once([lambda w=w: actions.review(w, sheet, Review.APPROVED) for w in writes])
    assert all(isinstance(one, actions.Saved) for one in answers)
    assert Change.objects.filter(kind="reviewed").count() == 1


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
        deleting.delete_all_of(table)
    sends.join()
    ((status, page),) = answers
    assert status == 404
    assert "This sheet is private." in page


def test_eight_phones_writing_at_once_are_all_answered(live_server, new_game):
    games = [new_game() for _ in range(4)]
    calls = [
        lambda game=game, secret=secret: [
            insist(live_server, secret, game.url("hands/new/"), game.fields())[0] for _ in range(5)
        ]
        for game, alice, ben in games
        for secret in (alice, ben)
    ]
    answers = all_at_once(calls)
    assert answers == [[303] * 5] * 8
    assert [len(game.standing) for game, *_ in games] == [10] * 4
    assert [game.totals for game, *_ in games] == [[0, 20, 0]] * 4


def test_a_phone_removed_while_its_hand_waits_for_the_lock_is_refused(started):
    game, _alice, _ben = started
    waits, answers = threading.Event(), []
    alice_phone = Member.objects.get(number=1)

    def enter():
        waits.set()
        try:
            hand = game.played()
            answers.append(actions.enter_hand(game.write(game.ben), game.sheet.public_id, hand))
        finally:
            connections.close_all()

    hand = threading.Thread(target=enter)
    # Hold the table as a write does, let the hand come and wait, and remove its phone meanwhile.
    with writing.one_writer(), transaction.atomic():
        Table.objects.select_for_update().get(pk=game.table.pk)
        hand.start()
        waits.wait()
        time.sleep(0.5)
        Member.objects.filter(number=2).update(removed_at=timezone.now(), removed_by=alice_phone)
        Table.objects.filter(pk=game.table.pk).update(version=F("version") + 1)
    hand.join()
    assert [answer.why for answer in answers] == [actions.Why.REMOVED]
    assert not Round.objects.exists()


def test_phones_that_remove_each_other_and_enter_hands_never_wait_in_a_circle(live_server, started):
    game, alice, ben = started
    cass = codes.new_phone()
    actions.join(game.write(codes.phone_hash(cass)), None)
    hands = [
        lambda secret=secret: insist(live_server, secret, game.url("hands/new/"), game.fields())[0]
        for secret in (alice, ben, cass, ben, cass)
    ]
    removals = [
        lambda: post(live_server, cass, game.url("phones/2/remove/"), game.fields())[0],
        lambda: post(live_server, ben, game.url("phones/3/remove/"), game.fields())[0],
    ]
    answers = all_at_once([*hands[:3], *removals, *hands[3:]])
    assert set(answers) <= {303, 403}
    # One of the two was quicker; the other was out by then.
    assert sorted(answers[3:5]) == [303, 403]
    assert Change.objects.filter(kind="phone_removed").count() == 1
    assert len(game.standing) == [answers[n] for n in (0, 1, 2, 5, 6)].count(303)


def test_three_first_numbers_at_once_make_one_hand(live_server, started):
    game, alice, ben = started
    cass = codes.new_phone()
    actions.join(game.write(codes.phone_hash(cass)), game.players[2].person_id)
    actions.change_settings(game.write(), True, False)
    after = str(game.enter().public_id)
    answers = all_at_once(
        [
            lambda secret=secret, fields=fields: post(
                live_server, secret, game.url("numbers/"), fields
            )
            for secret, fields in (
                (alice, game.number_fields(0, "4", after=after)),
                (ben, game.number_fields(1, "0", after=after)),
                (cass, game.number_fields(2, "4", after=after)),
            )
        ]
    )
    assert [status for status, _ in answers] == [303] * 3
    _first, together = game.standing
    assert not together.half
    assert {e.player.place: e.units for e in together.entries.all()} == {0: 4, 1: 0, 2: 4}
    assert game.totals == [4, 2, 4]


def test_two_phones_filling_one_column_at_once_leave_one_number_and_one_question(
    live_server, started
):
    game, alice, ben = started
    actions.change_settings(game.write(), True, False)
    answers = all_at_once(
        [
            lambda secret=secret, fields=fields: post(
                live_server, secret, game.url("numbers/"), fields
            )
            for secret, fields in (
                (alice, game.number_fields(2, "4")),
                (ben, game.number_fields(2, "6")),
            )
        ]
    )
    assert sorted(status for status, _ in answers) == [303, 409]
    question = next(page for status, page in answers if status == 409)
    assert "Save mine instead" in question
    assert game.totals[2] in (4, 6)


def test_a_whole_hand_racing_a_first_number_is_never_two_hands_unasked(live_server, started):
    game, alice, ben = started
    actions.change_settings(game.write(), True, False)
    whole = game.fields()
    number = game.number_fields(1, "4")
    answers = all_at_once(
        [
            lambda: post(live_server, alice, game.url("hands/new/"), whole),
            lambda: post(live_server, ben, game.url("numbers/"), number),
        ]
    )
    assert sorted(status for status, _ in answers) == [303, 409]
    assert len(game.standing) == 1
