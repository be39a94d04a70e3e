"""What names are found and sorted by, for the rows that are there."""

from __future__ import annotations

from django.db import migrations

NAMED = (
    "club",
    "clubperson",
    "nameused",
    "person",
    "savedrules",
    "season",
    "table",
    "user",
)
AT_ONCE = 2_000


def fold(apps, schema_editor):
    for name in NAMED:
        model = apps.get_model("sheets", name)
        field = model._meta.get_field("name_folded")
        last = 0
        while rows := list(model.objects.filter(pk__gt=last).order_by("pk")[:AT_ONCE]):
            for row in rows:
                field.pre_save(row, add=False)
            model.objects.bulk_update(rows, ("name_folded",), batch_size=200)
            last = rows[-1].pk


class Migration(migrations.Migration):
    dependencies = [("sheets", "0018_names_folded")]
    operations = [migrations.RunPython(fold, migrations.RunPython.noop)]
