"""Measurements: each prints a table, none judges. How to run them stands in README.md here."""

from __future__ import annotations
