"""What an organiser types is kept on the device until it is saved or thrown away."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page, expect

from sheets.models import Sheet
from tests.browser.tables import Seeded
from tests.sheets.clubs import a_club, signed_in

MADE = {"bidder": 1, "bid": 320, "trump": "hearts", "outcome": "made"}
NOTE, REASON = "ask Ben about hand 1", "a training night"


@pytest.fixture
def club(db):
    return a_club()


@pytest.fixture
def sheet_url(club) -> str:
    table = Seeded([MADE])
    club.take_in(table)
    table.end()
    return club.url(f"sheets/{table.sheet.public_id}/")


@pytest.fixture
def page(page: Page, base_url: str, club, sheet_url: str) -> Page:
    """An organiser's laptop with the review of a sheet."""
    name = settings.SESSION_COOKIE_NAME
    value = signed_in(club.otto).cookies[name].value
    page.context.add_cookies([{"name": name, "value": value, "url": base_url}])
    page.goto(sheet_url)
    return page


def open_note(page: Page) -> Locator:
    if not page.get_by_label("What is to be looked into?").is_visible():
        page.get_by_text("Flag it with a note").click()
    return page.get_by_label("What is to be looked into?")


def open_reason(page: Page) -> Locator:
    if not page.get_by_label("Why does it not count?").is_visible():
        page.get_by_text("Set it aside: it does not count").click()
    return page.get_by_label("Why does it not count?")


def drafts(page: Page) -> list[dict[str, Any]]:
    stored = page.evaluate("({ ...localStorage })")
    return [json.loads(one) for slot, one in stored.items() if slot.startswith("draft:")]


def test_each_form_of_a_page_has_a_draft_and_each_tab_its_own(page, sheet_url):
    open_note(page).fill(NOTE)
    open_reason(page).fill(REASON)
    long_ago = (time.time() - 31 * 86_400) * 1_000
    month_old = {"name": "/of/long/ago/", "tab": "closed", "at": long_ago}
    page.evaluate("(old) => localStorage.setItem('draft:old', JSON.stringify(old))", month_old)
    page.reload()
    expect(open_note(page)).to_have_value(NOTE)
    expect(open_reason(page)).to_have_value(REASON)
    expect(page.get_by_text("You began this earlier.")).to_have_count(2)
    assert len(drafts(page)) == 2
    for draft in drafts(page):
        assert draft["account"] is True
        assert "csrfmiddlewaretoken" not in dict(draft["fields"])

    # Another tab begins with nothing; what is typed there stays there.
    tab = page.context.new_page()
    tab.goto(sheet_url)
    expect(open_note(tab)).to_have_value("")
    open_note(tab).fill("in the other tab")
    for one, note in ((page, NOTE), (tab, "in the other tab")):
        one.reload()
        expect(open_note(one)).to_have_value(note)

    # Once it is closed, the next one that opens the form goes on.
    tab.close()
    third = page.context.new_page()
    third.goto(sheet_url)
    expect(third.get_by_label("What is to be looked into?")).to_have_value("in the other tab")
    begun = third.locator("form", has=third.get_by_label("What is to be looked into?"))
    begun.get_by_role("button", name="Start afresh").click()
    expect(open_note(third)).to_have_value("")
    page.reload()
    expect(open_note(page)).to_have_value(NOTE)

    # Saved, it is gone; the other one of the page is not.
    page.get_by_role("button", name="Flag it").click()
    expect(page.locator(".done")).to_contain_text(f"Flagged: {NOTE}")
    page.goto(sheet_url)
    page.get_by_text("Flag it with another note").click()
    expect(page.get_by_label("What is to be looked into?")).to_have_value("")
    expect(open_reason(page)).to_have_value(REASON)


def test_whoever_was_signed_out_signs_in_and_finds_what_was_typed(page, sheet_url):
    open_note(page).fill(NOTE)
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.get_by_role("button", name="Flag it").click()
    page.get_by_label("E-mail address").fill("otto@thursday.example")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{sheet_url}")
    expect(open_note(page)).to_have_value(NOTE)
    page.get_by_role("button", name="Flag it").click()
    expect(page.locator(".done")).to_contain_text(f"Flagged: {NOTE}")
    assert drafts(page) == []


@pytest.mark.refusals
def test_another_token_loses_nothing(page, base_url, sheet_url):
    context, flag = page.context, page.get_by_role("button", name="Flag it")
    # Signing in, in another tab, has changed it: the form goes out with the new one.
    context.add_cookies([{"name": "csrftoken", "value": "a" * 32, "url": base_url}])
    open_reason(page).fill(REASON)
    page.get_by_role("button", name="Set it aside").click()
    expect(page.locator(".done")).to_contain_text(REASON)

    # Without any, the answer leads back to the form.
    page.goto(sheet_url)
    open_note(page).fill(NOTE)
    context.clear_cookies(name="csrftoken")
    flag.click()
    expect(page.get_by_role("heading", name="Your browser sent no cookie back")).to_be_visible()
    page.get_by_role("link", name="Open the page again").click()
    expect(open_note(page)).to_have_value(NOTE)
    flag.click()
    expect(page.locator(".done")).to_contain_text(f"Flagged: {NOTE}")
    assert Sheet.objects.get().review == "flagged"
    assert drafts(page) == []
