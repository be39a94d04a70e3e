"""Play again: the same seats and who deals, filled in."""

from __future__ import annotations

import uuid

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import Person, Sheet
from tests.sheets.posting import opened

HTMX = {"HX-Request": "true"}


@pytest.fixture
def url(game):
    return game.url("again/")


@pytest.fixture
def banked(game):
    """Two hands, dealt by Alice and by Ben, then the end."""
    game.enter()
    game.enter()
    game.end()
    return game.sheet


def names_of(game):
    return [player.name for player in game.players]


def test_the_same_seats_and_the_next_dealer_are_filled_in(game, alice, url, banked):
    page = alice.get(url)
    assertContains(page, "<html")
    for name in ("Alice", "Ben", "Cass"):
        assertContains(page, f'value="{name}"')
    dealer = '<input type="radio" name="first_dealer" value="2" checked>'
    assertContains(page, dealer, html=True)
    assertNotContains(page, "This phone</th>")


def test_the_page_as_a_part(game, alice, url, banked):
    part = alice.get(url, headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_new_sheet_opens_with_the_same_people(game, alice, url, banked, headers):
    people = [player.person for player in game.players]
    answer = alice.post(url, opened(alice, url), headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, game.url())
    assert game.sheet.is_open
    assert game.sheet != banked
    assert [player.person for player in game.players] == people
    assert Person.objects.count() == 3
    assert game.totals == [0, 0, 0]
    page = alice.get(game.url(), headers=headers)
    assertContains(page, "Cass deals. The first hand goes here.")


def test_the_banked_sheet_stays_as_it_was(game, alice, url, banked):
    alice.post(url, opened(alice, url))
    assertContains(alice.get(banked.get_absolute_url()), "Ben wins with 4")


def test_history_says_who_plays_and_who_deals_first(game, alice, url, banked):
    alice.post(url, opened(alice, url) | {"first_dealer": "0"})
    _at, who, what = alice.get(game.url("history/")).context["events"][0]
    sentence = "started a new sheet: Alice, Ben and Cass. Alice deals first."
    assert (who, what) == ("Alice", sentence)


def test_a_name_is_matched_to_the_same_person_however_it_is_typed(game, alice, url, banked):
    people = {player.person.pk for player in game.players}
    fields = opened(alice, url) | {"name_0": "ＢＥＮ", "name_1": " cass ", "name_2": "alice"}
    alice.post(url, fields)
    assert {player.person.pk for player in game.players} == people
    assert names_of(game) == ["ＢＥＮ", "cass", "alice"]  # spelled as they are now


def test_somebody_new_may_sit_down(game, alice, url, banked):
    alice.post(url, opened(alice, url) | {"name_2": "Dan"})
    assert names_of(game) == ["Alice", "Ben", "Dan"]
    assert Person.objects.count() == 4
    game.enter()
    game.end()
    # Whoever comes back is the person of before.
    alice.post(url, opened(alice, url) | {"name_2": "Cass"})
    assert Person.objects.count() == 4


def test_a_person_renamed_on_a_sheet_that_was_discarded_is_the_same_person(
    game, alice, url, banked
):
    alice.post(url, opened(alice, url))
    names = {p.pk: {"Ben": "Benno"}.get(p.name, p.name) for p in game.players}
    actions.rename(game.write(), game.sheet.public_id, "", names)
    game.end()
    alice.post(url, opened(alice, url))
    assert Person.objects.count() == 3


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"name_1": ""}, "Type a name."),
        ({"name_1": "alice"}, "There is already a Alice here: add a letter to one of them."),
        ({"name_1": "x" * 41}, "41 letters are too many: 40 fit on the sheet."),
        ({"first_dealer": ""}, "Choose who deals first."),
        ({"key": ""}, "Part of this form was missing. Please send it once more."),
        ({"seen": ""}, "Part of this form was missing. Please send it once more."),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_is_kept(
    game, alice, url, banked, changed, sentence
):
    fields = opened(alice, url) | {"name_2": "Dan"} | changed
    page = alice.post(url, fields)
    assertContains(page, sentence, status_code=422)
    assertContains(page, "<html", status_code=422)
    assertContains(page, 'value="Dan"', status_code=422)
    assert Sheet.objects.count() == 1


def test_a_refused_start_as_a_part(game, alice, url, banked):
    part = alice.post(url, opened(alice, url) | {"name_1": ""}, headers=HTMX)
    assertContains(part, "Type a name.", status_code=422)
    assertNotContains(part, "<html", status_code=422)


def test_two_taps_open_one_sheet(game, alice, url, banked):
    fields = opened(alice, url)
    answers = [alice.post(url, fields) for _ in range(2)]
    assert [(a.status_code, a["Location"]) for a in answers] == [(303, game.url())] * 2
    assert Sheet.objects.count() == 2


def test_whoever_comes_second_is_led_to_the_open_sheet(game, alice, ben, url, banked):
    asked = opened(ben, url)
    alice.post(url, opened(alice, url))
    answer = ben.post(url, asked | {"name_2": "Dan"})
    assert (answer.status_code, answer["Location"]) == (303, game.url())
    assert Sheet.objects.count() == 2
    assert names_of(game) == ["Alice", "Ben", "Cass"]


def test_while_a_sheet_is_open_the_page_leads_to_it(game, alice, url):
    answer = alice.get(url)
    assert (answer.status_code, answer["Location"]) == (303, game.url())


def test_a_used_key_is_refused_and_starts_the_sheet_once_more(game, alice, url, banked):
    used = str(banked.rounds.first().public_id)
    page = alice.post(url, opened(alice, url) | {"key": used, "name_2": "Dan"})
    assertContains(page, "This form has saved that already.", status_code=422)
    assert page.context["form"]["name_2"].value() == "Dan"
    assert alice.post(url, page.context["form"].data).status_code == 303
    assert names_of(game) == ["Alice", "Ben", "Dan"]


def test_after_a_discarded_sheet_the_table_plays_on(game, alice, url):
    game.end()
    assertContains(alice.get(game.url()), "Play again")
    assert alice.post(url, opened(alice, url)).status_code == 303
    assertContains(alice.get(game.url()), "Alice deals. The first hand goes here.")


def test_the_result_is_shown_again_when_the_next_sheet_is_discarded(game, alice, url, banked):
    alice.post(url, opened(alice, url))
    game.end()
    assertContains(alice.get(game.url()), "Ben wins with 4")


def test_a_late_repeat_of_the_first_play_again_opens_no_third_sheet(game, alice, url, banked):
    fields = opened(alice, url)
    alice.post(url, fields)
    game.enter()
    game.end()
    answer = alice.post(url, fields)
    assert answer.status_code == 303
    assert Sheet.objects.count() == 2


def test_the_key_makes_one_sheet_even_from_an_older_page(game, alice, url, banked):
    fields = opened(alice, url) | {"seen": "0", "key": str(uuid.uuid4())}
    assert alice.post(url, fields).status_code == 303
