"""Static files under names that change with their content, in imports of scripts as well."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Whitenoise's storage, with the names in `import … from "./x.js"` changed too."""

    support_js_module_import_aggregation = True
