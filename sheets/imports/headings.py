"""A text of cells as lines with named columns: how cells are parted, and where the headings are.

Every column and every cell is either known or named in a refusal: nothing in a file is left out.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from sheets import names
from sheets.hand_rows import COLUMNS, ONLY_SHOWN
from sheets.imports.decoding import Mistake, Mistaken, at_line, nearest

DELIMITERS: Final = ",;\t|"  # some spreadsheets write others than they were given
LOOKED_AT: Final = 10  # lines, for the headings
LEAST_KNOWN: Final = 5  # headings, by which their line is told from a title
MOST_IN_TITLE: Final = 4  # cells
_TOLD: Final = re.compile(r"\ufeff?\"?sep=(.)", re.IGNORECASE)


def rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Return the lines below the headings as cells by column, with their numbers in an editor.

    Raises Mistaken for columns that are unknown or missing, and cells that are in no column.
    """
    told = _TOLD.match(text)
    delimiter, at = _headings(text, told[1] if told else DELIMITERS)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for cells in itertools.islice(reader, at):
            if sum(map(_is_filled, cells)) > MOST_IN_TITLE:
                raise Mistaken(at_line(reader.line_num, _("This line is above the headings.")))
        columns = _columns(next(reader), reader.line_num)
        for cells in reader:
            if any(cells):
                yield reader.line_num, _by_column(cells, columns, reader.line_num)
    except csv.Error as error:
        raise Mistaken(at_line(reader.line_num, _("This line can't be read."))) from error


def _headings(text: str, delimiters: str) -> tuple[str, int]:
    """Return what parts the cells, and how many lines are above that with most known headings."""
    known = set(map(_plain, COLUMNS))
    found = (0, "", 0)
    for delimiter in delimiters:
        for n, cells in enumerate(_first(text, delimiter)):
            found = max(found, (len(known & set(map(_plain, cells))), delimiter, n), key=_count)
    count, delimiter, at = found
    if count < LEAST_KNOWN:
        some = {"names": ", ".join(COLUMNS[:LEAST_KNOWN])}
        sentence = _("No line has the headings that hands are saved under: %(names)s and so on.")
        raise Mistaken(at_line(1, sentence % some))
    return delimiter, at


def _first(text: str, delimiter: str) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    lines: list[list[str]] = []
    try:
        for cells in itertools.islice(reader, LOOKED_AT):
            lines.append(cells)
    except csv.Error:
        pass
    return lines


def _count(found: tuple[int, str, int]) -> int:
    return found[0]


def _plain(heading: str) -> str:
    """Return a heading without case, spaces, underscores and marks."""
    return re.sub(r"[\W_]+", "", names.key(heading))


def _is_filled(cell: str) -> bool:
    return bool(cell.strip())


def _columns(head: Sequence[str], number: int) -> list[str]:
    """Return the columns that headings name, empty for those without one; raises Mistaken."""
    known = {_plain(name): name for name in COLUMNS}
    columns = [known.get(_plain(heading), "") for heading in head]
    missing = [name for name in COLUMNS if name not in (*columns, *ONLY_SHOWN)]
    wrong: list[Mistake] = []
    for heading, column in zip(head, columns, strict=True):
        if _plain(heading) and not column:
            wrong.append(at_line(number, _unknown(heading.strip(), missing)))
        if column and columns.count(column) > 1:
            said = _("The column “%(name)s” is there twice.") % {"name": column}
            wrong.append(at_line(number, said))
    if missing:
        sentence = _("These columns are missing: %(names)s. A column may be empty.")
        wrong.append(at_line(number, sentence % {"names": ", ".join(missing)}))
    if wrong:
        raise Mistaken(*dict.fromkeys(wrong))
    return columns


def _unknown(heading: str, missing: Sequence[str]) -> str:
    plain = {_plain(name): name for name in COLUMNS}
    meant = nearest(_plain(heading), map(_plain, missing)) or nearest(_plain(heading), plain)
    said = {"name": names.Isolated(heading[:40]), "meant": plain.get(meant, "")}
    if not meant:
        return _("There is no column “%(name)s”: take it out, or give it its right name.") % said
    return _("There is no column “%(name)s”: did you mean “%(meant)s”?") % said


def _by_column(cells: Sequence[str], columns: Sequence[str], number: int) -> dict[str, str]:
    found: dict[str, str] = {}
    for n, (cell, column) in enumerate(itertools.zip_longest(cells, columns, fillvalue=""), 1):
        if column:
            found[column] = cell
        elif _is_filled(cell):
            sentence = _("Cell %(n)s of this line is in a column without a heading.")
            raise Mistaken(at_line(number, sentence % {"n": n}))
    return found
