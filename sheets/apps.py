"""The application: tables, sheets and the people at them."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin import apps


class SheetsConfig(AppConfig):
    name = "sheets"
    verbose_name = "Score sheets"
    default = True


class SiteConfig(apps.AdminConfig):
    """Django's admin, with a page more."""

    default_site = "sheets.admin_site.Site"
    default = False
