from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import truerank as tr
from truerank.cli import options
from truerank.io.chunks import AGGREGATES

QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td1\t2\n"
HITS = [("q1", "d2#0", 0.1), ("q1", "d1#0", 0.3), ("q1", "d1#7", 0.2), ("q2", "d1#1", 0.4)]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test.tsv").write_text(QRELS)
    (tmp_path / "hits.csv").write_text("question,passage,far\n" + "".join(f"{q},{d},{s}\n" for q, d, s in HITS))
    (tmp_path / "hits.jsonl").write_text(
        "".join(json.dumps({"query_id": q, "doc_id": d, "distance": s}) + "\n" for q, d, s in HITS)
    )
    (tmp_path / "hits.trec").write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in HITS))
    return tmp_path


def means(done: Any) -> dict[str, float]:
    assert done.exit_code == 0, done.stderr
    return {row["run"]: row["mean"] for row in json.loads(done.stdout)["runs"]}


NAMES = "topic=question, doc=passage,score=far"


def test_options_say_how_every_run_is_read(truerank: Any, data: Path) -> None:
    args = ("evaluate", "test.tsv", "hits.jsonl", "hits.trec", "-m", "RR", "--format", "json", "--chunks", "#")
    assert [*means(truerank(*args, "--lower-is-better")).values()] == [0.75, 0.75]
    assert [*means(truerank(*args, "--higher-is-better")).values()] == [1.0, 1.0]


@pytest.mark.parametrize(("aggregate", "expected"), [("max", 0.75), ("first", 0.75), ("sum", 1.0)])
def test_aggregates(truerank: Any, data: Path, aggregate: str, expected: float) -> None:
    (data / "hits.trec").write_text("q1 Q0 d1#0 1 1 t\nq1 Q0 d2#0 2 3 t\nq1 Q0 d1#1 3 2.5 t\nq2 Q0 d1#0 1 1 t\n")
    args = ("evaluate", "test.tsv", "hits.trec", "-m", "RR", "--format", "json", "--chunks", "#")
    assert means(truerank(*args, "--aggregate", aggregate)) == {"hits": expected}


def test_columns_are_named(truerank: Any, data: Path) -> None:
    args = ("evaluate", "test.tsv", "hits.csv", "-m", "RR", "--format", "json", "--chunks", "#", "--lower-is-better")
    assert means(truerank(*args, "--columns", NAMES)) == {"hits": 0.75}
    done = truerank(*args)
    assert done.exit_code == 2
    assert "hits.csv: no column is known to hold the topic" in done.stderr


def test_columns_of_judgments_are_named(truerank: Any, data: Path) -> None:
    (data / "mine.csv").write_text("question,passage,worth\nq1,d2,1\n")
    args = ("evaluate", "mine.csv", "hits.trec", "-m", "RR", "--format", "json", "--chunks", "#", "--lower-is-better")
    assert means(truerank(*args, "--qrels-columns", "topic=question,doc=passage,grade=worth")) == {"hits": 1.0}


def test_the_command_and_python_say_the_same(truerank: Any, data: Path) -> None:
    done = truerank(
        "evaluate", "test.tsv", "hits.jsonl", "-m", "RR", "--format", "json", "--chunks", "#", "--lower-is-better"
    )
    run = tr.read_run("hits.jsonl", chunks="#", higher_is_better=False)
    scores = tr.evaluate("test.tsv", run, "RR")
    assert means(done) == {"hits": scores["hits"]["RR"].mean}
    assert [notice["text"] for notice in json.loads(done.stdout)["notes"]] == [*scores.notices]
    assert any("4 chunks made 3 documents, by max" in notice for notice in scores.notices)


def test_without_options_nothing_changes(truerank: Any, data: Path) -> None:
    done = truerank("evaluate", "test.tsv", "hits.trec", "-m", "RR", "--format", "json")
    [notice] = json.loads(done.stdout)["notes"]
    assert notice["text"] == "no document is judged; check that ids match"


def test_standard_input_takes_options(truerank: Any, data: Path) -> None:
    written = (data / "hits.jsonl").read_text()
    args = ("evaluate", "test.tsv", "-", "-m", "RR", "--format", "json", "--lower-is-better", "--chunks", "#")
    assert means(truerank(*args, input=written)) == {"run": 0.75}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--columns", "topic"], "invalid value for '--columns': 'topic' is not like topic=qid,doc=docno,score=bm25"),
        (["--columns", "doc="], "invalid value for '--columns': 'doc=' is not like"),
        (["--columns", "grade=x"], "hits.jsonl: "),
        (["--columns", "doc=x"], "hits.jsonl: there is no column 'x' for the doc"),
        (["--aggregate", "mean"], "invalid value for '--aggregate': 'mean' is not one of"),
        (["--aggregate", "sum"], "--aggregate sum is for chunks; say how they are named"),
        (["--chunks", "", "--lower-is-better"], "chunks='' separates nothing"),
        (
            [],
            "hits.jsonl: the score is called 'distance'; if a small one is good, read it with",
        ),
    ],
)
def test_errors_are_one_line(truerank: Any, data: Path, options: list[str], said: str) -> None:
    done = truerank("evaluate", "test.tsv", "hits.jsonl", "-m", "RR", *options)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"truerank: {said}")
    assert done.stderr.count("\n") == 1


def test_the_choices_are_those_there_are() -> None:
    assert options.AGGREGATES == AGGREGATES


def test_forms_of_files_need_no_options(truerank: Any, data: Path) -> None:
    (data / "dense.json").write_text(json.dumps({"q1": ["d1", "d2"], "q2": ["d1"]}))
    (data / "marco.tsv").write_text("q1\td1\t1\nq1\td2\t2\nq2\td1\t1\n")
    done = truerank("evaluate", "test.tsv", "dense.json", "marco.tsv", "-m", "RR", "--format", "json")
    assert means(done) == {"dense": 1.0, "marco": 1.0}
    notices = " ".join(notice["text"] for notice in json.loads(done.stdout)["notes"])
    assert "dense: documents have no scores: taken to be listed best first" in notices
    assert "marco: 3 columns are taken for topic, document and rank: scores are made of ranks" in notices
