"""Addresses of organisers and their clubs; `sheets.urls` takes them in."""

from __future__ import annotations

from django.contrib.auth.views import LoginView
from django.urls import path

from sheets.views.clubs import front, review

urlpatterns = [
    # The account.
    path("account/sign-in/", LoginView.as_view(template_name="clubs/sign_in.html"), name="sign_in"),
    # Clubs and who runs them.
    path("clubs/", front.clubs, name="clubs"),
    path("clubs/<slug:slug>/", front.club, name="club"),
    # The roster, and the tables of the club.
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
    # Seasons and standings.
    # Files, in and out.
]
