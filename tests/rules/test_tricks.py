"""Tricks counted by rank: both sides come to 250, whatever the scheme."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, tricks
from rules.cards import Card, Counting, Rank, Suit, points, possible_trick_points

OUTSIDE = json.loads((Path(__file__).parents[1] / "data/outside_tricks.json").read_text())
TRICKS = next(rows for rows in OUTSIDE.values() if isinstance(rows, list))
ALL = tricks.OF_A_RANK

taken = st.fixed_dictionaries({rank: st.integers(0, ALL) for rank in Rank})


@pytest.mark.parametrize("row", TRICKS, ids=lambda row: f"{row['source'][:12]}:{row['cards']}")
def test_other_projects_count_tricks_alike(row):
    ranks = Counter(Rank(re.match("10|.", word)[0]) for word in row["cards"].split())
    count = tricks.count(ranks, last_trick=row["last_trick"], scheme=Counting(row["scheme"]))
    assert count.bidder == row["points"]


@given(taken=taken, last_trick=st.booleans(), scheme=st.sampled_from(Counting))
def test_both_sides_come_to_250(taken, last_trick, scheme):
    ours = tricks.count(taken, last_trick=last_trick, scheme=scheme)
    left = {rank: ALL - number for rank, number in taken.items()}
    theirs = tricks.count(left, last_trick=not last_trick, scheme=scheme)
    assert (ours.bidder, ours.opponents) == (theirs.opponents, theirs.bidder)
    assert ours.bidder + ours.opponents == tricks.whole_deal(scheme) == 250
    assert {ours.bidder, ours.opponents} <= possible_trick_points(scheme)


@given(taken=taken, last_trick=st.booleans(), scheme=st.sampled_from(Counting))
def test_counting_by_rank_is_counting_the_cards(taken, last_trick, scheme):
    pile = [
        card
        for rank, number in taken.items()
        for card in [Card(rank, suit) for suit in Suit for _ in range(2)][:number]
    ]
    count = tricks.count(taken, last_trick=last_trick, scheme=scheme)
    assert count.bidder == points(pile, scheme, last_trick=last_trick)
    assert count.in_cards == points(pile, scheme)


@pytest.mark.parametrize(
    ("scheme", "ranks"),
    [(Counting.STANDARD, "A 10 K Q J"), (Counting.TENS, "A 10 K"), (Counting.FIVES, "A 10 K Q")],
)
def test_only_ranks_that_count_are_asked_for(scheme, ranks):
    assert tricks.ranks(scheme) == tuple(map(Rank, ranks.split()))


@pytest.mark.parametrize("number", [-1, 9, 2.0, True])
def test_a_number_no_pack_has_is_refused_by_its_rank(number):
    with pytest.raises(RuleError, match="8 of each rank") as refused:
        tricks.count({Rank.TEN: number}, last_trick=False, scheme=Counting.STANDARD)
    assert refused.value.field == "10"
