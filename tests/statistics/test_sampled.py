"""Sums of which a sample is known: every sample there is, by enumeration, and intervals by simulation."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.errors import InputError
from truerank.statistics.sampled import (
    EVEN,
    GroupMeans,
    KnownUnits,
    calibrate,
    chances,
    drawn,
    expanded,
    of_units,
    totals,
    with_floor,
)

pytest.importorskip("scipy.special")
TRUTH = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0])
WEIGHT = np.array([0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05])
PAIRS = [list(pair) for pair in combinations(range(8), 2)]


def fixed(predicted: np.ndarray) -> GroupMeans:
    """Predictions that do not depend on the sample; exact ones have no spread."""
    values, group = np.unique(predicted, return_inverse=True)
    return GroupMeans(
        group, np.stack([values, values], axis=1), np.ones(len(values), int), values, values * 0, predicted
    )


@given(
    st.lists(st.floats(0, 1), min_size=8, max_size=8),
    st.lists(st.floats(1e-4, 1), min_size=len(PAIRS), max_size=len(PAIRS)),
)
def test_the_mean_over_all_samples_is_the_truth_whatever_is_predicted_and_however_they_are_drawn(
    predicted: list[float], odds: list[float]
) -> None:
    likely = np.array(odds) / np.sum(odds)
    chance = sum(share * np.isin(np.arange(8), pair) for share, pair in zip(likely, PAIRS, strict=True))
    by = fixed(np.array(predicted))
    samples = [KnownUnits(np.array(pair), chance[pair]) for pair in PAIRS]
    found = [totals(WEIGHT, TRUTH[each.unit], by, each).estimate[0] for each in samples]
    assert likely @ found == pytest.approx(WEIGHT @ TRUTH, abs=1e-9)
    apart = [expanded(WEIGHT, TRUTH[each.unit], by, each) for each in samples]
    assert likely @ apart == pytest.approx(WEIGHT * TRUTH, abs=1e-9)
    assert np.sum(apart, axis=1) == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize("machine", [TRUTH, 1 - TRUTH, TRUTH * 0], ids=["right", "wrong", "nothing"])
def test_what_predictions_mean_may_come_from_the_same_sample(machine: np.ndarray, size: int) -> None:
    """A unit says nothing of its own prediction: of one group, every mean over samples is exact."""
    every = []
    for chosen in combinations(range(8), size):
        sample = KnownUnits.random(np.array(chosen), 8)
        by = calibrate(machine, TRUTH[list(chosen)], sample, np.ones(8))
        every.append(totals(np.full(8, 0.125), TRUTH[list(chosen)], by, sample).estimate[0])
    # Groups that a sample has no unit of are taken for all others, which may move the mean a little.
    assert np.mean(every) == pytest.approx(TRUTH.mean(), abs=1e-12 if np.ptp(machine) == 0 else 0.1 * np.std(every))


def test_the_spread_that_is_told_is_that_over_all_samples() -> None:
    every = [
        totals(WEIGHT, TRUTH[list(unit)], fixed(TRUTH * 0 + 0.4), KnownUnits.random(np.array(unit), 8))
        for unit in combinations(range(8), 4)
    ]
    assert np.mean([each.error[0] ** 2 for each in every]) == pytest.approx(
        np.var([each.estimate[0] for each in every]), rel=1e-9
    )


def test_a_unit_with_a_tiny_chance_does_not_outweigh_all_others() -> None:
    """Weights that fall as those of RBP, and chances with them: whoever divides by the sum of inverse chances errs."""
    rng = np.random.default_rng(3)
    weight = 0.2 * 0.8 ** np.arange(1000) / 4
    weight = np.concatenate([weight] * 4)
    truth = (rng.random(4000) < np.where(weight > 0.001, 0.6, 0.02)).astype(float)
    machine = np.where(rng.random(4000) < 0.8, truth, 1 - truth)
    chance = chances(weight, 60)
    assert 0 < chance.min() < 1e-6
    found = []
    for seed in range(200):
        unit = np.sort(drawn(chance, seed))
        sample = KnownUnits(unit, chance[unit])
        found.append(totals(weight, truth[unit], calibrate(machine, truth[unit], sample, weight), sample))
    estimates = np.array([each.estimate[0] for each in found])
    assert abs(estimates.mean() - weight @ truth) < 4 * estimates.std() / np.sqrt(200)
    ends = np.array([each.ends() for each in found])[:, :, 0]
    assert np.mean((ends[:, 0] <= weight @ truth) & (weight @ truth <= ends[:, 1])) >= 0.92


def test_a_unit_of_the_sample_is_predicted_without_its_own_truth() -> None:
    machine = np.array([1, 1, 1, 2, 2, 3, 1, 3])
    unit = np.array([0, 1, 3, 4, 5])
    sample = KnownUnits(unit, np.array([0.5, 0.25, 0.5, 1.0, 0.5]))
    weight = np.stack([WEIGHT, WEIGHT[::-1]])
    truth = np.array([1.0, 0.5, 0.0, 2.0, 1.0])
    counts = ((weight[:, unit] / sample.chance) ** 2).sum(axis=0)
    found = calibrate(machine, truth, sample, weight)
    for at, one in enumerate(unit.tolist()):
        others = [place for place in range(5) if place != at]
        same = [place for place in others if machine[unit[place]] == machine[one]] or others
        assert found.predicted[one] == pytest.approx(np.average(truth[same], weights=counts[same]))
    assert found.predicted[[2, 6]] == pytest.approx(np.average(truth[:2], weights=counts[:2]))
    assert found.predicted[7] == truth[4]


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
    found = totals([WEIGHT, WEIGHT * 0], TRUTH, calibrate(TRUTH, TRUTH, certain, WEIGHT), certain)
    assert found.estimate.tolist() == pytest.approx([WEIGHT @ TRUTH, 0.0], abs=1e-15)
    assert found.error.tolist() == [0.0, 0.0]
    one = KnownUnits.random(np.array([7]), 8)
    few = totals([WEIGHT, [1.0, *[0.0] * 7]], TRUTH[[7]], calibrate(TRUTH, TRUTH[[7]], one, WEIGHT), one)
    assert np.isnan(few.error).all()
    assert np.isnan(few.estimate).tolist() == [False, True]
    assert np.isnan(few.ends()[0]).all()


@pytest.mark.thorough
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
            chance = chances(with_floor(weight, weight >= 0), count)
            unit = np.sort(drawn(chance, seed))
            sample = KnownUnits(unit, chance[unit])
        known = truth[sample.unit]
        found = totals(weight, known, calibrate(machine, known, sample, weight), sample)
        by_people = totals(weight, known, calibrate(machine * 0, known, sample, weight), sample)
        (low,), (high,) = found.ends()
        held.append(low <= weight @ truth <= high)
        half.append(high - low)
        alone.append(float(np.diff(by_people.ends(), axis=0)[0, 0]))
    # 300 samples tell a level to within .025.
    assert np.mean(held) >= 0.92
    assert np.mean(half) < {0.99: 0.4, 0.9: 0.75, 0.5: 1.05}[informed] * np.mean(alone)


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


def test_every_unit_has_a_chance() -> None:
    among = np.array([True] * 900 + [False] * 100)
    worth = np.where(among, np.where(np.arange(1000) < 50, 1.0, 0.0), 0.0)
    chance = chances(with_floor(worth, among), 30)
    assert chance[among].min() == pytest.approx(EVEN * 30 / 900)
    assert chance[~among].tolist() == [0.0] * 100
    # What matters is hardly drawn less often.
    assert chance[:50].sum() >= (1 - EVEN) * 30


def test_chances_at_their_ends() -> None:
    assert chances([1.0, 0.0, 2.0], 9).tolist() == [1.0, 0.0, 1.0]
    assert chances([0.0, 0.0], 1).tolist() == [0.0, 0.0]
    assert len(drawn(np.zeros(3), 0)) == 0
    with pytest.raises(InputError, match="-1 units cannot be taken"):
        chances([1.0], -1)


def test_many_values_of_a_machine_are_put_into_groups() -> None:
    score = np.linspace(0, 1, 100)
    found = calibrate(score, np.ones(3), KnownUnits.random(np.array([0, 50, 99]), 100), np.ones(100))
    assert len(found.mean) == 6
    assert found.ends[0, 0] == 0.0
    assert found.ends[-1, 1] == 1.0
    assert np.bincount(found.group).min() >= 16
