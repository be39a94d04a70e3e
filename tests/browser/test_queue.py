"""One way for every hand: what is saved, discarded or replaced leaves the queue."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from sheets.models import Round
from tests.browser.hands import BEN, BEN_ROW
from tests.browser.phone import Phone
from tests.browser.tables import Seeded

MADE_BY_COUNT = [0, 8, 0]


@pytest.fixture
def refused(sit_down) -> Phone:
    """A counted hand, its bid typed, that another phone was quicker than."""
    phone, other = sit_down(Seeded(), phones=2)
    phone.open_entry()
    phone.door("count")
    phone.chip("Who bid?", "Ben").tap()
    phone.chip("Bid", "more").tap()
    phone.page.get_by_label("Another bid").fill("410")
    phone.chip("Trump", "hearts").tap()
    phone.page.get_by_label("Melds").fill("220")
    phone.page.get_by_label("Tricks").fill("200")
    other.enter(BEN | {"hand": 1})
    phone.save_button.tap()
    expect(phone.page.get_by_role("alert")).to_contain_text("Ben entered hand 1")
    return phone


def expect_saved_once(phone: Phone) -> None:
    expect(phone.page.locator(".saved")).to_contain_text("Hand 2 is saved.")
    phone.expect_rows([BEN_ROW, MADE_BY_COUNT])
    for _ in range(2):
        expect(phone.waiting).to_have_count(0)
        expect(phone.state).to_have_text("live")
        phone.page.reload()
    assert Round.objects.count() == 2


@pytest.mark.refusals
def test_a_refused_hand_that_is_saved_as_another_one_leaves_the_queue(refused):
    expect(refused.chip("Bid", "more")).to_be_checked()
    expect(refused.page.get_by_label("Another bid")).to_have_value("410")
    refused.page.get_by_role("button", name="Another hand: save as hand 2").tap()
    expect_saved_once(refused)


@pytest.mark.refusals
def test_a_refused_hand_that_is_changed_first_is_saved_once(refused):
    # Digits of any script, as the server reads them; and the page is left in between.
    refused.page.get_by_label("Melds").fill("٢٣٠")
    refused.page.reload()
    expect(refused.waiting).to_contain_text(["Hand 1 Ben 410 ♥ 220 + 200"])
    refused.open_entry()
    expect(refused.page.get_by_label("Melds")).to_have_value("٢٣٠")
    refused.save_button.tap()  # as hand 2: what Ben entered was shown before
    expect_saved_once(refused)
    stored = Round.objects.latest("pk")
    assert stored.counts == {"meld_points": 230, "trick_points": 200}


@pytest.mark.refusals
def test_a_refused_hand_that_is_discarded_takes_its_draft_along(refused):
    refused.page.get_by_label("Melds").fill("230")
    refused.page.reload()
    refused.page.on("dialog", lambda dialog: dialog.accept())
    refused.waiting.nth(0).get_by_role("button", name="Discard").tap()
    expect(refused.waiting).to_have_count(0)
    refused.page.reload()
    expect(refused.page.locator("#entry > summary")).to_contain_text("Enter hand 2")
    refused.expect_rows([BEN_ROW])


@pytest.mark.no_network
def test_what_a_hand_lacks_is_said_without_network_and_nothing_is_parked(sit_down):
    (phone,) = sit_down(Seeded(), phones=1)
    phone.go_offline()
    phone.open_entry()
    phone.fill_in_hand({"bidder": 1, "bid": 320})
    phone.save_button.tap()
    expect(phone.group("Result")).to_contain_text("Choose how it ended.")
    expect(phone.group("Trump")).to_contain_text("Choose the trump suit.")
    phone.door("count")
    phone.save_button.tap()
    expect(phone.page.get_by_text("Type the bidder's melds, 0 for none.")).to_be_visible()
    phone.door("numbers")
    phone.page.get_by_role("textbox", name="Ben").fill("2")
    phone.save_button.tap()
    sentences = [f"Type what {name} took in, 0 for nothing." for name in ("Alice", "Cass")]
    expect(phone.page.locator(".for-numbers em")).to_have_text(sentences)
    expect(phone.waiting).to_have_count(0)
    for name in ("Alice", "Cass"):
        phone.page.get_by_role("textbox", name=name).fill("0")
    phone.save_button.tap()
    expect(phone.waiting).to_contain_text(["Hand 1 0 · 2 · 0"])
    phone.go_online()
    phone.expect_rows([[0, 2, 0]])
