"""Every page and every state of it: for screen readers, big thumbs, big letters, small screens."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from rules import auction
from sheets import actions, codes
from sheets.models import Member, Table
from tests.browser.phone import Phone
from tests.browser.tables import EIGHT_HANDS, Seeded

NARROW, USUAL, HEIGHT = 320, 390, 844
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
IN_THE_DARK = ["color-contrast", "link-in-text-block"]  # what colours alone decide
RUN_AXE = """async (tagsOrRules) => {
  const options = { runOnly: tagsOrRules, resultTypes: ["violations"], preload: false };
  const menu = document.querySelector(".menu[open]");
  const found = await axe.run(menu ? { exclude: ["#sheet"] } : document, options);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}"""

# What is wider than the screen, down to the elements that stick out on the right.
TOO_WIDE = """(width) => {
  const root = document.documentElement;
  if (root.scrollWidth <= width) return [];
  const out = [...document.body.querySelectorAll("*")].filter((one) =>
    one.checkVisibility() && one.getBoundingClientRect().right > width + 1);
  const inner = out.filter((one) => !out.some((other) => other !== one && one.contains(other)));
  const shown = inner.filter((one) => !one.closest(".sr")).slice(0, 3);
  return [`${root.scrollWidth} px wide`, ...shown.map((one) =>
    `${one.localName}.${one.className} in .${one.parentElement.className} sticks out`)];
}"""

# How high an area takes a tap for each thing to tap, whatever draws it: found by trying the points
# above and below its middle. Links in running text are exempt; names on the pad and the dealer's
# mark lead to pages that the menu leads to as well, and may be smaller.
TOO_LOW = """() => {
  const inText = (link) => {
    const around = link.matches("a") && link.closest("p, li, caption");
    return around && getComputedStyle(link).display === "inline" &&
      around.textContent.trim() !== link.textContent.trim();
  };
  const taken = (one) => {
    one.scrollIntoView({ block: "center" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = (at) => one.contains(document.elementFromPoint(x, at));
    let [up, down] = [0, 0];
    while (up < 60 && hit(y - up)) up++;
    while (down < 60 && hit(y + down)) down++;
    return up + down;
  };
  const fields = "input:not([type=radio], [type=checkbox], [type=hidden])";
  const taps = `a, button, summary, select, ${fields}`;
  // An open menu covers the rest, and so does a dialog.
  const top = document.querySelector(".menu[open], dialog[open]") ?? document;
  return [...top.querySelectorAll(`${taps}, label:has(input, select)`)]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1 && !inText(one))
    .map((one) => [one, taken(one), one.matches(".name, .mark") ? 24 : 44])
    .filter(([, high, least]) => high < least - 1)
    .map(([one, high]) =>
      `${one.localName}.${one.className} in .${one.parentElement.className}: ${high} px`);
}"""

# A phone zooms in on a field with smaller letters, and out again never.
TYPED_INTO = "input:not([type=radio], [type=hidden]), select"
TOO_SMALL_TO_TYPE = """(typedInto) => [...document.querySelectorAll(typedInto)]
  .filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < 16)
  .map((one) => one.name)"""

# Numbers of the pad whose digits reach out of their own column.
OUT_OF_COLUMN = """() => [...document.querySelectorAll(".pad .total, .row td")].filter((one) => {
  const digits = document.createRange();
  digits.selectNodeContents(one);
  const [inner, column] = [digits, one.closest("th, td")].map((it) => it.getBoundingClientRect());
  return inner.left < column.left - 0.5 || inner.right > column.right + 0.5;
}).map((one) => one.textContent)"""


def playing() -> Seeded:
    return Seeded(EIGHT_HANDS)


def banked() -> Seeded:
    return Seeded(EIGHT_HANDS, banked=True)


def one_taken_back() -> Seeded:
    table = playing()
    table.take_back(8)
    return table


def asking() -> Seeded:
    table = playing()
    table.ask_each_other()
    return table


LONG_NAMES = (
    "Wolfeschlegelsteinhausenbergerdorffwelth",
    "Anna Maria Theresia Wilhelmine von Bergh",
    "W" * 40,
)
# As high as totals get: an evening of lost 600s in spades.
BIG_HANDS = ({"bidder": 2, "bid": 600, "trump": "spades", "outcome": "set"},) * 12


def four() -> Seeded:
    """Four columns, long names, big numbers, and a seat that somebody else has taken over."""
    house = auction.HouseRules(fourth=auction.Fourth.COLUMN)
    hands = (BIG_HANDS[0], {"kind": "passed_out"}) * 2
    table = Seeded(hands, (*LONG_NAMES, "D" * 40), house=house)
    table.leave(3, "E" * 40)
    return table


def start_with_four(phone: Phone, table: Seeded) -> None:
    phone.page.goto("/tables/new/")
    phone.choose_four()


def address(rest: str = "") -> Callable[[Phone, Seeded], Any]:
    """A page of the table as it opens."""
    return lambda phone, table: phone.page.goto(table.url(rest))


def hand(number: int, rest: str = "") -> Callable[[Phone, Seeded], Any]:
    return lambda phone, table: phone.page.goto(table.hand_url(number, rest))


def outside(path: str) -> Callable[[Phone, Seeded], Any]:
    return lambda phone, table: phone.page.goto(path)


def entry(**filled_in: Any) -> Callable[[Phone, Seeded], Any]:
    """The sheet with the entry form open, as far as it is filled in; one that lies open goes on."""

    def look(phone: Phone, table: Seeded) -> None:
        if not phone.page.locator("form.hand").is_visible():
            phone.page.goto(table.url())
            phone.open_entry()
        phone.fill_in_hand(filled_in)

    return look


def entry_with_more_bids(phone: Phone, table: Seeded) -> None:
    entry(bidder=0)(phone, table)
    phone.chip("Bid", "more").tap()
    expect(phone.page.get_by_label("Another bid")).to_be_visible()


def refused_entry(phone: Phone, table: Seeded) -> None:
    entry(bidder=1)(phone, table)
    phone.save_button.tap()
    expect(phone.page.get_by_text("Choose the bid.")).to_be_visible()


def refused_count(phone: Phone, table: Seeded) -> None:
    entry(by="count", bidder=1, bid=320, trump="hearts", meld_points=-5, trick_points="x")(
        phone, table
    )
    phone.save_button.tap()
    expect(phone.page.get_by_text("is not a number")).to_be_visible()


def refused_numbers(phone: Phone, table: Seeded) -> None:
    entry(by="numbers", units=["1.5", "", 2])(phone, table)
    phone.save_button.tap()
    expect(phone.page.get_by_text("Whole numbers only")).to_be_visible()


def doubted_entry(phone: Phone, table: Seeded) -> None:
    entry(by="numbers", units=[3, 0, 1])(phone, table)
    phone.save_button.tap()
    expect(phone.page.get_by_role("button", name="Yes, save it as it is")).to_be_visible()


def stale_entry(phone: Phone, table: Seeded) -> None:
    entry(by="passed")(phone, table)
    table.enter({"kind": "passed_out"}, phone=table.other_phone())
    phone.save_button.tap()
    expect(phone.page.get_by_text("Somebody else was quicker.")).to_be_visible()


def somebody_elses_number(phone: Phone, table: Seeded) -> None:
    phone.page.goto(table.url())
    phone.page.locator(".whose summary").tap()
    expect(phone.group("Whose number")).to_be_visible()


def refused_number(phone: Phone, table: Seeded) -> None:
    somebody_elses_number(phone, table)
    phone.page.get_by_label("Number in hand").fill("x")
    phone.page.locator(".number .save").tap()
    expect(phone.page.get_by_text("is not a number")).to_be_visible()


def without_network(phone: Phone, table: Seeded) -> None:
    phone.page.goto(table.url())
    phone.go_offline()
    phone.queue_up(MADE)
    phone.queue_up({"by": "numbers", "units": [4, 0, 4]})
    phone.waiting.nth(1).get_by_role("button", name="Take back").tap()
    expect(phone.waiting).to_have_count(3)


def hand_without_network(phone: Phone, table: Seeded) -> None:
    phone.page.locator(".line a").first.tap()
    expect(phone.page.get_by_role("dialog")).to_be_visible()


def news(phone: Phone, table: Seeded) -> None:
    phone.page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    table.enter({"kind": "passed_out"}, phone=table.other_phone())
    phone.go_online()
    expect(phone.page.get_by_role("alert")).to_be_visible()
    phone.page.goto(table.url())
    expect(phone.waiting.nth(0)).to_contain_text("Somebody else was quicker.")
    table.enter({"kind": "passed_out"}, phone=table.other_phone())
    expect(phone.page.locator("#news")).not_to_be_empty()


def open_menu(phone: Phone, table: Seeded) -> None:
    phone.page.goto(table.url())
    phone.page.locator(".menu > summary").tap()
    expect(phone.page.get_by_role("link", name="History")).to_be_visible()


def just_saved(phone: Phone, table: Seeded) -> None:
    phone.page.goto(table.url(f"?saved={table.rounds[-1].public_id}"))
    expect(phone.page.locator(".saved")).to_be_visible()


def refused_start(phone: Phone, table: Seeded) -> None:
    phone.page.goto("/tables/new/")
    phone.fill_in_seats(["Ben", "ben", ""], dealer=1)
    phone.page.get_by_role("button", name="Start").tap()
    expect(phone.page.get_by_text("Type a name.")).to_be_visible()


def house_rules(phone: Phone, table: Seeded) -> None:
    phone.page.goto("/tables/new/")
    phone.page.locator(".fold > summary").first.tap()
    expect(phone.page.get_by_text("Spades double both.")).to_be_visible()


def every_rule(phone: Phone, table: Seeded) -> None:
    phone.page.goto(table.url("rules/"))
    phone.page.get_by_text("Change a rule").tap()
    expect(phone.page.get_by_label("Lowest bid")).to_be_visible()


def refused_names(phone: Phone, table: Seeded) -> None:
    phone.page.goto(table.url("names/"))
    phone.page.get_by_label("Player 2").fill("Alice")
    phone.page.get_by_role("button", name="Save names").tap()
    expect(phone.page.get_by_text("There is already a")).to_be_visible()


def refused_seats(phone: Phone, table: Seeded) -> None:
    phone.page.goto(table.url("names/"))
    phone.page.get_by_role("combobox", name="Ben").select_option("1")
    phone.page.get_by_role("button", name="Save seats").tap()
    expect(phone.page.get_by_text("can't sit in one place")).to_be_visible()


def wrong_code(phone: Phone, table: Seeded) -> None:
    phone.page.goto("/")
    phone.page.get_by_label("Join with a code").fill("000000")
    phone.page.get_by_role("button", name="Join").tap()
    expect(phone.page.get_by_text("No table has this code.")).to_be_visible()


def joining(phone: Phone, table: Seeded) -> None:
    phone.page.goto(f"/join/{table.table.code}")


def asked_for_a_seat(rest: str = "") -> Callable[[Phone, Seeded], Any]:
    """A page while a phone asks for the seat of the first player and another one was removed."""

    def look(phone: Phone, table: Seeded) -> None:
        removed, asking = (codes.phone_hash(codes.new_phone()) for _ in range(2))
        for who, person in ((removed, None), (asking, table.players[0].person_id)):
            write = actions.Write(table=table.table.pk, key=uuid.uuid4(), seen=0, phone=who)
            actions.join(write, person)
        number = Member.objects.get(phone=removed).number
        write = actions.Write(table=table.table.pk, key=uuid.uuid4(), seen=0, phone=table.phone)
        actions.remove_phone(write, number)
        phone.page.goto(table.url(rest))

    return look


def watching(phone: Phone, table: Seeded) -> None:
    phone.page.goto(f"/watch/{Table.objects.get(pk=table.table.pk).watch_id}/")


def phone_link(phone: Phone, table: Seeded) -> None:
    phone.page.goto("/phone/")
    phone.page.get_by_role("button", name="Make a link").tap()
    expect(phone.page.get_by_role("img", name="QR code of the address")).to_be_visible()


def sheet_page(rest: str = "") -> Callable[[Phone, Seeded], Any]:
    """The page of a sheet that may be banked."""
    return lambda phone, table: phone.page.goto(table.url(f"{table.sheet.public_id}/{rest}"))


def aid_over_a_hand(phone: Phone, table: Seeded) -> None:
    entry(by="count")(phone, table)
    phone.page.get_by_role("link", name="Count the tricks").tap()
    dialog = phone.page.get_by_role("dialog")
    dialog.get_by_label("the bidder").tap()
    expect(dialog.get_by_role("button", name="Use 10")).to_be_visible()


FULL_HAND = "AS+KS+QS+AH+KH+QH+AD+10D+KD+QD+JD+9D+AC+KC+QC"
MADE = {"bidder": 1, "bid": 320, "trump": "hearts", "outcome": "made"}
# Who is at the table, and what there is to see.
LOOKS = {
    "by strangers": (None, {
        "home": outside("/"),
        "start": outside("/tables/new/"),
        "house rules": house_rules,
        "join": joining,
    }),
    "guide": (Seeded, {
        "guide": outside("/guide/auction-pinochle/"),
        "melds": outside(f"/guide/auction-pinochle/melds/?cards={FULL_HAND}"),
        "melds by name": outside("/guide/auction-pinochle/melds/?by=names&melds=run&trump=clubs"),
        "odds": outside("/guide/auction-pinochle/odds/?bid=320&trump=spades&estimate=40&useful=2"),
        "over a hand": aid_over_a_hand,
    }),
    "turned away": (None, {
        "wrong code": wrong_code,
        "start": refused_start,
        "private": outside("/t/nobody/"),
        "no page": outside("/nowhere/"),
    }),
    "before the first hand": (Seeded, {
        "home": outside("/"),
        "sheet": address(),
        "end": address("end/"),
        "evenings": address("evenings/"),
    }),
    "sheet": (playing, {
        "sheet": address(),
        "hand saved": just_saved,
        "menu": open_menu,
    }),
    "entry": (playing, {
        "nothing chosen": entry(),
        "spelled out": entry(**MADE),
        "thrown in by the dealer": entry(bidder=2, outcome="thrown_in"),
        "more bids": entry_with_more_bids,
        "counted": entry(by="count"),
        "numbers": entry(by="numbers"),
        "passed out": entry(by="passed"),
    }),
    "four": (four, {
        "start": start_with_four,
        "sheet": address(),
        "numbers": entry(by="numbers"),
        "deals": address("dealer/"),
        "a fourth": address("fourth/"),
        "leave": address("leave/"),
        "edit": hand(1, "edit/"),
    }),
    "refused entry": (playing, {
        "result": refused_entry,
        "numbers": refused_numbers,
        "doubted": doubted_entry,
        "somebody was quicker": stale_entry,
        "count": refused_count,
    }),
    "asking each other": (asking, {
        "sheet": address(),
        "somebody else's number": somebody_elses_number,
        "half hand and the next": entry(),
        "half hand": hand(10),
        "hand to confirm": hand(9),
        "settings": address("settings/"),
        "house rules": every_rule,
        "end": address("end/"),
    }),
    "refused number": (asking, {"number": refused_number}),
    "without network": (playing, {
        "waiting": without_network,
        "a hand": hand_without_network,
        "a held one, and news": news,
    }),
    "hand": (playing, {
        "hand": hand(1),
        "counted": hand(3),
        "typed": hand(6),
        "edit": hand(1, "edit/"),
        "edit, counted": hand(3, "edit/"),
        "edit, typed": hand(6, "edit/"),
        "forgotten": hand(2, "before/"),
    }),
    "hand taken back": (one_taken_back, {
        "sheet": just_saved,
        "hand": hand(8),
    }),
    "table": (playing, {
        "dealer": address("dealer/"),
        "names and seats": address("names/"),
        "share": address("share/"),
        "history": address("history/"),
        "end": address("end/"),
        "privacy": address("privacy/"),
        "delete": address("delete/"),
    }),
    "phones": (playing, {
        "share": address("share/"),
        "code": address("code/"),
        "somebody asks": asked_for_a_seat(),
        "phones": asked_for_a_seat("phones/"),
        "remove": address("phones/2/remove/"),
        "leave": address("phones/1/remove/"),
        "watch": watching,
        "link": phone_link,
    }),
    "refused names": (playing, {
        "names": refused_names,
        "seats": refused_seats,
    }),
    "banked": (banked, {
        "result": address(),
        "sheet": sheet_page(),
        "hand": hand(2),
        "paper": sheet_page("paper/"),
        "again": address("again/"),
        "evenings": address("evenings/"),
    }),
}  # fmt: skip
REFUSED = {
    "turned away",
    "refused entry",
    "refused names",
    "refused number",
    "without network",
}


def axe(page: Page, tags_or_rules: list[str]) -> list[str]:
    """What axe finds; it is handed in by the debugger, past the content policy."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(RUN_AXE, tags_or_rules)
    return found


def problems_of(page: Page) -> list[str]:
    """Everything that is wrong with what the page shows, at both widths and with big letters.

    Axe looks at the narrow page only: what it looks for does not depend on the width.
    """
    found: dict[str, list[str]] = {}
    page.emulate_media(color_scheme="light")
    # On a narrow page words wrap, which only makes what is tapped higher.
    found["too low to tap"] = page.evaluate(TOO_LOW)
    found["too small to type"] = page.evaluate(TOO_SMALL_TO_TYPE, TYPED_INTO)
    for width in (USUAL, NARROW):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found[f"at {width} px"] = out_of_place(page, width)
    found["axe in the light"] = axe(page, TAGS)
    page.emulate_media(color_scheme="dark")
    found["axe in the dark"] = axe(page, IN_THE_DARK)
    page.set_viewport_size({"width": USUAL, "height": HEIGHT})
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    found["at 200 %"] = out_of_place(page, USUAL)
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    return [f"{where}: {what}" for where, all_there in found.items() for what in all_there]


def out_of_place(page: Page, width: int) -> list[str]:
    found: list[str] = page.evaluate(TOO_WIDE, width)
    return found + [f"{digits} out of its column" for digits in page.evaluate(OUT_OF_COLUMN)]


def expect_nothing(found: dict[str, list[str]]) -> None:
    """Fail with one line for each kind of problem, not for each place where it shows."""
    lines = {f"{name}: {problem}": None for name, ones in found.items() for problem in ones}
    assert not lines, "\n".join(["", *lines])


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


def out_of_place_at_both_widths(page: Page) -> list[str]:
    found = []
    for width in (USUAL, NARROW):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found += [f"at {width} px: {one}" for one in out_of_place(page, width)]
    return found


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
