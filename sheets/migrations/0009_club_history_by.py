"""Imported history of a club names whoever made it."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sheets", "0008_asked")]
    operations = [
        migrations.AddField("clubchange", "by", models.CharField(blank=True, max_length=200)),
    ]
