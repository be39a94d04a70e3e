"""Results and oddities: kept by whatever banks a sheet of a club, corrects it or opens it again."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet

from sheets import alike, oddities, queries, reckoning
from sheets.actions.likening import evenings_of, liken
from sheets.actions.writing import one_transaction
from sheets.models import Result, Sheet, SheetState, Table
from sheets.results import results

AT_ONCE: Final = 20  # sheets that are kept in one transaction: half a second or so
_FIGURES = tuple(field.attname for field in Result._meta.concrete_fields if field.name != "id")


def keep_results(sheet: Sheet) -> None:
    """Make the results and oddities of a sheet what its rounds and its history say.

    Only banked sheets of a club have any. Called after the line of history was written.
    """
    made, odd = _made(sheet)
    sheet.results.all().delete()
    Result.objects.bulk_create(made)
    if sheet.oddities != odd:
        sheet.oddities = odd
        sheet.save(update_fields=("oddities",))


def remake_results(pk: int, *, check: bool = False) -> bool:
    """Make the results and oddities of a sheet again, and say whether they were different.

    Derived figures are no change of the sheet: there is no line of history, and nobody's form is
    stale. `check` writes nothing.
    """
    sheet = Sheet.objects.filter(pk=pk).first()
    if sheet is None or not _differs(sheet):  # deleted meanwhile, or right
        return False
    if check:
        return True
    with one_transaction():
        # Whoever corrects it waits, or has done so: looked at again under the lock.
        Table.objects.select_for_update().filter(pk=sheet.table_id).first()
        found = Sheet.objects.filter(pk=pk).first()
        if found is None or not _differs(found):
            return False
        keep_results(found)
    return True


def keep_results_of(sheets: QuerySet[Sheet]) -> None:
    """Keep the results of all that are banked of these, some in each transaction.

    For sheets that came into a club many at once: made in the transaction that brought them, years
    of results would let every phone wait.
    """
    by_table: dict[int, list[int]] = {}
    banked = sheets.filter(state=SheetState.BANKED).order_by("-played_at")
    for pk, table in banked.values_list("pk", "table"):
        by_table.setdefault(table, []).append(pk)
    for table, pks in by_table.items():
        for begin in range(0, len(pks), AT_ONCE):
            with one_transaction():
                Table.objects.select_for_update().filter(pk=table).first()
                for sheet in Sheet.objects.filter(pk__in=pks[begin : begin + AT_ONCE]):
                    keep_results(sheet)
    liken(evenings_of(banked))


def keep_missing_results() -> None:
    """Keep the results that a process died before: many sheets came into a club, and are in.

    For the start of a server, beside what it serves; where all is well it is one question.
    """
    keep_results_of(Sheet.objects.filter(club__isnull=False, results=None))


def _made(sheet: Sheet) -> tuple[list[Result], str]:
    if sheet.club_id is None or sheet.state != SheetState.BANKED:
        return [], ""
    fresh, players = queries.again(sheet)
    lines = reckoning.lines_of(fresh, players)
    changes, is_alike = oddities.changes_of(fresh), bool(alike.of(fresh))
    odd = oddities.oddities(fresh, players, lines, changes, is_alike=is_alike)
    return results(fresh, players, lines), oddities.stored(odd)


def _differs(sheet: Sheet) -> bool:
    made, odd = _made(sheet)
    return odd != sheet.oddities or _figures(made) != _figures(sheet.results.all())


def _figures(found: Any) -> set[tuple[Any, ...]]:
    return {tuple(getattr(one, name) for name in _FIGURES) for one in found}
