"""What verdicts promise: intervals beside corrected p, a baseline, ranks, posteriors, and the rules of gates.

``python -m benchmarks.verdicts [intervals] [dunnett] [ranks] [posterior] [rules] [--tracks N]``
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from truerank.data.arrays import Floats
from truerank.statistics.agreeing import agreeing_intervals
from truerank.statistics.corrections import corrected, holm
from truerank.statistics.dunnett import dunnett, randomized_dunnett
from truerank.statistics.intervals import difference_intervals
from truerank.statistics.student import student

ALPHA = 0.05
TOPICS, OTHERS = 50, 7
"""Of a track with a baseline."""


def alike(rng: np.random.Generator, topics: int = TOPICS) -> Floats:
    """Scores of a baseline and the others, on topics of different difficulty, that all vary alike."""
    return rng.normal(0.4, 0.2, topics) + rng.normal(0.0, 0.1, (1 + OTHERS, topics))


def uneven(rng: np.random.Generator, topics: int = TOPICS) -> Floats:
    """The same where one of the others varies ten times as much as the rest."""
    spread = np.array([0.03] * OTHERS + [0.3])
    return rng.normal(0.4, 0.2, topics) + rng.normal(0.0, 1.0, (1 + OTHERS, topics)) * spread[:, None]


def skewed(rng: np.random.Generator, topics: int = TOPICS) -> Floats:
    """The same where most topics are alike, and others gain much: an exponential part, centred."""
    gains = rng.exponential(0.2, (1 + OTHERS, topics)) * (rng.random((1 + OTHERS, topics)) < 0.3)
    return rng.normal(0.4, 0.2, topics) + gains - 0.06


TRACKS: dict[str, Callable[..., Floats]] = {"alike": alike, "one varies more": uneven, "skewed, 70% zeros": skewed}


def intervals(tracks: int) -> None:
    """How often intervals beside Holm's verdicts hold: alone, and as ``agreeing_intervals`` has them."""
    print(f"\n{OTHERS} systems and a baseline, {TOPICS} topics, {tracks:,} tracks; shares of tracks in which")
    heads = ("contradicts, alone", "all hold, alone", "contradicts", "signs and open", "those shown", "all hold")
    print(f"{'differ':>7}{'by':>7}" + "".join(f"{head:>20}" for head in heads))
    for different, size in ((0, 0.0), (1, 0.06), (3, 0.06), (6, 0.5), (7, 0.06), (7, 0.5)):
        true = np.zeros(1 + OTHERS)
        true[1 : 1 + different] = size
        rng = np.random.default_rng(7)
        rates = np.mean([_held(alike(rng) + true[:, None], true) for _ in range(tracks)], axis=0)
        print(f"{different:7}{size:7.2f}" + "".join(f"{rate:20.3f}" for rate in rates), flush=True)


def _held(values: Floats, true: Floats) -> tuple[bool, ...]:
    found = corrected(student(values), baselines=[0])
    mean = values.mean(axis=1)
    way = np.sign(np.subtract.outer(mean, mean))
    alone, ends = difference_intervals(values), agreeing_intervals(values, found, way)
    p, wanted = found.p[1:, 0], true[1:] - true[0]
    shown = p < ALPHA

    def held(low: Floats, high: Floats) -> Floats:
        return (low[1:, 0] <= wanted) & (wanted <= high[1:, 0])

    def contradicts(low: Floats, high: Floats) -> bool:
        outside = (low[1:, 0] > 0) | (high[1:, 0] < 0) | (shown & ((low[1:, 0] == 0) | (high[1:, 0] == 0)))
        return bool((outside != shown).any())

    holds = held(ends.low, ends.high)
    right = way[1:, 0] == np.sign(wanted)
    return (
        contradicts(alone.low, alone.high),
        bool(held(alone.low, alone.high).all()),
        contradicts(ends.low, ends.high),
        bool(np.where(shown, right, holds).all()),
        bool(holds[shown].all()),
        bool(holds.all()),
    )


def against_one(tracks: int) -> None:
    """Level and power of Dunnett's tests, beside Holm's correction and Tukey's test."""
    print(f"\n{OTHERS} systems against a baseline, {TOPICS} topics, {tracks:,} tracks, at {ALPHA}")
    names = ("holm", "dunnett", "randomized-dunnett", "tukey")
    print(f"{'':36}" + "".join(f"{name:>20}" for name in names))
    for name, make in TRACKS.items():
        rates = _shares(make, np.zeros(1 + OTHERS), tracks, any_of=True)
        print(f"{'found, none differs: ' + name:36}" + "".join(f"{rate:20.3f}" for rate in rates), flush=True)
    for different in (1, 3, 7):
        true = np.zeros(1 + OTHERS)
        true[1 : 1 + different] = 0.055
        rates = _shares(alike, true, tracks, any_of=False)
        head = f"found of {different} that differ{'s' if different == 1 else ''} by .055"
        print(f"{head:36}" + "".join(f"{rate:20.3f}" for rate in rates), flush=True)


def _shares(make: Callable[..., Floats], true: Floats, tracks: int, *, any_of: bool) -> Floats:
    rng = np.random.default_rng(7)
    found = []
    for seed in range(tracks):
        values = make(rng) + true[:, None]
        p = (
            holm(student(values).p[0, 1:]) < ALPHA,
            dunnett(values).p[0, 1:] < ALPHA,
            randomized_dunnett(values, permutations=999, seed=seed, threads=1).p[0, 1:] < ALPHA,
            _outside(difference_intervals(values, method="tukey")),
        )
        found.append([one.any() if any_of else one[true[1:] > 0].mean() for one in p])
    return np.mean(found, axis=0)


def _outside(found: object) -> Floats:
    """Whether 0 is outside: Tukey's test by its intervals, of which one quantile serves all tracks."""
    low, high = found.low[0, 1:], found.high[0, 1:]  # type: ignore[attr-defined]
    return (low > 0) | (high < 0)


PARTS: dict[str, Callable[[int], None]] = {"intervals": intervals, "dunnett": against_one}


def main() -> None:
    """Parse the command line and run what it names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdicts", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"{', '.join(PARTS)}; default all")
    parser.add_argument("--tracks", type=int, default=2_000, help="tracks to count over")
    given = parser.parse_args()
    for name in given.names or PARTS:
        PARTS[name](given.tracks)


if __name__ == "__main__":
    main()
