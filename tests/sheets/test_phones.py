"""The phones at a table: heard of, removed, let back in; the code and who may join by it."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, codes, phone_queries
from sheets.models import Change, Member, Person, Round, Sheet, Table
from tests.sheets.conftest import client_of
from tests.sheets.test_access import without_token

HTMX = {"HX-Request": "true"}


def form(game, **fields):
    return {"key": str(uuid.uuid4()), "seen": str(game.version)} | fields


def ago(**time):
    return timezone.now() - datetime.timedelta(**time)


@pytest.fixture
def cass(game):
    """A third phone, of somebody who only keeps score."""
    secret = codes.new_phone()
    actions.join(game.write(codes.phone_hash(secret)), None)
    return client_of(secret)


def removes(client, game, number, **headers):
    return client.post(game.url(f"phones/{number}/remove/"), form(game), headers=headers)


# Heard of.


def test_a_phone_is_heard_of_in_memory_and_written_down_later(game, alice, ben):
    version, long_ago = game.version, ago(minutes=20)
    Member.objects.update(last_seen=long_ago)
    with CaptureQueriesContext(connection) as looked:
        alice.get(game.url())
    assert not any("UPDATE" in query["sql"] for query in looked)
    alice_phone, ben_phone = Member.objects.filter(table=game.table)
    assert alice_phone.last_seen == ben_phone.last_seen == long_ago
    # Who asks in the meantime is told what memory knows.
    page = ben.get(game.url("phones/"))
    assertContains(page, "heard of just now", count=1)
    assert phone_queries.seat_in_use(alice_phone.person_id, but_for=ben_phone)
    with CaptureQueriesContext(connection) as written:
        actions.write_down_heard()
    assert sum("UPDATE" in query["sql"] for query in written) == 1
    for phone in Member.objects.filter(table=game.table):
        assert phone.last_seen > ago(seconds=30)
    assert game.version == version
    with CaptureQueriesContext(connection) as again:
        alice.get(game.url())
        actions.write_down_heard()
    assert not any("UPDATE" in query["sql"] for query in again)


def test_a_phone_heard_of_in_the_future_is_heard_of_now(game, alice):
    Member.objects.update(last_seen=ago(hours=-1))
    alice.get(game.url())
    actions.write_down_heard()
    assert Member.objects.get(phone=game.alice).last_seen < ago(seconds=-1)


def test_the_phones_are_listed_with_when_they_were_heard_of(game, alice, cass):
    Member.objects.filter(number=2).update(last_seen=ago(minutes=20))
    page = alice.get(game.url("phones/"))
    assertContains(page, "this phone · started the table")
    assertContains(page, "heard of 20\xa0minutes ago")
    assertContains(page, "Phone 3")
    assertContains(page, "heard of just now")
    assertContains(page, f'href="{game.url("phones/2/remove/")}"')


# Removed.


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_removed_phone_is_out_at_once_and_told_by_whom(game, alice, ben, headers):
    old, old_link = (game.table.code, game.table.watch_id), f"/join/{game.table.join_secret}/"
    answer = removes(alice, game, 2, **headers)
    assert (answer.status_code, answer["Location"]) == (303, game.url("phones/"))
    page = ben.get(game.url(), headers=headers)
    assertContains(page, "Alice removed this phone from the table at", status_code=403)
    assertNotContains(page, "Cass", status_code=403)
    table = Table.objects.get(pk=game.table.pk)
    assert old[0] != table.code
    assert old[1] != table.watch_id
    assert ben.get(f"/join/{old[0]}").status_code == 404
    assert ben.get(f"/watch/{old[1]}/").status_code == 404
    assert ben.get(old_link).status_code == ben.post(old_link, form(game)).status_code == 404
    change = Change.objects.latest("pk")
    assert change.after == {
        "member": Member.objects.get(number=2).pk,
        "number": 2,
        "person": game.players[1].person_id,
        "watch": True,
    }
    said = "removed the phone of Ben; the join code and the watch link are new"
    assertContains(alice.get(game.url("history/")), said)
    assertNotContains(ben.get("/"), "Alice, Ben and Cass")


def test_a_hand_of_a_removed_phone_is_refused_and_can_be_sent_after_joining_again(game, ben):
    fields = game.fields()
    actions.remove_phone(game.write(), 2)
    page = ben.post(game.url("hands/new/"), fields)
    assert (page.status_code, page["Refused"]) == (403, "removed")
    assertContains(page, f'name="key" value="{fields["key"]}"', status_code=403)
    assertContains(page, 'name="bid" value="320"', status_code=403)
    # One that came out of the phone's queue waits there, and goes no other way.
    queued = ben.post(game.url("hands/new/"), fields, headers={"Outbox": "1"})
    assertNotContains(queued, 'name="bid"', status_code=403)
    assert Round.objects.count() == 0
    game.table.refresh_from_db()
    who = form(game, person=str(game.players[1].person_id))
    assert ben.post(f"/join/{game.table.code}", who).status_code == 303
    sent = dict(page.context["sent"])
    assert ben.post(page.context["address"], sent).status_code == 303
    assert Round.objects.get().entered_by.number == 2
    history = ben.get(game.url("history/")).content.decode()
    assert "joined again" in history


def test_the_old_code_lets_no_removed_phone_back_in_whatever_the_form_says(game):
    code, secret = game.table.code, game.table.join_secret
    actions.remove_phone(game.write(), 2)
    for key in (code, secret):
        answer = actions.join(game.write(game.ben), None, code=key)
        assert answer.why == actions.Why.WRONG_CODE
    assert Member.objects.get(number=2).removed_at is not None


def test_a_removal_sent_twice_or_by_two_phones_is_one(game, alice, ben, cass):
    fields = form(game)
    answers = [alice.post(game.url("phones/3/remove/"), fields) for _ in range(2)]
    answers.append(removes(ben, game, 3))
    assert [answer.status_code for answer in answers] == [303] * 3
    assert Change.objects.filter(kind="phone_removed").count() == 1


def test_the_phone_that_started_the_table_is_removed_by_itself_alone(game, alice, ben):
    page = removes(ben, game, 1)
    assertContains(page, "nobody but itself can take it off", status_code=409)
    assert alice.get(game.url()).status_code == 200
    answer = removes(alice, game, 1)
    assert answer["Location"] == "/"
    assertContains(alice.get(game.url()), "This phone left the table at", status_code=403)
    assertContains(ben.get(game.url("history/")), "left the table")


def test_the_last_phone_is_warned_that_nobody_gets_in_after_it(game, alice, ben):
    assertNotContains(ben.get(game.url("phones/2/remove/")), "It is the last phone here")
    removes(ben, game, 2)
    assertContains(alice.get(game.url("phones/1/remove/")), "It is the last phone here")


@pytest.mark.parametrize("number", [9, 99999999999999999999])
def test_a_phone_that_is_not_there_cannot_be_removed(game, alice, number):
    for what in ("remove", "back"):
        assert alice.post(game.url(f"phones/{number}/{what}/"), form(game)).status_code == 404


def test_any_phone_lets_a_removed_one_back_in_within_ten_minutes(game, alice, ben, cass):
    removes(alice, game, 2)
    page = cass.get(game.url("phones/"))
    assertContains(page, "removed by Alice at")
    answers = [cass.post(game.url("phones/2/back/"), form(game)) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert ben.get(game.url()).status_code == 200
    assert Change.objects.filter(kind="phone_back").count() == 1
    assertContains(ben.get(game.url("history/")), "let the phone of Ben back in")


def test_after_ten_minutes_a_removal_is_not_undone(game, alice, ben):
    removes(alice, game, 2)
    Member.objects.filter(number=2).update(removed_at=ago(minutes=11))
    assertNotContains(alice.get(game.url("phones/")), "Just removed")
    page = alice.post(game.url("phones/2/back/"), form(game))
    assertContains(page, "It is too late to undo this.", status_code=409)
    assert ben.get(game.url()).status_code == 403


# What opens the table.


def test_a_changed_code_leaves_everybody_in(game, alice, ben, client):
    code, watch_id = game.table.code, game.table.watch_id
    link = f"/join/{game.table.join_secret}/"
    answer = alice.post(game.url("code/"), form(game, what="code"))
    assert answer["Location"] == game.url("share/")
    assert client.get(f"/join/{code}").status_code == 404
    assertContains(client.get(link), "This link opens no table now", status_code=404)
    game.table.refresh_from_db()
    assert client.get(f"/join/{game.table.code}").status_code == 200
    assert game.table.watch_id == watch_id
    alice.post(game.url("code/"), form(game, what="watch"))
    assert client.get(f"/watch/{watch_id}/").status_code == 404
    assert ben.get(game.url()).status_code == 200
    assert [c.after for c in Change.objects.filter(kind="code_changed").order_by("pk")] == [
        {"code": True},
        {"watch": True},
    ]
    page = alice.get(game.url("history/"))
    for said in ("changed the join code", "changed the watch link"):
        assertContains(page, said)


def wrong(client, code):
    """What a code is answered with, less the code itself."""
    page = client.get(f"/join/{code}")
    assert page.status_code == 404
    return without_token(page).replace(code, "")


@pytest.mark.parametrize("how", ["locked", "asleep", "asleep and empty"])
def test_a_code_that_opens_nothing_answers_like_a_wrong_one(game, alice, client, how):
    if how == "locked":
        alice.post(game.url("lock/"), form(game, locked="yes"))
        assertContains(alice.get(game.url("share/")), "Joining is locked")
    else:
        if how == "asleep":
            game.enter()
        game.end()
        Sheet.objects.update(ended_at=ago(hours=24, seconds=1))
        assertContains(alice.get(game.url("share/")), "the code sleeps")
    code = game.table.code
    assertNotContains(alice.get(game.url("share/")), code)
    assert wrong(client, code) == wrong(client, "ZZZZZZ")
    for path in (f"/join/{code}", f"/join/{game.table.join_secret}/"):
        assert client.post(path, form(game, person="none")).status_code == 404
        assertNotContains(client.get(path), "Alice", status_code=404)
    assert game.table.members.count() == 2
    assert alice.get(game.url()).status_code == 200


def test_a_code_that_opens_nothing_takes_as_many_queries_as_a_wrong_one(game, client):
    Table.objects.update(joining_locked=True)
    counts = []
    for code in (game.table.code, "ZZZZZZ"):
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/join/{code}")
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_joining_is_opened_again(game, alice, client):
    for locked in ("yes", "yes", "no", "no"):
        answer = alice.post(game.url("lock/"), form(game, locked=locked))
        assert answer.status_code == 303
    assert client.get(f"/join/{game.table.code}").status_code == 200
    assert Change.objects.filter(kind__startswith="joining").count() == 2
    page = alice.get(game.url("history/"))
    assertContains(page, "locked joining: the code opens nothing")
    assertContains(page, "opened joining: the code works again")


def test_a_code_works_for_a_day_after_the_end(game, client):
    game.enter()
    game.end()
    Sheet.objects.update(ended_at=ago(hours=23, minutes=59))
    assert client.get(f"/join/{game.table.code}").status_code == 200


@pytest.mark.parametrize("hours", [1, 25])
def test_play_again_shows_a_fresh_code_where_the_old_one_sleeps(game, alice, client, hours):
    game.enter()
    game.end()
    Sheet.objects.update(ended_at=ago(hours=hours))
    code, secret = game.table.code, game.table.join_secret
    names = {f"name_{seat}": name for seat, name in enumerate(("Alice", "Ben", "Cass"))}
    answer = alice.post(game.url("again/"), form(game, first_dealer="0", **names))
    game.table.refresh_from_db()
    assert (game.table.code != code) == (game.table.join_secret != secret) == (hours > 24)
    assert answer["Location"] == game.url("share/" if hours > 24 else "")
    assert client.get(f"/join/{game.table.code}").status_code == 200
    if hours > 24:
        assertContains(alice.get(answer["Location"]), game.table.code)
        assert client.get(f"/join/{code}").status_code == 404


def test_clearing_cookies_and_rejoining_by_code_finds_the_sheet_whole(game, alice, client):
    rows = [game.enter(), game.enter(game.typed(3, 0, 0)), game.enter()]
    before = alice.get(game.url()).content.decode()
    Member.objects.update(last_seen=ago(minutes=16))
    who = form(game, person=str(game.players[0].person_id))
    client.post(f"/join/{game.table.code}", who)  # the same phone, as nobody knows it any more
    page = client.get(game.url())
    for row in rows:
        assertContains(page, game.url(f"hands/{row.public_id}/"))
    pad = before[before.index("<table") : before.index("</table>")]
    assert pad in page.content.decode()
    assert str(Member.objects.latest("number")) == "Alice"
    assertContains(client.get("/"), "Alice, Ben and Cass")


# A name for who only keeps score.


def test_who_only_keeps_score_may_give_a_name(game, client):
    client.post(f"/join/{game.table.code}", form(game, person="none", name="Dora"))
    client.post(game.url("hands/new/"), game.fields())
    assertContains(client.get(game.url("history/")), "<strong>Dora</strong>", count=2)
    page = client.get(game.url("names/"))
    assertContains(page, "<span>Dora</span>", html=True)


@pytest.mark.parametrize("name", ["Ben", " ben ", "ＢＥＮ"])
@pytest.mark.parametrize("address", ["join", "who"])
def test_a_name_that_somebody_has_is_asked_for_a_letter_more(game, client, ben, address, name):
    fields = form(game, person="none", name=name)
    if address == "join":
        page = client.post(f"/join/{game.table.code}", fields)
    else:
        page = ben.post(game.url("who/"), fields)
    assertContains(page, "add a letter to yours", status_code=422)
    assertContains(page, f'value="{name}"', status_code=422)
    assert Person.objects.count() == 3


def test_a_name_beside_somebody_who_plays_is_asked_about(game, ben):
    person = str(game.players[1].person_id)
    page = ben.post(game.url("who/"), form(game, person=person, name="Dora"))
    assertContains(page, "choose that, or empty this", status_code=422)
    assertContains(page, 'value="Dora"', status_code=422)


def test_a_name_of_forty_letters_fits_and_one_of_41_is_refused(game, ben):
    fields = form(game, person="none", name="D" * 41)
    assertContains(ben.post(game.url("who/"), fields), "41 letters are too many", status_code=422)
    assert ben.post(game.url("who/"), fields | {"name": "D" * 40}).status_code == 303
