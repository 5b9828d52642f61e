"""Quality aspect coverage, against Spearman's rho of scipy."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import spearmanr

from truerank.questions.meta.scores import SystemScores
from truerank.questions.meta.unanimity import coverage, unanimity


def track(seed: int, systems: int = 6) -> list[SystemScores]:
    random = np.random.default_rng(seed)
    quality = random.random((systems, 1))
    return [SystemScores(np.round(np.clip(quality + random.normal(0, 0.3, (systems, 9)), 0, 1), 1)) for _ in range(4)]


@pytest.mark.parametrize("seed", range(4))
def test_it_is_spearman_over_all_ordered_pairs(seed: int) -> None:
    measure, *reference = track(seed)
    uir = unanimity(reference)
    pairs = [*permutations(range(6), 2)]
    means = measure.values.mean(axis=1)
    differences = [round(means[one] - means[other], 12) for one, other in pairs]
    [found] = coverage([measure], uir)
    assert found == pytest.approx(spearmanr(differences, [uir.surplus[pair] for pair in pairs])[0])


def test_the_order_in_which_systems_are_listed_does_not_matter() -> None:
    """With each pair once it would: that is why pairs are ordered."""
    found, once = set(), set()
    for order in permutations(range(4)):
        measure, *reference = (SystemScores(each.values[list(order)]) for each in track(7, systems=4))
        uir = unanimity(reference)
        found.add(float(coverage([measure], uir)[0]))
        pair = np.triu_indices(4, 1)
        means = measure.values.mean(axis=1)
        once.add(round(float(spearmanr(means[pair[0]] - means[pair[1]], uir.surplus[pair])[0]), 9))
    assert len(found) == 1
    assert len(once) > 1


def test_the_other_direction_has_the_other_sign() -> None:
    measure, *reference = track(1)
    one, other = coverage([measure, SystemScores(-measure.values)], unanimity(reference))
    assert one == -other


@pytest.mark.parametrize("flat", ["measure", "reference"])
def test_without_differences_it_is_undefined(flat: str) -> None:
    measure, *reference = track(2)
    same = SystemScores(np.zeros((6, 9)))
    found = coverage([same if flat == "measure" else measure], unanimity([same] if flat == "reference" else reference))
    assert np.isnan(found).all()
