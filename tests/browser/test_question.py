"""A sheet left open overnight asks what to do with it, once."""

from __future__ import annotations

import datetime

from django.utils import timezone
from playwright.sync_api import expect

from sheets.models import Round
from tests.browser.tables import EIGHT_HANDS, Seeded


def test_the_question_of_an_old_sheet_is_asked_until_it_is_answered(phone, context, base_url):
    table = Seeded(EIGHT_HANDS)
    Round.objects.update(entered_at=timezone.now() - datetime.timedelta(hours=13))
    table.let_in(context, base_url)
    question = phone.page.get_by_text("The last hand here was on")
    for _ in range(2):
        phone.page.goto(table.url())
        expect(question).to_be_visible()
    phone.page.get_by_role("button", name="Go on").tap()
    expect(question).to_be_hidden()
    phone.page.reload()
    expect(phone.page.locator("#sheet")).to_be_visible()
    expect(question).to_be_hidden()
