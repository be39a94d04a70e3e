"""Guessed codes and started tables: slowed, and nobody who shares an address is locked out."""

from __future__ import annotations

import time
import uuid

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from sheets import codes, slowing
from sheets.models import Table
from sheets.slowing import WRONG_CODES

HTMX = {"HX-Request": "true"}


@pytest.fixture
def later(monkeypatch):
    """Let time pass."""
    real, passed = time.time, [0.0]
    monkeypatch.setattr(time, "time", lambda: real() + passed[0])

    def pass_time(seconds):
        passed[0] += seconds

    return pass_time


def test_of_five_thousand_wrong_codes_ten_are_looked_at_in_a_minute():
    looked_at = 0
    for _ in range(5000):
        if not WRONG_CODES.wait("192.0.2.1"):
            looked_at += 1
            WRONG_CODES.note("192.0.2.1")
    assert looked_at == 10
    assert 50 < WRONG_CODES.wait("192.0.2.1") <= 60
    assert WRONG_CODES.wait("192.0.2.2") == 0


def test_sixty_wrong_codes_an_hour_are_looked_at_however_patiently_they_come(later):
    looked_at = 0
    for _ in range(3600 // 5):  # one every five seconds, for an hour
        later(4.99)
        if not WRONG_CODES.wait("192.0.2.1"):
            looked_at += 1
            WRONG_CODES.note("192.0.2.1")
    assert looked_at == 60
    later(3600)
    assert WRONG_CODES.wait("192.0.2.1") == 0


@pytest.mark.parametrize(
    ("remote", "counted_as"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", "unknown"),
        ("unix:", "unknown"),
    ],
)
def test_an_address_stands_for_a_client(remote, counted_as):
    assert slowing.address(remote) == counted_as


def guess(client, code="ZZZZZZ", **extra):
    return client.post("/join/", {"code": code}, **extra)


def test_after_ten_wrong_codes_one_waits_and_a_right_one_is_refused_as_well(game, client, later):
    assert [guess(client).status_code for _ in range(10)] == [422] * 10
    code = game.table.code
    for page in (guess(client, code), client.get(f"/join/{code}"), client.post(f"/join/{code}")):
        assertContains(page, "Too many wrong codes. Wait", status_code=429)
        assertContains(page, f'value="{code}"', status_code=429)
        assertNotContains(page, "Alice", status_code=429)
    assertContains(guess(client, headers=HTMX), '<main id="page">', status_code=429)
    later(61)
    assert guess(client, code).status_code == 303


def test_addresses_with_codes_count_as_typed_ones_do(game, client):
    assert {client.get("/join/ZZZZZZ").status_code for _ in range(10)} == {404}
    assert guess(client, game.table.code).status_code == 429


def test_what_cannot_be_a_code_and_what_is_right_count_for_nothing(game, client):
    for _ in range(12):
        assert guess(client, "AB7").status_code == 422
        assert guess(client, game.table.code).status_code == 303
    assert guess(client).status_code == 422


def test_a_member_is_not_slowed_by_the_room_it_sits_in(game, alice, client):
    while guess(client).status_code != 429:
        pass
    assert guess(client, game.table.code).status_code == 429
    assert guess(alice, game.table.code).status_code == 303
    assert guess(client, game.table.code, REMOTE_ADDR="192.0.2.9").status_code == 303
    while guess(alice).status_code != 429:
        pass
    assert guess(alice, game.table.code, REMOTE_ADDR="192.0.2.9").status_code == 429


def test_a_made_up_cookie_is_no_new_start(game, client):
    while guess(client).status_code != 429:
        pass
    liar = Client()
    liar.cookies["phone"] = codes.new_phone()
    assert guess(liar, game.table.code).status_code == 429


# Tables.


def start(client, **extra):
    fields = {"key": str(uuid.uuid4()), "seen": "0", "first_dealer": "0", "this_phone": "0"}
    fields |= {"name_0": "Zoë", "name_1": "Ben", "name_2": "Cass"}
    return client.post("/tables/new/", fields, **extra)


def test_twenty_tables_an_hour_are_started_from_one_address(db, client, later):
    assert [start(Client()).status_code for _ in range(20)] == [303] * 20
    page = start(client)
    assertContains(page, "Nothing you typed is lost: press Start again in 60", status_code=429)
    assertContains(page, 'value="Zoë"', status_code=429)
    assert "phone" not in page.cookies
    assert Table.objects.count() == 20
    assert start(client, REMOTE_ADDR="192.0.2.9").status_code == 303
    later(3601)
    assert start(client).status_code == 303


def test_a_start_sent_again_counts_once(db, client):
    fields = {"key": str(uuid.uuid4()), "seen": "0", "first_dealer": "0", "this_phone": "0"}
    fields |= {"name_0": "Ann", "name_1": "Ben", "name_2": "Cass"}
    assert {client.post("/tables/new/", fields).status_code for _ in range(30)} == {303}
    assert start(Client()).status_code == 303
