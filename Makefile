PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo check test lint browser docs site package bench fuzz java clean

demo: $(VENV)/installed
	$(BIN)/truerank demo

check: lint
	$(BIN)/python -m pytest -n auto -m "not thorough" --hypothesis-profile=quick

test: lint browser java
	$(BIN)/python -m pytest -n auto

# Reports are looked at in Chromium; where it is not there and cannot be installed, these tests are skipped.
browser:
	@command -v chromium >/dev/null || ! command -v apt-get >/dev/null || test "$$(id -u)" != 0 || \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null || \
	  echo "no Chromium: reports are not looked at"

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/installed
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/generate_properties.py

site: $(VENV)/tested
	$(BIN)/python -m sphinx -E -W --keep-going -q -b html docs site
	@echo site/index.html

# Builds wheel and sdist, checks them, and runs the first steps of the tutorial from the wheel in an empty environment.
package: $(VENV)/installed
	$(INSTALL) build twine
	rm -rf dist build/fresh
	$(BIN)/python -m build --quiet
	$(BIN)/python -m twine check --strict dist/*
	$(PYTHON) -m venv build/fresh
	build/fresh/bin/python -m pip install --quiet --disable-pip-version-check "$$(ls dist/*.whl)[stats]"
	cd build/fresh && bin/truerank simulate --out track --systems 3 --topics 10 --seed 7 \
	  && bin/truerank evaluate track/qrels.txt "track/*.run" -m "nDCG@10 AP" \
	  && bin/truerank compare track/qrels.txt "track/*.run" --no-settled

bench: $(VENV)/tested
	$(BIN)/python -m benchmarks

SECONDS ?= 60

fuzz: $(VENV)/tested
	$(BIN)/python -m fuzz --seconds $(SECONDS) --grow

# Tests of Spark need it; where it is not there and may not be installed, they are skipped.
java:
	@command -v java > /dev/null || (apt-get install -y --no-install-recommends openjdk-17-jre-headless \
		|| apt-get install -y --no-install-recommends default-jre-headless) > /dev/null 2>&1 \
		|| echo "There is no Java and it cannot be installed: tests of Spark are skipped."

clean:
	rm -rf $(VENV) build dist site docs/images

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -e .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(INSTALL) -e ".[test]"
	touch $@
