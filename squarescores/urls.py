"""Addresses: the application and Django's admin."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

handler500 = "sheets.views.failure.failure"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("sheets.urls")),
]
