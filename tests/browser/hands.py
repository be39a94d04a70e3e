"""Hands that tests enter, with the rows they make."""

from __future__ import annotations

from typing import Any

Hand = dict[str, Any]

BEN: Hand = {"bidder": 1, "bid": 320, "trump": "hearts", "outcome": "made"}
CASS: Hand = {"bidder": 2, "bid": 400, "trump": "spades", "outcome": "set"}
ALICE: Hand = {"bidder": 0, "bid": 350, "outcome": "thrown_in"}
# What Alice, Ben and Cass take in.
BEN_ROW, CASS_ROW, ALICE_ROW = [0, 2, 0], [16, 16, 0], [0, 2, 2]
