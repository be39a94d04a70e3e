"""Spreadsheets: rows in, the bytes of an XLSX file out."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from xlsxwriter import Workbook

from sheets import names

TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclasses.dataclass(frozen=True, slots=True)
class Column:
    """A heading, how wide the column is in digits, and how its numbers are shown."""

    heading: str
    width: int = 10
    format: str = "General"


def xlsx(name: str, columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> bytes:
    """Return a workbook of one sheet: text stays text whatever it starts with, None is left empty.

    Whatever is no text is written as a number.
    """
    file = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with Workbook(file, options) as book:
        page = book.add_worksheet(name)
        page.freeze_panes(1, 0)
        head = book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1})
        for n, column in enumerate(columns):
            shown = book.add_format({"num_format": column.format})
            page.set_column(n, n, column.width, shown)
            page.write_string(0, n, column.heading, head)
        for line, row in enumerate(rows, start=1):
            for n, value in enumerate(row):
                if isinstance(value, str):
                    page.write_string(line, n, names.bare(value))
                elif value is not None:
                    page.write_number(line, n, value)
    return file.getvalue()
