"""Static files under names that change with their content, in the imports of scripts as well."""

from __future__ import annotations

import hashlib
import shutil
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Only our own scripts: Django's switch for this also reads those of packages, which it cannot.
IMPORTS = ("js/*.js", ((r'(?P<matched>from "(?P<url>\./\w+\.js)")', 'from "%(url)s"'),))


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Whitenoise's storage, which also changes the names in `import … from "./x.js"`."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, IMPORTS)


def collect() -> None:
    """Collect the static files, unless those that lie there were made of just these and are whole.

    To name and compress them takes half of the time in which a server starts again. What a power
    cut or a full disk left half written is made anew, all of it.
    """
    root = Path(settings.STATIC_ROOT)
    made_of = root.with_name("static_made_of")
    made = f"{_files()}\n{_content(root)}"
    if made_of.exists() and made_of.read_bytes() == made.encode():
        return
    made_of.unlink(missing_ok=True)  # until all of them are there again
    # Not `collectstatic --clear`: it reads the list of names before it clears anything.
    shutil.rmtree(root, ignore_errors=True)
    call_command("collectstatic", verbosity=0, interactive=False)
    made_of.write_text(f"{_files()}\n{_content(root)}")


def _content(root: Path) -> str:
    """Return what changes with any byte of the files that were made."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(root)} {path.stat().st_size}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _files() -> str:
    """Return what changes with any static file, and with what makes them ready."""
    digest = hashlib.sha256(f"{version('django')} {version('whitenoise')}".encode())
    sources = [Path(__file__)]
    for finder in get_finders():
        sources += [Path(storage.path(path)) for path, storage in finder.list([])]
    for source in sorted(sources):
        stat = source.stat()
        digest.update(f"{source} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
