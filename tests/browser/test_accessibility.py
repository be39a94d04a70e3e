"""Every page and every state of it: for screen readers, big thumbs, big letters, small screens."""

from __future__ import annotations

import pytest

from tests.browser.looks import LOOKS, MADE, REFUSED, entry
from tests.browser.problems import (
    HEIGHT,
    USUAL,
    expect_nothing,
    out_of_place_at_both_widths,
    problems_of,
)
from tests.browser.tables import BIG_HANDS, EIGHT_HANDS, LONG_NAMES, Seeded


@pytest.mark.parametrize(
    "looks",
    [pytest.param(name, marks=[pytest.mark.refusals] if name in REFUSED else []) for name in LOOKS],
)
@pytest.mark.no_network
def test_everybody_can_read_and_tap(phone, context, base_url, looks):
    seed, all_looks = LOOKS[looks]
    table = seed() if seed else Seeded()
    if seed:
        table.let_in(context, base_url)
    found = {}
    for name, look in all_looks.items():
        phone.page.set_viewport_size({"width": USUAL, "height": HEIGHT})
        look(phone, table)
        found[name] = problems_of(phone.page)
    expect_nothing(found)


@pytest.mark.parametrize("is_banked", [False, True], ids=["open", "banked"])
def test_names_of_forty_letters_push_nothing_out_of_its_place(phone, context, base_url, is_banked):
    assert {len(name) for name in LONG_NAMES} == {40}
    table = Seeded(EIGHT_HANDS + BIG_HANDS, LONG_NAMES, banked=is_banked)
    sheet, last = table.sheet.public_id, table.rounds[-1].public_id
    if is_banked:
        pages = ["", "again/", "evenings/", f"{sheet}/", f"{sheet}/paper/"]
    else:
        pages = ["", "hands/new/", "dealer/", "names/", "share/", "history/", "end/"]
        pages += ["phones/", "phones/1/remove/"]
        pages += [f"hands/{last}/{rest}" for rest in ("", "edit/", "before/")] + [f"?saved={last}"]
    found = {}
    phone.page.goto(f"/join/{table.table.code}")
    found["join"] = out_of_place_at_both_widths(phone.page)
    table.let_in(context, base_url)
    phone.page.goto("/")
    found["home"] = out_of_place_at_both_widths(phone.page)
    for rest in pages:
        phone.page.goto(table.url(rest))
        found[rest] = out_of_place_at_both_widths(phone.page)
    expect_nothing(found)


def test_long_names_stay_in_the_entry_form(phone, context, base_url):
    table = Seeded(EIGHT_HANDS, LONG_NAMES)
    table.let_in(context, base_url)
    found = {}
    for name, filled_in in {"result": MADE, "numbers": {"by": "numbers"}}.items():
        entry()(phone, table)
        phone.fill_in_hand(filled_in, LONG_NAMES)
        found[name] = out_of_place_at_both_widths(phone.page)
    expect_nothing(found)
