"""What the settings promise of the database and of what is left to do."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection

from squarescores.environment import check_proxies, env_number, env_public_url
from squarescores.settings import postgresql, secret_key


@pytest.mark.django_db
def test_an_answered_hand_survives_a_pulled_plug():
    """SQLite waits for the disk on every commit; PostgreSQL does by default."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            full = cursor.execute("PRAGMA synchronous").fetchone()
            mode = cursor.execute("PRAGMA journal_mode").fetchone()
        assert (full, mode) == ((2,), ("wal",))
        assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    else:
        assert "synchronous_commit" not in connection.settings_dict["OPTIONS"]["options"]


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize(
    ("name", "value", "most", "read"),
    [
        ("PURGE_AFTER_DAYS", "", 36_500, 400),
        ("PURGE_AFTER_DAYS", "0", 36_500, 0),
        ("PURGE_AFTER_DAYS", "30", 36_500, 30),
        ("TABLES_PER_HOUR", "100000", 1_000_000, 100_000),
    ],
)
def test_a_number_is_read_from_the_environment(monkeypatch, name, value, most, read):
    monkeypatch.setenv(name, value)
    assert env_number(name, 400, least=0, most=most) == read


@pytest.mark.parametrize("value", ["never", "-1", "1.5", "40000", "9" * 5000])
def test_a_number_that_is_none_is_said_with_both_its_ends(monkeypatch, value):
    monkeypatch.setenv("PURGE_AFTER_DAYS", value)
    with pytest.raises(ImproperlyConfigured) as said:
        env_number("PURGE_AFTER_DAYS", 400, least=0, most=36_500)
    assert str(said.value) == (
        f"PURGE_AFTER_DAYS must be a whole number from 0 to 36500, not {value[:80]!r}."
    )


def test_as_many_tables_may_be_started_as_somebody_says():
    """In a process of its own, as a server reads its settings."""
    code = "from squarescores import settings; print(settings.TABLES_PER_HOUR)"
    env = os.environ | {"TABLES_PER_HOUR": "100000", "SECRET_KEY": "x"}
    run = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert run.stdout == "100000\n"


@pytest.mark.parametrize(
    "value",
    [
        "scores.example",
        "ftp://scores.example",
        "https://scores.example/sheets",
        "https://scores.example?x",
        "https://scores.example#x",
        "https://me@scores.example",
        "https://scores.example:99999",
        "https://[scores",
        "https://",
    ],
)
def test_an_address_that_is_no_origin_is_said_with_one_that_is(monkeypatch, value):
    monkeypatch.setenv("PUBLIC_URL", value)
    with pytest.raises(ImproperlyConfigured, match=r"must look like https://scores\.example or"):
        env_public_url("PUBLIC_URL")


@pytest.mark.parametrize("value", ["", "https://scores.example/", "http://192.0.2.1:8000"])
def test_an_origin_is_taken_without_its_slash(monkeypatch, value):
    monkeypatch.setenv("PUBLIC_URL", value)
    assert env_public_url("PUBLIC_URL") == value.rstrip("/")


@pytest.mark.parametrize("value", ["mysql://here/db", "nonsense", "postgres://here:port/db"])
def test_a_database_that_is_none_of_ours_is_said_in_a_sentence(value):
    with pytest.raises(ImproperlyConfigured, match="must be a postgres:// address, or be left out"):
        postgresql(value)


def test_a_database_without_a_name_is_said_in_a_sentence():
    for value in ("postgres://here", "postgres://me@here:5432/"):
        with pytest.raises(ImproperlyConfigured, match="must name a database"):
            postgresql(value)


def test_a_key_that_cannot_be_read_is_said_in_a_sentence(monkeypatch, tmp_path):
    monkeypatch.delenv("SECRET_KEY")
    file = tmp_path / "key"
    monkeypatch.setenv("SECRET_KEY_FILE", str(file))
    with pytest.raises(ImproperlyConfigured, match="There is no secret key"):
        secret_key()
    for content, sentence in (
        (b" \n", "is empty: delete"),
        (b"\xff\xfe", "cannot be read: 'utf-8'"),
    ):
        file.write_bytes(content)
        with pytest.raises(ImproperlyConfigured, match=sentence):
            secret_key()
    file.write_text("a key\n")
    assert secret_key() == "a key"
    monkeypatch.setenv("SECRET_KEY_FILE", str(tmp_path))
    with pytest.raises(ImproperlyConfigured, match=r"cannot be read: .*Is a directory"):
        secret_key()


@pytest.mark.parametrize("proxies", ["*", "0.0.0.0/0", "127.0.0.1, ::/0"])
def test_to_believe_every_client_is_said_twice(monkeypatch, proxies):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)
    check_proxies("")
    with pytest.raises(ImproperlyConfigured, match="Name the proxy's address instead"):
        check_proxies("https://scores.example")
    monkeypatch.setenv("TRUST_ANY_PROXY", "True")
    check_proxies("https://scores.example")


@pytest.mark.parametrize("proxies", ["", "172.17.0.1", "10.0.0.0/8, fd00::/8", "proxy.local"])
def test_proxies_with_a_name_are_believed(monkeypatch, proxies):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)
    check_proxies("https://scores.example")
