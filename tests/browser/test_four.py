"""Four at the table, on two phones: whoever deals sits out, the fourth is off the sheet."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

FOUR = ("Alice", "Ben", "Cass", "Dana")
WITH_EVE = ("Alice", "Ben", "Eve", "Dana")


def start(phone):
    phone.page.goto("/tables/new/")
    phone.choose_four()
    phone.page.get_by_text("Change a rule").tap()
    phone.page.get_by_role("radio", name="The dealer", exact=True).tap()
    expect(phone.page.locator("#rules-said")).to_contain_text("the dealer sits out")
    phone.fill_in_seats(FOUR, dealer=0)
    phone.page.get_by_role("button", name="Start", exact=True).tap()
    expect(phone.page.locator(".pad .empty")).to_have_text(
        "Alice deals and sits out. The first hand goes here."
    )


def join(phone, other):
    phone.menu("Share")
    other.join(phone.page.locator(".code").inner_text(), "Ben")
    phone.back_to_sheet()


def expect_closed(phone, number, words):
    expect(phone.page.locator("#entry .closed")).to_have_text(f"Enter hand {number} {words}")


@pytest.mark.no_network
def test_an_evening_of_four_with_the_dealer_sitting_out_and_one_substitution(phone, new_phone):
    start(phone)
    other = new_phone()
    join(phone, other)

    # Whoever sits out is not offered; who sits on the dealer's right can be left with 250.
    phone.open_entry()
    expect(phone.group("Who bid?").get_by_role("radio")).to_have_count(3)
    expect(phone.chip("Who bid?", "Alice")).to_be_hidden()
    for name, offered in (("Ben", False), ("Dana", True)):
        phone.chip("Who bid?", name).tap()
        expect(phone.page.locator(".dealers")).to_be_visible(visible=offered)
    phone.fill_in_hand({"bidder": 1, "bid": 320, "trump": "hearts", "outcome": "made"}, FOUR)
    expect(phone.spelled_out).to_have_text(
        "Ben takes 21 from Alice, 1 from Cass. Dana pays Ben 1, off the sheet. 320 is in 250–330."
    )
    phone.save_button.tap()
    expect(phone.page.locator(".saved")).to_contain_text("Dana pays Ben 1, off the sheet")
    other.expect_rows([[0, 2, 0]])
    expect_closed(other, 2, "Ben deals and sits out")

    # Dana's own hand is a row of zeros.
    other.open_entry()
    dana = {"bidder": 3, "bid": 350, "trump": "clubs", "outcome": "set"}
    other.fill_in_hand(dana, FOUR)
    expect(other.spelled_out).to_contain_text("settled off the sheet")
    expect(other.spelled_out).to_contain_text("Dana pays 4 to each.")
    other.save_button.tap()
    phone.expect_rows([[0, 2, 0], [0, 0, 0]])
    expect(phone.page.locator(".line .also").first).to_have_text(
        "Ben sat out · settled off the sheet: Dana pays 4 to each"
    )

    # Eve sits down for Cass; the other phone hears of it and goes on without network.
    phone.menu("Names and seats")
    phone.page.get_by_role("link", name="Somebody leaves").tap()
    phone.chip("Who leaves?", "Cass").tap()
    phone.page.get_by_role("radio", name="Somebody sits down there").tap()
    phone.page.get_by_label("Who sits down there?").fill("Eve")
    phone.page.get_by_role("button", name="Save").tap()
    expect(phone.page.locator(".handover")).to_have_text(
        "Cass left with 0. Eve sits here from hand 3."
    )
    expect_closed(other, 3, "Eve deals and sits out")
    other.go_offline()
    other.queue_up({"bidder": 0, "bid": 400, "trump": "spades", "outcome": "made"}, WITH_EVE)
    expect_closed(other, 4, "Dana deals and sits out")
    other.open_entry()
    expect(other.chip("Who bid?", "Dana")).to_be_hidden()
    other.fill_in_hand({"bidder": 2, "bid": 300, "trump": "clubs", "outcome": "made"}, WITH_EVE)
    other.save_button.tap()
    expect(other.waiting).to_have_count(2)
    other.go_online()
    phone.expect_rows([[0, 2, 0], [0, 0, 0], [16, 0, 0], [0, 0, 2]])
    assert phone.totals() == [16, 2, 2]
    expect(phone.page.locator(".pad thead .name")).to_have_text(["Alice", "Ben", "Eve"])
    expect(phone.page.locator(".line .also").first).to_have_text(
        "Dana sat out · Dana pays Eve 1, off the sheet"
    )
