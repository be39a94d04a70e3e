"""The wide table of standings: in a region of its own on a phone, and on one page on paper."""

from __future__ import annotations

import datetime
import re

import pytest
from django.utils import timezone

from sheets.models import ClubPerson, Season
from tests.sheets.evenings import Hand, a_club_row, a_table, bank

ADDRESS = "/seasons/published-season/"
SIDEWAYS = """() => {
  const region = document.querySelector(".scrolls");
  region.scrollLeft = 10_000;
  const name = region.querySelector("tbody .who").getBoundingClientRect();
  const place = region.getBoundingClientRect();
  return {
    page: document.documentElement.scrollWidth <= innerWidth,
    region: region.scrollLeft > 0,
    focusable: region.tabIndex === 0,
    stays: name.left - place.left < 4 && name.right < place.right,
  };
}"""


def a_season(how_many):
    """A published season of people with long names, some of them without a place."""
    club = a_club_row()
    letters = [f"{chr(ord('A') + n % 26)}{n}" for n in range(how_many)]
    names = [f"{one} von der Wiesenthal-Oberstadt {'x' * n}" for n, one in enumerate(letters)]
    roster = [ClubPerson.objects.create(club=club, name=name[:40]) for name in names]
    table = a_table(club, [(one.name, one) for one in roster])
    people, now = list(table.people.all()), timezone.now()
    for n in range(0, how_many, 3):
        hands = [Hand(bidder=k % 3, bid=300 + 10 * (n % 3)) for k in range(2 + n % 2)]
        bank(table, people[n : n + 3], hands, now)
    today = club.evening(now)
    return Season.objects.create(
        club=club,
        name="Autumn",
        name_key="autumn",
        starts=today - datetime.timedelta(days=1),
        ends=today,
        least_hands=3,
        published_id="published-season",
    )


@pytest.fixture
def season(transactional_db):
    return a_season(30)


def pages(page, paper):
    """Print a page: how many sheets of paper it takes, and how wide and high they are."""
    printed = page.pdf(format=paper, prefer_css_page_size=True)
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    return len(re.findall(rb"/Type\s*/Page\b", printed)), *map(float, sizes[0])


def test_whoever_has_the_link_sees_these_standings_and_nothing_else(phone, season):
    club = season.club
    outside = ClubPerson.objects.create(club=club, name="Zelda", note="Hill Street")
    club.seasons.create(name="Secret", name_key="s", starts="2020-01-01", ends="2020-12-31")
    secrets = [club.code, club.slug, outside.name, outside.note, "Secret"]
    for table in club.tables.all():
        secrets += [table.code, table.public_id, table.watch_id]
        secrets += table.sheets.values_list("public_id", flat=True)
    phone.page.goto(ADDRESS)
    seen = phone.page.content()
    assert "A0 von der Wiesenthal" in seen
    assert not [secret for secret in secrets if secret in seen]
    links = phone.page.eval_on_selector_all("a", "all => all.map(one => one.href)")
    assert links
    assert {link.split("?")[0].split("/", 3)[3] for link in links} == {ADDRESS[1:]}


def test_it_scrolls_in_its_region_and_prints_on_one_page(phone, season):
    phone.page.set_viewport_size({"width": 320, "height": 640})
    phone.page.goto(ADDRESS)
    assert phone.page.evaluate(SIDEWAYS) == dict.fromkeys(
        ("page", "region", "focusable", "stays"), True
    )
    for paper in ("A4", "Letter"):
        count, width, height = pages(phone.page, paper)
        assert (paper, count) == (paper, 1)
        assert width > height


def test_a_large_club_prints_on_one_page_that_stands_upright(phone, transactional_db):
    a_season(69)
    phone.page.goto(ADDRESS)
    for paper in ("A4", "Letter"):
        count, width, height = pages(phone.page, paper)
        assert (paper, count) == (paper, 1)
        assert width < height
