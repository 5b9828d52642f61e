from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SHOWN = ["topics", "runs", "lists", "triples", "cycles", "grades", "agreement", "orderings"]


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """A circle in one topic and a tie in the other, graded judgments, and two runs."""
    (tmp_path / "prefs.txt").write_text("q1 a > b\nq1 b > c\nq1 c > a\nq1 a > d\nq2 x > y\nq2 y = z\n")
    (tmp_path / "qrels.txt").write_text("q1 0 a 2\nq1 0 b 1\nq1 0 c 1\nq1 0 d 0\nq2 0 x 1\nq2 0 y 0\n")
    (tmp_path / "good.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\nq2 Q0 x 1 1 t\n")
    (tmp_path / "bad.run").write_text("q1 Q0 d 1 3 t\nq1 Q0 a 2 2 t\nq2 Q0 y 1 2 t\nq2 Q0 x 2 1 t\n")
    return tmp_path


def rows(text: str) -> list[dict[str, str]]:
    head, *lines = (line.split("\t") for line in text.splitlines())
    return [dict(zip(head, line, strict=True)) for line in lines]


def test_topics_without_runs(truerank: Any, judged: Path) -> None:
    done = truerank("preferences", judged / "prefs.txt")
    assert done.exit_code == 0
    first, second = rows(done.stdout)
    assert (first["cyclic"], first["least"], first["least_loss"], first["graded_by"]) == ("1", "1", "0.25", "copeland")
    assert (second["ties"], second["cyclic"], second["graded_by"]) == ("1", "0", "levels")
    assert "note: 1 intransitive triple in 1 topic" in done.stderr
    assert "note: no ranking can satisfy more than 80% of the preferences: 1 judgment must be violated" in done.stderr


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("q1 a > b\nq1 b > a\n", "an order satisfies all preferences in 0 of 1 topic"),
        ("q1 a > b\nq1 a > b\nq1 b > a\n", "in 1 topic pairs were judged both ways, which no order satisfies"),
        ("q1 a > b\nq2 a = b\n", "an order satisfies all preferences in 1 of 1 topic"),
        ("q1 a > b\nq2 a > b\nq2 b > a\n", "an order satisfies all preferences in 1 of 2 topics"),
        ("q1 a > b\nq2 a > b\n", "an order satisfies all preferences in 2 of 2 topics"),
        ("q1 a > b\nq1 b > c\nq1 c > a\nq2 a > b\nq2 b > a\n", "an order satisfies all preferences in 0 of 2 topics"),
        ("q1 a = b\n", "there are no preferences that an order could satisfy"),
    ],
)
def test_topics_with_an_order_that_satisfies_all(truerank: Any, tmp_path: Path, lines: str, said: str) -> None:
    (tmp_path / "prefs.txt").write_text(lines)
    assert f"note: {said}" in truerank("preferences", tmp_path / "prefs.txt", "--show", "grades").stderr


def test_runs(truerank: Any, judged: Path) -> None:
    done = truerank("preferences", judged / "prefs.txt", judged / "good.run", judged / "bad.run")
    good, bad = rows(done.stdout)
    assert (good["run"], good["kept"], good["violated"], good["loss"]) == ("good", "4", "1", "0.125")
    assert (bad["kept"], bad["violated"], bad["neither"]) == ("1", "3", "1")
    assert "note: good violates 20% of the preferences; loss 0.1250" in done.stderr


def test_grades_of_others(truerank: Any, judged: Path) -> None:
    args = ["preferences", judged / "prefs.txt", judged / "good.run", judged / "bad.run"]
    args += ["--qrels", judged / "qrels.txt"]
    done = truerank(*args, "--show", "agreement")
    first, second = rows(done.stdout)
    assert [first[name] for name in ("agree", "contradict", "finer", "unjudged")] == ["2", "1", "1", "0"]
    assert (second["agree"], second["equal_unjudged"]) == ("1", "1")
    [ap] = rows(truerank(*args, "-m", "AP", "--show", "orderings").stdout)
    assert (ap["measure"], ap["tau_b"], ap["reversed"]) == ("AP", "1.0", "0")


def test_json_has_everything(truerank: Any, judged: Path) -> None:
    done = truerank(
        "preferences", judged / "prefs.txt", judged / "good.run", "--qrels", judged / "qrels.txt", "--format", "json"
    )
    found = json.loads(done.stdout)
    assert found["total"]["preferences"] == 5
    assert found["triples"] == [{"topic": "q1", "a": "a", "b": "b", "c": "c"}]
    [cycle] = found["cycles"]
    assert (cycle["documents"], cycle["cycle"], cycle["order"][0] in "abc") == ([*"abc"], [*"abc"], True)
    assert [(one["topic"], one["loss"]) for one in found["lists"]] == [("q1", 0.25), ("q2", 0.0)]
    assert found["agreement_total"]["agree"] == 3
    assert found["notes"][0]["text"].startswith("5 preferences and 1 tie between 7 documents of 2 topics")
    assert {note["code"] for note in found["notes"]} >= {f"TR{n}" for n in (521, 523, 525, 526, 527, 529, 530)}


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html"])
@pytest.mark.parametrize("show", SHOWN)
def test_other_formats(truerank: Any, judged: Path, form: str, show: str) -> None:
    args = ["preferences", judged / "prefs.txt", judged / "good.run", judged / "bad.run", "--show", show]
    done = truerank(*args, "--qrels", judged / "qrels.txt", "--format", form)
    assert done.exit_code == 0, done.stderr
    assert done.stdout


def test_there_and_back(truerank: Any, judged: Path) -> None:
    made = judged / "made.qrels"
    done = truerank("preferences", judged / "prefs.txt", "--to-qrels", made, "--lowest", 1)
    assert done.exit_code == 0, done.stderr
    assert made.read_text() == "q1 0 a 3\nq1 0 b 2\nq1 0 c 2\nq1 0 d 1\nq2 0 x 2\nq2 0 y 1\nq2 0 z 1\n"
    done = truerank("preferences", made, "--induced", "--to-preferences", "-")
    assert done.stdout.splitlines() == ["q1 a b", "q1 a c", "q1 a d", "q1 b d", "q1 c d", "q2 x y", "q2 x z"]


def test_columns_and_repeated_judgments(truerank: Any, judged: Path) -> None:
    (judged / "prefs.csv").write_text("q,one,two,said\nq1,a,b,a\nq1,a,b,a\nq1,a,b,b\n")
    args = ["preferences", judged / "prefs.csv", "--preferences-columns", "topic=q,first=one,second=two,relation=said"]
    for how, expected in (("each", "3"), ("once", "2"), ("majority", "1")):
        assert rows(truerank(*args, "--repeated", how).stdout)[0]["preferences"] == expected


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["qrels.txt"], "these look like qrels; give preferences"),
        (["prefs.txt", "--show", "runs"], "--show runs needs RUN;"),
        (["prefs.txt", "--show", "agreement"], "--show agreement needs --qrels"),
        (["prefs.txt", "good.run", "--show", "orderings"], "--show orderings needs --qrels"),
        (["prefs.txt", "-m", "AP"], "--measure orders runs by grades; give qrels and runs"),
        (["prefs.txt", "--lowest", "1"], "--lowest needs --to-qrels"),
        (["prefs.txt", "--to-qrels", "nowhere/x"], "there is no folder"),
        (["prefs.txt", "--grades", "levels"], "the preferences of topic 'q1' go in a circle"),
        (["nothing.txt"], "there is no such file"),
    ],
)
def test_errors_are_one_line(truerank: Any, judged: Path, args: list[str], message: str) -> None:
    given = [judged / arg if "." in arg else arg for arg in args]
    done = truerank("preferences", *given)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
