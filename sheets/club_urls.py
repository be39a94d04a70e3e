"""Addresses of organisers and their clubs; `sheets.urls` takes them in."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from sheets.views import accounts
from sheets.views.clubs import front, invitations, organisers, settings

urlpatterns = [
    # The account.
    path("account/", accounts.account, name="account"),
    path("account/new/", accounts.account_new, name="account_new"),
    path("account/sign-in/", accounts.SignIn.as_view(), name="sign_in"),
    path("account/sign-out/", LogoutView.as_view(next_page="sheets:home"), name="sign_out"),
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
        "clubs/<slug:slug>/organisers/<int:user_id>/role/", organisers.club_role, name="club_role"
    ),
    path(
        "clubs/<slug:slug>/organisers/<int:user_id>/remove/",
        organisers.club_organiser_remove,
        name="club_organiser_remove",
    ),
    # The roster, and the tables of the club.
    # Review.
    # Seasons and standings.
    # Files, in and out.
]
