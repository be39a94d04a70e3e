"""A phone-sized browser on a live server, in which nothing may go wrong unseen.

Environment: CHROMIUM names the browser to run, HEADLESS_SHELL the one to run for all tests that do
as well without the rest of a browser; it takes half the time.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
from typing import Any

import pytest
import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import BrowserContext, expect

from squarescores import settings as real_settings
from tests.browser.phone import Phone
from tests.browser.tables import Seeded
from tests.server.conftest import first_start as first_start
from tests.server.conftest import folder as folder
from tests.server.conftest import new_folder as new_folder
from tests.server.conftest import serve as serve

# Playwright's own loop runs in this thread, and Django's ORM would take it for asynchronous code.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
SHELL = os.environ.get("HEADLESS_SHELL") or shutil.which("chromium-headless-shell") or CHROMIUM
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
PATIENCE = 20_000  # milliseconds
expect.set_options(timeout=PATIENCE)

MARKERS = {
    "refusals": (
        "pages of this test are refused on purpose, or streams cut off by a removal",
        re.compile(
            r"Failed to load resource: the server responded with a status of (401|403|404|409|422)"
        ),
    ),
    "lost_replies": (
        "replies of this test get lost on purpose",
        re.compile(r"Failed to load resource: net::ERR_FAILED|^htmx:(afterRequest|sendError)\b"),
    ),
    "no_network": (
        "the network or the server of this test is gone on purpose, or a portal answers for it",
        re.compile(
            r"Failed to load resource: (net::ERR_|the server responded with a status of 50\d)"
            r"|^EventSource's response has a MIME type"
        ),
    ),
}
OTHER_MARKERS = {
    "service_worker": "the browser may run the service worker; elsewhere it would only cost time",
}
# A violation also shows in the console, but only as a sentence that may change.
TELL_VIOLATIONS = """
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  console.error(`CSP violation: ${violatedDirective} ${blockedURI}`));
"""


def pytest_configure(config: pytest.Config) -> None:
    for name, (meaning, _allowed) in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    for name, meaning in OTHER_MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return browser_type_launch_args | {"executable_path": SHELL, "args": FLAGS}


@pytest.fixture(scope="session")
def whole_browser(browser_type: Any, browser_type_launch_args: dict[str, Any]):
    """A browser that keeps the screen awake, and pages alive for Back, as phones do.

    A headless shell does neither, and Playwright switches the second off.
    """
    options = browser_type_launch_args | {"executable_path": CHROMIUM}
    browser = browser_type.launch(**options, ignore_default_args=["--disable-back-forward-cache"])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def base_url(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory):
    """Serve pages, streams and collected files as the real server does, from a thread that sees
    the tests' rows.
    """
    collected = {
        "STORAGES": settings.STORAGES | {"staticfiles": real_settings.STORAGES["staticfiles"]},
        "STATIC_ROOT": tmp_path_factory.mktemp("static"),
        "WHITENOISE_AUTOREFRESH": False,
        "WHITENOISE_USE_FINDERS": False,
    }
    with override_settings(**collected):
        call_command("collectstatic", verbosity=0, interactive=False)
        from squarescores.asgi import application
        from squarescores.serve import Server

        listener = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(application, ws="none", lifespan="off", log_level="warning")
        server = Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return browser_context_args | {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "locale": "en-GB",
        "timezone_id": "Europe/Berlin",
        "reduced_motion": "reduce",  # nothing to wait for between two pages
    }


@pytest.fixture(autouse=True)
def _database(transactional_db: None, base_url: str) -> None:
    """The server sees what the test sees, and every test starts with an empty database."""


@pytest.fixture(autouse=True)
def complaints(request: pytest.FixtureRequest):
    """Fail the test on any error in a console, on a page or of the content policy."""
    heard: list[str] = []
    yield heard
    expected = [allowed for name, (_, allowed) in MARKERS.items() if _marked(request, name)]
    assert [one for one in heard if not any(e.search(one) for e in expected)] == []


def _marked(request: pytest.FixtureRequest, name: str) -> bool:
    return request.node.get_closest_marker(name) is not None


@pytest.fixture
def new_context(new_context: Any, complaints: list[str], request: pytest.FixtureRequest):
    """Every phone of a test is listened to, however it was made."""
    workers = "allow" if _marked(request, "service_worker") else "block"

    def listened_to(**options: Any) -> BrowserContext:
        return _listened_to(new_context(**options | {"service_workers": workers}), complaints)

    return listened_to


@pytest.fixture
def whole_context(
    whole_browser: Any,
    browser_context_args: dict[str, Any],
    base_url: str,
    complaints: list[str],
):
    """A phone with the whole browser."""
    with whole_browser.new_context(**browser_context_args, service_workers="block") as context:
        yield _listened_to(context, complaints)


def _listened_to(context: BrowserContext, complaints: list[str]) -> BrowserContext:
    context.set_default_timeout(PATIENCE)
    context.on(
        "console", lambda said: complaints.append(said.text) if said.type == "error" else None
    )
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.add_init_script(TELL_VIOLATIONS)
    return context


@pytest.fixture
def phone(page: Any) -> Phone:
    """The phone that starts the table."""
    return Phone(page)


@pytest.fixture
def new_phone(new_context: Any):
    """Bring another phone, which shares nothing with the others."""

    def bring(**options: Any) -> Phone:
        return Phone(new_context(**options).new_page())

    return bring


@pytest.fixture
def sit_down(new_context: Any, base_url: str):
    """Bring the phones of a table's players; each looks at the sheet and follows it."""

    def bring(table: Seeded, phones: int = 3, **options: Any) -> list[Phone]:
        there = []
        for seat in range(phones):
            context = new_context(**options)
            table.seat(context, base_url, seat)
            there.append(Phone(context.new_page()))
            there[-1].page.goto(table.url())
        for phone in there:
            expect(phone.state).to_have_text("live")
        return there

    return bring
