"""How often intervals of rank correlations hold: ``python -m benchmarks.agreement [--draws N] [--systems N ...]``.

Systems are drawn with two scores each; an interval is to hold what the coefficient is on average over so many systems.
Prints a Markdown table of how often 95% intervals do.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from truerank.data.arrays import Floats
from truerank.statistics.correlations import tau_ap, weighted_tau
from truerank.statistics.jackknife import INTERVALS, Normal, interval_of

Scores = tuple[Floats, Floats]
TRIED = {**INTERVALS, "tau_ap": Normal(tau_ap, 0.0, 0), "weighted_tau": Normal(weighted_tau, 0.0, 0)}
"""Those that have intervals, and two that have none, with the same method."""
MEANS = 10_000
"""Draws that the coefficient is averaged over."""


def normal(correlation: float) -> Callable[[np.random.Generator, tuple[int, int]], Scores]:
    """Scores that are normal, with so much in common."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Scores:
        x, noise = rng.standard_normal((2, *shape))
        return x, correlation * x + np.sqrt(1 - correlation**2) * noise

    return draw


def heavy(rng: np.random.Generator, shape: tuple[int, int]) -> Scores:
    """Scores some of which lie far out."""
    x, noise = rng.standard_t(2, (2, *shape))
    return x, 0.9 * x + 0.44 * noise


def clusters(rng: np.random.Generator, shape: tuple[int, int]) -> Scores:
    """Systems of three kinds that lie far apart."""
    kind = 4.0 * rng.integers(0, 3, shape)
    x, y = normal(0.5)(rng, shape)
    return kind + x, kind + y


def surer_at_the_top(steep: float) -> Callable[[np.random.Generator, tuple[int, int]], Scores]:
    """Scores that say the less of each other, the lower the first one is."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Scores:
        x, noise = rng.standard_normal((2, *shape))
        return x, x + 0.7 * np.exp(-steep * x) * noise

    return draw


def upsets(rng: np.random.Generator, shape: tuple[int, int]) -> Scores:
    """Rankings that agree, but for one system in twenty, which stands anywhere."""
    x, y = normal(0.97)(rng, shape)
    return x, np.where(rng.random(shape) < 0.05, 2 * rng.standard_normal(shape), y)


def rounded(rng: np.random.Generator, shape: tuple[int, int]) -> Scores:
    """Scores with few digits: many ties."""
    x, y = normal(0.8)(rng, shape)
    return np.round(2 * x), np.round(2 * y)


POPULATIONS = {
    "normal, correlation 0.5": normal(0.5),
    "normal, correlation 0.85": normal(0.85),
    "normal, correlation 0.97": normal(0.97),
    "far out here and there": heavy,
    "three clusters": clusters,
    "surer at the top": surer_at_the_top(0.5),
    "the worst stand anywhere": surer_at_the_top(1.0),
    "agreement, with rare upsets": upsets,
    "rounded, many ties": rounded,
}


def coverage(rng: np.random.Generator, name: str, systems: int, draws: int) -> dict[str, float]:
    """How often the interval of each coefficient holds."""
    draw = POPULATIONS[name]
    many, some = draw(rng, (MEANS, systems)), draw(rng, (draws, systems))
    held = {}
    for coefficient, one in TRIED.items():
        true = float(np.nanmean(one.coefficient(*many)))
        found = [interval_of(one, x, y, 0.95) for x, y in zip(*some, strict=True)]
        told = [ends for ends in found if ends is not None]
        held[coefficient] = float(np.mean([low <= true <= high for low, high in told]))
    return held


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--draws", type=int, default=1000, help="how many samples of systems")
    given.add_argument("--systems", type=int, nargs="+", default=[8, 15, 50])
    args = given.parse_args()
    print(f"| systems | scores | {' | '.join(TRIED)} |")
    print("|---:|:---|" + "---:|" * len(TRIED))
    rng = np.random.default_rng(1)
    for systems in args.systems:
        for name in POPULATIONS:
            held = coverage(rng, name, systems, args.draws)
            cells = " | ".join(f"{share:.3f}" for share in held.values())
            print(f"| {systems} | {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
