"""Addresses of organisers and their clubs; `sheets.urls` takes them in."""

from __future__ import annotations

from django.contrib.auth.views import LoginView
from django.urls import path

from sheets.views.clubs import front, records, seasons, standings

urlpatterns = [
    # The account.
    path("account/sign-in/", LoginView.as_view(template_name="clubs/sign_in.html"), name="sign_in"),
    # Clubs and who runs them.
    path("clubs/", front.clubs, name="clubs"),
    path("clubs/<slug:slug>/", front.club, name="club"),
    # The roster, and the tables of the club.
    # Review.
    # Seasons and standings.
    path("clubs/<slug:slug>/seasons/", seasons.seasons, name="club_seasons"),
    path("clubs/<slug:slug>/seasons/new/", seasons.season_new, name="club_season_new"),
    path("clubs/<slug:slug>/seasons/<int:pk>/", standings.season, name="club_season"),
    path("clubs/<slug:slug>/seasons/<int:pk>/edit/", seasons.season_edit, name="club_season_edit"),
    path(
        "clubs/<slug:slug>/seasons/<int:pk>/remove/",
        seasons.season_remove,
        name="club_season_remove",
    ),
    path("clubs/<slug:slug>/seasons/<int:pk>/link/", seasons.season_link, name="club_season_link"),
    path(
        "clubs/<slug:slug>/seasons/<int:pk>/link/back/",
        seasons.season_link_back,
        name="club_season_link_back",
    ),
    path(
        "clubs/<slug:slug>/seasons/<int:pk>/standings.xlsx",
        standings.season_xlsx,
        name="club_season_xlsx",
    ),
    path("clubs/<slug:slug>/standings/", standings.all_sheets, name="club_standings"),
    path("clubs/<slug:slug>/people/<int:pk>/", records.person, name="club_person"),
    path("seasons/<str:published_id>/", standings.published, name="season_published"),
    # Files, in and out.
]
