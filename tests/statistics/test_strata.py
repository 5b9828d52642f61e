"""Means over collections against plain Python, and how often intervals and verdicts over collections are right."""

from __future__ import annotations

import itertools
import math
import random
from statistics import fmean, variance

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.statistics.randomization import Draws
from truerank.statistics.strata import Strata

SCORES = [
    [[0.5, 0.7, 0.1], [0.2, 0.5, 0.3], [0.9, 0.4, 0.4]],
    [[0.1, 0.3], [0.2, 0.1], [0.0, 0.6]],
]


def test_means_errors_and_freedom_are_those_of_plain_python() -> None:
    found = Strata(SCORES)
    pairs = found.pairs(0.95, Draws(200))
    for i, j in itertools.permutations(range(3), 2):
        apart = [[a - b for a, b in zip(one[i], one[j], strict=True)] for one in SCORES]
        parts = [variance(each) / len(each) for each in apart]
        assert pairs.difference[i, j] == pytest.approx(fmean(map(fmean, apart)))
        assert pairs.error[i, j] == pytest.approx(math.sqrt(sum(parts)) / 2)
        squares = sum(part**2 / (len(each) - 1) for part, each in zip(parts, apart, strict=True))
        assert pairs.freedom[i, j] == pytest.approx(sum(parts) ** 2 / squares)
        assert pairs.low[i, j] == -pairs.high[j, i]
        assert pairs.p_corrected[i, j] >= pairs.p[i, j]


def test_the_randomisation_test_goes_through_all_signs() -> None:
    """Every topic may be turned on its own; what counts is the mean over collections."""
    found = Strata(SCORES).randomization(Draws(10_000))
    for i, j in itertools.combinations(range(3), 2):
        apart = [[a - b for a, b in zip(one[i], one[j], strict=True)] for one in SCORES]
        seen = abs(fmean(map(fmean, apart)))
        far = 0
        for signs in itertools.product((1, -1), repeat=5):
            turned = [s * d for s, d in zip(signs, [*apart[0], *apart[1]], strict=True)]
            far += abs(fmean([fmean(turned[:3]), fmean(turned[3:])])) >= seen - 1e-12
        assert found[i, j] == pytest.approx(far / 2**5)


def test_topics_are_drawn_within_each_collection() -> None:
    """A collection that never varies adds nothing to what draws are off, however far it is from the others."""
    steady, moving = [[0.9] * 5], [[0.0, 0.2, 0.4]]
    drawn = Strata([steady, moving]).deviations(Draws(4000))[:, 0]
    alone = Strata([moving]).deviations(Draws(4000))[:, 0]
    assert drawn.std() == pytest.approx(alone.std() / 2, rel=0.05)
    # As far as means of topics drawn anew would be.
    assert alone.std() == pytest.approx(math.sqrt(variance(moving[0]) / 3), rel=0.05)


def test_one_seed_gives_the_same_bits_whatever_the_threads() -> None:
    one, other = (Strata(SCORES).deviations(Draws(3000, 7, threads=threads)) for threads in (1, 3))
    assert (one == other).all()


def test_what_does_not_vary_is_not_found_to_differ() -> None:
    found = Strata([[[0.5, 0.5], [0.5, 0.5], [0.2, 0.2]], [[0.1, 0.1], [0.1, 0.1], [0.0, 0.0]]]).pairs(0.95, Draws(99))
    assert found.p_corrected[0, 1] == found.p_corrected[0, 2] == 1.0
    assert math.isnan(found.low[0, 2])
    alone = Strata([[[0.5, 0.4], [0.5, 0.2]], [[0.1], [0.3]]])
    assert math.isnan(alone.pairs(0.95, Draws(99)).low[0, 1])
    assert math.isnan(alone.system_means(0.95, Draws(99)).low[0])


def test_collections_of_other_systems_are_refused() -> None:
    with pytest.raises(InputError, match="the same systems"):
        Strata([[[0.5]], [[0.1], [0.2]]])


def test_a_difference_that_is_another_in_each_collection_is_mixed() -> None:
    draw = random.Random(1)
    noise = [[draw.gauss(0, 0.1) for _ in range(40)] for _ in range(2)]
    up = [noise[0], [value + 0.3 for value in noise[1]]]
    down = [[value + 0.3 for value in noise[0]], noise[1]]
    assert Strata([up, down]).pairs(0.95, Draws(99)).heterogeneity[0, 1] < 1e-6
    assert Strata([up, up]).pairs(0.95, Draws(99)).heterogeneity[0, 1] == pytest.approx(1.0)


def test_intervals_cover_and_verdicts_keep_their_level() -> None:
    """Collections of 15, 30 and 60 topics, skewed scores: 95% intervals cover about so often, and of systems that are
    alike any pair is found to differ about one time of twenty."""
    rng = np.random.default_rng(5)
    times, covered, wrong, inside = 300, 0, 0, 0
    for seed in range(times):
        scores = []
        for place, topics in enumerate((15, 30, 60)):
            hard = rng.beta(1 + place, 3, topics)
            scores.append(np.clip(hard + rng.exponential(0.2, (4, topics)) - 0.2, -1, 2))
        strata = Strata(scores)
        draws = Draws(400, seed)
        drawn = strata.deviations(draws)
        found = strata.pairs(0.95, draws, drawn)
        wrong += bool((found.p_corrected[np.triu_indices(4, 1)] < 0.05).any())
        covered += bool(found.low[0, 1] <= 0 <= found.high[0, 1])
        means = strata.system_means(0.95, draws, drawn)
        truth = np.mean([(1 + place) / (4 + place) for place in range(3)])
        inside += bool(means.low[0] <= truth <= means.high[0])
    # Three standard errors of so many times are 3.8%.
    assert 0.91 <= covered / times <= 0.99
    assert 0.91 <= inside / times <= 0.99
    assert wrong / times <= 0.09
