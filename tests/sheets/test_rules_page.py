"""House rules on the screen: at the start, on their own page, at Play again."""

from __future__ import annotations

import uuid

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from rules.auction import Fourth, HouseRules, Pot
from rules.cards import Counting
from sheets import actions
from sheets.models import Sheet, Table
from tests.sheets.posting import opened, rules_in_fields

pytestmark = pytest.mark.django_db
NEW = "/tables/new/"
HTMX = {"HX-Request": "true"}
USUAL = HouseRules()
PLAIN = HouseRules(spades_double=False)
ANY_TEN = HouseRules(minimum=340, forties_and_nineties=True)
POT = HouseRules(pot=Pot(ante=2, winning_bid=350))


def starts(**changed):
    """What Start a table posts, with the usual rules in its fields."""
    fields = {"key": str(uuid.uuid4()), "seen": "0", "time_zone": "Europe/Berlin"}
    fields |= {"name_0": "Alice", "name_1": "Ben", "name_2": "Cass"}
    fields |= {"first_dealer": "0", "this_phone": "0"}
    return fields | rules_in_fields(USUAL) | changed


def rules_of_new_table():
    return Sheet.objects.get().house_rules.value


def form_of(page):
    """The form on a page that holds rules, whichever page it is."""
    return page.context.get("change_form") or page.context["form"]


def in_form(page):
    return {field.name: field.value() for field in form_of(page).rules}


@pytest.fixture
def url(game):
    return game.url("rules/")


def sent(client, url, house, **changed):
    """The fields of the rules page with these rules in them."""
    page = client.get(url)
    form = page.context["change_form"]
    hidden = {field.name: str(field.value() or "") for field in form.hidden_fields()}
    return hidden | rules_in_fields(house) | changed


def again(page):
    """What a browser sends when the refused form is simply sent once more."""
    form = page.context["form"]
    fields = [*form, *getattr(form, "rules", ())]
    return {f.name: "" if f.value() is None else str(f.value()) for f in fields}


# Start a table.


def test_the_rules_are_one_line_and_folded(client):
    page = client.get(NEW)
    assertContains(page, "Auction Pinochle: opens at 300, no 40s or 90s, spades double")
    assertNotContains(page, '<details class="fold" open>')
    client.post(NEW, starts())
    assert rules_of_new_table() == USUAL


def test_other_rules_start_the_table(client):
    house = HouseRules(
        minimum=250,
        step=20,
        forties_and_nineties=True,
        dealer_bid=None,
        spades_double=False,
        counting=Counting.FIVES,
        roundhouse=390,
        stakes=((250, 1), (400, 5)),
        pot=Pot(ante=2, winning_bid=400),
    )
    # Six rows were there: those that are not wanted are emptied.
    emptied = {f"stake_{part}_{row}": "" for part in ("bid", "units") for row in range(2, 6)}
    assert client.post(NEW, starts() | rules_in_fields(house) | emptied).status_code == 303
    assert rules_of_new_table() == house


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_set_is_filled_in_and_nothing_typed_is_lost(client, headers):
    fields = starts(name_1="", name_2="Cassandra", first_dealer="2", preset="pot")
    page = client.post(NEW, fields, headers=headers)
    assertContains(page, "a pot: ante 1, won from 410")
    assertContains(page, 'value="Cassandra"')
    assertNotContains(page, "Type a name.")  # nobody has pressed Start
    assert (in_form(page)["pot"], in_form(page)["winning_bid"]) == ("on", 410)
    assert page.context["form"]["key"].value() == fields["key"]
    assertContains(page, 'class="typed"')
    assert not Table.objects.exists()


def test_looking_says_the_rules_in_words_before_they_are_saved(client):
    page = client.post(NEW, starts(minimum="350", look="yes"))
    assertContains(page, "opens at 350, no 40s or 90s")
    assertContains(page, 'name="minimum" value="350"')
    assert not Table.objects.exists()


def test_words_that_would_be_wrong_are_not_shown(client):
    page = client.post(NEW, starts(minimum="1000", look="yes"))
    assertContains(page, "House rules: see what is marked below.")
    assertNotContains(page, "opens at 300, no 40s or 90s, spades double</span>")


@pytest.mark.parametrize(
    ("changed", "field", "sentence"),
    [
        ({"minimum": "1000"}, "minimum", "Make the lowest bid a multiple of 10, up to 750."),
        ({"minimum": ""}, "minimum", "Make the lowest bid a multiple of 10, up to 750."),
        ({"minimum": "340"}, "minimum", "A bid can't end in 40 or 90 at this table"),
        ({"minimum": "lots"}, "minimum", "is not a number"),
        ({"step": "0"}, "step", "Make the step a multiple of 10"),
        ({"dealer_bid": "255"}, "dealer_bid", "Make the bid the dealer is left with"),
        ({"stake_units_2": "1"}, "stake_bid_2", "Let row 3 of the stakes pay no less"),
        ({"stake_bid_2": "350"}, "stake_bid_2", "Start row 3 of the stakes at a higher bid"),
        ({"stake_units_1": "0"}, "stake_bid_1", "Give row 2 of the stakes a bid"),
        ({"stake_units_1": ""}, "stake_bid_1", "Give row 2 of the stakes a bid"),
        ({"stake_bid_8": "600"}, "stake_bid_8", "Give row 9 of the stakes a bid"),
        ({"pot": "on", "ante": "0"}, "ante", "Make the ante a whole number"),
        ({"pot": "on", "winning_bid": "405"}, "winning_bid", "Make the lowest bid that takes"),
        ({"counting": "fours"}, "counting", "Choose one of these."),
        ({"spades_double": ""}, "spades_double", "Choose one of these."),
    ],
)
def test_bad_input_gets_one_sentence_at_its_field(client, changed, field, sentence):
    page = client.post(NEW, starts(**changed))
    assert page.status_code == 422
    form = page.context["form"]
    assert list(form.rules.errors) == [field]
    assert sentence in form.rules.errors[field][0]
    assertContains(page, "See what is marked in the house rules.", status_code=422)
    assert {name: in_form(page)[name] for name in changed} == changed
    assertContains(page, 'value="Cass"', status_code=422)
    assert not Table.objects.exists()


def test_what_does_not_count_is_not_told_off(client):
    assert client.post(NEW, starts(ante="none", winning_bid="-1")).status_code == 303
    assert rules_of_new_table() == USUAL


def test_rules_for_four_want_four_names(client):
    page = client.post(NEW, starts(fourth="off_sheet"))
    assertContains(page, "Type a name.", status_code=422)
    assertContains(page, "Choose who has no column.", status_code=422)


@pytest.mark.parametrize(
    ("query", "house"),
    [
        ("preset=simple", HouseRules(counting=Counting.TENS)),
        (
            "minimum=250&forties_and_nineties=True",
            HouseRules(minimum=250, forties_and_nineties=True),
        ),
        ("minimum=340&forties_and_nineties=on", HouseRules(minimum=340, forties_and_nineties=True)),
        ("dealer_bid=&spades_double=no", HouseRules(dealer_bid=None, spades_double=False)),
        ("pot=on", HouseRules(pot=Pot())),
        ("ante=2&winning_bid=350", POT),
        (
            "stakes=250:1,350:3&roundhouse=390",
            HouseRules(stakes=((250, 1), (350, 3)), roundhouse=390),
        ),
        ("fourth=column&sitter=dealer&counting=fives", None),
        ("minimum=1000&counting=tens&step=0", HouseRules(counting=Counting.TENS)),
        ("minimum=x&stakes=350:1,250&ante=0&preset=nothing&colour=red", HouseRules(pot=Pot())),
        ("counting=none&fourth=&pot=maybe&stakes=1:2:3", USUAL),
    ],
)
def test_an_address_fills_rules_in_and_what_it_asks_in_vain_is_left_out(client, query, house):
    page = client.get(f"{NEW}?{query}")
    assert page.status_code == 200
    found = page.context["form"].rules.house
    if house is None:
        assert (found.fourth, found.counting) == (Fourth.COLUMN, Counting.FIVES)
    else:
        assert found == house
        assert page.context["form"].rules.opens == (house != USUAL)


# The page.


def test_it_is_in_the_menu_and_says_the_rules(game, alice, url):
    assertContains(alice.get(game.url()), f'<a href="{url}">House rules</a>')
    page = alice.get(url)
    assertContains(page, "opens at 300, no 40s or 90s, spades double")
    cells = '<tr><th scope="row">350–380</th><td>2</td><td>4</td></tr>'
    assertContains(page, cells, html=True)
    assertContains(page, "never doubles")
    assertContains(page, f'<a href="{game.url("names/")}">Change it under Names and seats</a>')
    assertNotContains(page, 'name="fourth"')


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_with_no_hand_they_are_just_saved(game, alice, url, headers):
    fields = sent(alice, url, PLAIN)
    assert "reach" not in alice.get(url).context["change_form"].fields
    answer = alice.post(url, fields, headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, url)
    assert game.sheet.house_rules.value == PLAIN


def test_with_a_hand_it_is_asked_from_when_on(game, alice, url):
    game.enter()
    page = alice.post(url, sent(alice, url, PLAIN))
    assertContains(page, "Choose from when on these rules hold.", status_code=422)
    assertContains(page, "From hand 2 on", status_code=422)
    assert in_form(page)["spades_double"] == "off"
    assert game.sheet.house_rules.value == USUAL
    assert alice.post(url, sent(alice, url, PLAIN, reach="next")).status_code == 303
    assert game.sheet.house_rules.value == PLAIN


def test_the_whole_sheet_shows_what_changes_and_is_taken_back_on_the_page(game, alice, url):
    game.enter(game.played(1, 300))
    game.enter(game.played(1, 350, "spades"))
    house = HouseRules(minimum=350, spades_double=False)
    page = alice.post(url, sent(alice, url, house, reach="whole"))
    assertContains(page, "hand 1 stays as it is: The lowest bid here is 350.", status_code=409)
    assertContains(page, "hand 2: Ben 8 becomes 4", status_code=409)
    assert game.totals == [0, 10, 0]
    assert alice.post(url, again(page)).status_code == 303
    assert game.totals == [0, 6, 0]
    page = alice.get(url)
    assertContains(page, "Alice changed the house rules for the whole sheet: now opens at 350")
    form = page.context["back_form"]
    fields = {field.name: str(field.value() or "") for field in form}
    assert alice.post(game.url("rules/back/"), fields).status_code == 303
    assert game.totals == [0, 10, 0]
    assert "back_form" not in alice.get(url).context
    answer = alice.post(game.url("rules/back/"), fields | {"key": str(uuid.uuid4())})
    assertContains(answer, "There is nothing to take back any more.", status_code=409)


def test_taking_back_what_moves_more_than_was_shown_is_asked(game, alice, url):
    row = game.enter(game.played(1, 350, "spades"))
    page = alice.post(url, sent(alice, url, PLAIN, reach="whole"))
    alice.post(url, again(page))
    actions.edit_hand(game.write(), row.public_id, game.played(2, 400, "spades"))
    form = alice.get(url).context["back_form"]
    fields = {field.name: str(field.value() or "") for field in form}
    page = alice.post(game.url("rules/back/"), fields)
    assertContains(page, "hand 1: Cass 8 becomes 16", status_code=409)
    form = page.context["back_form"]
    fields = {field.name: str(field.value() or "") for field in form}
    assert alice.post(game.url("rules/back/"), fields).status_code == 303
    assert game.totals == [0, 0, 16]


def test_the_same_rules_are_said_to_be_the_same(game, alice, url):
    page = alice.post(url, sent(alice, url, USUAL))
    assertContains(page, "These are the house rules already", status_code=422)


def test_what_another_phone_changed_is_shown_and_nothing_typed_is_lost(game, alice, ben, url):
    fields = sent(alice, url, HouseRules(minimum=350))
    ben.post(url, sent(ben, url, PLAIN))
    page = alice.post(url, fields)
    assertContains(page, "Ben changed the house rules from hand 1 on", status_code=409)
    assert in_form(page)["minimum"] == "350"
    assert alice.post(url, again(page)).status_code == 303
    assert game.sheet.house_rules.value == HouseRules(minimum=350)


def test_a_tab_left_open_until_after_the_match_is_told_so(game, alice, url):
    game.enter()
    fields = sent(alice, url, PLAIN, reach="next")
    game.end()
    page = alice.post(url, fields)
    assertContains(page, "Alice ended this match at", status_code=409)
    assert in_form(page)["spades_double"] == "off"
    page = alice.get(url)
    assertContains(page, "Play again, by these rules or others")
    assertNotContains(page, "Save the rules")
    assert game.sheet.house_rules.value == USUAL


def test_a_set_is_filled_in_on_the_page_too(game, alice, url):
    assertNotContains(alice.get(url), "Four at the table</strong>")  # no rule to change here
    page = alice.post(url, sent(alice, url, USUAL, preset="standard"))
    assertContains(page, "These are the rules as they are.")
    page = alice.post(url, sent(alice, url, USUAL, preset="lower", reach="next"))
    assertContains(page, "opens at 250, 40s and 90s allowed")
    assert game.sheet.house_rules.value == USUAL


def test_a_hand_shows_and_is_changed_by_the_rules_it_was_settled_under(game, alice, url):
    row = game.enter(game.played(1, 350, "spades"))
    house = HouseRules(spades_double=False, stakes=((250, 1), (450, 7)))
    fields = sent(alice, url, house, reach="next")
    fields |= {f"stake_{part}_{n}": "" for part in ("bid", "units") for n in range(2, 6)}
    assert alice.post(url, fields).status_code == 303
    page = alice.get(game.url(f"hands/{row.public_id}/"))
    assertContains(page, "350 is in 350–380: 2 from each, doubled for spades: 4.")
    page = alice.get(game.url(f"hands/{row.public_id}/edit/"))
    assertContains(page, "spades ×2")
    assertNotContains(alice.get(game.url()), "spades ×2")


def test_entering_a_hand_by_rules_that_another_phone_has_changed_is_a_question(
    game, alice, ben, url
):
    fields = game.fields()
    ben.post(url, sent(ben, url, PLAIN))
    page = alice.post(game.url("hands/new/"), fields)
    assertContains(page, "Ben changed the house rules", status_code=409)


# Saved sets and Play again.


def keeps(client, game, name):
    form = client.get(game.url("rules/")).context["save_form"]
    fields = {field.name: str(field.value() or "") for field in form} | {"name": name}
    return client.post(game.url("rules/save/"), fields)


def test_rules_are_kept_under_a_name_and_forgotten(game, alice, url):
    long = "x" * 40
    assert keeps(alice, game, long).status_code == 303
    assertContains(alice.get(url), f"<strong>{long}</strong>")
    page = keeps(alice, game, long.upper())
    assertContains(page, "Another saved set has this name.", status_code=422)
    assertContains(page, f'value="{long.upper()}"', status_code=422)
    assertContains(keeps(alice, game, " "), "Type a name.", status_code=422)
    assertContains(keeps(alice, game, "x" * 41), "41 letters are too many", status_code=422)
    [(_one, form)] = alice.get(url).context["saved"]
    fields = {field.name: str(field.value() or "") for field in form}
    assert alice.post(game.url("rules/forget/"), fields).status_code == 303
    assertNotContains(alice.get(url), f"<strong>{long}</strong>")


def test_what_is_kept_can_be_used_again_tonight_and_another_evening(game, alice, url):
    alice.post(url, sent(alice, url, POT))
    keeps(alice, game, "Fridays")
    alice.post(url, sent(alice, url, USUAL))
    game.enter()
    game.end()
    fields = opened(alice, game.url("again/"))
    one = game.table.saved_rules.get()
    fields |= rules_in_fields(USUAL) | {"preset": f"saved-{one.pk}", "name_0": "Alicia"}
    page = alice.post(game.url("again/"), fields)
    assertContains(page, "a pot: ante 2, won from 350")
    assertContains(page, 'value="Alicia"')
    assert alice.post(game.url("again/"), again(page)).status_code == 303
    assert game.sheet.house_rules.value == POT
    assert game.sheet.pot == 6


def test_play_again_keeps_the_rules_as_they_were(game, alice, url):
    alice.post(url, sent(alice, url, POT))
    game.enter()
    game.end()
    assertContains(alice.get(game.url("again/")), "a pot: ante 2, won from 350")
    alice.post(game.url("again/"), opened(alice, game.url("again/")))
    assert game.sheet.house_rules.value == POT


def test_the_page_takes_few_queries(game, alice, url, at_most_queries):
    for _ in range(20):
        game.enter()
    keeps(alice, game, "Fridays")
    with at_most_queries(9):
        alice.get(url)
