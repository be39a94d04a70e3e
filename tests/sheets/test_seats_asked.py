"""A seat in use is asked for: one Yes gives it, a No or silence refuses it."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, codes
from sheets.models import Change, Member
from tests.sheets.conftest import client_of

LIVE = {"HX-Request": "true", "HX-Target": "sheet"}


def form(game, **fields):
    return {"key": str(uuid.uuid4()), "seen": str(game.version)} | fields


def ago(**time):
    return timezone.now() - datetime.timedelta(**time)


@pytest.fixture
def asker(game, client):
    """A new phone that says it is Ben, whose own phone is about."""
    person = str(game.players[1].person_id)
    answer = client.post(f"/join/{game.table.code}", form(game, person=person))
    assert answer.status_code == 303
    return client


def answers(client, game, answer, person=1, **headers):
    fields = {"number": "3", "person": str(game.players[person].person_id), "answer": answer}
    return client.post(game.url("asks/"), form(game, **fields), headers=headers)


def third():
    return Member.objects.get(number=3)


def test_the_others_are_asked_and_the_phone_enters_hands_meanwhile(game, alice, ben, asker):
    for client in (alice, ben):
        page = client.get(game.url())
        assertContains(page, "Phone 3 says it is Ben.")
        assertContains(page, "Yes, it is Ben")
    page = asker.get(game.url())
    assertContains(page, "The other phones are asked whether this is Ben.")
    assertNotContains(page, "Phone 3 says it is Ben.")
    assert asker.post(game.url("hands/new/"), game.fields()).status_code == 303
    assertContains(asker.get(game.url("history/")), "and asked to be Ben")


@pytest.mark.parametrize("headers", [{}, LIVE])
def test_one_yes_gives_the_seat(game, alice, ben, asker, headers):
    answer = answers(ben, game, "yes", **headers)
    assert (answer.status_code, answer["Location"]) == (303, game.url())
    assert str(third()) == "Ben"
    assertContains(asker.get(game.url()), "Ben said yes: this is the phone of Ben.")
    assertNotContains(alice.get(game.url()), "says it is Ben")
    assertContains(alice.get(game.url("history/")), "said that phone 3 is Ben")


def test_a_no_refuses_it(game, alice, asker):
    assert answers(alice, game, "no").status_code == 303
    assert str(third()) == "Phone 3"
    assertContains(asker.get(game.url()), "Alice said that this is not Ben.")
    assertContains(alice.get(game.url("history/")), "said that phone 3 is not Ben")


def test_two_minutes_of_silence_refuse_it(game, alice, asker):
    Member.objects.filter(number=3).update(asked_at=ago(seconds=121))
    assertNotContains(alice.get(game.url()), "says it is Ben")
    assertContains(asker.get(game.url()), "Nobody said yes in time")
    assertContains(answers(alice, game, "yes"), "its two minutes are over", status_code=409)
    assert third().person is None
    Member.objects.filter(number=3).update(asked_at=ago(minutes=11))
    assertNotContains(asker.get(game.url()), "Nobody said yes in time")


def test_a_second_answer_changes_nothing_and_is_told_so(game, alice, ben, asker):
    answers(ben, game, "no")
    page = answers(alice, game, "yes", **LIVE)
    assertContains(page, "This question was answered already", status_code=409)
    assert page.content.decode().strip().startswith('<section id="sheet"')
    assert third().person is None


def test_an_answer_sent_twice_is_one(game, alice, asker):
    fields = {"number": "3", "person": str(game.players[1].person_id), "answer": "yes"}
    fields = form(game, **fields)
    assert [alice.post(game.url("asks/"), fields).status_code for _ in range(2)] == [303, 303]
    assert Change.objects.filter(kind="seat_given").count() == 1


def test_nobody_answers_for_themselves_or_for_another_question(game, alice, asker):
    assertContains(answers(asker, game, "yes"), "another one answers it", status_code=409)
    assert answers(alice, game, "yes", person=2).status_code == 409
    assert third().person is None


@pytest.mark.parametrize("junk", [{"number": "x"}, {"number": "9" * 30}, {"answer": "maybe"}])
def test_an_answer_that_cannot_be_is_refused_in_words(game, alice, asker, junk):
    fields = {"number": "3", "person": "1", "answer": "yes"} | junk
    page = alice.post(game.url("asks/"), form(game, **fields))
    assertContains(page, 'role="alert"', status_code=422)
    assertContains(page, "Phone 3 says it is Ben.", status_code=422)


def test_the_card_is_on_the_result_too(game, alice, asker):
    game.enter()
    game.end()
    assertContains(alice.get(game.url()), "Yes, it is Ben")
    assert answers(alice, game, "yes").status_code == 303


def test_a_seat_whose_phone_was_quiet_is_simply_taken(game, client):
    Member.objects.filter(number=2).update(last_seen=ago(minutes=16))
    person = str(game.players[1].person_id)
    client.post(f"/join/{game.table.code}", form(game, person=person))
    assert str(third()) == "Ben"


def test_a_member_that_asks_for_a_seat_keeps_its_own_until_then(game, alice, ben):
    person = str(game.players[0].person_id)
    assert ben.post(game.url("who/"), form(game, person=person)).status_code == 303
    assertContains(alice.get(game.url()), "Ben says it is Alice.")
    assertContains(ben.get(game.url()), "this phone goes on as Ben")
    assertContains(ben.get(game.url("history/")), "asked the other phones to be Alice")


def test_a_removed_phone_asks_no_more(game, alice, asker):
    actions.remove_phone(game.write(), 3)
    assertNotContains(alice.get(game.url()), "says it is Ben")
    assert answers(alice, game, "yes").status_code == 409


def test_where_nobody_asks_the_sheet_takes_no_query_more(game, alice, at_most_queries):
    with at_most_queries(5):
        alice.get(game.url())


def test_a_page_of_what_is_asked(game, alice, client):
    assertContains(alice.get(game.url("asks/")), "No phone asks for a seat.")
    secret = codes.new_phone()
    actions.join(game.write(codes.phone_hash(secret)), game.players[0].person_id)
    assertContains(alice.get(game.url("asks/")), "Phone 3 says it is Alice.")
    assertContains(client_of(secret).get(game.url("asks/")), "No phone asks for a seat.")
