"""Topics that were not seen: against other draws, closed forms, and how often a claim with them is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from truerank.statistics.unseen import guarded, safe_loss, unseen_means

LEVEL = np.full(1, 0.05)


def differences(seed: int, topics: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.normal(0, 0.1, topics) * (rng.random(topics) < 0.6))[None]


@pytest.mark.parametrize("losses", [0.0, 0.6])
@pytest.mark.parametrize("level", [0.05, 0.2])
def test_ends_are_quantiles_of_a_mean_with_one_more_topic(level: float, losses: float) -> None:
    row = differences(1, 20)
    low, high = unseen_means(row, np.full(1, level), losses=losses, permutations=100_000)
    weights = np.random.default_rng(5).dirichlet(np.ones(21), 100_000)
    for found, extreme, share in (
        (low, min(row.min(), -losses), level / 2),
        (high, max(row.max(), losses), 1 - level / 2),
    ):
        assert found[0] == pytest.approx(np.quantile(weights @ np.append(row[0], extreme), share), abs=0.001)


@pytest.mark.parametrize("topics", [10, 50])
def test_where_nothing_changed_it_is_the_binomial_bound(topics: int) -> None:
    """A kind of topic of which none is among n is more than a share s of all with the chance (1 - s)^n."""
    share = 1 - 0.025 ** (1 / topics)
    low, high = unseen_means(np.zeros((1, topics)), LEVEL, losses=0.4, permutations=200_000)
    assert (low[0], high[0]) == pytest.approx((-0.4 * share, 0.4 * share), rel=0.02)
    assert safe_loss(np.zeros(topics), 0.02, permutations=200_000) == pytest.approx(0.02 / share, rel=0.02)


def test_every_row_has_its_own_level_and_does_not_depend_on_the_others() -> None:
    rows = np.concatenate([differences(seed, 30) for seed in range(5)])
    levels = np.array([0.05, 0.01, 0.2, 0.05, 0.001])
    low, high = unseen_means(rows, levels)
    for at, row in enumerate(rows):
        assert [end[0] for end in unseen_means(row[None], levels[[at]])] == [low[at], high[at]]
    assert all((one == two).all() for one, two in zip(unseen_means(rows, levels, threads=2), (low, high), strict=True))


def test_what_is_shown_is_not_taken_back() -> None:
    row = np.array([[0.1] * 29 + [-0.5]])
    least, most = unseen_means(row, LEVEL)
    assert least[0] < 0.02
    ends = np.array([0.02]), np.array([0.14])
    assert [end[0] for end in guarded(row, *ends, np.ones(1), LEVEL)] == [0.02, max(0.14, most[0])]
    assert [end[0] for end in guarded(row, *ends, np.zeros(1), LEVEL)] == [least[0], max(0.14, most[0])]
    assert [end[0] for end in guarded(-row, -ends[1], -ends[0], -np.ones(1), LEVEL)] == pytest.approx(
        [-max(0.14, most[0]), -0.02], abs=0.01
    )


def test_a_safe_loss_is_where_the_end_reaches_the_margin() -> None:
    row = differences(3, 40)
    safe = safe_loss(row[0], 0.05)
    for off, within in ((-1e-9, True), (1e-9, False)):
        assert bool(unseen_means(row, LEVEL, losses=safe + off)[0][0] > -0.05) is within


@pytest.mark.parametrize(("share", "loss"), [(0.05, 0.4), (0.025, 0.8)])
@pytest.mark.parametrize("topics", [25, 50, 200])
def test_a_mean_lower_by_rare_losses_is_seldom_outside(share: float, loss: float, topics: int) -> None:
    rng = np.random.default_rng(2)
    rows = -loss * (rng.random((400, topics)) < share)
    levels = np.full(400, 0.05)
    known, seen = (unseen_means(rows, levels, losses=losses, permutations=999)[0] for losses in (loss, 0.0))
    outside = (known > -share * loss).mean(), (seen > -share * loss).mean()
    assert outside[0] <= 0.05
    # What is left is where no loss was seen at all.
    assert outside[1] <= max(0.05, (rows == 0).all(axis=1).mean())
