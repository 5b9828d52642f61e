"""Runs are refused, pooled and joined alike whatever is asked of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from truerank.analysis import seen as module
from truerank.analysis.reading import refuse_bounds
from truerank.analysis.seen import deepest_of, noticed, seen
from truerank.conventions.choices import Conventions
from truerank.data.errors import InputError
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.grammar import parse_all

QRELS = as_qrels({"q1": {"a": 1, "b": 0}, "q2": {"c": 1}})
RUNS = named_runs({"one": {"q1": ["b", "a"], "q2": ["c"]}, "two": {"q1": ["a"], "q2": ["x", "c"]}})
PLAIN = Conventions()


def test_every_run_comes_once_under_every_choice() -> None:
    done: list[str] = []
    choices = [PLAIN, Conventions(unjudged="condensed"), Conventions(nil="answer")]
    for name, views in seen(QRELS, RUNS, parse_all("AP"), choices, progress=done.append):
        assert [view.choice for view in views] == choices
        assert name not in done
    assert done == ["one", "two"]


@pytest.mark.parametrize(
    ("others", "made"),
    [
        ([Conventions(unjudged="condensed"), Conventions(ties="best")], 1),
        ([Conventions(unjudged="condensed"), Conventions(nil="answer")], 2),
    ],
)
def test_conventions_that_pool_alike_share_a_pool(
    others: list[Conventions], made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Conventions] = []
    pool: Callable[..., object] = module.pool
    monkeypatch.setattr(module, "pool", lambda *given: asked.append(given[-1]) or pool(*given))
    list(seen(QRELS, RUNS, parse_all("AP(norm='pool')"), [PLAIN, *others]))
    assert len(asked) == made


def test_measures_are_refused_before_a_run_is_read() -> None:
    with pytest.raises(InputError, match="has no form with a terminal document"):
        seen(QRELS, named_runs(["no such file"]), parse_all("AUC"), [Conventions(ending="terminal")])


@pytest.mark.parametrize(
    ("run", "choice", "message"),
    [
        ({"other": ["a"]}, PLAIN, "have no topic in common"),
        ({"q1": ["a"]}, Conventions(missing="error"), "has no documents for topic q2"),
    ],
)
def test_runs_that_cannot_be_read_are_refused(run: dict[str, list[str]], choice: Conventions, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(seen(QRELS, named_runs({"it": run}), parse_all("AP"), [choice]))


def test_the_deepest_cutoff_and_notices_of_nothing() -> None:
    assert (deepest_of(parse_all("AP P@5 nDCG@20")), deepest_of(parse_all("AP")), deepest_of(())) == (20, 0, 0)
    assert noticed(QRELS, [], PLAIN) == QRELS.notes


@pytest.mark.parametrize(("axis", "instead"), [("ties", "expected"), ("unjudged", "nonrelevant")])
def test_bounds_are_refused_with_what_to_take_instead(axis: str, instead: str) -> None:
    refuse_bounds(PLAIN, "one is needed")
    with pytest.raises(InputError, match=f"{axis}='bounds' .* one is needed; .* such as '{instead}'"):
        refuse_bounds(Conventions(**{axis: "bounds"}), "one is needed")  # type: ignore[arg-type]


def test_an_extreme_order_comes_after_the_one_of_lists_without_ties() -> None:
    tied = named_runs({"tied": {"q1": {"a": 1.0, "b": 1.0}, "q2": {"c": 1.0, "x": 0.0}}})
    [(_, [views])] = seen(QRELS, tied, parse_all("RR"), [Conventions(ties="worst")])
    found = [(r.topic.tolist(), r.ties) for r in views.lists(parse_all("RR")[0])]
    assert found == [([0, 1], "expected"), ([0], "worst")]
    assert np.array_equal(views.topics, [0, 1])
