"""The array call: sizes, several measures, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import truerank as tr
from truerank.questions.evaluate import score_arrays as module

RNG = np.random.default_rng(1)


def some_arrays(longest: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    counts = np.append(RNG.integers(0, 9, 40), longest)
    offsets = np.append(0, counts.cumsum())
    grades = RNG.choice([0.0, 0.0, 1.0, 2.0, np.nan], offsets[-1])
    return RNG.integers(0, 5, (7, offsets[-1])) / 3.0, grades, offsets


@pytest.mark.parametrize("longest", [8, 200])
def test_batches_and_parts_change_no_bit(monkeypatch: pytest.MonkeyPatch, longest: int) -> None:
    scores, grades, offsets = some_arrays(longest)
    wanted = "nDCG@3 AP RR ERR@5 Bpref IPrec@0.5"
    whole = tr.score_arrays(scores, grades, offsets, wanted)
    assert list(whole) == wanted.split()
    monkeypatch.setattr(module, "_ROOM", 1 << 10)
    small = tr.ArrayScorer(grades, offsets, wanted)
    for vectors in (scores, scores[:5], scores[:3], scores):
        for name, values in small(vectors).items():
            np.testing.assert_array_equal(values, whole[name][: len(vectors)])


def test_one_measure_is_an_array_and_a_list_is_a_dict() -> None:
    one = tr.score_arrays([1, 2], [1, 0], [0, 2], "RR")
    assert one.tolist() == [0.5]
    assert tr.score_arrays([1, 2], [1, 0], [0, 2], ["RR"])["RR"].tolist() == [0.5]
    assert tr.score_arrays(np.zeros((0, 2)), [1, 0], [0, 2], tr.RR).shape == (0, 1)


def test_what_is_given_is_not_changed() -> None:
    scores, grades = np.array([1.0, np.nan, 1.0]), np.array([0.0, 1.0, 1.0])
    tr.score_arrays(scores, grades, [0, 3], "AP")
    np.testing.assert_array_equal(scores, [1.0, np.nan, 1.0])
    np.testing.assert_array_equal(grades, [0.0, 1.0, 1.0])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"scores": [1.0]}, r"shape \(1,\); give \(2,\) or \(vectors, 2\)"),
        ({"scores": ["a", "b"]}, "scores are numbers"),
        ({"scores": [np.inf, 1.0]}, "a score is infinite"),
        ({"grades": [np.inf, 1.0]}, "a grade is infinite"),
        ({"grades": [[1.0, 0.0]]}, r"grades have the shape \(1, 2\)"),
        ({"offsets": [0, 1]}, "end with 2 documents"),
        ({"offsets": [0, 2, 1, 2]}, "never fall"),
        ({"offsets": [0.0, 2.0]}, "offsets are whole numbers"),
        ({"measures": "AP(norm='pool')"}, "runs that made the pool"),
        ({"ties": "docid"}, "ids of documents"),
        ({"ties": "sample(3)"}, "ids of documents"),
        ({"ties": "bounds"}, "two numbers"),
        ({"unjudged": "bounds"}, "two numbers"),
        ({"relevant": "run"}, "cannot be chosen here"),
    ],
)
def test_what_cannot_work_is_refused(change: dict[str, object], says: str) -> None:
    given = {"scores": [1.0, 2.0], "grades": [1.0, 0.0], "offsets": [0, 2], "measures": "AP", **change}
    with pytest.raises(tr.InputError, match=says):
        tr.score_arrays(**given)
