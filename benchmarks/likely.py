"""How often verdicts change once unjudged documents are judged, compared with the chance that ``compare`` states.

``python -m benchmarks.likely DATA [--sets N] [--measures M]``: DATA has ``trec8``, ``covid2`` and ``classic``.

Runs and pools are those of ``benchmarks.unjudged``, and in the end all documents that the compared runs list among
their first 100 are judged. "TREC-COVID, raw" keeps the documents that no round judged: there later judging reached a
part of what the runs list. Each pair of a set of runs has a chance and a verdict, with the pool and with all judgments:
of N sets of 6 runs without a correction, of N others with Holm's, and of 2 N sets of 2 runs. Intervals are by sets,
drawn with replacement, for pairs of one set are not independent.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

import truerank as tr
from benchmarks.unjudged import DEPTH, Collection, Judged, Lists, collections, covid, listed
from truerank.data.arrays import Floats, Mask

CLASSES = {"under 1%": 0.01, "1 to 5%": 0.05, "5 to 20%": 0.2, "20 to 50%": 0.5, "50 to 80%": 0.8, "over 80%": 2.0}
"""Chances that are looked at together, and below which chance each class ends."""
KINDS = {"2 runs": (2, "none", 2), "6 runs": (6, "none", 1), "6 runs, Holm": (6, "holm", 1)}
"""Sets that are drawn: how many runs, the correction, and how many sets for each one asked for."""
RESAMPLES = 2000


class Stated(NamedTuple):
    """A verdict of a pair: the chance that it changes, and whether it did."""

    collection: str
    set: str
    kind: str
    measure: str
    chance: float
    changed: bool


def every_collection(data: Path) -> Iterator[Collection]:
    """Those with verdicts to change, and TREC-COVID as it is."""
    for one in collections(data):
        if one.name != "DL 2021":
            yield replace(one, name="TREC-COVID") if one.name.startswith("TREC-COVID") else one
    before, every = covid(data)
    lists = listed(sorted((data / "covid2" / "runs").iterdir()), every, DEPTH)
    yield Collection("TREC-COVID, raw", lists, every, before=before)


def stated(collection: Collection, sets: int, measures: str) -> Iterator[Stated]:
    """The verdicts of sets of runs."""
    for at, (kind, (count, correction, often)) in enumerate(KINDS.items()):
        for number in range(often * sets):
            for lists, some, after in collection.hidden(count, 1000 * at + number):
                for measure, chance, changed in _changes(lists, some, after, measures, correction):
                    yield Stated(collection.name, f"{collection.name} {kind} {number}", kind, measure, chance, changed)


def _changes(
    lists: Lists, some: Judged, every: Judged, measures: str, correction: str
) -> Iterator[tuple[str, float, bool]]:
    now, after = (tr.compare(judged, lists, measures, correction=correction) for judged in (some, every))
    alike = {"the same": "not significant"}
    then = {
        (measure, found.runs[b], found.runs[a]): alike.get(verdict, verdict)
        for measure, found in after.items()
        for (a, b), verdict in zip(found.asked, found.verdicts, strict=True)
    }
    for row in now.every_change:
        changed = alike.get(row.verdict, row.verdict) != then[row.measure, row.run, row.compared_with]
        yield row.measure, row.chance, changed


class Verdicts:
    """Verdicts as arrays, with the set that each is of."""

    def __init__(self, found: Iterable[Stated]) -> None:
        self.found = list(found)
        self.chance: Floats = np.array([one.chance for one in self.found])
        self.changed: Floats = np.array([one.changed for one in self.found], float)
        self.set = np.unique([one.set for one in self.found], return_inverse=True)[1]

    def of(self, **wanted: str) -> Mask:
        """Those of a collection, a kind or a measure."""
        found: Mask = np.array([all(getattr(one, k) == v for k, v in wanted.items()) for one in self.found], bool)
        return found

    def share(self, some: Mask) -> str:
        """The share that changed."""
        return f"{self.changed[some].mean():.2f}" if some.any() else ""

    def interval(self, some: Mask) -> str:
        """The same with a 95% interval by sets."""
        sets = self.set.max() + 1
        changed, count = (np.bincount(self.set[some], each, sets) for each in (self.changed[some], None))
        weights = np.random.default_rng(0).multinomial(sets, np.full(sets, 1 / sets), RESAMPLES)
        every = weights @ count
        low, high = np.quantile((weights @ changed)[every > 0] / every[every > 0], [0.025, 0.975])
        return f"{self.share(some)} ({low:.3f} to {high:.3f})"

    def brier(self, some: Mask) -> str:
        """Cells: how many, how many changed, the Brier score of a constant and that of the chances."""
        changed = self.changed[some]
        error = ((self.chance[some] - changed) ** 2).mean()
        return f"{len(changed):,} | {changed.mean():.3f} | {changed.var():.3f} | {error:.3f}"


def tables(verdicts: Verdicts) -> None:
    """Classes and Brier scores."""
    names = [*dict.fromkeys(one.collection for one in verdicts.found)]
    kinds = [*dict.fromkeys(one.kind for one in verdicts.found)]
    measures = [*dict.fromkeys(one.measure for one in verdicts.found)]
    every = np.ones(len(verdicts.found), bool)
    groups = {name: verdicts.of(collection=name) for name in names}
    groups |= {kind: verdicts.of(kind=kind) for kind in kinds}
    groups |= {measure: verdicts.of(measure=measure) for measure in measures}
    print(f"\n| stated | mean stated | changed, all (95% by sets) | verdicts | {' | '.join(groups)} |")
    print("|:---|---:|:---|---:|" + "---:|" * len(groups))
    low = 0.0
    for name, high in CLASSES.items():
        here = (verdicts.chance >= low) & (verdicts.chance < high)
        low = high
        if here.any():
            cells = " | ".join(verdicts.share(here & group) for group in groups.values())
            mean = verdicts.chance[here].mean()
            print(f"| {name} | {mean:.2f} | {verdicts.interval(here)} | {here.sum():,} | {cells} |")
    print("\n| of | verdicts | changed | Brier score of a constant | of the chances |\n|:---|---:|---:|---:|---:|")
    for name, group in {"all": every, **groups}.items():
        print(f"| {name} | {verdicts.brier(group)} |")


def main() -> None:
    """Parse the command line, and print how often verdicts changed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.likely", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", type=int, default=3)
    parser.add_argument("--measures", default="P@10 nDCG@10 RBP AP")
    given = parser.parse_args()
    found: list[Stated] = []
    for collection in every_collection(given.data):
        began = time.process_time()
        found += stated(collection, given.sets, given.measures)
        print(f"{collection.name}: {len(found):,} verdicts, {time.process_time() - began:.0f} s", file=sys.stderr)
    tables(Verdicts(found))


if __name__ == "__main__":
    main()
