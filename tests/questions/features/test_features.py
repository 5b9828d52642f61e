"""Features as rankings, against the same features read as runs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.io.features import read_features

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


def lines() -> list[str]:
    return [
        f"{grade:g} qid:{topic} " + " ".join(f"{at + 1}:{value:g}" for at, value in enumerate(row) if value) + " # d"
        for grade, topic, row in zip(GRADES, TOPICS, X, strict=True)
    ]


@pytest.fixture
def letor(tmp_path: Path) -> Path:
    (tmp_path / "test.txt").write_text("# a comment\n" + "\n".join(line.replace("# d", "") for line in lines()) + "\n")
    return tmp_path / "test.txt"


@pytest.mark.parametrize("name", ["nDCG@3", "AP", "RR", "ERR@5", "PrefLoss", "ESL@5"])
def test_scores_are_those_of_runs(letor: Path, name: str) -> None:
    found = tr.features(str(letor), name)
    measure = tr.parse(name)
    qrels = tr.read_qrels(letor)
    for feature in "1234":
        row = found[feature][name]
        means = {
            way: tr.evaluate(
                qrels,
                tr.read_run(letor, columns={"score": feature}, higher_is_better=way == "high"),
                name,
                ties="bounds",
            )["test"][name]
            for way in ("high", "low")
        }
        best = max(means, key=lambda way: measure.sign * means[way].mean)
        taken = means[row.direction]
        assert row.score == pytest.approx(means[best].mean, abs=1e-15)
        assert row.score == pytest.approx(taken.mean, abs=1e-15)
        assert row.other == pytest.approx(means["low" if row.direction == "high" else "high"].mean, abs=1e-15)
        ends = (taken.low, taken.high) if measure.higher_is_better else (taken.high, taken.low)
        assert (row.worst, row.best) == pytest.approx(ends, abs=1e-14)
    scores = [measure.sign * row.score for row in found.scored]
    assert scores == sorted(scores, reverse=True)
    assert found.constant == ("4",)
    assert found["4"][name].tied == 1.0
    assert found["2"][name].direction == "low"


def test_tests_are_those_of_compare(letor: Path) -> None:
    qrels = tr.read_qrels(letor)
    runs = {name: tr.read_run(letor, columns={"score": name}) for name in "1234"}
    compared = tr.compare(qrels, runs, "AP", baseline="3", test="randomization", seed=4, settled=False)["AP"]
    found = tr.features(letor, "AP", direction="high", baseline="3", test="randomization", seed=4)
    assert found.against == {"AP": "3"}
    for name in "124":
        pair, row = compared.pair("3", name), found[name]["AP"]
        assert row.difference == pytest.approx(pair.difference)
        assert row.p == pytest.approx(pair.p_corrected, abs=1e-12)
        assert row.verdict == (pair.verdict if pair.verdict in ("better", "worse") else "")
    assert (found["3"]["AP"].p, found["3"]["AP"].verdict, found["3"]["AP"].other) == (None, "against", None)


def test_files_arrays_and_frames_are_the_same(letor: Path, tmp_path: Path) -> None:
    sparse, pandas = pytest.importorskip("scipy.sparse"), pytest.importorskip("pandas")
    with gzip.open(tmp_path / "more.txt.gz", "wt") as file:
        file.write("\n".join(lines()))
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    expected = tr.features(letor).to_records()
    for data in (tmp_path / "more.txt.gz", (X, GRADES, TOPICS), (sparse.csr_matrix(X), GRADES, np.array(TOPICS))):
        assert tr.features(data).to_records() == expected
    named = tr.features((frame, GRADES, TOPICS)).to_records()
    assert {row["feature"] for row in named} == set("abcd")
    assert sorted(row["score"] for row in named) == sorted(row["score"] for row in expected)
    shuffled = RNG.permutation(len(TOPICS))
    other = tr.features((X[shuffled], GRADES[shuffled], np.array(TOPICS)[shuffled]))
    assert {(r.feature, round(r.score, 12)) for r in other.scored} == {
        (row["feature"], round(row["score"], 12)) for row in expected
    }


def test_topics_of_several_files_and_features_not_known(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("1 qid:1 1:3 2:NULL\n0 qid:1 1:1 2:5\n")
    two.write_text("0 qid:2 1:2\n1 qid:2 7:1\n0 qid:2 1:2\n")
    table = read_features([str(one), str(two)])
    assert (table.topics, table.names, table.offsets.tolist()) == (("1", "2"), ("1", "2", "7"), [0, 2, 5])
    np.testing.assert_array_equal(table.values[1], [np.nan, 5, 0, 0, 0])
    found = tr.features([one, two], "RR", only=["2"], test="sign")
    assert [str(note) for note in found.notices] == ["1 feature is not known of some documents, which its lists lack"]
    assert found["2"]["RR"].score == pytest.approx((0 + (1 + 1 / 2 + 1 / 3) / 3) / 2)


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
        tr.features(tmp_path / "bad.txt")
    import re

    assert re.search(says, str(error.value).replace("bad.txt:", "line ")), str(error.value)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"baseline": "9"}, "there is no feature '9'"),
        ({"only": "9"}, "there is no feature '9'"),
        ({"measures": "GM"}, "no mean over topics"),
        ({"test": "tukey"}, "of all pairs"),
        ({"correction": "x"}, "not known"),
        ({"alpha": 2.0}, "between 0 and 1"),
        ({"direction": "up"}, "both, high, low"),
        ({"ties": "docid"}, "cannot be chosen here"),
    ],
)
def test_what_cannot_work_is_refused(letor: Path, given: dict[str, Any], says: str) -> None:
    with pytest.raises(tr.InputError, match=says):
        tr.features(letor, **given)


def test_the_command(truerank: Any, letor: Path) -> None:
    done = truerank("features", letor, "-m", "nDCG@3 AP", "--baseline", "1", "--format", "tsv")
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert head[:6] == ["measure", "feature", "direction", "score", "worst", "best"]
    assert len(rows) == 8
    assert "orders nothing" in done.stderr
    document = json.loads(truerank("features", letor, "--format", "json").stdout)
    assert document["against"] == {"nDCG@10": document["features"][0]["feature"]}
    assert document["documents"] == len(TOPICS)
