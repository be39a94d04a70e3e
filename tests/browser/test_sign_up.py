"""From nothing to the first sheet of a club: an organiser at a laptop, players with a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from sheets.models import Club, Sheet, User
from tests.browser.hands import BEN
from tests.browser.phone import NAMES, Phone

LAPTOP = {"width": 1280, "height": 800}


def sign_up(page: Page, name: str = "Mara", email: str = "mara@club.example") -> None:
    """Make an account from the first page on; it leads to starting a club."""
    page.goto("/")
    page.get_by_role("link", name="Organisers: sign in").click()
    page.get_by_role("link", name="Make an account").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_role("heading", name="Start a club")).to_be_visible()


def start_club(page: Page, name: str = "Thursday Club") -> str:
    """Start a club with what the page offers, and return the code it shows."""
    page.get_by_label("Name of the club").fill(name)
    page.get_by_role("button", name="Start the club").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page.locator(".code").inner_text().strip()


@pytest.mark.refusals
def test_somebody_signs_up_and_has_a_club_with_a_code(new_context):
    page = new_context().new_page()
    page.set_viewport_size(LAPTOP)
    sign_up(page)
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")

    # What is wrong is said by the server, and the clock that was chosen stays.
    page.get_by_label("Time zone").fill("asia/tokyo")
    page.get_by_role("button", name="Start the club").click()
    expect(page.get_by_text("Type the name of the club.")).to_be_visible()
    expect(page.get_by_label("Time zone")).to_have_value("asia/tokyo")

    code = start_club(page)
    club = Club.objects.get()
    assert (club.name, club.slug, club.code) == ("Thursday Club", "thursday-club", code)
    assert club.time_zone == "Asia/Tokyo"
    assert club.organisers.get().user == User.objects.get(email="mara@club.example")
    expect(page.get_by_text("No sheet is banked yet")).to_be_visible()

    # Everybody else is one link away.
    page.get_by_role("link", name="Organisers").first.click()
    page.get_by_role("link", name="Invite an organiser").click()
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("[data-share]")).to_be_visible()
    path = page.locator(".address").get_attribute("href")
    assert path is not None

    guest = new_context().new_page()
    guest.goto(path[path.index("/invitations/") :])
    guest.get_by_role("link", name="Make an account").tap()
    guest.get_by_label("Your name").fill("Otto")
    guest.get_by_label("E-mail address").fill("otto@club.example")
    guest.get_by_label("Password").fill("battery staple 9")
    guest.get_by_role("button", name="Make the account").tap()
    guest.get_by_role("button", name="Yes, I do").tap()
    expect(guest.locator(".code")).to_have_text(code)
    assert club.organisers.count() == 2


def test_somebody_signs_up_and_the_first_sheet_of_the_club_comes_in(new_context):
    laptop = new_context().new_page()
    laptop.set_viewport_size(LAPTOP)
    sign_up(laptop)
    code = start_club(laptop)

    # The table is the club's by the code that its organiser read out.
    alice = Phone(new_context().new_page())
    alice.page.goto("/tables/new/")
    alice.fill_in_seats(NAMES, dealer=0)
    alice.page.get_by_text("Played in a club?").tap()
    alice.page.get_by_label("Club code").fill(code)
    alice.page.get_by_label("This is the phone of player 1").tap()
    alice.page.get_by_role("button", name="Start").tap()
    expect(alice.page.locator(".pad .empty")).to_be_visible()
    alice.enter(BEN | {"hand": 1})

    places = laptop.get_by_role("navigation", name="Club")
    places.get_by_role("link", name="Open sheets").click()
    expect(laptop.locator(".roster")).to_contain_text("Ben 2, Alice 0, Cass 0")

    alice.menu("End match")
    alice.page.get_by_role("button", name="Bank this sheet").tap()
    expect(alice.page.get_by_text("Ben wins with 2")).to_be_visible()

    places.get_by_role("link", name="Review").click()
    laptop.get_by_role("link", name="Alice, Ben and Cass").click()
    expect(laptop.locator(".verdict")).to_contain_text("Ben wins with 2")
    expect(laptop.locator(".hands")).to_contain_text("Ben 320")
    laptop.get_by_role("link", name="Thursday Club").click()
    expect(laptop.get_by_role("link", name="to review")).to_contain_text("1")

    # Who they are is said once; the roster and the standings follow.
    laptop.get_by_role("link", name="names to match").click()
    expect(laptop.get_by_role("combobox")).to_have_count(3)
    for name in NAMES:
        laptop.get_by_label(name).select_option("new")
    laptop.get_by_role("button", name="Save who they are").click()
    expect(laptop.get_by_text("Everybody at the club's tables is somebody")).to_be_visible()
    places.get_by_role("link", name="People").click()
    for name in NAMES:
        expect(laptop.get_by_role("link", name=name, exact=True)).to_be_visible()
    places.get_by_role("link", name="Standings").click()
    laptop.get_by_role("link", name="Standings of all sheets ever").click()
    expect(laptop.locator(".standings tbody tr").first).to_contain_text("Ben")
    assert Sheet.objects.get().club == Club.objects.get()
