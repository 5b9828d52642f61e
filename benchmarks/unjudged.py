"""What is said of unjudged documents, held against judgments that were hidden.

``python -m benchmarks.unjudged DATA [decided] [chances] [next] [--runs N] [--measures M]``: DATA has ``trec8`` and
``covid2``.

- ``decided``: how many pairs are decided, and how many of these further judgments reverse.
- ``chances``: how often pairs are reversed, by the chance that was told. Everything that the runs list is judged in the
  end: of TREC-8 the runs whose first 100 documents are, cut there; of TREC-COVID without what no round judged.
- ``next``: how soon the order of runs is right, by the rule that says what to judge next; on TREC-8, every other topic.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path

import truerank as tr

Judged = dict[str, dict[str, float]]
Lists = dict[str, dict[str, list[str]]]
Rule = Callable[[Judged, Lists, str], list[tuple[str, str]]]
POOLS = (10, 20, 50)
BANDS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
"""Chances of a reversal that are looked at together."""
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


def complete(data: Path, count: int | None) -> Iterator[tuple[str, Lists, Judged, Judged]]:
    """Name, lists of which every document is judged in the end, the judgments that are left and all of them."""
    every = judgments(data / "trec8" / "qrels.gz")
    lists = listed(sorted((data / "trec8" / "runs").glob("*.gz")), every, 100)
    lists = {n: some for n, some in lists.items() if all(d in every[t] for t, docs in some.items() for d in docs)}
    lists = dict([*lists.items()][:count])
    for depth in POOLS:
        yield f"TREC-8, pool {depth}", lists, first(every, lists, depth), every
    half = dict([*lists.items()][::2])
    for depth in POOLS[:2]:
        yield f"TREC-8, pool {depth} of every other run", lists, first(every, half, depth), every
    before, every = covid(data)
    lists = listed(sorted((data / "covid2" / "runs").iterdir())[:count], every, None)
    lists = {n: {t: [d for d in docs if d in every[t]] for t, docs in some.items()} for n, some in lists.items()}
    yield "TREC-COVID 2", lists, before, every


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


def chances(data: Path, count: int | None, measures: str) -> None:
    """How often pairs are reversed, by the chance that was told of them."""
    print("\n| judgments | measure | open pairs | " + " | ".join(map(band, range(len(BANDS) - 1))) + " |")
    print("|:---|:---|---:|" + "---:|" * (len(BANDS) - 1))
    every_one: list[tuple[float, bool]] = []
    for name, lists, some, every in complete(data, count):
        found, after = tr.unjudged(some, lists, measures), tr.evaluate(every, lists, measures)
        for measure in found.measures:
            pairs = [p for p in found.undecided(measure) if p.chance is not None and p.difference > 1e-12]
            told = [(p.chance or 0.0, _behind(after, measure, p.better, p.worse)) for p in pairs]
            every_one += told
            print(f"| {name} | {measure} | {len(pairs)} | {bands(told)} |", flush=True)
    print(f"| all | | {len(every_one)} | {bands(every_one)} |")


def _behind(after: tr.Scores, measure: str, better: str, worse: str) -> bool:
    return after[better][measure].mean < after[worse][measure].mean - 1e-12


def band(at: int) -> str:
    """What a band of chances is called."""
    return f"{BANDS[at]:.0%} to {BANDS[at + 1]:.0%}"


def bands(told: list[tuple[float, bool]]) -> str:
    """By the chance that was told: the mean of it, the share that was reversed, and how many pairs that are."""
    cells = []
    for low, high in pairwise(BANDS):
        some = [(chance, turned) for chance, turned in told if low <= chance < high or chance == high == 1]
        mean, share = (sum(each) / max(len(some), 1) for each in zip(*some, strict=True)) if some else (0.0, 0.0)
        cells.append(f"{mean:.1%}, {share:.1%} ({len(some)})" if some else "")
    return " | ".join(cells)


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
    parser.add_argument("--measures", default="nDCG@10 P@10 RBP AP")
    given = parser.parse_args()
    for what, ask in {"decided": decided, "chances": chances, "next": judging}.items():
        if what in given.what:
            ask(given.data, given.runs, given.measures)


if __name__ == "__main__":
    main()
