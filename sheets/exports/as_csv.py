"""Rows as CSV: UTF-8 with a mark, CRLF, text that no spreadsheet runs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from sheets import hand_rows
from sheets.hand_rows import Value

MARK = "\ufeff"  # by which Excel knows that this is UTF-8


class _Echo:
    """What a writer of lines writes to: it hands each line on."""

    def write(self, line: str) -> str:
        return line


def lines(rows: Iterable[list[Value]]) -> Iterator[str]:
    """Write the rows down, under one line with the names of the columns."""
    writer = csv.writer(_Echo())
    yield MARK + writer.writerow(hand_rows.COLUMNS)
    for row in rows:
        yield writer.writerow([hand_rows.harmless(v) if isinstance(v, str) else v for v in row])
