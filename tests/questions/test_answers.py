"""Every answer has the form that its schema says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from truerank.cli.command import QuestionCommand
from truerank.cli.main import OTHERS, program
from truerank.questions import QUESTIONS
from truerank.report.schema import schema

jsonschema = pytest.importorskip("jsonschema", reason="checks documents against schemas")

ASKED = {
    "evaluate": "QRELS TIED GOOD",
    "why": "QRELS TIED -m AP --value 0.9167",
    "why: nothing gives it": "QRELS TIED -m AP --value 0.123",
    "lint": "QRELS TIED GOOD",
    "depth": "QRELS TIED GOOD --max-depth 3",
    "ties": "QRELS TIED GOOD",
    "measures": "",
    "measures: in full": "MAP OIE",
    "demo": "--systems 3 --topics 5",
    "compare": "QRELS TIED GOOD",
    "compare: gates": "QRELS TIED GOOD -m RR --gate better --no-settled --margin 0.1",
    "diff": "QRELS TIED GOOD",
    "diff: without a mean": "QRELS TIED GOOD -m GM",
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


@pytest.mark.parametrize(("name", "line"), [*QUESTIONS.items(), *OTHERS.items()])
def test_a_command_is_told_in_the_line_that_its_help_begins_with(name: str, line: str) -> None:
    command = program.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    assert (command.help or "").partition("\n\n")[0].replace("\n", " ") == line
