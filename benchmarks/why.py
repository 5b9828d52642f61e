"""How often ``why`` explains what has no reason: ``python -m benchmarks.why [--draws N]``.

Runs of a simulated track, and numbers of four digits that are drawn at random: from all that a measure can have, and
from those near to the score of the run. Prints a Markdown table: how many are explained, and how many of them with a
stated chance of at most 5% and 1%, which is to be true of at most so many; and what the true reasons of numbers
have as their chance.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.measures.grammar import parse
from truerank.questions.simulate.question import simulate
from truerank.questions.why.work import Attempts, Reported

RUNS, MEASURES = ("boolean-01", "bm25-01"), ("AP", "nDCG@10", "RR", "P@10")
NEAR = (1.0, 0.1, 0.03)
"""How far from the score numbers are drawn, at most."""
LEVELS = (0.05, 0.01)


def searches() -> Iterator[Attempts]:
    """What is searched: a run by a measure."""
    track = simulate(systems=6, topics=50, seed=7)
    for run in RUNS:
        for measure in map(parse, MEASURES):
            yield Attempts(track.qrels, track.runs[run], measure, Conventions())


def drawn(rng: np.random.Generator, score: float, near: float, draws: int) -> list[str]:
    """Numbers at random, not farther from a score than so far."""
    return [f"{value:.4f}" for value in rng.uniform(max(0.0, score - near), min(1.0, score + near), draws)]


def stated(attempts: Attempts, text: str) -> float | None:
    """The chance that the best explanation of a number states; None without one, and for the score itself."""
    chances = [chance for chance in attempts.fitting(Reported.of(text)).values() if chance is not None]
    return min(chances, default=None)


def rates(chances: list[float], of: int) -> str:
    """How many there are, and how many of each level."""
    counts = [len(chances), *(sum(chance <= level for chance in chances) for level in LEVELS)]
    return " | ".join(f"{100 * count / of:.1f}%" for count in counts)


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--draws", type=int, default=2000, help="how many numbers are drawn for a run and measure")
    args = given.parse_args()
    rng = np.random.default_rng(1)
    random: dict[float, list[float]] = {near: [] for near in NEAR}
    true: list[float] = []
    every = [*searches()]
    for attempts in every:
        score = attempts.value(attempts.start)
        for near, chances in random.items():
            numbers = drawn(rng, score, near, args.draws)
            chances += [chance for text in numbers if (chance := stated(attempts, text)) is not None]
        _, changes, *_ = attempts.steps()
        values = dict.fromkeys(f"{attempts.value(attempt):.4f}" for family in changes for attempt in family)
        true += [chance for text in values if text != "nan" and (chance := stated(attempts, text)) is not None]
    print("| numbers | explained |", *(f"by chance {100 * level:g}% or less |" for level in LEVELS))
    print("|:---|---:|" + "---:|" * len(LEVELS))
    for near, chances in random.items():
        where = "any" if near >= 1 else f"at most {near:g} from the score"
        print(f"| at random, {where} | {rates(chances, len(every) * args.draws)} |")
    print(f"| scores of the run with one change | {rates(true, len(true))} |")


if __name__ == "__main__":
    main()
