"""Columns for what people typed: read as `names.Isolated`, kept bare; and what that is found by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import lookups

from sheets import names

if TYPE_CHECKING:
    _Field = models.Field[str, str]
else:
    _Field = object


class _TypedByPeople(_Field):
    def from_db_value(
        self, value: str | None, expression: object, connection: BaseDatabaseWrapper
    ) -> names.Isolated | None:
        """Read a text so that sentences and pages set it apart."""
        return None if value is None else names.Isolated(value)

    def get_prep_value(self, value: Any) -> Any:
        """Keep the bare text, and look for it, whatever sentence it was taken from."""
        value = super().get_prep_value(value)
        return names.bare(value) if isinstance(value, str) else value


class NameField(_TypedByPeople, models.CharField):
    """A name, or a line that somebody typed."""

    def deconstruct(self) -> Any:
        """Tell migrations of a plain column: that is what the database has."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


class FreeTextField(_TypedByPeople, models.TextField):
    """A text that somebody typed: a note, a reason."""

    def deconstruct(self) -> Any:
        """Tell migrations of a plain column: that is what the database has."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs


class FoldedField(models.CharField):
    """`names.folded` of other columns of the row: what people look for it by, and sort it by.

    It is made whenever the row is saved. Where only some columns are, it has to be among them.
    """

    def __init__(self, *of: str, **options: Any) -> None:
        self.of: Sequence[str] = of
        kept: dict[str, Any] = {"max_length": names.LONGEST_KEY, "default": "", "editable": False}
        super().__init__(**kept | options)

    def deconstruct(self) -> Any:
        """Tell migrations which columns it is made of."""
        name, path, _args, options = super().deconstruct()
        return name, path, self.of, options

    def db_parameters(self, connection: BaseDatabaseWrapper) -> Any:
        """Sort by the bytes, as SQLite does, whatever language PostgreSQL was set up for."""
        parameters = super().db_parameters(connection)
        if connection.vendor == "postgresql":
            parameters["collation"] = "C"
        return parameters

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Fold what the other columns say now."""
        said = (names.bare(getattr(model_instance, field)) for field in self.of)
        value = names.folded(" ".join(said))
        setattr(model_instance, self.attname, value)
        return value


@FoldedField.register_lookup
class ContainsFolded(lookups.Contains):
    """Whether a text is part of a name, whatever its case and accents."""

    def get_prep_lookup(self) -> str:
        return names.folded(self.rhs)
