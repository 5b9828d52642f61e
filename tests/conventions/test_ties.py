"""Orders of ties: which document comes first, and that none is favoured."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import truerank as tr
from truerank.conventions import axes
from truerank.conventions.ties import by_grade
from truerank.data import ties as orders
from truerank.data.errors import InputError
from truerank.data.judge import judge
from truerank.io.load import as_qrels, as_run

TIED = {"q": {"b": 1.0, "a": 1.0, "B": 1.0, "ab": 1.0}}

FIRST = [("docid", "b"), ("docid-asc", "B"), ("input", "b")]


@pytest.mark.parametrize(("ties", "first"), FIRST)
def test_who_comes_first(ties: str, first: str) -> None:
    for doc in TIED["q"]:
        found = tr.evaluate({"q": {doc: 1}}, TIED, "P@1", ties=ties)["run"]["P@1"].mean
        assert found == float(doc == first)


def test_rank_column(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.write_text("q Q0 a 2 1.0 t\nq Q0 b 3 1.0 t\nq Q0 c 1 1.0 t\nq Q0 d 9 7.0 t\n")
    order = {doc: tr.evaluate({"q": {doc: 1}}, run, "RR", ties="rank")["run"]["RR"].mean for doc in "abcd"}
    assert order == {"d": 1.0, "c": 1 / 2, "a": 1 / 3, "b": 1 / 4}


def test_rank_needs_a_rank_column() -> None:
    with pytest.raises(InputError, match="no rank column"):
        tr.evaluate({"q": {"a": 1}}, TIED, "RR", ties="rank")


@pytest.mark.thorough
def test_sampling_favours_no_one() -> None:
    seeds = 600
    first = Counter()
    for seed in range(seeds):
        for doc in TIED["q"]:
            first[doc] += tr.evaluate({"q": {doc: 1}}, TIED, "P@1", ties=f"sample({seed})")["run"]["P@1"].mean
    assert sum(first.values()) == seeds
    expected = seeds / 4
    assert sum((count - expected) ** 2 / expected for count in first.values()) < 16.3  # 0.1% of chi-squared with 3


def test_seed_0_is_the_default() -> None:
    docs = {f"d{i}": 1.0 for i in range(50)}
    plain, zero, other = (
        tr.evaluate({"q": {"d7": 1}}, {"q": docs}, "RR", ties=ties)["run"]["RR"].mean
        for ties in ("sample", "sample(0)", "sample(1)")
    )
    assert plain == zero != other


PRECISION = [("float64", 0.5), ("float32", 0.75)]


@pytest.mark.parametrize(("precision", "expected"), PRECISION)
def test_scores_that_differ_past_single_precision(precision: str, expected: float) -> None:
    run = {"q": {"a": 1.0, "b": 1.0 + 1e-12}}
    assert tr.evaluate({"q": {"a": 1}}, run, "RR", precision=precision)["run"]["RR"].mean == expected


def test_zero_and_minus_zero_are_tied() -> None:
    assert tr.evaluate({"q": {"a": 1}}, {"q": {"a": -0.0, "b": 0.0}}, "RR")["run"]["RR"].mean == 0.75


def test_bounds_hold_every_order() -> None:
    score = tr.evaluate({"q": {"a": 2, "b": 1}}, TIED, "nDCG@2 AP RR PrefLoss", ties="bounds")["run"]
    for each in score.values():
        assert each.low < each.mean < each.high


def test_every_order_that_can_be_chosen_has_its_arithmetic() -> None:
    assert set(axes.ORDERS) == set(orders.ORDERS)


def test_a_run_that_is_kept_forgets_the_grades_of_other_judgments() -> None:
    documents = [f"d{number}" for number in range(40)]
    run = as_run({"q": {document: float(number % 3) for number, document in enumerate(documents)}})
    for seed in range(3):
        grades = np.random.default_rng(seed).integers(0, 4, len(documents))
        qrels = as_qrels({"q": dict(zip(documents, grades.tolist(), strict=True))})
        for precision in ("float64", "float32", "float64"):
            joined = judge(qrels, run, precision=precision)
            for judged in (joined, joined, replace(joined, grade=-joined.grade)):
                found = by_grade(judged)
                assert [*zip(found.above, found.grade, strict=True)] == sorted(
                    zip(judged.above, judged.grade, strict=True)
                )
                assert sorted(found.row) == sorted(judged.row)
                assert (found.grade == np.abs(qrels.grade[found.judgment]) * np.sign(judged.grade.sum())).all()
