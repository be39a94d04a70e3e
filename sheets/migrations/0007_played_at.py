"""When the sheets that are there were played: as close as the database knows it."""

from __future__ import annotations

from django.db import migrations
from django.db.models import F
from django.db.models.functions import Coalesce


def fill(apps, schema_editor):
    sheets = apps.get_model("sheets", "Sheet").objects
    sheets.update(played_at=Coalesce(F("ended_at"), F("started_at")))


class Migration(migrations.Migration):
    dependencies = [("sheets", "0006_clubs")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
