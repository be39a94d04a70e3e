"""Addresses of organisers and their clubs; `sheets.urls` takes them in."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from sheets.views import account_changes, accounts
from sheets.views.clubs import (
    files,
    front,
    invitations,
    names,
    open_sheets,
    organisers,
    paper,
    people,
    records,
    review,
    seasons,
    settings,
    standings,
    tables,
)


class KeyConverter(IntConverter):
    """A number that the key of a row can be: nothing larger is asked of a database."""

    regex = "[0-9]{1,18}"


register_converter(KeyConverter, "key")

urlpatterns = [
    # The account.
    path("account/", accounts.account, name="account"),
    path("account/new/", accounts.account_new, name="account_new"),
    path("account/sign-in/", accounts.SignIn.as_view(), name="sign_in"),
    path("account/sign-out/", account_changes.SignOut.as_view(), name="sign_out"),
    path("account/signed-out/", account_changes.signed_out, name="signed_out"),
    path("account/address/", account_changes.change_email, name="change_email"),
    path("account/address/<str:secret>/", account_changes.confirm_email, name="confirm_email"),
    path("account/close/", account_changes.account_close, name="account_close"),
    path("account/password/", accounts.ChangePassword.as_view(), name="change_password"),
    path("account/reset/", accounts.Reset.as_view(), name="reset"),
    path("account/reset/sent/", accounts.ResetSent.as_view(), name="reset_sent"),
    path(
        "account/reset/<str:uidb64>/<str:token>/",
        accounts.ResetConfirm.as_view(),
        name="reset_confirm",
    ),
    # Clubs and who runs them.
    path("invitations/<str:secret>/", invitations.invitation, name="invitation"),
    path("clubs/", front.clubs, name="clubs"),
    path("clubs/new/", settings.club_new, name="club_new"),
    path("clubs/<slug:slug>/", front.club, name="club"),
    path("clubs/<slug:slug>/settings/", settings.club_settings, name="club_settings"),
    path("clubs/<slug:slug>/code/", settings.club_code, name="club_code"),
    path("clubs/<slug:slug>/history/", front.club_history, name="club_history"),
    path("clubs/<slug:slug>/organisers/", organisers.club_organisers, name="club_organisers"),
    path("clubs/<slug:slug>/organisers/invite/", invitations.club_invite, name="club_invite"),
    path(
        "clubs/<slug:slug>/organisers/<key:user_id>/role/", organisers.club_role, name="club_role"
    ),
    path(
        "clubs/<slug:slug>/organisers/<key:user_id>/remove/",
        organisers.club_organiser_remove,
        name="club_organiser_remove",
    ),
    # The roster, and the tables of the club.
    path("clubs/<slug:slug>/people/", people.people, name="club_people"),
    path("clubs/<slug:slug>/people/new/", people.person_new, name="club_person_new"),
    path("clubs/<slug:slug>/people/<key:pk>/edit/", people.person_edit, name="club_person_edit"),
    path("clubs/<slug:slug>/people/<key:pk>/merge/", people.person_merge, name="club_person_merge"),
    path("clubs/<slug:slug>/people/<key:pk>/part/", people.person_part, name="club_person_part"),
    path(
        "clubs/<slug:slug>/people/<key:pk>/retire/",
        people.person_retire,
        name="club_person_retire",
    ),
    path("clubs/<slug:slug>/people/<key:pk>/back/", people.person_back, name="club_person_back"),
    path("clubs/<slug:slug>/names/", names.names, name="club_names"),
    path(
        "clubs/<slug:slug>/sheets/<str:sheet_id>/people/",
        names.sheet_people,
        name="club_sheet_people",
    ),
    path("clubs/<slug:slug>/tables/", tables.tables, name="club_tables"),
    path("clubs/<slug:slug>/tables/lift/", tables.tables_lift, name="club_tables_lift"),
    path("clubs/<slug:slug>/tables/<str:table_id>/", tables.table, name="club_table"),
    path(
        "clubs/<slug:slug>/tables/<str:table_id>/live/", tables.table_live, name="club_table_live"
    ),
    path(
        "clubs/<slug:slug>/tables/<str:table_id>/phones/<int:number>/remove/",
        tables.phone_remove,
        name="club_phone_remove",
    ),
    path(
        "clubs/<slug:slug>/tables/<str:table_id>/phones/<int:number>/back/",
        tables.phone_back,
        name="club_phone_back",
    ),
    path(
        "clubs/<slug:slug>/tables/<str:table_id>/let-go/",
        tables.table_let_go,
        name="club_table_let_go",
    ),
    path(
        "clubs/<slug:slug>/tables/<str:table_id>/delete/",
        tables.table_delete,
        name="club_table_delete",
    ),
    path("clubs/<slug:slug>/open/", open_sheets.open_sheets, name="club_open"),
    path(
        "clubs/<slug:slug>/sheets/<str:sheet_id>/end/", open_sheets.sheet_end, name="club_sheet_end"
    ),
    path(
        "clubs/<slug:slug>/sheets/<str:sheet_id>/discard/",
        open_sheets.sheet_discard,
        name="club_sheet_discard",
    ),
    path(
        "clubs/<slug:slug>/sheets/<str:sheet_id>/take-up/",
        open_sheets.sheet_take_up,
        name="club_sheet_take_up",
    ),
    # Review.
    path("clubs/<slug:slug>/sheets/", review.inbox_page, name="club_inbox"),
    path("clubs/<slug:slug>/sheets/<str:sheet_id>/", review.sheet, name="club_sheet"),
    path("clubs/<slug:slug>/sheets/<str:sheet_id>/paper/", review.paper, name="club_paper"),
    path("clubs/<slug:slug>/sheets/<str:sheet_id>/review/", review.say, name="club_review"),
    path(
        "clubs/<slug:slug>/sheets/<str:sheet_id>/reopen/",
        review.reopen_sheet,
        name="club_reopen",
    ),
    path(
        "clubs/<slug:slug>/sheets/<str:sheet_id>/hands/<uuid:round_id>/correct/",
        review.correct,
        name="club_correct",
    ),
    path(
        "clubs/<slug:slug>/sheets/<str:sheet_id>/hands/<uuid:round_id>/before/",
        review.hand_before,
        name="club_hand_before",
    ),
    path(
        "clubs/<slug:slug>/sheets/<str:sheet_id>/hands/new/",
        review.hand_new,
        name="club_hand_new",
    ),
    path(
        "clubs/<slug:slug>/sheets/<str:sheet_id>/corrections/new/",
        review.correction_new,
        name="club_correction_new",
    ),
    # Seasons and standings.
    path("clubs/<slug:slug>/seasons/", seasons.seasons, name="club_seasons"),
    path("clubs/<slug:slug>/seasons/new/", seasons.season_new, name="club_season_new"),
    path("clubs/<slug:slug>/seasons/<key:pk>/", standings.season, name="club_season"),
    path("clubs/<slug:slug>/seasons/<key:pk>/edit/", seasons.season_edit, name="club_season_edit"),
    path(
        "clubs/<slug:slug>/seasons/<key:pk>/remove/",
        seasons.season_remove,
        name="club_season_remove",
    ),
    path("clubs/<slug:slug>/seasons/<key:pk>/link/", seasons.season_link, name="club_season_link"),
    path(
        "clubs/<slug:slug>/seasons/<key:pk>/link/back/",
        seasons.season_link_back,
        name="club_season_link_back",
    ),
    path(
        "clubs/<slug:slug>/seasons/<key:pk>/standings.xlsx",
        standings.season_xlsx,
        name="club_season_xlsx",
    ),
    path("clubs/<slug:slug>/standings/", standings.all_sheets, name="club_standings"),
    path("clubs/<slug:slug>/people/<key:pk>/", records.person, name="club_person"),
    path("seasons/<str:published_id>/", standings.published, name="season_published"),
    # Files, in and out.
    path("clubs/<slug:slug>/files/", files.files, name="club_files"),
    path("clubs/<slug:slug>/files/hands.csv", files.hands_csv, name="club_csv"),
    path("clubs/<slug:slug>/files/hands.xlsx", files.hands_xlsx, name="club_xlsx"),
    path("clubs/<slug:slug>/files/club.json", files.club_json, name="club_json"),
    path("clubs/<slug:slug>/files/import/", files.bring, name="club_import"),
    path("clubs/<slug:slug>/paper/", paper.typed, name="club_typed"),
    path("clubs/<slug:slug>/paper/<str:sheet_id>/", paper.typed_in, name="club_typed_in"),
]
