"""Static files under names that change with their content, in the imports of scripts as well."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Only our own scripts: Django's switch for this also reads those of packages, which it cannot.
IMPORTS = ("js/*.js", ((r'(?P<matched>from "(?P<url>\./\w+\.js)")', 'from "%(url)s"'),))


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Whitenoise's storage, which also changes the names in `import … from "./x.js"`."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, IMPORTS)
