"""Every answer has the form that its schema says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from truerank.cli.command import QuestionCommand
from truerank.cli.main import program
from truerank.report.schema import schema

jsonschema = pytest.importorskip("jsonschema", reason="checks documents against schemas")

ASKED = {
    "evaluate": "QRELS TIED GOOD",
    "compare": "QRELS TIED GOOD",
    "compare: gates": "QRELS TIED GOOD -m RR --gate better --no-settled --margin 0.1",
    "diff": "QRELS TIED GOOD",
    "diff: without a mean": "QRELS TIED GOOD -m GM",
    "depth": "QRELS TIED GOOD --max-depth 3",
    "ties": "QRELS TIED GOOD",
}
"""Commands by name; what comes after a colon tells several of a name apart."""


@pytest.mark.parametrize("asked", ASKED)
def test_an_answer_is_as_its_schema_says(asked: str, truerank: Callable[..., Any], files: Path) -> None:
    given = {"QRELS": files / "qrels.txt", "TIED": files / "tied.run", "GOOD": files / "good.run"}
    name = asked.partition(":")[0]
    done = truerank(name, *(given.get(word, word) for word in ASKED[asked].split()), "--format", "json")
    command = program.get_command(None, name)  # type: ignore[arg-type]
    assert isinstance(command, QuestionCommand)
    [answer] = command.answers
    jsonschema.validate(json.loads(done.stdout), schema(answer))
