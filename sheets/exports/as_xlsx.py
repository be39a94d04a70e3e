"""Rows as a workbook: text is text and never a formula, numbers are numbers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from typing import IO, Final

import xlsxwriter

from sheets.hand_rows import COLUMNS, NUMBERS, Value

MOST_ROWS: Final = 1_000_000  # on one sheet of a workbook, which holds a few more
MOST_LETTERS: Final = 32_767  # in a cell
WIDE: Final = {"table_name", "dealer", "bidder", "entered_by", "reason", "started", "ended"}


def workbook(rows: Iterable[list[Value]]) -> IO[bytes]:
    """Write the rows to a file and return it, from its beginning."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by the answer it goes out with
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(file, options) as book:
        bold = book.add_format({"bold": True})
        sheet, at = None, MOST_ROWS
        for row in rows:
            if at >= MOST_ROWS or sheet is None:
                sheet, at = _page(book, bold), 0
            at += 1
            for column, value in enumerate(row):
                if isinstance(value, str):
                    sheet.write_string(at, column, value[:MOST_LETTERS])
                elif value is not None:
                    sheet.write_number(at, column, value)
        if sheet is None:
            _page(book, bold)
    file.seek(0)
    return file


def _page(book: xlsxwriter.Workbook, bold: object) -> xlsxwriter.worksheet.Worksheet:
    sheet = book.add_worksheet()
    sheet.freeze_panes(1, 0)
    for column, name in enumerate(COLUMNS):
        width = 8 if name in NUMBERS else 20 if name in WIDE else 12
        sheet.set_column(column, column, width)
        sheet.write_string(0, column, name, bold)
    return sheet
