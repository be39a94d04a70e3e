"""An account can be closed: what it did stays, and nobody is behind it."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("sheets", "0014_one_spelling")]
    operations = [
        migrations.AddField(
            "user", "closed_at", models.DateTimeField(blank=True, editable=False, null=True)
        ),
        migrations.AddConstraint(
            "user",
            models.CheckConstraint(
                condition=Q(closed_at=None) | Q(is_active=False, is_staff=False, name=""),
                name="sheets_user_closed_is_nobody",
            ),
        ),
    ]
