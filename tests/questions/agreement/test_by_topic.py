"""Runs against a given order: correlations against scipy's and by counting, errors by hand."""

from __future__ import annotations

import math
import random
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize("seed", range(15))
def test_correlations_with_ties_and_missing_documents(seed: int) -> None:
    rng = random.Random(seed)
    docs = [f"d{n}" for n in range(8)]
    order = {doc: float(rng.randint(1, 5)) for doc in docs}
    run = {doc: float(rng.randint(1, 5)) for doc in rng.sample([*docs, "x", "y"], 7)}
    found = tr.agreement_by_topic({"q": order}, {"q": run})
    [row] = found.by_topic
    x, y = [order[doc] for doc in docs], [run.get(doc, 0.0) for doc in docs]
    pairs = [np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i, j in combinations(range(8), 2)]
    assert row.tau_a == pytest.approx(sum(pairs) / len(pairs))
    assert row.tau_b == pytest.approx(stats.kendalltau(x, y).statistic)
    assert row.spearman == pytest.approx(stats.spearmanr(x, y).statistic)
    assert (row.documents, row.listed) == (8, sum(doc in run for doc in docs))
    assert found["run"].tau_b == row.tau_b
    assert (row.squared, row.ordinal, row.wrong) == (None, None, None)


@pytest.mark.filterwarnings("error")
def test_errors_from_grades_that_have_no_square() -> None:
    [row] = tr.agreement_by_topic({"q": {"a": 1e308, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}, grades=True).by_topic
    assert (row.squared, row.wrong) == (math.inf, 0.5)


def test_an_order_is_all_pairs() -> None:
    rng = random.Random(2)
    docs = [f"d{n}" for n in range(9)]
    order, run = {"q": rng.sample(docs, 9)}, {"q": rng.sample(docs, 9)}
    grades = {"q": {doc: 9 - place for place, doc in enumerate(order["q"])}}
    loss = tr.preferences(tr.induced_preferences(grades), run)["run"].loss
    assert loss == pytest.approx((1 - tr.agreement_by_topic(order, run)["run"].tau_a) / 2)


def test_means_leave_out_what_is_undefined() -> None:
    plain, tied = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 1.0}
    order = {"p": plain, "q": tied, "r": plain}
    found = tr.agreement_by_topic(order, {"p": ["a", "b"], "q": ["a", "b"], "none": ["a"]})
    one = found["run"]
    assert [row.tau_b for row in found.by_topic[:1]] == [1.0]
    assert [math.isnan(row.tau_b) for row in found.by_topic] == [False, True, True]
    assert (one.tau_b, one.tau_a, one.flat) == (1.0, pytest.approx(1 / 3), 2)
    assert (one.documents, one.listed) == (6, 4)
    assert [*found.own_notes("runs")] == [
        "run does not list 2 of 6 documents",
        "2 topics of 1 run with all documents tied, in the order or in the run: not in the means of tau_b and spearman",
    ]


def test_errors_by_hand() -> None:
    qrels = {"q": {"a": 3, "b": 1, "c": 0, "d": 0}, "p": {"a": 1, "b": 0}}
    run = {"q": {"a": 1.2, "b": 1.0, "c": 9.0, "x": 4.0}, "p": {"x": 1.0}}
    found = tr.agreement_by_topic(qrels, run, grades=True)
    first, second = found.by_topic if found.by_topic[0].topic == "q" else found.by_topic[::-1]
    assert first.squared == pytest.approx((1.8**2 + 0 + 81) / 3)
    # Of the grades 0, 1 and 3, a score of 1.2 is nearest to 1, one below, and 9 to 3, two above.
    assert (first.ordinal, first.wrong) == pytest.approx((1.0, 2 / 3))
    assert math.isnan(second.squared)
    assert found["run"].squared == first.squared


def test_the_order_of_rows_does_not_matter() -> None:
    rng = random.Random(1)
    order = {f"q{t}": {f"d{n}": float(rng.randint(1, 4)) for n in range(6)} for t in range(4)}
    run = {f"q{t}": {f"d{n}": float(rng.randint(1, 4)) for n in range(6)} for t in range(4)}
    turned = [{t: dict(reversed(docs.items())) for t, docs in reversed(data.items())} for data in (order, run)]
    one, other = tr.agreement_by_topic(order, run), tr.agreement_by_topic(*turned)
    for name in ("tau_a", "tau_b", "tau_ap", "spearman"):
        assert getattr(one["run"], name) == pytest.approx(getattr(other["run"], name), abs=1e-15)


def test_what_has_no_meaning_is_refused() -> None:
    with pytest.raises(InputError, match="no topic in common"):
        tr.agreement_by_topic({"q": ["a"]}, {"p": ["a"]})
    with pytest.raises(InputError, match="cannot be preferences"):
        tr.agreement_by_topic(tr.read_preferences([("q", "a", "b")]), {"q": ["a"]}, grades=True)


def test_on_the_command_line(truerank: Any, tmp_path: Path) -> None:
    (tmp_path / "order.run").write_text("q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b 0\n")
    (tmp_path / "one.run").write_text("q Q0 b 1 2 t\nq Q0 a 2 1 t\n")
    (tmp_path / "two.run").write_text("q Q0 a 1 1 t\nq Q0 b 2 0 t\n")
    runs = [tmp_path / "one.run", tmp_path / "two.run"]
    done = truerank("agreement", "--by-topic", tmp_path / "order.run", *runs)
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert [dict(zip(head, row, strict=True))["tau_b"] for row in rows] == ["-1.0", "1.0"]
    graded = truerank("agreement", tmp_path / "qrels", *runs, "--grades", "--show", "topics")
    head, *rows = (line.split("\t") for line in graded.stdout.splitlines())
    assert [dict(zip(head, row, strict=True))["squared"] for row in rows] == ["2.0", "0.0"]
    old = truerank("order", tmp_path / "qrels", *runs, "--grades", "--show", "topics")
    assert old.stdout == graded.stdout
    assert old.stderr.splitlines()[0] == "truerank order is now truerank agreement"


def test_what_fits_only_one_kind_of_rankings_is_refused(truerank: Any, tmp_path: Path) -> None:
    (tmp_path / "one.run").write_text("q Q0 b 1 2 t\nq Q0 a 2 1 t\n")
    run = tmp_path / "one.run"
    for given, said in (
        ([run], "as a run has; give --by-topic"),
        ([run, run], "there are 2 rankings to compare with A; give one, or --by-topic"),
        ([run, "--columns", "score=x"], "give --by-topic"),
        ([run, "--by-topic", "--column", "AP"], "leave it out, or --by-topic"),
    ):
        done = truerank("agreement", run, *given)
        assert done.exit_code == 2
        assert said in done.stderr


def test_the_old_function_works() -> None:
    order, run = {"q": ["a", "b", "c"]}, {"q": ["a", "c"]}
    with pytest.warns(DeprecationWarning, match="truerank.order is now truerank.agreement_by_topic"):
        old = tr.order(order, run)  # type: ignore[attr-defined]
    assert old.to_json() == tr.agreement_by_topic(order, run).to_json()
