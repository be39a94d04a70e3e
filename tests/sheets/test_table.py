"""The sheet page."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("hands", [10, 200])
def test_the_sheet_takes_the_same_few_queries_however_long_it_is(
    game, alice, django_assert_num_queries, hands
):
    for _ in range(hands):
        game.enter()
    with django_assert_num_queries(5):
        assert alice.get(game.url()).status_code == 200


def test_saving_a_hand_takes_at_most_twelve_queries(game, alice, at_most_queries):
    game.enter()
    fields = game.fields()
    with at_most_queries(12):
        assert alice.post(game.url("hands/new/"), fields).status_code == 303
