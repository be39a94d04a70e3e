"""Tables and clubs keep which change made their version."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sheets", "0019_fold_names")]
    operations = [
        migrations.AddField("table", "mark", models.CharField(blank=True, max_length=8)),
        migrations.AddField("club", "mark", models.CharField(blank=True, max_length=8)),
    ]
