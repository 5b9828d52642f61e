"""How far raters agree: published values, another library, and intervals by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from truerank.statistics.raters import alpha, interval, kappa, nominal, ordered_alike, ordinal

NAN = np.nan
# Krippendorff, Computing Krippendorff's alpha-reliability (2011): four observers of twelve units, some missing.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)


@pytest.mark.parametrize(("distance", "value"), [(nominal, 0.743), (ordinal, 0.815), (interval, 0.849)])
def test_the_published_example(distance: object, value: float) -> None:
    found = alpha(OBSERVERS, np.arange(12), distance=distance)  # type: ignore[arg-type]
    assert round(found.value, 3) == value
    assert found.low < found.value < found.high


@pytest.mark.parametrize("weights", [None, "quadratic"])
def test_kappa_is_that_of_scikit_learn(weights: str | None) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    for _ in range(20):
        one = rng.integers(0, 4, 60)
        other = np.where(rng.random(60) < 0.6, one, rng.integers(0, 4, 60))
        found = kappa(one, other, np.arange(60) // 6, distance=interval if weights else nominal)
        assert found.value == pytest.approx(metrics.cohen_kappa_score(one, other, weights=weights), abs=1e-12)


def test_two_raters_who_gave_the_same_have_one_and_all_of_one_level_nothing() -> None:
    topic = np.array([0, 0, 1, 1])
    assert kappa([0, 1, 0, 1], [0, 1, 0, 1], topic).value == 1.0
    assert alpha([[0, 1, 0, 1], [0, 1, 0, 1]], topic).value == 1.0
    for same in (
        kappa([1, 1, 1, 1], [1, 1, 1, 1], topic),
        alpha([[1, 1, 1, 1]] * 2, topic),
        alpha([[], []], topic[:0]),
    ):
        assert np.isnan(same.value)
        assert np.isnan(same.low)
    assert np.isnan(kappa([0, 1], [0, 0], topic[:2]).low)
    assert np.isnan(ordered_alike([1, 1], [0, 1], topic[:2]))


def test_intervals_hold_over_topics_whose_documents_are_alike() -> None:
    """The truth is that of many topics; a topic that is hard is so for all of its documents."""
    rng = np.random.default_rng(7)

    def track(topics: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        topic = np.repeat(np.arange(topics), 30)
        truth = (rng.random(len(topic)) < 0.35).astype(float)
        wrong = rng.beta(1, 6, topics)[topic]
        one, other = (np.where(rng.random(len(topic)) < wrong, 1 - truth, truth) for _ in range(2))
        return one, other, topic

    truth = kappa(*track(20_000)).value
    held = [low <= truth <= high for low, high in ((f.low, f.high) for f in (kappa(*track(40)) for _ in range(300)))]
    assert 0.90 <= np.mean(held) <= 0.985


def test_order_needs_no_common_scale() -> None:
    rng = np.random.default_rng(1)
    grade = rng.integers(0, 4, 50).astype(float)
    assert ordered_alike(grade, grade**3 / 100, np.zeros(50, int)) == 1.0
    assert ordered_alike(grade, -grade, np.zeros(50, int)) == 0.0
