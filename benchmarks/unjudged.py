"""What is said of unjudged documents, compared with judgments that were hidden.

``python -m benchmarks.unjudged DATA [decided] [chances] [next] [--runs N] [--sets N] [--measures M]``: DATA has
``trec8``, ``covid2``, ``dl21`` and ``classic``.

- ``decided``: how many pairs are decided, and how many of these further judgments reverse.
- ``chances``: how often pairs are reversed, by the chance that was stated; how often the score of a run lies in its
  likely range; and how often the number of relevant documents of a topic lies in its interval. Sets of 2 and of 6 runs
  are drawn at random. In the end, all documents that these runs list are judged, and no others: of TREC-8 the runs
  whose first 100 documents are judged, cut there; of TREC-COVID and Deep Learning without documents that were never
  judged; in the classic collections, documents that are not judged relevant are not relevant.
- ``next``: how soon the order of runs is right, by the rule that says what to judge next; on TREC-8, every other topic.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

import truerank as tr

Judged = dict[str, dict[str, float]]
Lists = dict[str, dict[str, list[str]]]
Rule = Callable[[Judged, Lists, str], list[tuple[str, str]]]
POOLS = (10, 20, 50)
CLASSES = {"under 1%": 0.01, "1 to 5%": 0.05, "5 to 20%": 0.2, "20 to 50%": 0.5, "50 to 80%": 0.8, "over 80%": 2.0}
"""Chances of a reversal that are looked at together, and below which chance each class ends."""
DEPTH, OTHERS = 100, 12
"""How deep lists are looked at, and how many other runs make the pool that the compared runs took no part in."""
SIZES = {2: 2, 6: 1}
"""Runs in a set, and how many such sets are drawn for each one asked for."""
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
            certain = [pair for pair in pairs if not pair.can_reverse]
            wrong = [p for p in certain if after[p.run][measure].mean < after[p.compared_with][measure].mean - 1e-12]
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
    """Depths of pools: of all runs, and but for the last of other runs only, and of the compared runs only."""
    before: Judged | None = None
    """The judgments that there were, where that is known."""

    def hidden(self, count: int, seed: int) -> Iterator[tuple[Lists, Judged, Judged]]:
        """Of some runs drawn at random: their lists, the judgments that a pool leaves, and all of them."""
        rng = random.Random(f"{self.name} {count} {seed}")
        names = sorted(self.lists)
        rng.shuffle(names)
        lists, others = ({n: self.lists[n] for n in sorted(some)} for some in (names[:count], names[count:][:OTHERS]))
        pools = [first(self.every, self.lists, depth) for depth in self.depths]
        for depth in self.depths[:-1]:
            pools += first(self.every, others, depth), first(self.every, lists, depth)
        if self.before is not None:
            pools = [self.before, first(self.before, others, DEPTH)]
        for judged in pools:
            seen = {t: {d for one in lists.values() for d in one.get(t, ())} | judged[t].keys() for t in judged}
            after = {t: {d: g for d, g in self.every[t].items() if d in seen[t]} for t in judged}
            yield lists, judged, after


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


class Stated(NamedTuple):
    """A pair of runs that was open: the chance of a reversal, whether it was reversed, and the set of runs."""

    chance: float
    reversed: bool
    set: str


@dataclass
class Kept:
    """How often likely ranges and intervals held: by measure of runs, and of topics under the name of "relevant"."""

    inside: dict[str, list[bool]] = field(default_factory=dict)

    def add(self, name: str, low: float, value: float, high: float) -> None:
        """One of them."""
        self.inside.setdefault(name, []).append(low - 1e-9 <= value <= high + 1e-9)


def chances(data: Path, sets: int, measures: str) -> None:
    """How often pairs are reversed, by the chance that was stated, and how often ranges held."""
    every: dict[str, list[Stated]] = {}
    ranges: dict[str, Kept] = {}
    for collection in collections(data):
        found, kept = every.setdefault(collection.name, []), ranges.setdefault(collection.name, Kept())
        for count, often in SIZES.items():
            for seed in range(often * sets):
                drawn = f"{collection.name}, {count} runs, set {seed + 1}"
                for lists, some, after in collection.hidden(count, seed):
                    found += _stated(drawn, lists, some, after, measures, kept)
                print(f"{drawn}: {len(found)} open pairs", file=sys.stderr, flush=True)
    print("\n| collection | open pairs | " + " | ".join(CLASSES) + " | Brier | of a constant |")
    print("|:---|---:|" + "---:|" * (len(CLASSES) + 2))
    for name, found in [*every.items(), ("all", [one for some in every.values() for one in some])]:
        print(f"| {name} | {len(found):,} | {classes(found)} | {' | '.join(brier(found))} |")
    heads = [*dict.fromkeys(head for kept in ranges.values() for head in kept.inside)]
    print("\n| collection | " + " | ".join(heads) + " |\n|:---|" + "---:|" * len(heads))
    for name, kept in ranges.items():
        print(f"| {name} | " + " | ".join(f"{np.mean(kept.inside.get(head, [])):.0%}" for head in heads) + " |")


def _stated(drawn: str, lists: Lists, some: Judged, every: Judged, measures: str, kept: Kept) -> Iterator[Stated]:
    found, after = tr.unjudged(some, lists, measures), tr.evaluate(every, lists, measures)
    for pair in found.pairs:
        if pair.can_reverse and pair.chance is not None and abs(pair.difference) > 1e-12:
            better, worse = (after[run][pair.measure].mean for run in (pair.run, pair.compared_with))
            yield Stated(pair.chance, better < worse - 1e-12, drawn)
    for row in found.open_scores:
        if row.likely_low is not None and row.likely_high is not None and row.likely_high > row.likely_low:
            kept.add(row.measure, row.likely_low, after[row.run][row.measure].mean, row.likely_high)
    for topic in found.relevant:
        if topic.high > topic.relevant:
            kept.add("relevant", topic.low, sum(grade > 0 for grade in every[topic.topic].values()), topic.high)


def classes(stated: list[Stated]) -> str:
    """By class: the mean chance, the share that was reversed with its standard error, and how many pairs."""
    cells, low = [], 0.0
    for high in CLASSES.values():
        some = [one for one in stated if low <= one.chance < high]
        low = high
        if not some:
            cells.append("")
            continue
        mean, share = (sum(each) / len(some) for each in ((o.chance for o in some), (o.reversed for o in some)))
        cells.append(f"{mean:.1%} -> {share:.1%} ± {_error(some):.1%} ({len(some):,})")
    return " | ".join(cells)


def _error(stated: list[Stated]) -> float:
    """The standard error of the share that was reversed: sets of runs are independent, their pairs are not."""
    by_set: dict[str, list[bool]] = {}
    for one in stated:
        by_set.setdefault(one.set, []).append(one.reversed)
    share = sum(one.reversed for one in stated) / len(stated)
    off = [sum(each) - share * len(each) for each in by_set.values()]
    return float(np.sqrt(sum(one**2 for one in off))) / len(stated)


def brier(stated: list[Stated]) -> tuple[str, str]:
    """The mean squared error of chances, and of the share that was reversed stated for every pair."""
    chance, came = (np.array(each, float) for each in zip(*((one.chance, one.reversed) for one in stated), strict=True))
    return f"{((chance - came) ** 2).mean():.3f}", f"{came.var():.3f}"


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
        chances(given.data, given.sets, given.measures)


if __name__ == "__main__":
    main()
