"""The one door: runs are refused, pooled and joined alike whatever is asked of them."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.conventions.axes import Conventions
from truerank.conventions.presets import AxisRules, one_number
from truerank.data.errors import InputError
from truerank.io.load import as_run
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.track import pools
from truerank.track.lens import Lens
from truerank.track.track import Track, deepest_of

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
RUNS = {"one": {"q1": ["b", "a"], "q2": ["c"]}, "two": {"q1": ["a"], "q2": ["x", "c"]}}


def test_every_run_is_looked_at_once_and_told_of_when_it_is_done() -> None:
    done: list[tuple[str, int, int]] = []

    def score_run(lens: Lens, measures: tuple[Measure, ...], *, more: int) -> tuple[str, int]:
        assert lens.name not in [name for name, _, _ in done]
        return lens.name, more

    track = Track.of(QRELS, RUNS, "AP", {})
    assert track.each(score_run, progress=lambda *step: done.append(step), more=3) == [("one", 3), ("two", 3)]
    assert done == [("one", 1, 2), ("two", 2, 2)]


def test_pairs_are_looked_at_through_two_lenses() -> None:
    track = Track.of(QRELS, RUNS, "RR", {})
    found = track.pairs(lambda one, other, measures: (one.name, other.name, len(measures)), [(0, 1), (1, 0)])
    assert found == [("one", "two", 1), ("two", "one", 1)]


@pytest.mark.parametrize(
    ("others", "made"),
    [
        ([{"unjudged": "condensed"}, {"ties": "best"}], 1),
        ([{"unjudged": "condensed"}, {"nil": "answer"}], 2),
    ],
)
def test_conventions_that_pool_alike_share_a_pool(
    others: list[dict[str, Any]], made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    pool_of = pools.pool_of

    def counted(*given: Any, best_rank: Any = None, **more: Any) -> Any:
        # Another is made, without ranks, to look at runs for the first time.
        asked.extend([] if best_rank is None else [given])
        return pool_of(*given, best_rank=best_rank, **more)

    monkeypatch.setattr(pools, "pool_of", counted)
    track = Track.of(QRELS, RUNS, "AP(norm='pool')", {})
    track.each(lambda lens, measures: [lens.under(Conventions(**other)) for other in others])
    assert len(asked) == made


@pytest.mark.parametrize(
    ("measures", "given", "message"),
    [
        ("AUC", {"ending": "terminal"}, "has no form with a terminal document"),
        ("AP", {"ties": "random"}, "is not a choice"),
        ("AP", {"like": []}, r"like=\[\] is not a tool known here"),
        ("AP", {"limit": 5}, "counts with a terminal document"),
        ("AP", {"like": "nobody"}, "not a tool known here"),
        ("nDGC", {}, "no measure 'nDGC'"),
        ("APT", {"nil": "answer"}, "takes the end of a list for an answer"),
    ],
)
def test_what_cannot_work_is_refused_before_a_file_is_read(measures: str, given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Track.of("no such file", ["no such run"], measures, given)


@pytest.mark.parametrize(
    ("run", "given", "message"),
    [
        ({"other": ["a"]}, {}, "have no topic in common"),
        ({"q1": ["a"]}, {"missing": "error"}, "has no documents for topic q2"),
    ],
)
def test_runs_that_cannot_be_read_are_refused(run: dict[str, list[str]], given: Any, message: str) -> None:
    track = Track.of(QRELS, {"it": run}, "AP", given)
    with pytest.raises(InputError, match=message):
        track.each(lambda lens, measures: None)


def test_the_deepest_cutoff_and_notes_of_nothing() -> None:
    assert (deepest_of(parse_all("AP P@5 nDCG@20")), deepest_of(parse_all("AP")), deepest_of(())) == (20, 0, 0)
    assert Track.of(QRELS, RUNS, "AP", {}).notes([]) == ()


RULES = AxisRules(fixed={"nil": "end"}, usual={"missing": "skip"}, refused=one_number("one is needed"))


@pytest.mark.parametrize(("axis", "instead"), [("ties", "expected"), ("unjudged", "'nonrelevant' or 'condensed'")])
def test_what_a_question_refuses_is_told_with_what_to_take_instead(axis: str, instead: str) -> None:
    with pytest.raises(InputError, match=f"{axis}='bounds' .* one is needed; .*{instead}"):
        RULES.chosen({axis: "bounds"})  # type: ignore[misc]
    assert "bounds" not in RULES.open(axis)


def test_what_a_question_fixes_is_no_choice() -> None:
    assert RULES.chosen({"nil": "end"}).missing == "skip"
    assert RULES.chosen({"missing": "empty"}).missing == "empty"
    with pytest.raises(InputError, match="nil='answer' cannot be chosen here"):
        RULES.chosen({"nil": "answer"})


def test_an_extreme_order_comes_after_the_one_of_lists_without_ties() -> None:
    runs = {"tied": {"q1": {"a": 1.0, "b": 1.0}, "q2": {"c": 1.0, "x": 0.0}}}
    lens = Track.of(QRELS, runs, "RR", {"ties": "worst"}).lens(0)
    found = [(r.topic.tolist(), r.ties) for r in lens.lists(parse_all("RR")[0])]
    assert found == [([0, 1], "expected"), ([0], "worst")]
    assert np.array_equal(lens.topics, [0, 1])


def test_ties_of_documents_that_are_alike_have_one_order() -> None:
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1, "b": 0}, "q3": {"a": 1}}
    run = {topic: {"a": 1.0, "b": 1.0} for topic in qrels}
    lens = Track.of(qrels, run, "AP", {"ties": "worst"}).lens(0)
    [block] = lens.rankings(parse_all("AP")[0], ties="worst", unjudged="nonrelevant")
    assert block.topic.tolist() == [1, 2], "b of q3 is unjudged, and not what a is"


@pytest.mark.parametrize("given", [{}, {"ties": "bounds", "unjudged": "bounds"}], ids=str)
def test_runs_are_given_back_without_a_search_for_garbage(given: dict[str, Any]) -> None:
    """One after the other, many runs take the memory of one; commands look for garbage rarely."""
    run = as_run({"q1": {"d1": 1.0, "d2": 1.0}}, "a")
    told = weakref.ref(run.score)
    gc.collect()
    gc.disable()
    try:
        scores = tr.evaluate({"q1": {"d1": 1}}, run, "AP nDCG@3", **given)
        del run
        assert told() is None
    finally:
        gc.enable()
    assert scores["a"]["AP"].per_topic
