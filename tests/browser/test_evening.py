"""A whole evening, tap by tap, on two phones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

EVENING = json.loads((Path(__file__).parents[1] / "data" / "evening.json").read_text("utf-8"))
NAMES, FINAL = EVENING["names"], EVENING["final"]
SAID = {"made": "made", "set": "set", "thrown_in": "thrown in"}


def said(hand):
    """What the pad says of a hand, suits apart."""
    if hand.get("by") == "passed":
        return ["Passed out"]
    if hand.get("by") == "numbers":
        return ["Typed", "not by the rules"] if hand.get("doubted") else ["Typed"]
    suit = [hand["trump"]] if "trump" in hand else []
    return [NAMES[hand["bidder"]], str(hand["bid"]), *suit, SAID[hand["outcome"]]]


def enter(phone, hand):
    assert phone.dealer() == NAMES[hand["dealer"]]
    phone.enter(hand)
    newest = phone.hands()[0]
    assert (newest["number"], newest["row"]) == (hand["hand"], hand["row"])
    assert [words for words in said(hand) if words not in newest["said"]] == []


def change(phone, hand):
    phone.open_hand(hand["hand"])
    phone.page.get_by_role("link", name="Change this hand").tap()
    phone.fill_in_hand({"outcome": hand["outcome"]})
    phone.page.get_by_role("button", name=f"Save hand {hand['hand']}").tap()
    expect(phone.page.get_by_role("heading", name="What happened to it")).to_be_visible()
    expect(phone.page.locator(".said")).to_contain_text(SAID[hand["outcome"]])
    phone.back_to_sheet()
    (changed,) = [row for row in phone.hands() if row["number"] == hand["hand"]]
    assert changed["row"] == hand["row"]


def take_back(phone, hand):
    phone.page.get_by_role("button", name="Take back").tap()
    expect(phone.page.locator(".saved")).to_contain_text("The hand is off the sheet.")
    assert phone.hands()[0]["number"] == hand["hand"] - 1


def read_out_code(phone):
    """Look up the table's code, as somebody types it who hears it."""
    phone.menu("Share")
    code = phone.page.locator(".code").inner_text()
    phone.back_to_sheet()
    return f"{code[:3]} {code[3:]}".lower()


def expect_totals(phone, totals):
    expect(phone.page.locator(".pad .total")).to_have_text([str(total) for total in totals])


@pytest.mark.refusals  # the hand that is asked about once
def test_an_evening_of_24_hands_comes_out_as_worked_out_by_hand(phone, new_phone):
    phones, totals = [phone, new_phone()], [0, 0, 0]
    phone.start_table(NAMES)
    for step in EVENING["steps"]:
        at = phones[step["phone"]]
        if step["do"] == "join":
            at.join(read_out_code(phone), NAMES[1])
            continue
        expect_totals(at, totals)  # whatever the other phone did is here without a reload
        {"enter": enter, "edit": change, "take_back": take_back}[step["do"]](at, step)
        totals = step["totals"]
        expect_totals(at, totals)
    assert [hand["row"] for hand in reversed(phone.hands())] == FINAL["rows"]

    phone.menu("End match")
    expect(phone.page.locator(".final")).to_have_text(f"{FINAL['line']}.")
    phone.page.get_by_role("button", name="Bank this sheet").tap()
    result = phone.page.locator(".won")
    expect(result).to_contain_text(FINAL["winner"])
    expect(result).to_contain_text(FINAL["dealt"])
    assert phone.totals() == FINAL["totals"]
    notes = phone.page.locator(".pad .note").all_inner_texts()
    assert notes == ["2nd\nyou", "1st", "3rd"]

    # The second phone sees the same.
    expect(phones[1].page.locator(".won")).to_contain_text(FINAL["winner"])
    assert phones[1].totals() == FINAL["totals"]

    phone.page.get_by_role("link", name="Play again").tap()
    for number, name in enumerate(NAMES, start=1):
        expect(phone.page.get_by_label(f"Player {number}", exact=True)).to_have_value(name)
    deals = phone.page.get_by_label(f"Player {FINAL['next_dealer'] + 1} deals first")
    expect(deals).to_be_checked()
    phone.page.get_by_role("button", name="Start the next sheet").tap()
    expect(phone.page.locator(".pad .empty")).to_be_visible()
    assert phone.totals() == [0, 0, 0]
    assert phone.dealer() == NAMES[FINAL["next_dealer"]]
