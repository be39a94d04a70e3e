"""Without network: hands wait on the phone and go out later, in order and once each."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from sheets.access import COOKIE
from sheets.models import Change, Round
from tests.browser.hands import ALICE, ALICE_ROW, BEN, BEN_ROW, CASS, CASS_ROW
from tests.browser.phone import Phone
from tests.browser.tables import Seeded

pytestmark = pytest.mark.no_network
PORTAL = (
    "<html><title>Hotel</title><main id=portal>Welcome! Log in to use the network.</main></html>"
)


def posts_of(phone):
    """What a phone sends from now on, as it sends it."""
    sent = []

    def note(request):
        if request.method == "POST":
            sent.append(re.sub(r"[0-9a-f-]{36}", "*", request.url.split("/hands/")[1]))

    phone.page.on("request", note)
    return sent


def tap_row(phone, number):
    phone.page.locator(".line a").filter(
        has=phone.page.locator(".no", has_text=re.compile(rf"^{number}$"))
    ).tap()
    return phone.page.get_by_role("dialog")


def reopen(phone):
    """Close the page and open its address in a new one of the same browser."""
    context, address = phone.page.context, phone.page.url
    phone.page.close()
    phone.page = context.new_page()
    phone.page.goto(address)


def expect_nothing_waits(phone):
    expect(phone.waiting).to_have_count(0)
    expect(phone.state).to_have_text("live")


@pytest.mark.on_postgresql
def test_what_was_done_without_network_goes_out_in_order_and_once(sit_down):
    table = Seeded([BEN, CASS])
    phone, other = sit_down(table, phones=2)
    phone.go_offline()
    phone.expect_rows([BEN_ROW, CASS_ROW])
    phone.queue_up(ALICE)
    expect(phone.page.locator("#entry > summary")).to_contain_text("Enter hand 4")
    phone.queue_up(CASS)
    expect(phone.state).to_have_text("offline: 2 to send")
    expect(phone.waiting).to_contain_text(["Hand 3 Alice 350 thrown in", "Hand 4 Cass 400 ♠ set"])

    # Hands that still wait: one is changed, one taken back.
    phone.waiting.nth(0).get_by_role("button", name="Change").tap()
    expect(phone.chip("Who bid?", "Alice")).to_be_checked()
    phone.fill_in_hand({"bidder": 1})
    phone.page.get_by_role("button", name="Save hand 3").tap()
    expect(phone.waiting).to_have_count(3)
    phone.waiting.nth(1).get_by_role("button", name="Take back").tap()
    expect(phone.waiting).to_have_count(4)

    # Hands of the pad: one is changed, one taken back.
    dialog = tap_row(phone, 1)
    expect(dialog).to_contain_text("1 Ben 320 ♥ hearts made")
    dialog.get_by_role("button", name="Change this hand").tap()
    expect(phone.chip("Bid", 320)).to_be_checked()
    phone.fill_in_hand({"outcome": "set"})
    phone.page.get_by_role("button", name="Save hand 1").tap()
    expect(phone.waiting).to_have_count(5)
    tap_row(phone, 2).get_by_role("button", name="Take it back").tap()
    expect(phone.state).to_have_text("offline: 6 to send")
    expect(phone.page.locator("#entry > summary")).to_contain_text("Enter hand 3")

    sent = posts_of(phone)
    phone.go_online()
    for one in (phone, other):
        one.expect_rows([[2, 0, 2], [2, 0, 2]])
    expect_nothing_waits(phone)
    assert sent == ["new/", "new/", "*/edit/", "*/take-back/", "*/edit/", "*/take-back/"]
    assert Round.objects.count() == 4


def test_waiting_hands_survive_the_page_and_go_out_from_another(sit_down):
    (phone,) = sit_down(Seeded(), phones=1)
    phone.go_offline()
    phone.queue_up(BEN)
    phone.queue_up(CASS)
    context, address = phone.page.context, phone.page.url
    phone.page.close()
    phone.page = context.new_page()
    phone.go_online()
    phone.page.goto("/")  # any page of the app will do
    phone.page.goto(address)
    phone.expect_rows([BEN_ROW, CASS_ROW])
    expect_nothing_waits(phone)
    assert Round.objects.count() == 2


@pytest.mark.service_worker
def test_a_sheet_opens_without_network_and_its_old_form_saves_a_hand_of_its_own(sit_down):
    table = Seeded()
    (phone,) = sit_down(table, phones=1)
    phone.wait_for_kept_page(table.url())
    phone.enter(BEN | {"hand": 1})  # with the key that the kept page has too
    phone.go_offline()
    phone.queue_up(CASS)
    reopen(phone)
    expect(phone.waiting).to_contain_text(["Hand 2 Cass 400 ♠ set"])
    expect(phone.state).to_have_text("offline: 1 to send")
    phone.queue_up(ALICE)
    phone.page.goto(table.url("history/"))  # not kept: the sheet comes instead
    expect(phone.waiting).to_have_count(2)
    phone.go_online()
    phone.expect_rows([BEN_ROW, CASS_ROW, ALICE_ROW])
    expect_nothing_waits(phone)
    assert Round.objects.count() == 3


@pytest.mark.on_postgresql
@pytest.mark.refusals
def test_a_waiting_hand_that_meets_a_changed_sheet_is_decided_about(sit_down):
    table = Seeded()
    phone, other = sit_down(table, phones=2)
    phone.go_offline()
    phone.queue_up(BEN)
    phone.queue_up(CASS)
    other.enter(BEN | {"hand": 1})
    phone.go_online()
    alert = phone.page.get_by_role("alert")
    expect(alert).to_contain_text("Ben entered hand 1: Ben 320 hearts made (0 · 2 · 0)")
    expect(phone.chip("Who bid?", "Ben")).to_be_checked()

    # Nobody decides yet: both stay, over a reload too.
    for _ in range(2):
        phone.page.goto(table.url())
        expect(phone.waiting).to_contain_text(["Hand 1 Ben 320 ♥ made", "Cass 400"])
        expect(phone.waiting.nth(0)).to_contain_text("Somebody else was quicker.")
        expect(phone.page.locator("#waiting > p")).to_have_text(
            "2 to send: decide about the first one"
        )
    other.expect_rows([BEN_ROW])

    # The first was the same hand, the second was another.
    phone.waiting.nth(0).get_by_role("button", name="Decide").tap()
    phone.page.get_by_role("link", name="Same hand: discard mine").tap()
    expect(phone.chip("Who bid?", "Cass")).to_be_checked()
    phone.page.get_by_role("button", name="Another hand: save as hand 2").tap()
    for one in (phone, other):
        one.expect_rows([BEN_ROW, CASS_ROW])
    expect_nothing_waits(phone)


@pytest.mark.refusals
def test_whoever_saves_a_hand_as_another_one_is_not_asked_about_those_behind_it(sit_down):
    table = Seeded()
    phone, other = sit_down(table, phones=2)
    phone.go_offline()
    phone.queue_up(CASS)
    phone.queue_up(ALICE)
    other.enter(BEN | {"hand": 1})
    phone.go_online()
    phone.page.get_by_role("button", name="Another hand: save as hand 2").tap()
    for one in (phone, other):
        one.expect_rows([BEN_ROW, CASS_ROW, ALICE_ROW])
    expect_nothing_waits(phone)


@pytest.mark.refusals
def test_a_refused_hand_is_discarded_where_it_waits_with_what_was_to_be_done_to_it(sit_down):
    table = Seeded()
    phone, other = sit_down(table, phones=2)
    phone.go_offline()
    phone.queue_up(BEN)
    phone.waiting.nth(0).get_by_role("button", name="Take back").tap()
    expect(phone.waiting).to_have_count(2)
    other.enter(CASS | {"hand": 1})
    phone.go_online()
    expect(phone.page.get_by_role("alert")).to_be_visible()
    phone.page.goto(table.url())
    phone.page.on("dialog", lambda dialog: dialog.accept())
    phone.waiting.nth(0).get_by_role("button", name="Discard").tap()
    expect_nothing_waits(phone)
    phone.expect_rows([CASS_ROW])


@pytest.mark.refusals
def test_a_refused_take_back_is_pressed_once_more(sit_down):
    table = Seeded([BEN])
    phone, other = sit_down(table, phones=2)
    phone.go_offline()
    tap_row(phone, 1).get_by_role("button", name="Take it back").tap()
    expect(phone.waiting).to_have_count(1)
    other.change_hand(1, {"outcome": "set"})
    phone.go_online()
    expect(phone.page.get_by_role("alert")).to_contain_text("Ben changed hand 1")
    phone.page.get_by_role("button", name="Take it back").tap()
    expect(phone.page.locator(".saved")).to_contain_text("off the sheet")
    expect_nothing_waits(phone)
    other.expect_rows([])


@pytest.mark.refusals  # the portal's own page, once the portal is gone
def test_a_portal_that_answers_for_the_server_loses_nothing(sit_down):
    (phone,) = sit_down(Seeded(), phones=1)
    asked = Counter()

    def portal(route):
        """Send whoever asks to the portal's page, or answer with it, by turns."""
        if "login" not in route.request.url:
            asked[route.request.method] += 1
            if asked[route.request.method] % 2:
                return route.fulfill(status=302, headers={"Location": "/login/"})
        return route.fulfill(body=PORTAL, content_type="text/html")

    phone.page.context.route(re.compile(r"/(t|live|login)/"), portal)
    phone.queue_up(BEN)
    expect(phone.state).to_have_text("offline: 1 to send")
    phone.queue_up(CASS)
    for _ in range(100):  # it tries again
        if asked["POST"] < 3:
            phone.page.wait_for_timeout(100)
    assert asked["POST"] >= 3
    expect(phone.waiting).to_have_count(2)
    expect(phone.page.locator(".pad .empty")).to_be_visible()
    expect(phone.page.locator(".saved")).to_have_count(0)
    assert not Round.objects.exists()
    phone.page.context.unroute(re.compile(r"/(t|live|login)/"))
    phone.page.reload()
    phone.expect_rows([BEN_ROW, CASS_ROW])
    expect_nothing_waits(phone)


@pytest.mark.refusals
def test_hands_go_out_whatever_became_of_the_csrf_cookie(sit_down, base_url):
    (phone,) = sit_down(Seeded(), phones=1)
    context = phone.page.context
    phone.go_offline()
    phone.queue_up(BEN)
    phone.queue_up(CASS)
    context.clear_cookies(name="csrftoken")
    phone.go_online()
    phone.expect_rows([BEN_ROW, CASS_ROW])
    expect_nothing_waits(phone)

    phone.go_offline()
    phone.queue_up(ALICE)
    context.add_cookies([{"name": "csrftoken", "value": "x" * 32, "url": base_url}])
    phone.go_online()
    phone.expect_rows([BEN_ROW, CASS_ROW, ALICE_ROW])
    expect_nothing_waits(phone)


@pytest.mark.refusals
def test_a_phone_that_lost_its_cookie_keeps_its_hands_until_it_has_joined_again(sit_down):
    table = Seeded([BEN])
    phone, other = sit_down(table, phones=2)
    phone.go_offline()
    phone.queue_up(CASS)
    phone.page.context.clear_cookies(name=COOKIE)
    phone.go_online()
    expect(phone.page.get_by_text("This sheet is private. Have the code?")).to_be_visible()
    expect(phone.waiting).to_contain_text(["Join it again with the code, and this goes out."])
    phone.page.get_by_label("Join with a code").fill(table.table.code)
    phone.page.get_by_role("button", name="Join").tap()
    phone.page.get_by_label("Alice").tap()
    phone.page.get_by_role("button", name="Join").tap()
    for one in (phone, other):
        one.expect_rows([BEN_ROW, CASS_ROW])
    expect_nothing_waits(phone)
    last = Change.objects.order_by("version").last()
    assert last is not None
    assert last.member is not None
    assert last.member.number == 3


def test_two_tabs_of_a_phone_send_each_hand_once_and_in_order(sit_down):
    (phone,) = sit_down(Seeded(), phones=1)
    tab = Phone(phone.page.context.new_page())
    tab.page.goto(phone.page.url)
    expect(tab.state).to_have_text("live")
    phone.page.bring_to_front()
    phone.go_offline()
    phone.queue_up(BEN)
    tab.page.bring_to_front()
    expect(tab.waiting).to_have_count(1)
    expect(tab.page.locator("#entry > summary")).to_contain_text("Enter hand 2")
    tab.queue_up(CASS)
    phone.page.bring_to_front()
    expect(phone.waiting).to_have_count(2)
    phone.queue_up(ALICE)
    sent, sent_by_tab = posts_of(phone), posts_of(tab)
    phone.go_online()
    for one in (phone, tab):
        one.page.bring_to_front()
        one.expect_rows([BEN_ROW, CASS_ROW, ALICE_ROW])
        expect_nothing_waits(one)
    assert len(sent + sent_by_tab) == 3
