"""The table's settings: own columns and confirming."""

from __future__ import annotations

import pytest
from pytest_django.asserts import assertContains

from sheets import actions
from sheets.models import Member, Table
from tests.sheets.posting import opened

HTMX = {"HX-Request": "true"}


@pytest.fixture
def url(game):
    return game.url("settings/")


def switches(game):
    table = Table.objects.get(pk=game.table.pk)
    return table.own_columns, table.confirm


def test_both_are_off_by_default_and_in_the_menu(game, alice, url):
    assertContains(alice.get(game.url()), f'<a href="{url}">Settings</a>')
    fields = opened(alice, url)
    assert (fields["own_columns"], fields["confirm"]) == ("off", "off")
    assert switches(game) == (False, False)


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(("own", "confirm"), [("on", "off"), ("off", "on"), ("on", "on")])
def test_they_are_switched_on_and_off_again(game, alice, url, headers, own, confirm):
    fields = opened(alice, url) | {"own_columns": own, "confirm": confirm}
    answer = alice.post(url, fields, headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, game.url())
    assert switches(game) == (own == "on", confirm == "on")
    # The same form once more changes nothing; a new one switches them off again.
    assert alice.post(url, fields).status_code == 303
    fields = opened(alice, url)
    assert (fields["own_columns"], fields["confirm"]) == (own, confirm)
    alice.post(url, fields | {"own_columns": "off", "confirm": "off"})
    assert switches(game) == (False, False)


def test_settings_that_another_phone_changed_are_a_question(game, alice, url):
    fields = opened(alice, url) | {"confirm": "on"}
    actions.change_settings(game.write(game.ben), True, False)
    page = alice.post(url, fields)
    assertContains(page, "Ben switched own columns on", status_code=409)
    assert page.context["form"]["confirm"].value() == "on"
    assert switches(game) == (True, False)
    again = {field.name: str(field.value()) for field in page.context["form"]}
    assert alice.post(url, again).status_code == 303
    assert switches(game) == (False, True)


def test_ones_own_change_in_another_tab_is_no_question(game, alice, url):
    fields = opened(alice, url) | {"confirm": "on"}
    actions.change_settings(game.write(), True, False)
    assert alice.post(url, fields).status_code == 303


@pytest.mark.parametrize("removed", [False, True])
def test_a_table_with_one_phone_is_told_why_it_cannot_confirm(game, alice, url, removed):
    ben = Member.objects.filter(phone=game.ben)
    if removed:
        ben.update(removed_at=ben.get().joined_at)
    else:
        game.table.changes.filter(member__phone=game.ben).delete()
        ben.delete()
    page = alice.post(url, opened(alice, url) | {"own_columns": "on", "confirm": "on"})
    assertContains(page, "This is the only phone at the table", status_code=422)
    assertContains(page, "Let a second phone join", status_code=422)
    assert page.context["form"]["own_columns"].value() == "on"
    assert switches(game) == (False, False)
    assert alice.post(url, opened(alice, url) | {"own_columns": "on"}).status_code == 303


def test_confirming_that_is_on_stays_on_though_one_phone_is_left(game, alice, url):
    actions.change_settings(game.write(), False, True)
    ben = Member.objects.filter(phone=game.ben)
    ben.update(removed_at=ben.get().joined_at)
    assert alice.post(url, opened(alice, url) | {"own_columns": "on"}).status_code == 303
    assert switches(game) == (True, True)


@pytest.mark.parametrize("lost", ["own_columns", "confirm"])
def test_a_switch_that_got_lost_is_not_off(game, alice, url, lost):
    actions.change_settings(game.write(), True, True)
    fields = opened(alice, url)
    del fields[lost]
    assertContains(alice.post(url, fields), "Choose on or off.", status_code=422)
    assert switches(game) == (True, True)


def test_settings_hold_for_the_table_between_sheets_too(game, alice, url):
    game.enter()
    game.end()
    assert alice.post(url, opened(alice, url) | {"own_columns": "on"}).status_code == 303
    assert switches(game) == (True, False)


@pytest.mark.parametrize(
    ("own", "confirm", "said"),
    [
        (True, True, "Alice switched own columns on and switched confirming on"),
        (True, False, "Alice switched own columns on"),
        (False, False, "Alice left the settings as they were"),
    ],
)
def test_history_says_what_was_switched(game, alice, own, confirm, said):
    actions.change_settings(game.write(), own, confirm)
    _at, who, what = alice.get(game.url("history/")).context["events"][0]
    assert f"{who} {what}" == said
