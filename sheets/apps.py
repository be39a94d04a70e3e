"""The application: tables, sheets and the people at them."""

from __future__ import annotations

from django.apps import AppConfig


class SheetsConfig(AppConfig):
    name = "sheets"
    verbose_name = "Score sheets"
