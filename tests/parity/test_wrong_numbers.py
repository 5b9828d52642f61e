"""Numbers that other tools get wrong, and the traps they fall into: here each has its right answer."""

from __future__ import annotations

import locale
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import truerank as tr

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1, "d": 1}}
RUN = {"q1": {"a": 0.9, "b": 0.5, "c": 0.1}, "q2": {"b": 3.0, "a": 2.0, "d": 1.0}}


def mean(qrels: object, run: object, measure: str, **conventions: str) -> float:
    return next(iter(tr.evaluate(qrels, run, measure, **conventions).values()))[measure].mean


def test_trec_eval_fractional_gains_of_a_perfect_run() -> None:
    assert mean({"q": {"a": 2, "b": 1}}, {"q": ["a", "b"]}, "nDCG(gains={1:0.2,2:0.9})") == 1.0


def test_ir_measures_cutoff_changes_the_order_of_ties() -> None:
    run = {"q": {f"d{i}": 1.0 for i in range(8)}}
    for order in ("expected", "docid", "docid-asc", "input"):
        found = tr.evaluate({"q": {"d3": 1}}, run, "RR RR@10", ties=order)["run"]
        assert found["RR"].mean == found["RR@10"].mean


def test_ir_measures_path_reads_as_an_empty_run(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("q1 Q0 a 1 1.0 t\n")
    assert mean({"q1": {"a": 1}}, tmp_path / "a.run", "RR") == 1.0


def test_ranx_tied_data_scores_by_its_container() -> None:
    docs = [f"d{i}" for i in range(60)]
    qrels, tied = {"q": {"d0": 1}}, {"q": dict.fromkeys(docs, 1.0)}
    forms = [tied, tr.read_run(tied), [("q", doc, 1.0) for doc in docs], {"q": [(doc, 1.0) for doc in docs]}]
    values = {mean(qrels, form, "RR") for form in forms}
    assert values == {mean(qrels, tied, "RR")}
    assert values.pop() == pytest.approx(np.mean([1 / rank for rank in range(1, 61)]))


def test_ranx_many_systems_and_equal_names() -> None:
    several = [tr.read_run(RUN, "same") for _ in range(40)]
    assert len(tr.evaluate(QRELS, several, "AP")) == 40


def test_ranx_truncates_grades() -> None:
    qrels = {"q": {"a": 0.5, "b": 1.9}}
    assert mean(qrels, {"q": ["a", "b"]}, "CG@1") == 0.5
    assert mean(qrels, {"q": ["a", "b"]}, "nDCG") < 1.0


def test_ranx_changes_the_run() -> None:
    before = {topic: dict(docs) for topic, docs in RUN.items()}
    tr.evaluate(QRELS, RUN, "AP nDCG")
    assert before == RUN


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.float16])
def test_pytrec_eval_rejects_numpy_scalars(kind: Callable[[int], float]) -> None:
    run = {"q": {"a": kind(2), "b": kind(1)}}
    assert mean({"q": {"b": np.int64(1)}}, run, "RR") == 0.5


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_pytrec_eval_accepts_nan(score: float, tmp_path: Path) -> None:
    with pytest.raises(tr.InputError, match="score"):
        tr.evaluate(QRELS, {"q1": {"a": score}}, "AP")
    (tmp_path / "run").write_text(f"q1 Q0 b 1 1.0 t\nq1 Q0 a 1 {score} t\n")
    with pytest.raises(tr.InputError, match=r"run:2: .*score"):
        tr.evaluate(QRELS, tmp_path / "run", "AP")


def test_trectools_ties_leak_across_topics() -> None:
    """A topic's score does not depend on which topics stand beside it, though they end and begin with one score."""
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    run = {"q1": {"x": 2.0, "a": 1.0}, "q2": {"b": 1.0, "y": 1.0}}
    together = tr.evaluate(qrels, run, "RBP")["run"]["RBP"].per_topic
    alone = {t: mean({t: qrels[t]}, {t: run[t]}, "RBP") for t in qrels}
    assert together == alone


@pytest.mark.parametrize("shift", [-100.0, -0.9, 0.0, 100.0])
def test_torchmetrics_scores_at_or_below_zero_count_as_not_retrieved(shift: float) -> None:
    moved = {topic: {doc: score + shift for doc, score in docs.items()} for topic, docs in RUN.items()}
    for measure in ("AP", "nDCG", "RR", "P@2", "SetR"):
        assert mean(QRELS, moved, measure) == mean(QRELS, RUN, measure)


def test_beir_means_over_different_topics_in_one_table() -> None:
    qrels = {**QRELS, "q3": {"z": 1}, "q4": {"z": 0}}
    for conventions in ({}, {"missing": "skip"}, {"like": "beir"}):
        scores = tr.evaluate(qrels, RUN, "nDCG@10 AP R@100 P@10 RR", **conventions)["run"]
        assert len({score.names for score in scores.values()}) == 1


def test_cwl_eval_file_order_wins_over_scores(tmp_path: Path) -> None:
    rows = [f"{topic} Q0 {doc} 1 {score} t\n" for topic, docs in RUN.items() for doc, score in docs.items()]
    values = set()
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        (tmp_path / "run").write_text("".join(rows))
        values.add(mean(QRELS, tmp_path / "run", "AP"))
    assert len(values) == 1


def test_ids_are_ordered_by_their_bytes_not_by_the_locale() -> None:
    qrels, run = {"q": {"B": 1}}, {"q": {"a": 1.0, "B": 1.0}}
    before = locale.setlocale(locale.LC_COLLATE)
    assert mean(qrels, run, "RR", ties="docid-asc") == 1.0
    assert mean(qrels, run, "RR", ties="docid") == 0.5
    assert locale.setlocale(locale.LC_COLLATE) == before


def test_topics_need_not_be_numbers() -> None:
    assert mean({"train-1": {"a": 1}, "010": {"a": 1}}, {"train-1": ["a"], "10": ["a"]}, "RR") == 0.5


@pytest.mark.parametrize("text", ["abc", "", "1,5", "0x1", "1e"])
def test_a_score_that_is_no_number_is_refused_with_its_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "run").write_text(f"q1 Q0 b 1 1.0 t\nq1 Q0 a 2 {text} t\n")
    with pytest.raises(tr.InputError, match="run:2:"):
        tr.evaluate(QRELS, tmp_path / "run", "AP")


def test_a_document_listed_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q1 Q0 a 1 2.0 t\nq1 Q0 a 2 1.0 t\n")
    with pytest.raises(tr.InputError, match=r"run:2: .*twice"):
        tr.evaluate(QRELS, tmp_path / "run", "AP")


def test_a_generator_is_read_once() -> None:
    def rows() -> Iterator[tuple[str, str, float]]:
        for topic, docs in RUN.items():
            yield from ((topic, doc, score) for doc, score in docs.items())

    found = tr.evaluate(QRELS, rows(), "AP nDCG RR AP(norm='pool')")["run"]
    assert found["AP"].mean == mean(QRELS, RUN, "AP")
    assert found["RR"].mean == mean(QRELS, RUN, "RR")


def test_an_empty_ranking_counts() -> None:
    assert mean(QRELS, {**RUN, "q2": {}}, "RR") == 0.5


def test_negative_grades_leave_a_condensed_list_as_in_trec_eval() -> None:
    qrels, run = {"q": {"n": -1, "a": 1}}, {"q": ["n", "x", "a"]}
    assert mean(qrels, run, "RR", unjudged="condensed", like="trec_eval-10") == 1.0
    assert mean(qrels, run, "RR", unjudged="condensed") == 0.5
