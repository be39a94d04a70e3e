"""What one phone does shows on the others, and nobody who types is disturbed by it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from sheets import queries
from tests.browser.hands import ALICE, ALICE_ROW, BEN, BEN_ROW, CASS, CASS_ROW
from tests.browser.tables import Seeded

HALF = {name: BEN[name] for name in ("bidder", "bid", "trump")}
CASS_CHANGED_ROW = [0, 0, 16]
IN_FORM = """(form) => ({
  fields: [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken"),
  focus: document.activeElement?.name ?? "",
  place: JSON.stringify(form.getBoundingClientRect()),
})"""


def watch_for_reloads(phones):
    for phone in phones:
        phone.page.evaluate("() => { window.sameDocument = true; }")


def expect_no_reload(phones):
    for phone in phones:
        assert phone.page.evaluate("window.sameDocument") is True


def names_of(phone):
    return phone.page.locator(".pad .name")


def end_match(phone):
    phone.menu("End match")
    phone.page.get_by_role("button", name="Bank this sheet").tap()
    expect(phone.page.locator(".won")).to_be_visible()


def play_again(phone):
    phone.page.get_by_role("link", name="Play again").tap()
    phone.page.get_by_role("button", name="Start the next sheet").tap()
    expect(phone.page.locator(".pad .empty")).to_be_visible()


@pytest.mark.on_postgresql
def test_what_one_phone_does_shows_on_the_two_others_without_a_reload(sit_down):
    acting, *others = sit_down(Seeded())
    watch_for_reloads(others)

    acting.enter(BEN | {"hand": 1})
    acting.enter(CASS | {"hand": 2})
    for phone in others:
        phone.expect_rows([BEN_ROW, CASS_ROW])

    acting.change_hand(2, {"outcome": "made"})
    for phone in others:
        phone.expect_rows([BEN_ROW, CASS_CHANGED_ROW])

    acting.open_hand(2)
    acting.page.get_by_role("button", name="Take it back").tap()
    for phone in (acting, *others):
        phone.expect_rows([BEN_ROW])

    acting.menu("Names and seats")
    acting.page.get_by_label("Player 2").fill("Benjamin")
    acting.page.get_by_role("button", name="Save names").tap()
    expect(acting.page.locator("#sheet")).to_be_visible()
    for phone in others:
        expect(names_of(phone)).to_have_text(["Alice", "Benjamin", "Cass"])
        expect(phone.page.get_by_role("heading", level=1)).to_have_text("Alice, Benjamin and Cass")
        phone.open_entry()
        expect(phone.chip("Who bid?", "Benjamin")).to_be_visible()
        phone.page.locator("#entry > summary").tap()

    acting.menu("Names and seats")
    acting.page.get_by_role("combobox", name="Alice").select_option(label="2")
    acting.page.get_by_role("combobox", name="Benjamin").select_option(label="1")
    acting.page.get_by_role("button", name="Save seats").tap()
    for phone in (acting, *others):
        expect(names_of(phone)).to_have_text(["Benjamin", "Alice", "Cass"])

    end_match(acting)
    for phone in others:
        expect(phone.page.locator(".won")).to_contain_text("Benjamin")
        expect(phone.page.locator("#entry")).to_have_count(0)

    play_again(acting)
    for phone in others:
        expect(phone.page.locator(".pad .empty")).to_be_visible()
        expect(phone.page.locator("#entry > summary")).to_contain_text("Enter hand 1")
        expect(phone.state).to_have_text("live")
    expect_no_reload(others)


def test_a_phone_does_not_fetch_again_what_it_did_itself(sit_down):
    (phone,) = sit_down(Seeded(), phones=1)
    asked = []
    phone.page.on("request", lambda request: asked.append(request))
    phone.enter(BEN | {"hand": 1})
    phone.page.wait_for_timeout(1200)
    assert [one.method for one in asked].count("POST") == 1
    # The page with the answer is fetched, and neither the part nor another stream.
    assert len([one for one in asked if "saved=" in one.url]) == 1
    assert [one.url for one in asked if one.headers.get("hx-target") or "/live/" in one.url] == []


# Somebody types.


@pytest.mark.refusals
@pytest.mark.parametrize(
    ("typed", "focus", "choice"),
    [
        (HALF, None, "discard"),
        ({"by": "numbers", "units": [0, 2]}, "Cass", "another"),
    ],
    ids=["chips", "numbers"],
)
def test_a_half_filled_form_stays_as_it_is_while_hands_arrive(sit_down, typed, focus, choice):
    table = Seeded([BEN])
    typing, other = sit_down(table, phones=2)
    typing.open_entry()
    typing.fill_in_hand(typed)
    if focus:
        typing.page.get_by_role("textbox", name=focus).tap()
    form = typing.page.locator("form.hand")
    before = form.evaluate(IN_FORM)
    other.enter(CASS | {"hand": 2})
    other.enter(ALICE | {"hand": 3})
    expect(typing.page.locator(".pad .total")).to_have_text(["16", "20", "2"])
    assert form.evaluate(IN_FORM) == before

    # Saving asks, with what is there now beside what was typed.
    if focus:
        typing.page.keyboard.type("0")
    else:
        typing.chip("Result", "Made").tap()
    typing.save_button.tap()
    alert = typing.page.get_by_role("alert")
    expect(alert).to_contain_text("Ben entered hand 3: Alice 350 thrown in (0 · 2 · 2)")
    expect(alert).to_contain_text("Somebody else was quicker.")
    if choice == "discard":
        typing.page.get_by_role("link", name="Same hand: discard mine").tap()
        rows = [BEN_ROW, CASS_ROW, ALICE_ROW]
    else:
        typing.page.get_by_role("button", name="Another hand: save as hand 4").tap()
        rows = [BEN_ROW, CASS_ROW, ALICE_ROW, [0, 2, 0]]
    # The rest holds on the page with the question too, as it has a pad and an open form.
    expect(alert).to_be_hidden()
    for phone in (typing, other):
        phone.expect_rows(rows)
    expect(typing.page.locator("#waiting")).to_be_hidden()
    expect(typing.page.locator("#entry > summary")).to_contain_text(f"Enter hand {len(rows) + 1}")
    typing.open_entry()
    expect(form.locator(":checked:not([name=by])")).to_have_count(0)


def test_the_closed_form_follows_so_that_the_next_hand_is_no_conflict(sit_down):
    table = Seeded()
    phone, other = sit_down(table, phones=2)
    other.enter(BEN | {"hand": 1})
    expect(phone.page.locator("#entry > summary")).to_contain_text("Enter hand 2")
    phone.open_entry()
    expect(phone.page.locator(".opened")).to_contain_text("Hand 2 · Ben deals")
    phone.chip("Who bid?", "Ben").tap()
    expect(phone.chip("Bid", 250)).to_be_visible()
    phone.enter(CASS | {"hand": 2})
    for one in (phone, other):
        one.expect_rows([BEN_ROW, CASS_ROW])


@pytest.mark.refusals
def test_a_hand_under_way_when_the_match_ends_is_refused_with_what_was_typed(sit_down):
    table = Seeded([BEN])
    typing, other = sit_down(table, phones=2)
    typing.open_entry()
    typing.fill_in_hand(CASS)
    end_match(other)
    expect(typing.page.locator(".won")).to_contain_text("Ben")
    typing.save_button.tap()
    expect(typing.page.get_by_role("alert")).to_contain_text("Ben ended this match at")
    expect(typing.chip("Who bid?", "Cass")).to_be_checked()
    expect(typing.chip("Bid", 400)).to_be_checked()
    other.page.reload()
    assert other.totals() == [0, 2, 0]


def test_a_form_left_open_over_two_matches_gives_way_to_the_new_sheet_when_it_is_closed(sit_down):
    table = Seeded([BEN])
    typing, other = sit_down(table, phones=2)
    typing.open_entry()
    typing.fill_in_hand(HALF)
    end_match(other)
    play_again(other)
    expect(typing.page.locator(".pad .empty")).to_be_visible()
    expect(typing.chip("Who bid?", "Ben")).to_be_checked()
    typing.page.locator("#entry > summary").tap()
    expect(typing.page.locator("#entry > summary")).to_contain_text("Enter hand 1")
    now, _players = queries.latest_sheet(table.table)
    expect(typing.page.locator("#entry [name=sheet]")).to_have_value(now.public_id)
    typing.enter(CASS | {"hand": 1})
    other.expect_rows([CASS_ROW])


@pytest.mark.refusals
def test_a_stale_edit_is_refused_with_the_newer_row_and_what_was_typed(sit_down):
    table = Seeded([BEN, CASS])
    slow, quick = sit_down(table, phones=2)
    slow.open_hand(1)
    slow.page.get_by_role("link", name="Change this hand").tap()
    slow.fill_in_hand({"outcome": "set"})
    quick.change_hand(1, {"bidder": 2})
    slow.page.get_by_role("button", name="Save hand 1").tap()
    expect(slow.page.get_by_role("alert")).to_contain_text(
        "Ben changed hand 1 from Ben 320 hearts made (0 · 2 · 0) to Cass 320 hearts made"
    )
    expect(slow.page.get_by_text("Now it says:")).to_contain_text("Cass 320")
    expect(slow.chip("Who bid?", "Ben")).to_be_checked()
    expect(slow.chip("Result", "Set")).to_be_checked()
    quick.expect_rows([[0, 0, 2], CASS_ROW])
    slow.page.get_by_role("link", name="Keep it as it is now").tap()
    slow.expect_rows([[0, 0, 2], CASS_ROW])
    expect(slow.page.locator("#waiting")).to_be_hidden()

    # Once more, and this time the other insists.
    slow.open_hand(1)
    slow.page.get_by_role("link", name="Change this hand").tap()
    slow.fill_in_hand({"bidder": 1, "outcome": "set"})
    quick.change_hand(1, {"bidder": 0})
    slow.page.get_by_role("button", name="Save hand 1").tap()
    slow.page.get_by_role("button", name="Save mine instead").tap()
    quick.expect_rows([[2, 0, 2], CASS_ROW])
    expect(slow.page.locator("#waiting")).to_be_hidden()


# What is said.


def test_a_hand_of_another_phone_is_announced_and_ones_own_is_not(sit_down):
    table = Seeded()
    one, other = sit_down(table, phones=2)
    news = one.page.locator("#news")
    assert news.get_attribute("role") == "status"
    other.enter(BEN | {"hand": 1})
    expect(news).to_have_text("Ben entered hand 1: Ben 320 hearts made (0 · 2 · 0)")
    expect(news).to_have_text("")
    one.enter(CASS | {"hand": 2})
    expect(other.page.locator("#news")).to_contain_text("Alice entered hand 2")
    expect(news).to_have_text("")


@pytest.mark.lost_replies
def test_where_streams_are_blocked_hands_arrive_all_the_same(sit_down):
    table = Seeded()
    (phone,) = sit_down(table, phones=1)
    phone.page.context.route("**/live/*", lambda route: route.abort())
    phone.page.reload()
    expect(phone.state).to_contain_text("last heard")
    table.enter(BEN, phone=table.other_phone())
    phone.expect_rows([BEN_ROW])
    expect(phone.page.locator("#news")).to_contain_text("Ben entered hand 1")
    expect(phone.state).to_contain_text("s ago")


def test_long_names_do_not_widen_what_is_said(sit_down):
    names = tuple(name * 8 for name in ("Alice", "Benny", "Cassy"))
    table = Seeded(names=names)
    (phone,) = sit_down(table, phones=1)
    table.enter(BEN, phone=table.other_phone())
    expect(phone.page.locator("#news")).to_contain_text(names[1])
    phone.page.set_viewport_size({"width": 320, "height": 844})
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 320
