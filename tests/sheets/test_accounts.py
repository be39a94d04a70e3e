"""Accounts: made once, signed in to with a password, and guessed by nobody."""

from __future__ import annotations

import contextlib
import datetime
import re

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.sessions.models import Session
from django.core import mail
from django.db.models import F
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from sheets import passwords, slowing
from sheets.actions import Refused, Why, sign_up
from sheets.models import User

PASSWORD = "correct horse battery"
HOME, ELSEWHERE = "192.0.2.1", "192.0.2.2"
NEW = "/account/new/"
SIGN_IN = "/account/sign-in/"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _counting_starts_anew():
    slowing.forget()
    yield
    slowing.forget()


def later(seconds):
    """Let time pass since the last wrong password."""
    ago = datetime.timedelta(seconds=seconds)
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - ago)


@pytest.fixture
def mara_kent():
    return User.objects.create_user("mara@club.example", PASSWORD, name="Mara")


def typed(**other):
    return {"name": "Mara", "email": "mara@club.example", "password": PASSWORD} | other


def signed_in_as(client):
    found = client.session.get("_auth_user_id")
    return None if found is None else User.objects.get(pk=found)


def try_password(password, *, email="mara@club.example", where=HOME, client=None, url=SIGN_IN):
    fields = {"username": email, "password": password}
    return (client or Client()).post(url, fields, REMOTE_ADDR=where)


# Making one.


def test_who_signs_up_is_signed_in_and_led_to_starting_a_club(client):
    answer = client.post(NEW, typed(email=" Mara@Club.Example "))
    assert (answer.status_code, answer["Location"]) == (303, "/clubs/new/")
    user = signed_in_as(client)
    assert (user.email, user.name, user.is_staff) == ("mara@club.example", "Mara", False)
    assert client.get(answer["Location"]).status_code == 200


def test_who_signs_up_on_the_way_somewhere_goes_on_to_there(client):
    assertContains(client.get(NEW, {"next": "/invitations/abc/"}), 'value="/invitations/abc/"')
    assert client.post(NEW, typed(next="/invitations/abc/"))["Location"] == "/invitations/abc/"


@pytest.mark.parametrize(
    "then", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"]
)
def test_nobody_is_led_away_from_here(client, then):
    assert client.post(NEW, typed(next=then))["Location"] == "/clubs/new/"
    client.logout()
    fields = {"username": "mara@club.example", "password": PASSWORD, "next": then}
    assert client.post(SIGN_IN, fields).url == "/clubs/"


@pytest.mark.on_postgresql
def test_signing_up_twice_makes_one_account_and_lets_both_in():
    first, second = Client(), Client()
    assert first.post(NEW, typed()).status_code == 303
    assert second.post(NEW, typed(email="MARA@club.example")).status_code == 303
    assert signed_in_as(first) == signed_in_as(second) == User.objects.get()


def test_an_address_that_has_an_account_is_told_to_sign_in_and_nothing_is_lost(client, mara_kent):
    answer = client.post(NEW, typed(name="Somebody", password="something else 9"))
    assertContains(answer, "sign in, or have its password reset", status_code=422)
    assertContains(answer, 'value="Somebody"', status_code=422)
    assertContains(answer, 'value="mara@club.example"', status_code=422)
    assertNotContains(answer, "something else 9", status_code=422)
    assert signed_in_as(client) is None
    mara_kent.refresh_from_db()
    assert (mara_kent.name, mara_kent.check_password(PASSWORD)) == ("Mara", True)


def test_two_who_sign_up_at_once_make_one_account(mara_kent):
    assert sign_up("MARA@club.example", "Other", PASSWORD) == Refused(why=Why.EMAIL_TAKEN)
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": " "}, "Type your name."),
        ({"name": "x" * 41}, "41 letters are too many"),
        ({"email": ""}, "Type your e-mail address."),
        ({"email": "mara"}, "This is no e-mail address"),
        ({"password": ""}, "Type the password."),
        ({"password": "short"}, "too short"),
        ({"password": "password1"}, "too common"),
        ({"password": "mara@club.example"}, "too similar"),
    ],
)
def test_what_is_wrong_is_said_beside_it(client, wrong, sentence):
    answer = client.post(NEW, typed(**wrong))
    assertContains(answer, sentence, status_code=422)
    assert not User.objects.exists()


def test_making_accounts_is_slowed_by_address(client):
    for number in range(20):
        Client().post(NEW, typed(email=f"m{number}@club.example"), REMOTE_ADDR=HOME)
    answer = client.post(NEW, typed(), REMOTE_ADDR=HOME)
    assertContains(answer, "Too many accounts were made from here", status_code=429)
    assertContains(answer, 'value="mara@club.example"', status_code=429)
    assert User.objects.count() == 20
    assert client.post(NEW, typed(), REMOTE_ADDR=ELSEWHERE).status_code == 303


def test_nobody_asks_for_address_after_address_whether_it_has_an_account(mara_kent):
    for number in range(20):
        User.objects.filter(pk=mara_kent.pk).update(email=f"m{number}@club.example")
        answer = Client().post(
            NEW, typed(email=f"m{number}@club.example", password="wrong horse"), REMOTE_ADDR=HOME
        )
        assert answer.status_code == 422
    answer = Client().post(NEW, typed(email="other@club.example"), REMOTE_ADDR=HOME)
    assert answer.status_code == 429


# Signing in and out.


def test_signing_in_leads_to_the_page_that_was_wanted_and_rotates_the_session(client, mara_kent):
    asked = client.get("/account/password/")
    assert asked.url == f"{SIGN_IN}?next=/account/password/"
    client.session.save()
    before = client.session.session_key
    client.cookies[settings.SESSION_COOKIE_NAME] = before
    fields = {"username": "MARA@club.example", "password": PASSWORD, "next": "/account/password/"}
    assertRedirects(client.post(SIGN_IN, fields), "/account/password/")
    assert client.session.session_key != before
    assert not Session.objects.filter(session_key=before).exists()


def test_the_addresses_of_signing_in_are_ours(client, mara_kent):
    assert reverse("sheets:sign_in") == SIGN_IN
    assertContains(client.get("/"), "Organisers: sign in")
    client.force_login(mara_kent, backend="django.contrib.auth.backends.ModelBackend")
    assertContains(client.get("/"), "My clubs")
    assert client.get(SIGN_IN).url == "/clubs/"
    assert client.get(NEW)["Location"] == "/clubs/"


def test_signing_out_takes_a_form(client, mara_kent):
    client.force_login(mara_kent, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/account/sign-out/").status_code == 405
    assert signed_in_as(client) == mara_kent
    assertContains(client.get("/account/"), 'action="/account/sign-out/"')
    assert client.post("/account/sign-out/").url == "/account/signed-out/"
    assert signed_in_as(client) is None


def test_a_closed_account_opens_nothing(mara_kent):
    User.objects.update(is_active=False)
    answer = try_password(PASSWORD)
    assertContains(answer, "This is not the password of this address")


def test_a_wrong_password_says_nothing_about_the_account(mara_kent):
    known, unknown = try_password("wrong"), try_password("wrong", email="nobody@club.example")
    sentence = "This is not the password of this address, or there is no account with it"
    assertContains(known, sentence)
    assertContains(unknown, sentence)


# Brute force.


@pytest.mark.on_postgresql
@pytest.mark.parametrize("url", [SIGN_IN, "/admin/login/"])
def test_ten_wrong_passwords_from_one_address_are_enough(mara_kent, url):
    User.objects.update(is_staff=True)
    for number in range(9):
        assert try_password(f"wrong {number}", url=url).status_code == 200
    assert try_password("wrong 9", url=url).status_code == 429
    locked = try_password(PASSWORD, url=url)
    assertContains(locked, "Try again in 15 minutes", status_code=429)
    assertContains(locked, 'href="/account/reset/"', status_code=429)
    assert 890 < int(locked["Retry-After"]) <= 900
    later(600)  # trying on meanwhile makes it no longer
    assertContains(try_password("wrong", url=url), "Try again in 5 minutes", status_code=429)
    later(301)
    assert try_password(PASSWORD, url=url).status_code == 302


def test_spellings_of_the_address_are_one_account(mara_kent):
    spelled = ["mara@club.example", "MARA@club.example", "Mara@Club.Example", " mara@club.example "]
    for number in range(10):
        answer = try_password("wrong", email=spelled[number % 4])
    assert answer.status_code == 429
    assert try_password(PASSWORD).status_code == 429


def test_addresses_of_one_customer_are_one(mara_kent):
    for number in range(10):
        answer = try_password("wrong", where=f"2001:db8:1:2::{number}")
    assert answer.status_code == 429
    assert try_password(PASSWORD, where="2001:db8:1:3::1").status_code == 302


def test_the_owner_of_the_account_still_signs_in_from_elsewhere(mara_kent):
    for _ in range(12):
        try_password("wrong")
    assert try_password(PASSWORD).status_code == 429
    assert try_password(PASSWORD, where=ELSEWHERE).status_code == 302


def test_another_account_is_not_locked_along(mara_kent):
    User.objects.create_user("otto@club.example", PASSWORD)
    for _ in range(12):
        try_password("wrong")
    assert try_password(PASSWORD, email="otto@club.example").status_code == 302


def test_wrong_passwords_are_forgotten_after_a_right_one(mara_kent):
    for _round in range(3):
        for _ in range(9):
            assert try_password("wrong").status_code == 200
        assert try_password(PASSWORD).status_code == 302
        assert not AccessAttempt.objects.exists()


def test_signing_up_is_no_way_around_the_lock(mara_kent):
    for number in range(9):
        answer = Client().post(NEW, typed(password=f"wrong horse {number}"), REMOTE_ADDR=HOME)
        assert answer.status_code == 422
    answer = Client().post(NEW, typed(password="wrong horse 9"), REMOTE_ADDR=HOME)
    assert answer.status_code == 429
    assert Client().post(NEW, typed(), REMOTE_ADDR=HOME).status_code == 429


def test_wrong_passwords_of_many_accounts_count_by_address(mara_kent, client):
    answers = [try_password("wrong", email=f"m{n}@club.example").status_code for n in range(40)]
    assert answers == [200] * 30 + [429] * 10
    for url in (SIGN_IN, "/admin/login/"):
        locked = try_password(PASSWORD, url=url)
        assertContains(locked, "Too many wrong passwords were tried from here", status_code=429)
        assert 0 < int(locked["Retry-After"]) <= 900
    assert try_password(PASSWORD, where=ELSEWHERE).status_code == 302
    for n in range(29):
        try_password("wrong", email=f"n{n}@club.example", where=ELSEWHERE)
    # An account of their own gives nobody another budget.
    assert try_password(PASSWORD, where=ELSEWHERE).status_code == 302
    try_password("wrong", email="n@club.example", where=ELSEWHERE)
    assert try_password(PASSWORD, where=ELSEWHERE).status_code == 429
    slowing.WRONG_PASSWORDS.lift(ELSEWHERE)
    assert try_password(PASSWORD, where=ELSEWHERE).status_code == 302


@pytest.mark.parametrize("url", [SIGN_IN, "/admin/login/", NEW])
def test_who_comes_while_passwords_are_looked_at_is_told_to_come_back(url, settings, mara_kent):
    settings.PASSWORD_HASHERS = ["sheets.passwords.Hasher"]
    with contextlib.ExitStack() as others:
        for _ in range(passwords.MOST_THREADS):
            others.enter_context(passwords.room())
        fields = typed(username="mara@club.example")
        answer = Client().post(url, fields)
        assertContains(answer, "Several people are signing in right now", status_code=503)
        assert answer["Retry-After"] == "3"
        assert Client().get(url).status_code == 200
    assert not AccessAttempt.objects.exists()


def test_passwords_are_hashed_one_after_the_other(settings):
    settings.PASSWORD_HASHERS = ["sheets.passwords.Hasher"]
    hashed = make_password(PASSWORD)
    assert hashed.startswith("pbkdf2_sha256$")
    assert check_password(PASSWORD, hashed)
    for _ in range(passwords.MOST_THREADS + 1):  # each gives its place back
        assert not check_password("wrong", hashed)


def test_no_password_is_kept_of_what_was_tried(mara_kent):
    try_password("a secret of mine")
    assert "a secret of mine" not in str(AccessAttempt.objects.values_list())


# Passwords.


def ask_for_reset(client=None, email="mara@club.example", **headers):
    return (client or Client()).post("/account/reset/", {"email": email}, **headers)


def link_in(message):
    return re.search(r"http\S+", message.body)[0]


def test_a_message_resets_the_password_and_signs_in(client, mara_kent):
    elsewhere = Client()
    elsewhere.force_login(mara_kent, backend="django.contrib.auth.backends.ModelBackend")
    assert ask_for_reset().url == "/account/reset/sent/"
    [message] = mail.outbox
    assert message.to == ["mara@club.example"]
    path = link_in(message).removeprefix(settings.SHARED_URL)
    form = client.get(path, follow=True)
    assertContains(form, "Choose a new password")
    asked = form.redirect_chain[-1][0]
    fields = {"new_password1": "a new one of mine", "new_password2": "a new one of mine"}
    assertContains(client.post(asked, fields, follow=True), "counts from now on")
    assert signed_in_as(client) == mara_kent
    mara_kent.refresh_from_db()
    assert mara_kent.check_password("a new one of mine")
    assert elsewhere.get("/clubs/").status_code == 302  # signed out
    assertContains(Client().get(path, follow=True), "This link was used already")


def test_a_reset_gets_whoever_is_locked_out_in_again(client, mara_kent):
    for _ in range(10):
        try_password("wrong")
    ask_for_reset(REMOTE_ADDR=HOME)
    path = link_in(mail.outbox[0]).removeprefix(settings.SHARED_URL)
    asked = client.get(path, REMOTE_ADDR=HOME).url
    fields = {"new_password1": "a new one of mine", "new_password2": "a new one of mine"}
    client.post(asked, fields, REMOTE_ADDR=HOME)
    assert signed_in_as(client) == mara_kent
    assert try_password("a new one of mine").status_code == 302


def test_an_unknown_address_gets_the_same_answer_and_no_message(mara_kent):
    known = Client().post("/account/reset/", {"email": "mara@club.example"}, follow=True)
    unknown = Client().post("/account/reset/", {"email": "nobody@club.example"}, follow=True)
    assert known.content == unknown.content
    assert len(mail.outbox) == 1


def test_where_no_mail_goes_out_the_page_says_so_and_whom_to_ask(settings, mara_kent):
    settings.SENDS_MAIL = False
    for page in (Client().get("/account/reset/"), ask_for_reset()):
        assertContains(page, "This installation cannot send mail")
        assertContains(page, "manage.py changepassword")
        assertNotContains(page, 'name="email"')
    assert mail.outbox == []
    for _ in range(11):
        locked = try_password("wrong")
    assertContains(locked, "or ask the admin of this installation", status_code=429)
    assertNotContains(locked, "/account/reset/", status_code=429)


def test_a_mail_that_cannot_go_out_changes_no_answer_and_is_one_line(settings, mara_kent, caplog):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # nobody listens there
    settings.EMAIL_USE_TLS = False
    known = Client().post("/account/reset/", {"email": "mara@club.example"}, follow=True)
    unknown = Client().post("/account/reset/", {"email": "nobody@club.example"}, follow=True)
    assert known.content == unknown.content
    [line] = [one.getMessage() for one in caplog.records]
    assert line.startswith("A message was not sent. ConnectionRefusedError")


def test_links_in_messages_start_with_what_this_server_says_it_is(settings, mara_kent):
    settings.ALLOWED_HOSTS = ["*"]
    ask_for_reset(HTTP_HOST="evil.example")
    assert link_in(mail.outbox[0]).startswith(f"{settings.SHARED_URL}/account/reset/")
    assert "evil" not in mail.outbox[0].body + mail.outbox[0].subject


def test_messages_are_slowed_by_who_asks_and_by_mailbox(mara_kent):
    for number in range(35):
        ask_for_reset(email="MARA@club.example", REMOTE_ADDR=f"198.51.100.{number}")
    answer = ask_for_reset(REMOTE_ADDR=HOME)
    assertContains(answer, "the link in each of them works", status_code=429)
    assert len(mail.outbox) == 30
    for number in range(10):
        ask_for_reset(email=f"m{number}@club.example", REMOTE_ADDR=ELSEWHERE)
    assert ask_for_reset(email="new@club.example", REMOTE_ADDR=ELSEWHERE).status_code == 429


def test_a_stranger_leaves_the_owner_of_a_mailbox_their_messages(client, mara_kent):
    strangers = [ask_for_reset(REMOTE_ADDR=ELSEWHERE).status_code for _ in range(20)]
    assert strangers == [302] * 3 + [429] * 17
    assert ask_for_reset(REMOTE_ADDR=HOME).status_code == 302
    assert len(mail.outbox) == 4
    assert client.get(link_in(mail.outbox[0]), follow=True).status_code == 200


def test_a_password_is_changed_by_whoever_knows_it(client, mara_kent):
    client.force_login(mara_kent, backend="django.contrib.auth.backends.ModelBackend")
    fields = {"new_password1": "a new one of mine", "new_password2": "a new one of mine"}
    wrong = client.post("/account/password/", fields | {"old_password": "wrong"})
    assertContains(wrong, "This is not the password you have now.")
    unequal = fields | {"old_password": PASSWORD, "new_password2": "another"}
    assertContains(client.post("/account/password/", unequal), "are not the same")
    right = client.post("/account/password/", fields | {"old_password": PASSWORD})
    assertRedirects(right, "/account/?said=password")
    mara_kent.refresh_from_db()
    assert mara_kent.check_password("a new one of mine")
    assert signed_in_as(client) == mara_kent


@pytest.mark.parametrize("path", [NEW, SIGN_IN, "/account/reset/", "/account/reset/sent/"])
def test_the_pages_of_an_account_hold_no_inline_style_or_script(client, path):
    page = client.get(path).content.decode()
    assert 'style="' not in page
    assert "autofocus" not in page
    assert "Password confirmation" not in page
