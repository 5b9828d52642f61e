"""Tests of significance: how fast, and how often they find what is not there.

``python -m benchmarks.significance [speed] [levels] [shapes] [few] [groups] [runs] [single] [--repeat N] [--tracks N]``
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.inside import best_of
from truerank.data.arrays import Floats, Mask
from truerank.statistics.anova import anova
from truerank.statistics.clusters import Clusters
from truerank.statistics.corrections import corrected
from truerank.statistics.intervals import METHODS, difference_intervals
from truerank.statistics.paired import no_surer_than_signs
from truerank.statistics.replicates import Replicates
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
    if way == "holm":
        tested = TESTS[kind](values, permutations=999, seed=seed, threads=1)
        return bool((corrected(tested, "holm").p <= ALPHA).any())
    if kind in ("interval", "tukey"):  # Tukey's test by its intervals: one quantile serves all tracks
        found = difference_intervals(
            values, method=way or kind, confidence=1 - ALPHA, permutations=999, seed=seed, threads=1
        )
        return bool(((found.low > 0) | (found.high < 0)).any())
    return bool((TESTS[name](values, permutations=999, seed=seed, threads=1).p <= ALPHA).any())


@dataclass(frozen=True)
class Shape:
    """Differences of a shape that collections have, and their true mean."""

    draw: Callable[[np.random.Generator, int], Floats]
    mean: float = 0.0


SHAPES: dict[str, Shape] = {
    "scores from 0 to 1": Shape(lambda rng, topics: np.subtract(*track(rng, 2, topics))),
    "60% of topics equal": Shape(lambda rng, topics: rng.normal(0, 0.2, topics) * _some(rng, topics, 0.4)),
    "94% of topics equal": Shape(lambda rng, topics: rng.normal(0, 0.2, topics) * _some(rng, topics, 0.06)),
    "skewed, exponential": Shape(lambda rng, topics: rng.exponential(0.1, topics) - 0.1),
    "60% equal, 30% lose, 10% gain": Shape(lambda rng, topics: _uneven(rng, topics, 0.3, 0.05, 0.1, 0.15)),
    "94% lose .01, 6% gain .16": Shape(lambda rng, topics: _uneven(rng, topics, 0.94, 0.01, 0.06, 0.94 / 6)),
    "60% equal, 40% gain": Shape(lambda rng, topics: _uneven(rng, topics, 0, 0, 0.4, 0.1), 0.04),
    "94% equal, 6% gain": Shape(lambda rng, topics: _uneven(rng, topics, 0, 0, 0.06, 0.5), 0.03),
    "the same and noise .01": Shape(
        lambda rng, topics: rng.normal(0, 0.01, topics) + _uneven(rng, topics, 0, 0, 0.06, 0.5), 0.03
    ),
}
FAMILIES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "five alike, from 0 to 1": lambda rng, topics: track(rng, 5, topics),
    "five alike, 60% of scores 0": lambda rng, topics: rng.beta(1, 2, (5, topics)) * (rng.random((5, topics)) < 0.4),
    "one of five sd .25, others .05": lambda rng, topics: _unequal(rng, topics, 5, 0.25, 0.05),
    "one of ten sd .3, others .02": lambda rng, topics: _unequal(rng, topics, 10, 0.3, 0.02),
}
"""Systems of the same mean."""


def _some(rng: np.random.Generator, topics: int, share: float) -> Mask:
    found: Mask = rng.random(topics) < share
    return found


def _uneven(rng: np.random.Generator, topics: int, losing: float, loss: float, gaining: float, gain: float) -> Floats:
    """A share of topics loses so much on average, another gains, by exponential distributions; the others are equal."""
    place = rng.random(topics)
    size = rng.exponential(1.0, topics)
    return size * np.where(place < losing, -loss, np.where(place < losing + gaining, gain, 0.0))


def _unequal(rng: np.random.Generator, topics: int, systems: int, one: float, others: float) -> Floats:
    deviations = np.array([one, *[others] * (systems - 1)])
    return rng.beta(2, 3, topics) + deviations[:, None] * rng.normal(size=(systems, topics))


def shapes(tracks: int) -> None:
    """The same for differences that are skewed, rare or mostly zero, and for systems of unequal variances."""
    pairs = [name for name, test in TESTS.items() if not test.simultaneous]
    nulls = {name: shape.draw for name, shape in SHAPES.items() if not shape.mean}
    centred = {name: _less(shape) for name, shape in SHAPES.items()}
    methods = [f"interval, {method}" for method in METHODS[:4]]
    families = ["student, holm", "randomization, holm", "tukey", "randomized-tukey"]
    _shaped("a mean difference of 0 is found to be one", nulls, pairs, tracks, (10, 25, 50, 200))
    _shaped("the interval leaves out the truth", centred, methods, tracks, (10, 50))
    _shaped("some systems of the same mean are found to differ", FAMILIES, families, tracks, (10, 50))


def _less(shape: Shape) -> Callable[[np.random.Generator, int], Floats]:
    """Differences less their true mean: an interval leaves out the truth where this one leaves out 0.

    Where no topic differs from the others there is no interval, and topics are drawn again.
    """

    def draw(rng: np.random.Generator, topics: int) -> Floats:
        while True:
            found = shape.draw(rng, topics)
            if np.ptp(found) > 0:
                return found - shape.mean

    return draw


def _shaped(
    heading: str,
    drawn: dict[str, Callable[[np.random.Generator, int], Floats]],
    names: list[str],
    tracks: int,
    counts: tuple[int, ...],
) -> None:
    error = 2 * np.sqrt(ALPHA * (1 - ALPHA) / tracks)
    print(f"\n{heading}, in {tracks:,} tracks, +- {error:.3f}")
    print(f"| differences | topics | {' | '.join(names)} |")
    for name, draw in drawn.items():
        for topics in counts:
            rng, found = np.random.default_rng(7), np.zeros(len(names))
            for seed in range(tracks):
                values = np.atleast_2d(draw(rng, topics))
                values = values if len(values) > 1 else np.concatenate([values, np.zeros((1, topics))])
                found += [_finds(each, values, seed) for each in names]
            print(f"| {name} | {topics} | {' | '.join(f'{rate:.3f}' for rate in found / tracks)} |", flush=True)


def few(tracks: int) -> None:
    """How often a mean difference of 0 is found, by the t-test and with what few topics that differ can show."""
    print(f"\na mean difference of 0 is found to be one at {ALPHA}, in {tracks:,} tracks")
    print("| differences | topics | student | with the rule |")
    for name in ("scores from 0 to 1", "60% of topics equal", "94% of topics equal", "60% equal, 30% lose, 10% gain"):
        for topics in (5, 10, 25, 50, 100):
            rng, found = np.random.default_rng(7), np.zeros(2)
            for _ in range(tracks):
                values = np.stack([SHAPES[name].draw(rng, topics), np.zeros(topics)])
                tested = TESTS["student"](values)
                found += [each.p[0, 1] < ALPHA for each in (tested, no_surer_than_signs(tested, values, ALPHA))]
            print(f"| {name} | {topics} | {' | '.join(f'{rate:.3f}' for rate in found / tracks)} |", flush=True)


GROUPS: dict[str, list[int]] = {
    "10 of 5 topics": [5] * 10,
    "30 of 5 topics": [5] * 30,
    "10 of 1 to 13 topics": [1, 1, 2, 2, 3, 4, 6, 8, 10, 13],
    "20, one of 40, others of 2": [40, *[2] * 19],
}
"""Sizes of groups of topics."""


def groups(tracks: int) -> None:
    """How often systems that are alike are found to differ, where topics of a group are: by topics, and by groups."""
    names = ["student", "randomization", "bootstrap-shift", "wilcoxon"]
    print(f"\nfound at {ALPHA} although it is not there, topics in groups, in {tracks:,} tracks")
    print(f"| groups | intraclass correlation | student, by topics | {' | '.join(names)} | t interval of .3 misses |")
    for name, sizes in GROUPS.items():
        number = np.repeat(np.arange(len(sizes)), sizes)
        clusters = Clusters(number)
        for alike in (0.0, 0.5, 0.9):
            rng, found = np.random.default_rng(7), np.zeros(len(names) + 2)
            for seed in range(tracks):
                shared = rng.normal(size=len(sizes))[number]
                own = np.sqrt(alike) * shared + np.sqrt(1 - alike) * rng.normal(size=len(number))
                values = np.stack([own, np.zeros(len(own))])
                units, shifted = clusters.of(values), clusters.of(values + np.array([[0.3], [0.0]]))
                found += [
                    _finds("student", values, seed),
                    *(_finds(each, units, seed) for each in names),
                    _misses(shifted, 0.3),
                ]
            rates = " | ".join(f"{rate:.3f}" for rate in found / tracks)
            print(f"| {name} | {alike} | {rates} |", flush=True)


def _misses(values: Floats, truth: float) -> bool:
    found = difference_intervals(values, confidence=1 - ALPHA)
    return not found.low[0, 1] <= truth <= found.high[0, 1]


def runs(tracks: int) -> None:
    """The same where systems are trained several times: by one run, by means of runs, and over topics and runs."""
    print(f"\nfound at {ALPHA} although it is not there, systems of several runs, in {tracks:,} tracks")
    print("| topics | runs | sd of runs | one run each | means of runs | t over runs | t interval |")
    for topics, count, deviation in ((50, 3, 0.01), (50, 5, 0.03), (1000, 3, 0.01), (50, 2, 0.03), (50, 5, 0.0)):
        rng, found = np.random.default_rng(7), np.zeros(4)
        for seed in range(tracks):
            hard = rng.normal(0, 0.2, topics)
            scores = np.concatenate([_trained(rng, hard, count, deviation) for _ in range(2)])
            both = Replicates(scores, np.repeat([0, 1], count))
            ends = both.difference_intervals(1 - ALPHA)
            found += [
                _finds("student", scores[[0, count]], seed),
                _finds("student", both.means, seed),
                both.student().p[0, 1] <= ALPHA,
                not ends.low[0, 1] <= 0 <= ends.high[0, 1],
            ]
        rates = " | ".join(f"{rate:.3f}" for rate in found / tracks)
        print(f"| {topics} | {count} | {deviation} | {rates} |", flush=True)


def _trained(rng: np.random.Generator, hard: Floats, count: int, deviation: float) -> Floats:
    """Runs of a system: its own way with topics, a level of each run, and the rest."""
    own = hard + rng.normal(0, 0.07, len(hard))
    return own + rng.normal(0, deviation, (count, 1)) + rng.normal(0, 0.05, (count, len(hard)))


def single(tracks: int) -> None:
    """The same of a system of one run: runs left out, and with the variance of the other systems."""
    print(f"\nfound at {ALPHA} although it is not there, one run against several, in {tracks:,} tracks")
    print("| topics | runs | sd of runs: of the single one | of others | means of runs | t |")
    for topics in (50, 1000):
        for counts, own, others in (
            ((1, 2), 0.03, 0.03),
            ((1, 3), 0.01, 0.01),
            ((1, 3), 0.03, 0.03),
            ((1, 5), 0.03, 0.03),
            ((1, 3, 3, 3), 0.03, 0.03),
            ((1, 1, 3, 3), 0.03, 0.03),
            ((1, 3), 0.0, 0.03),
            ((1, 3), 0.06, 0.03),
            ((1, 3, 3, 3), 0.06, 0.03),
        ):
            rng, found = np.random.default_rng(7), np.zeros(2)
            for seed in range(tracks):
                hard = rng.normal(0, 0.2, topics)
                deviations = [own if count == 1 else others for count in counts]
                scores = [_trained(rng, hard, *each) for each in zip(counts, deviations, strict=True)]
                both = Replicates(np.concatenate(scores), np.repeat(np.arange(len(counts)), counts))
                found += [
                    _finds("student", both.means[:2], seed),
                    both.student().p[0, 1] <= ALPHA,
                ]
            runs = ", ".join(map(str, counts))
            rates = " | ".join(f"{rate:.3f}" for rate in found / tracks)
            print(f"| {topics} | {runs} | {own} | {others} | {rates} |", flush=True)


def main() -> None:
    """Parse the command line and run what it names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.significance", description=__doc__)
    parser.add_argument("names", nargs="*", help="speed, levels, shapes, few, groups, runs, single; default all")
    parser.add_argument("--repeat", type=int, default=3, help="rounds, of which the best counts")
    parser.add_argument("--tracks", type=int, default=10_000, help="tracks to count over")
    given = parser.parse_args()
    parts: dict[str, Callable[[], None]] = {
        "speed": partial(speed, given.repeat),
        **{part.__name__: partial(part, given.tracks) for part in (levels, shapes, few, groups, runs, single)},
    }
    for name in given.names or parts:
        parts[name]()


if __name__ == "__main__":
    main()
