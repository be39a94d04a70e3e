"""Addresses of organisers and their clubs; `sheets.urls` takes them in."""

from __future__ import annotations

from django.contrib.auth.views import LoginView
from django.urls import path

from sheets.views.clubs import front

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
]
