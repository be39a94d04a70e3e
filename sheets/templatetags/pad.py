"""What templates need to write a hand: suits as glyphs, words in the reader's language."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules import cards
from sheets import wording

register = template.Library()
RED = {cards.Suit.HEARTS, cards.Suit.DIAMONDS}


@register.simple_tag
def glyph(suit: cards.Suit) -> SafeString:
    """Draw a suit; its name stands beside it for whoever cannot see it."""
    red = " red" if suit in RED else ""
    return format_html('<span class="suit{}" aria-hidden="true">{}</span>', red, suit.glyph)


@register.simple_tag
def posts_to(url: str) -> SafeString:
    """Return the attributes of a form that posts to `url`: plainly, or with htmx for `#page`.

    A second tap is dropped, and the address is the one the answer comes from.
    """
    return format_html(
        'method="post" action="{0}" hx-post="{0}" hx-target="#page" '
        'hx-swap="outerHTML show:body:top" hx-replace-url="true" hx-sync="this:drop" '
        'hx-disabled-elt="find .save"',
        url,
    )


register.filter("suit_name", wording.suit)
register.filter("outcome_word", wording.outcome)
register.filter("place_word", wording.place)
