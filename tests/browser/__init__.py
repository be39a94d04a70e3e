"""Tests that play with the real pages in a real browser."""

from __future__ import annotations
