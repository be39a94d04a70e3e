"""What was typed is not lost, and what was saved is saved once; with and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.phone import NAMES, Phone
from tests.browser.tables import Seeded

MADE = {"hand": 1, "bidder": 1, "bid": 320, "trump": "hearts", "outcome": "made"}
HALF = {name: MADE[name] for name in ("bidder", "bid", "trump")}


@pytest.fixture
def at_table(phone, context, base_url) -> Phone:
    """A phone that looks at an empty sheet."""
    table = Seeded()
    table.let_in(context, base_url)
    phone.page.goto(table.url())
    return phone


@pytest.fixture
def half_typed(at_table) -> Phone:
    """A hand of which everything but the result is chosen."""
    at_table.open_entry()
    at_table.fill_in_hand(HALF)
    return at_table


def expect_half_typed(phone):
    phone.open_entry()
    for asks, says in {"Who bid?": "Ben", "Bid": 320, "Trump": "hearts"}.items():
        expect(phone.chip(asks, says)).to_be_checked()
    for result in ("Made", "Set", "Thrown in"):
        expect(phone.chip("Result", result)).not_to_be_checked()


def expect_empty_form(phone, number):
    expect(phone.page.locator("#entry > summary")).to_contain_text(f"Enter hand {number}")
    phone.open_entry()
    expect(phone.page.locator("form.hand :checked:not([name=by])")).to_have_count(0)


def expect_one_hand(phone):
    """The sheet holds one hand, and does so after a reload as well."""
    expect(phone.page.locator(".saved")).to_contain_text("Hand 1 is saved.")
    for _ in range(2):
        assert [hand["row"] for hand in phone.hands()] == [[0, 2, 0]]
        assert phone.totals() == [0, 2, 0]
        phone.page.reload()


def lose_replies(phone):
    """Let every hand reach the server, and none of its answers come back."""

    def lose(route):
        route.fetch(max_redirects=0)
        route.abort()

    phone.page.route("**/hands/new/", lose)


def find_signal(phone):
    phone.page.unroute("**/hands/new/")


# A half-typed hand.


def test_a_half_typed_hand_is_there_after_back_and_reload_and_in_a_new_tab(half_typed, context):
    page = half_typed.page
    half_typed.menu("History")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    page.go_back()
    expect_half_typed(half_typed)
    page.reload()
    expect(page.locator("form.hand")).to_be_visible()  # it lies open as it was left
    expect_half_typed(half_typed)

    address = page.url
    # One that was closed offers to go on, in another tab too, though its own went that moment.
    page.evaluate("""() => {
      document.querySelector("#entry").open = false;
      location.assign("/");
    }""")
    expect(page.get_by_role("heading", name="My tables")).to_be_visible()
    page.close()
    page = half_typed.page = context.new_page()
    page.goto(address)
    expect(page.locator("#entry > summary")).to_contain_text("Go on with hand 1")
    expect(page.locator("form.hand")).to_be_hidden()
    expect_half_typed(half_typed)
    expect(page.get_by_text("You began this earlier.")).to_be_visible()
    page.get_by_role("button", name="Start afresh").tap()
    expect_empty_form(half_typed, 1)


def test_half_typed_numbers_are_there_after_a_reload_behind_their_door(at_table):
    counted, taken = {"Melds": "180", "Tricks": "15"}, {"Alice": "4", "Ben": "0", "Cass": ""}
    for hand, there in (
        ({"by": "count", "meld_points": 180, "trick_points": 15}, counted),
        ({"by": "numbers", "units": [4, 0]}, taken),
    ):
        at_table.open_entry()
        at_table.fill_in_hand(hand)
        at_table.page.reload()
        at_table.open_entry()
        for label, value in there.items():
            field = at_table.page.get_by_role("textbox", name=re.compile(f"^{label}"))
            expect(field).to_have_value(value)


def test_end_match_mentions_a_hand_that_is_half_entered(half_typed):
    said = half_typed.page.get_by_text("A hand is half entered on this phone.")
    end = half_typed.page.url.partition("?")[0] + "end/"
    half_typed.page.goto(end)
    expect(half_typed.page.get_by_text("No hand is on the sheet")).to_be_visible()
    half_typed.page.go_back()
    half_typed.chip("Result", "Made").tap()
    half_typed.save_button.tap()
    expect(half_typed.page.locator(".saved")).to_be_visible()
    half_typed.page.goto(end)
    expect(said).to_be_hidden()
    half_typed.page.go_back()
    half_typed.open_entry()
    half_typed.chip("Who bid?", "Cass").tap()
    half_typed.page.goto(end)
    expect(said).to_be_visible()


def test_a_forgotten_hand_and_a_change_of_the_hand_after_it_are_kept_apart(
    phone, context, base_url
):
    table = Seeded([MADE])
    table.let_in(context, base_url)
    phone.page.goto(table.hand_url(1, "before/"))
    phone.fill_in_hand({"bidder": 2, "bid": 400, "trump": "spades", "outcome": "set"})
    phone.page.goto(table.hand_url(1, "edit/"))
    expect(phone.chip("Bid", 320)).to_be_checked()
    expect(phone.chip("Result", "Made")).to_be_checked()
    phone.page.goto(table.hand_url(1, "before/"))
    expect(phone.chip("Bid", 400)).to_be_checked()


def test_a_saved_hand_leaves_nothing_half_typed(at_table):
    at_table.enter(MADE)
    expect_empty_form(at_table, 2)
    at_table.page.reload()
    expect_empty_form(at_table, 2)


@pytest.mark.refusals
def test_a_refused_hand_keeps_what_was_typed(half_typed):
    half_typed.save_button.tap()
    expect(half_typed.group("Result")).to_contain_text("Choose how it ended.")
    expect_half_typed(half_typed)
    half_typed.chip("Result", "Made").tap()
    half_typed.save_button.tap()
    expect_one_hand(half_typed)


def test_a_start_form_survives_a_reload_and_is_empty_for_the_next_table(phone):
    start = phone.page.get_by_role("button", name="Start", exact=True)
    phone.page.goto("/tables/new/")
    phone.fill_in_seats(["Alice", "Ben", ""], dealer=2)
    phone.page.reload()
    expect(phone.page.get_by_label("Player 2", exact=True)).to_have_value("Ben")
    expect(phone.page.get_by_label("Player 3 deals first")).to_be_checked()
    phone.page.get_by_label("Player 3", exact=True).fill("Cass")
    start.tap()
    expect(phone.page.locator(".pad .empty")).to_contain_text("Cass deals.")
    phone.page.goto("/tables/new/")
    expect(start).to_be_visible()
    for number in (1, 2, 3):
        expect(phone.page.get_by_label(f"Player {number}", exact=True)).to_have_value("")
    expect(phone.page.get_by_label("Player 1 deals first")).to_be_checked()


def test_what_was_typed_behind_another_door_does_not_matter(at_table):
    at_table.open_entry()
    at_table.fill_in_hand({"by": "count", "meld_points": "180?", "trick_points": -5})
    at_table.fill_in_hand({"by": "numbers", "units": [0, 2, 0]})
    at_table.save_button.tap()
    expect_one_hand(at_table)


# Saved once.


@pytest.mark.lost_replies
def test_a_hand_whose_reply_was_lost_is_sent_again_by_itself_and_saved_once(at_table):
    at_table.open_entry()
    at_table.fill_in_hand(MADE)
    lose_replies(at_table)
    with at_table.page.expect_event("requestfailed"):
        at_table.save_button.tap()
    waiting = at_table.page.locator("#waiting")
    expect(waiting).to_contain_text("Hand 1 Ben 320 ♥ made")
    expect(waiting.locator("bdi[translate=no]")).to_have_text("Ben")
    find_signal(at_table)
    expect_one_hand(at_table)
    expect(at_table.page.locator("#waiting")).to_be_hidden()


@pytest.mark.lost_replies
def test_a_hand_whose_reply_was_lost_is_on_the_sheet_and_no_longer_half_typed(at_table):
    at_table.open_entry()
    at_table.fill_in_hand(MADE)
    lose_replies(at_table)
    with at_table.page.expect_event("requestfailed"):
        at_table.save_button.tap()
    find_signal(at_table)
    at_table.page.reload()
    assert [hand["row"] for hand in at_table.hands()] == [[0, 2, 0]]
    expect_empty_form(at_table, 2)


def test_a_double_tap_on_save_gives_one_hand(at_table):
    at_table.open_entry()
    at_table.fill_in_hand(MADE)
    at_table.save_button.dblclick()
    expect_one_hand(at_table)


def test_a_double_tap_on_start_gives_one_table(phone):
    phone.page.goto("/tables/new/")
    phone.fill_in_seats(NAMES, dealer=0)
    phone.page.get_by_role("button", name="Start").dblclick()
    expect(phone.page.locator(".pad .empty")).to_be_visible()
    phone.page.goto("/")
    expect(phone.page.locator(".list li")).to_have_count(1)


# What the form says and offers.


def test_the_row_is_spelled_out_before_it_is_saved_and_follows_changes(half_typed):
    says = half_typed.spelled_out
    expect(says).to_be_hidden()
    half_typed.chip("Result", "Made").tap()
    expect(says).to_contain_text("Ben takes 2")
    half_typed.page.reload()
    half_typed.open_entry()
    expect(says).to_contain_text("Ben takes 2")
    expect(says).to_contain_text("1 from Alice, 1 from Cass.")
    expect(says.locator("bdi[translate=no]")).to_have_text(["Ben", "Alice", "Cass"])
    half_typed.chip("Trump", "spades").tap()
    expect(says).to_contain_text("Ben takes 4")
    expect(says).to_contain_text("2 from Alice, 2 from Cass.")
    half_typed.chip("Result", "Set").tap()
    expect(says).to_contain_text("Alice and Cass take 4 each")
    expect(says).to_contain_text("from Ben.")
    half_typed.chip("Who bid?", "Cass").tap()
    expect(says).to_contain_text("Alice and Ben take 4 each")
    half_typed.tap_bid(550)
    expect(says).to_contain_text("Alice and Ben take 128 each")
    half_typed.chip("Result", "Thrown in").tap()
    expect(says).to_contain_text("Alice and Ben take 32 each")
    expect(half_typed.group("Trump")).to_be_hidden()
    half_typed.door("passed")
    expect(says).to_be_hidden()
    half_typed.page.get_by_role("radio", name="By result").tap()
    expect(says).to_contain_text("Alice and Ben take 32 each")
    half_typed.save_button.tap()
    expect(half_typed.page.locator(".saved")).to_contain_text("Hand 1 is saved.")
    assert half_typed.hands()[0]["row"] == [32, 32, 0]


def test_only_the_dealer_of_the_hand_is_offered_250(at_table):
    at_table.open_entry()
    offer = at_table.chip("Bid", 250)
    expect(offer).to_be_hidden()
    at_table.chip("Who bid?", "Ben").tap()
    expect(offer).to_be_hidden()
    at_table.chip("Who bid?", "Alice").tap()
    expect(offer).to_be_visible()
    offer.tap()
    at_table.chip("Trump", "clubs").tap()
    at_table.chip("Result", "Set").tap()
    expect(at_table.spelled_out).to_contain_text("Ben and Cass take 2 each")
    at_table.chip("Who bid?", "Cass").tap()
    expect(offer).to_be_hidden()
    expect(at_table.spelled_out).to_be_hidden()
    at_table.chip("Who bid?", "Alice").tap()
    expect(offer).not_to_be_checked()

    # Ben deals the next hand.
    at_table.enter(MADE)
    at_table.open_entry()
    at_table.chip("Who bid?", "Alice").tap()
    expect(offer).to_be_hidden()
    at_table.chip("Who bid?", "Ben").tap()
    expect(offer).to_be_visible()


def test_a_bid_is_tapped_or_typed_and_never_both(half_typed):
    half_typed.chip("Bid", "more").tap()
    typed = half_typed.page.get_by_label("Another bid")
    typed.fill("610")
    expect(half_typed.page.locator("[name=bid]:not(.more):checked")).to_have_count(0)
    expect(typed).to_be_visible()
    half_typed.tap_bid(330)
    expect(typed).to_have_value("")

    # A typed one is spelled out and saved like those that are offered.
    half_typed.chip("Bid", "more").tap()
    typed.fill("760")
    half_typed.chip("Result", "Set").tap()
    expect(half_typed.spelled_out).to_contain_text("Alice and Cass take 64 each")
    expect(half_typed.spelled_out).to_contain_text("760 is in 550+.")
    typed.fill("610")
    expect(half_typed.spelled_out).to_contain_text("610 is in 550+.")
    half_typed.save_button.tap()
    expect(half_typed.page.locator(".saved")).to_contain_text("Hand 1 is saved.")
    assert half_typed.hands()[0]["row"] == [64, 0, 64]
    assert half_typed.hands()[0]["said"].startswith("1 Ben 610")


# Without scripts.


def test_a_match_is_played_and_changed_without_scripts(new_phone):
    phone = new_phone(java_script_enabled=False)
    phone.start_table()
    phone.enter(MADE)
    assert phone.totals() == [0, 2, 0]
    phone.enter({"hand": 2, "by": "numbers", "units": [4, 0, 4]})
    assert phone.totals() == [4, 2, 4]
    phone.open_hand(1)
    phone.page.get_by_role("link", name="Change this hand").tap()
    phone.fill_in_hand({"outcome": "set"})
    phone.page.get_by_role("button", name="Save hand 1").tap()
    expect(phone.page.locator(".said")).to_contain_text("set")
    phone.back_to_sheet()
    assert phone.totals() == [6, 0, 6]
    phone.menu("End match")
    phone.page.get_by_role("button", name="Bank this sheet").tap()
    expect(phone.page.locator(".won")).to_contain_text("Tie between Alice and Cass with 6 each")
