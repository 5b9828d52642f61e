"""How often intervals of rank correlations hold: ``python -m benchmarks.agreement [--draws N] [--systems N ...]``.

Systems are drawn with two scores each; an interval is to hold what the coefficient is on average over so many systems.
Prints a Markdown table of how often 95% intervals do, and how many draws have none, since the rankings agree in all.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from truerank.data.arrays import Floats
from truerank.questions.agreement.work import COEFFICIENTS
from truerank.statistics.jackknife import correlation_interval

Scores = tuple[Floats, Floats]
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


def surer_at_the_top(rng: np.random.Generator, shape: tuple[int, int]) -> Scores:
    """Good systems that agree more than bad ones do."""
    x, noise = rng.standard_normal((2, *shape))
    return x, x + 0.7 * np.exp(-x) * noise


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
    "surer at the top": surer_at_the_top,
    "rounded, many ties": rounded,
}


def coverage(rng: np.random.Generator, name: str, systems: int, draws: int) -> tuple[dict[str, float], float]:
    """How often the interval of each coefficient holds, and the share of draws without one."""
    draw = POPULATIONS[name]
    many, some = draw(rng, (MEANS, systems)), draw(rng, (draws, systems))
    held, none = {}, 0.0
    for coefficient, function in COEFFICIENTS.items():
        true = float(np.nanmean(function(*many)))
        found = [correlation_interval(function, x, y) for x, y in zip(*some, strict=True)]
        told = [ends for ends in found if ends is not None]
        held[coefficient] = float(np.mean([low <= true <= high for low, high in told]))
        none = 1 - len(told) / draws
    return held, none


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--draws", type=int, default=1000)
    given.add_argument("--systems", type=int, nargs="+", default=[8, 15, 50])
    args = given.parse_args()
    print(f"| systems | scores | {' | '.join(COEFFICIENTS)} | none |")
    print("|---:|:---|" + "---:|" * (len(COEFFICIENTS) + 1))
    rng = np.random.default_rng(1)
    for systems in args.systems:
        for name in POPULATIONS:
            held, none = coverage(rng, name, systems, args.draws)
            cells = " | ".join(f"{share:.3f}" for share in held.values())
            print(f"| {systems} | {name} | {cells} | {none:.3f} |", flush=True)


if __name__ == "__main__":
    main()
