"""Deleting a table: its phones agree, anybody can keep it, and then nothing of it is left."""

from __future__ import annotations

import datetime

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, codes
from sheets.models import Change, HouseRules, Member, Table, User
from tests.sheets.conftest import NAMES, client_of
from tests.sheets.posting import opened
from tests.sheets.test_access import everything

HTMX = {"HX-Request": "true"}


@pytest.fixture
def url(game):
    return game.url("delete/")


def agree(client, url, **headers):
    return client.post(url, opened(client, url), headers=headers)


def agreeing():
    return Member.objects.exclude(agreed_to_delete_at=None).count()


def is_gone(game):
    return not Table.objects.filter(pk=game.table.pk).exists()


def fill(game):
    """Leave rows of every kind at the table."""
    first = game.enter()
    actions.take_back(game.write(), game.enter().public_id)
    actions.set_dealer(game.write(), game.sheet.public_id, game.players[2].pk)
    names = {p.pk: f"{p.name}a" for p in game.players}
    actions.rename(game.write(), game.sheet.public_id, "Thursday", names)
    game.end()
    actions.play_again(game.write(), NAMES, 0)
    game.end()
    ben = Member.objects.get(table=game.table, phone=game.ben)
    third = Member.objects.create(
        table=game.table,
        phone=codes.phone_hash(codes.new_phone()),
        number=3,
        removed_at=timezone.now(),
        removed_by=ben,
        asks=game.players[0].person,
        asked_at=timezone.now(),
    )
    first.confirmed_by = third
    first.save()


def test_the_page_explains_and_counts(game, alice, url):
    game.enter()
    page = alice.get(url)
    assertContains(page, "1 sheet, 1 hand.")
    assertContains(page, "every phone agrees that was heard of in the last seven days")
    assertContains(page, "A hand, a new sheet or a phone that joins makes that void")
    assertContains(alice.get(game.url("privacy/")), f'href="{url}"')


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_first_phone_asks_and_nothing_goes(game, alice, ben, url, headers):
    game.enter()
    answer = agree(alice, url, **headers)
    assert (answer.status_code, answer["Location"]) == (303, url)
    assertContains(alice.get(url), "Ben has not agreed.")
    assertNotContains(alice.get(url), "delete it</button>")
    card = "Alice wants to delete this table and all its sheets (1 sheet, 1 hand"
    for page in (
        alice.get(game.url()),
        ben.get(game.url(), headers={**HTMX, "HX-Target": "sheet"}),
    ):
        assertContains(page, card)
        assertContains(page, "1 of 2 phones agree.")
        assertContains(page, "Keep the table</button>")
    assertContains(ben.get(game.url()), f'href="{url}">I agree</a>')
    assertNotContains(alice.get(game.url()), "I agree</a>")
    game.end()
    assertContains(ben.get(game.url()), "Alice wants to delete this table")
    line = "Alice</strong> agreed to delete this table (1 of 2 phones)"
    assertContains(ben.get(game.url("history/")), line)


@pytest.mark.on_postgresql
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_with_the_last_phone_everything_goes_and_nothing_else(
    new_game, game, alice, ben, url, headers
):
    rules = HouseRules.objects.count()
    fill(game)
    other, *_ = new_game(["Ann", "Bob", "Cid"])
    fill(other)
    kept = {name: len(rows) // 2 for name, rows in everything().items()}
    agree(alice, url)
    answer = agree(ben, url, **headers)
    assert (answer.status_code, answer["Location"]) == (303, "/?deleted=1")
    assertContains(ben.get(answer["Location"]), "The table is deleted, with all its sheets.")
    assert is_gone(game)
    left = {name: len(rows) for name, rows in everything().items()}
    shared = {"HouseRules": rules, "User": 0, "PhoneLink": 0}
    assert left == kept | shared
    for phone in (alice, ben):
        for page in (game.url(), url, game.url("history/")):
            assertContains(phone.get(page), "This sheet is private.", status_code=404)
        assertNotContains(phone.get("/"), "My tables")


def test_one_phone_alone_deletes_its_table(game, alice, url):
    Member.objects.filter(phone=game.ben).update(removed_at=timezone.now())
    assert agree(alice, url)["Location"] == "/?deleted=1"
    assert is_gone(game)


@pytest.mark.parametrize(("days", "asked"), [(6, True), (8, False)])
def test_only_phones_heard_of_in_the_last_week_are_asked(game, alice, url, days, asked):
    long_ago = timezone.now() - datetime.timedelta(days=days)
    Member.objects.update(last_seen=long_ago)
    agree(alice, url)
    assert is_gone(game) is not asked


def test_the_last_word_sent_again_after_a_lost_reply_is_answered_at_home(game, alice, ben, url):
    agree(alice, url)
    fields = opened(ben, url)
    ben.post(url, fields)
    answer = ben.post(url, fields)
    assert (answer.status_code, answer["Location"]) == (303, "/?deleted=1")


def test_the_proof_of_a_phone_is_nobody_elses(game, alice, ben, url):
    fields = opened(alice, url)
    agree(alice, url)
    agree(ben, url)
    for stranger in (Client(), client_of(codes.new_phone())):
        assertContains(stranger.post(url, fields), "This sheet is private.", status_code=404)
    assert alice.post(url, fields)["Location"] == "/?deleted=1"


@pytest.mark.on_postgresql
def test_sent_twice_it_is_one_agreement(game, alice, ben, url):
    fields = opened(alice, url)
    assert [alice.post(url, fields).status_code for _ in range(2)] == [303, 303]
    again = {**fields, "key": str(game.write().key)}
    assert alice.post(url, again).status_code == 303
    assert Change.objects.filter(kind="delete_agreed").count() == 1
    assert not is_gone(game)


def test_a_phone_that_agreed_finishes_it_once_nobody_else_is_asked(game, alice, url):
    agree(alice, url)
    Member.objects.filter(phone=game.ben).update(removed_at=timezone.now())
    assertContains(alice.get(url), "I agree: delete it")
    agree(alice, url)
    assert is_gone(game)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_anybody_can_keep_the_table(game, alice, ben, url, headers):
    agree(alice, url)
    keep = game.url("keep/")
    fields = opened(ben, keep)
    for _ in range(2):
        answer = ben.post(keep, fields, headers=headers)
        assert (answer.status_code, answer["Location"]) == (303, game.url())
    assert agreeing() == 0
    assertNotContains(alice.get(game.url()), "wants to delete")
    assertContains(alice.get(game.url("history/")), "Ben</strong> kept the table")
    assert alice.post(keep, opened(alice, keep)).status_code == 303  # nothing left to drop
    assert Change.objects.filter(kind="delete_dropped").count() == 1
    agree(ben, url)
    assert not is_gone(game)


def test_the_card_keeps_it_in_one_tap(game, alice, ben, url):
    agree(alice, url)
    form = ben.get(game.url()).context["to_delete"]["form"]
    fields = {name: str(form[name].value()) for name in ("key", "seen")}
    assert ben.post(game.url("keep/"), fields).status_code == 303
    assert agreeing() == 0


def play_on(game, what):
    match what:
        case "hand":
            game.enter()
        case "change":
            actions.take_back(game.write(), game.standing[0].public_id)
        case "new phone":
            actions.join(game.write(codes.phone_hash(codes.new_phone())), None)
        case "new sheet":
            game.end()
            actions.play_again(game.write(), NAMES, 0)


@pytest.mark.parametrize("what", ["hand", "change", "new phone", "new sheet"])
def test_who_plays_on_makes_the_agreements_void(game, alice, ben, url, what):
    game.enter()
    agree(alice, url)
    play_on(game, what)
    assertNotContains(ben.get(game.url()), "wants to delete")
    agree(ben, url)
    assert not is_gone(game)
    assertContains(alice.get(game.url()), "Ben wants to delete this table")


@pytest.mark.parametrize("what", ["hand", "new phone", "kept"])
def test_what_happened_since_the_question_asks_it_again(game, alice, ben, url, what):
    agree(alice, url)
    fields = opened(ben, url)
    if what == "kept":
        actions.keep_table(game.write())
    else:
        play_on(game, what)
    page = ben.post(url, fields)
    told = {"hand": "Alice entered hand 1", "kept": "Alice kept the table"}
    assertContains(page, told.get(what, "joined with another phone"), status_code=409)
    assertContains(page, f"1 sheet, {int(what == 'hand')} hand", status_code=409)
    assert not is_gone(game)
    assert agreeing() in (0, 1)


def test_a_removed_phone_has_no_say(game, alice, url):
    agree(alice, url)
    Member.objects.filter(phone=game.alice).update(removed_at=timezone.now())
    actions.agree_to_delete(game.write(game.ben))
    assert is_gone(game)


@pytest.mark.parametrize("page", ["delete/", "keep/"])
def test_a_form_that_lost_a_part_says_so_and_does_nothing(game, alice, page):
    answer = alice.post(game.url(page), {"key": "", "seen": ""})
    assertContains(answer, "Part of this form was missing.", status_code=422)
    assert not is_gone(game)


# Staff.


@pytest.fixture
def staff(db):
    client = Client()
    client.force_login(User.objects.create_superuser("staff@example.org", "secret", name="Sam"))
    return client


@pytest.mark.on_postgresql
def test_staff_deletes_a_table_after_a_clear_count(game, alice, staff):
    fill(game)
    question = reverse("admin:sheets_table_delete_all", args=[game.table.pk])
    page = staff.get(question)
    assertContains(page, "1 sheet, 1 hand")
    assertContains(page, "Phones at it: 2")
    fields = opened(staff, question)
    changelist = reverse("admin:sheets_table_changelist")
    for said in ("The table is deleted.", "It is not there any more."):
        answer = staff.post(question, fields)
        assert (answer.status_code, answer["Location"]) == (302, changelist)
        assertContains(staff.get(changelist), said)
    assert is_gone(game)


def test_staff_is_asked_again_when_somebody_played_on(game, staff):
    question = reverse("admin:sheets_table_delete_all", args=[game.table.pk])
    fields = opened(staff, question)
    game.enter()
    assertContains(staff.post(question, fields), "Alice entered hand 1", status_code=409)
    assert not is_gone(game)


def test_the_list_opens_the_question_for_one_table(game, staff):
    changelist = reverse("admin:sheets_table_changelist")
    chosen = {"action": "delete_a_table", "_selected_action": [game.table.pk]}
    question = reverse("admin:sheets_table_delete_all", args=[game.table.pk])
    assert staff.post(changelist, chosen).url == question


def test_only_who_may_delete_tables_does(game):
    user = User.objects.create_user("reader@example.org", "secret", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_table"))
    client = Client()
    client.force_login(user)
    assertNotContains(client.get(reverse("admin:sheets_table_changelist")), "delete_a_table")
    question = reverse("admin:sheets_table_delete_all", args=[game.table.pk])
    for method in (client.get, client.post):
        assert method(question).status_code == 403
    assert not is_gone(game)


def test_phones_cannot_delete_what_a_clubs_seasons_are_made_of(thursday, game, url, alice, ben):
    sent = opened(alice, url)
    assert agree(ben, url).status_code == 303
    thursday.take_in(game)
    for page in (game.url("privacy/"), url):
        assertNotContains(alice.get(page), "button save")
        assertNotContains(alice.get(page), 'button quiet" href="' + url)
        assertContains(alice.get(page), "Thursday Club")
    answer = alice.post(url, sent)
    assertContains(answer, "ask an organiser of the club to delete it", status_code=409)
    assert answer["Refused"] == "of_a_club"
    assert not is_gone(game)
    assert isinstance(actions.delete_table(thursday.at(game.table)), actions.Saved)
    assert is_gone(game)
