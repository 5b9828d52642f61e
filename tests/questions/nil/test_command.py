from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

HEAD = ["run", "topics", "answered", "false_answers", "wrongly_unanswered", "correctly_unanswered"]


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    """Two topics with an answer and one without, and two runs of which one says NIL."""
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq2 0 b 1\nq3 0 c 0\n")
    (tmp_path / "wary.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 NIL 2 1 t\nq2 Q0 NIL 1 2 t\nq2 Q0 b 2 1 t\n")
    eager = [f"q{n} Q0 {doc} 1 2 t\nq{n} Q0 x 2 1 t\n" for n, doc in enumerate("abc", 1)]
    (tmp_path / "eager.run").write_text("".join(eager))
    return tmp_path


def rows(text: str) -> list[dict[str, str]]:
    head, *lines = (line.split("\t") for line in text.splitlines())
    return [dict(zip(head, line, strict=True)) for line in lines]


def test_a_row_a_run(truerank: Any, lists: Path) -> None:
    done = truerank("nil", lists / "qrels.txt", lists / "wary.run", lists / "eager.run", "--limit", 2)
    assert done.exit_code == 0
    wary, eager = rows(done.stdout)
    assert list(wary)[: len(HEAD)] == HEAD
    assert (wary["wrongly_unanswered"], wary["correctly_unanswered"], wary["precision"]) == ("1", "1", "0.5")
    assert (eager["false_answers"], eager["precision"], eager["ended"]) == ("1", "nan", "0.0")
    assert "note: wary leaves 2 topics unanswered, 1 of them correctly" in done.stderr


def test_scores_orders_and_lengths(truerank: Any, lists: Path) -> None:
    args = ["nil", lists / "qrels.txt", lists / "wary.run", lists / "eager.run", "-m", "RR", "--limit", 2, "--show"]
    scores = {row["run"]: row for row in rows(truerank(*args, "runs").stdout)}
    assert [float(scores["eager"][f"score.{how}"]) for how in ("original", "modified")] == pytest.approx([2 / 3, 2 / 3])
    assert [float(scores["wary"][f"score.{how}"]) for how in ("original", "modified")] == pytest.approx([1 / 2, 2 / 3])
    [order] = rows(truerank(*args, "orders").stdout)
    assert (order["variant"], order["other"], order["pairs"], order["reversed"]) == ("original", "modified", "1", "0")
    assert "lost" not in order
    assert [row["after"] for row in rows(truerank(*args, "lengths").stdout)] == ["2", "1", "3"]
    assert truerank(*args, "pairs").stdout == "measure\trun\tcompared_with\tdepends\n"


def test_json_has_everything(truerank: Any, lists: Path) -> None:
    done = truerank("nil", lists / "qrels.txt", lists / "wary.run", "--format", "json")
    document = json.loads(done.stdout)
    assert document["conventions"]["limit"] is None
    assert document["nil_topics"] == ["q3"]
    assert [(row["run"], row["wrongly_unanswered_topics"]) for row in document["cases"]] == [("wary", ["q2"])]
    assert len(document["runs"]) == 4


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html"])
@pytest.mark.parametrize("show", ["cases", "runs", "orders", "pairs", "endings", "topics", "lengths"])
def test_other_formats(truerank: Any, lists: Path, form: str, show: str) -> None:
    done = truerank("nil", lists / "qrels.txt", lists / "wary.run", "--format", form, "--show", show)
    assert done.exit_code == 0
    assert done.stdout


@pytest.mark.parametrize("show", ["runs", "lengths"])
def test_a_figure(truerank: Any, lists: Path, show: str) -> None:
    pytest.importorskip("vl_convert")
    path = lists / "figure.json"
    done = truerank("nil", lists / "qrels.txt", lists / "wary.run", "-m", "RR", "--show", show, "--plot", path)
    assert done.exit_code == 0
    assert len(json.loads(path.read_text())["concat"]) == {"runs": 2, "lengths": 1}[show]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--limit", "0"], "0 is not in the range"),
        (["--ending", "none"], "does not count the end of a list"),
        (["--missing", "skip"], "no such option"),
        (["--nil", "answer"], "no such option"),
        (["-m", "RRT"], "terminal document of its own"),
        (["--plot", "figure.gif"], ".gif"),
    ],
)
def test_errors(truerank: Any, lists: Path, args: list[str], said: str) -> None:
    done = truerank("nil", lists / "qrels.txt", lists / "wary.run", *args)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr.lower()


def test_evaluate_takes_both_conventions(truerank: Any, lists: Path) -> None:
    args = ["evaluate", lists / "qrels.txt", lists / "eager.run", "-m", "RR AP", "--format", "json"]
    limited = json.loads(truerank(*args, "--ending", "terminal", "--limit", 2).stdout)
    plain, answer = json.loads(truerank(*args).stdout), json.loads(truerank(*args, "--nil", "answer").stdout)
    assert limited["runs"] == plain["runs"]
    assert (limited["conventions"]["limit"], answer["conventions"]["nil"]) == (2, "answer")
    assert "choose --ending terminal" in truerank(*args, "--limit", 2).stderr
