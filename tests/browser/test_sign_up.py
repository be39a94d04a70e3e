"""From nothing to the first sheet of a club: an organiser at a laptop, players with a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from sheets.models import Club, User

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
