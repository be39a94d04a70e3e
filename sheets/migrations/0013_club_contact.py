"""Whom the players of a club ask about a banked sheet."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sheets", "0012_link_secrets_required")]
    operations = [
        migrations.AddField("club", "contact", models.CharField(blank=True, max_length=200)),
    ]
