"""Systems of several runs: the variance by hand, single runs, and how often what is not there is found."""

from __future__ import annotations

import numpy as np
import pytest

from truerank.statistics.anova import sources
from truerank.statistics.replicates import Replicates
from truerank.statistics.tests import TESTS

chi2 = pytest.importorskip("scipy.stats").chi2


def track(
    rng: np.random.Generator, topics: int, runs: int, of_runs: float, rest: float, systems: int = 2
) -> tuple[np.ndarray, np.ndarray]:
    """Scores of systems of the same mean: topics, systems by topics, runs, and the rest."""
    hard = rng.normal(0, 0.2, topics)
    own = [hard + rng.normal(0, 0.07, topics) for _ in range(systems)]
    scores = [each + rng.normal(0, of_runs, (runs, 1)) + rng.normal(0, rest, (runs, topics)) for each in own]
    return np.concatenate(scores), np.repeat(np.arange(systems), runs)


def test_systems_of_one_run_are_compared_as_ever() -> None:
    scores = np.random.default_rng(1).random((3, 12))
    found = Replicates(scores, np.arange(3))
    np.testing.assert_allclose(found.student().p, TESTS["student"](scores).p, atol=1e-14)


def test_the_variance_of_a_difference_by_hand() -> None:
    scores, system = track(np.random.default_rng(2), 20, 4, 0.05, 0.05)
    one, other = scores[system == 0], scores[system == 1]
    of_topics = (one.mean(axis=0) - other.mean(axis=0)).var(ddof=1) / 20
    of_runs = sum(each.mean(axis=1).var(ddof=1) / 4 for each in (one, other))
    both = 0.0
    for each in (one, other):
        rest = each - each.mean(axis=1, keepdims=True) - each.mean(axis=0) + each.mean()
        both += (rest**2).sum() / (3 * 19) / (4 * 20)
    found = Replicates(scores, system).contrast(0, 1)
    assert found.mean == pytest.approx(one.mean() - other.mean(), abs=1e-15)
    assert found.error == pytest.approx(np.sqrt(of_topics + of_runs - both), rel=1e-12)


def test_seeds_that_vary_are_no_difference_of_systems() -> None:
    """On 1,000 topics two runs of one configuration differ in most tracks, and so do means over three runs."""
    rng, tracks = np.random.default_rng(3), 300
    single = mean = over_runs = 0
    for _ in range(tracks):
        scores, system = track(rng, 1000, 3, 0.01, 0.05)
        found = Replicates(scores, system)
        single += TESTS["student"](scores[[0, 3]]).p[0, 1] < 0.05
        mean += TESTS["student"](found.means).p[0, 1] < 0.05
        over_runs += found.student().p[0, 1] < 0.05
    assert single / tracks > 0.5
    assert mean / tracks > 0.3
    assert over_runs / tracks < 0.05 + 0.038  # three standard errors


@pytest.mark.parametrize("sizes", [(1, 3), (1, 2), (1, 1, 3, 3), (1, 3, 3, 3)], ids=str)
def test_a_system_of_one_run_varies_as_the_others_do(sizes: tuple[int, ...]) -> None:
    """Of systems that are alike, the single one is found to differ no more often than it should be."""
    rng, tracks = np.random.default_rng(9), 200
    number = np.repeat(np.arange(len(sizes)), sizes)
    ignored = found = 0
    for _ in range(tracks):
        scores, system = track(rng, 50, 3, 0.03, 0.05, systems=len(sizes))
        kept = np.concatenate([np.flatnonzero(system == one)[:size] for one, size in enumerate(sizes)])
        both = Replicates(scores[kept], number)
        ignored += TESTS["student"](both.means).p[0, 1] < 0.05
        found += both.student().p[0, 1] < 0.05
    assert ignored / tracks > 0.15
    assert found / tracks < 0.05 + 0.046  # three standard errors


def test_the_variance_that_a_system_of_one_run_borrows() -> None:
    scores, system = track(np.random.default_rng(2), 20, 4, 0.05, 0.05, systems=3)
    kept = np.flatnonzero((system > 0) | (np.arange(12) == 0) | (np.arange(12) == 4))[:-1]
    scores, system = scores[kept], system[kept]  # of 1, 4 and 3 runs
    parts, raw = [], []
    for one in (1, 2):
        each = scores[system == one]
        rest = each - each.mean(axis=1, keepdims=True) - each.mean(axis=0) + each.mean()
        left = (rest**2).sum() / ((len(each) - 1) * 19) / 20
        raw.append(each.mean(axis=1).var(ddof=1))
        parts.append(raw[-1] - left)
    found = Replicates(scores, system)
    of_topics = (found.means[0] - found.means[1]).var(ddof=1) / 20
    assert found.sizes.tolist() == [1, 4, 3]
    assert min(parts) > 0
    borrowed = (3 * parts[0] + 2 * parts[1]) / 5
    one = found.contrast(0, 1)
    assert one.error == pytest.approx(np.sqrt(of_topics + parts[0] / 4 + borrowed), rel=1e-12)
    upper = (raw[0] / 4 + (3 * raw[0] + 2 * raw[1]) / 5) * 5 / chi2.ppf(0.2, 5)
    share = upper / (of_topics + upper)
    assert one.freedom == pytest.approx(1 / ((1 - share) / 19 + share / 5), rel=1e-9)
    assert found.contrast(1, 2).error == pytest.approx(
        np.sqrt((found.means[1] - found.means[2]).var(ddof=1) / 20 + parts[0] / 4 + parts[1] / 3), rel=1e-12
    )


def test_a_difference_that_does_not_vary_has_no_error() -> None:
    scores = np.random.default_rng(3).random((2, 30))
    found = Replicates(np.concatenate([scores[:1], scores[:1] + 0.1]), np.arange(2)).contrast(1, 0)
    assert (found.error, found.freedom) == (0.0, np.inf)


def test_intervals_over_topics_and_runs_hold() -> None:
    rng, tracks = np.random.default_rng(4), 300
    held = {"t": 0, "bootstrap": 0}
    for seed in range(tracks):
        scores, system = track(rng, 40, 5, 0.03, 0.05)
        for method in held:
            found = Replicates(scores, system).difference_intervals(0.95, method, permutations=400, seed=seed)
            held[method] += found.low[0, 1] <= 0 <= found.high[0, 1]
    assert held["t"] / tracks == pytest.approx(0.95, abs=0.038)
    assert held["bootstrap"] / tracks > 0.95 - 0.038  # topics by runs are drawn twice over, which makes it wider


def test_a_difference_over_topics_and_runs_is_found() -> None:
    scores, system = track(np.random.default_rng(5), 50, 5, 0.01, 0.05)
    found = Replicates(scores + np.where(system == 0, 0.2, 0.0)[:, None], system)
    assert found.student().p[0, 1] < 0.001


def test_threads_do_not_change_what_is_drawn() -> None:
    scores, system = track(np.random.default_rng(6), 30, 3, 0.02, 0.05)
    found = Replicates(scores, system)
    one, two = (
        found.difference_intervals(0.95, "bootstrap", permutations=3000, threads=threads).low for threads in (1, 2)
    )
    assert (one == two).all()


def test_components_of_variance_come_out_as_they_went_in() -> None:
    rng = np.random.default_rng(7)
    parts: dict[str, list[float]] = {}
    for _ in range(40):
        for one in sources(*track(rng, 60, 4, 0.05, 0.1, systems=4)):
            parts.setdefault(one.name, []).append(one.variance)
    mean = {name: np.mean(values) for name, values in parts.items()}
    assert mean["topics"] == pytest.approx(0.04, rel=0.15)
    assert mean["systems x topics"] == pytest.approx(0.0049, rel=0.15)
    assert mean["runs"] == pytest.approx(0.0025, rel=0.2)
    assert mean["error"] == pytest.approx(0.01, rel=0.05)
    assert abs(mean["systems"]) < 0.0008


def test_f_of_systems_allows_for_runs() -> None:
    rng, tracks = np.random.default_rng(8), 300
    found = sum(sources(*track(rng, 50, 4, 0.03, 0.05, systems=4))[0].source.p < 0.05 for _ in range(tracks))
    assert found / tracks < 0.05 + 0.038
