"""The pages of organisers: for screen readers, big thumbs, big letters, small screens."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from sheets import actions
from sheets.actions.organisers import invitation_secret
from sheets.models import Sheet, Table, User
from tests.browser.problems import HEIGHT, USUAL, expect_nothing, problems_of
from tests.browser.tables import banked
from tests.sheets import clubs

LONG = "Anna-Katharina Emanuela von Hohenstaufen"

OUTSIDE = ["/account/new/", "/account/sign-in/", "/account/reset/", "/account/reset/sent/"]
OUTSIDE += ["/account/reset/MQ/x-y/", "/invitations/{secret}/"]
INSIDE = ("/account/", "/account/password/", "/clubs/", "/clubs/new/", "/clubs/thursday/")
OF_THE_CLUB = ["settings/", "code/", "history/", "organisers/", "organisers/invite/"]
OF_THE_CLUB += ["organisers/{mara}/remove/", "organisers/{otto}/remove/"]


@pytest.fixture
def club(context, base_url):
    """A club with long names in it, a banked sheet and a season."""
    at = clubs.a_club(name=LONG)
    table = banked().table
    Table.objects.filter(pk=table.pk).update(club=at.club)
    Sheet.objects.filter(table=table).update(club=at.club)
    at.club.seasons.create(name=LONG, name_key="a", starts="2000-01-01", ends="2999-12-31")
    at.club.organisers.create(user=User.objects.create_user(f"{'x' * 60}@club.example"))
    actions.change_club(at.write(), LONG, "America/Argentina/ComodRivadavia", True)
    return at


def sign_in(context, base_url, user):
    """Give a browser the session of somebody who has signed in."""
    cookie = clubs.signed_in(user).cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": base_url}])


@pytest.mark.refusals
def test_everybody_can_read_and_tap_what_organisers_see(phone, context, base_url, club):
    page, found = phone.page, {}
    invited = actions.invite(club.write())
    known = {
        "secret": invitation_secret(club.mara, invited.change.key),
        "mara": club.mara.pk,
        "otto": club.otto.pk,
    }

    def look(path):
        page.set_viewport_size({"width": USUAL, "height": HEIGHT})
        page.goto(path.format(**known))
        found[path] = problems_of(page)

    for path in OUTSIDE:
        look(path)
    page.goto("/account/new/")
    page.get_by_label("Your name").fill(LONG)
    page.get_by_label("E-mail address").fill("mara@thursday.example")
    page.get_by_label("Password").fill("something else 9")
    page.get_by_role("button", name="Make the account").tap()
    page.get_by_text(re.compile("sign in, or have its password reset")).wait_for()
    found["taken"] = problems_of(page)

    sign_in(context, base_url, club.mara)
    for path in (*INSIDE, *(club.url(rest) for rest in OF_THE_CLUB)):
        look(path)
    look(club.url("organisers/invite/") + f"?made={invited.change.key}")
    look(club.url())
    page.locator(".menu > summary").tap()
    found["menu"] = problems_of(page)
    page.goto("/clubs/new/")
    page.get_by_label("Time zone").fill("Nowhere")
    page.get_by_role("button", name="Start the club").tap()
    page.get_by_text("Type the name of the club.").wait_for()
    found["refused"] = problems_of(page)
    expect_nothing(found)
