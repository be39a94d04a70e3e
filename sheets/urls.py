"""Addresses. What opens a table is in none but its own page's; looking never writes."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from sheets import club_urls, codes
from sheets.views import (
    columns,
    corrections,
    guide,
    hands,
    home,
    leaving,
    match,
    phone_links,
    phones,
    rules,
    settings,
    settling,
    sitting,
    table,
    watch,
    worker,
)


class LinkConverter(StringConverter):
    """The secret of a link, which no code is as long as."""

    regex = codes.LINK_SECRET


class TypedConverter(StringConverter):
    """A code that someone typed behind our address, with a slash at its end or without."""

    regex = "[^/]+/?"

    def to_python(self, value: str) -> str:
        return value.rstrip("/")


register_converter(LinkConverter, "link")
register_converter(TypedConverter, "typed")

app_name = "sheets"
urlpatterns = [
    *club_urls.urlpatterns,
    path("", home.home, name="home"),
    path("sw.js", worker.service_worker, name="service_worker"),
    path("tables/new/", home.table_new, name="table_new"),
    path("tables/new/<link:start_secret>/", home.table_new_club, name="table_new_club"),
    path("join/", home.join_code, name="join_code"),
    path("join/<link:join_secret>/", home.join_link, name="join_link"),
    path("join/<typed:code>", home.join_table, name="join"),
    path("watch/<str:watch_id>/", watch.watch, name="watch"),
    path("guide/auction-pinochle/", guide.guide, name="guide"),
    path("guide/auction-pinochle/melds/", guide.melds, name="guide_melds"),
    path("guide/auction-pinochle/tricks/", guide.tricks, name="guide_tricks"),
    path("guide/auction-pinochle/odds/", guide.odds, name="guide_odds"),
    path("phone/", phone_links.phone_link_new, name="phone_link_new"),
    path("phone/<str:secret>", phone_links.phone_link, name="phone_link"),
    path("t/<str:table_id>/", table.table, name="table"),
    path("t/<str:table_id>/hands/new/", hands.hand_new, name="hand_new"),
    path("t/<str:table_id>/hands/<uuid:round_id>/", hands.hand, name="hand"),
    path("t/<str:table_id>/hands/<uuid:round_id>/edit/", hands.hand_edit, name="hand_edit"),
    path("t/<str:table_id>/hands/<uuid:round_id>/before/", hands.hand_before, name="hand_before"),
    path(
        "t/<str:table_id>/hands/<uuid:round_id>/take-back/",
        hands.hand_take_back,
        name="hand_take_back",
    ),
    path(
        "t/<str:table_id>/hands/<uuid:round_id>/put-back/",
        hands.hand_put_back,
        name="hand_put_back",
    ),
    path("t/<str:table_id>/hands/<uuid:round_id>/zeros/", columns.hand_zeros, name="hand_zeros"),
    path(
        "t/<str:table_id>/hands/<uuid:round_id>/confirm/",
        hands.hand_confirm,
        name="hand_confirm",
    ),
    path(
        "t/<str:table_id>/corrections/new/",
        corrections.correction_new,
        name="correction_new",
    ),
    path("t/<str:table_id>/numbers/", columns.number, name="number"),
    path("t/<str:table_id>/settings/", settings.settings, name="settings"),
    path("t/<str:table_id>/rules/", rules.rules, name="rules"),
    path("t/<str:table_id>/rules/back/", rules.rules_back, name="rules_back"),
    path("t/<str:table_id>/rules/save/", rules.rules_save, name="rules_save"),
    path("t/<str:table_id>/rules/forget/", rules.rules_forget, name="rules_forget"),
    path("t/<str:table_id>/dealer/", match.dealer, name="dealer"),
    path("t/<str:table_id>/names/", match.names, name="names"),
    path("t/<str:table_id>/seats/", match.seats, name="seats"),
    path("t/<str:table_id>/who/", match.who, name="who"),
    path("t/<str:table_id>/fourth/", sitting.fourth_sits_down, name="fourth"),
    path("t/<str:table_id>/leave/", sitting.somebody_leaves, name="leave"),
    path("t/<str:table_id>/pot/share/", match.pot_share, name="pot_share"),
    path("t/<str:table_id>/end/", match.end, name="end"),
    path("t/<str:table_id>/end/totals/", match.totals, name="totals"),
    path("t/<str:table_id>/end/totals/back/", match.totals_back, name="totals_back"),
    path("t/<str:table_id>/again/", match.again, name="again"),
    path("t/<str:table_id>/share/", phones.share, name="share"),
    path("t/<str:table_id>/phones/", phones.phones, name="phones"),
    path("t/<str:table_id>/phones/<int:number>/remove/", phones.phone_remove, name="phone_remove"),
    path("t/<str:table_id>/phones/<int:number>/back/", phones.phone_back, name="phone_back"),
    path("t/<str:table_id>/code/", phones.code, name="code"),
    path("t/<str:table_id>/lock/", phones.lock, name="lock"),
    path("t/<str:table_id>/asks/", phones.asks, name="asks"),
    path("t/<str:table_id>/history/", table.history, name="history"),
    path("t/<str:table_id>/evenings/", table.evenings, name="evenings"),
    path("t/<str:table_id>/privacy/", leaving.privacy, name="privacy"),
    path("t/<str:table_id>/delete/", leaving.delete, name="delete"),
    path("t/<str:table_id>/keep/", leaving.keep, name="keep"),
    path("t/<str:table_id>/people/<int:person_id>/erase/", leaving.erase, name="erase"),
    path("t/<str:table_id>/<str:sheet_id>/reopen/", leaving.take_back_end, name="reopen"),
    path("t/<str:table_id>/<str:sheet_id>/", table.sheet, name="sheet"),
    path("t/<str:table_id>/<str:sheet_id>/paper/", table.paper, name="paper"),
    path("t/<str:table_id>/<str:sheet_id>/settle/", settling.settle, name="settle"),
    path("t/<str:table_id>/<str:sheet_id>/chart/", settling.chart, name="chart"),
]
