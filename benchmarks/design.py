"""How often intervals of the standard deviation of differences hold, for differences as a collection has them.

``python -m benchmarks.design DATA [--sets N] [--draws N] [--bootstraps N]``: DATA has ``trec8``. Of some sets of runs,
25 and 50 topics are drawn with replacement; what is to be covered is the deviation over all 50 topics. Printed is the
share of 95% intervals that have it, that of the worst set, and the median of the upper end over the lower one.
Candidates that resample topics again are tried on the first ``--bootstraps`` draws.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

import truerank as tr
from truerank.data.extras import needed
from truerank.statistics.deviation import deviation_interval, pooled_deviation

special = needed("scipy.special", "an interval")
MEASURES = ("AP", "nDCG@10", "P@10", "RR")
TOPICS = (25, 50)
SYSTEMS = (2, 6)
RESAMPLED = 399
Scores = npt.NDArray[np.float64]
Interval = tuple[float, float]


def chi_square(scores: Scores) -> Interval:
    """For normal differences of two systems."""
    free, deviation = scores.shape[1] - 1, pooled_deviation(scores)
    low, high = (deviation * math.sqrt(free / float(special.chdtri(free, share))) for share in (0.025, 0.975))
    return low, high


def bonett(scores: Scores) -> Interval:
    """As published, with z: the ends of ``deviation_interval`` around the same middle."""
    low, high = taken(scores)
    middle, half = (math.log(low) + math.log(high)) / 2, (math.log(high) - math.log(low)) / 2
    half *= float(special.ndtri(0.975)) / float(special.stdtrit(scores.shape[1] - 1, 0.975))
    return math.exp(middle - half), math.exp(middle + half)


def taken(scores: Scores) -> Interval:
    """What ``truerank design`` has."""
    found = deviation_interval(scores)
    assert found is not None
    return found


def _logs(scores: Scores) -> tuple[Scores, Scores]:
    """The logarithm of the variance, and the same without each topic."""
    systems, topics = scores.shape[-2:]
    apart = scores - scores.mean(axis=-2, keepdims=True)
    each = 2 / (systems - 1) * ((apart - apart.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-2)
    total = each.sum(axis=-1, keepdims=True)
    without = np.maximum(total - each * topics / (topics - 1), 1e-12 * total + 1e-300) / (topics - 2)
    return np.log(total[..., 0] / (topics - 1) + 1e-300), np.log(without)


def _error(without: Scores) -> Scores:
    topics = without.shape[-1]
    square = (topics - 1) / topics * ((without - without.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    found: Scores = np.sqrt(square) + 1e-9
    return found


def jackknife(scores: Scores) -> Interval:
    """Of the logarithm of the variance, by Student's t."""
    middle, without = _logs(scores)
    half = special.stdtrit(scores.shape[1] - 1, 0.975) * _error(without)
    return math.exp((middle - half) / 2), math.exp((middle + half) / 2)


def _resampled(scores: Scores) -> tuple[Scores, Scores]:
    topics = scores.shape[1]
    drawn = np.random.default_rng(1).integers(0, topics, (RESAMPLED, topics))
    return _logs(np.moveaxis(scores[:, drawn], 0, 1))


def bca(scores: Scores) -> Interval:
    """Percentiles of the bootstrap, corrected for bias and skew (Efron 1987)."""
    middle, without = _logs(scores)
    again, _ = _resampled(scores)
    bias = special.ndtri(((again < middle).sum() + 0.5) / (RESAMPLED + 1))
    off = without.mean() - without
    skew = (off**3).sum() / (6 * ((off**2).sum() + 1e-300) ** 1.5)
    ends = [bias + (bias + z) / (1 - skew * (bias + z)) for z in special.ndtri([0.025, 0.975])]
    low, high = np.quantile(again, special.ndtr(ends))
    return math.exp(low / 2), math.exp(high / 2)


def bootstrap_t(scores: Scores) -> Interval:
    """The logarithm of the variance in units of its jackknife error."""
    middle, without = _logs(scores)
    again, others = _resampled(scores)
    low, high = np.quantile((again - middle) / _error(others), [0.025, 0.975]) * _error(without)
    return math.exp(min((middle - high) / 2, 300)), math.exp(min((middle - low) / 2, 300))


CANDIDATES: dict[str, tuple[Callable[[Scores], Interval], bool]] = {
    "chi-square": (chi_square, False),
    "jackknife": (jackknife, False),
    "BCa": (bca, True),
    "bootstrap-t": (bootstrap_t, True),
    "Bonett, z": (bonett, False),
    "Bonett, t (taken)": (taken, False),
}


def scored(data: Path) -> dict[str, Scores]:
    """Runs x topics, by measure."""
    folder = data / "trec8"
    runs = {path.name: str(path) for path in sorted((folder / "runs").iterdir())}
    found = tr.evaluate(str(folder / "qrels.gz"), runs, " ".join(MEASURES)).to_pandas("topics")
    rows = found[found.topic != "all"]
    return {
        name: rows[rows.measure == name].pivot(index="run", columns="topic", values="value").to_numpy()
        for name in MEASURES
    }


def main() -> None:
    """Print a row for each measure and number of runs and topics."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.design", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", type=int, default=60)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--bootstraps", type=int, default=20)
    args = parser.parse_args()
    print(f"| runs | measure | topics | {' | '.join(CANDIDATES)} |\n|---:|:---|---:|{'---:|' * len(CANDIDATES)}")
    every = scored(args.data)
    for systems in SYSTEMS:
        for measure, scores in every.items():
            rng = np.random.default_rng(systems)
            sets = [scores[rng.choice(len(scores), systems, replace=False)] for _ in range(args.sets)]
            for topics in TOPICS:
                told = []
                for candidate, slow in CANDIDATES.values():
                    draws = args.bootstraps if slow else args.draws
                    held, length = zip(*(_tried(candidate, some, topics, draws) for some in sets), strict=True)
                    share, worst = (f"{each:.3f}".removeprefix("0") for each in (np.mean(held), min(held)))
                    told.append(f"{share} ({worst}), {np.mean(length):.2f}")
                print(f"| {systems} | {measure} | {topics} | {' | '.join(told)} |", flush=True)


def _tried(candidate: Callable[[Scores], Interval], scores: Scores, topics: int, draws: int) -> tuple[float, float]:
    """The share of intervals that hold, and the median ratio of their ends."""
    size = scores.shape[1]
    true = pooled_deviation(scores) * math.sqrt((size - 1) / size)
    rng = np.random.default_rng(topics)
    ends: list[Interval] = []
    while len(ends) < draws:
        some = scores[:, rng.integers(0, size, topics)]
        # Of runs that do not differ on any of these topics, design says so.
        if pooled_deviation(some) > 0:
            ends.append(candidate(some))
    low, high = np.array(ends).T
    return float(np.mean((low <= true) & (true <= high))), float(np.median(high / low))


if __name__ == "__main__":
    main()
