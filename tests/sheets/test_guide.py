"""The guide and its counting aids: every figure by the rules, every page plain and as a part."""

from __future__ import annotations

import dataclasses
import html
import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from rules import auction, auction_advice, cards, meld_limits, melds
from rules.auction import HouseRules
from rules.cards import Counting, Rank, Suit
from sheets.forms import guide_facts, house_query
from sheets.models import HouseRules as StoredRules
from tests.sheets.conftest import client_of
from tests.sheets.test_access import HTMX

CHECKED = json.loads((Path(__file__).parents[1] / "data/checked_hands.json").read_text())["hands"]
GUIDE, MELDS, TRICKS, ODDS = (
    reverse(f"sheets:{name}") for name in ("guide", "guide_melds", "guide_tricks", "guide_odds")
)
STANDARD = HouseRules()


class Reader(HTMLParser):
    """The ids of a page, its inner links, its headings, and its tables as rows of words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.levels: list[int] = []
        self.tables: list[list[list[str]]] = []
        self._in_cell = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if named.get("id"):
            self.ids.append(named["id"] or "")
        if tag == "a":
            self.links.append(named.get("href") or "")
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._in_cell = False

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.tables[-1][-1][-1] += data.strip()


@pytest.fixture
def nobody(db) -> Client:
    return Client()


def read(client: Client, url: str, **query: str) -> Reader:
    return Reader(client.get(url, query).content.decode())


def counted(client: Client, url: str, **query: str) -> str:
    """What was counted, as htmx asks for it, in words with single spaces between."""
    answer = client.get(url, query, headers=HTMX | {"HX-Target": "counted"})
    assert answer.content.decode().strip().startswith('<section id="counted"')
    words = html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode()))
    return re.sub(r"\s+", " ", words).strip()


# Every page.


@pytest.mark.parametrize("url", [GUIDE, MELDS, TRICKS, ODDS])
def test_pages_are_for_everybody_and_may_be_kept(nobody, alice, url):
    for client in (nobody, alice):
        page = client.get(url)
        assertContains(page, "<html", count=1)
        assert "public" in page["Cache-Control"]
        assert {"HX-Request", "HX-Target"} <= set(page["Vary"].split(", "))
        # What may be kept by whoever it passes carries nobody's cookie.
        assert "Set-Cookie" not in page.headers
        assert "csrf" not in page.content.decode()
        assert client.get(url, headers={"If-None-Match": page["ETag"]}).status_code == 304
        assert page.cookies.get("phone") is None or client is alice
    assert b'name="description"' in page.content
    assert b'rel="canonical"' in page.content
    assert b"noindex" not in page.content


def test_pages_ask_nothing_of_the_database(nobody, at_most_queries):
    with at_most_queries(0):
        for url in (GUIDE, MELDS, TRICKS, ODDS):
            assert nobody.get(url).status_code == 200


@pytest.mark.parametrize(
    ("url", "part", "starts"),
    [
        (MELDS, "aid", "<link"),
        (MELDS, "counter", '<form id="counter"'),
        (MELDS, "counted", '<section id="counted"'),
        (TRICKS, "aid", "<link"),
        (TRICKS, "counter", '<form id="counter"'),
        (ODDS, "aid", "<link"),
        (ODDS, "chance", '<section id="chance"'),
        (MELDS, "page", '<main id="page"'),
        (MELDS, "../../secret", '<main id="page"'),
    ],
)
def test_a_part_comes_alone(nobody, url, part, starts):
    answer = nobody.get(url, headers=HTMX | {"HX-Target": part})
    text = re.sub(r"^\s*({#.*?#}\s*)?", "", answer.content.decode())
    assert text.startswith(starts)
    assertNotContains(answer, "<html")


# The guide.


def test_every_section_and_question_has_an_address_of_its_own(nobody):
    page = read(nobody, GUIDE)
    assert [i for i, n in Counter(page.ids).items() if n > 1] == []
    # The scripts of a sheet look for theirs.
    assert not {"sheet", "entry", "waiting", "news"} & set(page.ids)
    inner = [link[1:] for link in page.links if link.startswith("#")]
    assert set(inner) <= set(page.ids)
    for section in guide_facts.variants():
        assert section.id in page.ids
    # In the contents and beside the title.
    sections = [i for i, n in Counter(inner).items() if n == 2]
    assert len(sections) == 13
    assert page.levels[0] == 1
    assert page.levels.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(page.levels, page.levels[1:], strict=False))


def test_links_into_the_guide_lead_somewhere(nobody, game, alice):
    ids = read(nobody, GUIDE).ids
    row = game.enter()
    pages = [(nobody, url) for url in (MELDS, TRICKS, ODDS)]
    pages.append((alice, game.url(f"hands/{row.public_id}/")))
    for client, url in pages:
        found = [link for link in read(client, url).links if link.startswith(f"{GUIDE}#")]
        assert found, url
        assert {link.split("#")[1] for link in found} <= set(ids)


def test_the_tables_say_what_the_rules_say(nobody):
    kitty, all_melds, limits, values, stakes, worked = read(nobody, GUIDE).tables
    assert kitty[1:] == [
        [str(k), str(n), f"{n / 54.56:.2f} %", f"{5456 / n:.2f}"]
        for k in range(1, 9)
        for n in [auction_advice.kitties_with(k)]
    ]
    assert [(row[0].lower(), int(row[2])) for row in all_melds[1:]] == [
        (meld.name, meld.points) for meld in melds.kinds(Suit.HEARTS)
    ]
    assert limits[1:] == [
        [str(n), *(str(meld_limits.most(n, suit)) for suit in Suit)] for n in (15, 18)
    ]
    assert [list(map(int, row[1:])) for row in values[1:7]] == [
        [cards.POINTS[scheme][rank] for scheme in Counting] for rank in Rank
    ]
    assert [row[1:] for row in values[7:]] == [["10"] * 3, ["250"] * 3]
    assert stakes[1:] == [
        ["250–330", "1", "2", "1", "2", "4"],
        ["350–380", "2", "4", "2", "4", "8"],
        ["400–430", "4", "8", "4", "8", "16"],
        ["450–480", "8", "16", "8", "16", "32"],
        ["500–530", "16", "32", "16", "32", "64"],
        ["550+", "32", "64", "32", "64", "128"],
    ]
    assert [row[1] for row in worked] == ["40", "40", "100", "180", "140", "10", "330"]


def test_the_worked_hand_is_settled_by_the_rules(nobody):
    assertContains(nobody.get(GUIDE), "320 is in 250–330: 1 from each.")
    assertContains(nobody.get(GUIDE), "On the sheet: Alice 0, Ben 2, Cass 0.")


def test_no_sentence_of_the_guide_has_a_hole_in_it(nobody):
    text = nobody.get(GUIDE).content.decode()
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text))
    assert not re.search(r" [,.;:]|\(\)|%\(|, ,", words)
    assert "up to 40 more" in words


@pytest.mark.parametrize("variant", guide_facts.variants(), ids=lambda variant: variant.id)
def test_a_variant_starts_a_table_that_plays_so(nobody, variant):
    query = QueryDict(variant.query)
    page = nobody.get(GUIDE)
    link = f"{reverse('sheets:table_new')}?{variant.query}".replace("&", "&amp;")
    assertContains(page, f'href="{link}"', count=1)
    if "preset" in query:
        return
    house, readable = house_query.house_from(query.dict())
    assert readable
    assert house != STANDARD
    # All that the link names comes back out of the rules.
    told = house_query.house_query(house)
    usual = {"sitter": "right_of_dealer"}
    assert usual | query.dict() == usual | told


def test_a_column_for_the_fourth_is_said_to_be_our_own(nobody):
    assertContains(nobody.get(GUIDE), "our own setting and not an old rule")


# House rules in an address.


def test_every_house_rule_survives_its_address():
    house = HouseRules(
        minimum=200,
        step=20,
        forties_and_nineties=True,
        dealer_bid=None,
        spades_double=False,
        counting=Counting.FIVES,
        roundhouse=390,
        stakes=((200, 1), (400, 3)),
        fourth=auction.Fourth.COLUMN,
        sitter=auction.Sitter.DEALER,
        pot=auction.Pot(ante=2, winning_bid=500),
    )
    told = house_query.house_query(house)
    fields = {field.name for field in dataclasses.fields(HouseRules)} - {"pot"}
    assert set(told) == fields | {"ante", "winning_bid"}
    address = house_query.with_house("/x", house)
    assert house_query.house_from(QueryDict(address.split("?")[1]).dict()) == (house, True)
    assert house_query.with_house("/x", STANDARD) == "/x"


@pytest.mark.parametrize(
    "junk", ["minimum=x", "minimum=1000", "roundhouse=360", "stakes=1", "counting=none", "ante=-1"]
)
def test_rules_that_cannot_be_are_said_to_be_the_usual_ones(nobody, junk):
    page = nobody.get(f"{TRICKS}?{junk}")
    assertContains(page, "it counts by the usual ones")


# The meld counter.


@pytest.mark.parametrize("hand", CHECKED[:10], ids=lambda hand: hand["id"])
def test_a_checked_hand_is_counted(nobody, hand):
    said = counted(nobody, MELDS, cards=hand["cards"], trump=hand["trump"])
    assert said.startswith(f"{hand['total']} with {hand['trump']} as trumps 15 cards")
    for name in hand["melds"]:
        assert name in said


def test_without_trumps_the_suit_that_counts_most_is_taken(nobody):
    said = counted(nobody, MELDS, cards="AC 10C KC QC JC KS QS")
    assert said.startswith("170 with clubs as trumps")
    assert "♣ clubs 60 60 20 170 most" not in said  # in the order of the suits
    assert said.endswith("♠ spades ♥ hearts ♦ diamonds ♣ clubs 60 40 40 170 most")


def test_cards_that_serve_twice_are_named(nobody):
    said = counted(nobody, MELDS, cards="KS QS JD QH QD QC", trump="hearts")
    assert "Q♠: marriage in spades, pinochle, queens around" in said
    assert "A card counts once in each kind of meld" in said


def test_tapping_works_without_a_script(nobody):
    query = {"cards": "KH QH", "trump": "hearts"}
    once = nobody.get(MELDS, query | {"tap": "KH"})
    assertContains(once, 'value="KH KH QH"')
    assertContains(once, 'value="KH" data-into="cards" data-n="2"')
    twice = nobody.get(MELDS, {"cards": "KH KH QH", "tap": "KH"})
    assertContains(twice, 'value="QH"')
    by_name = nobody.get(MELDS, {"by": "names", "melds": "run", "tap": "run", "trump": "clubs"})
    assertContains(by_name, 'value="run" data-into="melds" data-n="2"')
    assertContains(by_name, "<strong>300</strong>")


def test_melds_by_name_mind_the_trumps_and_what_they_hold_besides(nobody):
    four = " ".join(f"marriage-in-{suit}" for suit in Suit)
    said = counted(nobody, MELDS, by="names", melds=four, trump="hearts")
    assert said.startswith("100 with hearts as trumps 8 cards")
    assert "The same cards hold more: kings around, queens around. That makes 240." in said
    assert counted(nobody, MELDS, by="names", melds=four) == "Choose the trump suit."


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"cards": " ".join(f"{r}{s}" for s in "SHD" for r in Rank)}, "3 too many"),
        ({"cards": "AS 10S KS QS JS 9S " * 2 + "AH AD AC KH KD KC QH"}, "more than 18"),
        (
            {"cards": "KS KS QS QS KH KH QH QH KD KD QD QD JD JD KC KC QC QC", "trump": "hearts"},
            "Fifteen cards can't hold more than 500 in melds.",
        ),
        ({"cards": "AS AS AS"}, "AS is here 3 times"),
        ({"cards": "1H"}, "isn't a pinochle card"),
        (
            {"by": "names", "melds": "run run marriage-in-hearts", "trump": "hearts"},
            "these melds take K♥ 3 times",
        ),
        (
            {
                "by": "names",
                "trump": "spades",
                "melds": "aces-around aces-around kings-around kings-around queens-around "
                "queens-around run run",
            },
            "nobody ever holds more than 18",
        ),
    ],
)
def test_what_is_odd_is_said_and_what_cannot_be_is_refused(nobody, query, says):
    assert says in counted(nobody, MELDS, **query)


def test_a_roundhouse_counts_by_the_rules_of_the_table(nobody):
    held = "AH 10H KH QH JH KS QS KD QD KC QC"
    assert counted(nobody, MELDS, cards=held, trump="hearts").startswith("350")
    said = counted(nobody, MELDS, cards=held, trump="hearts", roundhouse="390")
    assert said.startswith("390")
    assert "royal marriage again, in the roundhouse 40" in said


# Tricks and odds.


@pytest.mark.parametrize(
    ("query", "starts"),
    [
        ({"aces": "6", "tens": "5", "kings": "6", "last_trick": "yes"}, "150 for the bidder, 100"),
        ({"last_trick": "no"}, "0 for the bidder, 250"),
        ({"aces": "3", "queens": "8", "counting": "tens", "last_trick": "yes"}, "40 for the bid"),
        ({"aces": "3", "queens": "8", "counting": "fives", "last_trick": "no"}, "70 for the bid"),
        ({"aces": "3"}, "Say who took the last trick."),
        ({"aces": "9", "last_trick": "no"}, "The pack has 8 of each rank"),
        ({"aces": "x", "last_trick": "no"}, "Of each rank there are 0 to 8."),
    ],
)
def test_tricks(nobody, query, starts):
    singular = {"aces": "ace", "tens": "ten", "kings": "king", "queens": "queen"}
    query = {singular.get(name, name): value for name, value in query.items()}
    assert counted(nobody, TRICKS, **query).startswith(starts)


def test_odds(nobody):
    said = counted(nobody, ODDS, bid="420", trump="spades", estimate="40")
    assert said.startswith("Throw it in: −8, and −12.8 on average if played.")
    assert "Played and made +8 +16 Played and set −16 −32 Thrown in −4 −8" in said
    assert "1/2 (50 %)" in said
    assert counted(nobody, ODDS, bid="420", trump="clubs", estimate="40").startswith(
        "Play it: −6.4 on average, −8 if thrown in."
    )
    single = counted(nobody, ODDS, bid="420", trump="spades", estimate="40", spades_double="no")
    assert single.startswith("Play it")
    assert "1/3 (33 %)" in single
    assert counted(nobody, ODDS) == "Choose a bid and the trump suit."
    assert counted(nobody, ODDS, bid="340", trump="clubs") == "A bid can't end in 40 or 90."


@pytest.mark.parametrize("fourth", ["column", "off_sheet"])
def test_the_odds_of_a_bid_count_the_fourth(nobody, fourth):
    said = counted(nobody, ODDS, bid="300", trump="hearts", fourth=fourth)
    assert "Played and made +1 +3 Played and set −2 −6 Thrown in −1 −3" in said


def test_the_odds_of_a_bid_count_the_pot(nobody):
    pot = {"ante": "1", "winning_bid": "410"}
    lowest = counted(nobody, ODDS, bid="300", trump="hearts", **pot)
    assert "Played and made +1 +2 Played and set −2 −6 Thrown in −1 −3" in lowest
    assert "3/8 (38 %)" in lowest
    assert "The pot is counted" in lowest
    assert "9/16" in counted(nobody, ODDS, bid="300", trump="spades", **pot)
    # Nothing said: it holds the first antes.
    for in_pot in ("", "3", "٣"):
        asked = pot | {"bid": "410", "trump": "hearts", "estimate": "35", "in_pot": in_pot}
        takes = counted(nobody, ODDS, **asked)
        assert takes.startswith("Throw it in: −12, and −12.1 on average if played.")
        assert "6/17 (35 %)" in takes
    rich = counted(nobody, ODDS, bid="410", trump="hearts", estimate="35", in_pot="30", **pot)
    assert rich.startswith("Play it")
    junk = counted(nobody, ODDS, bid="410", trump="hearts", in_pot="many", **pot)
    assert junk == "“many” is not a number."
    assert "in_pot" not in nobody.get(ODDS).content.decode()


def test_over_a_hand_the_odds_know_what_the_pot_holds(new_game):
    game, secret, _ben = new_game(house=HouseRules(pot=auction.Pot(ante=2)))
    game.enter(game.played(outcome="set"))
    page = client_of(secret).get(game.url())
    assertContains(page, f'href="{ODDS}?ante=2&amp;winning_bid=410&amp;in_pot=8"')


def test_what_is_ours_and_what_is_no_rule_is_said(nobody):
    page = nobody.get(GUIDE)
    assertContains(page, "two pinochles are 80, two runs 300.")
    assertContains(page, "has to open is our reading and no written rule")
    assertContains(page, "this program has no cards")
    assertContains(page, "and melds score as before", count=2)
    assertContains(page, "With 20 the bids are 300, 320, 360, 380, 400, 420 and on.")
    assertContains(page, "at best 1/2 (50 %), in spades 1/3 (33 %)")
    assertNotContains(page, "worth bidding at all")


@pytest.mark.parametrize(
    ("useful", "says"),
    [("4", "1802 of 5456 kitties hold at least one of them: 33.03 %."), ("34", "0 to 33 of them")],
)
def test_what_the_kitty_may_bring(nobody, useful, says):
    assertContains(nobody.get(ODDS, {"useful": useful}), says)


# In the form of a hand.


def test_the_aids_of_a_hand_count_by_the_rules_of_its_sheet(game, alice):
    page = alice.get(game.url())
    for url, into in ((MELDS, "meld_points"), (TRICKS, "trick_points"), (ODDS, "none")):
        assertContains(page, f'<a href="{url}" target="_blank" data-aid="{into}"')
    assertNotContains(page, 'class="board"')
    rich = dataclasses.replace(STANDARD, roundhouse=390, counting=Counting.TENS)
    StoredRules.objects.update(canonical=json.dumps(rich.to_dict()))
    page = alice.get(game.url())
    assertContains(page, f'href="{MELDS}?counting=tens&amp;roundhouse=390"')


def test_over_the_form_of_a_hand_a_result_can_be_used_and_the_address_stays(nobody):
    query = {"cards": "KH QH", "trump": "hearts", "roundhouse": "390", "into": "meld_points"}
    aid = nobody.get(MELDS, query, headers=HTMX | {"HX-Target": "aid"})
    assertContains(aid, 'data-use="40"')
    assertContains(aid, '<input type="hidden" name="roundhouse" value="390">')
    assertNotContains(aid, "hx-replace-url")
    plain = nobody.get(MELDS, query | {"into": "<b>"})
    assertNotContains(plain, "data-use")
    assertContains(plain, "hx-replace-url")
    tricks = {"last_trick": "yes", "counting": "tens", "into": "trick_points"}
    aid = nobody.get(TRICKS, tricks, headers=HTMX | {"HX-Target": "aid"})
    assertContains(aid, 'data-use="10"')
    assertContains(aid, '<input type="hidden" name="counting" value="tens">')


def test_the_guide_is_found_from_everywhere(game, alice, nobody):
    assertContains(nobody.get("/"), f'href="{GUIDE}"')
    assertContains(alice.get(game.url()), f'href="{GUIDE}"')
