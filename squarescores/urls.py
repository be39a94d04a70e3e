"""Addresses: the application and Django's admin."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from sheets.views.account_changes import SignOut

handler400 = "sheets.views.failure.unreadable"
handler500 = "sheets.views.failure.failure"

urlpatterns = [
    # Signing out of the admin forgets as much as signing out of a club.
    path("admin/logout/", SignOut.as_view()),
    path("admin/", admin.site.urls),
    path("", include("sheets.urls")),
]
