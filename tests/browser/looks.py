"""Every page and every state of it, as somebody gets to see it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from sheets import actions, codes
from sheets.models import Member, Table
from sheets.seen import Seen
from tests.browser.phone import Phone
from tests.browser.tables import Seeded, asking, banked, begun, four, one_taken_back, playing


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
    entry(by="numbers", units=["1.5", "x", 2])(phone, table)
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


def number_that_lacks_all(phone: Phone, table: Seeded) -> None:
    phone.page.goto(table.url())
    phone.page.locator(".number .save").tap()
    expect(phone.page.get_by_text("Type the number, 0 for nothing.")).to_be_visible()


def number_begun_earlier(phone: Phone, table: Seeded) -> None:
    phone.page.get_by_label("Number in hand").fill("3")
    phone.page.reload()
    expect(phone.page.get_by_text("You began this earlier.")).to_be_visible()


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
            write = actions.Write(table=table.table.pk, key=uuid.uuid4(), seen=Seen(), phone=who)
            actions.join(write, person)
        number = Member.objects.get(phone=removed).number
        write = actions.Write(
            table=table.table.pk, key=uuid.uuid4(), seen=Seen(), phone=table.phone
        )
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
    "entry": (begun, {
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
    "refused entry": (begun, {
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
        "half hand": hand(3),
        "hand to confirm": hand(2),
        "settings": address("settings/"),
        "house rules": every_rule,
        "end": address("end/"),
        "number that lacks all": number_that_lacks_all,
        "number begun earlier": number_begun_earlier,
        "refused number": refused_number,
    }),
    "without network": (begun, {
        "waiting": without_network,
        "a hand": hand_without_network,
        "a held one, and news": news,
    }),
    "hand": (one_taken_back, {
        "taken back": hand(8),
        "hand": hand(1),
        "counted": hand(3),
        "typed": hand(6),
        "edit": hand(1, "edit/"),
        "forgotten": hand(2, "before/"),
    }),
    "table": (playing, {
        "dealer": address("dealer/"),
        "names and seats": address("names/"),
        "share": address("share/"),
        "history": address("history/"),
        "end": address("end/"),
        "privacy": address("privacy/"),
        "delete": address("delete/"),
        "refused names": refused_names,
        "refused seats": refused_seats,
    }),
    "phones": (begun, {
        "code": address("code/"),
        "somebody asks": asked_for_a_seat(),
        "phones": asked_for_a_seat("phones/"),
        "remove": address("phones/2/remove/"),
        "leave": address("phones/1/remove/"),
        "watch": watching,
        "link": phone_link,
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
    "phones",  # what a removal and a changed code cut off
    "turned away",
    "refused entry",
    "asking each other",
    "table",
    "without network",
}
