"""Away from the sheet and back: it is current, it is live, and nothing is saved twice."""

from __future__ import annotations

from playwright.sync_api import expect

from sheets.models import Sheet
from tests.browser.hands import BEN, BEN_ROW, CASS
from tests.browser.phone import Phone
from tests.browser.tables import Seeded

HALF = {name: CASS[name] for name in ("bidder", "bid")}


def test_back_shows_the_kept_page_with_what_happened_meanwhile(whole_context, base_url):
    table = Seeded()
    table.let_in(whole_context, base_url)
    returning = Phone(whole_context.new_page())
    returning.page.goto(table.url())
    expect(returning.state).to_have_text("live")
    returning.open_entry()
    returning.fill_in_hand(HALF)
    returning.page.evaluate(
        """() => addEventListener("pageshow", ({ persisted }) => { window.kept = persisted; })"""
    )
    returning.menu("History")
    expect(returning.page.get_by_role("heading", name="History")).to_be_visible()
    other = table.other_phone()
    table.enter(BEN, phone=other)
    returning.page.evaluate("history.back()")
    returning.page.wait_for_url(f"**{table.url()}", wait_until="commit")
    assert returning.page.evaluate("window.kept") is True
    returning.expect_rows([BEN_ROW])
    expect(returning.chip("Who bid?", "Cass")).to_be_checked()
    expect(returning.chip("Bid", 400)).to_be_checked()
    expect(returning.state).to_have_text("live")
    table.enter(CASS, phone=other)
    expect(returning.page.locator(".pad .total")).to_have_text(["16", "18", "0"])
    assert Sheet.objects.count() == 1


def test_back_and_forward_after_saving_saves_nothing_again(phone, context, base_url):
    table = Seeded()
    table.let_in(context, base_url)
    phone.page.goto("/")
    phone.page.goto(table.url())
    phone.enter(BEN | {"hand": 1})
    phone.page.go_back()
    expect(phone.page.get_by_role("heading", name="My tables")).to_be_visible()
    phone.page.go_forward()
    expect(phone.page.locator(".saved")).to_contain_text("Hand 1 is saved.")
    phone.expect_rows([BEN_ROW])
    phone.open_entry()
    expect(phone.page.locator("form.hand :checked:not([name=by])")).to_have_count(0)


def test_back_and_save_again_is_answered_with_the_hand_that_was_saved(
    whole_browser, browser_context_args, base_url
):
    table = Seeded()
    options = browser_context_args | {"java_script_enabled": False}
    with whole_browser.new_context(**options) as context:
        phone = Phone(context.new_page())
        table.let_in(context, base_url)
        phone.page.goto(table.url("hands/new/"))
        phone.fill_in_hand(BEN)
        key = phone.page.locator("form.hand [name=key]").input_value()
        for again in range(2):
            if again:
                phone.page.evaluate("history.back()")
                phone.page.wait_for_url("**/hands/new/", wait_until="commit")
                assert phone.page.locator("form.hand [name=key]").input_value() == key
            phone.save_button.tap()
            expect(phone.page.locator(".saved")).to_contain_text("Hand 1 is saved.")
        assert [hand["row"] for hand in phone.hands()] == [BEN_ROW]
