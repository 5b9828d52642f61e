from __future__ import annotations

import doctest
import subprocess
import sys

import numpy as np
import pytest

import truerank as tr
from truerank.measures.table import TABLE


def test_every_measure_has_an_entry() -> None:
    assert [entry.name for entry in tr.measures()] == [*TABLE]


@pytest.mark.parametrize("entry", tr.measures(), ids=lambda entry: entry.name)
def test_an_entry_says_what_there_is_to_know(entry: tr.Entry) -> None:
    assert entry.formula
    assert entry.text.endswith(".")
    assert entry.citation
    assert ">>>" not in entry.text
    assert entry.range[0] < entry.range[1]
    for alias, meant in entry.aliases.items():
        assert tr.parse(alias) == tr.parse(meant)


@pytest.mark.parametrize("entry", [e for e in tr.measures() if e.example], ids=lambda entry: entry.name)
def test_examples_run_as_users_type_them(entry: tr.Entry) -> None:
    test = doctest.DocTestParser().get_doctest(entry.example, {"tr": tr, "np": np}, entry.name, None, None)
    failures: list[str] = []
    doctest.DocTestRunner().run(test, out=failures.append)
    assert failures == []


@pytest.mark.parametrize("first", ["", "import truerank.measures.table", "tr.AP", "tr.measures"])
def test_the_catalogue_can_be_called_whatever_was_imported(first: str) -> None:
    code = f"import truerank as tr\n{first}\nprint(len(tr.measures()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == len(TABLE)
