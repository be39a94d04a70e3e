"""The screen stays awake while an open sheet is looked at."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.hands import BEN
from tests.browser.phone import Phone
from tests.browser.tables import Seeded

# Counts the locks that are held, and refuses them where a test says so.
COUNT_LOCKS = """
window.locks = 0;
const request = navigator.wakeLock.request.bind(navigator.wakeLock);
navigator.wakeLock.request = async (type) => {
  if (localStorage.refuse) throw new DOMException("The battery is low", "NotAllowedError");
  const lock = await request(type);
  window.locks += 1;
  lock.addEventListener("release", () => { window.locks -= 1; });
  return lock;
};
"""
UNTIL = """async (locks) => {
  for (let n = 0; n < 200 && window.locks !== locks; n++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return window.locks;
}"""


@pytest.fixture
def table() -> Seeded:
    return Seeded([BEN])


@pytest.fixture
def looking(whole_context, base_url, table):
    phone = Phone(whole_context.new_page())
    whole_context.add_init_script(COUNT_LOCKS)  # not for the empty page, which has no locks
    table.let_in(whole_context, base_url)
    return phone


def expect_locks(phone, locks):
    assert phone.page.evaluate(UNTIL, locks) == locks


def test_the_screen_is_kept_awake_until_it_is_switched_off_or_the_match_ends(looking, table):
    looking.page.goto(table.url())
    expect_locks(looking, 1)
    switch = looking.page.get_by_label("Keep the screen awake")
    looking.page.locator(".menu > summary").tap()
    expect(switch).to_be_checked()
    switch.tap()
    expect_locks(looking, 0)
    looking.page.reload()
    looking.page.locator(".menu > summary").tap()
    expect(switch).not_to_be_checked()
    switch.tap()
    expect_locks(looking, 1)
    looking.page.keyboard.press("Escape")
    table.end()
    expect(looking.page.locator(".won")).to_be_visible()
    expect_locks(looking, 0)


def test_a_refusal_breaks_nothing(looking, table):
    looking.page.goto("/")
    looking.page.evaluate("localStorage.refuse = 'yes'")
    looking.page.goto(table.url())
    looking.enter(BEN | {"hand": 2})
    expect(looking.state).to_have_text("live")
    assert looking.page.evaluate("window.locks") == 0
