"""Settle up: who owes whom, the fewest payments, and what a unit is worth in money."""

from __future__ import annotations

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from rules import auction
from sheets import actions, money
from sheets.actions import opening
from sheets.models import Change, Person, Player, Round, RoundKind, Sheet
from tests.sheets.conftest import client_of
from tests.sheets.posting import opened

HTMX = {"HX-Request": "true"}
GERMAN = {"Accept-Language": "de-DE,de;q=0.9,en;q=0.5"}


@pytest.fixture
def url(game):
    return game.url(f"{game.sheet.public_id}/settle/")


def rows(page, which):
    """What a table of the page says, line by line."""
    return [(one.says, one.units, one.money) for one in page.context[which]]


@pytest.fixture
def evening(game):
    """Ben makes 350, is set at 320, and Cass takes 320 in spades."""
    game.enter(game.played(bid=350))
    game.enter(game.played(outcome="set"))
    game.enter(game.played(bidder=2, trump="spades"))
    return game


# Units.


def test_the_fewest_payments_the_net_and_every_pair(evening, alice, url):
    page = alice.get(url)
    assert rows(page, "to_settle") == [("Alice pays Cass", "2", ""), ("Ben pays Cass", "2", "")]
    assert rows(page, "nets") == [("Alice", "−2", ""), ("Ben", "−2", ""), ("Cass", "+4", "")]
    assert rows(page, "pairs") == [
        ("Alice and Ben are even", "0", ""),
        ("Alice owes Cass", "2", ""),
        ("Ben owes Cass", "2", ""),
    ]
    assert evening.totals == [2, 4, 6]  # the columns stay what was taken in
    assertContains(page, "<li><span>Cass</span> <strong>+4</strong></li>", html=True)


def test_the_page_comes_as_a_part_too(evening, alice, url):
    part = alice.get(url, headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


def test_before_the_first_hand_nobody_owes_anything(game, alice, url):
    page = alice.get(url)
    assertContains(page, "Nobody owes anybody anything.")
    assert [units for _says, units, _money in rows(page, "nets")] == ["0", "0", "0"]


def test_a_hand_taken_back_is_owed_by_nobody(game, alice, url):
    actions.take_back(game.write(), game.enter().public_id)
    assert rows(alice.get(url), "to_settle") == []


def test_typed_rows_count_where_their_numbers_tell_who_paid(game, alice, url):
    game.enter(game.typed(4, 0, 4))
    game.enter(game.passed())
    page = alice.get(url)
    assert rows(page, "to_settle") == [("Ben pays Alice", "4", ""), ("Ben pays Cass", "4", "")]
    assert page.context["left_out"] == []


def test_a_row_without_payers_is_left_out_by_name(game, alice, url):
    for _ in range(4):
        game.enter()
    game.enter(game.typed(3, 0, 0))
    game.enter(game.typed(0, 0, 0))
    page = alice.get(url)
    assertContains(page, "Hand 5 was typed 3/0/0: settle it yourselves.")
    assert len(page.context["left_out"]) == 1
    assert rows(page, "to_settle") == [("Alice pays Ben", "4", ""), ("Cass pays Ben", "4", "")]


def test_a_half_hand_is_left_out_until_it_is_whole(game, alice, url):
    actions.change_settings(game.write(), True, False)
    actions.enter_number(game.write(), game.sheet.public_id, game.players[1].pk, 4)
    page = alice.get(url)
    sentence = "Hand 1 (?/4/?) waits for Alice and Cass: it is left out until it is whole."
    assert page.context["left_out"] == [sentence]
    assert rows(page, "to_settle") == []


def test_the_result_page_says_how_to_settle_and_draws_the_chart(evening, alice, url):
    evening.enter(evening.typed(3, 0, 0))
    evening.end()
    page = alice.get(evening.url())
    assert rows(page, "to_settle") == [("Alice pays Cass", "2", ""), ("Ben pays Cass", "2", "")]
    assertContains(page, "Hand 4 was typed 3/0/0: settle it yourselves.")
    assertContains(page, 'aria-label="Totals after 4 hands: Cass 6, Alice 5, Ben 4"')
    for there in (url, url.replace("settle", "chart"), evening.url("share/")):
        assertContains(page, f'href="{there}"')
    part = alice.get(evening.url(), headers=HTMX | {"HX-Target": "sheet"})
    assertContains(part, "Alice pays Cass")


def test_a_discarded_sheet_has_nothing_to_settle(game, alice):
    game.end()
    page = alice.get(game.url())
    assertNotContains(page, "To settle up")
    assertNotContains(page, "<polyline")


def test_the_menu_leads_to_it(game, alice, url):
    assertContains(alice.get(game.url()), f'<a href="{url}">Settle up</a>')


def test_a_long_sheet_takes_no_more_queries(game, alice, url, at_most_queries):
    for _ in range(9):
        game.enter()
    with at_most_queries(7):
        alice.get(url)


# Four at the table, the pot, corrections, somebody who left.


@pytest.fixture
def with_rules(new_game):
    """Start a table with other rules; returns the browser of Alice's phone too."""

    def start(**rules):
        house = auction.HouseRules(**rules)
        names = ("Alice", "Ben", "Cass", "Dana")[: auction.seats(house)]
        off_sheet = 3 if house.fourth is auction.Fourth.OFF_SHEET else None
        game, secret, _ben = new_game(names, house=house, off_sheet=off_sheet)
        return game, client_of(secret)

    return start


def settled(client, game):
    return client.get(game.url(f"{game.sheet.public_id}/settle/"))


def net(page):
    return {says: units for says, units, _money in rows(page, "nets")}


def test_a_fourth_without_a_column_pays_and_is_paid_like_the_others(with_rules):
    four, alice = with_rules(fourth=auction.Fourth.OFF_SHEET)
    four.enter(four.played(bid=350))
    four.enter(four.played(bidder=3, outcome="set"))
    page = settled(alice, four)
    assert net(page) == {"Alice": "0", "Ben": "+8", "Cass": "0", "Dana, off the sheet": "−8"}
    assert rows(page, "to_settle") == [("Dana pays Ben", "8", "")]
    assert four.totals == [0, 4, 0, 0]
    assert len(rows(page, "pairs")) == 6


def test_a_fourth_with_a_column_is_one_of_them(with_rules):
    four, alice = with_rules(fourth=auction.Fourth.COLUMN)
    four.enter(four.played(bidder=3, dealer=1))
    assert net(settled(alice, four)) == {"Alice": "−1", "Ben": "−1", "Cass": "−1", "Dana": "+3"}


def test_the_pot_is_owed_what_is_in_it(with_rules):
    three, alice = with_rules(pot=auction.Pot(ante=1, winning_bid=410))
    page = settled(alice, three)
    assert net(page) == {"Alice": "−1", "Ben": "−1", "Cass": "−1", "The pot": "+3"}
    assert rows(page, "to_settle")[0] == ("Alice pays the pot", "1", "")
    three.enter(three.played(outcome="set"))
    three.enter(three.played(bidder=2, bid=410))
    page = settled(alice, three)
    # Cass took the pot of 5, and everybody put 1 back in.
    assert net(page) == {"Alice": "−4", "Ben": "−12", "Cass": "+13", "The pot": "+3"}
    assert three.sheet.pot == 3
    assert ("Alice owes the pot", "2", "") in rows(page, "pairs")
    assert ("The pot owes Cass", "3", "") in rows(page, "pairs")


def test_a_fourth_off_the_sheet_plays_for_the_pot_too(with_rules):
    four, alice = with_rules(fourth=auction.Fourth.OFF_SHEET, pot=auction.Pot(winning_bid=350))
    four.enter(four.played(bidder=3, bid=350, dealer=1))
    assert net(settled(alice, four)) == {
        "Alice": "−4",
        "Ben": "−4",
        "Cass": "−4",
        "Dana, off the sheet": "+8",
        "The pot": "+4",
    }


def test_a_correction_is_left_out_by_name(game, alice, url):
    units = {player.pk: n for player, n in zip(game.players, (3, 0, 0), strict=True)}
    kind, reason = RoundKind.CORRECTION, "an old slip"
    game.enter(actions.EnteredHand(kind=kind, units=units, reason=reason))
    page = alice.get(url)
    sentence = "Hand 1 corrects by 3/0/0 (an old slip): settle it yourselves."
    assert page.context["left_out"] == [sentence]
    assert rows(page, "to_settle") == []


@pytest.fixture
def relieved(game):
    """Dana has taken Ben's place after two hands."""
    game.enter()
    last = game.enter()
    ben = game.players[1]
    ben.until = last
    ben.save()
    person = Person.objects.create(table=game.table, name="Dana")
    Player.objects.create(
        sheet=game.sheet, person=person, place=1, name="Dana", name_key="dana", since=last
    )
    players = list(game.sheet.players.all())
    game.enter(
        actions.EnteredHand(
            kind=RoundKind.PLAYED, bidder=players[2].pk, bid=350, trump="clubs", outcome="set"
        )
    )
    return game


def test_whoever_left_and_whoever_came_settle_for_themselves(relieved, alice, url):
    page = alice.get(url)
    assert net(page) == {"Alice": "+2", "Ben": "+4", "Dana": "−8", "Cass": "+2"}


def test_whoever_left_and_whoever_came_have_lines_of_their_own(relieved, alice, url):
    page = alice.get(url.replace("settle", "chart"))
    assert [one.name for one in page.context["series"]] == ["Alice", "Ben", "Dana", "Cass"]
    assert page.context["figures"] == [
        ("1", ["0", "2", "", "0"]),
        ("2", ["0", "4", "", "0"]),
        ("3", ["4", "", "0", "4"]),
    ]


def test_hands_under_older_rules_take_no_more_queries(game, alice, url, at_most_queries):
    for minimum in (200, 210, 220, 230, 250):
        row = game.enter()
        house = opening.stored_rules("auction", auction.HouseRules(minimum=minimum))
        Round.objects.filter(pk=row.pk).update(house_rules=house)
    with at_most_queries(8):
        page = alice.get(url)
    assert net(page)["Ben"] == "+10"


# What a unit is worth.


def value(game):
    sheet = Sheet.objects.get(pk=game.sheet.pk)
    return sheet.unit_cents, sheet.currency


def filled(client, url, amount="0.50", currency="EUR"):
    return opened(client, url) | {"amount": amount, "currency": currency}


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_unit_is_given_a_value(evening, alice, url, headers):
    assert alice.post(url, filled(alice, url), headers=headers).status_code == 303
    assert value(evening) == (50, "EUR")
    page = alice.get(url)
    assert rows(page, "to_settle") == [
        ("Alice pays Cass", "2", "€1.00"),
        ("Ben pays Cass", "2", "€1.00"),
    ]
    assert rows(page, "nets")[2] == ("Cass", "+4", "+€2.00")
    assert rows(page, "nets")[0] == ("Alice", "−2", "−€1.00")
    assertContains(page, "A unit is worth €0.50")


def test_amounts_are_written_as_the_reader_writes_them(evening, alice, ben, url):
    alice.post(url, filled(alice, url))
    page = ben.get(url, headers=GERMAN)
    assert rows(page, "nets")[2] == ("Cass", "+4", "+2,00\N{NO-BREAK SPACE}€")
    assert page.context["form"]["amount"].value() == "0,50"


@pytest.mark.parametrize(
    ("typed", "currency", "cents"),
    [
        ("0,50", "EUR", 50),
        (" 2 ", "EUR", 200),
        ("2.", "EUR", 200),
        ("0.5", "EUR", 50),
        ("٠٫٥", "EUR", 50),
        ("10", "JPY", 10),
        ("0.025", "KWD", 25),
        ("100000", "USD", 10_000_000),
    ],
)
def test_amounts_are_read_as_people_type_them(game, alice, url, typed, currency, cents):
    assert alice.post(url, filled(alice, url, typed, currency)).status_code == 303
    assert value(game) == (cents, currency)


@pytest.mark.parametrize(
    ("typed", "currency", "sentence"),
    [
        ("0.505", "EUR", "Type an amount like 50.00."),
        ("0.5", "JPY", "Type an amount like 50."),
        ("much", "EUR", "Type an amount like 50.00."),
        ("-1", "EUR", "Type an amount like 50.00."),
        ("1e3", "EUR", "Type an amount like 50.00."),
        ("9" * 13, "EUR", "Type an amount like 50.00."),
        ("0", "EUR", "leave this empty instead"),
        ("100000.01", "EUR", "€100,000.00 a unit is the most."),
        ("1", "", "Choose a currency."),
        ("1", "XXX", "Choose a currency from the list."),
    ],
)
def test_an_amount_that_is_none_is_said_so_and_kept(game, alice, url, typed, currency, sentence):
    page = alice.post(url, filled(alice, url, typed, currency))
    assertContains(page, sentence, status_code=422)
    assert page.context["form"]["amount"].value() == typed
    assert value(game) == (None, "")


def test_without_an_amount_nothing_is_counted_in_money_any_more(evening, alice, url):
    alice.post(url, filled(alice, url))
    alice.post(url, filled(alice, url, amount=""))
    assert value(evening) == (None, "")
    assert rows(alice.get(url), "to_settle")[0] == ("Alice pays Cass", "2", "")


def test_a_banked_sheet_may_be_given_a_value_by_any_member(evening, ben, url):
    evening.end()
    before = evening.totals
    assert ben.post(url, filled(ben, url)).status_code == 303
    assert (value(evening), evening.totals) == ((50, "EUR"), before)
    assertContains(ben.get(evening.url()), "€1.00")


def test_the_next_sheet_begins_with_the_value_of_the_last_and_each_keeps_its_own(
    evening, alice, url
):
    alice.post(url, filled(alice, url))
    evening.end()
    actions.play_again(evening.write(), ["Alice", "Ben", "Cass"], 0)
    assert value(evening) == (50, "EUR")
    actions.set_unit_value(evening.write(), evening.sheet.public_id, None, "")
    assert value(evening) == (None, "")
    assertContains(alice.get(url), "A unit is worth €0.50")


@pytest.mark.parametrize(
    ("language", "currency"),
    [("de-AT,de;q=0.9", "EUR"), ("de", "EUR"), ("en-GB", "GBP"), ("en", "USD"), ("ja", "JPY")],
)
def test_the_currency_of_the_browsers_country_is_offered(game, alice, url, language, currency):
    page = alice.get(url, headers={"Accept-Language": language})
    assert page.context["form"]["currency"].value() == currency


@pytest.mark.parametrize("language", ["", "*", "xx", "es-419", "x" * 900, "de_;q=2,\x00"])
def test_a_language_that_says_nothing_of_a_country_offers_some_currency(game, alice, url, language):
    page = alice.get(url, headers={"Accept-Language": language})
    assert page.context["form"]["currency"].value() in dict(money.currencies(money.locale_of("")))


def test_a_currency_that_went_out_of_use_stays_chosen(game, alice, url):
    Sheet.objects.update(unit_cents=50, currency="DEM")
    assert alice.post(url, opened(alice, url)).status_code == 303
    assert value(game) == (50, "DEM")


def test_two_phones_at_once_are_not_both_right(game, alice, ben, url):
    mine, theirs = filled(alice, url), filled(ben, url, amount="1")
    ben.post(url, theirs)
    page = alice.post(url, mine)
    assertContains(page, "Ben said what a unit is worth: €1.00", status_code=409)
    assertContains(page, "Somebody else was quicker", status_code=409)
    assert value(game) == (100, "EUR")
    again = {field.name: field.value() for field in page.context["form"]}
    assert again["amount"] == "0.50"
    assert alice.post(url, again).status_code == 303
    assert value(game) == (50, "EUR")


def test_sent_twice_it_is_set_once(game, alice, url):
    fields = filled(alice, url)
    assert alice.post(url, fields).status_code == alice.post(url, fields).status_code == 303
    assert Change.objects.filter(kind="value_set").count() == 1


def test_history_says_what_a_unit_is_worth(game, alice):
    sheet = game.sheet.public_id
    for amount, currency in ((50, "EUR"), (100, "USD"), (None, "USD"), (None, "")):
        actions.set_unit_value(game.write(), sheet, amount, currency)
    events = alice.get(game.url("history/")).context["events"]
    assert [what for _at, _who, what in reversed(events)][-4:] == [
        "said what a unit is worth: €0.50",
        "changed what a unit is worth from €0.50 to $1.00",
        "said that units are not counted in money",
        "said that units are not counted in money",
    ]
