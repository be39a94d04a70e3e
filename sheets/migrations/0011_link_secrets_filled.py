"""Every table and club that is there gets a secret of its own."""

from __future__ import annotations

import secrets

from django.db import migrations


def give_every_row_one(apps, schema_editor):
    for model, field in (("Table", "join_secret"), ("Club", "start_secret")):
        rows = apps.get_model("sheets", model).objects
        for pk in list(rows.filter(**{field: None}).values_list("pk", flat=True)):
            rows.filter(pk=pk).update(**{field: secrets.token_urlsafe(16)})


class Migration(migrations.Migration):
    dependencies = [("sheets", "0010_link_secrets")]
    operations = [migrations.RunPython(give_every_row_one, migrations.RunPython.noop)]
