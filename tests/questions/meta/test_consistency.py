"""How sure measures are: the t-test of scipy pair by pair, the swap method and the minority rate counted by hand."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_rel
from sklearn.isotonic import IsotonicRegression  # type: ignore[import-untyped]

from truerank.data.errors import InputError
from truerank.questions.meta.consistency import (
    BINS,
    RATE,
    discrimination,
    extrapolated,
    falling,
    halves,
    resamples,
    stability,
    swaps,
)
from truerank.questions.meta.scores import SystemScores
from truerank.statistics.correlations import kendall


def scores(seed: int, systems: int = 7, topics: int = 15) -> np.ndarray:
    random = np.random.default_rng(seed)
    values: np.ndarray = random.normal(0, 0.1, (systems, 1)) + random.normal(0.5, 0.2, (systems, topics))
    return values


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("alpha", [0.01, 0.2])
def test_it_is_the_share_of_pairs_that_differ(seed: int, alpha: float) -> None:
    values = scores(seed)
    pairs = [*combinations(range(7), 2)]
    p = {pair: ttest_rel(*values[list(pair)]).pvalue for pair in pairs}
    size = {pair: abs(values[pair[0]].mean() - values[pair[1]].mean()) for pair in pairs}
    found = discrimination(SystemScores(values), alpha=alpha)
    assert found.p == pytest.approx(sorted(p.values(), reverse=True))
    assert found.discrimination == np.mean([each < alpha for each in p.values()])
    significant = [size[pair] for pair in pairs if p[pair] < alpha]
    assert found.smallest == pytest.approx(min(significant)) if significant else math.isnan(found.smallest)
    assert found.missed == pytest.approx(max(size[pair] for pair in pairs if p[pair] >= alpha))


@pytest.mark.parametrize(("over", "share"), [(1.001, 1.0), (0.999, 0.0)])
def test_with_the_difference_needed_a_pair_is_significant(over: float, share: float) -> None:
    values = scores(1, systems=2)
    found = discrimination(SystemScores(values))
    assert found.needed == found.typical
    moved = values[0] - values[1] - (values[0] - values[1]).mean() + over * found.needed
    assert discrimination(SystemScores(np.stack([values[1] + moved, values[1]]))).discrimination == share


def test_the_difference_needed_is_that_of_the_pair_that_varies_most() -> None:
    values = scores(2)
    found = discrimination(SystemScores(values))
    alone = [discrimination(SystemScores(values[list(pair)])).needed for pair in combinations(range(7), 2)]
    assert found.needed == pytest.approx(max(alone))
    assert found.typical == pytest.approx(np.median(alone))
    assert found.missed <= found.needed


@pytest.mark.parametrize("test", ["tukey", "randomized-tukey"])
def test_tests_of_all_pairs_hold_them_to_one_difference(test: str) -> None:
    values = scores(3, systems=12)
    found = discrimination(SystemScores(values), test=test, permutations=499)
    assert found.missed < found.smallest == found.needed
    assert found.discrimination < discrimination(SystemScores(values)).discrimination


def test_nothing_found_has_no_smallest_difference() -> None:
    found = discrimination(SystemScores(np.full((3, 4), 0.5)))
    assert (found.discrimination, found.missed) == (0.0, 0.0)
    assert math.isnan(found.smallest)
    one = discrimination(SystemScores(np.array([[0.1], [0.9]])))
    assert one.discrimination == 0.0
    assert math.isnan(one.needed)
    assert "one topic" in one.notes[0]


def test_an_unknown_test_is_refused() -> None:
    with pytest.raises(InputError, match="test='chi'"):
        discrimination(SystemScores(scores(1)), test="chi")


def scored(seed: int, systems: int = 5, topics: int = 9, levels: int = 10) -> SystemScores:
    random = np.random.default_rng(seed)
    quality = random.random((systems, 1))
    return SystemScores(np.round(np.clip(quality + random.normal(0, 0.4, (systems, topics)), 0, 1) * levels) / levels)


@pytest.mark.parametrize("topics", [2, 5, 10])
def test_halves_have_no_topic_in_common(topics: int) -> None:
    drawn = halves(topics, 30, seed=1)
    assert drawn.shape == (30, 2, topics // 2)
    for one, other in drawn.tolist():
        assert len({*one, *other}) == topics // 2 * 2
    assert np.array_equal(drawn, halves(topics, 30, seed=1))
    assert not np.array_equal(drawn, halves(topics, 30, seed=2))


@pytest.mark.parametrize("seed", range(4))
def test_comparisons_and_swaps_are_counted(seed: int) -> None:
    scores, splits = scored(seed), halves(9, 20, seed)
    count, swapped = np.zeros((2, BINS + 1), int)
    level, taus = 0, []
    for split in splits:
        one, other = (scores.values[:, half].mean(axis=1).round(12) for half in split)
        taus.append(kendall(one, other))
        for first, second in combinations(range(5), 2):
            here, there = round(one[first] - one[second], 12), round(other[first] - other[second], 12)
            for seen, checked in ((here, there), (there, here)):
                if seen == 0:
                    level += 1
                    continue
                place = min(int(abs(seen) / scores.spread * BINS + 1e-9), BINS)
                count[place] += 1
                swapped[place] += seen * checked < 0
    found = swaps(scores, splits)
    assert (found.level, found.comparisons) == (level, 20 * 10 * 2)
    # A difference at the very edge of a bin may be in either.
    assert np.abs(np.cumsum(found.count - count)).max() <= 0.05 * count.sum()
    assert found.count.sum() == count.sum()
    assert found.reversed.sum() == swapped.sum()
    assert found.swap_rate == pytest.approx(swapped.sum() / 400)
    assert found.tau_halves == pytest.approx(np.mean(taus))
    assert found.tau_deviation == pytest.approx(np.std(taus))


def test_from_the_difference_needed_on_one_in_twenty_is_reversed() -> None:
    found = swaps(scored(1, systems=12, topics=20, levels=1000), halves(20, 200, 0))
    at = int(np.searchsorted(found.low, found.needed))
    assert 0 < at < BINS
    rate = falling(found.count, found.reversed)
    assert np.nanmin(rate[:at]) > RATE >= np.nanmax(rate[at:])
    assert found.sensitivity == found.count[at:].sum() / found.comparisons
    assert found.reversed[at:].sum() <= RATE * found.count[at:].sum()


def test_the_order_of_systems_does_not_matter() -> None:
    scores, splits = scored(3, systems=8), halves(9, 50, 0)
    turned = SystemScores(scores.values[::-1].copy())
    one, other = swaps(scores, splits), swaps(turned, splits)
    assert one.bins() == other.bins()
    assert (one.needed, one.sensitivity, one.tau_halves) == (other.needed, other.sensitivity, other.tau_halves)


@pytest.mark.parametrize(("factor", "shift"), [(1000.0, 0.0), (1.0, -3.0), (2.0**-30, 0.0)])
def test_neither_does_the_scale(factor: float, shift: float) -> None:
    scores, splits = scored(4, levels=8), halves(9, 50, 0)
    one, other = swaps(scores, splits), swaps(SystemScores(scores.values * factor + shift), splits)
    assert other.tau_halves == pytest.approx(one.tau_halves)
    assert other.reversed.sum() == one.reversed.sum()
    assert other.sensitivity == pytest.approx(one.sensitivity, abs=0.1)


def test_draws_in_pieces_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, splits = scored(5), halves(9, 50, 0)
    whole = swaps(scores, splits)
    monkeypatch.setattr("truerank.questions.meta.scores._ROOM", 300)
    assert swaps(scores, splits).bins() == whole.bins()


@pytest.mark.parametrize("seed", range(5))
def test_rates_fall_as_isotonic_regression_has_them(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = random.integers(0, 30, 40)
    swapped = random.binomial(count, np.linspace(0.5, 0.0, 40))
    some = count > 0
    fitted = IsotonicRegression(increasing=False).fit_transform(
        np.flatnonzero(some), swapped[some] / count[some], sample_weight=count[some]
    )
    assert falling(count, swapped)[some] == pytest.approx(fitted)
    assert np.isnan(falling(count, swapped)[~some]).all()


def test_nothing_to_order_is_undefined() -> None:
    for values in (np.full((3, 6), 0.5), np.array([[0.1], [0.2]])):
        found = swaps(SystemScores(values), halves(values.shape[1], 10, 0))
        assert np.isnan([found.needed, found.sensitivity, found.tau_halves, found.tau_full]).all()
        assert not found.bins()


def test_tau_is_extrapolated_to_more_topics() -> None:
    """Means of systems with normal noise, half of whose variance goes with twice the topics."""
    random = np.random.default_rng(0)
    quality = random.normal(size=(400, 1, 120))
    taus = []
    for noise in (1.0, 0.5):
        one, other = (quality + random.normal(0, np.sqrt(noise), quality.shape) for _ in range(2))
        taus.append(kendall(one[:, 0], other[:, 0]).mean())
    assert extrapolated(taus[0], 2) == pytest.approx(taus[1], abs=0.01)
    assert extrapolated(0.3, 1) == pytest.approx(0.3)
    assert extrapolated(-0.2, 2) == -0.2


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
def test_nothing_to_order_has_no_minority(values: np.ndarray) -> None:
    assert math.isnan(stability(SystemScores(values), resamples(values.shape[1], 9, 0), 0.05).minority)
