"""What a removed phone and somebody who only watches get to see, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.hands import BEN, CASS
from tests.browser.tables import Seeded


@pytest.mark.refusals
def test_a_removed_phone_is_out_at_once_and_told_by_whom(sit_down):
    table = Seeded([BEN])
    stays, goes = sit_down(table, phones=2)
    stays.menu("Phones at the table")
    stays.page.get_by_role("link", name="Remove").tap()
    stays.page.get_by_role("button", name="Remove").tap()
    expect(goes.page.get_by_role("heading", level=2)).to_contain_text(
        "Alice removed this phone from the table"
    )
    expect(goes.page.locator("#sheet")).to_have_count(0)


def test_whoever_watches_sees_each_hand_and_is_sent_nothing_that_grants_more(sit_down, new_phone):
    table = Seeded([BEN])
    (phone,) = sit_down(table, phones=1)
    watcher = new_phone().page
    heard = []
    watcher.on("response", lambda answer: heard.append(answer))
    watcher.goto(f"/watch/{table.table.watch_id}/")
    expect(watcher.locator("#state")).to_have_text("live")
    phone.enter(CASS | {"hand": 2})
    expect(watcher.locator(".pad .row")).to_have_count(2)
    hands = [str(row.public_id) for row in table.sheet.rounds.all()]
    sent = watcher.content() + "".join(
        answer.text() for answer in heard if "/watch/" in answer.url and answer.status == 200
    )
    for secret in (table.table.public_id, table.table.code, table.sheet.public_id, *hands):
        assert secret not in sent
    assert watcher.locator("form, [href*='/t/']").count() == 0
    assert watcher.context.cookies() == []
