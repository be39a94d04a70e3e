"""History, earlier evenings, the sheet on paper, and the page that brings a second phone."""

from __future__ import annotations

import dataclasses
import datetime

import pytest
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, queries
from sheets.models import Change, Sheet, User

HTMX = {"HX-Request": "true"}
NAMES = ["Alice", "Ben", "Cass"]


def told(client, game, asked=""):
    """What history says, oldest first: who and what."""
    events = client.get(game.url(f"history/{asked}")).context["events"]
    return [f"{who} {what}" for _at, who, what in reversed(events)]


@pytest.mark.parametrize("which", ["history/", "evenings/", "share/"])
def test_every_page_comes_whole_and_as_a_part(game, alice, which):
    assertContains(alice.get(game.url(which)), "<html")
    part = alice.get(game.url(which), headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


# History.


def test_history_has_words_for_everything_that_happens(game, alice):
    ben = game.write(game.ben)
    row = game.enter()
    game.enter(game.typed(3, 0, 0), game.ben)
    game.enter(game.passed())
    game.enter(game.played(outcome="thrown_in"), before=row.public_id)
    actions.edit_hand(game.write(), row.public_id, game.played(bid=350, trump="spades", dealer=2))
    actions.take_back(game.write(game.ben), row.public_id)
    actions.put_back(game.write(), row.public_id)
    sheet, players = game.sheet.public_id, game.players
    actions.set_dealer(game.write(game.ben), sheet, players[0].pk)
    actions.rename(game.write(), sheet, "Thursday", {p.pk: f"{p.name} B" for p in players})
    actions.change_seats(game.write(), sheet, [players[seat].pk for seat in (2, 0, 1)])
    actions.join(game.write(game.ben), None)
    game.end(game.ben)
    actions.play_again(game.write(), [f"{name} B" for name in NAMES], 1)
    game.end()
    assert ben.phone == game.ben
    said = told(alice, game)
    assert said == [
        "Alice B started the table: Alice B, Ben B and Cass B. Alice B deals first.",
        "Phone 2 joined with another phone",
        "Alice B entered hand 1: Ben B 320 hearts made (0 · 2 · 0)",
        "Phone 2 entered hand 2: typed 3 · 0 · 0",
        "Alice B entered hand 3: passed out",
        "Alice B put in a forgotten hand as hand 1: Ben B 320 thrown in (1 · 0 · 1)",
        "Alice B changed hand 2 from Ben B 320 hearts made (0 · 2 · 0) to "
        "Ben B 350 spades made (0 · 8 · 0), dealt by Cass B instead of Alice B",
        "Phone 2 took back hand 2: Ben B 350 spades made (0 · 8 · 0)",
        "Alice B put back hand 2: Ben B 350 spades made (0 · 8 · 0)",
        "Phone 2 set the deal of hand 5 from Alice B to Alice B",
        "Alice B Alice is now called Alice B; Ben is now called Ben B; "
        "Cass is now called Cass B; the table is now called Thursday",
        "Alice B changed the seats from Alice B, Ben B and Cass B to Cass B, Alice B and Ben B",
        "Phone 2 said this is the phone of somebody who only keeps score, no longer of Ben B",
        "Phone 2 ended the match after 4 hands",
        "Alice B started a new sheet: Alice B, Ben B and Cass B. Ben B deals first.",
        "Alice B ended the match before its first hand: the sheet was discarded",
    ]
    assert len(said) == Change.objects.count()


def test_history_names_the_staff_that_corrected_a_hand_and_why(game, alice):
    row = game.enter()
    game.end()
    staff = User.objects.create_user("olga@example.org", name="Olga", is_staff=True)
    write = dataclasses.replace(game.write(), phone="", user=staff, as_staff=True)
    actions.correct_hand(write, row.public_id, game.played(outcome="set"), reason="Slip of the pen")
    assert told(alice, game)[-1] == (
        "Olga changed hand 1 from Ben 320 hearts made (0 · 2 · 0) to Ben 320 hearts set (2 · 0 · 2)"
        ", because: Slip of the pen"
    )
    assertContains(alice.get(game.url()), "Tie between Alice and Cass with 2 each")


def test_history_shows_the_time_on_the_tables_clock(game, alice):
    Change.objects.update(at=datetime.datetime(2026, 7, 15, 20, 14, tzinfo=datetime.UTC))
    assertContains(alice.get(game.url("history/")), "15 Jul 22:14")


def test_one_hand_is_one_hand(game, alice):
    game.enter()
    game.end()
    assert told(alice, game)[-1] == "Alice ended the match after 1 hand"


def test_history_comes_a_hundred_lines_at_a_time_and_loses_none(game, alice):
    for _ in range(103):
        actions.join(game.write(), None)
    total = Change.objects.count()
    page = alice.get(game.url("history/"))
    assert len(page.context["events"]) == queries.HISTORY_PAGE
    older = f"?before={page.context['older_than']}"
    assertContains(page, f'href="{older}"')
    page = alice.get(game.url(f"history/{older}"))
    assert len(page.context["events"]) == total - queries.HISTORY_PAGE
    assertNotContains(page, "?before=")
    assertContains(page, "started the table")


@pytest.mark.parametrize("asked", ["?before=", "?before=x", "?before=-1", "?before=" + "9" * 30])
def test_a_page_of_history_that_is_not_there_is_the_newest(game, alice, asked):
    assert len(told(alice, game, asked)) == 2


def test_history_offers_nothing_to_change(game, alice):
    game.enter()
    assertNotContains(alice.get(game.url("history/")), "<form")


def test_names_and_reasons_in_history_are_only_text(new_game, alice):
    game, secret, _ = new_game(["<b>Al</b>", "Ben", "Cass"])
    alice.cookies["phone"] = secret
    page = alice.get(game.url("history/"))
    assertContains(page, escape("<b>Al</b>"))
    assertNotContains(page, "<b>Al</b>")


# Earlier evenings.


def test_evenings_lists_banked_sheets_only_the_newest_first(game, alice):
    days = (datetime.datetime(2026, 3, day, 23, 30, tzinfo=datetime.UTC) for day in (1, 8))
    for row in ([0, 2, 0], [8, 0, 0]):
        game.enter(game.typed(*row))
        game.end()
        day = next(days)
        Sheet.objects.filter(pk=game.sheet.pk).update(played_at=day, ended_at=day)
        actions.play_again(game.write(), NAMES, 0)
    game.end()  # discarded
    actions.play_again(game.write(), NAMES, 0)  # open
    page = alice.get(game.url("evenings/"))
    said = [(headline, line) for _sheet, headline, line in page.context["evenings"]]
    assert said == [
        ("Alice wins with 8", "Alice 8, Ben 0, Cass 0"),
        ("Ben wins with 2", "Ben 2, Alice 0, Cass 0"),
    ]
    for sheet, *_ in page.context["evenings"]:
        assertContains(page, f'href="{sheet.get_absolute_url()}"')
        assert alice.get(sheet.get_absolute_url()).status_code == 200
    assertContains(page, "1 March 2026")  # past midnight at the table
    assertContains(page, "8 March 2026")


def test_a_table_without_a_banked_sheet_says_so(game, alice):
    page = alice.get(game.url("evenings/"))
    assertContains(page, "No sheet of this table has been banked yet.")


def test_the_evenings_take_the_same_few_queries_however_many_there_are(
    game, alice, at_most_queries
):
    for _ in range(10):
        game.enter()
        game.end()
        actions.play_again(game.write(), NAMES, 0)
    with at_most_queries(5):
        alice.get(game.url("evenings/"))


# On paper.


def test_paper_shows_every_hand_oldest_first_with_running_totals(game, alice):
    rows = [game.enter(game.played(bidder=n % 3, bid=(300, 350, 400)[n % 3])) for n in range(40)]
    actions.take_back(game.write(), rows[3].public_id)
    page = alice.get(f"{game.sheet.get_absolute_url()}paper/")
    assertContains(page, "<html")
    lines = page.context["lines"]
    assert [line.number for line in lines] == [str(n) for n in range(1, 40)]
    assert [line.round for line in lines] == game.standing
    sums = [0, 0, 0]
    for line in lines:
        sums = [so_far + int(cell) for so_far, cell in zip(sums, line.cells, strict=True)]
        assert line.running == tuple(str(n) for n in sums)
    assert sums == game.totals


def test_paper_as_a_part(game, alice):
    part = alice.get(f"{game.sheet.get_absolute_url()}paper/", headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


def test_paper_of_a_banked_sheet_says_how_it_ended(game, alice):
    game.enter()
    game.end()
    page = alice.get(f"{game.sheet.get_absolute_url()}paper/")
    assertContains(page, "Ben wins with 2")


def test_paper_of_a_sheet_without_hands_is_empty(game, alice):
    page = alice.get(f"{game.sheet.get_absolute_url()}paper/")
    assert page.context["lines"] == []
    assertContains(page, "Alice")


def test_paper_takes_the_same_few_queries_however_long_it_is(game, alice, at_most_queries):
    game.fill(40)
    with at_most_queries(7):
        alice.get(f"{game.sheet.get_absolute_url()}paper/")


# Share.


def test_share_works_for_a_banked_table(game, alice):
    game.enter()
    game.end()
    assertContains(alice.get(game.url("share/")), game.table.code)
