"""A file is chosen once: what it would add is shown, and one more press adds exactly that."""

from __future__ import annotations

import pathlib

import pytest
from django.conf import settings
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.sheets.clubs import a_club, signed_in

SAMPLE = pathlib.Path(__file__).parents[1] / "data" / "club_format_1.json"


@pytest.mark.refusals
def test_a_file_is_looked_at_and_imported_without_choosing_it_twice(context, base_url, tmp_path):
    cookie = signed_in(a_club().otto).cookies[settings.SESSION_COOKIE_NAME]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": base_url}])
    page = context.new_page()
    page.goto("/clubs/thursday/files/import/")
    wrong = tmp_path / "wrong.json"
    wrong.write_text(SAMPLE.read_text().replace('"trump": "hearts"', '"trump": "leaves"'))
    page.get_by_label("A JSON or CSV file").set_input_files(wrong)
    page.get_by_role("button", name="See what it would add").click()
    expect(page.locator(".mistakes")).to_contain_text("rounds[0]")
    page.get_by_label("A JSON or CSV file").set_input_files(SAMPLE)
    page.get_by_role("button", name="See what it would add").click()
    expect(page.get_by_role("heading", name="Would be added: 1 sheet")).to_be_visible()
    assert not Sheet.objects.exists()
    page.get_by_role("button", name="Import exactly this").click()
    expect(page.get_by_role("status")).to_have_text("Otto imported 1 sheet.")
    assert Sheet.objects.get().state == "banked"
