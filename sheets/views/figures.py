"""What a sheet comes to, for the pages that show it: the chart, and settling up."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from babel import Locale
from django.utils.translation import ngettext

from rules import settling
from sheets import charts, money, settle_wording, wording
from sheets.http import PlayerRequest
from sheets.models import Player, Sheet
from sheets.reckoning import reckon, running_totals
from sheets.rows import Line
from sheets.views.asks import Context


def chart_context(players: Sequence[Player], lines: Sequence[Line]) -> Context:
    """Return what the chart of these hands needs; no chart where there is none."""
    series = running_totals(players, lines)
    hands = max(one.last for one in series)
    if not hands:
        return {"chart": None}
    sentence = ngettext(
        "Totals after %(n)s hand: %(line)s", "Totals after %(n)s hands: %(line)s", hands
    )
    return {
        "chart": charts.chart(series),
        "chart_in_words": sentence % {"n": hands, "line": wording.final_line(players)},
        "series": series,
        "figures": [(str(hand), [one.at(hand) for one in series]) for hand in range(1, hands + 1)],
    }


@dataclasses.dataclass(frozen=True, slots=True)
class Amount:
    """A line of settling up: a sentence, the units, and what they are worth where that is said."""

    says: str
    units: str
    money: str


@dataclasses.dataclass(frozen=True, slots=True)
class _Purse:
    """Writes units, and what they are worth on this sheet, as this reader does."""

    sheet: Sheet
    locale: Locale

    def amount(self, says: str, units: int, *, signed: bool = False) -> Amount:
        sign = ("\N{MINUS SIGN}" if units < 0 else "+") if signed and units else ""
        worth = ""
        if self.sheet.unit_cents:
            value = abs(units) * self.sheet.unit_cents
            worth = sign + money.said(value, self.sheet.currency, self.locale)
        return Amount(says, f"{sign}{abs(units)}", worth)


def settle_context(
    request: PlayerRequest,
    sheet: Sheet,
    players: Sequence[Player],
    lines: Sequence[Line],
    *,
    everything: bool = False,
) -> Context:
    """Return the payments that settle a sheet; `everything`: and what stands behind them."""
    reckoning = reckon(sheet, players, lines)
    who = {player.pk: player for player in players}
    purse = _Purse(sheet, locale_of(request))
    net = settling.nets(reckoning.payments, reckoning.parties)
    context: Context = {
        "to_settle": [
            purse.amount(settle_wording.paid(one, who), one.units) for one in settling.fewest(net)
        ],
        "left_out": [settle_wording.left_out(line) for line in reckoning.left_out],
    }
    if everything:
        context["nets"] = [
            purse.amount(settle_wording.net_of(party, who), units, signed=True)
            for party, units in net.items()
        ]
        context["pairs"] = [
            purse.amount(settle_wording.owed(one, who), one.units)
            for one in settling.between(reckoning.payments, reckoning.parties)
        ]
        context["unit_is"] = purse.amount("", 1).money
    return context


def locale_of(request: PlayerRequest) -> Locale:
    """Return how whoever asks writes numbers and money."""
    return money.locale_of(request.headers.get("Accept-Language", ""))
