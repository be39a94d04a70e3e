"""An organiser looks on at an open sheet, and the table's phones follow what the organiser does."""

from __future__ import annotations

from django.conf import settings
from playwright.sync_api import expect

from sheets import actions
from sheets.models import Sheet, Table
from tests.browser.hands import BEN, BEN_ROW
from tests.browser.phone import Phone
from tests.browser.tables import Seeded
from tests.sheets.clubs import a_club, signed_in


def test_an_organiser_follows_a_sheet_and_discards_it_under_its_phones(
    sit_down, new_context, base_url
):
    club, table = a_club(), Seeded()
    Table.objects.update(club=club.club)
    Sheet.objects.update(club=club.club)
    (alice,) = sit_down(table, 1)
    laptop = new_context()
    session = signed_in(club.otto).cookies[settings.SESSION_COOKIE_NAME].value
    laptop.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": base_url}])
    otto = Phone(laptop.new_page())
    otto.page.goto(club.url(f"tables/{table.table.public_id}/live/"))
    expect(otto.state).to_have_text("live")
    alice.enter(BEN | {"hand": 1})
    otto.expect_rows([BEN_ROW])
    discarded = actions.discard_sheet(club.at(table.table), table.sheet.public_id, "Played twice")
    assert isinstance(discarded, actions.Saved)
    expect(alice.page.get_by_text("An organiser discarded this sheet")).to_be_visible()
    expect(otto.page.get_by_text("This sheet was discarded")).to_be_visible()
