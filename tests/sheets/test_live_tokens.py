"""Tokens say who holds a stream, and for how long they may open one."""

from __future__ import annotations

import time

import pytest
from django.core import signing

from sheets.live import tokens
from sheets.live.tokens import Viewer


@pytest.mark.parametrize("member", [7, None])
def test_a_token_says_whose_it_is_and_of_which_version(member):
    assert tokens.read_token(tokens.new_token(12, member, 5)) == Viewer(12, member, 5)


@pytest.mark.parametrize(
    ("age", "good"),
    [
        (0, True),
        (tokens.LASTS - 5, True),
        (tokens.LASTS + 2, False),
        (-3600, False),  # the clock was put back an hour
    ],
)
def test_a_token_lasts_a_while(age, good):
    made = signing.b62_encode(int(time.time()) - age)
    token = signing.Signer(salt="stream").sign(f"12.7:5:{made}")
    assert (tokens.read_token(token) is not None) == good


@pytest.mark.parametrize("spoil", [
    lambda token: token[:-1] + ("A" if token[-1] != "A" else "B"),
    lambda token: token.replace("12.7", "12.8"),
    lambda token: token.replace("12.7", "12."),
    lambda token: "",
    lambda token: "12.7",
    lambda token: "::",
    lambda token: token + "\0",
    lambda token: signing.TimestampSigner(salt="other").sign("12.7:5"),
    lambda token: signing.TimestampSigner(salt="stream").sign("12.7"),
    lambda token: signing.TimestampSigner(salt="stream").sign("12.7:five"),
    lambda token: signing.TimestampSigner(salt="stream").sign("twelve.7:5"),
    lambda token: signing.TimestampSigner(salt="stream").sign("12.seven:5"),
])  # fmt: skip
def test_what_is_no_token_of_ours_says_nothing(spoil):
    assert tokens.read_token(spoil(tokens.new_token(12, 7, 5))) is None
