"""The sheet on paper: an evening fits on one page."""

from __future__ import annotations

import re

import pytest

from tests.browser.tables import Seeded

HAND = {"bidder": 1, "bid": 550, "trump": "spades", "outcome": "thrown_in"}
MARGINS = dict.fromkeys(("top", "right", "bottom", "left"), "1cm")


@pytest.mark.parametrize("hands", [24, 40])
def test_an_evening_prints_on_one_page(phone, context, base_url, hands):
    table = Seeded((HAND,) * hands, banked=True)
    table.let_in(context, base_url)
    phone.page.goto(table.url(f"{table.sheet.public_id}/paper/"))
    for paper in ("A4", "Letter"):
        printed = phone.page.pdf(format=paper, margin=MARGINS)
        assert (paper, len(re.findall(rb"/Type\s*/Page\b", printed))) == (paper, 1)
