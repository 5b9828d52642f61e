PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Tests start hundreds of programs: each would compile all of it again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo check test lint browser tex docs examples site package bench fuzz i386 java clean

demo: $(VENV)/installed
	$(BIN)/truerank demo

check: lint
	$(BIN)/python -m pytest -n auto -m "not thorough" --hypothesis-profile=quick

test: lint browser tex java
	$(BIN)/python -m pytest -n auto

# What tests use beside Python, from Debian's packages where these can be installed; without it they are skipped.
browser:
	$(call debian,chromium,chromium,reports are not looked at)

tex:
	$(call debian,pdflatex,texlive-latex-base texlive-latex-recommended,LaTeX is not compiled)

java:
	$(call debian,java,default-jre-headless,Spark is not tried)

define debian
@command -v $(1) >/dev/null || { test "$$(id -u)" = 0 && apt-get update -qq && \
  apt-get install -y -qq --no-install-recommends $(2); } >/dev/null 2>&1 || echo "no $(1): $(3)"
endef

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/installed
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/generate_properties.py
	$(BIN)/python docs/gallery.py

examples: $(VENV)/tested
	$(BIN)/python docs/examples.py
	$(BIN)/python docs/notebooks.py

site: $(VENV)/tested
	$(BIN)/python -m sphinx -E -W --keep-going -q -b html docs site
	cp docs/images/depth.svg docs/depth.svg  # The picture of the README.
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

# The core where numpy's index type has 32 bits, in a root of Debian's i386 packages; outside of make test.
i386: $(VENV)/tested
	tests/i386/run.sh

clean:
	rm -rf $(VENV) build dist site docs/images

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -e .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(INSTALL) -e ".[test]"
	touch $@
