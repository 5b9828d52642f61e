"""Tests of significance: how fast, and how often they find what is not there.

``python -m benchmarks.significance [speed] [levels] [--repeat N] [--tracks N]``
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np

from benchmarks.inside import best_of
from truerank.data.arrays import Floats
from truerank.statistics.anova import anova
from truerank.statistics.equivalence import WAYS, no_worse
from truerank.statistics.intervals import METHODS, difference_intervals
from truerank.statistics.tests import TESTS

SYSTEMS, TOPICS, PERMUTATIONS = 129, 50, 100_000
ALPHA = 0.05


def track(rng: np.random.Generator, systems: int, topics: int) -> Floats:
    """Average precision of systems that are alike: topics differ in difficulty, and scores keep from 0 to 1."""
    hard = rng.beta(1.0, 2.5, topics)
    return rng.beta(8 * hard + 0.2, 8 * (1 - hard) + 0.2, (systems, topics))


def speed(repeat: int) -> None:
    """Seconds for all pairs of a track; the ratio is to what scipy takes for as many permutations of as many pairs."""
    values = track(np.random.default_rng(1), SYSTEMS, TOPICS)
    theirs = _scipy(values, repeat)
    print(f"\nall pairs of {SYSTEMS} systems x {TOPICS} topics x {PERMUTATIONS:,} permutations")
    print(f"{'':24}{'1 thread':>10}{'2 threads':>11}{'ratio':>7}")
    for name in (name for name, test in TESTS.items() if test.draws):
        one, two = (best_of(repeat, partial(_draw, name, values, threads)) for threads in (1, 2))
        print(f"{name:24}{one:10.2f}{two:11.2f}{one / two:7.2f}")
        if name == "randomization":
            print(f"    scipy, from one pair{theirs:10.0f}{'':11}{theirs / one:7.0f} times ours")
    print(f"\nall pairs of {SYSTEMS} systems x {TOPICS} topics, without drawing")
    for name, test in TESTS.items():
        if not test.draws:
            print(f"{name:24}{best_of(repeat, partial(test, values)):10.3f}")


def _draw(name: str, values: Floats, threads: int) -> object:
    return TESTS[name](values, permutations=PERMUTATIONS, threads=threads)


def _scipy(values: Floats, repeat: int) -> float:
    """Seconds of scipy's randomisation test for all pairs, from those for one pair and a tenth of the permutations."""
    from scipy import stats  # type: ignore[import-untyped]

    def one_pair() -> object:
        return stats.permutation_test(
            (values[0] - values[1],),
            np.mean,
            permutation_type="samples",
            n_resamples=PERMUTATIONS // 10,
            vectorized=True,
        )

    return best_of(repeat, one_pair) * 10 * SYSTEMS * (SYSTEMS - 1) / 2


def levels(tracks: int) -> None:
    """How often systems that are alike are found to differ at 0.05, with twice the standard error of the rate."""
    error = 2 * np.sqrt(ALPHA * (1 - ALPHA) / tracks)
    print(f"\nfound at {ALPHA} although it is not there, in {tracks:,} tracks, +- {error:.4f}")
    print(f"{'':26}{'10 topics':>11}{'50 topics':>11}")
    for heading, systems, names in (
        ("two systems differ", 2, [name for name, test in TESTS.items() if not test.simultaneous]),
        ("some of five systems differ", 5, ["tukey", "randomized-tukey", "anova"]),
        ("worse by the margin, yet no worse", 2, [f"no worse, {way}" for way in WAYS]),
        ("the interval leaves out the truth", 2, [f"interval, {method}" for method in METHODS[:3]]),
    ):
        print(heading)
        for name in names:
            ten, fifty = (_rate(name, systems, topics, tracks) for topics in (10, 50))
            print(f"  {name:24}{ten:11.4f}{fifty:11.4f}", flush=True)


def _rate(name: str, systems: int, topics: int, tracks: int) -> float:
    rng = np.random.default_rng(7)
    return sum(_finds(name, track(rng, systems, topics), seed) for seed in range(tracks)) / tracks


def _finds(name: str, values: Floats, seed: int) -> bool:
    kind, _, way = name.partition(", ")
    if kind == "anova":
        return anova(values).systems.p <= ALPHA
    if kind == "no worse":
        worse = values - np.array([[0.05], [0.0]])
        return bool(no_worse(worse, 0.05, test=way, permutations=999, seed=seed, threads=1).p[0, 1] <= ALPHA)
    if kind in ("interval", "tukey"):  # Tukey's test by its intervals: one quantile serves all tracks
        found = difference_intervals(
            values, method=way or kind, confidence=1 - ALPHA, permutations=999, seed=seed, threads=1
        )
        return bool(((found.low > 0) | (found.high < 0)).any())
    return bool((TESTS[name](values, permutations=999, seed=seed, threads=1).p <= ALPHA).any())


def main() -> None:
    """Parse the command line and run what it names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.significance", description=__doc__)
    parser.add_argument("names", nargs="*", help="speed, levels; default both")
    parser.add_argument("--repeat", type=int, default=3, help="rounds, of which the best counts")
    parser.add_argument("--tracks", type=int, default=10_000, help="tracks to count over")
    given = parser.parse_args()
    wanted = given.names or ["speed", "levels"]
    if "speed" in wanted:
        speed(given.repeat)
    if "levels" in wanted:
        levels(given.tracks)


if __name__ == "__main__":
    main()
