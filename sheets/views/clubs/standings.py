"""The standings of a season: for organisers, for whoever has the link, and as a spreadsheet."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets import http, spreadsheets, standings, standings_wording
from sheets.access import for_organisers
from sheets.http import OrganiserRequest, PlayerRequest
from sheets.models import Club, Organiser, Season
from sheets.standings import NAME, USUAL, VALUES, Ranked, Row, Standings
from sheets.standings_wording import COLUMNS
from sheets.views.clubs.front import club_context
from sheets.views.clubs.seasons import not_here, season_of

WIDE_PAGE = 35  # lines on one printed page that lies on its side


@for_organisers
@require_safe
def season(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """The standings of a season."""
    found = season_of(organiser, pk)
    if found is None:
        return not_here(request)
    return _for_organiser(request, organiser, found)


@for_organisers
@require_safe
def all_sheets(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """The standings of all sheets the club ever banked."""
    return _for_organiser(request, organiser, None)


def _for_organiser(
    request: OrganiserRequest, organiser: Organiser, season: Season | None
) -> HttpResponse:
    club = organiser.club
    found, order = standings.standings(club, season), Order.asked(request)
    counted = standings.counted(club, season)
    context = club_context(organiser) | _table(found, season, order, inside=True)
    context["rests_on"] = standings_wording.rests_on(counted.sheets, counted.to_review)
    if found.nobodys_seats:
        context["nobodys"] = standings_wording.nobodys(found.nobodys_seats, found.nobodys_sheets)
    if season is not None and (others := standings.overlapping(season)):
        context["overlaps"] = standings_wording.overlaps(others)
    return http.page(request, "clubs/standings.html", context)


@require_safe
def published(request: PlayerRequest, published_id: str) -> HttpResponse:
    """The standings of one season for whoever has its link: the table, and nothing behind it."""
    season = standings.published(published_id)
    if season is None:
        response = render(request, "404.html", status=404)
    else:
        with timezone.override(season.club.zone):
            found = standings.standings(season.club, season)
            context = _table(found, season, Order.asked(request), inside=False)
            context["club_name"] = season.club.name
            waiting = standings.counted(season.club, season).to_review
            context["not_reviewed"] = standings_wording.not_reviewed(waiting)
            response = http.page(request, "clubs/season_published.html", context)
    # Asked for anew each time: a link that was taken back opens nothing from that moment on.
    response["Cache-Control"] = "private, no-store"
    return response


@for_organisers
@require_safe
def season_xlsx(request: OrganiserRequest, organiser: Organiser, pk: int) -> HttpResponse:
    """The standings of a season as a spreadsheet, in the order that was asked for."""
    season = season_of(organiser, pk)
    if season is None:
        return not_here(request)
    found = standings.standings(organiser.club, season)
    ranked = Order.asked(request).ranked(found, season)
    response = HttpResponse(_xlsx(organiser.club, ranked), content_type=spreadsheets.TYPE)
    name = f"{organiser.club.slug}-{season.starts:%Y-%m-%d}-standings.xlsx"
    disposition = content_disposition_header(True, name)
    assert disposition is not None
    response["Content-Disposition"] = disposition
    return response


def _xlsx(club: Club, ranked: Ranked) -> bytes:
    columns = [
        spreadsheets.Column(_("Place"), 6, "0"),
        spreadsheets.Column(_("Name"), 24),
        spreadsheets.Column(_("Note"), 16),
        *(spreadsheets.Column(str(one.long).capitalize(), 11, one.format) for one in COLUMNS),
        spreadsheets.Column(_("Evening of the best sheet"), 14),
        spreadsheets.Column(_("Shared wins"), 8, "0"),
        spreadsheets.Column(_("Sheets without a net"), 8, "0"),
    ]
    return spreadsheets.xlsx(
        _("Standings"),
        columns,
        [
            [
                row.place,
                row.name,
                row.note,
                *(_number(one.value(row)) for one in COLUMNS),
                row.best.evening.isoformat(),
                row.figures.shared,
                row.figures.unknown,
            ]
            for row in [*ranked.placed, *ranked.apart]
        ],
    )


def _number(value: int | Fraction | None) -> int | float | None:
    return float(value) if isinstance(value, Fraction) else value


@dataclasses.dataclass(frozen=True, slots=True)
class Order:
    """By which column standings are sorted; `turned`: the other way round than one expects."""

    by: str = USUAL
    turned: bool = False

    @classmethod
    def asked(cls, request: PlayerRequest) -> Order:
        """Return what an address asks for; what is no column is the usual order."""
        by = request.GET.get("by", USUAL)
        if by not in VALUES and by != NAME:
            by = USUAL
        return cls(by, request.GET.get("order") == "turned")

    def ranked(self, found: Standings, season: Season | None) -> Ranked:
        """Return the lines in this order."""
        least = season.least_hands if season else 0
        return standings.ranked(found.rows, self.by, up=self.turned, least_hands=least)

    def sort(self, by: str) -> str:
        """Return how a column is sorted, as a browser reads it out; empty: it is not."""
        if by != self.by:
            return ""
        return "ascending" if self.turned != (by == NAME) else "descending"

    def query(self, by: str) -> str:
        """Return where the heading of a column leads: the same column once more turns it."""
        return f"?by={by}" + ("&order=turned" if by == self.by and not self.turned else "")


@dataclasses.dataclass(frozen=True, slots=True)
class Heading:
    """The head of a column: what it says, how it is sorted now, where it leads."""

    says: str
    long: str
    sort: str
    query: str


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """A line as it is shown; `person`, `note` and `sheet` only to organisers."""

    place: str
    name: str
    cells: list[str]
    best: str
    evening: str
    person: int | None = None
    note: str = ""
    sheet: str = ""


def _table(
    found: Standings, season: Season | None, order: Order, *, inside: bool
) -> dict[str, Any]:
    """Return what the table shows; `inside`: to organisers, who get on from here."""
    ranked = order.ranked(found, season)
    name = Heading(_("Name"), "", order.sort(NAME), order.query(NAME))
    columns = [
        Heading(str(one.heading), str(one.long), order.sort(one.key), order.query(one.key))
        for one in COLUMNS
    ]
    chosen = next((one for one in COLUMNS if one.key == order.by), COLUMNS[0])
    context = {
        "season": season if inside else None,
        "season_name": season.name if season else _("All sheets"),
        "span": standings_wording.span(season) if season else "",
        "name_heading": name,
        "headings": columns,
        "sorted_by": chosen.long,
        "lines": [_line(row, inside) for row in ranked.placed],
        "apart": [_line(row, inside) for row in ranked.apart],
        "many": len(ranked.placed) + len(ranked.apart) > WIDE_PAGE,
        "not_all_nets": any(row.figures.unknown for row in found.rows),
    }
    if season and ranked.apart:
        context["apart_says"] = standings_wording.apart(season.least_hands)
    return context


def _line(row: Row, inside: bool) -> Line:
    shown = Line(
        place="" if row.place is None else str(row.place),
        name=row.name,
        cells=[column.said(row) for column in COLUMNS[:-1]],
        best=COLUMNS[-1].said(row),
        evening=standings_wording.day(row.best),
    )
    if not inside:
        return shown
    return dataclasses.replace(shown, person=row.person, note=row.note, sheet=row.best.sheet)
