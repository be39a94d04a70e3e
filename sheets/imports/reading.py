"""A file that somebody brings: which kind it is, what is in it, whether it can be."""

from __future__ import annotations

import codecs
import hashlib
import json

from django.utils.translation import gettext as _

from sheets import portable
from sheets.imports import as_csv, as_json, checking
from sheets.imports.decoding import Mistake, Mistaken

JSON, CSV = "json", "csv"
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how XLSX, ODS and XLS begin


class Brought:
    """A file that was read and found right. `str()` of it tells it from any other."""

    def __init__(
        self, file: portable.File, houses: checking.Houses, digest: str, kind: str
    ) -> None:
        self.file, self.houses, self.digest, self.kind = file, houses, digest, kind

    def __str__(self) -> str:
        return self.digest


def canonical(rules: portable.Rules) -> str:
    """Return house rules as a row holds them."""
    return json.dumps(rules.rules, sort_keys=True, separators=(",", ":"))


def read(data: bytes) -> Brought:
    """Return what is in a file; raises Mistaken with all that is wrong with it."""
    text = _text(data)
    is_json = text.lstrip().startswith("{")
    file = as_json.read(text) if is_json else as_csv.read(text)
    houses = checking.check(file)
    if not is_json:
        file = checking.pots_told(file, houses)
    digest = hashlib.sha256(data).hexdigest()
    return Brought(file, houses, digest, JSON if is_json else CSV)


def _text(data: bytes) -> str:
    """Return the text of a file: in UTF-8, or in UTF-16 as Excel writes “Unicode text”."""
    if data.startswith(_WORKBOOKS):
        sentence = _("This is a workbook: save it as “CSV UTF-8” and choose that file.")
        raise Mistaken(Mistake("", sentence))
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        sentence = _("This file is not in UTF-8 or UTF-16: save it as “CSV UTF-8”, choose that.")
        raise Mistaken(Mistake("", sentence)) from error
