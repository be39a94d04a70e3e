"""Join by code: looking never joins, sending does."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from sheets.models import Change, Member, Table

HTMX = {"HX-Request": "true"}


@pytest.fixture
def url(game):
    return f"/join/{game.table.code}"


def posted(person, **changed):
    return {"key": str(uuid.uuid4()), "seen": "0", "person": str(person)} | changed


def test_the_page_asks_whose_phone_this_is(client, url):
    page = client.get(url)
    assertContains(page, "<html")
    assertContains(page, "Join Alice, Ben and Cass")
    for name in ("Alice", "Ben", "Cass", "I only keep score"):
        assertContains(page, f"<span>{name}</span>", html=True)


def test_the_page_as_a_part(client, url):
    part = client.get(url, headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


def test_looking_joins_nobody_and_gives_no_cookie(game, client, url):
    assert "phone" not in client.get(url).cookies
    assert client.get(game.url()).status_code == 404
    assert game.table.members.count() == 2


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_second_phone_becomes_a_member_as_the_person_it_names(game, client, url, headers):
    cass = game.players[2].person
    answer = client.post(url, posted(cass.pk), headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, game.url())
    assert client.get(game.url()).status_code == 200
    assert str(Member.objects.latest("number")) == "Cass"


def test_a_phone_that_only_keeps_score_goes_by_its_number(game, client, url):
    client.post(url, posted("none"))
    client.post(game.url("hands/new/"), game.fields())
    page = client.get(game.url("history/"))
    assert [who for _at, who, _what in page.context["events"]][:2] == ["Phone 3", "Phone 3"]
    assertContains(page, "joined with another phone")


def test_two_phones_may_belong_to_one_person(game, client, url):
    game.table.members.update(last_seen=timezone.now() - datetime.timedelta(minutes=16))
    client.post(url, posted(game.players[1].person.pk))
    assert [str(member) for member in game.table.members.all()] == ["Alice", "Ben", "Ben"]


@pytest.mark.parametrize("person", ["", "999999", "nonsense"])
def test_a_phone_that_says_nobody_is_asked_again(game, client, url, person):
    page = client.post(url, posted(person))
    assertContains(page, "<em>", status_code=422)
    assertContains(page, "Join Alice, Ben and Cass", status_code=422)
    assert "phone" not in page.cookies
    assert game.table.members.count() == 2


def test_nobody_joins_as_a_person_of_another_table(new_game, client, url):
    other, *_ = new_game(["Ann", "Bob", "Cid"])
    assert client.post(url, posted(other.players[0].person.pk)).status_code == 422


def test_the_question_left_open_is_named(client, url):
    fields = posted("")
    del fields["person"]
    assertContains(client.post(url, fields), "Choose who you are.", status_code=422)


def test_a_refused_join_as_a_part(client, url):
    part = client.post(url, posted(""), headers=HTMX)
    assertContains(part, '<main id="page">', status_code=422)
    assertNotContains(part, "<html", status_code=422)


@pytest.mark.parametrize("lost", [{"key": ""}, {"key": "x"}, {"seen": "x"}])
def test_a_form_that_lost_a_part_says_so_and_can_be_sent_again(game, client, url, lost):
    page = client.post(url, posted("none", **lost))
    assertContains(page, "Part of this form was missing.", status_code=422)
    assert client.post(url, page.context["form"].data).status_code == 303
    assert game.table.members.count() == 3


@pytest.mark.on_postgresql
def test_two_taps_join_once(game, client, url):
    fields = posted("none")
    assert [client.post(url, fields).status_code for _ in range(2)] == [303, 303]
    assert game.table.members.count() == 3
    assert Change.objects.filter(kind="joined").count() == 2  # Ben's phone, and this one once


@pytest.mark.on_postgresql
def test_two_taps_of_a_phone_that_has_no_cookie_yet_seat_one_member(game, url):
    fields = posted("none")
    Client().post(url, fields)
    page = Client().post(url, fields)
    assertContains(page, "This form was used already. Press once more.", status_code=422)
    assert game.table.members.count() == 3


def test_joining_again_says_who_the_phone_is_now(game, ben, url):
    ben.post(url, posted(game.players[2].person.pk))
    assert game.table.members.count() == 2
    page = ben.get(game.url("history/"))
    assertContains(page, "said this is the phone of Cass, no longer of Ben")


@pytest.mark.parametrize(
    "typed", ["ab01k9", "AB01K9/", "ab0-1k9/", "aboLk9", "ＡＢ０１Ｋ９", "AB01%20K9/", "AB01K9."]
)
def test_an_address_with_a_code_is_forgiven_how_it_was_typed(game, client, typed):
    Table.objects.update(code="AB01K9")
    page = client.get(f"/join/{typed}")
    assertContains(page, f'action="/join/{Table.objects.get().join_secret}/"')


@pytest.mark.parametrize("typed", ["ZZZZZZ", "AB7K", "7" * 41])
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_address_with_a_wrong_code_says_so_and_keeps_it(game, client, method, typed):
    page = getattr(client, method)(f"/join/{typed}")
    assertContains(page, 'role="alert"', status_code=404)
    assertContains(page, "Join with a code", status_code=404)
    assertContains(page, f'value="{typed}"', status_code=404)
    assert game.table.members.count() == 2


def test_the_code_of_a_banked_table_still_finds_it(game, client, url):
    game.enter()
    game.end()
    client.post(url, posted("none"))
    assertContains(client.get(game.url()), "Ben wins with 2")
