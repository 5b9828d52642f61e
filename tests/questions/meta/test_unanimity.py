"""The Unanimous Improvement Ratio, against counting by hand; and coverage of it, against Spearman's rho of scipy."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, spearmanr  # type: ignore[import-untyped]

from truerank.questions.meta.scores import SystemScores
from truerank.questions.meta.unanimity import coverage, sampled_unanimity, unanimity


def reference(seed: int, measures: int = 3, systems: int = 5, topics: int = 7, levels: int = 4) -> list[SystemScores]:
    """Scores with many ties."""
    random = np.random.default_rng(seed)
    return [SystemScores(random.integers(0, levels, (systems, topics)) / levels) for _ in range(measures)]


def by_hand(scores: list[SystemScores], one: int, other: int, pairs: list[tuple[int, int]]) -> float:
    found = 0
    for here, there in pairs:
        mine, theirs = ([each.values[s, t] for each in scores] for s, t in ((one, here), (other, there)))
        found += all(a >= b for a, b in zip(mine, theirs, strict=True))
        found -= all(b >= a for a, b in zip(mine, theirs, strict=True))
    return found / len(pairs)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("measures", [1, 2, 3])
def test_it_counts_all_pairs_of_topics(seed: int, measures: int) -> None:
    scores = reference(seed, measures)
    uir = unanimity(scores).uir
    for one, other in product(range(5), repeat=2):
        assert uir[one, other] == pytest.approx(by_hand(scores, one, other, [*product(range(7), repeat=2)]))


def test_it_is_the_same_in_many_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = reference(1, systems=9, topics=31)
    whole = unanimity(scores).surplus
    monkeypatch.setattr("truerank.questions.meta.unanimity._ROOM", 500)
    assert np.array_equal(unanimity(scores).surplus, whole)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_antisymmetric_and_within_its_range(seed: int) -> None:
    uir = unanimity(reference(seed)).uir
    assert np.array_equal(uir, -uir.T)
    assert np.abs(uir).max() <= 1


def test_by_one_measure_it_is_mann_whitney() -> None:
    """Whether a topic of the one scores above a topic of the other, less the opposite: 2U / n^2 - 1."""
    [scored] = reference(2, measures=1, topics=12)
    for one, other in ((0, 1), (3, 2)):
        u = mannwhitneyu(scored.values[one], scored.values[other]).statistic
        assert unanimity([scored]).uir[one, other] == pytest.approx(2 * u / 12**2 - 1)


def test_a_measure_twice_changes_nothing_and_another_can_only_disagree() -> None:
    one, *_ = reference(3)
    assert np.array_equal(unanimity([one, one]).surplus, unanimity([one]).surplus)
    opposite = SystemScores(-one.values)
    assert not unanimity([one, opposite]).surplus.any()


def test_full_ties_count_on_both_sides() -> None:
    assert not unanimity([SystemScores(np.full((3, 4), 0.5))]).surplus.any()


def test_rounding_is_no_improvement() -> None:
    scores = [SystemScores(np.array([[0.1 + 0.2, 0.5], [0.3, 0.5]]))]
    assert not unanimity(scores).surplus.any()


def test_pairs_of_topics_may_be_drawn() -> None:
    scores = reference(4)
    drawn = np.random.default_rng([6, 3]).integers(0, 7, (2, 50)).T.tolist()
    found = sampled_unanimity(scores, 50, seed=6)
    for one, other in product(range(5), repeat=2):
        if one != other:
            assert found.uir[one, other] == pytest.approx(by_hand(scores, one, other, drawn))
    assert np.array_equal(found.surplus, sampled_unanimity(scores, 50, seed=6).surplus)
    assert not np.array_equal(found.surplus, sampled_unanimity(scores, 50, seed=7).surplus)


@pytest.mark.parametrize("draws", [400, 40_000])
def test_a_sample_comes_near_as_it_grows(draws: int) -> None:
    scores = reference(5, systems=6, topics=20)
    exact, sampled = unanimity(scores).uir, sampled_unanimity(scores, draws, seed=1).uir
    # Each is a mean of numbers from -1 to 1: five standard errors at most.
    assert np.abs(exact - sampled).max() < 5 / np.sqrt(draws)


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
