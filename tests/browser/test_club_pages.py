"""The pages of organisers: for screen readers, big thumbs, big letters, small screens."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.urls import URLPattern, reverse

from sheets import actions
from sheets.actions.organisers import invitation_secret
from sheets.club_urls import urlpatterns
from sheets.models import Sheet, SheetState, User
from tests.browser.problems import (
    HEIGHT,
    TAGS,
    USUAL,
    axe,
    expect_nothing,
    out_of_place,
    problems_of,
)
from tests.browser.tables import EIGHT_HANDS, LONG_NAMES, Seeded
from tests.sheets import clubs

LONG = "Anna-Katharina Emanuela von Hohenstaufen"
LAPTOP = 1280
SHARES = 4  # of the pages, each looked at by a test of its own

# What is seen before anybody has signed in.
OUTSIDE = ["account_new", "sign_in", "reset", "reset_sent", "reset_confirm", "invitation"]
OUTSIDE += ["season_published", "signed_out", "confirm_email"]
# Forms that are sent from other pages, files to save, and what only leads on.
NO_PAGES = {"sign_out", "club_role", "club_person_part", "club_person_retire", "club_person_back"}
NO_PAGES |= {"club_phone_back", "club_review", "club_reopen", "club_season_link_back"}
NO_PAGES |= {"club_season_xlsx", "club_csv", "club_xlsx", "club_json"}


@pytest.fixture
def club():
    """A club with long names in it: people, a table that plays and has played, a season."""
    at = clubs.a_club(name=LONG)
    played, plays = Seeded(EIGHT_HANDS, LONG_NAMES), Seeded(EIGHT_HANDS[:1])
    for table in (played, plays):
        at.take_in(table)
    played.end()
    for person in played.table.people.order_by("pk")[:2]:
        at.person(person.name, LONG, of=[person])
    at.club.seasons.create(
        name=LONG,
        name_key="a",
        starts="2000-01-01",
        ends="2999-12-31",
        published_id="published-season",
    )
    at.club.organisers.create(user=User.objects.create_user(f"{'x' * 60}@club.example"))
    actions.change_club(at.write(), LONG, "America/Argentina/ComodRivadavia", True, "")
    return at


def sign_in(context, base_url, user):
    """Give a browser the session of somebody who has signed in."""
    cookie = clubs.signed_in(user).cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": base_url}])


def addresses(club, secret) -> dict[str, str]:
    """Return every page of organisers by its name; a new address is in it by itself."""
    played = club.club.sheets.get(state=SheetState.BANKED)
    plays = club.club.sheets.get(state=SheetState.OPEN)
    known: dict[str, Any] = {
        "slug": club.club.slug,
        "secret": secret,
        "uidb64": "MQ",
        "token": "x-y",
        "published_id": "published-season",
        "user_id": club.otto.pk,
        "number": 1,
        "table_id": played.table.public_id,
        "sheet_id": played.public_id,
        "round_id": played.rounds.first().public_id,
        "season": club.club.seasons.get().pk,
        "person": club.club.people.first().pk,
    }
    of_open_sheets = {"club_sheet_end", "club_sheet_discard"}

    def address(pattern: URLPattern) -> str:
        name = str(pattern.name)
        wanted = {key: known.get(key) for key in pattern.pattern.converters}
        if "pk" in wanted:
            wanted["pk"] = known["season" if "season" in name else "person"]
        if name in of_open_sheets:
            wanted["sheet_id"] = plays.public_id
        if name == "club_table_live":
            wanted["table_id"] = plays.table.public_id
        return reverse(f"sheets:{name}", kwargs=wanted)

    return {str(one.name): address(one) for one in urlpatterns if one.name not in NO_PAGES}


def look(page, path: str) -> list[str]:
    """Open a page and return what is wrong with it on a phone and on a laptop."""
    page.set_viewport_size({"width": USUAL, "height": HEIGHT})
    page.goto(path)
    found = problems_of(page)
    page.set_viewport_size({"width": LAPTOP, "height": HEIGHT})
    found += [f"on a laptop: {one}" for one in out_of_place(page, LAPTOP)]
    page.set_viewport_size({"width": USUAL, "height": HEIGHT})
    return found


@pytest.mark.refusals
@pytest.mark.parametrize("nth", range(SHARES))
def test_everybody_can_read_and_tap_what_organisers_see(page, context, base_url, club, nth):
    invited = actions.invite(club.write())
    pages = addresses(club, invitation_secret(club.mara, invited.change.key))
    inside = [name for name in pages if name not in OUTSIDE]
    found = {name: look(page, pages[name]) for name in OUTSIDE[nth::SHARES]}
    sign_in(context, base_url, club.mara)
    found |= {name: look(page, pages[name]) for name in inside[nth::SHARES]}
    expect_nothing(found)


@pytest.mark.refusals
def test_forms_that_are_refused_and_the_menu_can_be_read_and_tapped(page, context, base_url, club):
    found = {}
    page.goto("/account/new/")
    page.get_by_label("Your name").fill(LONG)
    page.get_by_label("E-mail address").fill("mara@thursday.example")
    page.get_by_label("Password").fill("something else 9")
    page.get_by_role("button", name="Make the account").tap()
    page.get_by_text(re.compile("sign in, or have its password reset")).wait_for()
    found["taken"] = problems_of(page)

    sign_in(context, base_url, club.mara)
    invited = actions.invite(club.write())
    made = f"?made={invited.change.key}"
    found["invited"] = look(page, club.url("organisers/invite/") + made)
    found["narrowed"] = look(page, club.url("sheets/?state=all&odd=any"))
    page.goto(club.url())
    page.set_viewport_size({"width": LAPTOP, "height": HEIGHT})
    found["places in a line"] = axe(page, TAGS)
    page.set_viewport_size({"width": USUAL, "height": HEIGHT})
    page.locator(".menu > summary").tap()
    found["menu"] = problems_of(page)
    page.goto("/clubs/new/")
    page.get_by_label("Time zone").fill("Nowhere")
    page.get_by_role("button", name="Start the club").tap()
    page.get_by_text("Type the name of the club.").wait_for()
    found["refused"] = problems_of(page)
    expect_nothing(found)


def test_a_club_of_which_nothing_is_there_yet_says_what_to_do_next(page, context, base_url):
    club, found = clubs.a_club(name=LONG), {}
    sign_in(context, base_url, club.mara)
    says = {
        "": "No sheet is banked yet. Let somebody start a table with the club code",
        "sheets/": "Sheets come here when their matches end.",
        "open/": "While its tables play, their sheets show here",
        "seasons/": "Make the first one",
        "people/": "Add the people of the club",
        "names/": "New names show here as soon as they are on a sheet.",
        "tables/": "when somebody starts one with the club code",
        "standings/": "Nobody on the roster has played a banked sheet here yet.",
    }
    for rest, sentence in says.items():
        page.goto(club.url(rest))
        assert sentence in page.inner_text("main"), rest
        found[rest] = axe(page, TAGS)
    expect_nothing(found)
    assert not Sheet.objects.exists()
