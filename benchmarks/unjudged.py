"""What is said of unjudged documents, held against judgments that were hidden.

``python -m benchmarks.unjudged DATA [decided] [chances] [next] [--runs N] [--sets N] [--measures M]``: DATA has
``trec8``, ``covid2``, ``dl21`` and ``classic``.

- ``decided``: how many pairs are decided, and how many of these further judgments reverse.
- ``chances``: how often pairs are reversed, by the chance that was told, in sets of runs drawn by lot. Everything that
  the runs list is judged in the end, and nothing else: of TREC-8 the runs whose first 100 documents are, cut there; of
  TREC-COVID and Deep Learning without what nobody judged; in the classic collections what is not listed as relevant is
  not. Standard errors are those of runs drawn with replacement, for pairs have runs in common.
- ``next``: how soon the order of runs is right, by the rule that says what to judge next; on TREC-8, every other topic.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

import truerank as tr

Judged = dict[str, dict[str, float]]
Lists = dict[str, dict[str, list[str]]]
Rule = Callable[[Judged, Lists, str], list[tuple[str, str]]]
POOLS = (10, 20, 50)
BANDS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
"""Chances of a reversal that are looked at together."""
DEPTH, SET, DRAWN = 100, 12, 200
"""How deep lists are looked at, runs in a set, and how often runs are drawn again for standard errors."""
TEN = 10
BATCH, BATCHES = 20, 6
"""Documents that are judged at a time, and how many times."""


def judgments(path: Path) -> Judged:
    """Grades by topic and document."""
    qrels = tr.read_qrels(str(path))
    found: Judged = {}
    for at, topic in enumerate(qrels.topics):
        rows = range(int(qrels.offsets[at]), int(qrels.offsets[at + 1]))
        found[topic.decode()] = {qrels.docs[row].decode(): float(qrels.grade[row]) for row in rows}
    return found


def pooled(judged: Judged, runs: dict[str, tr.Run], depth: int) -> Judged:
    """The judgments of documents that a run has among its first ones."""
    kept: dict[str, set[str]] = {topic: set() for topic in judged}
    for run in runs.values():
        for topic in {name.decode() for name in run.topics} & judged.keys():
            kept[topic].update(doc for doc, _ in run.ranking(topic)[:depth])
    return {topic: {d: g for d, g in some.items() if d in kept[topic]} for topic, some in judged.items()}


def hidden(data: Path, count: int | None) -> Iterator[tuple[str, dict[str, tr.Run], Judged, Judged]]:
    """Name, runs, the judgments that are left and all of them."""
    paths = sorted((data / "trec8" / "runs").glob("*.gz"))[:count]
    runs = {path.name.removesuffix(".gz"): tr.read_run(str(path)) for path in paths}
    every = judgments(data / "trec8" / "qrels.gz")
    for depth in POOLS:
        yield f"TREC-8, pool {depth}", runs, pooled(every, runs, depth), every
    paths = sorted((data / "covid2" / "runs").iterdir())[:count]
    runs = {path.name.removesuffix(".gz"): tr.read_run(str(path)) for path in paths}
    before, every = covid(data)
    yield "TREC-COVID 2", runs, before, every


def covid(data: Path) -> tuple[Judged, Judged]:
    """The judgments of the second round of TREC-COVID, and what later ones added."""
    before, after = judgments(data / "covid2" / "qrels.gz"), judgments(data / "covid2" / "qrels-complete.gz")
    # Documents of the first round were taken out of the runs, and are not what these are scored by.
    early = judgments(data / "covid2" / "qrels-rounds-1-2.gz")
    every = {t: {d: g for d, g in after[t].items() if d in before[t] or d not in early[t]} for t in before}
    return before, {t: {**every[t], **before[t]} for t in before}


def decided(data: Path, count: int | None, measures: str) -> None:
    """How many pairs are decided, and how many of these further judgments reverse."""
    print(
        "\n| judgments | measure | pairs | decided | reversed | scores out of bounds |\n|:---|:---|---:|---:|---:|---:|"
    )
    for name, runs, some, every in hidden(data, count):
        found, after = tr.unjudged(some, runs, measures), tr.evaluate(every, runs, measures)
        for measure in found.measures:
            pairs = [pair for pair in found.pairs if pair.measure == measure]
            certain = [pair for pair in pairs if pair.decided]
            wrong = [p for p in certain if after[p.better][measure].mean < after[p.worse][measure].mean - 1e-12]
            rows = [(found[run][measure], after[run][measure].mean) for run in runs]
            out = sum(not (row.low or 0.0) - 1e-12 <= mean <= (row.high or 0.0) + 1e-12 for row, mean in rows)
            print(
                f"| {name} | {measure} | {len(pairs)} | {len(certain)} | {len(wrong)} | {out} of {len(runs)} |",
                flush=True,
            )


@dataclass(frozen=True)
class Collection:
    """Lists of which every document is judged in the end, and pools that there may have been before."""

    name: str
    lists: Lists
    every: Judged
    depths: tuple[int, ...] = ()
    """Depths of pools of all runs; those but the last also of half of them, and the first of a quarter."""
    before: Judged | None = None
    """The judgments that there were, where that is known."""

    def hidden(self, count: int, seed: int) -> Iterator[tuple[str, Lists, Judged, Judged]]:
        """Of some of the runs, by lot: what was judged, the lists, the judgments that are left and all of them."""
        rng = random.Random(f"{self.name}{seed}")
        names = sorted(rng.sample(sorted(self.lists), min(count, len(self.lists))))
        lists = {name: self.lists[name] for name in names}
        some = {share: {n: lists[n] for n in rng.sample(names, max(2, len(names) // share))} for share in (2, 4)}
        pools = [(f"pool {depth}", first(self.every, lists, depth)) for depth in self.depths]
        pools += [(f"pool {depth} of half", first(self.every, some[2], depth)) for depth in self.depths[:-1]]
        pools += [(f"pool {depth} of a quarter", first(self.every, some[4], depth)) for depth in self.depths[:1]]
        if self.before is not None:
            pools = [("round 2", self.before), ("round 2 of half", first(self.before, some[2], DEPTH))]
        for name, judged in pools:
            seen = {t: {d for one in lists.values() for d in one.get(t, ())} | judged[t].keys() for t in judged}
            after = {t: {d: g for d, g in self.every[t].items() if d in seen[t]} for t in judged}
            yield f"{self.name}, {name}", lists, judged, after


def collections(data: Path) -> Iterator[Collection]:
    """Those that there are."""
    every = judgments(data / "trec8" / "qrels.gz")
    lists = listed(sorted((data / "trec8" / "runs").glob("*.gz")), every, DEPTH)
    lists = {n: some for n, some in lists.items() if all(d in every[t] for t, docs in some.items() for d in docs)}
    yield Collection("TREC-8", lists, every, (10, 20, 50))
    before, every = covid(data)
    yield Collection("TREC-COVID 2", within(data / "covid2" / "runs", every), every, before=before)
    every = judgments(data / "dl21" / "judges" / "nist.gz")
    yield Collection("DL 2021", within(data / "dl21" / "runs", every), every, (3, 5))
    for name in ("cranfield", "med", "cisi"):
        every = judgments(data / "classic" / name / "qrels.txt")
        lists = listed(sorted((data / "classic" / name / "runs").iterdir()), every, DEPTH)
        for some in lists.values():
            for topic, docs in some.items():
                every[topic] = {**dict.fromkeys(docs, 0.0), **every[topic]}
        yield Collection(name, lists, every, (5, 10, 20))


def within(runs: Path, judged: Judged) -> Lists:
    """The first judged documents of runs."""
    lists = listed(sorted(runs.iterdir()), judged, None)
    return {
        n: {t: [d for d in docs if d in judged[t]][:DEPTH] for t, docs in some.items()} for n, some in lists.items()
    }


def listed(paths: list[Path], judged: Judged, depth: int | None) -> Lists:
    """By run and topic, the first documents."""
    found: Lists = {}
    for path in paths:
        run = tr.read_run(str(path))
        topics = {name.decode() for name in run.topics} & judged.keys()
        found[path.name.removesuffix(".gz")] = {t: [d for d, _ in run.ranking(t)[:depth]] for t in sorted(topics)}
    return found


def first(judged: Judged, lists: Lists, depth: int) -> Judged:
    """The judgments of documents that stand among the first of a list."""
    kept: dict[str, set[str]] = {topic: set() for topic in judged}
    for some in lists.values():
        for topic, docs in some.items():
            kept[topic].update(docs[:depth])
    return {topic: {d: g for d, g in some.items() if d in kept[topic]} for topic, some in judged.items()}


def chances(data: Path, count: int, sets: int, measures: str) -> None:
    """How often pairs are reversed, by the chance that was told of them."""
    print("\n| judgments | open pairs | " + " | ".join(map(band, range(len(BANDS) - 1))) + " |")
    print("|:---|---:|" + "---:|" * (len(BANDS) - 1))
    every: list[Told] = []
    for collection in collections(data):
        found: list[Told] = []
        for seed in range(sets):
            for name, lists, some, after in collection.hidden(count, seed):
                told = [*_told(collection.name, lists, some, after, measures)]
                print(f"{name}, set {seed + 1}: {len(told)} open pairs", file=sys.stderr, flush=True)
                found += told
        print(f"| {collection.name} | {len(found)} | {bands(found)} |", flush=True)
        every += found
    print(f"| all | {len(every)} | {bands(every)} |")


class Told(NamedTuple):
    """A pair of runs that was open."""

    chance: float
    reversed: bool
    runs: tuple[str, str]


def _told(name: str, lists: Lists, some: Judged, every: Judged, measures: str) -> Iterator[Told]:
    found, after = tr.unjudged(some, lists, measures), tr.evaluate(every, lists, measures)
    for pair in found.pairs:
        if not pair.decided and pair.chance is not None and pair.difference > 1e-12:
            both = f"{name} {pair.better}", f"{name} {pair.worse}"
            yield Told(pair.chance, _behind(after, pair.measure, pair.better, pair.worse), both)


def _behind(after: tr.Scores, measure: str, better: str, worse: str) -> bool:
    return after[better][measure].mean < after[worse][measure].mean - 1e-12


def band(at: int) -> str:
    """What a band of chances is called."""
    return f"{BANDS[at]:.0%} to {BANDS[at + 1]:.0%}"


def bands(told: list[Told]) -> str:
    """By the chance that was told: the mean of it, the share that was reversed, its standard error, how many pairs."""
    cells = []
    for low, high in pairwise(BANDS):
        some = [one for one in told if low <= one.chance < high or one.chance == high == 1]
        if not some:
            cells.append("")
            continue
        mean, share = (sum(each) / len(some) for each in ((o.chance for o in some), (o.reversed for o in some)))
        cells.append(f"{mean:.1%}, {share:.1%} ± {_error(some):.1%} ({len(some)})")
    return " | ".join(cells)


def _error(told: list[Told]) -> float:
    """The standard error of the share that was reversed, less what was told, with runs drawn again."""
    runs = sorted({run for one in told for run in one.runs})
    number = {run: at for at, run in enumerate(runs)}
    a, b = (np.array([number[one.runs[side]] for one in told]) for side in (0, 1))
    off = np.array([one.reversed - one.chance for one in told])
    rng, found = np.random.default_rng(1), []
    for _ in range(DRAWN):
        often = np.bincount(rng.integers(0, len(runs), len(runs)), minlength=len(runs))
        weight = often[a] * often[b]
        if weight.any():
            found.append(float(np.average(off, weights=weight)))
    return float(np.std(found))


def judging(data: Path, count: int | None, measure: str) -> None:
    """How many pairs are in the wrong order after so many judgments, by the rule that says what to judge next."""
    every = dict(sorted(judgments(data / "trec8" / "qrels.gz").items())[::2])
    lists = listed(sorted((data / "trec8" / "runs").glob("*.gz")), every, 100)
    lists = {n: some for n, some in lists.items() if all(d in every[t] for t, docs in some.items() for d in docs)}
    sets = [dict([*lists.items()][place :: len(lists) // TEN][:TEN]) for place in range(count or 3)]
    rules: dict[str, Rule] = {
        "open pairs, chances by the model": partial(advised, aim="pairs", draws=100),
        "scores, chances by the model": partial(advised, aim="scores", draws=1),
        "scores, even chances": partial(advised, aim="scores", draws=0),
        "pool order": in_order,
        "random": at_random,
    }
    print(f"\n| what to judge next, {measure} | " + " | ".join(str(BATCH * n) for n in range(BATCHES + 1)) + " |")
    print("|:---|" + "---:|" * (BATCHES + 1))
    for name, rule in rules.items():
        wrong = [0] * (BATCHES + 1)
        for runs in sets:
            # Every other run made the pool, so that the others have much that nobody judged.
            known = first(every, dict([*runs.items()][::2]), 5)
            goal = tr.evaluate(every, runs, measure)
            for step in range(BATCHES + 1):
                wrong[step] += misplaced(goal, tr.evaluate(known, runs, measure), measure)
                if step < BATCHES:
                    for topic, doc in rule(known, runs, measure):
                        known[topic] = {**known[topic], doc: every[topic][doc]}
        pairs = len(sets) * TEN * (TEN - 1) // 2
        print(f"| {name} | " + " | ".join(f"{each / pairs:.1%}" for each in wrong) + " |", flush=True)


def misplaced(goal: tr.Scores, now: tr.Scores, measure: str) -> int:
    """Pairs of runs that are not in the order of all judgments."""
    return sum(
        (goal[a][measure].mean - goal[b][measure].mean) * (now[a][measure].mean - now[b][measure].mean) <= 0
        for a, b in combinations(goal, 2)
    )


def advised(known: Judged, runs: Lists, measure: str, *, aim: str, draws: int) -> list[tuple[str, str]]:
    """What ``--next`` says."""
    found = tr.unjudged(known, runs, measure, next=BATCH, aim=aim, draws=draws).next
    return [(one.topic, one.doc) for one in found]


def in_order(known: Judged, runs: Lists, measure: str) -> list[tuple[str, str]]:
    """By the best rank that a run gives a document."""
    best: dict[tuple[str, str], int] = {}
    for some in runs.values():
        for topic, docs in some.items():
            for rank, doc in enumerate(docs):
                if doc not in known[topic]:
                    best[topic, doc] = min(rank, best.get((topic, doc), rank))
    return sorted(best, key=lambda one: (best[one], one))[:BATCH]


def at_random(known: Judged, runs: Lists, measure: str) -> list[tuple[str, str]]:
    """Any document that a run has among its first ten."""
    open_ = {(t, d) for some in runs.values() for t, docs in some.items() for d in docs[:TEN] if d not in known[t]}
    return random.Random(len(open_)).sample(sorted(open_), min(BATCH, len(open_)))


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("what", nargs="*", default=["decided"])
    parser.add_argument("--runs", type=int, default=None)
    parser.add_argument("--sets", type=int, default=1)
    parser.add_argument("--measures", default="nDCG@10 P@10 RBP AP")
    given = parser.parse_args()
    for what, ask in {"decided": decided, "next": judging}.items():
        if what in given.what:
            ask(given.data, given.runs, given.measures)
    if "chances" in given.what:
        chances(given.data, given.runs or SET, given.sets, given.measures)


if __name__ == "__main__":
    main()
