"""What templates need to write a hand: suits as glyphs, words in the reader's language."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterable, Sequence

from django import template
from django.template import Context
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from rules import cards
from sheets import evenings, hand_wording, rows, seats, wording
from sheets.forms.base import Chip
from sheets.live import tokens
from sheets.models import NEVER_DEALT, Player, RoundKind, Sheet, Table
from sheets.queries import Next, sitter_of
from sheets.rows import Line

register = template.Library()
CHECKED = mark_safe(" checked")
RED = {cards.Suit.HEARTS, cards.Suit.DIAMONDS}


@register.filter
def evening(moment: datetime.datetime) -> datetime.date:
    """Return the evening a moment belongs to, on the clock that is active."""
    return evenings.evening(moment)


@register.filter
def day(value: datetime.date, pattern: str) -> str:
    """Write a day, with its year where that is not this one."""
    return evenings.written(value, pattern)


@register.filter
def moment(value: datetime.datetime, pattern: str) -> str:
    """Write a day of the calendar, with its year where that is not this one, and the time."""
    return evenings.written_moment(value, pattern)


@register.simple_tag
def glyph(suit: cards.Suit) -> SafeString:
    """Draw a suit; its name stands beside it for whoever cannot see it."""
    red = " red" if suit in RED else ""
    return format_html('<span class="suit{}" aria-hidden="true">{}</span>', red, suit.glyph)


@register.simple_tag
def hand_in_words(line: Line, *, asks: bool = True) -> SafeString:
    """Write a hand in a line: bidder, bid, suit, how it ended; `asks`: and whether to confirm it.

    In Python rather than in a template: thirty of them are most of what the sheet's page costs.
    """
    row = line.round
    if row.kind == RoundKind.PASSED_OUT:
        said = format_html('<span class="who">{}</span>', _("Passed out"))
    elif row.kind == RoundKind.CORRECTION:
        said = format_html(
            '<span class="who">{}</span> <span class="why">{}</span>', _("Correction"), row.reason
        )
    elif row.kind == RoundKind.POT_SHARED:
        said = format_html('<span class="who">{}</span>', _("The pot shared"))
    elif row.kind == RoundKind.TYPED:
        said = format_html('<span class="who">{}</span>{}', _("Typed"), _beside_typed(line))
    else:
        said = _played_in_words(line)
    if line.unconfirmed and asks:
        said += format_html(' <span class="todo">{}</span>', _("to confirm"))
    return said


def _beside_typed(line: Line) -> SafeString:
    """Say whose numbers are missing, or that no hand gives these."""
    if line.missing:
        return format_html(' <span class="todo">{}</span>', hand_wording.waits_for(line.missing))
    if line.odd:
        return format_html(' <span class="out">{}</span>', _("not by the rules"))
    return SafeString("")


def _played_in_words(line: Line) -> SafeString:
    row = line.round
    suit = (
        format_html(" {} {}", glyph(line.suit), hand_wording.suit(line.suit)) if line.suit else ""
    )
    said = format_html(
        '<span class="who">{}</span> {}{} <span class="out {}">{}</span>',
        line.bidder,
        line.bid,
        suit,
        row.outcome,
        hand_wording.outcome(row.outcome or ""),
    )
    if units := rows.pot_taken(line):
        takes = _("takes the pot of %(units)s") % {"units": units}
        said += format_html(' <span class="takes">{}</span>', takes)
    return said


@register.simple_tag
def waits_for(line: Line) -> str:
    """Say whose numbers a half hand waits for."""
    return hand_wording.waits_for(line.missing)


@register.simple_tag
def cells(numbers: Sequence[str]) -> SafeString:
    """Write the cells of a row.

    A zero shows as a dot and is read as 0; a missing number as a question mark, read as missing.
    """
    return mark_safe("".join(_cell(n) for n in numbers))


@register.simple_tag
def cell(number: str) -> SafeString:
    """Write one cell of a row."""
    return mark_safe(_cell(number))


def _cell(number: str) -> str:
    if not number:
        return "<td></td>"
    if number == "0":
        return '<td class="zero"><span aria-hidden="true">·</span><span class="sr">0</span></td>'
    if number == "?":
        word = escape(_("missing"))
        return f'<td class="missing"><span role="img" aria-label="{word}">?</span></td>'
    return f"<td>{int(number)}</td>"


@register.simple_tag
def chips(name: str, choices: Iterable[Chip], *, mine: int | str | None = None) -> SafeString:
    """Write the choices of a radio field as chips, one tap each; in Python too, there are many.

    `mine` is the value of the chip that stands for this phone's own player.
    """
    return format_html_join(
        "",
        '<label><input type="radio" name="{}" value="{}"{}><span>{}</span></label>',
        (
            (
                name,
                chip.value,
                CHECKED if chip.chosen else "",
                _chip_label(chip, is_mine=chip.value == str(mine)),
            )
            for chip in choices
        ),
    )


def _chip_label(chip: Chip, *, is_mine: bool) -> str:
    if chip.suit:
        return format_html("{}<small>{}</small>", glyph(chip.suit), chip.label)
    if is_mine:
        return format_html("{} <small>{}</small>", chip.label, _("you"))
    return chip.label


@register.simple_tag
def posts_to(url: str) -> SafeString:
    """Return the attributes of a form that posts to `url`: plainly, or with htmx for `#page`.

    A second tap is dropped, and the address is the one the answer comes from.
    """
    return format_html(
        'method="post" action="{0}" hx-post="{0}" hx-target="#page" '
        'hx-swap="outerHTML show:body:top" hx-replace-url="true" hx-sync="this:drop" '
        'hx-disabled-elt="find button"',
        url,
    )


@register.simple_tag
def fetches(url: str) -> SafeString:
    """Return the attributes of a link that htmx follows by putting the next page in place."""
    return format_html(
        'href="{0}" hx-get="{0}" hx-target="#page" hx-swap="outerHTML show:body:top" '
        'hx-push-url="true" hx-sync="#page:drop"',
        url,
    )


@register.simple_tag
def also(line: Line) -> SafeString:
    """Write below a hand who sat it out, and what the fourth pays or collects; mostly nothing."""
    said = []
    if line.sitter is not None:
        said.append(_("%(who)s sat out") % {"who": line.sitter.name})
    if beside := hand_wording.beside(line):
        said.append(beside)
    if not said:
        return SafeString("")
    return format_html(' <span class="also">{}</span>', " · ".join(said))


@register.simple_tag
def heading_says(where: Next) -> str:
    """Return the heading of the next hand, with number and names left open for the script."""
    deal = hand_wording.deal_says(where.dealer, where.sitter)
    return _("Hand %(number)s · %(deal)s") % {"number": "%(number)s", "deal": deal}


@register.simple_tag
def heading(where: Next) -> str:
    """Return the heading of the next hand: "Hand 7 · Ben deals, Alice sits out"."""
    deal = hand_wording.deal(where.dealer, where.sitter)
    return _("Hand %(number)s · %(deal)s") % {"number": where.number, "deal": deal}


@register.simple_tag
def deal_says(where: Next) -> str:
    """Return who deals next and who sits out, with the names left open for the script."""
    return hand_wording.deal_says(where.dealer, where.sitter)


@register.simple_tag
def deal(where: Next) -> str:
    """Return who deals next and who sits out."""
    return hand_wording.deal(where.dealer, where.sitter)


@register.simple_tag
def hand_in_form(line: Line, players: Sequence[Player]) -> str:
    """Return who dealt, who sat out and what the form holds that would enter this hand.

    With spaces between. A hand of others than those at the table now goes into no such form.
    """
    row = line.round
    deal = f"{row.dealer_id} {row.sitter_id or '-'}"
    if list(line.seated) != list(players) or row.kind in NEVER_DEALT:
        return f"{deal} other"
    if row.kind == RoundKind.TYPED:
        return " ".join([deal, "numbers", *("?" if n is None else str(n) for n in line.units)])
    if row.kind == RoundKind.PASSED_OUT:
        return f"{deal} passed"
    fields = (deal, "result", row.bidder_id, row.bid, row.trump or "", row.outcome)
    return " ".join(map(str, fields))


@register.simple_tag(takes_context=True)
def live_attributes(context: Context) -> SafeString:
    """Return what tells a phone which state a live part shows, and where to hear of the next one.

    `live` is the address the part is asked for at, with `etag`; `stream` is the token to hear with.
    `seen` names the state shown, `hands` counts the hands before the next. `page` changes with all
    that is shown outside the part. `next` is what the closed form says: the number of the
    next hand and who deals, and deals after that. Without a `live_url` nothing is live.
    """
    table, sheet = context["table"], context["sheet"]
    if not context["live_url"]:
        return format_html('data-state="{}"', sheet.state)
    member = context["member"].pk if "member" in context else None
    told = {
        "live": context["live_url"] + context.get("which_hands", ""),
        "stream": f"/live/{tokens.new_token(table.pk, member, table.version)}",
        "etag": context.get("etag", ""),
        "version": str(table.version),
        "seen": str(table.seen),
        "page": _rest_of_page(context, table, sheet),
        "state": sheet.state,
        "news": context.get("news", ""),
    }
    if "next" in context:
        told["hands"] = str(context["next"].number - 1)
    if sheet.is_open and "next" in context:
        told["next"] = json.dumps(_next(sheet, context["next"], context["players"]))
    return format_html_join(" ", 'data-{}="{}"', told.items())


def _rest_of_page(context: Context, table: Table, sheet: Sheet) -> str:
    players = [(player.pk, player.name) for player in context["players"]]
    shown = [sheet.pk, sheet.state, sheet.house_rules_id, table.code, context["title"], players]
    if table.own_columns and "next" in context:  # the form of one's own number names its hand
        shown += [context["next"].number, context["next"].half]
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:12]


def _next(sheet: Sheet, where: Next, players: Sequence[Player]) -> dict[str, object]:
    first = seats.seat(players, where.dealer.pk)
    dealers = [*players[first:], *players[:first]]
    sitters = [where.sitter] + [sitter_of(sheet.house_rules, players, p) for p in dealers[1:]]
    named = zip(dealers, sitters, strict=True)
    return {
        "number": where.number,
        "dealers": [[str(p.pk), str(p), str(sitter) if sitter else ""] for p, sitter in named],
    }


register.filter("banked", wording.banked)
register.filter("handover", hand_wording.handover)
