"""Features as runs: a file in the place of runs stands for one per feature."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.io.features import read_features
from truerank.io.runs import named_runs

RNG = np.random.default_rng(2)
TOPICS = [f"q{t}" for t in range(9) for _ in range(7)]
GRADES = RNG.choice([0.0, 0.0, 1.0, 2.0], len(TOPICS))
X = np.column_stack(
    [
        np.round(GRADES + RNG.normal(0, 1, len(TOPICS)), 1),
        np.round(-GRADES + RNG.normal(0, 2, len(TOPICS))),
        np.round(RNG.random(len(TOPICS)), 1),
        np.full(len(TOPICS), 4.0),
    ]
)


def lines(comment: str = "") -> list[str]:
    return [
        f"{grade:g} qid:{topic} " + " ".join(f"{at + 1}:{value:g}" for at, value in enumerate(row) if value) + comment
        for grade, topic, row in zip(GRADES, TOPICS, X, strict=True)
    ]


@pytest.fixture
def letor(tmp_path: Path) -> Path:
    (tmp_path / "test.txt").write_text("# a comment\n" + "\n".join(lines()) + "\n")
    return tmp_path / "test.txt"


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("name", ["nDCG@3", "AP", "RR", "ESL@5"])
def test_a_file_stands_for_a_run_per_feature(letor: Path, name: str, low: bool) -> None:
    given: dict[str, Any] = {"higher_is_better": False} if low else {}
    found = tr.evaluate(letor, letor, name, ties="bounds", **given)
    assert [*found] == ["1", "2", "3", "4"]
    qrels = tr.read_qrels(letor)
    for feature in "1234":
        run = tr.read_run(letor, columns={"score": feature}, higher_is_better=not low)
        alone = tr.evaluate(qrels, run, name, ties="bounds")["test"][name]
        row = found[feature][name]
        assert (row.mean, row.low, row.high) == (alone.mean, alone.low, alone.high)


def test_features_are_compared_and_looked_at_as_any_runs(letor: Path) -> None:
    compared = tr.compare(letor, letor, "AP", baseline="3", settled=False)["AP"]
    assert [compared.pair("3", name).verdict for name in "124"] == ["not significant", "worse", "not significant"]
    assert any(finding.file == "4" for finding in tr.lint(*read_features(letor)).findings)


def test_files_of_features_are_looked_at_for_mistakes(letor: Path, truerank: Any) -> None:
    done = truerank("lint", letor, letor, "--format", "json")
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert {(one["file"], one["check"]) for one in found["findings"]} >= {("4", "constant-scores")}
    assert found["inputs"][1:] == ["1", "2", "3", "4"]


def test_files_arrays_and_frames_are_the_same(letor: Path, tmp_path: Path) -> None:
    sparse, pandas = pytest.importorskip("scipy.sparse"), pytest.importorskip("pandas")
    with gzip.open(tmp_path / "more.txt.gz", "wt") as file:
        file.write("\n".join(lines()))
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    expected = tr.evaluate(letor, letor, "nDCG@3 AP").to_records()
    packed = tmp_path / "more.txt.gz"
    assert tr.evaluate(packed, packed, "nDCG@3 AP").to_records() == expected
    for data in (packed, (X, GRADES, TOPICS), (sparse.csr_matrix(X), GRADES, np.array(TOPICS))):
        assert tr.evaluate(*tr.read_features(data), "nDCG@3 AP").to_records() == expected
    assert [*read_features((frame, GRADES, TOPICS))[1]] == [*"abcd"]
    shuffled = RNG.permutation(len(TOPICS))
    other = tr.evaluate(*tr.read_features((X[shuffled], GRADES[shuffled], np.array(TOPICS)[shuffled])), "nDCG@3 AP")
    for row, known in zip(other.to_records(), expected, strict=True):
        assert row["mean"] == pytest.approx(known["mean"], abs=1e-12)


def test_ids_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("1 qid:2 1:3 # docid = b\n0 qid:1 1:4 # docid = a\n")
    qrels, runs = read_features(tmp_path / "ids.txt")
    assert (qrels.topics, qrels.docs.tolist(), qrels.notes) == ((b"1", b"2"), [b"a", b"b"], ())
    assert runs["1"].ranking("2") == [("b", 3.0)]
    (tmp_path / "ids.txt").write_text("1 qid:2 1:3 # docid = b\n0 qid:1 1:4\n")
    with pytest.raises(tr.InputError, match=r"ids\.txt:2: this document has no id"):
        read_features(tmp_path / "ids.txt")


def test_topics_of_several_files_and_features_not_known(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("1 qid:1 1:3 2:NULL\n0 qid:1 1:1 2:5\n")
    two.write_text("0 qid:2 1:2\n1 qid:2 7:1\n0 qid:2 1:2\n")
    qrels, runs = read_features([str(one), str(two)])
    assert (qrels.topics, [*runs]) == ((b"1", b"2"), ["1", "2", "7"])
    assert runs["2"].ranking("1") == [("1", 5.0)]
    assert runs["2"].notes == ("the feature is not known of 1 document, which the run lacks",)
    found = tr.evaluate(qrels, runs, "RR")
    assert found["2"]["RR"].mean == pytest.approx((0 + (1 + 1 / 2 + 1 / 3) / 3) / 2)
    assert "2: the feature is not known of 1 document, which the run lacks" in map(str, found.notices)


def test_a_topic_without_a_known_value_and_a_document_without_a_grade() -> None:
    qrels, runs = read_features(([[1.0], [np.nan], [2.0]], [1, 0, np.nan], ["a", "b", "a"]))
    assert (qrels.topics, qrels.docs.tolist(), runs["1"].topics) == ((b"a", b"b"), [b"0", b"1"], (b"a",))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 1:3\n", "line 1.* has no grade and qid"),
        ("1 qid:1 1:3\n0 qid:1 1:x\n", "line 2.*feature 1 is 'x'"),
        ("1 qid:1 1:3\n0 qid:1 a:1\n", "line 2.*is no feature"),
        ("1 qid:1 1:3 1:4\n", "line 1.*feature 1 has two values"),
        ("1 qid:1 1:inf\n", "line 1.*infinite"),
        ("nan qid:1 1:2\n", "line 1.*grade is nan"),
        ("1 qid:1\n", "no line has a feature"),
        ("\n", "no lines such as"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "bad.txt").write_text(text)
    with pytest.raises(tr.InputError) as error:
        read_features(tmp_path / "bad.txt")
    assert re.search(says, str(error.value).replace("bad.txt:", "line ")), str(error.value)


def test_other_files_are_runs_as_before(letor: Path, tmp_path: Path) -> None:
    run = tmp_path / "a.run"
    run.write_text("q1 Q0 d qid: 0.5 t\n")
    assert [one.name for one in named_runs([run])] == ["a"]
    assert [one.name for one in named_runs([letor, run])] == ["1", "2", "3", "4", "a"]
    missing = [one.name for one in named_runs([tmp_path / "none.run"])]
    assert missing == ["none"]


def test_the_commands_and_the_old_name(truerank: Any, letor: Path) -> None:
    done = truerank("evaluate", letor, letor, "-m", "nDCG@3", "--format", "tsv")
    assert [line.split("\t")[0] for line in done.stdout.splitlines()[1:]] == ["1", "3", "4", "2"]
    old = truerank("features", letor, "-m", "nDCG@3", "--format", "tsv")
    assert old.stdout == done.stdout
    assert "truerank features is now truerank evaluate FILE FILE\n" in old.stderr
    with pytest.warns(DeprecationWarning, match=r"truerank\.evaluate"):
        again = tr.features((X, GRADES, TOPICS), "nDCG@3")  # type: ignore[attr-defined]
    assert again.to_records() == tr.evaluate(letor, letor, "nDCG@3").to_records()
