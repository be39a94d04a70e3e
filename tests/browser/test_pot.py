"""A pot that is won twice, and an edit that changes what its second winner took."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from rules.auction import HouseRules, Pot
from tests.browser.tables import Seeded

LOST = {"bidder": 2, "bid": 350, "trump": "hearts", "outcome": "set"}
WON = {"bidder": 1, "bid": 410, "trump": "hearts", "outcome": "made"}
PLAYED = [LOST, WON, LOST, WON]  # the pot holds 7 each time it is won


def expect_pot(phone, holds):
    expect(phone.page.locator(".pot strong")).to_have_text(str(holds))


@pytest.mark.refusals  # the edit that is asked about
def test_a_pot_won_twice_and_an_edit_that_moves_the_second_win(phone, context, base_url):
    table = Seeded(PLAYED[:3], house=HouseRules(pot=Pot(ante=1, winning_bid=410)))
    table.let_in(context, base_url)
    phone.page.goto(table.url())
    expect_pot(phone, 7)
    phone.open_entry()
    phone.fill_in_hand(LOST)
    spelled = phone.page.locator(".spelled")
    expect(spelled).to_contain_text("Alice and Ben take 4 each, and 4 to the pot")
    phone.fill_in_hand(WON)
    expect(spelled).to_contain_text("Ben takes 8, and the pot of 7")
    phone.enter(WON | {"hand": 4})
    expect(phone.page.locator(".saved")).to_contain_text("Ben takes 7 from the pot")
    expect_pot(phone, 3)
    phone.expect_rows([[4, 4, 0], [0, 15, 0], [4, 4, 0], [0, 15, 0]])

    phone.open_hand(3)
    phone.page.get_by_role("link", name="Change this hand").tap()
    phone.fill_in_hand({"trump": "spades"})
    phone.page.get_by_role("button", name="Save hand 3").tap()
    expect(phone.page.get_by_role("alert")).to_contain_text("hand 4: Ben 15 becomes 19")
    phone.page.get_by_role("button", name="Yes, change these hands too").tap()
    expect(phone.page.get_by_role("heading", name="What happened to it")).to_be_visible()
    phone.back_to_sheet()
    phone.expect_rows([[4, 4, 0], [0, 15, 0], [8, 8, 0], [0, 19, 0]])


@pytest.mark.refusals
@pytest.mark.no_network
def test_a_take_back_that_waited_is_decided_about_and_a_correction_goes_the_same_way(
    phone, context, base_url
):
    table = Seeded(PLAYED, house=HouseRules(pot=Pot(ante=1, winning_bid=410)))
    table.let_in(context, base_url)
    phone.page.goto(table.url())
    expect(phone.state).to_have_text("live")
    phone.go_offline()
    phone.page.locator(".line a").last.tap()
    phone.page.get_by_role("dialog").get_by_role("button", name="Take it back").tap()
    expect(phone.waiting).to_have_count(1)
    phone.go_online()
    yes = phone.page.get_by_role("button", name="Yes, change these hands too")
    decide = phone.page.get_by_role("button", name="Decide")
    expect(decide.or_(yes).first).to_be_visible()
    if not yes.is_visible():
        expect(phone.waiting).to_contain_text("hand 2: Ben 15 becomes 11")
        decide.tap()
    yes.tap()
    phone.expect_rows([[0, 11, 0], [4, 4, 0], [0, 15, 0]])
    expect(phone.waiting).to_have_count(0)

    phone.menu("Correction")
    phone.page.get_by_label("What is it for?").fill("A penalty")
    phone.page.get_by_label("Cass").fill("2")
    phone.page.get_by_role("button", name="Save as hand 4").tap()
    expect(phone.page.locator(".saved")).to_contain_text("Hand 4 is saved.")
    phone.expect_rows([[0, 11, 0], [4, 4, 0], [0, 15, 0], [0, 0, 2]])
