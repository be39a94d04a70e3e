"""The marks of the tables and clubs that are there: the first letters of their last change's key."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Left


def fill(apps, schema_editor):
    for name, of in (("Table", "table"), ("Club", "club")):
        changes = apps.get_model("sheets", "Change" if name == "Table" else "ClubChange")
        last = changes.objects.filter(**{of: OuterRef("pk"), "version": OuterRef("version")})
        mark = last.values(mark=Left(Cast("key", models.CharField()), 8))
        apps.get_model("sheets", name).objects.update(mark=Coalesce(Subquery(mark), Value("")))


class Migration(migrations.Migration):
    dependencies = [("sheets", "0020_marks")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
