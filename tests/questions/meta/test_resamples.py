"""The minority rate, against counting by hand."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from truerank.questions.meta.resamples import resamples, stability
from truerank.questions.meta.scores import SystemScores


def by_hand(values: np.ndarray, drawn: np.ndarray, fuzziness: float) -> tuple[float, float, float]:
    """Minority of what is not tied, minority of all, and ties."""
    minority = tied = 0
    pairs = [*combinations(range(len(values)), 2)]
    for one, other in pairs:
        above = below = 0
        for topics in drawn:
            x, y = (round(float(values[system, topics].mean()), 12) for system in (one, other))
            margin = fuzziness * max(abs(x), abs(y))
            above += x - y > margin
            below += y - x > margin
        minority += min(above, below)
        tied += len(drawn) - above - below
    every = len(pairs) * len(drawn)
    return minority / (every - tied) if every > tied else math.nan, minority / every, tied / every


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_it_counts_comparisons_in_the_rarer_order(seed: int, sign: float) -> None:
    values = sign * np.random.default_rng(seed).integers(0, 5, (5, 8)) / 5
    drawn = resamples(8, 40, seed)
    found = stability(SystemScores(values), drawn, 0.1)
    assert found.minority == pytest.approx(by_hand(values, drawn, 0.0)[0])
    assert (found.fuzzy_minority, found.fuzzy_ties) == pytest.approx(by_hand(values, drawn, 0.1)[1:])


def test_more_fuzziness_makes_more_ties_and_fewer_minorities() -> None:
    scores, drawn = SystemScores(np.random.default_rng(1).random((6, 10))), resamples(10, 100, 0)
    found = [stability(scores, drawn, fuzziness) for fuzziness in (0.0, 0.05, 0.3)]
    ties, minorities = ([getattr(one, name) for one in found] for name in ("fuzzy_ties", "fuzzy_minority"))
    assert ties == sorted(ties)
    assert minorities == sorted(minorities, reverse=True)
    assert found[0].fuzzy_minority == found[0].minority


def test_scores_on_both_sides_of_zero_have_no_fuzziness() -> None:
    values = np.random.default_rng(2).normal(size=(4, 6))
    found = stability(SystemScores(values), resamples(6, 30, 0), 0.05)
    assert found.minority == pytest.approx(by_hand(values, resamples(6, 30, 0), 0.0)[0])
    assert math.isnan(found.fuzzy_minority)
    assert math.isnan(found.fuzzy_ties)


@pytest.mark.parametrize("values", [np.full((3, 5), 0.2), np.array([[0.1], [0.4]])])
def test_nothing_to_order_is_undefined(values: np.ndarray) -> None:
    assert math.isnan(stability(SystemScores(values), resamples(values.shape[1], 9, 0), 0.05).minority)
