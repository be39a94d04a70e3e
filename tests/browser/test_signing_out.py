"""After signing out the browser shows and keeps nothing of a club, Back and other tabs included."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.browser.tables import Seeded
from tests.browser.test_club_pages import sign_in
from tests.sheets import clubs

HALF_TYPED = {
    "draft:1:/clubs/thursday/settings/": {"account": True, "title": "Settings of the club"},
    "draft:1:sheet": {"account": False, "title": "A hand"},
    "draft:other": "no JSON",
}
KEPT = "() => Object.keys(localStorage).filter((slot) => slot.startsWith('draft:')).sort()"


def type_half(page):
    for slot, draft in HALF_TYPED.items():
        text = draft if isinstance(draft, str) else json.dumps(draft)
        page.evaluate("([slot, text]) => localStorage.setItem(slot, text)", [slot, text])


def test_nothing_of_a_club_is_left_after_signing_out(whole_context, base_url):
    club, table = clubs.a_club(), Seeded()
    club.person("Ben", "owes the bar")
    table.let_in(whole_context, base_url)
    sign_in(whole_context, base_url, club.mara)
    page, other = whole_context.new_page(), whole_context.new_page()
    signs_in = "Organisers: sign in"
    for tab in (page, other):
        tab.goto(club.url("people/"))
        expect(tab.get_by_text("owes the bar · at no table yet")).to_be_visible()
    page.get_by_role("link", name="my account").first.tap()
    expect(page.get_by_role("heading", name="My account")).to_be_visible()
    type_half(page)

    # What is half typed is named first; one may stay.
    button = page.get_by_role("button", name="Sign out", exact=True)
    button.tap()
    question = page.get_by_role("dialog")
    expect(question.get_by_role("listitem")).to_have_text(["Settings of the club"])
    question.get_by_role("button", name="Stay signed in").tap()
    expect(question).to_be_hidden()
    assert page.evaluate(KEPT) == sorted(HALF_TYPED)
    button.tap()
    question.get_by_role("button", name="Sign out and throw it away").tap()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    assert page.evaluate(KEPT) == ["draft:1:sheet", "draft:other"]

    expect(other.get_by_role("heading", name=signs_in)).to_be_visible()
    page.evaluate("history.go(-2)")
    expect(page.get_by_role("heading", name=signs_in)).to_be_visible()
    assert "owes the bar" not in page.content()
    # The phone is at its table as before.
    page.goto(table.url())
    expect(page.locator(".pad")).to_be_visible()
