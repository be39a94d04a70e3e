"""No table and no club is without the secret of its links."""

from __future__ import annotations

import sheets.codes
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sheets", "0011_link_secrets_filled")]
    operations = [
        migrations.AlterField(
            "table",
            "join_secret",
            models.CharField(default=sheets.codes.new_link_secret, max_length=22, unique=True),
        ),
        migrations.AlterField(
            "club",
            "start_secret",
            models.CharField(default=sheets.codes.new_link_secret, max_length=22, unique=True),
        ),
    ]
