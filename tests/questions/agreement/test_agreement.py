from __future__ import annotations

import json
import math
from collections import OrderedDict
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.questions.agreement.question import CORRELATIONS, Agreement, agreement
from truerank.report.schema import schema
from truerank.statistics.correlations import kendall, kendall_b, spearman, tau_ap, tau_ap_b, weighted_tau
from truerank.statistics.rbo import rbo

A = {"bm25": 0.31, "dense": 0.42, "hybrid": 0.45, "random": 0.02}
B = {"random": 0.01, "hybrid": 0.47, "dense": 0.52, "bm25": 0.47}


def correlations(found: Agreement) -> dict[str, float]:
    return {name: getattr(found, name) for name in CORRELATIONS}


def test_items_are_matched_by_name() -> None:
    x, y = [[scores[name] for name in A] for scores in (A, B)]
    found = agreement(A, B, p=0.8)
    assert correlations(found) == pytest.approx(
        {
            "tau_a": kendall(x, y),
            "tau_b": kendall_b(x, y),
            "tau_ap": tau_ap(x, y),
            "tau_ap_b": tau_ap_b(x, y),
            "weighted_tau": weighted_tau(x, y),
            "spearman": spearman(x, y),
        }
    )
    assert found.rbo == rbo(A, B, p=0.8)
    assert (found.p, found.reference, found.notices) == (0.8, "a", ())


def test_the_first_ranking_is_the_reference() -> None:
    truth, estimate = ["a", "b", "c", "d"], ["b", "c", "a", "d"]
    assert agreement(truth, estimate).tau_ap == pytest.approx(tau_ap([4, 3, 2, 1], [2, 4, 3, 1]))
    assert agreement(truth, estimate).tau_ap != pytest.approx(agreement(estimate, truth).tau_ap)


@pytest.mark.parametrize(
    "given",
    [
        ["hybrid", "dense", "bm25", "random"],
        ("hybrid", "dense", "bm25", "random"),
        np.array(["hybrid", "dense", "bm25", "random"]),
        [["hybrid"], ("dense",), {"bm25"}, "random"],
        OrderedDict(reversed(A.items())),
        {name: Decimal(str(score)) for name, score in A.items()},
        {name: Fraction(score) for name, score in A.items()},
        {name: np.float32(score) for name, score in A.items()},
    ],
    ids=lambda given: type(given).__name__,
)
def test_forms_of_the_same_ranking(given: Any) -> None:
    assert agreement(given, B).to_dict() == agreement(A, B).to_dict()


def test_a_generator_is_read_once() -> None:
    assert agreement((name for name in ("hybrid", "dense", "bm25", "random")), B).to_dict() == agreement(A, B).to_dict()


def test_a_series_of_pandas_is_scores_by_name() -> None:
    pandas = pytest.importorskip("pandas")
    assert agreement(pandas.Series(A), B).to_dict() == agreement(A, B).to_dict()


def test_scores_of_an_evaluation_are_numbers() -> None:
    import truerank as tr

    scores = tr.evaluate({"q": {"d": 1}}, {"one": {"q": {"d": 2.0}}, "two": {"q": {"e": 2.0, "d": 1.0}}}, "RR P@1")
    by = {measure: {name: run[measure] for name, run in scores.items()} for measure in ("RR", "P@1")}
    assert agreement(by["RR"], by["P@1"]).tau_b == 1.0


def test_whole_numbers_are_compared_exactly() -> None:
    assert agreement({"a": 2**53 + 1, "b": 2**53}, ["a", "b"]).tau_a == 1.0


@pytest.mark.parametrize(
    ("a", "b", "undefined", "notice"),
    [
        (["a", "b"], ["a", "b", "c", "d"], {*CORRELATIONS}, "b has 'c' and 1 more, which a lacks; correlations need"),
        (["a", "x"], ["a", "b"], {*CORRELATIONS}, "a has 'x', which b lacks, and b has 'b', which a lacks"),
        (["a"], ["a"], {*CORRELATIONS}, "correlations need two items"),
        ([("a", "b")], ["a", "b"], {"tau_b", "tau_ap_b", "weighted_tau", "spearman"}, "a ties all items"),
        ([("a", "b")], [("a", "b")], {"tau_b", "tau_ap_b", "weighted_tau", "spearman"}, "a and b tie all items"),
    ],
)
def test_what_is_undefined_has_a_reason(a: Any, b: Any, undefined: set[str], notice: str) -> None:
    found = agreement(a, b)
    assert {name for name, value in correlations(found).items() if math.isnan(value)} == undefined
    assert any(notice in text for text in found.notices)
    assert not math.isnan(found.rbo.a.ext)


@pytest.mark.parametrize(("a", "b"), [([], []), ([], ["a"]), ({}, {"a": 1})])
def test_empty_rankings_are_undefined(a: Any, b: Any) -> None:
    found = agreement(a, b)
    assert all(map(math.isnan, [*correlations(found).values(), found.rbo.w.ext, found.rbo.a.ext, found.rbo.b.ext]))
    assert any("empty" in text for text in found.notices)


@pytest.mark.parametrize(
    ("a", "said"),
    [
        (b"ab", "ranking a is bytes; give {item: score}, or a list"),
        (7, "ranking a is int"),
        (["a", "b", "a"], "ranking a lists 'a' twice"),
        (["a", ("b", "b")], "ranking a lists 'b' twice"),
        ([0.5, 0.25], "looks like a score"),
        (["a", {"b": 1}], "is no item"),
        ({"a": math.nan}, "the score of 'a' in ranking a is nan"),
        ({"a": 1.0, "b": None}, "the score of 'b' in ranking a is None"),
        ({"a": 1.0, "b": "2"}, "the score of 'b' in ranking a is '2'"),
        ({"a": [1.0, 2.0]}, "the score of 'a'"),
    ],
)
def test_what_is_no_ranking_is_refused(a: Any, said: str) -> None:
    with pytest.raises(InputError) as error:
        agreement(a, ["a"])
    assert said in str(error.value)


def test_it_prints_as_a_table_and_goes_to_json() -> None:
    found = agreement(["a", "b"], ["b", "c"])
    assert "undefined" in str(found)
    assert "note: a has 'a', which b lacks" in str(found)
    document = json.loads(found.to_json())
    assert document["items"] == {"a": 2, "b": 2, "both": 1}
    assert (document["p"], document["reference"]) == (0.9, "a")
    rows = {row["coefficient"]: row for row in document["coefficients"]}
    assert [*rows] == [*CORRELATIONS, "rbo.w", "rbo.a", "rbo.b"]
    overlap = found.rbo.b
    row = rows["rbo.b"]
    assert (row["value"], row["low"], row["high"]) == (overlap.ext, overlap.low, overlap.high)
    assert row["residual"] == overlap.residual
    assert (rows["tau_ap"]["value"], rows["tau_ap"]["residual"]) == (None, None)
    assert [note["code"] for note in document["notes"]] == ["TR501"]


def test_a_path_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("run\tAP\tRR\none\t0.5\t0.1\ntwo\t0.25\t0.2\n")
    (tmp_path / "b").write_text("two\none\n")
    by_column = [agreement(tmp_path / "a.tsv", str(tmp_path / "b"), column=name).tau_a for name in ("AP", ["RR"])]
    assert by_column == [-1.0, 1.0]
    with pytest.raises(InputError, match="there are 3 columns of scores for two files"):
        agreement(tmp_path / "missing", ["a"], column=["AP", "RR", "P"])


def test_nothing_is_changed() -> None:
    a, b = dict(A), [["x", "y"], "z"]
    agreement(a, b)
    assert (list(a.items()), b) == (list(A.items()), [["x", "y"], "z"])


@pytest.mark.parametrize(("a", "b"), [(A, B), (["a"], ["b"]), ([], [])])
def test_json_has_the_form_that_is_promised(a: Any, b: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(agreement(a, b).to_json()), schema(Agreement))


def test_intervals_are_told_of_enough_items() -> None:
    scores = np.random.default_rng(6).permutation(12)
    a = {f"s{place}": float(place) for place in range(12)}
    b = {f"s{place}": float(place + score) for place, score in enumerate(scores)}
    found = agreement(a, b, confidence=0.9)
    assert found.confidence == 0.9
    assert "90% interval" in str(found)
    for row in found.coefficients:
        if row.coefficient in ("tau_a", "tau_b", "spearman"):
            assert row.interval_low is not None
            assert row.interval_high is not None
            assert row.interval_low < row.value < row.interval_high
            assert (row.interval_low, row.interval_high) == found.intervals[row.coefficient]
        else:
            assert (row.interval_low, row.interval_high) == (None, None)
    few = agreement(A, B)
    assert {*few.intervals.values()} == {None}
    assert "interval" not in str(few)
    with pytest.raises(InputError, match="confidence is 95"):
        agreement("no such file", "nor this", confidence=95)
