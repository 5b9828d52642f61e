"""Topics without documents, without relevant documents, without judgments."""

from __future__ import annotations

import math

import pytest

import truerank as tr
from truerank.conventions.axes import AXES, Given
from truerank.conventions.presets import PRESETS, conventions
from truerank.data.errors import InputError
from truerank.data.reading import Reading

QRELS = {"found": {"a": 1}, "nothing": {"a": 0}, "missing": {"a": 1}}
RUN = {"found": ["a"], "nothing": ["a"], "not judged": ["a"]}


def of(**choices: str) -> tr.Score:
    return tr.evaluate(QRELS, RUN, "AP", **choices)["run"]["AP"]


TOPICS = [
    # missing, no_relevant, values, mean
    ("empty", "zero", {"found": 1.0, "missing": 0.0, "nothing": 0.0}, 1 / 3),
    ("empty", "skip", {"found": 1.0, "missing": 0.0}, 1 / 2),
    ("skip", "zero", {"found": 1.0, "nothing": 0.0}, 1 / 2),
    ("skip", "skip", {"found": 1.0}, 1.0),
]


@pytest.mark.parametrize(("missing", "no_relevant", "values", "mean"), TOPICS)
def test_which_topics_count(missing: str, no_relevant: str, values: dict[str, float], mean: float) -> None:
    score = of(missing=missing, no_relevant=no_relevant)
    assert score.per_topic == values
    assert score.mean == pytest.approx(mean, abs=1e-15)


def test_undefined_may_stay_undefined() -> None:
    score = of(no_relevant="nan")
    assert math.isnan(score.per_topic["nothing"])
    assert math.isnan(score.mean)


def test_a_missing_topic_may_be_an_error() -> None:
    with pytest.raises(InputError, match="no documents for topic missing"):
        of(missing="error")


def test_skipped_topics_do_not_make_the_means_of_bounds_differ() -> None:
    scores = tr.evaluate(
        {"a": {"x": 0}, "b": {"x": 1}}, {"a": ["u", "x"], "b": ["x"]}, "AP", unjudged="bounds", no_relevant="skip"
    )["run"]["AP"]
    assert scores.names == ("b",)
    assert (scores.low, scores.mean, scores.high) == (1.0, 1.0, 1.0)


WRONG = [
    ({"ties": "random"}, "ties='random' is not a choice"),
    ({"ties": ["docid", "input"]}, "ties is one choice, not a list; give a word or a number"),
    ({"limit": {}}, "limit is one choice, not a dict"),
    ({"ties": "sample(x)"}, "is not a choice"),
    ({"unjudged": "drop"}, "unjudged='drop'"),
    ({"ending": "nil"}, "ending='nil'"),
    ({"precision": "float16"}, "precision='float16'"),
    ({"negative": "ignored"}, "negative='ignored'"),
    ({"relevant": "pool"}, "relevant='pool'"),
    ({"like": "trec_eval"}, "not a tool known here"),
]


@pytest.mark.parametrize(("choices", "message"), WRONG)
def test_unknown_choices_are_refused(choices: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as refused:
        of(**choices)
    assert message in str(refused.value)


@pytest.mark.parametrize("tool", list(PRESETS))
def test_presets_give_way_to_what_is_given(tool: str) -> None:
    assert conventions(tool).as_dict() == conventions().as_dict() | PRESETS[tool]
    assert conventions(tool, ties="best").ties == "best"


def test_results_name_their_conventions() -> None:
    scores = tr.evaluate(QRELS, RUN, "AP", ties="sample(4)", like="trec_eval-9", missing="empty")
    assert scores.conventions.ties == "sample(4)"
    assert scores.conventions.precision == "float32"
    assert scores.conventions.missing == "empty"


def test_keywords_are_the_conventions() -> None:
    assert {*Given.__annotations__} == {*AXES, "like", *Reading.__annotations__}


def test_what_is_fixed_cannot_be_chosen() -> None:
    with pytest.raises(InputError, match="ties='docid' cannot be chosen here, where it is 'bounds'"):
        tr.ties(QRELS, RUN, "AP", ties="docid")
    with pytest.raises(InputError, match=r"evaluate\(\) has no argument 'tie'; did you mean ties\?"):
        tr.evaluate(QRELS, RUN, "AP", tie="docid")  # type: ignore[call-arg]
