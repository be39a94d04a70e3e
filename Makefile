PYTHON ?= python3

.PHONY: run test check fmt

run: .venv/run.stamp
	exec .venv/bin/python -m squarescores.serve

test: .venv/dev.stamp
	scripts/test.sh

check: .venv/dev.stamp
	scripts/test.sh check

fmt: .venv/dev.stamp
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	find templates -name '*.html' -exec .venv/bin/djade --target-version 5.2 {} +

# A stamp is newer than the requirements it stands for only once all are installed.
.venv/run.stamp: requirements.txt
.venv/dev.stamp: requirements.txt requirements-dev.txt
.venv/run.stamp .venv/dev.stamp: | .venv/bin/pip
	.venv/bin/python -m pip install --disable-pip-version-check --require-hashes $(^:%=-r %)
	touch $@

# pip arrives last, so a half-made environment is made again.
.venv/bin/pip:
	$(PYTHON) -m venv .venv
