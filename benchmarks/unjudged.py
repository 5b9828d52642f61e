"""What is said of unjudged documents, held against judgments that were hidden.

``python -m benchmarks.unjudged DATA [decided] [--runs N] [--measures M]``: DATA has ``trec8`` and ``covid2``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import truerank as tr

Judged = dict[str, dict[str, float]]
POOLS = (10, 20, 50)


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
    before, after = judgments(data / "covid2" / "qrels.gz"), judgments(data / "covid2" / "qrels-complete.gz")
    # Documents of the first round were taken out of the runs, and are not what these are scored by.
    first = judgments(data / "covid2" / "qrels-rounds-1-2.gz")
    every = {t: {d: g for d, g in after[t].items() if d in before[t] or d not in first[t]} for t in before}
    yield "TREC-COVID 2", runs, before, {t: {**every[t], **before[t]} for t in before}


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


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("what", nargs="*", default=["decided"])
    parser.add_argument("--runs", type=int, default=None)
    parser.add_argument("--measures", default="nDCG@10 P@10 RBP AP")
    given = parser.parse_args()
    if "decided" in given.what:
        decided(given.data, given.runs, given.measures)


if __name__ == "__main__":
    main()
