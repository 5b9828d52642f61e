"""Gates: how often they come out wrong, and whether any two of them contradict each other.

``python -m benchmarks.gates [rates] [rules] [losses] [commits] [shares] [odd] [--tracks N]``
``python -m benchmarks.gates track QRELS RUNS...``
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

import truerank as tr
from truerank.data.arrays import Floats, Mask
from truerank.questions.compare.answer import FAILED, PASSED
from truerank.questions.compare.gates import BETTER, EQUIVALENT, NO_WORSE, NOT_SIGNIFICANTLY_WORSE
from truerank.questions.compare.outcomes import GainInterval
from truerank.statistics.paired import no_surer_than_signs
from truerank.statistics.student import student
from truerank.statistics.unseen import guarded, safe_loss

ALPHA = 0.05
MARGIN = 0.02
DRAWS = 999


@dataclass(frozen=True, eq=False)
class Intervals:
    """Of rows of differences: the interval by t, that of gates, and what is shown."""

    t_low: Floats
    low: Floats
    high: Floats
    shown: Floats

    def decide(self, form: str, margin: float = 0.0) -> Floats:
        """How a gate comes out for each row: 1 for passed, -1 for failed, 0 for undecided."""
        ends = zip(self.low.tolist(), self.high.tolist(), self.shown.tolist(), strict=True)
        found = [GainInterval(*each).decides(form, margin) for each in ends]
        return np.array([{PASSED: 1.0, FAILED: -1.0}.get(one, 0.0) for one in found])


def intervals(rows: Floats, level: float = ALPHA, *, losses: float = 0.0, draws: int = DRAWS) -> Intervals:
    """The rule of gates for a single pair, row by row, as docs/how-to/gate.md has it."""
    topics = rows.shape[1]
    mean, error = rows.mean(axis=1), rows.std(axis=1, ddof=1) / np.sqrt(topics)
    half = stats.t.ppf(1 - level / 2, topics - 1) * error
    fixed = np.ptp(rows, axis=1) == 0
    t = np.divide(mean, error, out=np.zeros(len(mean)), where=~fixed)
    p = np.where(fixed, np.where(mean == 0, 1.0, 2.0 ** (1 - topics)), 2 * stats.t.sf(np.abs(t), topics - 1))
    enough = 2.0 ** (1.0 - (rows != 0).sum(axis=1)) < level
    shown = np.where((p < level) & enough, np.sign(mean), 0.0)
    low, high = np.where(fixed, mean, mean - half), np.where(fixed, mean, mean + half)
    low, high = np.where(shown > 0, low, np.minimum(low, 0.0)), np.where(shown < 0, high, np.maximum(high, 0.0))
    least, most = guarded(rows, low, high, shown, np.full(len(rows), level), losses=losses, permutations=draws)
    if not losses:
        least, most = np.where(fixed, low, least), np.where(fixed, high, most)
    if 2.0 ** (1 - topics) >= level:
        least, most = np.full(len(rows), -np.inf), np.full(len(rows), np.inf)
    return Intervals(mean - half, least, most, shown)


Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]


def _some(rng: np.random.Generator, size: tuple[int, int], share: float) -> Mask:
    found: Mask = rng.random(size) < share
    return found


def _mixed(gain: float, gaining: float, loss: float, losing: float) -> Draw:
    """A share of topics gains so much, another loses; the others are equal."""

    def draw(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
        place = rng.random(size)
        return np.where(place < gaining, gain, np.where(place < gaining + losing, -loss, 0.0))

    return draw


SHAPES: dict[str, tuple[Draw, float]] = {
    "normal, sd .1": (lambda rng, size: rng.normal(0, 0.1, size), 0.0),
    "normal, sd .05": (lambda rng, size: rng.normal(0, 0.05, size), 0.0),
    "t with 3 degrees, sd .1": (lambda rng, size: 0.1 / np.sqrt(3) * rng.standard_t(3, size), 0.0),
    "exponential gains": (lambda rng, size: rng.exponential(0.1, size), 0.1),
    "94% lose .01, 6% gain .16": (_mixed(0.94 / 6, 0.06, 0.01, 0.94), 0.0),
    "50% gain .05, 10% lose .45": (_mixed(0.05, 0.5, 0.45, 0.1), -0.02),
    "60% gain up to .1, 10% lose up to 1": (
        lambda rng, size: rng.random(size) * _mixed(0.1, 0.6, 1.0, 0.1)(rng, size),
        -0.02,
    ),
    "lognormal losses": (lambda rng, size: -0.02 * rng.lognormal(-0.72, 1.2, size), -0.02),
    "30% gain, exponential .1, 5% lose 1": (
        lambda rng, size: np.where(
            _some(rng, size, 0.3), rng.exponential(0.1, size), np.where(_some(rng, size, 0.05 / 0.7), -1.0, 0.0)
        ),
        -0.02,
    ),
    "5% lose .4": (_mixed(0.0, 0.0, 0.4, 0.05), -0.02),
    "4% lose .5, others noise .03": (
        lambda rng, size: rng.normal(0, 0.03, size) + _mixed(0.0, 0.0, 0.5, 0.04)(rng, size),
        -0.02,
    ),
    "2.5% lose .8": (_mixed(0.0, 0.0, 0.8, 0.025), -0.02),
}
"""Differences by topic, and their true mean."""


def rates(tracks: int) -> None:
    """How often gates come out wrong: at the edge of the margin, and where a run is as good."""
    print(f"\n{tracks:,} tracks each, margin {MARGIN}; 95% intervals, so that .025 is what each end should miss")
    heads = "no worse than: false PASSED (t alone) | false FAILED | passed if as good | better: false PASSED"
    print(f"| differences | topics | {heads} | no worse: false FAILED |")
    for name, (draw, mean) in SHAPES.items():
        for topics in (30, 50):
            rows = draw(np.random.default_rng(7), (tracks, topics)) - mean
            edge, even = intervals(rows - MARGIN), intervals(rows)
            at_edge = edge.decide(NO_WORSE, MARGIN)
            alone = (edge.t_low > -MARGIN).mean()
            cells = [
                f"{(at_edge > 0).mean():.3f} ({alone:.3f})",
                f"{(at_edge < 0).mean():.3f}",
                f"{(even.decide(NO_WORSE, MARGIN) > 0).mean():.2f}",
                f"{(even.decide(BETTER) > 0).mean():.3f}",
                f"{(even.decide(NOT_SIGNIFICANTLY_WORSE) < 0).mean():.3f}",
            ]
            print(f"| {name} | {topics} | {' | '.join(cells)} |", flush=True)


def rules(tracks: int) -> None:
    """How often the rules of a gate stop a run that loses so much, on 30 topics."""
    topics, deviation = 30, 0.15
    print(f"\nnot passed, {topics} topics, standard deviation of differences {deviation}, {tracks:,} tracks")
    asked = ((NOT_SIGNIFICANTLY_WORSE, 0.0, 0.05), (NOT_SIGNIFICANTLY_WORSE, 0.0, 0.2))
    sized = ((NO_WORSE, 0.05, 0.05), (NO_WORSE, 0.005, 0.05))
    print("| true difference | no worse | no worse at 0.2 | no worse than 0.05 | no worse than 0.005 |")
    for true in (0.02, 0.0, -0.02, -0.05, -0.1, -0.15):
        rows = np.random.default_rng(7).normal(true, deviation, (tracks, topics))
        by_level = {level: intervals(rows, level) for level in (0.05, 0.2)}
        stopped = [(by_level[level].decide(form, size) <= 0).mean() for form, size, level in (*asked, *sized)]
        print(f"| {true:+.2f} | {' | '.join(f'{rate:.2f}' for rate in stopped)} |", flush=True)


def losses(tracks: int) -> None:
    """How often a run that is worse by the margin passes, and what the gate says of losses is met."""
    print(f"\npassed although worse by the margin {MARGIN}, in {tracks:,} tracks")
    print("| how .02 is lost | topics | t alone | gate | and losses are within what it says, or named |")
    kinds: dict[str, tuple[float, Draw]] = {
        "normal, sd .1": (1.0, lambda rng, size: rng.normal(-MARGIN, 0.1, size)),
        "5% of topics lose .4": (0.4, _mixed(0.0, 0.0, 0.4, 0.05)),
        "2.5% of topics lose .8": (0.8, _mixed(0.0, 0.0, 0.8, 0.025)),
        "10% lose, exponential .2": (
            1.0,
            lambda rng, size: rng.exponential(0.2, size).clip(0, 1) * _mixed(0.0, 0.0, 1.0, 0.1)(rng, size),
        ),
        "5% lose .4, others noise .01": (
            0.45,
            lambda rng, size: rng.normal(0, 0.01, size) + _mixed(0.0, 0.0, 0.4, 0.05)(rng, size),
        ),
    }
    for name, (most, draw) in kinds.items():
        for topics in (25, 50, 200):
            rows = draw(np.random.default_rng(7), (tracks, topics))
            found = intervals(rows)
            passed = found.decide(NO_WORSE, MARGIN) > 0
            met = [safe_loss(row, MARGIN, permutations=DRAWS, threads=1) > most for row in rows[passed]]
            cells = (f"{rate:.3f}" for rate in ((found.t_low > -MARGIN).mean(), passed.mean(), sum(met) / tracks))
            print(f"| {name} | {topics} | {' | '.join(cells)} |", flush=True)


def commits(tracks: int) -> None:
    """What is lost by twenty changes of which each loses a little, gated against the last run passed, or the first."""
    print("\ntwenty changes that lose .003 each (sd .01), no worse than .005, 50 topics")
    print("| against | passed | lost | lost more than .005 |")
    for against in ("the last passed", "the first", "the first, 20 looks"):
        level = ALPHA / 20 if "looks" in against else ALPHA
        passed, lost = [], []
        for seed in range(tracks // 20):
            rng, first, total, count = np.random.default_rng([11, seed]), np.zeros(50), 0.0, 0
            last = first
            for _ in range(20):
                new = last + rng.normal(-0.003, 0.01, 50)
                row = new - (first if "first" in against else last)
                if intervals(row[None], level).decide(NO_WORSE, 0.005)[0] > 0:
                    last, total, count = new, total + 0.003, count + 1
            passed.append(count / 20)
            lost.append(total)
        over = float(np.mean(np.array(lost) > 0.005 + 1e-9))
        print(f"| {against} | {np.mean(passed):.2f} | {np.mean(lost):.4f} | {over:.2f} |", flush=True)


def shares(tracks: int) -> None:
    """How often a run passes that is worse by a share of the true mean: the margin is that of the observed one."""
    print("\nworse by a share of the true mean, 50 topics, base Beta(.8, 1.2)")
    print("| share | standard deviation of differences | passed |")
    for share in (0.01, 0.05, 0.1):
        for deviation in (0.01, 0.05, 0.15):
            rng = np.random.default_rng(7)
            base = rng.beta(0.8, 1.2, (tracks, 50))
            found = intervals(rng.normal(-share * 0.4, deviation, (tracks, 50)))
            ends = zip(found.low, found.high, found.shown, share * base.mean(axis=1), strict=True)
            rate = np.mean([GainInterval(*each).decides(NO_WORSE, float(size)) == PASSED for *each, size in ends])
            print(f"| {share:.0%} | {deviation} | {rate:.3f} |", flush=True)


RUNGS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)


def contradictions(interval: GainInterval, word: str) -> Iterator[str]:
    """What one outcome says that another one, or the word in the table, denies."""
    better, weak = interval.decides(BETTER), interval.decides(NOT_SIGNIFICANTLY_WORSE)
    if (better == PASSED) != (word == "better") or (weak == FAILED) != (word == "worse"):
        yield "the word in the table"
    for size in RUNGS:
        no_worse, by, within = (interval.decides(form, size) for form in (NO_WORSE, BETTER, EQUIVALENT))
        if better == PASSED and no_worse != PASSED:
            yield "better, and not no worse"
        if by == PASSED and better != PASSED:
            yield "better by D, and not better"
        if within == PASSED and no_worse != PASSED:
            yield "equivalent, and not no worse"
        if no_worse == FAILED and (weak != FAILED or better != FAILED):
            yield "loses D, and does not lose"


def _words(rows: Floats) -> list[str]:
    """The verdict of ``compare`` on each row."""
    found = []
    for row in rows:
        values = np.stack([row, np.zeros(len(row))])
        p = no_surer_than_signs(student(values), values, ALPHA).p[0, 1]
        found.append("not significant" if not p < ALPHA else "better" if row.mean() > 0 else "worse")
    return found


def _contradicted(rows: Floats) -> Counter[str]:
    found = intervals(rows)
    each = zip(found.low.tolist(), found.high.tolist(), found.shown.tolist(), _words(rows), strict=True)
    return Counter(rule for *ends, word in each for rule in contradictions(GainInterval(*ends), word))


def odd(tracks: int) -> None:
    """Samples of 2 to 50 topics that are rounded, mostly zero, of one sign or all the same: what is contradicted."""
    rng, found = np.random.default_rng(3), Counter[str]()
    for topics in rng.integers(2, 51, 100).tolist():
        rows = rng.normal(rng.choice([-0.1, 0.0, 0.1]), rng.choice([0.02, 0.1, 0.3]), (tracks // 100, topics))
        rows = rows.round(int(rng.integers(0, 4)))
        rows[rng.random(rows.shape) < rng.choice([0.0, 0.5, 0.9])] = 0.0
        rows[: len(rows) // 20] = rows[: len(rows) // 20, :1]
        rows[len(rows) // 20 : len(rows) // 10] = np.abs(rows[len(rows) // 20 : len(rows) // 10])
        found += _contradicted(rows)
    print(f"\n{tracks // 100 * 100:,} odd samples: {sum(found.values())} contradictions {dict(found) or ''}")


def track(qrels: str, runs: Sequence[str]) -> None:
    """All ordered pairs of the runs of a track: what is contradicted."""
    for measure in ("nDCG@10", "AP", "P@10"):
        scores = tr.evaluate(qrels, list(runs), measure, missing="empty")
        values = np.stack([scores[run][measure].values for run in scores])
        found, pairs = Counter[str](), 0
        for at, base in enumerate(values):
            rows = np.delete(values, at, axis=0) - base
            rows[np.abs(rows) < 1e-12] = 0.0
            found += _contradicted(rows)
            pairs += len(rows)
        print(
            f"{measure}: {pairs:,} ordered pairs, {sum(found.values())} contradictions {dict(found) or ''}", flush=True
        )


PARTS: dict[str, Callable[[int], None]] = {one.__name__: one for one in (rates, rules, losses, commits, shares, odd)}


def main() -> None:
    """Parse the command line and run what it names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gates", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"{', '.join(PARTS)}; default all; or track QRELS RUNS...")
    parser.add_argument("--tracks", type=int, default=4_000, help="tracks to count over")
    given = parser.parse_args()
    if given.names[:1] == ["track"]:
        track(given.names[1], given.names[2:])
        return
    for name in given.names or PARTS:
        PARTS[name](given.tracks)


if __name__ == "__main__":
    main()
