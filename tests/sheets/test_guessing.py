"""Guessed codes and started tables: slowed, and nobody who shares an address is locked out."""

from __future__ import annotations

import time
import uuid

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from sheets import codes, proxies, slowing
from sheets.models import Table, User
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
        assertContains(page, "Too many codes were typed from here. Wait", status_code=429)
        assertContains(page, "QR code or link works now: someone at the table", status_code=429)
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


def test_who_types_codes_does_not_matter_where_from_does(game, alice, client):
    while guess(client).status_code != 429:
        pass
    assert guess(alice, game.table.code).status_code == 429
    assert guess(client, game.table.code, REMOTE_ADDR="192.0.2.9").status_code == 303
    assert guess(alice, game.table.code, REMOTE_ADDR="192.0.2.9").status_code == 303


def who(**changed):
    return {"key": str(uuid.uuid4()), "seen": "0", "person": "none"} | changed


def test_ones_own_table_joined_again_and_again_gives_no_other_guess(game, later):
    """An hour of guessing, each time as a phone that has just joined a table of its own."""
    looked_at, mine = 0, f"/join/{game.table.code}/"
    for _ in range(130):
        later(3600 / 130)
        phone = Client()
        phone.post(mine, who())
        looked_at += guess(phone).status_code == 422
    assert looked_at == 60


def test_joining_by_a_typed_code_is_counted_by_address_too(game, client):
    for _ in range(100):
        slowing.RIGHT_CODES.note("127.0.0.1")
    joined = game.table.members.count()
    assert client.post(f"/join/{game.table.code}/", who()).status_code == 429
    assert guess(client, game.table.code).status_code == 429
    assert game.table.members.count() == joined


def test_links_are_never_slowed(game, client):
    while guess(client).status_code != 429:
        pass
    link = f"/join/{game.table.join_secret}/"
    assertContains(client.get(link), "Join Alice, Ben and Cass")
    for pasted in (link, f"http://sheets.example:8000{link}", game.table.join_secret):
        answer = guess(client, pasted)
        assert (answer.status_code, answer["Location"]) == (303, link)
    for _ in range(20):
        wrong = client.get(f"/join/{codes.new_link_secret()}/")
        assertContains(wrong, "This link opens no table now", status_code=404)
    assert client.post(link, who()).status_code == 303
    assert client.get(game.url()).status_code == 200


def test_from_a_right_code_on_nobody_beside_this_phone_slows_it(game, client):
    at_table = guess(client, game.table.code)["Location"]
    typed = client.get(f"/join/{game.table.code}/")
    assert typed.context["action"] == at_table
    while guess(Client()).status_code != 429:
        pass
    assert client.post(at_table, who()).status_code == 303


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
    assertContains(page, "A club&#x27;s tables can be started now", status_code=429)
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


# Lifted by staff.


@pytest.fixture
def staff(db):
    client = Client()
    client.force_login(User.objects.create_superuser("staff@example.org", "secret", name="Sam"))
    return client


def test_staff_sees_who_is_slowed_and_lifts_it(game, client, staff, thursday):
    while guess(client).status_code != 429:
        pass
    for name in ("a@club.example", "b@club.example"):
        for _ in range(10):
            answer = Client().post("/account/sign-in/", {"username": name, "password": "x"})
        assert answer.status_code == 429
    assertContains(staff.get("/admin/"), "Who is slowed, and lifting it</a> (3)")
    page = staff.get("/admin/slowed/")
    for said in ("wrong codes typed", "127.0.0.1", "a@club.example", " seconds", "15 minutes"):
        assertContains(page, said)
    codes_typed, *passwords = page.context["found"]
    sent = {"what": codes_typed.what, "who": codes_typed.who, "ip": ""}
    assertContains(staff.post("/admin/slowed/", sent, follow=True), "they can go on")
    assert guess(client, game.table.code).status_code == 303
    first = passwords[0]
    staff.post("/admin/slowed/", {"what": first.what, "who": first.who, "ip": first.ip})
    assert [one.who for one in staff.get("/admin/slowed/").context["found"]] == [passwords[1].who]
    assertContains(staff.post("/admin/slowed/", sent, follow=True), "Nobody waits there now.")
    while not slowing.CLUB_TABLES.wait(str(thursday.club.pk)):
        slowing.CLUB_TABLES.note(str(thursday.club.pk))
    assertContains(staff.get("/admin/slowed/"), "Thursday Club")
    assertContains(staff.post("/admin/slowed/", {"all": "yes"}, follow=True), "Nobody waits.")


def test_lifting_takes_the_permission_to(game, client):
    user = User.objects.create_user("look@example.org", "secret", is_staff=True)
    reader = Client()
    reader.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    while guess(client).status_code != 429:
        pass
    assertNotContains(reader.get("/admin/"), "Who is slowed")
    assert reader.get("/admin/slowed/").status_code == 403
    assert reader.post("/admin/slowed/", {"all": "yes"}).status_code == 403
    assert client.get("/admin/slowed/").status_code == 302
    assert guess(client, game.table.code).status_code == 429


def test_those_who_wait_are_kept_in_bounds(later):
    for number in range(slowing.MOST_KEPT + 100):
        for _ in range(10):
            WRONG_CODES.note(f"192.0.2.{number}")
    assert len(WRONG_CODES.waiting()) == slowing.MOST_KEPT
    later(61)
    assert WRONG_CODES.waiting() == {}
    assert WRONG_CODES.wait("192.0.2.1") == 0


# Proxies that are not believed.


def request_of(client, *forwarded):
    headers = [(b"host", b"sheets.example"), *((b"x-forwarded-for", one) for one in forwarded)]
    return {"type": "http", "client": client, "headers": headers}


@pytest.mark.parametrize(
    "scope",
    [
        request_of(("192.0.2.7", 4321)),
        request_of(None, b"192.0.2.7"),
        request_of(("192.0.2.7", 4321), b""),
        # What uvicorn makes of requests by a proxy that it believes.
        request_of(("192.0.2.7", 0), b"192.0.2.7"),
        request_of(("192.0.2.7", 0), b"198.51.100.1, 192.0.2.7"),
        request_of(("192.0.2.7", 5555), b"192.0.2.7:5555"),
        request_of(("2001:db8::7", 0), b"[2001:db8::7]:5555"),
    ],
)
def test_nothing_is_said_of_a_proxy_that_is_believed_or_none(scope):
    proxies.notice(scope)
    assert proxies.unbelieved() == ""


def test_a_proxy_that_is_not_believed_is_said_once_and_to_staff(staff, caplog):
    assertNotContains(staff.get("/admin/"), "X-Forwarded-For")
    for number in range(100, 110):  # each begins with 10.0.0.1, none is it
        proxies.notice(request_of(("10.0.0.1", 4321), f"10.0.0.1{number}".encode()))
    proxies.notice(request_of(("10.0.0.2", 4321), b"192.0.2.1"))
    [line] = [one.getMessage() for one in caplog.records]
    assert "come through 10.0.0.1, whose X-Forwarded-For is not believed" in line
    assert "FORWARDED_ALLOW_IPS=10.0.0.1." in line
    assertContains(staff.get("/admin/"), "FORWARDED_ALLOW_IPS=10.0.0.1.")
