"""What a browser shows that knows neither :has() nor light-dark()."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.tables import playing

TRANSPARENT = "rgba(0, 0, 0, 0)"


def forget_new_selectors(route: Route) -> None:
    """Serve a style sheet in which what an old browser drops is dropped: rules it can't read."""
    answer = route.fetch()
    css = answer.text().replace(":has(", ":unheard-of(").replace("light-dark(", "unheard-of(")
    route.fulfill(response=answer, body=css.replace("selector(", "unheard-of("))


def colour_of(locator) -> str:
    colour: str = locator.evaluate("it => getComputedStyle(it).backgroundColor")
    return colour


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_old_tablet_shows_what_is_chosen_and_says_what_it_cannot_fold(
    phone, context, base_url, scheme
):
    table = playing()
    table.let_in(context, base_url)
    page = phone.page
    page.emulate_media(color_scheme=scheme)
    page.route(re.compile(r"\.css"), forget_new_selectors)
    page.goto(table.url())
    page.locator(".menu > summary").tap()
    assert colour_of(page.locator(".menu nav")) != TRANSPARENT
    page.locator(".menu > summary").tap()
    phone.open_entry()
    expect(page.get_by_text("This browser is too old to fold the form")).to_be_visible()
    chosen = phone.chip("Who bid?", "Ben")
    chosen.tap()
    assert colour_of(chosen) != colour_of(phone.chip("Who bid?", "Cass")) == TRANSPARENT
    phone.fill_in_hand({"bid": 320, "trump": "hearts", "outcome": "made"})
    phone.save_button.tap()
    page.locator(".saved", has_text="Hand 9 is saved.").wait_for()
