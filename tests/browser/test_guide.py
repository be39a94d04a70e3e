"""The counting aids under a thumb: a board that follows every tap, and its way into a hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.tables import Seeded

DATA = Path(__file__).parents[1] / "data/checked_hands.json"
HANDS = json.loads(DATA.read_text())["hands"][::6][:10]
MELDS = "/guide/auction-pinochle/melds/"
# Tap every card until the board shows the hand: none, one and two come round.
TAP = """(wanted) => {
  for (const cell of document.querySelectorAll(".board button"))
    while (Number(cell.dataset.n) !== (wanted[cell.value] ?? 0)) cell.click();
}"""


def test_the_board_counts_what_was_counted_by_hand(phone):
    page = phone.page
    page.goto(MELDS)
    assert len(HANDS) == 10
    for hand in HANDS:
        page.evaluate(TAP, Counter(hand["cards"].split()))
        phone.chip("Trump", hand["trump"]).tap()
        expect(page.locator(".sum")).to_have_text(
            f"{hand['total']} with {hand['trump']} as trumps 15 cards"
        )
        expect(page.locator(".counted table").first.locator("th")).to_have_text(
            hand["melds"] or ["♠ spades", "♥ hearts", "♦ diamonds", "♣ clubs"]
        )
    # What was tapped stands in the address.
    page.reload()
    expect(page.locator(".sum strong")).to_have_text(str(HANDS[-1]["total"]))


def test_a_half_typed_hand_takes_the_count_over_and_is_left_alone(phone, context, base_url):
    table = Seeded()
    table.let_in(context, base_url)
    page = phone.page
    page.goto(table.url())
    phone.open_entry()
    phone.fill_in_hand({"by": "count", "bidder": 1, "bid": 320, "trump": "hearts"})
    key = page.locator("form.hand [name=key]").input_value()
    page.get_by_role("link", name="Count the melds").tap()
    aid = page.get_by_role("dialog", name="Count the melds")
    for card in ("KH", "QH", "AH", "AS", "AD", "AC", "QS", "JD"):
        aid.locator(f"[value={card}]").tap()
    expect(aid.locator(".sum")).to_have_text("180 with hearts as trumps 8 cards")
    aid.get_by_role("button", name="Use 180").tap()
    expect(aid).to_be_hidden()
    expect(page.get_by_label("Melds")).to_have_value("180")

    page.get_by_role("link", name="Count the tricks").tap()
    aid = page.get_by_role("dialog", name="Count the tricks")
    for asks, taken in (("Aces", 6), ("Tens", 5), ("Kings", 6)):
        phone.chip(asks, taken).tap()
    aid.get_by_label("the bidder").tap()
    aid.get_by_role("button", name="Use 150").tap()
    expect(page.get_by_label("Tricks, with")).to_have_value("150")

    page.get_by_role("radio", name="By result").tap()
    page.get_by_role("link", name="Play or throw in?").tap()
    aid = page.get_by_role("dialog", name="Play or throw in?")
    expect(aid.get_by_label("Bid")).to_have_value("320")
    expect(aid.locator(".counted")).to_contain_text("1/3 (33 %)")
    aid.get_by_role("button", name="Close").tap()

    # An aid that is opened once more goes on with what was tapped.
    page.get_by_role("radio", name="Count it").tap()
    page.get_by_role("link", name="Count the tricks").tap()
    aid = page.get_by_role("dialog", name="Count the tricks")
    expect(aid.locator(".sum strong")).to_have_text("150")
    page.keyboard.press("Escape")

    # The same form, the same key, where it was; a reload brings all of it back.
    assert page.locator("form.hand [name=key]").input_value() == key
    expect(page.locator(".began")).to_be_hidden()
    page.reload()
    expect(page.get_by_label("Melds")).to_have_value("180")
    phone.save_button.tap()
    expect(page.locator(".saved")).to_contain_text("Hand 1 is saved.")
    phone.expect_rows([[0, 2, 0]])


@pytest.mark.no_network
def test_without_network_an_aid_says_so_and_the_hand_stays(phone, context, base_url):
    table = Seeded()
    table.let_in(context, base_url)
    page = phone.page
    page.goto(table.url())
    phone.open_entry()
    phone.fill_in_hand({"by": "count", "bidder": 1, "bid": 320, "trump": "hearts"})
    phone.go_offline()
    page.get_by_role("link", name="Count the melds").tap()
    expect(page.get_by_role("dialog")).to_contain_text("Counting needs network.")
    page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    expect(phone.chip("Bid", 320)).to_be_checked()
