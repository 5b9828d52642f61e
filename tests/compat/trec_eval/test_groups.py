"""trec_eval's measures over judgment groups: its own expected output, and the mean over groups evaluated one by one."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from tests.parity.printed import parse
from tests.parity.shared import need

import truerank as tr
from truerank.compat.trec_eval.groups import evaluate
from truerank.data.errors import InputError
from truerank.data.run import Run
from truerank.io.trec import read_run

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MULTIPLES = tuple(step / 5 for step in range(1, 11))


def run_of(ranking: str) -> Run:
    lines = (f"q1 Q0 {doc} {place} {-place} t" for place, doc in enumerate(ranking))
    return read_run(io.StringIO("\n".join(lines)))


@pytest.mark.parametrize("judgments", ["qrels.123", "qrels.comments.123"])
def test_every_printed_digit(judgments: str) -> None:
    theirs = parse(need("trec_eval", "out.test.qrels_jg").read_text())
    run = read_run(need("trec_eval", "results.test"))
    values = evaluate(need("trec_eval", judgments), run, level=1, cutoffs=CUTOFFS, multiples=MULTIPLES)
    ours = {(measure, topic): f"{x:.4f}" for topic, found in values.items() for measure, x in found.items()}
    for measure in next(iter(values.values())):
        ours[measure, "all"] = f"{sum(found[measure] for found in values.values()) / len(values):.4f}"
    assert ours == {key: value for key, value in theirs.items() if key[0] not in ("num_q", "runid")}
    assert [*ours] == [key for key in theirs if key in ours]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed"])
def test_the_mean_over_groups(seed: int, level: int, unjudged: str) -> None:
    rng = random.Random(seed)
    docs = [f"d{number}" for number in range(30)]
    groups = {
        name: {
            topic: {doc: rng.randrange(-1, 4) for doc in rng.sample(docs, 12)} for topic in rng.sample(["q1", "q2"], 2)
        }
        for name in ("ann", "bob", "cid")[: rng.randint(1, 3)]
    }
    del groups["ann"]["q2"]
    text = "\n".join(
        f"{topic} {name} {doc} {grade}"
        for name, qrels in groups.items()
        for topic, judged in qrels.items()
        for doc, grade in judged.items()
    )
    run = {topic: {doc: rng.randrange(9) for doc in rng.sample(docs, 20)} for topic in ("q1", "q2", "q3")}
    prepared = read_run(
        io.StringIO("\n".join(f"{topic} Q0 {doc} 0 {score} t" for topic in run for doc, score in run[topic].items()))
    )
    found = evaluate(io.StringIO(text), prepared, level=level, cutoffs=[5], multiples=[0.4], unjudged=unjudged)
    names = {"map_avgjg": f"AP(rel={level})", "P_avgjg_5": f"P(rel={level})@5"}
    names["Rprec_mult_avgjg_0.40"] = f"Rprec(rel={level},mult=0.4)"
    each = [
        tr.evaluate(qrels, run, [*names.values()], like="trec_eval-9", unjudged=unjudged)["run"]
        for qrels in groups.values()
    ]
    judged = [topic for topic in ("q1", "q2") if any(topic in qrels for qrels in groups.values())]
    assert [*found] == judged
    for topic in judged:
        for name, ours in names.items():
            values = [scores[ours].per_topic[topic] for scores in each if topic in scores[ours].per_topic]
            assert found[topic][name] == pytest.approx(sum(values) / len(values)), (topic, name)


def test_a_group_that_finds_nothing_relevant_counts_as_zero() -> None:
    text = io.StringIO("q1 ann a 1\nq1 bob a 0")
    found = evaluate(text, run_of("a"), level=1, cutoffs=[1], multiples=[1.0])
    assert found == {"q1": {"map_avgjg": 0.5, "P_avgjg_1": 0.5, "Rprec_mult_avgjg_1.00": 0.5}}


def test_everything_judged_is_relevant_at_level_zero() -> None:
    text = io.StringIO("q1 ann a 0\nq1 ann b -1\nq1 ann c 2")
    assert evaluate(text, run_of("abc"), level=0, cutoffs=[3], multiples=[])["q1"]["P_avgjg_3"] == pytest.approx(2 / 3)


def test_the_names_are_those_printed() -> None:
    found = evaluate(io.StringIO("q1 0 a 1"), run_of("a"), level=1, cutoffs=[7, 3], multiples=[5.0, 0.35])
    assert [*found["q1"]] == ["map_avgjg", "P_avgjg_7", "P_avgjg_3", "Rprec_mult_avgjg_5.00", "Rprec_mult_avgjg_0.35"]


def test_only_topics_in_both() -> None:
    found = evaluate(io.StringIO("q1 0 a 1\nq2 0 a 1"), run_of("a"), level=1, cutoffs=[], multiples=[])
    assert found == {"q1": {"map_avgjg": 1.0}}
    assert evaluate(io.StringIO("q2 0 a 1"), run_of("a"), level=1, cutoffs=[], multiples=[]) == {}


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("q1 ann s1 a 1\n", 1, "5 columns where qrels with groups have 4"),
        ("q1 ann a 1\nq1 bob a 0\nq1 ann a 0\n", 3, "document 'a' of topic 'q1' is judged 0 and 1"),
        ("q1 ann a one\n", 1, "the grade is 'one'"),
    ],
)
def test_refused(tmp_path: Path, text: str, line: int, problem: str) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=problem) as refused:
        evaluate(path, run_of("a"), level=1, cutoffs=[5], multiples=[1.0])
    assert (refused.value.file, refused.value.line) == (str(path), line)
