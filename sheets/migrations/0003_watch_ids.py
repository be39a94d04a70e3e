from django.db import migrations

from sheets import codes


def give_every_table_one(apps, schema_editor):
    for table in apps.get_model("sheets", "Table").objects.filter(watch_id=None):
        table.watch_id = codes.new_public_id()
        table.save(update_fields=("watch_id",))


class Migration(migrations.Migration):
    dependencies = [("sheets", "0002_every_phone")]

    operations = [migrations.RunPython(give_every_table_one, migrations.RunPython.noop)]
