"""The morning after: ten sheets by the keyboard alone, then a hand that is put right."""

from __future__ import annotations

import datetime
import re

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.browser.tables import Seeded
from tests.sheets.clubs import a_club, signed_in

MADE = {"bidder": 1, "bid": 320, "trump": "hearts", "outcome": "made"}
LAPTOP = {"width": 1280, "height": 800}


@pytest.fixture
def club(db):
    return a_club()


@pytest.fixture
def page(page, base_url, club):
    """The laptop of an organiser who has signed in."""
    name = settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": signed_in(club.otto).cookies[name].value, "url": base_url}
    page.context.add_cookies([cookie])
    page.set_viewport_size(LAPTOP)
    return page


def banked(club, hands=(MADE,), names=("Alice", "Ben", "Cass")):
    table = Seeded(hands, names)
    club.take_in(table)
    table.end()
    return table


def reviews():
    return list(Sheet.objects.order_by("pk").values_list("review", flat=True))


def press(page, key):
    """Press a key as whoever has looked at the page for a moment; only approving wants that."""
    if key == "a":
        page.wait_for_timeout(450)
    page.keyboard.press(key)


def a_season(club):
    """The address of a season of these days."""
    today, day = club.club.evening(timezone.now()), datetime.timedelta(days=1)
    made = club.club.seasons.create(
        name="Now", name_key="now", starts=today - day, ends=today + day
    )
    return club.url(f"seasons/{made.pk}/")


def units_in_standings(page, season):
    page.goto(season)
    rows = page.locator(".standings tbody tr")
    return {
        who: rows.filter(has_text=who).locator("td").first.inner_text().strip()
        for who in ("Alice", "Ben E")
    }


def test_ten_sheets_by_the_keyboard_alone_then_a_hand_is_corrected(page, club):
    people = [f"Ben {letter}" for letter in "JIHGFEDCBA"]  # the newest sheet is the first
    tables = [banked(club, names=("Alice", who, "Cass")) for who in people]
    heading = page.locator("h2")
    page.goto(club.url("sheets/"))
    press(page, "n")
    expect(heading).to_contain_text("Ben A")
    for letter in "BCDE":
        press(page, "a")
        expect(heading).to_contain_text(f"Ben {letter}")
        expect(heading).to_be_focused()
    expect(page.locator(".done")).to_contain_text("Approved")
    assert "Ben E" in page.title()

    # In a field a letter is a letter, and Escape leaves it.
    page.keyboard.press("f")
    note = page.get_by_label("What is to be looked into?")
    expect(note).to_be_focused()
    page.keyboard.type("no")
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    expect(heading).to_contain_text("Ben E")
    page.keyboard.press("n")
    expect(heading).to_contain_text("Ben F")
    page.keyboard.press("p")
    expect(heading).to_contain_text("Ben E")
    page.keyboard.press("f")
    expect(note).to_have_value("no")  # kept until it is saved
    page.keyboard.press("Control+a")
    page.keyboard.type("napping at hand 1")
    page.keyboard.press("Enter")
    expect(heading).to_contain_text("Ben F")
    expect(page.locator(".done")).to_contain_text("Flagged: napping at hand 1")

    # Pressed twice in one go it approves one sheet, not the one that comes next.
    page.wait_for_timeout(450)
    page.keyboard.press("a")
    page.keyboard.press("a")
    expect(heading).to_contain_text("Ben G")
    page.keyboard.press("a")
    expect(heading).to_contain_text("Ben G")
    for letter in "HIJ":
        press(page, "a")
        expect(heading).to_contain_text(f"Ben {letter}")
    press(page, "a")
    expect(page.locator("main")).to_contain_text("Nothing to review")
    assert reviews() == ["approved"] * 5 + ["flagged"] + ["approved"] * 4

    # The flagged one: Alice had bid, not Ben.
    club.match_all()
    season = a_season(club)
    assert units_in_standings(page, season) == {"Alice": "0", "Ben E": "2"}
    page.goto(club.url("sheets/?state=flagged"))
    press(page, "n")
    expect(page.locator(".won")).to_contain_text("Ben E wins with 2")
    page.get_by_role("link", name="Correct hand 1").press("Enter")
    expect(heading).to_contain_text("Correct hand 1")
    page.get_by_role("radio", name="Alice").first.check()
    page.get_by_label("Why is it corrected?").fill("Alice bid it")
    page.keyboard.press("Enter")
    expect(page.locator(".won")).to_contain_text("Alice wins with 2")
    expect(page.locator(".hands .running").first).to_have_text("2")
    expect(page.locator(".corrected")).to_contain_text("it said Ben E 320 hearts made (0 · 2 · 0)")
    press(page, "u")
    expect(page).to_have_url(re.compile(r"\?state=flagged"))
    expect(page.locator(".inbox")).to_contain_text("Alice wins with 2")
    assert tables[5].sheet.results.get(won=True).person.name == "Alice"
    assert units_in_standings(page, season) == {"Alice": "2", "Ben E": "0"}


@pytest.mark.refusals  # a flag without a note
def test_the_keys_are_said_and_can_be_switched_off(page, club):
    banked(club)
    page.goto(club.url("sheets/"))
    press(page, "n")
    expect(page.locator("h2")).to_contain_text("Alice, Ben and Cass")
    keys = page.locator("[data-review-keys]")
    expect(keys).to_contain_text("approve")
    page.keyboard.press("?")
    expect(page.get_by_text("type why, Enter sends it")).to_be_visible()
    page.keyboard.press("f")
    page.keyboard.press("Enter")
    note = page.get_by_label("What is to be looked into?")
    expect(page.get_by_text("Say what is to be looked into.")).to_be_visible()
    expect(note).to_be_focused()
    note.press("Escape")
    for chord in ("Control+a", "Alt+a", "Shift+A"):
        press(page, chord)
    keys.get_by_role("checkbox").uncheck()
    page.locator("h2").focus()
    for key in "afu":
        press(page, key)
    page.reload()
    expect(keys.get_by_role("checkbox")).not_to_be_checked()
    press(page, "a")
    expect(note).to_be_hidden()
    page.wait_for_timeout(200)
    assert reviews() == ["to_review"]
