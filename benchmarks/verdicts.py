"""What verdicts promise: intervals beside corrected p, a baseline, and ranks.

``python -m benchmarks.verdicts [intervals] [dunnett] [family] [ranks] [--tracks N]``
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from truerank.data.arrays import Floats, Mask
from truerank.statistics.agreeing import agreeing_intervals
from truerank.statistics.corrections import corrected, holm
from truerank.statistics.dunnett import dunnett, randomized_dunnett
from truerank.statistics.intervals import Intervals, difference_intervals, resampled_means
from truerank.statistics.possible_ranks import rank_intervals
from truerank.statistics.randomization import Draws
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
    values: Floats = rng.normal(0.4, 0.2, topics) + rng.normal(0.0, 1.0, (1 + OTHERS, topics)) * spread[:, None]
    return values


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

    def held(low: Floats, high: Floats) -> Mask:
        inside: Mask = (low[1:, 0] <= wanted) & (wanted <= high[1:, 0])
        return inside

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
    rates: Floats = np.mean(found, axis=0)
    return rates


def _outside(found: Intervals) -> Mask:
    """Whether 0 is outside: Tukey's test by its intervals, of which one quantile serves all tracks."""
    outside: Mask = (found.low[0, 1:] > 0) | (found.high[0, 1:] < 0)
    return outside


def ranks(tracks: int) -> None:
    """How often the true ranks of all systems are among those that verdicts leave, or that a bootstrap draws."""
    systems, topics = 12, 50
    print(f"\n{systems} systems, {topics} topics, {tracks:,} tracks: the true ranks are inside")
    print(f"{'means':28}{'all, by verdicts':>18}{'width':>7}{'all, by bootstrap':>19}{'each':>7}{'width':>7}")
    means = {
        "equal": np.zeros(systems),
        "apart by .001": 0.001 * np.arange(systems),
        "apart by .02": 0.02 * np.arange(systems),
        "three groups, .15 apart": 0.15 * (np.arange(systems) // 4),
    }
    for name, true in means.items():
        best, worst = 1 + (true[:, None] < true).sum(axis=1), systems - (true[:, None] > true).sum(axis=1)
        rng, found = np.random.default_rng(7), []
        for seed in range(tracks):
            values = rng.normal(0.4, 0.2, topics) + rng.normal(0.0, 0.1, (systems, topics)) + true[:, None]
            tested, mean = corrected(student(values)), values.mean(axis=1)
            low, high = rank_intervals((tested.p < ALPHA) & (mean[:, None] > mean))
            drawn = resampled_means(values, Draws(400, seed, threads=1))
            order = 1 + (-drawn).argsort(axis=0).argsort(axis=0)
            least, most = np.quantile(order, [ALPHA / 2, 1 - ALPHA / 2], axis=1)
            held, again = (low <= best) & (worst <= high), (least <= best) & (worst <= most)
            found.append((held.all(), (high - low).mean(), again.all(), again.mean(), (most - least).mean()))
        one, width, two, each, other = np.mean(found, axis=0)
        print(f"{name:28}{one:18.3f}{width:7.1f}{two:19.3f}{each:7.3f}{other:7.1f}", flush=True)


def family(tracks: int) -> None:
    """How often any of five measures finds a difference where there is none: corrected each, and all together."""
    systems, measures = 5, 5
    print(
        f"\n{systems} systems that are alike by {measures} measures, {TOPICS} topics, {tracks:,} tracks: any pair found"
    )
    print(f"{'correlation of measures':>24}{'each corrected':>16}{'all together':>14}")
    for alike_by in (0.3, 0.7, 0.9):
        rng, found = np.random.default_rng(7), np.zeros(2)
        for _ in range(tracks):
            common = rng.normal(0.0, 0.1, (systems, TOPICS))
            own = rng.normal(0.0, 0.1, (measures, systems, TOPICS))
            tested = [student(np.sqrt(alike_by) * common + np.sqrt(1 - alike_by) * one) for one in own]
            each = min(np.nanmin(corrected(one).p) for one in tested)
            both = min(np.nanmin(corrected(one, beside=[o for o in tested if o is not one]).p) for one in tested)
            found += [each < ALPHA, both < ALPHA]
        print(f"{alike_by:24.1f}{found[0] / tracks:16.3f}{found[1] / tracks:14.3f}", flush=True)


PARTS: dict[str, Callable[[int], None]] = {
    "intervals": intervals,
    "dunnett": against_one,
    "family": family,
    "ranks": ranks,
}


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
