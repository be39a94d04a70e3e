"""A rule changed for the whole sheet by tapping, and taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.tables import Seeded

HANDS = (
    {"bidder": 1, "bid": 350, "trump": "spades", "outcome": "made"},
    {"bidder": 2, "bid": 300, "trump": "hearts", "outcome": "made"},
)


@pytest.mark.refusals
def test_a_rule_is_changed_for_the_whole_sheet_and_taken_back(phone, context, base_url):
    table = Seeded(HANDS)
    table.let_in(context, base_url)
    page = phone.page
    page.goto(table.url("rules/"))
    page.get_by_text("Change a rule").tap()
    page.get_by_role("group", name="Spades").get_by_label("Don't double").check()
    # The words follow what is tapped before anything is saved.
    expect(page.locator("#rules-said")).to_contain_text("spades don't double")
    page.get_by_role("group", name="From when on?").get_by_label("The whole sheet").check()
    page.get_by_role("button", name="Save the rules").tap()
    expect(page.get_by_role("alert")).to_contain_text("hand 1: Ben 8 becomes 4")
    page.get_by_role("button", name="Yes, save it").tap()
    expect(page.locator(".said")).to_contain_text("spades don't double")
    page.goto(table.url())
    phone.expect_rows([[0, 4, 0], [0, 0, 2]])
    page.goto(table.url("rules/"))
    page.get_by_role("button", name="Take back").tap()
    expect(page.locator(".said")).to_contain_text("spades double")
    page.goto(table.url())
    phone.expect_rows([[0, 8, 0], [0, 0, 2]])


def test_a_set_that_is_picked_loses_nothing_typed_and_starts_the_table(phone, base_url):
    page = phone.page
    page.goto("/tables/new/")
    phone.fill_in_seats(["Alice", "Ben", "Cass"], dealer=1)
    page.locator(".fold > summary").first.tap()
    page.get_by_role("button", name="Playing for a pot").tap()
    expect(page.locator("#rules-said")).to_contain_text("a pot: ante 1, won from 410")
    expect(page.get_by_label("Player 3", exact=True)).to_have_value("Cass")
    # A draft that comes back brings its rules along, and the words say so.
    page.get_by_text("Change a rule").tap()
    page.get_by_label("Lowest bid", exact=True).fill("350")
    page.reload()
    expect(page.get_by_label("Player 3", exact=True)).to_have_value("Cass")
    expect(page.locator("#rules-said")).to_contain_text("opens at 350")
    expect(page.locator("#rules-said")).to_contain_text("a pot: ante 1")
    # Enter in a field is Start, not the first set.
    page.get_by_label("Player 3", exact=True).press("Enter")
    expect(page.locator(".pad .empty")).to_have_text(
        "Ben deals. The first hand goes here. Everybody puts 1 in the pot: 3."
    )
