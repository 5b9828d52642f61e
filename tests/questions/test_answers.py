"""Every answer has the form in JSON that its schema says, and every command its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import truerank as tr
from truerank.cli.command import QuestionCommand
from truerank.cli.main import OTHERS, program
from truerank.questions import QUESTIONS
from truerank.questions.stop.question import fit
from truerank.report.answer import Answer
from truerank.report.schema import schema
from truerank.report.several import SeveralCollections

jsonschema = pytest.importorskip("jsonschema", reason="checks documents against schemas")

QRELS = {"q1": {"a": 1, "b": 0, "c": 2, "d": 0}, "q2": {"a": 0, "d": 1}, "q3": {"b": 0}}
RUNS = {
    "one": {"q1": {"a": 3.0, "u": 2.0, "c": 2.0, "b": 1.0}, "q2": {"d": 2.0, "v": 1.0}},
    "two": {"q1": {"c": 3.0, "b": 2.0}, "q2": {"a": 2.0, "u": 2.0, "d": 2.0}, "q3": {"b": 1.0}},
}
ANSWERS: dict[str, Callable[[], Answer]] = {
    "evaluate": lambda: tr.evaluate(QRELS, RUNS, "AP nDCG@3", no_relevant="nan"),
    "evaluate, bounds": lambda: tr.evaluate(QRELS, RUNS, "AP AUC", unjudged="bounds"),
    "ties": lambda: tr.ties(QRELS, RUNS, "AP nDCG@3"),
    "depth": lambda: tr.depth(QRELS, RUNS, "AP P", condensed=True),
    "depth, one run": lambda: tr.depth(QRELS, RUNS["one"], "AP P"),
    "precision and recall": lambda: tr.precision_recall(QRELS, RUNS, no_relevant="nan"),
    "precision and recall, one topic": lambda: tr.precision_recall(QRELS, RUNS, topic="q1"),
    "roc": lambda: tr.roc(QRELS, RUNS),
    "roc, one topic": lambda: tr.roc(QRELS, RUNS, topic="q3"),
    "nil": lambda: tr.nil(QRELS, RUNS, "RR AP", limit=3, no_relevant="nan"),
    "agreement, by topic": lambda: tr.agreement_by_topic(QRELS, RUNS, grades=True),
    "agreement, by topic, without grades": lambda: tr.agreement_by_topic(RUNS["one"], RUNS),
    "negatives": lambda: tr.negatives(QRELS, RUNS, "RR nDCG@3", negatives=1),
    "truncate": lambda: tr.truncate(QRELS, RUNS, "F RBPU AP", no_relevant="nan"),
    "truncate, against": lambda: tr.truncate(QRELS, RUNS, "F RBPU", against="AP", also=[(QRELS, RUNS)]),
    "against": lambda: tr.against(tr.truncate(QRELS, RUNS, "F RBPU", against="AP")),
    "stop": lambda: tr.stop(QRELS, RUNS, "F RBPU", folds=2),
    "stop fit": lambda: fit(QRELS, RUNS["one"], "F", "learned"),
    "calibrate": lambda: tr.calibrate("FlatU RBPU ERRU OIE AP", silence_at=2),
    "calibrate, a list": lambda: tr.calibrate("RBPU AP", ranking="0010"),
    "calibrate, no score": lambda: tr.calibrate("AP", qrels=QRELS, run=RUNS["two"], topic="q3"),
    "calibrate, people": lambda: tr.calibrate(
        "RBP", qrels=QRELS, run=RUNS, reading=[("q1", "one", 2), ("q3", "one", 1)], resamples=100
    ),
    "properties, regions": lambda: tr.properties("P@2", property="priority", longest=3, regions=True),
    "unjudged": lambda: tr.unjudged(QRELS, RUNS, "RBP nDCG@3 AUC", next=3),
    "compare, groups": lambda: tr.compare(QRELS, RUNS, "AP", group={"q1": "x", "q2": "x", "q3": "y"}),
    "compare, systems": lambda: tr.compare(
        QRELS, {"a-1": RUNS["one"], "a-2": RUNS["two"], "b": RUNS["two"]}, "AP", system="{}-*"
    ),
    "judges": lambda: tr.judges({"a": QRELS, "b": {"q1": {"a": 0, "b": 1}}}, "AP", runs=RUNS),
    "judges, without runs": lambda: tr.judges({"a": QRELS, "b": {"q1": {"a": 0, "b": 1}}}),
    "audit": lambda: tr.audit(QRELS, RUNS, "P@2 RBP", people={"q1": {"a": 1}}, next=2, width=0.1, gate="one"),
    "audit, topics": lambda: tr.audit(QRELS, RUNS, "nDCG@3", people=QRELS),
    "design": lambda: tr.design(QRELS, RUNS, "AP", difference=0.1),
    "unjudged, nothing asked": lambda: tr.unjudged(QRELS, RUNS["one"], "AUC", no_relevant="nan"),
}
ASKED = {
    "evaluate": "QRELS TIED GOOD",
    "why": "QRELS TIED -m AP --value 0.9167",
    "why: nothing gives it": "QRELS TIED -m AP --value 0.123",
    "lint": "QRELS TIED GOOD",
    "measures": "",
    "measures: in full": "MAP OIE",
    "demo": "--systems 3 --topics 5",
    "compare": "QRELS TIED GOOD",
    "compare: gates": "QRELS TIED GOOD -m RR --gate better --no-settled --margin 0.1",
    "judges": "QRELS BOT --runs TIED -m P@2",
    "audit": "QRELS TIED GOOD -m P@2 --people QRELS",
    "design": "--deviation 0.2 --difference 0.1",
    "report": "QRELS TIED GOOD -m AP",
    "reproduce": "lu QRELS TIED GOOD",
    "reproduce: without data": "liu",
    "diff": "QRELS TIED GOOD",
    "diff: without a mean": "QRELS TIED GOOD -m GM",
    "explain": "QRELS TIED --topic q1 -m AP -m nDCG@3",
    "curves": "QRELS TIED GOOD",
    "curves: one topic": "QRELS TIED --topic q1 --kind roc",
    "depth": "QRELS TIED GOOD --condensed",
    "ties": "QRELS TIED GOOD",
    "unjudged": "QRELS TIED GOOD --next 3",
    "pool": "QRELS TIED GOOD",
    "pool: leaving out": "QRELS TIED GOOD --leave-out run --all-runs",
    "nil": "QRELS TIED GOOD --limit 3",
    "negatives": "QRELS TIED GOOD --negatives 1",
    "truncate": "QRELS TIED GOOD --against AP",
    "stop compare": "QRELS TIED --folds 2 -m F",
    "calibrate": "-m RBPU -m FlatU",
    "agreement": "ONE TWO",
    "agreement: by topic": "QRELS TIED GOOD --grades",
    "preferences": "PREFS TIED GOOD --qrels QRELS",
    "choose": "--no-length --top --no-exactly --no-single --recall --graded QRELS TIED",
    "properties": "P@2 --longest 3",
    "meta": "QRELS TIED GOOD -m AP -m RR --splits 4 --pairs 5 --permutations 10",
}
"""Commands by name; what comes after a colon tells several of a name apart."""


TEXTS = {
    "ONE": "a\nb\nc\n",
    "TWO": "b\na\nd\n",
    "PREFS": "q1 a b\nq1 c a\nq1 b c\n",
    "LETOR": "1 qid:1 1:2\n0 qid:1 2:1\n",
}


@cache
def validator(answer: type[Answer]) -> Any:
    form = schema(answer)
    jsonschema.Draft202012Validator.check_schema(form)
    return jsonschema.Draft202012Validator(form)


def faults(document: dict[str, Any], answer: type[Answer]) -> list[str]:
    assert all(note["code"] for note in document["notes"])
    return [error.message for error in validator(answer).iter_errors(document)]


@pytest.mark.parametrize("make", ANSWERS.values(), ids=ANSWERS)
def test_json_is_as_its_schema_says(make: Callable[[], Answer]) -> None:
    answer = make()
    one = answer.answers[0] if isinstance(answer, SeveralCollections) else answer
    assert faults(json.loads(answer.to_json()), type(one)) == []


def answers_of(names: list[str]) -> tuple[type[Answer], ...]:
    command: Any = program
    for name in names:
        command = command.get_command(None, name)
    assert isinstance(command, QuestionCommand)
    return command.answers


@pytest.mark.parametrize("asked", ASKED)
def test_commands_write_what_the_schema_says(asked: str, truerank: Callable[..., Any], files: Path) -> None:
    given = {"QRELS": files / "qrels.txt", "TIED": files / "tied.run", "GOOD": files / "good.run"}
    more = {"BOT": "q1 0 a 1\nq1 0 b 1\nq2 0 d 0\n", "READING": "q1 tied 2\nq1 good 1\n"}
    for name, text in {**TEXTS, **more}.items():
        given[name] = files / f"{name.lower()}.txt"
        given[name].write_text(text)
    names = asked.partition(":")[0].split()
    done = truerank(*names, *(given.get(word, word) for word in ASKED[asked].split()), "--format", "json")
    document = json.loads(done.stdout)
    # A command that has one of several answers has the form of that one.
    found = [faults(document, answer) for answer in answers_of(names)]
    assert [] in found, found


def test_every_question_is_among_them() -> None:
    assert {asked.partition(":")[0].split()[0] for asked in ASKED} == set(QUESTIONS)


@pytest.mark.parametrize(("name", "line"), [*QUESTIONS.items(), *OTHERS.items()])
def test_a_command_is_told_in_the_line_that_its_help_begins_with(name: str, line: str) -> None:
    command = program.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    assert (command.help or "").partition("\n\n")[0].replace("\n", " ") == line
