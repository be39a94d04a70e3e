#!/usr/bin/env bash
# Everything CI checks, cheapest first, up to the first failure.
#
#   scripts/test.sh         all of it
#   scripts/test.sh check   only what needs no browser and no PostgreSQL
#
# TEST_DATABASE_URL  a PostgreSQL to use instead of a throw-away one
# CHROMIUM           the browser to use instead of the installed one
# HEADLESS_SHELL     the same, for all that does as well without the rest of a browser
set -euo pipefail
cd "$(dirname "$0")/.."

# Neither the caller's settings nor their data may take part in the tests.
postgres_url=${TEST_DATABASE_URL-}
unset TEST_DATABASE_URL DATABASE_URL DJANGO_SETTINGS_MODULE
unset ALLOWED_HOSTS DEBUG PAGE_THREADS PUBLIC_URL PURGE_AFTER_DAYS SECRET_KEY SECRET_KEY_FILE TABLES_PER_HOUR
unset PYTHONDONTWRITEBYTECODE # a dozen processes compile the same files otherwise
VAR_DIR=$(mktemp -d)
export VAR_DIR PATH="$PWD/.venv/bin:$PATH"

finish() {
    local status=$?
    rm -rf "$VAR_DIR"
    if ((status)); then echo "FAILED: ${step-}" >&2; else echo "PASSED"; fi
}
trap finish EXIT

step() {
    step=$1
    echo "== $step"
}

find_chromium() {
    if [[ -n ${CHROMIUM-} ]]; then
        command -v "$CHROMIUM" || { echo "CHROMIUM names no program: $CHROMIUM" >&2 && return 1; }
    else
        local found
        found=$(command -v chromium chromium-browser google-chrome google-chrome-stable) &&
            echo "${found%%$'\n'*}"
    fi
}

has_font() {
    [[ -n $(find /usr/share/fonts /usr/local/share/fonts -name "$1" -print -quit 2>/dev/null) ]]
}

install_missing_packages() {
    local missing=()
    [[ -n $postgres_url ]] || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
    [[ -n ${CHROMIUM-} ]] || find_chromium >/dev/null || missing+=(chromium)
    has_font DejaVuSans.ttf || missing+=(fonts-dejavu-core)
    has_font NotoColorEmoji.ttf || missing+=(fonts-noto-color-emoji)
    ((${#missing[@]})) || return 0

    local install=(apt-get install -y --no-install-recommends "${missing[@]}")
    if ((EUID)); then
        echo "Packages are missing; install them with: sudo apt-get update && sudo ${install[*]}" >&2
        return 1
    fi
    # Only the server's programs are wanted, not a server that runs all day.
    local conf=/etc/postgresql-common/createcluster.conf
    if [[ " ${missing[*]} " == *" postgresql "* && ! -e $conf ]]; then
        mkdir -p "${conf%/*}"
        echo 'create_main_cluster = false' >"$conf"
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    "${install[@]}"
}

# Chromium without windows takes half the time; where it can't be had the whole browser does it all.
install_headless_shell() {
    [[ -z ${HEADLESS_SHELL-} ]] && ((!EUID)) && ! command -v chromium-headless-shell >/dev/null || return 0
    export DEBIAN_FRONTEND=noninteractive
    apt-get update && apt-get install -y --no-install-recommends chromium-headless-shell ||
        echo 'No chromium-headless-shell: the tests in a browser take twice as long.' >&2
}

step 'ruff check'
ruff check .
step 'ruff format'
ruff format --check .
step 'djade'
find templates -name '*.html' -exec djade --check --target-version 5.2 {} +
step 'import-linter'
lint-imports

production=(env PUBLIC_URL=https://sheets.example
    SECRET_KEY="$(python -c 'import secrets; print(secrets.token_urlsafe(50))')")
step 'mypy'
# Its Django plugin loads the settings, which want a key.
"${production[@]}" mypy .
step 'migrations are complete'
"${production[@]}" python manage.py makemigrations --check --dry-run
step 'settings are fit for production'
"${production[@]}" python manage.py check --deploy --fail-level WARNING

if [[ ${1-} == check ]]; then exit; fi

step 'system packages'
install_missing_packages
install_headless_shell
CHROMIUM=$(find_chromium)
export CHROMIUM

step 'tests on SQLite'
pytest tests/rules tests/sheets tests/server/test_{serve,live,crash}.py -n 2

step 'tests on PostgreSQL'
# Pages and forms ask both databases the same; test_powers.py has every address once on this one too.
on_postgres=(tests/sheets tests/server/test_{serve,live}_postgresql.py tests/server/test_{live,crash}.py -n 2)
for pages in access chart forgotten guessing guide hand hand_edit hand_new hand_numbers home live_hub live_tokens \
    lookups match names rules_page settings_page share start table; do
    on_postgres+=("--ignore=tests/sheets/test_$pages.py")
done
if [[ -n $postgres_url ]]; then
    DATABASE_URL=$postgres_url pytest "${on_postgres[@]}"
else
    scripts/with-postgres pytest "${on_postgres[@]}"
fi

# A process of its own: Playwright's event loop and Django's synchronous ORM do not mix.
step 'tests in a browser'
pytest tests/browser -n 2

step 'tests in a browser on PostgreSQL'
in_browser=(tests/browser -m on_postgresql -n 2)
if [[ -n $postgres_url ]]; then
    DATABASE_URL=$postgres_url pytest "${in_browser[@]}"
else
    scripts/with-postgres pytest "${in_browser[@]}"
fi
