"""Requests that make no sense, and texts longer than anything here: 400 in words, in no time."""

from __future__ import annotations

import time
import unicodedata
import uuid

import pytest
from django.conf import settings
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.asserts import assertContains

from sheets import actions, names, texts
from sheets.actions.phone_links import link_secret
from sheets.actions.writing import MOST_PHONES
from sheets.models import Member, Table, User
from tests.sheets.test_access import address

# Sixty kB that took ten seconds of everybody's time to compose.
SLOW = "a" + "\u0315" * 16_000 + "\u0300" * 16_000
FLAGS = "\N{REGIONAL INDICATOR SYMBOL LETTER D}" * 16_000
HTMX = {"HX-Request": "true"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff():
    client = Client()
    client.force_login(
        User.objects.create_superuser("staff@example.org", "secret", name="Sam"),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    return client


def start(name):
    fields = {"key": str(uuid.uuid4()), "seen": "0", "first_dealer": "0", "this_phone": "0"}
    return fields | {"name_0": name, "name_1": "Ben", "name_2": "Cass"}


@pytest.mark.parametrize("slow", [SLOW, FLAGS])
def test_a_text_without_end_is_refused_before_anything_is_done_with_it(slow, otto, thursday):
    sent = [
        ("/account/new/", {"name": slow, "email": "a@club.example", "password": "some horse"}),
        ("/account/new/", {"name": "Ann", "email": slow, "password": "some horse"}),
        ("/tables/new/", start(slow)),
        ("/account/sign-in/", {"username": slow, "password": "x"}),
        ("/account/reset/", {"email": slow}),
        ("/admin/login/", {"username": slow, "password": "x"}),
        ("/join/", {"code": slow}),
        (f"/clubs/{thursday.club.slug}/people/new/", {"names": slow, slow: "x"}),
        (f"/clubs/{thursday.club.slug}/paper/", {"hands": "\n".join(["Ann 320"] * 20_000)}),
    ]
    before = time.process_time()
    for url, fields in sent:
        assertContains(otto.post(url, fields), "Nothing was saved.", status_code=400)
    assert otto.get("/guide/auction-pinochle/", {"cards": slow}).status_code == 400
    assert time.process_time() - before < 2
    assert not Table.objects.exists()
    by_script = otto.post("/tables/new/", start(slow), headers=HTMX)
    assert (by_script.status_code, by_script["Refused"]) == (400, "unreadable")
    assert by_script.content.startswith(b"One of its fields holds more than 1000 characters")


def test_many_marks_take_no_longer_than_as_many_letters():
    before = time.process_time()
    for slow in (SLOW, FLAGS):
        assert names.letters(slow) > 0
        assert names.clean(slow)
        assert names.key(slow)
        User.normalize_username(slow)
    assert time.process_time() - before < 1


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=texts.MOST_MARKS))
def test_a_text_as_people_type_it_is_composed_as_unicode_says(text):
    assert texts.composed("NFC", text) == unicodedata.normalize("NFC", text)
    assert texts.composed("NFKC", text) == unicodedata.normalize("NFKC", text)


def test_nothing_else_composes_a_text():
    callers = [
        path.name
        for room in ("rules", "sheets", "squarescores")
        for path in (settings.BASE_DIR / room).rglob("*.py")
        if "unicodedata.normalize(" in path.read_text() and "migrations" not in path.parts
    ]
    assert callers == ["texts.py"]


def test_the_bounds_are_those_of_a_line_and_of_a_text():
    line = "x" * texts.MOST_LINE
    text = "\n".join([line] * (texts.MOST_TEXT // (texts.MOST_LINE + 1)))
    assert not texts.why_not(["", line, text])
    for wrong in (line + "x", text + "\n" + line, "a\0b"):
        assert texts.why_not(["Ann", wrong])


@pytest.mark.parametrize("charset", ["utf8", "UTF-8", "U8", "no-such-thing"])
def test_utf8_by_any_of_its_names_is_read(charset, client):
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    answer = client.generic("POST", "/join/", b"code=AB7K9", kind)
    assert answer.status_code == 422


@pytest.mark.on_postgresql
@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
@pytest.mark.parametrize("charset", ["utf-16", "latin1", "unicode_escape", "idna", "base64"])
@pytest.mark.parametrize("url", ["/", "/join/", "/tables/new/", "/account/sign-in/"])
def test_another_encoding_is_refused_in_words(url, charset, kind):
    answer = Client().generic("POST", url, b"code=AB7K9Q", f"{kind}; charset={charset}")
    assertContains(answer, "another encoding than UTF-8", status_code=400)


@pytest.mark.on_postgresql
def test_what_nobody_can_type_is_refused_wherever_it_is(game, alice, otto):
    for client in (Client(), alice, otto):
        for url in ("/t/%00/", f"/t/{game.table.public_id}/%00/", "/join/%00/", "/clubs/%00/"):
            assert client.get(url).status_code == 400, url
        assert client.get("/account/sign-in/?next=/%00").status_code == 400
        for url in ("/join/", "/account/sign-in/", "/admin/login/", "/tables/new/"):
            fields = {"code": "AB\0", "username": "a\0b", "password": "x"}
            assert client.post(url, fields).status_code == 400, url
            assert client.post(url, {"a\0b": "x"}).status_code == 400, url
    nul = Client(headers={"Cookie": r'organiser="\000\000\000\000\000\000\000\000\000"'})
    assert nul.get("/account/").status_code == 302
    assert nul.get(f"/t/{game.table.public_id}/").status_code == 404


@pytest.mark.on_postgresql
def test_no_address_is_longer_than_fits_once_it_has_its_one_spelling(staff):
    longest, grows = "a" * 300 + "@club.example", f"a@{'.'.join(['㎢' * 20] * 10)}.de"
    assert len(grows) < 254 < len(User.normalize_username(grows))
    for email in (longest, grows):
        fields = {"name": "Ann", "email": email, "password": "some horse"}
        assert Client().post("/account/new/", fields).status_code == 422
        for url in ("/account/sign-in/", "/admin/login/"):
            tried = Client().post(url, {"username": email, "password": "x"})
            assert tried.status_code == 200, url
        assert Client().post("/account/reset/", {"email": email}).status_code in (200, 302)
        fields = {"email": email, "usable_password": "false"}
        assert staff.post("/admin/sheets/user/add/", fields).status_code == 200
    assert User.objects.count() == 1


@pytest.mark.on_postgresql
def test_a_table_that_too_many_phones_have_joined_takes_no_other(game):
    Member.objects.filter(table=game.table, number=2).update(number=MOST_PHONES)
    fields = {"key": str(uuid.uuid4()), "seen": "0", "person": "none"}
    refused = Client().post(address("join_link", join_secret=game.table.join_secret), fields)
    assertContains(refused, "Start a new table", status_code=422)
    key = uuid.uuid4()
    actions.make_phone_link(game.alice, key)
    link = address("phone_link", secret=link_secret(game.alice, key))
    brought = Client().post(link, fields)
    assertContains(brought, "Start a new table", status_code=410)


def test_every_page_says_what_it_may_do_and_who_may_keep_it(game, alice, otto):
    join = address("join_link", join_secret=game.table.join_secret)
    for client in (Client(), alice, otto):
        for url in (
            "/",
            join,
            "/account/password/",
            "/account/reset/MQ/x-y/",
            "/nowhere/",
            "/t/%00/",
        ):
            page = client.get(url)
            assert "private" in page["Cache-Control"] or "no-store" in page["Cache-Control"], url
            assert "camera=()" in page["Permissions-Policy"], url
    assert Client().get("/guide/auction-pinochle/")["Cache-Control"].startswith("public")


def test_a_broken_form_is_refused_in_words(client):
    broken = client.generic("POST", "/join/", b"--y", "multipart/form-data; boundary=x\xff")
    assertContains(broken, "broken or too long", status_code=400)
    many = client.post("/join/", {f"x{n}": "1" for n in range(1100)})
    assertContains(many, "broken or too long", status_code=400)
