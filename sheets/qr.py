"""Addresses as QR codes, drawn into the page."""

from __future__ import annotations

import segno
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe


def svg(address: str, title: str) -> SafeString:
    """Draw an address as a QR code that has a name for whoever cannot see it.

    Dark on light with its border, by day and by night: cameras read no other.
    """
    code = segno.make(address, micro=False)
    drawn = code.svg_inline(
        border=4, omitsize=True, dark="#000", light="#fff", svgclass="qr", lineclass=None
    )
    # The name is escaped here: it may hold what people typed.
    named = f'<svg role="img" aria-label="{escape(title)}" ', f"<title>{escape(title)}</title>"
    start, rest = drawn.removeprefix("<svg ").split(">", 1)
    return mark_safe(f"{named[0]}{start}>{named[1]}{rest}")
