"""Scores at every depth are scores at each depth, and stability says what happens between them."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.questions.depth.work import checkpoints
from truerank.statistics.student import student

from ...parity.shared import need

MEASURES = "AP AP(norm='min') AP(norm='pool') nDCG Q RBP ERR P R RR Success F RBPU DCGU Judged"


def collection(seed: int = 3) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Graded judgments, ties, unjudged documents, short lists and a topic that one run leaves out."""
    draw = random.Random(seed)
    qrels = {f"q{t}": {f"d{d}": draw.choice([0, 0, 1, 2]) for d in range(15)} for t in range(6)}
    qrels["q5"] = {"d1": 0}
    runs = {
        name: {
            topic: {f"d{d}": float(draw.choice([1, 2, 2, 3, 4])) for d in draw.sample(range(22), draw.randint(3, 18))}
            for topic in list(qrels)[: 5 if name == "c" else 6]
        }
        for name in "abcd"
    }
    return qrels, runs


QRELS, RUNS = collection()


@pytest.mark.parametrize(
    "conventions",
    [
        {},
        {"unjudged": "condensed"},
        {"ties": "docid"},
        {"ties": "best"},
        {"ties": "worst"},
        {"missing": "skip"},
        {"no_relevant": "skip"},
        {"no_relevant": "nan"},
        {"like": "pytrec_eval"},
    ],
    ids=str,
)
def test_every_depth_is_an_evaluation_at_that_depth(conventions: dict[str, Any]) -> None:
    curves = tr.depth(QRELS, RUNS, MEASURES, max_depth=12, **conventions)
    for depth in (1, 2, 5, 12):
        wanted = [tr.parse(measure) @ depth for measure in curves.measures]
        scores = tr.evaluate(QRELS, RUNS, wanted, **conventions)
        for run in RUNS:
            for measure, at in zip(curves.measures, wanted, strict=True):
                expected = pytest.approx(scores[run][at].mean, abs=1e-12, nan_ok=True)
                assert curves[run][measure][depth - 1] == expected, (run, at)


def test_the_values_of_topics_are_kept_at_checkpoints() -> None:
    curves = tr.depth(QRELS, RUNS, "AP", max_depth=10)
    assert curves.checkpoints.tolist() == [1, 2, 3, 5, 7, 10]
    np.testing.assert_allclose(curves.per_topic["AP"].mean(axis=1), curves.means("AP")[:, curves.checkpoints - 1])


def test_several_conventions_read_every_run_once() -> None:
    plain = tr.depth(QRELS, RUNS, "AP", max_depth=8, condensed=True)
    condensed = plain.condensed
    assert condensed is not None
    np.testing.assert_array_equal(plain.means("AP"), tr.depth(QRELS, RUNS, "AP", max_depth=8).means("AP"))
    np.testing.assert_array_equal(
        condensed.means("AP"), tr.depth(QRELS, RUNS, "AP", max_depth=8, unjudged="condensed").means("AP")
    )


def test_the_five_that_tell_the_story() -> None:
    runs = {f"r{place}": {"q": ["x"] * 0 + [f"n{i}" for i in range(place)] + ["a"]} for place in range(9)}
    picked = tr.depth({"q": {"a": 1}}, runs, "RR", max_depth=20).picked("RR")
    assert picked == {"r0": "best", "r2": "upper quartile", "r4": "median", "r6": "lower quartile", "r8": "worst"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_depth": 0}, "max_depth"),
        ({"ties": "bounds"}, "bounds"),
        ({"unjudged": "bounds"}, "bounds"),
        ({"measures": "Rprec"}, "whole list"),
    ],
)
def test_what_has_no_curve_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(tr.InputError, match=message):
        tr.depth(QRELS, RUNS, **given)


def test_stability_counts_what_happens() -> None:
    """Two systems that cross once, from depth 2 to 3: one finds a document at 1, the other two at 2 and 3."""
    # On six topics: signs alone show no less.
    qrels = {f"q{topic}": {"a": 1, "b": 1} for topic in range(6)}
    runs = {
        "early": {topic: ["a", "x", "y", "z"] for topic in qrels},
        "late": {topic: ["x", "a", "b", "z"] for topic in qrels},
    }
    [found] = tr.depth(qrels, runs, "R", max_depth=4).stability()
    # Recall of early is .5 .5 .5 .5, of late 0 .5 1 1: tied at depth 2, reversed from 3 on.
    assert found.tau_a.tolist() == [-1.0, 0.0, 1.0, 1.0]
    assert found.tau_stable_from == 3
    # The difference at depth 4 is reversed at depth 1; at depth 2 both are level.
    assert found.significant_reversed.tolist() == [1, 0, 0, 0]
    assert (found.stable_from, found.stable_tau_a) == (2, 0.0)
    assert found.mean_change.tolist() == [0.25, 0.25, 0.25, 0.0]
    assert found.discrimination.tolist() == [1.0, 0.0, 1.0, 1.0]
    assert found.reversed_share[0] == 1.0
    assert found.reversed_share[2:].tolist() == [0.0, 0.0]
    assert np.isnan(found.reversed_share[1])


def test_stability_puts_the_most_stable_first() -> None:
    found = tr.depth(QRELS, RUNS, "AP nDCG RBP", max_depth=20).stability()
    stable = [one.stable_from or 1000 for one in found]
    assert stable == sorted(stable)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("text", ["P", "nDCG", "R"])
def test_stable_from_is_where_no_significant_difference_is_reversed_any_more(text: str, seed: int) -> None:
    """By tests of all pairs at the last depth, and scores at every depth, one by one."""
    rng = np.random.default_rng(seed)
    docs = [f"d{place}" for place in range(40)]
    qrels = {f"q{topic}": {one: int(rng.integers(2)) for one in docs[:30]} for topic in range(8)}
    runs = {f"r{place}": {topic: rng.permutation(docs).tolist() for topic in qrels} for place in range(6)}
    measure, last = tr.parse(text), 14
    [found] = tr.depth(qrels, runs, text, max_depth=last, alpha=0.5).stability()
    by_depth = [tr.evaluate(qrels, runs, str(measure @ depth)) for depth in range(1, last + 1)]

    def score(depth: int, run: str) -> Any:
        return by_depth[depth - 1][run][str(measure @ depth)]

    significant = [
        (a, b)
        for a, b in combinations(runs, 2)
        if student([score(last, a).values, score(last, b).values]).p[0, 1] < 0.5
    ]
    wrong = [
        sum(
            (score(depth, a).mean - score(depth, b).mean) * (score(last, a).mean - score(last, b).mean) < -1e-15
            for a, b in significant
        )
        for depth in range(1, last + 1)
    ]
    assert found.significant_reversed.tolist() == wrong
    assert (found.stable_from is None) == (not significant)
    if significant:
        assert found.stable_from == 1 + max((depth for depth in range(1, last) if wrong[depth - 1]), default=0)
        assert found.stable_tau_a == found.tau_a[found.stable_from - 1]


def test_runs_that_do_not_differ_ask_for_no_depth() -> None:
    """Two runs that change ranks at every depth, by little: tau stays away from 1, and nothing is concluded."""
    rng = np.random.default_rng(1)
    docs = [f"d{place}" for place in range(30)]
    qrels = {f"q{topic}": {one: int(rng.integers(2)) for one in docs} for topic in range(10)}
    runs = {name: {t: [*rng.permutation(docs)] for t in qrels} for name in "ab"}
    curves = tr.depth(qrels, runs, "nDCG", max_depth=30)
    [found] = curves.stability()
    assert found.tau_stable_from > 10
    assert (found.stable_from, found.stable_tau_a) == (None, None)
    assert curves.notes()[0] == "nDCG: no two runs differ significantly at depth 30"


def test_trec8_is_stable_from_where_significant_differences_are() -> None:
    """At depth 100 two of 66 pairs have changed ranks, and no significant difference is reversed."""
    data = need("trec8", "qrels.gz").parent
    curves = tr.depth(data / "qrels.gz", [str(p) for p in sorted((data / "runs").glob("*.gz"))[:12]], "nDCG")
    [found] = curves.stability()
    assert (found.tau_stable_from, found.stable_from, round(found.tau_a[99], 2)) == (865, 49, 0.94)
    assert found.significant_reversed[48:].sum() == 0 < found.significant_reversed[47]
    note = curves.notes()[0]
    assert note.startswith("nDCG: from depth 49 on, no significant difference at depth 1000 is reversed (tau 0.85 at ")
    assert note.endswith("Evaluate to depth 50: 96% as many pairs differ significantly as at depth 1000")
    assert note.brief.startswith(
        "nDCG: evaluate to depth 50, where 96.1% as many pairs differ significantly as at depth "
    )


def test_one_run_has_no_ordering() -> None:
    with pytest.raises(tr.InputError, match="several runs"):
        tr.depth(QRELS, {"a": RUNS["a"]}, "AP", max_depth=5).stability()


@pytest.mark.parametrize(("deepest", "some"), [(1, [1]), (4, [1, 2, 3, 4]), (12, [1, 2, 3, 5, 7, 10, 12])])
def test_checkpoints_end_at_the_last_depth(deepest: int, some: list[int]) -> None:
    assert checkpoints(deepest).tolist() == some


def test_a_missing_topic_is_refused_where_it_is_an_error() -> None:
    with pytest.raises(tr.InputError, match="no documents for topic"):
        tr.depth(QRELS, RUNS, "P", missing="error")


def test_a_run_of_other_topics_is_refused() -> None:
    with pytest.raises(tr.InputError, match="no topic in common"):
        tr.depth(QRELS, {"m": {"zz": {"a": 1.0}}}, "P", max_depth=2)


def test_what_there_is_to_know_is_said() -> None:
    curves = tr.depth(QRELS, {"c": RUNS["c"], "list": {"q1": ["d1"]}}, "AP", max_depth=5)
    said = " ".join(curves.notices)
    assert "1 topic has no relevant document: no run can score above 0.8333 (topic q5)" in said
    assert "1 topic (q5) of 6 missing" in said
    assert "list: " in said


@pytest.mark.parametrize("given", [{"max_depth": 2.5}, {"max_depth": True}, {"measures": "P@5"}])
def test_wrong_types_and_cutoffs_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(tr.InputError):
        tr.depth(QRELS, RUNS, **given)


@pytest.mark.parametrize("deepest", [0, True, 1.5, 10**9, 10**30])
def test_depths_that_no_memory_holds_are_refused(deepest: Any) -> None:
    with pytest.raises(tr.InputError, match=r"max_depth is (a whole number.*|at most [0-9,]+), not"):
        tr.depth({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", max_depth=deepest)
