"""All settings, read from the environment; the README has a table of the variables."""

from __future__ import annotations

import datetime
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from squarescores import network
from squarescores.environment import check_proxies, env_bool, env_number, env_public_url, var_dir

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = var_dir()


def secret_key() -> str:
    """Read the key from SECRET_KEY, or from the file that the server makes at its first start."""
    if key := os.getenv("SECRET_KEY"):
        return key
    path = Path(os.getenv("SECRET_KEY_FILE") or VAR_DIR / "secret_key")
    try:
        found = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise ImproperlyConfigured(
            f"There is no secret key: run `make run` once, which makes {path}, or set SECRET_KEY."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"The secret key in {path} cannot be read: {error}.") from None
    if not found:
        raise ImproperlyConfigured(
            f"The secret key in {path} is empty: delete the file, and a new key is made. Everyone "
            "who has signed in does so again."
        )
    return found


DEBUG = env_bool("DEBUG")
SECRET_KEY = secret_key()

# How many days after anything was last done at a table `manage.py purge` deletes it.
PURGE_AFTER_DAYS = env_number("PURGE_AFTER_DAYS", 400, least=0, most=36_500)

# Where phones reach the server. An https address turns on everything that https needs; empty means
# plain http on the local network, under this machine's own names.
PUBLIC_URL = env_public_url("PUBLIC_URL")
check_proxies(PUBLIC_URL)
_public = urlsplit(PUBLIC_URL)
# What links for other phones start with: at home, the address that the server printed at its start.
SHARED_URL = PUBLIC_URL or os.getenv("LAN_URL") or "http://localhost:8000"
if hosts := os.getenv("ALLOWED_HOSTS"):
    ALLOWED_HOSTS = [host.strip() for host in hosts.split(",")]
elif _public.hostname:
    ALLOWED_HOSTS = [_public.hostname, "localhost", "127.0.0.1", "[::1]"]
else:
    ALLOWED_HOSTS = network.own_hosts()

# How many tables may be started from one address in an hour.
TABLES_PER_HOUR = env_number("TABLES_PER_HOUR", 20, most=1_000_000)
# How many pages are made at once. Each thread keeps a database connection.
PAGE_THREADS = env_number("PAGE_THREADS", 8, most=1000)

HTTPS = _public.scheme == "https"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
# What joins a table is part of an address, which must not travel on to other sites.
SECURE_REFERRER_POLICY = "same-origin"
# Subdomains and preload lists: other host names of the same domain are not ours to force to https.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

INSTALLED_APPS = [
    "sheets",
    "sheets.apps.SiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "csp",
    "axes",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "squarescores.headers.HeadersMiddleware",
    "csp.middleware.CSPMiddleware",
    "sheets.readable.ReadableMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "sheets.access.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "sheets.access.PhoneMiddleware",
    "sheets.isolating.IsolatingMiddleware",
    "axes.middleware.AxesMiddleware",  # last: it answers for whoever has tried too many passwords
]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"

ROOT_URLCONF = "squarescores.urls"
WSGI_APPLICATION = "squarescores.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "sheets.http.scripts",
            ],
            "builtins": [
                "django.contrib.humanize.templatetags.humanize",
                "django.templatetags.i18n",
                "django.templatetags.static",
                "django.templatetags.tz",
                "django_htmx.templatetags.django_htmx",
                "template_partials.templatetags.partials",
                "sheets.templatetags.pad",
            ],
        },
    }
]


# How many seconds a write waits until it is told that the server is busy: a phone's queue sends it
# again.
WAIT_FOR_LOCK = 5.0
# On PostgreSQL nothing that a page asks may take longer, whatever other sessions do.
_LIMITS = (
    f"-c lock_timeout={WAIT_FOR_LOCK:.0f}s -c statement_timeout=30s "
    "-c idle_in_transaction_session_timeout=30s"
)


def sqlite(path: Path) -> dict[str, Any]:
    """Return the settings of the one SQLite file: an answered hand survives a pulled plug."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        # The threads that serve pages live on, and so do their connections.
        "CONN_MAX_AGE": None,
        # Tests use a file too: threads must not share the one connection of a database in memory.
        "TEST": {"NAME": VAR_DIR / "test.sqlite3"},
        "OPTIONS": {
            "timeout": WAIT_FOR_LOCK,
            # A transaction that reads and then writes cannot wait for the lock: take it at once.
            "transaction_mode": "IMMEDIATE",
            "init_command": (
                "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA cache_size=-20000;"
                "PRAGMA mmap_size=134217728;PRAGMA journal_size_limit=27103364;"
                "PRAGMA temp_store=MEMORY;"
            ),
        },
    }


def postgresql(url: str) -> dict[str, Any]:
    """Return the settings of a PostgreSQL at an address; options that stand in it win."""
    try:
        found: dict[str, Any] = dict(
            dj_database_url.parse(url, conn_max_age=None, conn_health_checks=True)
        )
    except ValueError:  # an unknown scheme, a port that is none
        found = {}
    if found.get("ENGINE") != "django.db.backends.postgresql":
        raise ImproperlyConfigured("DATABASE_URL must be a postgres:// address, or be left out.")
    if not found.get("NAME") and "service" not in found.get("OPTIONS", {}):
        raise ImproperlyConfigured(
            "DATABASE_URL must name a database: postgres://user:password@host/name."
        )
    # Rows lie on flash or in memory: reading a thousand of them here and there costs less than
    # reading all, which PostgreSQL believes only when told.
    given = found.get("OPTIONS", {})
    options = f"-c random_page_cost=1.1 {_LIMITS} {given.get('options', '')}".strip()
    # A cable that was pulled says nothing: after ten seconds a connection counts as lost.
    waits = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
    found["OPTIONS"] = waits | given | {"options": options}
    return found


if url := os.getenv("DATABASE_URL"):
    DATABASES = {"default": postgresql(url)}
else:
    DATABASES = {"default": sqlite(VAR_DIR / "db.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "sheets.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
LOGIN_URL = "sheets:sign_in"
LOGIN_REDIRECT_URL = "sheets:clubs"
# Ten wrong passwords for one account from one address: a quarter of an hour of rest. The owner of
# the account can still sign in from elsewhere. `slowing` counts over all accounts of an address.
AXES_HANDLER = "sheets.passwords.Attempts"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = datetime.timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
# Trying on while one waits makes nobody wait longer.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_LOCKOUT_CALLABLE = "sheets.views.accounts.locked_out"
# One account under all spellings of its address, one customer under all their IPv6 addresses.
AXES_USERNAME_CALLABLE = "sheets.slowing.account"
AXES_CLIENT_IP_CALLABLE = "sheets.slowing.client_ip"
AXES_DISABLE_ACCESS_LOG = True  # who signed in from where is nobody's business
AXES_VERBOSE = False
# What opens something may be in the address that somebody wanted to see.
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "next"]
PASSWORD_HASHERS = ["sheets.passwords.Hasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
    )
]

# Only messages about an account are sent, and none without a server: the pages say so.
EMAIL_HOST = os.getenv("EMAIL_HOST", "")
SENDS_MAIL = bool(EMAIL_HOST)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if SENDS_MAIL else 'console'}.EmailBackend"
_tls = env_bool("EMAIL_TLS", "True")
EMAIL_PORT = env_number("EMAIL_PORT", 587 if _tls else 25, most=65_535)
EMAIL_USE_SSL = _tls and EMAIL_PORT == 465  # the one port that speaks TLS from the first byte on
EMAIL_USE_TLS = _tls and not EMAIL_USE_SSL
EMAIL_HOST_USER = os.getenv("EMAIL_USER", "")
EMAIL_HOST_PASSWORD = os.getenv("EMAIL_PASSWORD", "")
EMAIL_TIMEOUT = 10  # seconds; the messages behind it wait
DEFAULT_FROM_EMAIL = os.getenv("EMAIL_FROM") or f"squarescores@{_public.hostname or 'localhost'}"

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "squarescores.storage.StaticFilesStorage"},
}

CSRF_FAILURE_VIEW = "sheets.views.form_refused.form_refused"
SESSION_COOKIE_NAME = "organiser"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "filters": {
        "one_line": {"()": "sheets.outages.OneLine"},
        "tidy": {"()": "squarescores.logs.Tidy"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["tidy"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    # A refused form is an answer, not a warning; so is a wrong password. The address of a form that
    # was refused may hold what opens a table.
    "loggers": {
        "django.request": {"level": "ERROR", "filters": ["one_line"]},
        "django.security.csrf": {"level": "ERROR"},
        "axes": {"level": "ERROR"},
    },
}
