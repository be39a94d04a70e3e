"""Addresses of organisers and their clubs; `sheets.urls` takes them in."""

from __future__ import annotations

from django.contrib.auth.views import LoginView
from django.urls import path

from sheets.views.clubs import files, front, paper

urlpatterns = [
    # The account.
    path("account/sign-in/", LoginView.as_view(template_name="clubs/sign_in.html"), name="sign_in"),
    # Clubs and who runs them.
    path("clubs/", front.clubs, name="clubs"),
    path("clubs/<slug:slug>/", front.club, name="club"),
    # The roster, and the tables of the club.
    # Review.
    # Seasons and standings.
    # Files, in and out.
    path("clubs/<slug:slug>/files/", files.files, name="club_files"),
    path("clubs/<slug:slug>/files/hands.csv", files.hands_csv, name="club_csv"),
    path("clubs/<slug:slug>/files/hands.xlsx", files.hands_xlsx, name="club_xlsx"),
    path("clubs/<slug:slug>/files/club.json", files.club_json, name="club_json"),
    path("clubs/<slug:slug>/files/import/", files.bring, name="club_import"),
    path("clubs/<slug:slug>/paper/", paper.typed, name="club_typed"),
    path("clubs/<slug:slug>/paper/<str:sheet_id>/", paper.typed_in, name="club_typed_in"),
]
