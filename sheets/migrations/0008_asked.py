"""Tables say themselves whether their phones may have been asked something."""

from __future__ import annotations

from django.db import migrations, models
from django.utils import timezone


def fill(apps, schema_editor):
    tables = apps.get_model("sheets", "Table").objects
    tables.filter(members__asked_at__isnull=False).update(asked_at=timezone.now())
    tables.filter(members__agreed_to_delete_at__isnull=False).update(to_delete=True)


class Migration(migrations.Migration):
    dependencies = [("sheets", "0007_played_at")]
    operations = [
        migrations.AddField("table", "asked_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("table", "to_delete", models.BooleanField(default=False)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
