"""What the log says of requests that were refused or failed."""

from __future__ import annotations

import io
import logging

import pytest
from django.conf import settings
from django.test import Client
from django.utils.module_loading import import_string

from sheets.views import home

SECRET = "a-secret-of-22-letters"


@pytest.fixture
def log():
    """What the console shows while a test runs."""
    shown = io.StringIO()
    handler = logging.StreamHandler(shown)
    for name in settings.LOGGING["handlers"]["console"]["filters"]:
        handler.addFilter(import_string(settings.LOGGING["filters"][name]["()"])())
    logging.getLogger().addHandler(handler)
    yield shown
    logging.getLogger().removeHandler(handler)


def test_a_wrong_host_is_one_line_of_bounded_length(log):
    Client().get(f"/join/{SECRET}/", headers={"Host": "evil.example"})
    Client().get(f"/join/{SECRET}/", headers={"Host": "x" * 5000})
    first, second = log.getvalue().splitlines()
    assert first.startswith("Invalid HTTP_HOST header: 'evil.example'.")
    assert len(second) == 300
    assert SECRET not in log.getvalue()


def test_a_form_without_its_token_is_no_line(log):
    answer = Client(enforce_csrf_checks=True).post(f"/join/{SECRET}/", {"x": "y"})
    assert answer.status_code == 403
    assert log.getvalue() == ""


@pytest.mark.django_db
def test_a_page_that_fails_is_named_by_its_pattern(log, monkeypatch):
    def broken(*args):
        raise ValueError("a mistake of ours")

    monkeypatch.setattr(home, "_join", broken)
    monkeypatch.setattr(home.CodeForm, "is_valid", lambda form: True)
    assert Client(raise_request_exception=False).get(f"/join/{SECRET}/").status_code == 500
    assert "Internal Server Error: /join/<" in log.getvalue()
    assert "a mistake of ours" in log.getvalue()
    assert SECRET not in log.getvalue()
