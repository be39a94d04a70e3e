"""Tables and clubs get a secret for their links, beside the code that people type."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sheets", "0009_club_history_by")]
    operations = [
        migrations.AddField(
            "table", "join_secret", models.CharField(max_length=22, unique=True, null=True)
        ),
        migrations.AddField(
            "club", "start_secret", models.CharField(max_length=22, unique=True, null=True)
        ),
    ]
