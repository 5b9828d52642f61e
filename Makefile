PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo check test lint docs bench fuzz clean

demo: $(VENV)/installed
	$(BIN)/truerank demo

check: lint
	$(BIN)/python -m pytest -n auto -m "not thorough" --hypothesis-profile=quick

test: lint
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/installed
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/generate_properties.py

bench: $(VENV)/tested
	$(BIN)/python -m benchmarks

SECONDS ?= 60

fuzz: $(VENV)/tested
	$(BIN)/python -m fuzz --seconds $(SECONDS) --grow

clean:
	rm -rf $(VENV) build dist

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -e .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(INSTALL) -e ".[test]"
	touch $@
