"""The posterior of a difference: against draws and quadrature, and how often what is likely is so."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from tests.statistics.tracks import scores

from truerank.data.errors import InputError
from truerank.statistics.intervals import difference_intervals
from truerank.statistics.posterior import posterior

stats = pytest.importorskip("scipy.stats")
integrate = pytest.importorskip("scipy.integrate")


@pytest.mark.parametrize("rope", [0.0, 0.02])
def test_it_is_what_draws_of_mean_and_deviation_give(rope: float) -> None:
    values = scores(3, 2, 12)
    difference = values[0] - values[1]
    rng, topics = np.random.default_rng(1), len(difference)
    # The deviation is that of chi square, and the mean normal given it.
    spread = difference.std(ddof=1) * np.sqrt((topics - 1) / rng.chisquare(topics - 1, 200_000))
    drawn = difference.mean() + spread / np.sqrt(topics) * rng.normal(size=200_000)
    found = posterior(values, rope)
    assert found.above[0, 1] == pytest.approx((drawn > rope).mean(), abs=0.005)
    assert found.below[0, 1] == pytest.approx((drawn < -rope).mean(), abs=0.005)
    assert found.above[0, 1] + found.within[0, 1] + found.below[0, 1] == pytest.approx(1)
    assert (found.above[1, 0], found.below[1, 0]) == (found.below[0, 1], found.above[0, 1])


@pytest.mark.parametrize("prior", [0.001, 0.01, 0.1, 10.0])
@pytest.mark.parametrize("topics", [6, 50])
def test_a_prior_is_weighed_in_as_quadrature_does(prior: float, topics: int) -> None:
    values = scores(4, 2, topics)
    difference = values[0] - values[1]
    mean, error = difference.mean(), difference.std(ddof=1) / np.sqrt(topics)

    def density(true: float) -> float:
        return float(stats.norm.pdf(true, 0, prior) * stats.t.pdf((true - mean) / error, topics - 1))

    far, edge = 60 * min(prior, error) + 1e-9, 0.5 * min(prior, error)
    middle = mean if error < prior else 0.0
    inside = sorted({middle - far, -edge, edge, middle, middle + far})
    pieces = [integrate.quad(density, a, b, limit=500)[0] for a, b in pairwise(inside)]
    above = sum(piece for piece, start in zip(pieces, inside[:-1], strict=True) if start >= edge)
    found = posterior(values, edge, prior=prior)
    assert found.above[0, 1] == pytest.approx(above / sum(pieces), abs=2e-3)


def test_a_wide_prior_is_none() -> None:
    values = scores(5, 4, 30)
    np.testing.assert_allclose(posterior(values, 0.01, prior=1e6).above, posterior(values, 0.01).above, atol=5e-4)


def test_the_interval_by_t_holds_its_share() -> None:
    values = scores(6, 2, 20)
    ends = difference_intervals(values, confidence=0.9)
    low, high = ends.low[0, 1], ends.high[0, 1]
    shifted = values[0] - np.stack([values[1], values[1] + low, values[1] + high])[:, None]
    below = [posterior(np.stack([row[0], np.zeros(20)])).below[0, 1] for row in shifted]
    assert below[1] == pytest.approx(0.05)
    assert below[2] == pytest.approx(0.95)


def test_where_nothing_varies_nothing_is_told() -> None:
    found = posterior([[0.5, 0.5], [0.1, 0.1], [0.5, 0.5]], 0.01)
    assert np.isnan(found.above[0, 1:]).all()
    assert "how likely it is cannot be told" in found.notes[1]
    assert np.isnan(posterior([[0.5], [0.2]]).within[0, 1])


@pytest.mark.parametrize("given", [{"rope": -0.1}, {"rope": float("nan")}, {"prior": 0.0}, {"prior": -1.0}])
def test_what_is_refused(given: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(given))):
        posterior([[0.5, 0.1], [0.2, 0.4]], **given)


@pytest.mark.thorough
@pytest.mark.parametrize(("spread", "prior"), [(0.1, None), (0.02, 0.02)])
def test_what_is_likely_is_so_as_often(spread: float, prior: float | None) -> None:
    rng = np.random.default_rng(11)
    stated, truth = [], []
    for _ in range(1500):
        true = rng.normal(0, spread)
        row = true + rng.normal(0, 0.15, 50)
        stated.append(posterior(np.stack([row, np.zeros(50)]), 0.01, prior=prior).above[0, 1])
        truth.append(true > 0.01)
    chance, better = np.array(stated), np.array(truth)
    for low, high in ((0.0, 0.2), (0.2, 0.8), (0.8, 1.0)):
        some = (chance >= low) & (chance < high)
        error = np.sqrt(chance[some].mean() * (1 - chance[some].mean()) / some.sum())
        assert abs(chance[some].mean() - better[some].mean()) < 3.5 * error + 0.01
