"""Inserting very many rows: as fast as the database takes them, without a model for each."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models
from django.db.models import Max


def new_keys(model: type[models.Model], count: int) -> Sequence[int]:
    """Return keys that no row of the model has or will be given; inside a transaction."""
    if connection.vendor != "postgresql":
        # Nobody else writes in the meantime.
        last = model._default_manager.aggregate(last=Max("pk"))["last"] or 0
        return range(last + 1, last + 1 + count)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return [key for (key,) in cursor.fetchall()]


def insert(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows with values for these columns; all others have the model's defaults.

    Values are plain but for times and UUIDs. PostgreSQL takes the rows by COPY, SQLite as one
    statement with many sets of values.
    """
    fields = {field.column: field for field in model._meta.concrete_fields}
    rest = [one for one in fields.values() if not one.primary_key and one.column not in columns]
    same = tuple(one.get_db_prep_save(one.get_default(), connection) for one in rest)
    names = ", ".join(map(connection.ops.quote_name, (*columns, *(one.column for one in rest))))
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row((*row, *same))
            return
        typed = [n for n, name in enumerate(columns) if isinstance(fields[name], _AS_TEXT)]
        marks = ", ".join(["%s"] * (len(columns) + len(rest)))
        cursor.executemany(
            f"INSERT INTO {table} ({names}) VALUES ({marks})",
            [_as_text([*row, *same], typed) for row in rows],
        )


# What SQLite keeps as text.
_AS_TEXT = (models.DateTimeField, models.UUIDField)


def _as_text(row: list[Any], typed: Sequence[int]) -> list[Any]:
    for n in typed:
        value = row[n]
        if isinstance(value, uuid.UUID):
            row[n] = value.hex
        else:
            row[n] = str(value.astimezone(datetime.UTC).replace(tzinfo=None))
    return row
