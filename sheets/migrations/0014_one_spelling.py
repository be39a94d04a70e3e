"""Every e-mail address is stored in one spelling, and says so in words where it is taken."""

from __future__ import annotations

import unicodedata

from django.db import migrations, models
from django.db.models.functions import Lower

TAKEN = "There is an account with this e-mail address already."


def one_spelling(apps, schema_editor):
    """Spell stored addresses as they are looked up; one whose spelling is taken stays as it is."""
    users = apps.get_model("sheets", "User").objects
    for pk, email in list(users.values_list("pk", "email")):
        small = unicodedata.normalize("NFKC", email).strip().lower()
        plain = unicodedata.normalize("NFKC", small)
        if plain != email and not users.filter(email=plain).exclude(pk=pk).exists():
            users.filter(pk=pk).update(email=plain)


class Migration(migrations.Migration):
    dependencies = [("sheets", "0013_club_contact")]
    operations = [
        migrations.RunPython(one_spelling, migrations.RunPython.noop),
        migrations.AlterField(
            "user",
            "email",
            models.EmailField(max_length=254, unique=True, error_messages={"unique": TAKEN}),
        ),
        migrations.AlterConstraint(
            "user",
            "sheets_user_email_any_case",
            models.UniqueConstraint(
                Lower("email"), name="sheets_user_email_any_case", violation_error_message=TAKEN
            ),
        ),
    ]
