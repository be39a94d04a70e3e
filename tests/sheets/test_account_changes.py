"""What somebody does with their account: another address, signing out, closing it."""

from __future__ import annotations

import datetime
import re
import unicodedata

import pytest
from django.conf import settings as server
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from sheets import actions, slowing
from sheets.models import Change, Club, ClubChange, Organiser, User
from tests.sheets import clubs, files
from tests.sheets.test_concurrency import all_at_once

PASSWORD = "correct horse"
ADDRESS, CLOSE = "/account/address/", "/account/close/"


@pytest.fixture(autouse=True)
def _counting_starts_anew():
    slowing.forget()


def ask(client, email="kent@club.example", password=PASSWORD):
    return client.post(ADDRESS, {"email": email, "password": password})


def link_in(message):
    return re.search(r"http\S+", message.body)[0].removeprefix(server.SHARED_URL)


def signs_in(email, password=PASSWORD):
    return Client().post("/account/sign-in/", {"username": email, "password": password})


# Another address.


def test_a_link_in_a_message_gives_the_account_its_new_address_and_the_old_one_is_told(
    thursday, mara
):
    assertContains(mara.get("/account/"), ADDRESS)
    assertContains(mara.get(ADDRESS), "You sign in with mara@thursday.example now.")
    answer = ask(mara, " Kent@Club.Example ")
    assertContains(mara.get(answer["Location"]), "until you have used it")
    [message] = mail.outbox
    assert message.to == ["kent@club.example"]
    path = link_in(message)
    thursday.mara.refresh_from_db()
    assert thursday.mara.email == "mara@thursday.example"
    somebody = Client()  # the mailbox may be another device's
    assertContains(somebody.get(path), "kent@club.example")
    thursday.mara.refresh_from_db()
    assert thursday.mara.email == "mara@thursday.example"  # looking changes nothing
    assert somebody.post(path)["Location"] == "/account/?said=address"
    assertContains(mara.get("/account/?said=address"), "kent@club.example")
    assert signs_in("kent@club.example").status_code == 302
    assert signs_in("mara@thursday.example").status_code == 200
    told = mail.outbox[1]
    assert (told.to, "kent@club.example" in told.body) == (["mara@thursday.example"], True)
    # Once.
    assertContains(somebody.get(path), "This link was used already")
    assert somebody.post(path).status_code == 410
    assert len(mail.outbox) == 2


@pytest.mark.parametrize("void", ["a day later", "another password", "another link", "tampered"])
def test_a_link_that_is_void_changes_nothing(thursday, mara, void, monkeypatch):
    ask(mara)
    path = link_in(mail.outbox[0])
    match void:
        case "a day later":
            later = timezone.now() + datetime.timedelta(days=1, seconds=1)
            monkeypatch.setattr("time.time", later.timestamp)
        case "another password":
            thursday.mara.set_password("another horse")
            thursday.mara.save()
        case "another link":
            ask(mara, "third@club.example")
            Client().post(link_in(mail.outbox[1]))
        case "tampered":
            path = path[:-2] + "x/"
    assertContains(Client().get(path), "This link was used already")
    assert Client().post(path).status_code == 410
    assert not User.objects.filter(email="kent@club.example").exists()


def test_what_is_wrong_with_it_is_said(mara, thursday):
    User.objects.create_user("nora@club.example", PASSWORD)
    for email, sentence in (
        ("MARA@thursday.example", "This is the address you have now."),
        ("Nora@club.example", "Another account has this address."),
        ("nobody", "This is no e-mail address"),
    ):
        assertContains(ask(mara, email), sentence, status_code=422)
    wrong = ask(mara, password="wrong")
    assertContains(wrong, "This is not the password you have now.", status_code=422)
    assertContains(wrong, 'value="kent@club.example"', status_code=422)
    assert not mail.outbox
    # Somebody else was quicker with the address than the link.
    ask(mara)
    User.objects.create_user("kent@club.example", PASSWORD)
    assertContains(
        Client().post(link_in(mail.outbox[0])), "There is an account with this", status_code=410
    )


def test_wrong_passwords_and_messages_are_counted_as_elsewhere(mara, thursday):
    for number in range(10):
        assert ask(mara, f"m{number}@club.example").status_code == 303
    assertContains(ask(mara), "Too many of these messages", status_code=429)
    for url, field in (
        (ADDRESS, "password"),
        (CLOSE, "password"),
        ("/account/password/", "old_password"),
    ):
        for _ in range(4):
            answer = mara.post(url, {field: "wrong", "email": "kent@club.example"})
    assertContains(answer, "Too many wrong passwords", status_code=429)
    assert User.objects.get(pk=thursday.mara.pk).closed_at is None


def test_without_a_mail_server_the_password_is_enough_and_the_page_says_so(mara, settings):
    settings.SENDS_MAIL = False
    assertContains(mara.get(ADDRESS), "This installation cannot send mail")
    assert ask(mara, password="wrong").status_code == 422
    assert ask(mara)["Location"] == "/account/?said=address"
    assert not mail.outbox
    assert signs_in("kent@club.example").status_code == 302


def test_a_dead_mail_server_is_no_broken_page(mara, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    assert ask(mara).status_code == 303


# Spelling.


SPELLINGS = ("ann@Ünder.example", "Ann@ünder.Example", "ａnn@ünder.example")


@pytest.mark.on_postgresql
@pytest.mark.parametrize("spelling", [*SPELLINGS, unicodedata.normalize("NFD", SPELLINGS[0])])
def test_an_address_is_one_however_it_is_spelled(db, spelling, client):
    ann = User.objects.create_user("ann@ünder.example", PASSWORD, name="Ann")
    assert actions.sign_up(spelling, "Other", PASSWORD).why == "email_taken"
    assert signs_in(spelling).status_code == 302
    staff = clubs.signed_in(User.objects.create_superuser("staff@club.example", PASSWORD))
    new = {
        "email": spelling,
        "usable_password": "true",
        "password1": "x9$kk2pq",
        "password2": "x9$kk2pq",
    }
    other = User.objects.create_user("other@club.example")
    pages = [
        staff.post(reverse("admin:sheets_user_add"), new),
        staff.post(reverse("admin:sheets_user_change", args=[other.pk]), as_sent(other, spelling)),
    ]
    for page in pages:
        text = page.content.decode()
        if "Enter a valid email address" in text:  # Django knows no wide letters in addresses
            continue
        assert "There is an account with this e-mail address already." in text
        assert "sheets_user" not in text
        assert "Constraint" not in text
    assert User.objects.filter(email=ann.email).count() == 1
    assert User.objects.count() == 3


def as_sent(user, email):
    """What the admin's page of a user sends, with another address."""
    days = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    return {"email": email, "name": user.name, "is_active": "on", **days}


def test_the_admin_stores_an_address_as_it_is_looked_up(db):
    staff = clubs.signed_in(User.objects.create_superuser("staff@club.example", PASSWORD))
    user = User.objects.create_user("other@club.example", PASSWORD)
    url = reverse("admin:sheets_user_change", args=[user.pk])
    assert staff.post(url, as_sent(user, "Ann@Club.Example")).status_code == 302
    user.refresh_from_db()
    assert user.email == "ann@club.example"


# Closing.


def close(client, password=PASSWORD):
    return client.post(CLOSE, {"password": password})


def test_a_closed_account_leaves_its_clubs_and_what_it_did_stays(thursday, otto, club_game, alice):
    row = club_game.enter()
    club_game.end()
    actions.correct_hand(
        thursday.at(club_game.table), row.public_id, club_game.played(0), reason="Alice bid"
    )
    page = otto.get(CLOSE)
    assertContains(page, "You leave these clubs, which stay as they are: Thursday Club.")
    assertContains(close(otto, "wrong"), "This is not the password you have now.", status_code=422)
    answer = close(otto)
    assert answer["Location"] == "/account/signed-out/?closed=1"
    assertContains(otto.get(answer["Location"]), "The account is closed")
    assert close(otto)["Location"].startswith("/account/sign-in/")  # sent twice
    user = User.objects.get(pk=thursday.otto.pk)
    assert (user.name, user.is_active, user.has_usable_password()) == ("", False, False)
    assert "otto" not in user.email
    assert mail.outbox[-1].to == ["otto@thursday.example"]
    assert signs_in("otto@thursday.example").status_code == 200
    assert not Organiser.objects.filter(user=user).exists()
    client = clubs.signed_in(thursday.mara)
    assertContains(client.get(thursday.url("history/")), "a former organiser</strong> left the")
    for url in (club_game.url("history/"), club_game.url(f"hands/{row.public_id}/")):
        assertContains(alice.get(url), "a former organiser</strong> changed hand 1")
    exported = files.club_file(thursday.club)
    assert b"a former organiser" in exported
    assert b"Otto" not in exported
    # The address is free again.
    assert isinstance(actions.sign_up("otto@thursday.example", "Otto", PASSWORD), User)


def test_the_last_owner_hands_over_first_and_is_led_there(thursday, mara):
    page = mara.get(CLOSE)
    assertContains(page, thursday.url("organisers/"))
    assertContains(page, "You are its last owner")
    assertNotContains(page, "Close it for good")
    assertContains(close(mara), "You are its last owner", status_code=409)
    assert User.objects.get(pk=thursday.mara.pk).is_active
    actions.change_role(thursday.write(), thursday.otto.pk, "owner")
    assertContains(mara.get(CLOSE), "Close it for good")
    Club.objects.update(locked=True)
    assertContains(mara.get(CLOSE), "the admin of this installation can unlock it")
    assert actions.close_account(thursday.mara).why == "club_locked"
    Club.objects.update(locked=False)
    assert close(mara).status_code == 303


def test_an_installation_keeps_somebody_who_runs_it(db):
    sam = User.objects.create_superuser("sam@club.example", PASSWORD)
    client = clubs.signed_in(sam)
    assertContains(close(client), "Nobody else can run this installation.", status_code=409)
    User.objects.create_superuser("kim@club.example", PASSWORD)
    assert close(client).status_code == 303
    sam.refresh_from_db()
    assert (sam.is_superuser, sam.is_staff) == (False, False)
    kim = clubs.signed_in(User.objects.get(email="kim@club.example"))
    url = reverse("admin:sheets_user_change", args=[sam.pk])
    assertNotContains(kim.get(url), 'name="_save"')
    assert kim.post(url, as_sent(sam, sam.email)).status_code == 403


def test_a_closed_account_is_made_no_organiser(thursday):
    nora = User.objects.create_user("nora@club.example", PASSWORD)
    User.objects.create_user("kim@club.example", PASSWORD)
    assert isinstance(actions.close_account(nora), User)
    invited = actions.invite(thursday.write())
    secret = actions.organisers.invitation_secret(thursday.mara, invited.change.key)
    assert actions.accept_invitation(secret, nora).why == "no_account"
    key = invited.change.key
    answer = actions.start_club(nora, "Noras", slug="", time_zone="UTC", key=key)
    assert isinstance(answer, actions.Refused)
    assert actions.change_address(nora, "back@club.example").why == "no_account"
    assert not Organiser.objects.filter(user=nora).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgresql
def test_of_two_owners_who_close_at_once_one_stays(thursday):
    actions.change_role(thursday.write(), thursday.otto.pk, "owner")
    answers = all_at_once(
        [lambda user=user: actions.close_account(user) for user in (thursday.mara, thursday.otto)]
    )
    assert [one.why for one in answers if isinstance(one, actions.Refused)] == ["last_owner"]
    assert thursday.club.organisers.filter(role="owner", user__is_active=True).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgresql
def test_an_invitation_that_is_accepted_while_the_account_closes_makes_no_ghost(thursday):
    nora = User.objects.create_user("nora@club.example", PASSWORD)
    invited = actions.invite(thursday.write())
    secret = actions.organisers.invitation_secret(thursday.mara, invited.change.key)
    all_at_once(
        [
            lambda: actions.accept_invitation(secret, nora),
            lambda: actions.close_account(nora),
        ]
    )
    nora.refresh_from_db()
    assert nora.is_active == Organiser.objects.filter(user=nora).exists()


# Handing over.


def hand_over(staff, club, **fields):
    url = reverse("admin:sheets_club_hand_over", args=[club.pk])
    form = staff.get(url).context["form"]
    known = {name: str(form[name].value()) for name in ("key", "seen")}
    return staff.post(url, known | fields, follow=True)


def test_staff_hand_a_club_over_and_its_history_says_who_and_why(thursday, mara):
    staff = clubs.signed_in(
        User.objects.create_superuser("staff@club.example", PASSWORD, name="Sam")
    )
    nora = User.objects.create_user("nora@club.example", PASSWORD, name="Nora")
    listed = reverse("admin:sheets_club_changelist")
    chosen = {"action": "hand_a_club_over", "_selected_action": [thursday.club.pk]}
    assertRedirects(
        staff.post(listed, chosen), reverse("admin:sheets_club_hand_over", args=[thursday.club.pk])
    )
    why = {"reason": "Mara moved away"}
    unknown = hand_over(staff, thursday.club, email="who@club.example", **why)
    assertContains(unknown, "No account that can sign in has this address.", status_code=422)
    assertContains(
        hand_over(staff, thursday.club, email=nora.email, reason=""), "Say why", status_code=422
    )
    answer = hand_over(staff, thursday.club, email="NORA@club.example", **why)
    assertContains(answer, "The club has another owner.")
    hand_over(staff, thursday.club, email=nora.email, **why)  # is one already
    [change] = ClubChange.objects.filter(kind="handed_over")
    assert (change.user.name, change.reason) == ("Sam", "Mara moved away")
    assert change.after == {"user": nora.pk, "role": "owner"}
    history = mara.get(thursday.url("history/"))
    assertContains(history, "handed the club over to Nora, because: Mara moved away")
    hand_over(staff, thursday.club, email=thursday.otto.email, **why)
    assert {one.role for one in thursday.club.organisers.all()} == {"owner"}
    data = files.club_file(thursday.club)
    files.empty()
    friday = clubs.a_club("friday", "Friday Club")
    files.brought(friday, data)
    page = clubs.signed_in(friday.mara).get(friday.url("history/"))
    assertContains(page, "handed the club over to Nora, because: Mara moved away")


def test_nobody_but_staff_hands_a_club_over(thursday):
    assert actions.hand_over(thursday.write(), thursday.otto.pk, "So").why == "not_an_organiser"


# Nothing is kept.


def test_no_page_for_somebody_signed_in_is_kept_by_a_browser(
    thursday, mara, club_game, alice, client
):
    club_game.enter()
    club_game.end()
    for path in ("/account/", "/clubs/", "/clubs/new/", ADDRESS, CLOSE, "/account/password/"):
        assert mara.get(path)["Cache-Control"] == "private, no-store", path
    sheet = f"sheets/{club_game.sheet.public_id}/"
    for rest in ("", "people/", "sheets/", sheet, "files/club.json"):
        assert mara.get(thursday.url(rest))["Cache-Control"] == "private, no-store", rest
    assert mara.get("/clubs/elsewhere/")["Cache-Control"] == "private, no-store"
    staff = clubs.signed_in(User.objects.create_superuser("staff@club.example", PASSWORD))
    for path in ("/admin/", "/admin/sheets/clubperson/", "/admin/sheets/club/"):
        assert "no-store" in staff.get(path)["Cache-Control"], path
    # The pages of tables are a phone's, and kept for when there is no network.
    alice.cookies.update(mara.cookies)
    assert alice.get(club_game.url())["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("path", ["/account/sign-out/", "/admin/logout/"])
def test_signing_out_empties_the_cache_and_touches_no_storage(mara, client, path):
    answer = mara.post(path)
    assert answer["Location"] == "/account/signed-out/"
    assert answer["Clear-Site-Data"] == '"cache"'
    assertContains(mara.get(answer["Location"]), "data-signed-out")
    # A link to it throws away nothing of whoever has signed in.
    assert client.get("/account/signed-out/").status_code == 200
    signed_in = clubs.signed_in(User.objects.first())
    assertRedirects(signed_in.get("/account/signed-out/"), "/account/")


def test_players_are_told_no_address_of_an_organiser_without_a_name(thursday, club_game, alice):
    row = club_game.enter()
    User.objects.filter(pk=thursday.otto.pk).update(name="")
    actions.correct_hand(
        thursday.at(club_game.table), row.public_id, club_game.played(0), reason="Alice bid"
    )
    page = alice.get(club_game.url("history/"))
    assertContains(page, "An organiser</strong> changed hand 1")
    assertNotContains(page, "@")
    assert Change.objects.latest("pk").user == thursday.otto
