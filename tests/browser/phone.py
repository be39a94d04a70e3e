"""What people do with a phone at the table, tap by tap, and what they read off it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

NAMES = ("Alice", "Ben", "Cass")
OUTCOMES = {"made": "Made", "set": "Set", "thrown_in": "Thrown in"}
COUNTS = {"meld_points": "Melds", "trick_points": "Tricks"}
DOORS = {"count": "Count it", "numbers": "Just the numbers", "passed": "Passed out"}

# A zero is drawn as a dot and read out as 0.
READ_PAD = """() => [...document.querySelectorAll(".pad tbody:has(.row)")].map((hand) => ({
  number: Number(hand.querySelector(".no").textContent),
  said: hand.querySelector(".line a").innerText.replace(/\\s+/g, " ").trim(),
  row: [...hand.querySelectorAll(".row td")].map((cell) =>
    Number((cell.querySelector(".sr") ?? cell).textContent)),
}))"""

IS_KEPT = """async (path) => {
  const kept = async () => (await caches.open("pages")).match(path);
  while (!navigator.serviceWorker.controller || !(await kept()))
    await new Promise((resolve) => setTimeout(resolve, 50));
}"""


class Phone:
    """One phone and the page it has open."""

    def __init__(self, page: Page) -> None:
        self.page = page

    # Getting to a table.

    def start_table(self, names: Sequence[str] = NAMES, *, dealer: int = 0, mine: int = 0) -> None:
        """Start a table from the first page and wait for its empty sheet."""
        self.page.goto("/")
        self.page.get_by_role("link", name="Start a table").tap()
        self.fill_in_seats(names, dealer=dealer)
        self.page.get_by_label(f"This is the phone of player {mine + 1}").tap()
        self.page.get_by_role("button", name="Start").tap()
        expect(self.page.locator(".pad .empty")).to_have_text(
            f"{names[dealer]} deals. The first hand goes here."
        )

    def fill_in_seats(self, names: Sequence[str], *, dealer: int) -> None:
        for number, name in enumerate(names, start=1):
            self.page.get_by_label(f"Player {number}", exact=True).fill(name)
        self.page.get_by_label(f"Player {dealer + 1} deals first").tap()

    def choose_four(self) -> None:
        """Take up, on the page that starts a sheet, the rules with a fourth off the sheet."""
        self.page.locator(".fold > summary").first.tap()
        self.page.get_by_role("button", name="Four at the table").tap()
        expect(self.page.get_by_label("Player 4 has no column")).to_be_visible()

    def join(self, code: str, name: str) -> None:
        """Join with a code that was read out, and say who this is."""
        self.page.goto("/")
        self.page.get_by_label("Join with a code").fill(code)
        self.page.get_by_role("button", name="Join").tap()
        self.page.get_by_role("group", name="Whose phone is this?").get_by_label(name).tap()
        self.page.get_by_role("button", name="Join").tap()
        expect(self.page.locator("#sheet")).to_be_visible()

    def menu(self, entry: str) -> None:
        self.page.locator(".menu > summary").tap()
        self.page.get_by_role("navigation").get_by_role("link", name=entry).tap()

    def back_to_sheet(self) -> None:
        self.page.get_by_role("link", name="Back to the sheet").tap()
        expect(self.page.locator("#sheet")).to_be_visible()

    # Entering a hand.

    def open_entry(self) -> None:
        """Open the form below the sheet, unless it lies open."""
        if self.page.locator("#entry:not([open])").count():
            self.page.locator("#entry > summary").tap()
        expect(self.page.locator("form.hand")).to_be_visible()

    def group(self, asks: str) -> Locator:
        """A group of chips, by the words above it; an error may follow them."""
        return self.page.get_by_role("group", name=re.compile(f"^{re.escape(asks)}"))

    def chip(self, asks: str, value: str | int) -> Locator:
        """One of the chips below a question, by what it says first."""
        says = re.compile(rf"^{re.escape(str(value))}\b")
        return self.group(asks).get_by_role("radio", name=says)

    def door(self, by: str) -> None:
        """Go through a door of the form; the one that lies open has no handle."""
        if not self.page.locator(f"form.hand [name=by][value={by}]").is_checked():
            self.page.get_by_role("radio", name=DOORS[by]).tap()

    def tap_bid(self, bid: int) -> None:
        """Tap a bid, which may be one of those behind "more"."""
        chip = self.chip("Bid", bid)
        if not chip.is_visible():
            self.chip("Bid", "more").tap()
        chip.tap()

    def fill_in_hand(self, hand: dict[str, Any], names: Sequence[str] = NAMES) -> None:
        """Fill the open form in; the parts of a hand that are missing stay as they are."""
        by = hand.get("by", "result")
        if by in DOORS:
            self.door(by)
        if "bidder" in hand:
            self.chip("Who bid?", names[hand["bidder"]]).tap()
        if "bid" in hand:
            self.tap_bid(hand["bid"])
        if "trump" in hand:
            self.chip("Trump", hand["trump"]).tap()
        if "outcome" in hand and by == "result":
            self.chip("Result", OUTCOMES[hand["outcome"]]).tap()
        for field, label in COUNTS.items():
            if field in hand:
                self.page.get_by_label(label).fill(str(hand[field]))
        for name, units in zip(names, hand.get("units", ()), strict=False):
            self.group("What each of you took in").get_by_label(name).fill(str(units))

    @property
    def save_button(self) -> Locator:
        return self.page.locator("form.hand .save")

    def enter(self, hand: dict[str, Any], names: Sequence[str] = NAMES) -> None:
        """Enter a hand and wait for the sheet that has it; a doubted one is confirmed."""
        self.open_entry()
        self.fill_in_hand(hand, names)
        self.save_button.tap()
        if hand.get("doubted"):
            expect(self.page.get_by_role("alert")).to_be_visible()
            self.page.get_by_role("button", name="Yes, save it as it is").tap()
        self.page.locator(".saved", has_text=f"Hand {hand['hand']} is saved.").wait_for()

    def open_hand(self, number: int) -> None:
        """Open the page of a hand from its line on the pad."""
        line = self.page.locator(".line a").filter(
            has=self.page.locator(".no", has_text=re.compile(rf"^{number}$"))
        )
        line.tap()
        expect(self.page.get_by_role("heading", level=2)).to_contain_text(f"Hand {number} ")

    def change_hand(self, number: int, changes: dict[str, Any]) -> None:
        """Change a hand on its own page, and go back to the sheet."""
        self.open_hand(number)
        self.page.get_by_role("link", name="Change this hand").tap()
        self.fill_in_hand(changes)
        self.page.get_by_role("button", name=f"Save hand {number}").tap()
        expect(self.page.get_by_role("heading", name="What happened to it")).to_be_visible()
        self.back_to_sheet()

    # Without network.

    def go_offline(self) -> None:
        self.page.context.set_offline(True)
        expect(self.state).to_contain_text("offline")

    def go_online(self) -> None:
        self.page.context.set_offline(False)

    def wait_for_kept_page(self, path: str) -> None:
        """Wait until the service worker could open the sheet without network."""
        self.page.evaluate(IS_KEPT, path)

    def queue_up(self, hand: dict[str, Any], names: Sequence[str] = NAMES) -> None:
        """Enter a hand that will have to wait, and see that it does."""
        waiting = self.waiting.count()
        self.open_entry()
        self.fill_in_hand(hand, names)
        self.save_button.tap()
        expect(self.waiting).to_have_count(waiting + 1)
        expect(self.page.locator("#entry:not([open])")).to_have_count(1)

    # Reading.

    @property
    def state(self) -> Locator:
        """The word beside the title: live, offline, last heard some seconds ago."""
        return self.page.locator("#state")

    @property
    def waiting(self) -> Locator:
        """What this phone has still to send, an item each."""
        return self.page.locator("#waiting li")

    def expect_rows(self, rows: Sequence[Sequence[int]]) -> None:
        """Wait for a pad of just these rows, oldest first, each with its number."""
        numbers = [str(number) for number in range(len(rows), 0, -1)]
        cells = [str(units) if units else "·0" for row in reversed(rows) for units in row]
        expect(self.page.locator(".line .no")).to_have_text(numbers)
        expect(self.page.locator(".row td")).to_have_text(cells)

    def totals(self) -> list[int]:
        return [int(total) for total in self.page.locator(".pad .total").all_inner_texts()]

    def hands(self) -> list[dict[str, Any]]:
        """The hands on the pad, newest first: number, what is said, the row."""
        hands: list[dict[str, Any]] = self.page.evaluate(READ_PAD)
        return hands

    def dealer(self) -> str:
        """Whose column bears the dealer's mark."""
        return self.page.locator(".pad th:has(.mark) .name").inner_text()

    @property
    def spelled_out(self) -> Locator:
        """The line that says who takes what before the hand is saved."""
        return self.page.locator(".spelled")
