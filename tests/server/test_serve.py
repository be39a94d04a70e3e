"""`make run`: what it prints, what it keeps, whom it answers, and how it ends."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time

import pytest

from sheets import codes
from squarescores import network
from tests.server.conftest import ROOT


def test_the_first_start_makes_what_it_needs_and_says_where_it_is(running, running_folder):
    assert f"http://{network.hostname()}.local:{running.port}" in running.said
    assert f"http://{network.lan_address()}:{running.port}" in running.said
    assert "▀" in running.said  # the QR code
    files = [running_folder / "secret_key", *running_folder.glob("db.sqlite3*")]
    assert files[1:]
    for path in files:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    with contextlib.closing(sqlite3.connect(running_folder / "db.sqlite3")) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    home = running.ask("GET", "/")
    assert home.status == 200
    assert "default-src 'self'" in home.headers["Content-Security-Policy"]
    missing = running.ask("GET", "/nowhere/")
    assert missing.status == 404
    assert "DEBUG" not in missing.text
    assert "There is no page at this address." in missing.text


def test_it_answers_to_this_machines_own_names_only(running):
    for host in ("localhost", "127.0.0.1", network.lan_address(), f"{network.hostname()}.local"):
        assert running.ask("GET", "/", Host=f"{host}:{running.port}").status == 200
    assert running.ask("GET", "/", Host="evil.example").status == 400


def test_static_files_are_compressed_and_kept_for_good(running):
    sheet = re.search(r'href="(/static/css/pad\.\w+\.css)"', running.ask("GET", "/").text)
    assert sheet is not None
    answer = running.ask("GET", sheet[1], **{"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "immutable" in answer.headers["Cache-Control"]


def test_static_files_are_made_anew_only_where_something_has_changed(serve, folder):
    made = folder / "static" / "staticfiles.json"
    first = made.stat().st_mtime_ns  # of the first start, once for all tests
    serve().wait().stop()
    assert made.stat().st_mtime_ns == first
    (folder / "static_made_of").write_text("other files")
    serve().wait().stop()
    second = made.stat().st_mtime_ns
    assert second > first
    # What a power cut leaves: the list of names is empty, and so is a sheet.
    made.write_text("")
    [sheet] = (folder / "static" / "css").glob("pad.*.css")
    whole = sheet.read_bytes()
    sheet.write_text("")
    server = serve().wait()
    assert server.ask("GET", "/").status == 200
    assert made.stat().st_mtime_ns > second
    assert sheet.read_bytes() == whole


def test_a_hand_that_was_answered_survives_a_stop_and_a_kill(serve):
    server = serve().wait()
    table = server.start_table()
    for total, how in ((2, signal.SIGTERM), (4, signal.SIGKILL)):
        assert server.enter_hand(table).status == 303
        assert server.stop(how) < 5
        again = serve().wait()
        again.cookies = server.cookies
        assert f'class="total">{total}<' in again.ask("GET", table).text
        server = again


def test_results_that_a_process_died_before_are_made_at_the_next_start(serve, folder):
    server = serve().wait()
    server.stop()
    demo = [sys.executable, "manage.py", "demo", "--sheets", "20"]
    subprocess.run(demo, cwd=ROOT, env=server.env, check=True, stdout=subprocess.DEVNULL)
    with contextlib.closing(sqlite3.connect(folder / "db.sqlite3")) as database:
        figures = "SELECT sheet_id, person_id, units, hands FROM sheets_result ORDER BY 1, 2"
        were = database.execute(figures).fetchall()
        database.execute("DELETE FROM sheets_result WHERE sheet_id % 3 = 0")
        database.commit()
        assert len(database.execute(figures).fetchall()) < len(were)
        serve().wait()
        until = time.monotonic() + 20
        while database.execute(figures).fetchall() != were:
            assert time.monotonic() < until
            time.sleep(0.1)


def test_a_taken_port_is_said_in_a_sentence(serve):
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        port = other.getsockname()[1]
        server = serve(PORT=port)
        said, _ = server.process.communicate(timeout=30)
    assert server.process.returncode == 1
    assert said.startswith(f"Port {port} is taken by another program")
    assert f"PORT={port + 1} make run" in said


@pytest.mark.parametrize("port", ["http", "0", "70000", "-1"])
def test_a_port_that_is_none_is_said_in_a_sentence(serve, port):
    server = serve(PORT=port)
    said, _ = server.process.communicate(timeout=30)
    assert server.process.returncode == 1
    assert said == f"PORT must be a whole number from 1 to 65535, not '{port}'.\n"


@pytest.mark.parametrize(
    ("name", "value", "range"),
    [
        ("TABLES_PER_HOUR", "many", "1 to 1000000"),
        ("PAGE_THREADS", "0", "1 to 1000"),
        ("EMAIL_PORT", "65536", "1 to 65535"),
    ],
)
def test_a_setting_that_cannot_be_is_said_with_its_range(serve, name, value, range):
    server = serve(**{name: value})
    said, _ = server.process.communicate(timeout=30)
    assert server.process.returncode == 1
    assert said == f"{name} must be a whole number from {range}, not '{value}'.\n"


def test_a_proxy_that_is_not_believed_is_one_line_in_the_log(serve):
    server = serve(FORWARDED_ALLOW_IPS="192.0.2.1").wait()
    for number in range(3):
        assert server.ask("GET", "/", **{"X-Forwarded-For": f"198.51.100.{number}"}).status == 200
    server.process.terminate()
    said, _ = server.process.communicate(timeout=20)
    [line] = [line for line in said.splitlines() if "X-Forwarded-For" in line]
    assert "start the server with FORWARDED_ALLOW_IPS=127.0.0.1." in line
    believed = serve().wait()
    assert believed.ask("GET", "/", **{"X-Forwarded-For": "198.51.100.1"}).status == 200
    believed.process.terminate()
    assert "X-Forwarded-For" not in believed.process.communicate(timeout=20)[0]


OLD_ROWS = """
import django
django.setup()
from django.core.management import call_command
from django.db import connection
call_command("migrate", "sheets", "0009", verbosity=0)
with connection.cursor() as cursor:
    for number in range(3):
        cursor.execute(
            "INSERT INTO sheets_table (public_id, code, name, watch_id, time_zone, joining_locked,"
            " own_columns, confirm, to_delete, version, created_at) VALUES (%s, %s, '', %s, 'UTC',"
            " false, false, false, false, 0, '2026-01-01')",
            [f"public{number}", f"ABCDE{number}", f"watch{number}"],
        )
        cursor.execute(
            "INSERT INTO sheets_club (slug, name, time_zone, code, confirm, locked, version,"
            " created_at) VALUES (%s, 'Club', 'UTC', %s, false, false, 0, '2026-01-01')",
            [f"club-{number}", f"ABCDE{number}"],
        )
call_command("migrate", "sheets", verbosity=0)
from sheets.models import Club, Table
for one in (*Table.objects.order_by("code"), *Club.objects.order_by("code")):
    print(one.code, getattr(one, "join_secret", None) or one.start_secret)
"""


def test_tables_and_clubs_that_were_there_get_a_secret_for_their_links(tmp_path):
    env = {"PATH": "/usr/bin:/bin", "VAR_DIR": str(tmp_path), "SECRET_KEY": "x" * 60}
    env |= {"DJANGO_SETTINGS_MODULE": "squarescores.settings"}
    run = subprocess.run(
        [sys.executable, "-c", OLD_ROWS], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    rows = [line.split() for line in run.stdout.splitlines()]
    assert [code for code, _secret in rows] == ["ABCDE0", "ABCDE1", "ABCDE2"] * 2
    assert len({secret for _code, secret in rows}) == 6
    assert all(codes.is_link_secret(secret) for _code, secret in rows)


def test_an_https_address_turns_on_what_https_needs(serve):
    server = serve(PUBLIC_URL="https://scores.example").wait()
    assert "    https://scores.example\n" in server.said
    plain = server.ask("GET", "/", Host="scores.example")
    assert plain.status == 301
    assert plain.headers["Location"] == "https://scores.example/"
    proxied = {"Host": "scores.example", "X-Forwarded-Proto": "https"}
    page = server.ask("GET", "/", **proxied)
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "Secure" in page.headers["Set-Cookie"]
    assert server.ask("GET", "/", Host=network.lan_address()).status == 400


@pytest.mark.parametrize("url", ["scores.example", "ftp://scores.example", "https://a.example/x"])
def test_a_public_url_that_is_none_is_said_in_a_sentence(serve, url):
    server = serve(PUBLIC_URL=url)
    said, _ = server.process.communicate(timeout=30)
    assert server.process.returncode == 1
    assert said.startswith("PUBLIC_URL must look like https://scores.example")
