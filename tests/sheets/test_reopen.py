"""Taking back an end: any member within ten minutes, later staff; never over a newer hand."""

from __future__ import annotations

import datetime

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import Change, Sheet, SheetState, User
from sheets.seen import Seen
from tests.sheets.conftest import NAMES
from tests.sheets.posting import opened
from tests.sheets.test_history_replay import assert_history_tells_the_sheet

HTMX = {"HX-Request": "true"}


@pytest.fixture
def banked(game):
    game.enter()
    game.end()
    return game.sheet


@pytest.fixture
def url(banked):
    return f"{banked.get_absolute_url()}reopen/"


def ended_ago(sheet, **ago):
    Sheet.objects.filter(pk=sheet.pk).update(ended_at=timezone.now() - datetime.timedelta(**ago))


def play_again(game, phone=""):
    answer = actions.play_again(game.write(phone), NAMES, 0)
    assert isinstance(answer, actions.Saved)
    return answer.change.sheet


def reopenings():
    return Change.objects.filter(kind="sheet_reopened")


def test_the_result_offers_it_and_says_until_when(game, alice, banked):
    Sheet.objects.update(ended_at=timezone.now() - datetime.timedelta(minutes=2))
    until = game.table.local(timezone.now() + datetime.timedelta(minutes=8)).strftime("%H:%M")
    for address in (game.url(), banked.get_absolute_url()):
        page = alice.get(address)
        assertContains(page, f"Until {until} the end can be taken back.")
        assertContains(page, "Take back the end</button>")
        assertContains(page, f'action="{banked.get_absolute_url()}reopen/"')


def test_after_ten_minutes_it_is_not_offered(game, alice, banked):
    ended_ago(banked, minutes=10, seconds=1)
    assertNotContains(alice.get(game.url()), "Take back the end")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_any_member_takes_it_back_and_the_sheet_goes_on(game, ben, banked, url, headers):
    answer = ben.post(url, opened(ben, url), headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, game.url())
    assert (game.sheet, game.sheet.state) == (banked, SheetState.OPEN)
    assert (game.sheet.ended_at, game.sheet.ended_by) == (None, None)
    assertContains(ben.get(game.url()), "Enter hand 2")
    game.enter()
    assert game.totals == [0, 4, 0]
    assert_history_tells_the_sheet(game)


def test_the_form_of_the_result_does_it_in_one_tap(game, alice, banked, url):
    form = alice.get(game.url()).context["end_offer"]["form"]
    fields = {name: str(form[name].value()) for name in ("key", "seen")}
    assert alice.post(url, fields).status_code == 303
    assert game.sheet.is_open


def test_history_keeps_every_end_and_every_reopening(game, alice, banked, url):
    alice.post(url, opened(alice, url))
    game.end(game.ben)
    what = [f"{who} {what}" for _at, who, what in alice.get(game.url("history/")).context["events"]]
    assert what[:3] == [
        "Ben ended the match after 1 hand",
        "Alice took back the end of the match",
        "Alice ended the match after 1 hand",
    ]
    assert_history_tells_the_sheet(game)


@pytest.mark.parametrize("taken_back", [0, 1])
def test_an_empty_newer_sheet_is_discarded_in_the_same_step(game, alice, banked, url, taken_back):
    newer = play_again(game)
    for _ in range(taken_back):
        actions.take_back(game.write(), game.enter().public_id)
    page = alice.get(game.url())
    assertContains(page, "the end can be taken back.")
    before = game.version
    alice.post(url, opened(alice, url))
    assert game.version == before + 1
    newer.refresh_from_db()
    assert newer.state == SheetState.DISCARDED
    assert str(newer.ended_by) == "Alice"
    assert game.sheet == banked
    assert game.sheet.is_open
    sentence = "the next sheet, which held no hand, was discarded"
    assertContains(alice.get(game.url("history/")), sentence)
    assert_history_tells_the_sheet(game)


def test_after_that_end_match_and_play_again_go_on_with_the_older_sheet(game, alice, banked, url):
    newer = play_again(game)
    ask = actions.Write(table=game.table.pk, phone=game.ben, key=game.write().key, seen=Seen())
    assert isinstance(actions.reopen(game.write(), banked.public_id), actions.Saved)
    # A phone that still looks at the discarded sheet is led to what is there.
    ended = actions.end_match(ask, newer.public_id)
    assert isinstance(ended, actions.Saved)
    assert ended.repeated
    again = actions.play_again(game.write(game.ben), NAMES, 0)
    assert isinstance(again, actions.Saved)
    assert (again.repeated, again.change.sheet) == (True, banked)
    game.end()
    assert play_again(game) not in (banked, newer)


def test_a_newer_hand_that_stands_is_never_lost(game, alice, banked, url):
    fields = opened(alice, url)
    play_again(game)
    row = game.enter()
    assertContains(alice.get(url), "The next sheet holds a hand already")
    answer = alice.post(url, fields)
    assertContains(answer, "Take that hand back first", status_code=409)
    assertNotContains(answer, "Take back the end</button>", status_code=409)
    assert game.standing == [row]
    banked.refresh_from_db()
    assert banked.state == SheetState.BANKED


def test_a_newer_hand_stands_in_the_way_after_its_own_end_too(game, alice, banked, url):
    fields = opened(alice, url)
    play_again(game)
    game.enter()
    game.end()
    assertContains(alice.post(url, fields), "The next sheet holds a hand", status_code=409)
    assert not game.sheet.is_open


def test_too_late_is_said_in_words_with_what_to_do(game, alice, banked, url):
    fields = opened(alice, url)
    ended_ago(banked, minutes=11)
    for answer in (alice.get(url), alice.post(url, fields)):
        status = answer.status_code
        assertContains(answer, "An end can be taken back for ten minutes.", status_code=status)
        assertContains(answer, "Whoever runs this server can still do it", status_code=status)
    assert status == 409
    assert not game.sheet.is_open


def test_sent_twice_and_by_two_phones_it_happens_once(game, alice, ben, banked, url):
    mine, theirs = opened(alice, url), opened(ben, url)
    for phone, fields in ((alice, mine), (alice, mine), (ben, theirs)):
        answer = phone.post(url, fields)
        assert (answer.status_code, answer["Location"]) == (303, game.url())
    assert reopenings().count() == 1


def test_an_open_sheet_is_answered_with_what_is_there(game, alice):
    game.enter()
    url = f"{game.sheet.get_absolute_url()}reopen/"
    assert alice.get(url)["Location"] == game.url()
    fields = {"key": str(game.write().key), "seen": str(game.version)}
    assert alice.post(url, fields).status_code == 303
    assert reopenings().count() == 0


def test_a_late_form_does_not_take_back_an_end_made_since(game, alice, ben, banked, url):
    fields = opened(alice, url)
    actions.reopen(game.write(game.ben), banked.public_id)
    game.end(game.ben)
    answer = alice.post(url, fields)
    assertContains(answer, "Ben ended the match after 1 hand", status_code=409)
    assert not game.sheet.is_open
    assert alice.post(url, answer.context["form"].data).status_code == 303
    assert game.sheet.is_open


def test_a_question_to_end_it_is_asked_again_after_a_reopening(game, alice, banked, url):
    ask = game.write(game.ben)
    actions.reopen(game.write(), banked.public_id)
    answer = actions.end_match(ask, banked.public_id)
    assert isinstance(answer, actions.Refused)
    assert (answer.why, answer.change.kind) == (actions.Why.STALE, "sheet_reopened")


def test_a_discarded_sheet_holds_nothing_to_go_on_with(game, alice):
    game.end()
    url = f"{game.sheet.get_absolute_url()}reopen/"
    assertContains(alice.get(url), "no hand was on it")
    fields = {"key": str(game.write().key), "seen": str(game.version)}
    assertContains(alice.post(url, fields), "no hand was on it", status_code=409)
    assert not game.sheet.is_open


# Staff.


@pytest.fixture
def staff(db):
    client = Client()
    client.force_login(User.objects.create_superuser("staff@example.org", "secret", name="Sam"))
    return client


def admin_url(sheet):
    return reverse("admin:sheets_sheet_reopen", args=[sheet.pk])


def with_reason(client, url, reason="The last hand is missing"):
    return opened(client, url) | {"reason": reason}


def test_staff_takes_it_back_later_with_a_reason_on_record(game, alice, banked, staff):
    ended_ago(banked, days=3)
    url = admin_url(banked)
    assertContains(staff.get(url), "Take back the end of this match?")
    fields = with_reason(staff, url)
    for _ in range(2):
        assert staff.post(url, fields).status_code == 302
    assert game.sheet.is_open
    assert reopenings().get().user.email == "staff@example.org"
    line = "Sam</strong> took back the end of the match, because: The last hand is missing"
    assertContains(alice.get(game.url("history/")), line)


def test_staff_gives_a_reason_or_nothing_happens(game, banked, staff):
    url = admin_url(banked)
    answer = staff.post(url, with_reason(staff, url, " "))
    assertContains(answer, "Say why: it stays on record.", status_code=422)
    assert not game.sheet.is_open


def test_staff_does_not_push_an_open_match_aside(game, banked, staff):
    play_again(game)
    row = game.enter()
    url = admin_url(banked)
    answer = staff.post(url, with_reason(staff, url))
    assertContains(answer, "end that match first", status_code=409)
    assert game.standing == [row]
    game.end()
    answer = staff.post(url, with_reason(staff, url))
    assert answer.status_code == 302
    banked.refresh_from_db()
    assert banked.is_open
    # The table plays on where it is open, and Play again opens no second sheet beside it.
    assert actions.play_again(game.write(), NAMES, 0).change.sheet == banked


def test_the_list_opens_the_question_for_one_sheet(game, banked, staff):
    changelist = reverse("admin:sheets_sheet_changelist")
    chosen = {"action": "take_back_an_end", "_selected_action": [banked.pk]}
    assert staff.post(changelist, chosen).url == admin_url(banked)
    play_again(game)
    both = chosen | {"_selected_action": [sheet.pk for sheet in Sheet.objects.all()]}
    assertContains(staff.post(changelist, both, follow=True), "Choose one at a time.")
    assert staff.get(reverse("admin:sheets_sheet_reopen", args=[987_654])).status_code == 302


def test_only_who_may_reopen_sheets_does(game, banked):
    user = User.objects.create_user("reader@example.org", "secret", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_sheet"))
    client = Client()
    client.force_login(user)
    assertNotContains(client.get(reverse("admin:sheets_sheet_changelist")), "take_back_an_end")
    for method in (client.get, client.post):
        assert method(admin_url(banked)).status_code == 403
    assert Client().get(admin_url(banked)).status_code == 302
    assert not game.sheet.is_open
