"""Who gets in: members only, whatever is asked and however; and what looking leaves unchanged."""

from __future__ import annotations

import datetime
import re
import uuid

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from rules import auction
from sheets import club_urls, codes, urls
from sheets.models import Club, Member, Round, Sheet
from tests.sheets.clubs import a_club
from tests.sheets.posting import rules_in_fields

HTMX = {"HX-Request": "true"}
# Those of clubs are walked by `test_club_powers.py`.
ADDRESSES = [one for one in urls.urlpatterns if one not in club_urls.urlpatterns]
OURS = [pattern.name for pattern in ADDRESSES]
OF_A_TABLE = [p.name for p in ADDRESSES if "table_id" in p.pattern.converters]
# Pages that can be looked at while a sheet with a hand is open; the rest lead there.
PAGES = [
    name
    for name in OURS
    if name
    not in {
        "join_code",
        "hand_take_back",
        "hand_put_back",
        "hand_zeros",
        "hand_confirm",
        "number",
        "pot_share",
        "totals",
        "totals_back",
        "rules_back",
        "rules_save",
        "rules_forget",
        "again",
        "sheet",
        "service_worker",
        "reopen",
        "phone_back",
        "lock",
        "watch",
        "phone_link",
    }
]
WRITES = [
    "hand_new",
    "hand_edit",
    "hand_before",
    "hand_take_back",
    "hand_put_back",
    "hand_zeros",
    "hand_confirm",
    "correction_new",
    "number",
    "pot_share",
    "settings",
    "rules",
    "rules_back",
    "rules_save",
    "rules_forget",
    "dealer",
    "names",
    "seats",
    "who",
    "fourth",
    "leave",
    "end",
    "reopen",
    "delete",
    "keep",
    "erase",
    "settle",
]


def address(name, **ids):
    pattern = next(pattern for pattern in ADDRESSES if pattern.name == name)
    return reverse(f"sheets:{name}", kwargs={key: ids[key] for key in pattern.pattern.converters})


def ids_of(game):
    row = game.standing[0] if game.standing else game.enter()
    return {
        "table_id": game.table.public_id,
        "sheet_id": game.sheet.public_id,
        "round_id": row.public_id,
        "code": game.table.code,
        "join_secret": game.table.join_secret,
        "start_secret": (Club.objects.first() or a_club().club).start_secret,
        "person_id": game.players[0].person_id,
        "watch_id": game.table.watch_id,
        "number": 2,
        "secret": codes.new_phone(),
    }


def everything():
    """Every row of ours as it stands in the database."""
    rows = {}
    with connection.cursor() as cursor:
        for model in apps.get_app_config("sheets").get_models():
            columns = [f.column for f in model._meta.concrete_fields]
            cursor.execute(f"SELECT {', '.join(columns)} FROM {model._meta.db_table} ORDER BY id")
            rows[model.__name__] = cursor.fetchall()
    return rows


def fields_of(game):
    """Fields that would do for any form of this table."""
    players = game.players
    fields = game.fields() | {"dealer": str(players[2].pk), "person": "none", "first_dealer": "1"}
    fields |= {"table_name": "Taken over", "own_columns": "on", "confirm": "on"}
    fields |= {"player": str(players[0].pk), "units": "4", "why": "A gift"}
    fields |= {"amount": "0.50", "currency": "EUR"}
    fields |= rules_in_fields(auction.HouseRules(spades_double=False)) | {"reach": "next"}
    fields |= {f"name_{place}": f"Y{place}" for place in range(3)}
    for place, player in enumerate(players):
        fields |= {
            f"name_{player.pk}": f"X{place}",
            f"place_{player.pk}": str(3 - place),
            f"units_{player.pk}": "4",
        }
    return fields


def without_token(response):
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())


@pytest.fixture
def strangers(new_game):
    """A phone without a cookie and one that is at another table."""
    elsewhere = Client()
    elsewhere.cookies["phone"] = new_game(["Ann", "Bob", "Cid"])[1]
    return [Client(), elsewhere]


# Strangers.


# Every address in one test: the tables it takes are set up once.
def test_a_stranger_gets_one_answer_whether_the_table_exists_or_not(game, strangers):
    there = ids_of(game)
    nowhere = {"table_id": codes.new_public_id(), "sheet_id": codes.new_public_id()}
    nowhere |= {"round_id": uuid.uuid4(), "person_id": 987_654, "number": 2}
    before, fields = everything(), fields_of(game)
    no_phone, of_another_table = strangers  # the other way round they are in test_powers.py
    for name in OF_A_TABLE:
        for ask, data in ((no_phone.get, None), (of_another_table.post, fields)):
            real, made_up = (ask(address(name, **ids), data) for ids in (there, nowhere))
            assert (name, real.status_code) == (name, made_up.status_code)
            assert (name, without_token(real)) == (name, without_token(made_up))
            assertContains(real, "This sheet is private. Have the code?", status_code=404)
            for secret in (game.table.code, "Alice"):
                assertNotContains(real, secret, status_code=404)
    assert everything() == before


def test_a_stranger_is_shown_the_door_for_the_code_as_a_part_too(game, strangers):
    part = strangers[0].get(game.url(), headers=HTMX)
    assertContains(part, "Have the code?", status_code=404)
    assertNotContains(part, "<html", status_code=404)


def test_a_stranger_who_asks_for_the_live_part_is_told_so(game, strangers):
    answer = strangers[0].get(game.url(), headers=HTMX | {"HX-Target": "sheet"})
    assertContains(answer, "Have the code?", status_code=404)
    assert answer.headers["Refused"] == "stranger"


@pytest.mark.parametrize("table_id", ["x" * 80, "..%2F..", "%F0%9F%98%80", "1"])
def test_an_address_that_cannot_be_is_private_too(game, alice, table_id):
    assert alice.get(f"/t/{table_id}/").status_code == 404
    assert alice.get(f"{game.url()}{table_id}/").status_code == 404


@pytest.mark.parametrize("cookie", ["", "x", "Zoë", "😀", '"\\012"', "a" * 200])
def test_a_cookie_that_cannot_be_is_a_strangers(game, client, cookie):
    header = f"phone={cookie}".encode().decode("latin-1")  # as a server hands it on
    answer = client.get(game.url(), headers={"Cookie": header})
    assert answer.status_code == 404
    for given_back in answer.cookies.values():
        given_back.output().encode("ascii")  # what no header can hold would end the answer


# Members of another table.


def test_a_member_finds_nothing_of_another_table_at_their_own(new_game, game, alice):
    other, *_ = new_game(["Ann", "Bob", "Cid"])
    mine, theirs = ids_of(game), ids_of(other)
    before, both = everything(), [fields_of(game), fields_of(other)]
    for name in OF_A_TABLE:
        url = address(name, **mine | {part: theirs[part] for part in [foreign_part(name)]})
        for fields in both:
            assert (name, alice.post(url, fields).status_code) in ((name, 404), (name, 405))
        answer = alice.get(url)
        assert (name, answer.status_code) in ((name, 404), (name, 405))
        assertNotContains(answer, "Bob", status_code=answer.status_code)
    assert everything() == before


def foreign_part(name):
    """What of an address names something of a table."""
    if name.startswith("hand") and name != "hand_new":
        return "round_id"
    if name in ("sheet", "paper", "reopen", "settle", "chart"):
        return "sheet_id"
    return "person_id" if name == "erase" else "table_id"


@pytest.mark.parametrize(
    "name",
    ["hand_new", "correction_new", "number", "dealer", "names", "seats", "pot_share", "end"],
)
@pytest.mark.parametrize("whose", ["players of mine", "players of theirs"])
def test_a_form_that_names_the_sheet_of_another_table_writes_nothing(
    new_game, game, alice, name, whose
):
    other, *_ = new_game(["Ann", "Bob", "Cid"])
    fields = fields_of(game if whose == "players of mine" else other)
    fields |= {"sheet": other.sheet.public_id}
    ids = ids_of(game)
    before = everything()
    answer = alice.post(address(name, **ids), fields)
    assert 400 <= answer.status_code < 500
    assert everything() == before


@pytest.mark.parametrize(
    "name", ["hand_new", "correction_new", "number", "dealer", "names", "seats", "who"]
)
def test_nobody_of_another_table_sits_at_mine(new_game, game, alice, name):
    other, *_ = new_game(["Ann", "Bob", "Cid"])
    fields = fields_of(other) | {
        "sheet": game.sheet.public_id,
        "person": str(other.players[0].person.pk),
    }
    # The names by seat of another form may bear the keys of players here.
    for seat in range(3):
        del fields[f"name_{seat}"]
    ids = ids_of(game)
    before = everything()
    assert alice.post(address(name, **ids), fields).status_code == 422
    assert everything() == before


# Looking.


# An open sheet is got in test_powers.py.
@pytest.mark.parametrize(("method", "banked"), [("head", False), ("get", True)])
def test_looking_never_writes(game, alice, client, banked, method):
    ids = ids_of(game)
    if banked:
        game.end()
    Member.objects.update(last_seen=timezone.now() - datetime.timedelta(hours=1))
    before = everything()
    for name in OURS:
        for looker in (alice, client):
            assert getattr(looker, method)(address(name, **ids)).status_code < 500
            assert everything() == before, name


def test_a_page_comes_whole_or_as_its_part_and_is_nobody_elses_to_keep(game, alice):
    ids = ids_of(game)
    for name in PAGES:
        url = address(name, **ids)
        page, part = alice.get(url), alice.get(url, headers=HTMX)
        assertContains(page, "<html", count=1, msg_prefix=name)
        assertContains(page, '<main id="page">', count=1, msg_prefix=name)
        assertNotContains(part, "<html", msg_prefix=name)
        assert part.content.decode().strip().startswith('<main id="page">'), name
        for answer in (page, part):
            assert "HX-Request" in answer["Vary"], name
            if name in OF_A_TABLE:
                assert answer["Cache-Control"] == "private, no-cache", name


def test_what_a_stranger_saw_is_not_shown_to_the_member_it_becomes(game, client):
    # A 404 may be kept by a browser; after joining the same address must be asked for again.
    answer = client.get(game.url())
    assert "no-" in answer.get("Cache-Control", "")


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("junk", [{"x": "y"}, {"key": "\x01", "seen": "\x01", "sheet": "\x01"}])
def test_junk_is_refused_and_changes_nothing(game, alice, name, junk):
    url = address(name, **ids_of(game))
    before = everything()
    answer = alice.post(url, junk)
    assert answer.status_code == 422
    assert answer["Cache-Control"] == "private, no-cache"
    assert everything() == before


def test_pages_show_no_secret_and_ask_nothing_that_the_policy_forbids(game, alice):
    code, join = game.table.code, game.table.join_secret
    ids, secret = ids_of(game), alice.cookies["phone"].value
    for name in PAGES:
        page = alice.get(address(name, **ids)).content.decode()
        assert secret not in page, name
        assert game.alice not in page, name
        # What joins the table is in no address but the one that joins.
        for url in re.findall(r'(?:href|action|src|hx-\w+)="([^"]*)"', page):
            assert code not in url, (name, url)
            assert join not in url or url.split("/join/")[-1] == f"{join}/", (name, url)
        assert not re.search(r'<style|\sstyle="|\son\w+="|javascript:|hx-on', page), name
        for script in re.findall(r"<script[^>]*>", page):
            assert "src=" in script or 'type="application/json"' in script, name


def test_ids_in_addresses_are_not_counted_up(game, alice):
    other = Sheet.objects.get()
    for identifier in (game.table.public_id, other.public_id):
        assert len(identifier) >= 16
    assert Round.objects.count() == 0
    for number in range(1, 5):
        assert alice.get(f"/t/{number}/").status_code == 404
        assert alice.get(game.url(f"{number}/")).status_code == 404


# The cookie.


def flags(cookie):
    return {name: cookie[name] for name in ("httponly", "samesite", "max-age", "secure", "path")}


@pytest.mark.parametrize("https", [False, True])
def test_a_phone_keeps_its_secret_in_one_strict_cookie(db, client, settings, https):
    settings.HTTPS = https
    fields = {"key": str(uuid.uuid4()), "seen": "0", "first_dealer": "0", "this_phone": "0"}
    fields |= {"name_0": "Alice", "name_1": "Ben", "name_2": "Cass"}
    answer = client.post("/tables/new/", fields)
    strict = {"httponly": True, "samesite": "Lax", "max-age": 400 * 24 * 3600, "path": "/"}
    assert flags(answer.cookies["phone"]) == strict | {"secure": True if https else ""}
    assert len(answer.cookies["phone"].value) >= 43  # 256 bits
    page = client.get(answer["Location"], secure=https)
    assert flags(page.cookies["phone"]) == strict | {"secure": True if https else ""}
    assert page.cookies["phone"].value == answer.cookies["phone"].value


def test_joining_gives_a_phone_its_cookie(game, client):
    fields = {"key": str(uuid.uuid4()), "seen": "0", "person": "none"}
    answer = client.post(f"/join/{game.table.code}", fields)
    assert answer.cookies["phone"]["httponly"]


def test_a_phone_keeps_the_secret_it_has(game, alice):
    before = alice.cookies["phone"].value
    page = alice.get(game.url())
    assert page.cookies["phone"].value == before
    assert "phone" not in alice.post(game.url("hands/new/"), game.fields()).cookies


@pytest.mark.parametrize("url", ["/", "/tables/new/", "/join/ZZZZZZ"])
def test_a_phone_that_only_looks_gets_no_cookie(db, client, url):
    assert "phone" not in client.get(url).cookies


def test_players_need_no_session(game, alice):
    assert "organiser" not in alice.get(game.url()).cookies


# Headers, and forms that were open too long.


@pytest.mark.parametrize("url", ["/", "/tables/new/", "/t/nowhere/", "/nowhere"])
def test_every_page_carries_the_strict_policy(db, client, url):
    answer = client.get(url)
    policy = answer["Content-Security-Policy"].split(";")
    directives = dict(directive.strip().split(" ", 1) for directive in policy)
    assert directives == {
        "default-src": "'self'",
        "img-src": "'self' data:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_form_without_its_token_is_answered_in_words_and_writes_nothing(game, headers):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies["phone"] = codes.new_phone()
    before = everything()
    answer = strict.post(game.url("hands/new/"), game.fields(), headers=headers)
    assertContains(answer, "Nothing was saved.", status_code=403)
    assertContains(answer, "<html", status_code=403, count=0 if headers else 1)
    assert everything() == before
