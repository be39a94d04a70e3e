"""Staff hand a club over to another account."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sheets", "0015_closed_accounts")]
    operations = [
        migrations.RemoveConstraint(
            model_name="clubchange",
            name="sheets_clubchange_kind_known",
        ),
        migrations.AlterField(
            model_name="clubchange",
            name="kind",
            field=models.CharField(
                choices=[
                    ("started", "club started"),
                    ("settings_changed", "settings changed"),
                    ("code_changed", "club code changed"),
                    ("invited", "organiser invited"),
                    ("organiser_joined", "organiser joined"),
                    ("role_changed", "role changed"),
                    ("organiser_left", "organiser left"),
                    ("person_added", "person added"),
                    ("person_renamed", "person renamed"),
                    ("person_merged", "people merged"),
                    ("merge_undone", "merge undone"),
                    ("person_retired", "person retired"),
                    ("person_back", "person back on the roster"),
                    ("names_matched", "names matched"),
                    ("table_taken_in", "table taken in"),
                    ("table_let_go", "table let go"),
                    ("season_added", "season added"),
                    ("season_changed", "season changed"),
                    ("season_removed", "season removed"),
                    ("season_published", "season published"),
                    ("season_hidden", "season no longer published"),
                    ("imported", "sheets imported"),
                    ("handed_over", "club handed over"),
                    ("locked", "club locked"),
                    ("unlocked", "club unlocked"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="clubchange",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "started",
                            "settings_changed",
                            "code_changed",
                            "invited",
                            "organiser_joined",
                            "role_changed",
                            "organiser_left",
                            "person_added",
                            "person_renamed",
                            "person_merged",
                            "merge_undone",
                            "person_retired",
                            "person_back",
                            "names_matched",
                            "table_taken_in",
                            "table_let_go",
                            "season_added",
                            "season_changed",
                            "season_removed",
                            "season_published",
                            "season_hidden",
                            "imported",
                            "handed_over",
                            "locked",
                            "unlocked",
                        ],
                    )
                ),
                name="sheets_clubchange_kind_known",
            ),
        ),
    ]
