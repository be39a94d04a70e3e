"""The one file of SQLite: a copy of it, a log that is another's, and what is damaged."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3

import pytest

from sheets import database_file
from sheets.database_file import FileError


def connect(file):
    return contextlib.closing(sqlite3.connect(file, isolation_level=None))


def rows(file):
    with connect(file) as database:
        return database.execute("SELECT count(*) FROM hand").fetchone()[0]


def write(file, hands, *, large=100):
    """Write hands one by one, as a server does, and leave them in the log, as a killed one does."""
    with connect(file) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = OFF")
        database.execute("CREATE TABLE IF NOT EXISTS hand (id INTEGER PRIMARY KEY, said)")
        for _ in range(hands):
            database.execute("INSERT INTO hand (said) VALUES (?)", (os.urandom(large),))
        killed = file.with_name("killed")
        killed.mkdir()
        for name in (file, database_file.beside(file, "-wal")):
            shutil.copy(name, killed)
    for suffix in ("", *database_file.BESIDE):
        database_file.beside(file, suffix).unlink(missing_ok=True)
    for name in killed.iterdir():
        name.rename(file.with_name(name.name))
    killed.rmdir()


@pytest.fixture
def file(tmp_path):
    folder = tmp_path / "var"
    folder.mkdir()
    return folder / "db.sqlite3"


@pytest.mark.parametrize("hands", [1, 30, 1500])
def test_a_log_of_its_own_is_read_after_a_crash(file, hands):
    write(file, 20)
    write(file, hands, large=3000)
    assert database_file.beside(file, "-wal").stat().st_size
    database_file.look_at(file)
    database_file.leave_one_file(file)
    assert rows(file) == 20 + hands
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def vacuum(file, to):
    with connect(file) as database:
        database.execute("VACUUM INTO ?", (str(to),))


@pytest.mark.parametrize("copied_by", [vacuum, database_file.copy, shutil.copy])
@pytest.mark.parametrize("meanwhile", [3, 200])
def test_a_backup_beside_the_log_of_what_it_replaces_is_refused(
    file, tmp_path, copied_by, meanwhile
):
    backup = tmp_path / "backup.sqlite3"
    write(file, 20)
    database_file.leave_one_file(file)
    copied_by(file, backup)
    write(file, meanwhile, large=1000)
    database_file.leave_one_file(file)
    write(file, 30, large=1000)
    shutil.copy(backup, file)  # and the log stays
    before = {path: path.read_bytes() for path in file.parent.iterdir()}
    with pytest.raises(FileError, match=r"-wal belongs to another database than .* move"):
        database_file.look_at(file)
    assert {path: path.read_bytes() for path in file.parent.iterdir()} == before
    database_file.beside(file, "-wal").unlink()
    database_file.look_at(file)
    assert rows(file) == 20


def test_backups_of_one_database_are_told_apart_too(file, tmp_path):
    write(file, 20)
    one, two = tmp_path / "one", tmp_path / "two"
    database_file.copy(file, one)
    database_file.copy(file, two)
    database_file.put_back(one, file)
    write(file, 3)
    shutil.copy(two, file)
    with pytest.raises(FileError, match="belongs to another database"):
        database_file.look_at(file)


def test_a_copy_is_made_while_somebody_writes_and_has_all_that_was_saved(file, tmp_path):
    write(file, 20)
    to = tmp_path / "copy.sqlite3"
    with connect(file) as database:
        database.execute("INSERT INTO hand (said) VALUES ('saved')")
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO hand (said) VALUES ('not yet')")
        database_file.copy(file, to)
        database.execute("COMMIT")
    assert (rows(to), rows(file)) == (21, 22)
    assert to.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite3", "var"]


def test_what_a_backup_replaces_is_kept_with_its_log(file, tmp_path):
    write(file, 20)
    backup = tmp_path / "backup.sqlite3"
    database_file.copy(file, backup)
    write(file, 7)
    old = database_file.put_back(backup, file)
    assert (rows(file), rows(old)) == (20, 27)
    assert database_file.put_back(backup, file) != old
    for path in file.parent.iterdir():
        path.unlink()
    assert database_file.put_back(backup, file) is None
    assert rows(file) == 20


def test_a_damaged_file_is_never_copied_and_said_after_a_crash(file, tmp_path):
    write(file, 300, large=2000)
    database_file.leave_one_file(file)
    whole = bytearray(file.read_bytes())
    whole[8192:40000] = os.urandom(40000 - 8192)
    file.write_bytes(whole)
    to = tmp_path / "copy.sqlite3"
    with pytest.raises((FileError, sqlite3.DatabaseError)):
        database_file.copy(file, to)
    assert [path.name for path in tmp_path.iterdir()] == ["var"]
    assert database_file.damage(file)


def test_one_process_holds_a_database(file):
    said = r"A SquareScores is running on .*, and only one may"
    with database_file.hold(file), pytest.raises(FileError, match=said):
        database_file.hold(file)
    database_file.hold(file).close()
