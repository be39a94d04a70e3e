"""A start that cannot be: a sentence, and nothing is changed. A clean stop: one file."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from sheets import database_file
from tests.server.conftest import ROOT, Server, free_port


def refused(var, **env):
    """Start a server that cannot; return the sentence it says."""
    server = Server(var, free_port(), **env)
    said, _ = server.process.communicate(timeout=60)
    assert server.process.returncode == 1, said
    assert said.count("\n") == 1, said
    return said


def manage(server, *command):
    """Run a command of manage.py on the server's data; return its status and what it said."""
    done = subprocess.run(
        [sys.executable, "manage.py", *map(str, command)],
        cwd=ROOT,
        env=server.env,
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def test_one_server_at_a_time_stops_with_one_file_and_a_copy_is_put_back(new_folder, tmp_path):
    var = new_folder()
    server = Server(var, free_port()).wait()
    try:
        table = server.start_table()
        assert server.enter_hand(table).status == 303
        said = refused(var)
        assert said.startswith(f"A SquareScores is running on {var / 'db.sqlite3'}, and only one")
        copy = tmp_path / "copy.sqlite3"
        assert manage(server, "backup", copy) == (
            0,
            f"{copy} is a copy of everything: 1 tables, 1 hands.\n",
        )
        assert manage(server, "backup", copy)[0] == 1
        status, said = manage(server, "restore", copy)
        assert status == 1
        assert "Nothing was put back: A SquareScores is running" in said
        assert server.enter_hand(table).status == 303
    finally:
        server.stop()
    assert sorted(path.name for path in var.glob("db*")) == ["db.sqlite3"]
    with closing(sqlite3.connect(var / "db.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM sheets_round").fetchone() == (2,)
    assert manage(server, "restore", copy)[0] == 0
    with closing(sqlite3.connect(var / "db.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM sheets_round").fetchone() == (1,)
    again = Server(var, free_port()).wait()
    again.cookies = server.cookies
    assert 'class="total">2<' in again.ask("GET", table).text
    again.stop()


def damage(var):
    with (var / "db.sqlite3").open("r+b") as file:
        file.seek(0)
        file.write(b"no database " * 1000)


def newer(var):
    with closing(sqlite3.connect(var / "db.sqlite3")) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('sheets', '9999_later', '2030-01-01')"
        )
        database.commit()


def foreign_log(var):
    database = var / "db.sqlite3"
    with closing(sqlite3.connect(database, isolation_level=None)) as live:
        live.execute("PRAGMA journal_mode = WAL")
        live.execute("CREATE TABLE other (id)")
        database_file.copy(database, var / "copy")
        live.execute("INSERT INTO other VALUES (1)")
        shutil.copy(var / "db.sqlite3-wal", var / "wal")
    shutil.move(var / "copy", database)
    shutil.move(var / "wal", var / "db.sqlite3-wal")


@pytest.mark.parametrize(
    ("happened", "sentence"),
    [
        (damage, "is damaged (file is not a database). Put a backup in its place"),
        (newer, "belongs to a newer SquareScores (it knows 9999_later)"),
        (foreign_log, "-wal belongs to another database than"),
    ],
)
def test_a_database_that_cannot_be_served_is_left_as_it_is(new_folder, happened, sentence):
    var = new_folder()
    happened(var)
    before = {path: path.read_bytes() for path in var.glob("db*")}
    assert sentence in refused(var)
    after = {path: path.read_bytes() for path in before}
    assert after == before


def test_a_folder_that_takes_nothing_in_is_said_in_a_sentence(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    assert refused(file).startswith("The server cannot write what it needs: ")
    assert f"It keeps everything in {file / 'var'};" in refused(file / "var")
