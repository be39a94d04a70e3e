"""The chart: where everything is drawn, and the page with the same figures as a table."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.charts import ROWS, Series, chart

HTMX = {"HX-Request": "true"}

running = st.lists(st.integers(0, 40), max_size=40).map(
    lambda taken_in: [0, *itertools.accumulate(taken_in)]
)


@st.composite
def evenings(draw):
    """Players who all played to the end, and some who left or came late."""
    whole = draw(running)
    hands = len(whole) - 1
    series = [Series("Alice", whole)]
    for n in range(draw(st.integers(0, 7))):
        after = draw(st.integers(0, hands))
        until = draw(st.integers(after, hands))
        totals = draw(
            st.lists(st.integers(-9, 400), min_size=until - after, max_size=until - after)
        )
        series.append(Series(f"P{n}", [0, *totals], after))
    return series


def places(points):
    return [tuple(float(place) for place in point.split(",")) for point in points.split()]


# Where things are drawn.


def test_a_line_begins_at_nothing_and_steps_hand_by_hand():
    drawn = chart([Series("Alice", [0, 0, 8]), Series("Ben", [0, 2, 4])])
    alice, ben = (places(line.points) for line in drawn.lines)
    assert alice == [(2.5, 97.0), (46.75, 97.0), (91.0, 4.0)]
    assert ben == [(2.5, 97.0), (46.75, 73.75), (91.0, 50.5)]
    assert [(line.total, line.name) for line in drawn.lines] == [("8", "Alice"), ("4", "Ben")]


def test_scale_and_hands_are_round_numbers():
    drawn = chart([Series("Alice", [0, 3, *range(4, 26)])])
    assert [tick.says for tick in drawn.scale] == ["0", "10", "20"]
    assert [tick.says for tick in drawn.hands] == ["10", "20"]
    assert not drawn.wide


def test_large_numbers_have_their_room():
    assert chart([Series("Alice", [0, 99_999])]).wide


def test_numbers_below_zero_have_their_place():
    drawn = chart([Series("Alice", [0, -5, 5])])
    assert [tick.says for tick in drawn.scale] == ["-5", "0", "5"]
    assert places(drawn.lines[0].points)[1][1] == 97.0


def test_whoever_sat_down_later_begins_there_and_whoever_left_stops():
    drawn = chart(
        [Series("Alice", [0, 1, 2, 3, 4]), Series("Ben", [0, 2, 2]), Series("Dana", [0, 1, 5], 2)]
    )
    alice, ben, dana = (places(line.points) for line in drawn.lines)
    assert [x for x, _y in ben] == [x for x, _y in alice][:3]
    assert [x for x, _y in dana] == [x for x, _y in alice][2:]
    assert drawn.lines[2].leader
    assert not drawn.lines[1].leader  # a line across all the others would tell nothing


def test_lines_that_run_on_top_of_each_other_are_marked_in_turns():
    same = [0, *range(1, 31)]
    one, other = chart([Series("Alice", same), Series("Ben", same)]).lines
    assert set(one.marks) & set(other.marks) == {one.marks[-1]}
    assert (one.shape, one.dash) != (other.shape, other.dash)


def test_lines_are_told_apart_by_more_than_colour():
    lines = chart([Series(str(n), [0, n]) for n in range(12)]).lines
    assert len({(line.shape, line.dash) for line in lines}) == 12
    assert len({line.shape for line in lines[:4]}) == len({line.dash for line in lines[:4]}) == 4


@given(evenings())
def test_everything_stays_inside_and_no_label_covers_another(series):
    drawn = chart(series)
    for line, one in zip(drawn.lines, series, strict=True):
        assert len(places(line.points)) == len(one.totals)
        for x, y in places(line.points):
            assert 0 <= x <= 91
            assert 4 <= y <= 97
        assert line.marks[-1] == tuple(line.points.split()[-1].split(","))
    rows = [line.row for line in drawn.lines]
    assert len(set(rows)) == len(rows)
    assert all(0 <= row < ROWS for row in rows)
    for ticks, most in ((drawn.scale, 6), (drawn.hands, 5)):
        at = [float(tick.at) for tick in ticks]
        assert len(set(at)) == len(at) <= most


@given(st.lists(st.integers(0, 500), min_size=2, max_size=8))
def test_labels_stand_in_the_order_of_the_totals(totals):
    lines = chart([Series("x", [0, total]) for total in totals]).lines
    from_the_top = sorted(lines, key=lambda line: line.row)
    assert [int(line.total) for line in from_the_top] == sorted(totals, reverse=True)


def test_more_lines_than_labels_fit():
    drawn = chart([Series(str(n), [0, n]) for n in range(ROWS + 3)])
    rows = [line.row for line in drawn.lines]
    assert sorted(rows[:ROWS]) == list(range(ROWS))
    assert rows[ROWS:] == [None] * 3


# The page.


@pytest.fixture
def url(game):
    return game.url(f"{game.sheet.public_id}/chart/")


def test_the_page_has_the_lines_and_the_same_figures_as_a_table(game, alice, url):
    game.enter()
    game.enter(game.played(bid=350, outcome="set"))
    game.enter(game.typed(3, 0, 0))
    page = alice.get(url)
    assertContains(page, "<polyline class=", count=6)
    assertContains(page, 'aria-label="Totals after 3 hands: Alice 7, Cass 4, Ben 2"')
    assert page.context["figures"] == [
        ("1", ["0", "2", "0"]),
        ("2", ["4", "2", "4"]),
        ("3", ["7", "2", "4"]),
    ]
    row = '<tr><th scope="row">2</th><td>4</td><td>2</td><td>4</td></tr>'
    assertContains(page, row, html=True)


def test_a_hand_taken_back_is_not_in_it(game, alice, url):
    game.enter()
    actions.take_back(game.write(), game.enter().public_id)
    assert alice.get(url).context["figures"] == [("1", ["0", "2", "0"])]


def test_the_page_comes_as_a_part_too(game, alice, url):
    game.enter()
    part = alice.get(url, headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


def test_before_the_first_hand_there_is_nothing_to_draw(game, alice, url):
    assertContains(alice.get(url), "No hand has been entered yet")
    assertNotContains(alice.get(url), "<polyline")


def test_an_earlier_evening_keeps_its_chart(game, alice, url):
    game.enter()
    game.end()
    actions.play_again(game.write(), ["Alice", "Ben", "Cass"], 0)
    assert alice.get(url).context["figures"] == [("1", ["0", "2", "0"])]


def test_the_menu_leads_to_it(game, alice, url):
    assertContains(alice.get(game.url()), f'<a href="{url}">Chart</a>')


def test_a_long_sheet_takes_no_more_queries(game, alice, url, at_most_queries):
    for _ in range(9):
        game.enter()
    with at_most_queries(7):
        alice.get(url)
