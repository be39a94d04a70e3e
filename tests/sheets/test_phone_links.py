"""My other phone or browser: a link that works once, and what it brings."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import Change, Member, PhoneLink
from tests.sheets.conftest import client_of
from tests.sheets.test_share import codes_on

GONE = "This link was used already or is too old. Make a new one on the first phone."


def form(**fields):
    return {"key": str(uuid.uuid4()), "seen": "0"} | fields


def made(client, fields=None):
    """Make a link on a phone and return its path."""
    answer = client.post("/phone/", fields or form())
    assert answer.status_code == 303
    page = client.get(answer["Location"])
    assert codes_on(page) == [[page.context["url"]]]
    return page.context["url"].removeprefix("http://localhost:8000")


@pytest.fixture(autouse=True)
def _known_address(settings):
    settings.SHARED_URL = "http://localhost:8000"


def test_the_way_to_it_is_offered_at_the_table_and_at_home(game, alice, client):
    for url in ("/", game.url()):
        assertContains(alice.get(url), 'href="/phone/"')
    assertNotContains(client.get("/"), 'href="/phone/"')
    assert client.get("/phone/")["Location"] == "/"


def test_a_link_brings_all_tables_and_seats_once(game, alice, new_game, client):
    other, *_ = new_game(["Ann", "Bob", "Cid"])
    actions.join(other.write(game.alice), None)
    path = made(alice)
    page = client.get(path)
    assertContains(page, "Alice, Ben and Cass")
    assertContains(page, "as Alice")
    assertContains(page, "keeping score")
    assert "phone" not in page.cookies
    assert Member.objects.count() == 5
    fields = form()
    answers = [client.post(path, fields), client.post(path, fields), client.post(path, form())]
    assert [(answer.status_code, answer["Location"]) for answer in answers] == [(303, "/")] * 3
    assert client.get(game.url()).status_code == client.get(other.url()).status_code == 200
    assert {str(member) for member in Member.objects.order_by("-pk")[:2]} == {"Alice", "Phone 4"}
    assert Change.objects.filter(kind="joined", after__link=True).count() == 2
    said = "joined with another phone or browser of their own"
    assertContains(alice.get(game.url("history/")), said)
    assertContains(alice.get(path), GONE, status_code=410)


def test_a_used_link_brings_nothing_to_a_third_phone(game, alice, client):
    path = made(alice)
    client.post(path, form())
    third = Client()
    assertContains(third.get(path), GONE, status_code=410)
    page = third.post(path, form())
    assertContains(page, GONE, status_code=410)
    assert "phone" not in page.cookies
    assert Member.objects.count() == 3


def test_a_link_is_good_for_fifteen_minutes(game, alice, client):
    path = made(alice)
    PhoneLink.objects.update(made_at=timezone.now() - datetime.timedelta(minutes=16))
    assertContains(client.get(path), GONE, status_code=410)
    assertContains(client.post(path, form()), GONE, status_code=410)
    assert Member.objects.count() == 2


@pytest.mark.parametrize("secret", ["x", "x" * 43, "x" * 300])
def test_a_link_that_never_was_says_the_same(db, client, secret):
    assertContains(client.get(f"/phone/{secret}"), GONE, status_code=410)
    assertContains(client.post(f"/phone/{secret}", form()), GONE, status_code=410)


def test_the_phone_that_made_a_link_does_not_use_it_up(game, alice, client):
    path = made(alice)
    assertContains(alice.get(path), "This is the phone that made the link.")
    assert alice.post(path, form()).status_code == 409
    assert client.post(path, form()).status_code == 303


def test_a_link_asked_for_twice_is_one_and_shown_to_its_phone_alone(game, alice, ben):
    fields = form()
    assert made(alice, fields) == made(alice, fields)
    assert PhoneLink.objects.count() == 1
    assertNotContains(ben.get(f"/phone/?made={fields['key']}"), "<svg")
    assertNotContains(alice.get(f"/phone/?made={uuid.uuid4()}"), "<svg")
    assertNotContains(alice.get("/phone/?made=x"), "<svg")


def test_the_first_phone_sees_that_its_link_was_used(game, alice, client):
    fields = form()
    client.post(made(alice, fields), form())
    page = alice.get(f"/phone/?made={fields['key']}")
    assertContains(page, "The link was used: the other phone has your tables.")


def test_the_database_holds_nothing_that_opens_a_link(game, alice):
    path = made(alice)
    link = PhoneLink.objects.get()
    assert path.split("/")[-1] not in (link.secret_hash, link.phone)


def test_a_table_the_first_phone_was_removed_from_is_not_brought(game, started, alice, client):
    ben = client_of(started[2])
    path = made(ben)
    actions.remove_phone(game.write(), 2)
    client.post(path, form())
    assert client.get(game.url()).status_code == 404


def test_a_phone_that_is_at_the_table_keeps_its_seat_there(game, alice, ben):
    assert ben.post(made(alice), form()).status_code == 303
    assert [str(member) for member in game.table.members.all()] == ["Alice", "Ben"]
