"""The question that CONTRIBUTING adds works as it is written there."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from truerank import questions
from truerank.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## How to add a question")[2]
FILES = ("question", "work")


@pytest.fixture
def spread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "questions" / "spread"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    blocks = re.findall(r"^   ```python\n(.*?)^   ```", RECIPE, re.DOTALL | re.MULTILINE)
    for name, code in zip(FILES, blocks, strict=True):
        (folder / f"{name}.py").write_text(textwrap.dedent(code))
    monkeypatch.setattr(questions, "__path__", [*questions.__path__, str(tmp_path / "questions")])
    for lines in (questions.QUESTIONS, COMMANDS):
        monkeypatch.setitem(lines, "spread", "Show how far scores are spread over topics.")
    yield
    for name in [name for name in sys.modules if name.startswith("truerank.questions.spread")]:
        del sys.modules[name]


@pytest.mark.usefixtures("spread")
def test_a_question_as_it_is_written(truerank: Callable[..., Any], files: Path) -> None:
    given = ("spread", files / "qrels.txt", files / "tied.run", files / "good.run", "-m", "AP RR")
    head, *rows = truerank(*given).stdout.splitlines()
    assert (head.split("\t"), len(rows)) == (["measure", "run", "mean", "deviation"], 4)
    document = json.loads(truerank(*given, "--ties", "worst", "--format", "json").stdout)
    assert (document["question"], document["conventions"]["ties"]) == ("spread", "worst")
    assert [(row["run"], row["measure"]) for row in document["runs"]][:2] == [("tied", "AP"), ("good", "AP")]
    refused = truerank(*given, "--ties", "bounds")
    assert refused.exit_code == 2
