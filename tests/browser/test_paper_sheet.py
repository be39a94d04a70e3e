"""A sheet that was kept on paper is typed in with the keyboard alone."""

from __future__ import annotations

import pytest
from django.conf import settings
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.sheets.clubs import a_club, signed_in

LAPTOP = {"width": 1280, "height": 800}
EVENING = [
    *("b 350 s x", "c 300 h m", "a 30 d m", "b 320 c x", "-", "c 400 d m", "a 350 t", "b 310 h m"),
    *("c 36 s m", "a 300 c x", "b 350 d m", "0 2 0", "c 330 h x", "a 420 s m", "b 30 c m"),
    *("c 350 h t", "a 300 d m", "b 380 s x", "c 300 c m", "-", "a 310 h m", "b 330 d x"),
    *("c 450 d m", "a 300 s m"),
]
ENOUGH = 330  # strokes, the names and the day with them


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return browser_context_args | {"viewport": LAPTOP, "has_touch": False, "is_mobile": False}


@pytest.fixture
def laptop(new_context, base_url):
    """The organiser's browser, with a keyboard and no touch screen."""
    club = a_club()
    context = new_context()
    cookie = signed_in(club.otto).cookies[settings.SESSION_COOKIE_NAME]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": base_url}])
    return context.new_page()


class Keyboard:
    """Presses keys and counts them."""

    def __init__(self, page):
        self.page, self.pressed = page, 0

    def type(self, text):
        self.page.keyboard.type(text)
        self.pressed += len(text)

    def press(self, key, times=1):
        for _n in range(times):
            self.page.keyboard.press(key)
        self.pressed += times


def test_an_evening_is_typed_in_and_banked_with_the_keyboard_alone(laptop):
    laptop.goto("/clubs/thursday/paper/")
    keys = Keyboard(laptop)
    laptop.get_by_label("Player 1", exact=True).focus()
    for name in ("Alice", "Ben", "Cass"):
        keys.type(name)
        keys.press("Tab")
        if name == "Alice":  # who deals first is chosen: one stop for all of these dots
            keys.press("Tab")
    while laptop.evaluate("document.activeElement.id") != "id_hands":
        keys.press("Tab")
        assert keys.pressed < 60
    for line in EVENING:
        keys.type(line)
        keys.press("Enter")
    understood = laptop.locator("#understood")
    expect(understood).to_contain_text("24 hands understood.")
    expect(understood.locator("tbody tr")).to_have_count(24)
    expect(understood.locator("em")).to_have_count(0)
    while laptop.evaluate("document.activeElement.textContent") != "Bank this sheet":
        keys.press("Tab")
    keys.press("Enter")
    expect(laptop.get_by_role("status")).to_have_text("This sheet is banked: 24 hands.")
    sheet = Sheet.objects.get()
    assert (sheet.state, sheet.rounds.count()) == ("banked", 24)
    assert sheet.results.count() == 3
    assert keys.pressed < ENOUGH


@pytest.mark.refusals
def test_a_line_that_is_not_understood_says_so_beside_it_and_nothing_is_lost(laptop):
    laptop.goto("/clubs/thursday/paper/")
    for number, name in enumerate(("Alice", "Ben", "Cass"), start=1):
        laptop.get_by_label(f"Player {number}", exact=True).fill(name)
    hands = laptop.get_by_label("Hands, a line each")
    hands.press_sequentially("b 350 s x\nd 300 h m\n")
    understood = laptop.locator("#understood")
    expect(understood.locator(".wrong")).to_contain_text("Who bid?")
    laptop.get_by_role("button", name="Bank this sheet").click()
    expect(laptop.get_by_role("alert")).to_contain_text("1 line is not understood yet")
    expect(hands).to_have_value("b 350 s x\nd 300 h m\n")
    laptop.reload()
    expect(laptop.get_by_label("Hands, a line each")).to_have_value("b 350 s x\nd 300 h m\n")
