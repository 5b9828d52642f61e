"""Sums of which a sample is known: every sample there is, by enumeration, and intervals by simulation."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.statistics.sampled import GroupMeans, KnownUnits, calibrate, chances, drawn, of_units, totals

pytest.importorskip("scipy.special")
TRUTH = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0])
WEIGHT = np.array([0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05])


def fixed(predicted: np.ndarray) -> GroupMeans:
    """Predictions that do not depend on the sample; exact ones have no spread."""
    values, group = np.unique(predicted, return_inverse=True)
    return GroupMeans(group, np.stack([values, values], axis=1), np.ones(len(values), int), values, values * 0)


@pytest.mark.parametrize("predicted", [TRUTH, 1 - TRUTH, TRUTH * 0 + 0.4], ids=["right", "wrong", "nothing"])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_mean_over_all_samples_is_the_truth_whatever_is_predicted(predicted: np.ndarray, size: int) -> None:
    found = [
        totals(WEIGHT, TRUTH[list(unit)], fixed(predicted), KnownUnits.random(np.array(unit), 8)).estimate[0]
        for unit in combinations(range(8), size)
    ]
    assert np.mean(found) == pytest.approx(WEIGHT @ TRUTH, abs=1e-12)
    if predicted is TRUTH:
        assert np.ptp(found) < 1e-12


def test_the_spread_that_is_told_is_that_over_all_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without what units elsewhere tell, and one that might be as far off as can be.
    monkeypatch.setattr("truerank.statistics.sampled.PRIOR", 0.0)
    every = [
        totals(WEIGHT, TRUTH[list(unit)], fixed(TRUTH * 0 + 0.4), KnownUnits.random(np.array(unit), 8))
        for unit in combinations(range(8), 4)
    ]
    assert np.mean([each.error[0] ** 2 for each in every]) == pytest.approx(
        np.var([each.estimate[0] for each in every]), rel=1e-9
    )


def test_topics_of_which_some_are_judged() -> None:
    every = [of_units(TRUTH[list(unit)], TRUTH * 0, np.array(unit)) for unit in combinations(range(8), 3)]
    assert np.mean([each.estimate[0] for each in every]) == pytest.approx(TRUTH.mean(), abs=1e-12)
    assert np.mean([each.error[0] ** 2 for each in every]) == pytest.approx(
        np.var([each.estimate[0] for each in every]), rel=1e-9
    )
    whole = of_units(TRUTH, TRUTH, np.arange(8))
    assert whole.estimate[0] == TRUTH.mean()
    assert whole.error[0] == 0


def test_what_is_certain_is_exact_and_what_nothing_is_known_of_is_not_told() -> None:
    certain = KnownUnits(np.arange(8), np.ones(8))
    found = totals([WEIGHT, WEIGHT * 0], TRUTH, calibrate(TRUTH, TRUTH, certain), certain)
    assert found.estimate.tolist() == pytest.approx([WEIGHT @ TRUTH, 0.0], abs=1e-15)
    assert found.error.tolist() == [0.0, 0.0]
    one = KnownUnits.random(np.array([7]), 8)
    few = totals([WEIGHT, [1.0, *[0.0] * 7]], TRUTH[[7]], calibrate(TRUTH, TRUTH[[7]], one), one)
    assert np.isnan(few.error).all()
    assert np.isnan(few.estimate).tolist() == [False, True]
    assert np.isnan(few.ends()[0]).all()


@pytest.mark.parametrize("informed", [0.99, 0.9, 0.5], ids="right {}".format)
@pytest.mark.parametrize("design", ["random", "by worth"])
def test_intervals_hold_and_are_shorter_with_a_better_machine(informed: float, design: str) -> None:
    rng = np.random.default_rng(11)
    size, count = 1500, 120
    truth = (rng.random(size) < 0.4).astype(float)
    machine = np.where(rng.random(size) < informed, truth, 1 - truth)
    weight = np.where(rng.random(size) < 0.3, rng.exponential(1.0, size), 0.0) / size
    held, half, alone = [], [], []
    for seed in range(300):
        if design == "random":
            sample = KnownUnits.random(np.sort(rng.choice(size, count, replace=False)), size)
        else:
            chance = chances(weight, count)
            unit = np.sort(drawn(chance, seed))
            sample = KnownUnits(unit, chance[unit])
        known = truth[sample.unit]
        found = totals(weight, known, calibrate(machine, known, sample), sample)
        by_people = totals(weight, known, calibrate(machine * 0, known, sample), sample)
        (low,), (high,) = found.ends()
        held.append(low <= weight @ truth <= high)
        half.append(high - low)
        alone.append(float(np.diff(by_people.ends(), axis=0)[0, 0]))
    # 300 samples tell a level to within .025.
    assert np.mean(held) >= 0.92
    assert np.mean(half) < {0.99: 0.4, 0.9: 0.75, 0.5: 1.02}[informed] * np.mean(alone)


def test_units_are_drawn_as_often_as_their_chances_say() -> None:
    chance = chances([5.0, 3.0, 1.0, 1.0, 0.5, 0.0, 0.25, 0.25], 4)
    assert chance.sum() == pytest.approx(4, abs=1e-12)
    assert chance.max() == 1.0
    times = np.zeros(8)
    for seed in range(4000):
        unit = drawn(chance, seed)
        assert len(unit) == len(set(unit.tolist())) == 4
        times[unit] += 1
    assert np.abs(times / 4000 - chance).max() < 0.03
    assert drawn(chance, 5).tolist() == drawn(chance, 5).tolist()


def test_chances_at_their_ends() -> None:
    assert chances([1.0, 0.0, 2.0], 9).tolist() == [1.0, 0.0, 1.0]
    assert chances([0.0, 0.0], 1).tolist() == [0.0, 0.0]
    assert len(drawn(np.zeros(3), 0)) == 0
    with pytest.raises(InputError, match="-1 units cannot be taken"):
        chances([1.0], -1)


def test_many_values_of_a_machine_are_put_into_groups() -> None:
    score = np.linspace(0, 1, 100)
    found = calibrate(score, np.ones(3), KnownUnits.random(np.array([0, 50, 99]), 100))
    assert len(found.mean) == 6
    assert found.ends[0, 0] == 0.0
    assert found.ends[-1, 1] == 1.0
    assert np.bincount(found.group).min() >= 16
