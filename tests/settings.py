"""The real settings, with the little that tests need otherwise."""

from __future__ import annotations

import os

os.environ.setdefault("SECRET_KEY", "only-for-tests-" * 4)

from squarescores.settings import *

# No collected static files, and fast passwords.
STORAGES = STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]

VAR_DIR.mkdir(parents=True, exist_ok=True)
# The test server makes a thread for every connection and does not keep it, as the real one does.
DATABASES["default"]["CONN_MAX_AGE"] = 0

# The messages stay in memory (`django.core.mail.outbox`).
SENDS_MAIL = True
