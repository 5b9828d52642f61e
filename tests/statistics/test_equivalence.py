"""Tests within a margin against scipy, statsmodels, enumeration and intervals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.statistics.tracks import alike, scores

from truerank.data.errors import InputError
from truerank.statistics.equivalence import WAYS, Guard, equivalent, no_worse, safe_loss, unseen_share
from truerank.statistics.intervals import difference_intervals

stats = pytest.importorskip("scipy.stats")
every_way = pytest.mark.parametrize("test", WAYS)


@pytest.mark.parametrize("margin", [0.0, 0.005, 0.1])
@pytest.mark.parametrize("topics", [2, 20])
def test_student_against_scipy(margin: float, topics: int) -> None:
    values = scores(1, 4, topics)
    p = no_worse(values, margin).p
    for i, j in itertools.permutations(range(4), 2):
        expected = stats.ttest_1samp(values[i] - values[j], -margin, alternative="greater").pvalue
        assert p[i, j] == pytest.approx(expected, abs=1e-9)


def test_equivalence_against_statsmodels() -> None:
    ttost_paired = pytest.importorskip("statsmodels.stats.weightstats").ttost_paired
    values = scores(2, 4, 25)
    p = equivalent(values, 0.04).p
    for i, j in itertools.permutations(range(4), 2):
        assert p[i, j] == pytest.approx(ttost_paired(values[i], values[j], -0.04, 0.04)[0], abs=1e-9)


def test_randomisation_by_enumeration() -> None:
    values = scores(3, 3, 9)
    found = no_worse(values, 0.03, test="randomization")
    for i, j in itertools.permutations(range(3), 2):
        shifted = values[i] - values[j] + 0.03
        sums = [(np.array(each) * shifted).sum() for each in itertools.product((1, -1), repeat=9)]
        assert found.p[i, j] == pytest.approx(np.mean(np.array(sums) >= shifted.sum() - 1e-12), abs=1e-12)
    assert found.how == "all 512 assignments"


def test_bootstrap_sample_by_sample() -> None:
    values = scores(4, 2, 15)
    difference = values[0] - values[1]
    rng = np.random.default_rng(np.random.SeedSequence(6, spawn_key=(0,)))
    samples = (difference - difference.mean())[rng.integers(0, 15, (800, 15))]
    t = samples.mean(axis=1) / samples.std(axis=1, ddof=1)
    p = no_worse(values, 0.02, test="bootstrap", permutations=800, seed=6).p
    for sign, pair in ((1, (0, 1)), (-1, (1, 0))):
        observed = (sign * difference.mean() + 0.02) / difference.std(ddof=1)
        assert p[pair] == pytest.approx((1 + (sign * t >= observed).sum()) / 801, abs=1e-12)


@every_way
def test_ways_agree(test: str) -> None:
    values = scores(5, 3, 40)
    for ask in (no_worse, equivalent):
        found = ask(values, 0.03, test=test, permutations=20_000)
        assert found.p == pytest.approx(ask(values, 0.03).p, abs=0.03)
        assert (found.test, found.margin) == (test, 0.03)


def test_it_is_the_interval_within_the_margin() -> None:
    values = scores(6, 8, 30)
    interval = difference_intervals(values, confidence=0.9)
    inside = (interval.low > -0.05) & (interval.high < 0.05)
    off = ~np.eye(8, dtype=bool)
    assert 0 < inside[off].sum() < off.sum()
    np.testing.assert_array_equal((equivalent(values, 0.05).p < 0.05)[off], inside[off])
    np.testing.assert_array_equal((no_worse(values, 0.05).p < 0.05)[off], (interval.low > -0.05)[off])


@every_way
def test_at_the_margin_it_errs_as_often_as_it_says(test: str) -> None:
    """A system that is worse by just the margin passes in one track of ten at 0.1."""
    tracks = 500
    passed = 0
    for seed in range(tracks):
        values = alike(seed, 2, 20) - np.array([[0.05], [0.0]])
        passed += bool(no_worse(values, 0.05, test=test, permutations=399, seed=seed, threads=1).p[0, 1] <= 0.1)
    assert passed / tracks == pytest.approx(0.1, abs=4 * np.sqrt(0.09 / tracks))


@every_way
def test_constant_differences(test: str) -> None:
    values = scores(7, 1, 20) + np.array([[0.0], [0.0], [-0.01]])
    found = no_worse(values, 0.005, test=test, permutations=999)
    least = 1e-4 if test == "student" else 1 / 1000
    assert found.p[0, 1] <= least, "identical systems are no worse than each other"
    assert found.p[2, 0] >= 0.99
    assert found.p[0, 2] <= least
    assert found.notes[0] == "1 pair of systems does not differ on any topic"
    assert any("nothing varies" in note for note in found.notes) == (test != "randomization")
    assert equivalent(values, 0.02, test=test, permutations=999).p[0, 2] <= least


@every_way
def test_a_system_that_is_worse_by_the_margin_on_every_topic_does_not_pass(test: str) -> None:
    values = scores(8, 1, 20) - np.array([[0.005], [0.0]])
    assert no_worse(values, 0.005, test=test, permutations=999).p[0, 1] == 1
    assert equivalent(values, 0.005, test=test, permutations=999).p[0, 1] == 1


@every_way
def test_no_system_is_better_than_itself(test: str) -> None:
    values = scores(8, 1, 20).repeat(3, axis=0)
    assert (no_worse(values, 0.0, test=test, permutations=999).p == 1).all()


@every_way
def test_little_to_go_by(test: str) -> None:
    one = no_worse([[0.1], [0.9]], 0.01, test=test)
    assert one.p[0, 1] == one.p[1, 0] == 1
    assert "one topic" in one.notes[0]
    assert equivalent([[0.1, 0.2, 0.3]], 0.01, test=test).p.tolist() == [[0.0]]
    if test == "randomization":
        assert "p is at least 0.25" in no_worse([[0.1, 0.2], [0.3, 0.5]], 0.1, test=test).notes[0]


def test_what_is_refused() -> None:
    values = scores(9, 2, 5)
    for bad in (np.nan, np.inf):
        with pytest.raises(InputError, match="margin="):
            no_worse(values, bad)
        with pytest.raises(InputError, match="margin="):
            equivalent(values, bad)
    with pytest.raises(InputError, match="above 0"):
        equivalent(values, 0)
    with pytest.raises(InputError, match="test='sign' cannot be held against a margin"):
        no_worse(values, 0.1, test="sign")


@every_way
def test_what_does_not_vary_has_the_p_of_its_signs(test: str) -> None:
    values = np.array([[0.5, 0.1, 0.4], [0.51, 0.11, 0.41], [0.5, 0.1, 0.4]])
    p = no_worse(values, 0.02, test=test, permutations=100_000).p
    assert p[0, [1, 2]].tolist() == [0.125, 0.125]
    assert p[1, 0] == 0.125
    assert no_worse(values, 0.005, test=test).p[0, 1] == 1.0
    assert no_worse(values, 0.1 * values[0], test=test).p[0, 2] == 0.125


def test_a_loss_that_is_safe_where_nothing_changed_is_the_binomial_bound() -> None:
    for topics in (10, 50):
        found = safe_loss(np.zeros(topics), 0.02, permutations=200_000)
        assert found == pytest.approx(0.02 / unseen_share(topics), rel=0.02)


def test_a_safe_loss_is_where_the_guard_turns() -> None:
    values = scores(3, 2, 40) / 10
    safe = safe_loss(values[0] - values[1], 0.05)
    for off, shown in ((-1e-9, True), (1e-9, False)):
        p = no_worse(values, 0.05, guard=Guard(safe + off)).p[0, 1]
        assert bool(p < 0.05) is shown


@pytest.mark.parametrize(("share", "loss"), [(0.05, 0.4), (0.025, 0.8)])
@pytest.mark.parametrize("topics", [25, 50, 200])
def test_rare_losses_of_the_margin_pass_a_guard_no_more_often_than_alpha(
    share: float, loss: float, topics: int
) -> None:
    rng = np.random.default_rng(2)
    lost = -loss * (rng.random((400, topics)) < share)
    values = np.stack([lost, np.zeros((400, topics))], axis=1)
    known, seen, alone = (
        np.mean(
            [no_worse(pair, share * loss, guard=guard, permutations=400, threads=1).p[0, 1] < 0.05 for pair in values]
        )
        for guard in (Guard(loss), Guard(), None)
    )
    assert known <= 0.05
    # What is left is where no loss was seen at all.
    assert seen <= max(0.05, (lost == 0).all(axis=1).mean())
    assert alone > 0.06
