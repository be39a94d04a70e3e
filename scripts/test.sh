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
unset EMAIL_FROM EMAIL_HOST EMAIL_PASSWORD EMAIL_PORT EMAIL_TLS EMAIL_USER
unset ALLOWED_HOSTS DEBUG PAGE_THREADS PUBLIC_URL PURGE_AFTER_DAYS SECRET_KEY SECRET_KEY_FILE TABLES_PER_HOUR
unset PYTHONDONTWRITEBYTECODE # a dozen processes compile the same files otherwise
VAR_DIR=$(mktemp -d)
export VAR_DIR PATH="$PWD/.venv/bin:$PATH"

finish() {
    local status=$? left
    left=$(jobs -pr)
    [[ -z $left ]] || kill "$left" # the types need no look any more where something else is wrong
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

# Chromium's headless shell takes half the time; where there is none the whole browser does it all.
install_headless_shell() {
    [[ -z ${HEADLESS_SHELL-} ]] && ((!EUID)) && ! command -v chromium-headless-shell >/dev/null || return 0
    export DEBIAN_FRONTEND=noninteractive
    apt-get update && apt-get install -y --no-install-recommends chromium-headless-shell ||
        echo 'No chromium-headless-shell: the tests in a browser take twice as long.' >&2
}

production=(env PUBLIC_URL=https://sheets.example
    SECRET_KEY="$(python -c 'import secrets; print(secrets.token_urlsafe(50))')")

# The longest check of all goes on beside the others, and beside the first tests. Its Django plugin
# loads the settings, which want a key.
"${production[@]}" mypy . >"$VAR_DIR/mypy" 2>&1 &
mypy=$!

step 'ruff check'
ruff check .
step 'ruff format'
ruff format --check .
step 'djade'
find templates -name '*.html' -exec djade --check --target-version 5.2 {} +
step 'import-linter'
lint-imports

step 'migrations are complete'
"${production[@]}" python manage.py makemigrations --check --dry-run
step 'settings are fit for production'
"${production[@]}" python manage.py check --deploy --fail-level WARNING

look_at_mypy() {
    step 'mypy'
    wait "$mypy" || { cat "$VAR_DIR/mypy" && false; }
}
if [[ ${1-} == check ]]; then
    look_at_mypy
    exit
fi

step 'system packages'
install_missing_packages
install_headless_shell
CHROMIUM=$(find_chromium)
export CHROMIUM

# Two processes; who is done takes over what the other one has not begun. The slowest come first.
at_once=(-n 2 --dist worksteal)

on_postgres() {
    if [[ -n $postgres_url ]]; then
        DATABASE_URL=$postgres_url "$@"
    else
        scripts/with-postgres "$@"
    fi
}

step 'tests on SQLite'
pytest tests/server/test_{crash,serve,starting,mail,front_door,live,streams}.py tests/sheets tests/rules "${at_once[@]}"
look_at_mypy

step 'tests on PostgreSQL'
# What two databases may answer differently: locks, constraints, what is sent twice, dates, searches,
# notices, and whatever is deleted. Pages and forms ask both the same; every address is asked once here.
mapfile -t files < <(grep -l 'on_postgresql' tests/{server,sheets}/test_*.py)
on_postgres pytest "${files[@]}" -m on_postgresql "${at_once[@]}"

# A process of its own: Playwright's event loop and Django's synchronous ORM do not mix.
step 'tests in a browser'
pytest tests/browser "${at_once[@]}"

step 'tests in a browser on PostgreSQL'
on_postgres pytest tests/browser -m on_postgresql "${at_once[@]}"
