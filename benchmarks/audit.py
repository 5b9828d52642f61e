"""Intervals of what people would say, held against all that they said.

``python -m benchmarks.audit DATA [--samples N]``: DATA has ``dl21``, with runs and several judges. All labels of people
but a sample are hidden; what is counted is how often intervals have the value by all of them, and how long they are.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import truerank as tr

MACHINES = ("umbrela-gpt4", "binary-llama3.2")
MEASURES = ("P@10", "DCG@10")
SIZES = (200, 500, 1000)
TOPICS = (10, 20, 30)
Labels = dict[str, dict[str, float]]


def labels(path: Path) -> Labels:
    """Grades by topic and document."""
    qrels = tr.read_qrels(str(path))
    ends = zip(qrels.topics, qrels.offsets, qrels.offsets[1:], strict=False)
    return {
        topic.decode(): {qrels.docs[row].decode(): float(qrels.grade[row]) for row in range(first, last)}
        for topic, first, last in ends
    }


def chosen(people: Labels, pairs: list[tuple[str, str]]) -> Labels:
    """The labels of some documents."""
    found: Labels = {}
    for topic, doc in pairs:
        found.setdefault(topic, {})[doc] = people[topic][doc]
    return found


def held(
    found: tr.Audit, truth: dict[str, dict[str, float]], measure: str
) -> tuple[list[bool], list[bool], float, float]:
    """Of scores and of differences, which intervals hold; and half of the mean length, with the machine and without."""
    rows = [row for row in found.scores if row.low is not None and row.high is not None]
    scores = [row.low <= truth[row.run][measure] <= row.high for row in rows]  # type: ignore[operator]
    pairs = [
        pair.low <= truth[pair.run][measure] - truth[pair.compared_with][measure] <= pair.high
        for pair in found.pairs
        if pair.low is not None and pair.high is not None
    ]
    half = float(np.mean([row.half for row in rows]))
    alone = [
        (row.alone_high - row.alone_low) / 2 for row in rows if row.alone_high is not None and row.alone_low is not None
    ]
    return scores, pairs, half, float(np.mean(alone))


def main() -> None:
    """Print a row for each machine, measure, design and size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.audit", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--samples", type=int, default=40)
    args = parser.parse_args()
    folder = args.data / "dl21"
    people = labels(folder / "judges" / "nist.gz")
    runs = {path.name.removesuffix(".xz"): tr.read_run(str(path)) for path in sorted((folder / "runs").iterdir())}
    every = [(topic, doc) for topic, docs in people.items() for doc in docs]
    print("| machine | measure | sample | held | differences held | half | without the machine |")
    print("|:---|:---|:---|---:|---:|---:|---:|")
    for machine in MACHINES:
        judged = labels(folder / "judges" / f"{machine}.gz")
        # One judge has a few documents less.
        judged = {topic: {doc: judged.get(topic, {}).get(doc, 0.0) for doc in docs} for topic, docs in people.items()}
        for measure in MEASURES:
            truth = tr.evaluate(people, runs, measure).means()
            for size in SIZES:
                for design in ("at random", "by --next"):
                    rng, outcomes = np.random.default_rng(size), []
                    for seed in range(args.samples):
                        if design == "at random":
                            some = [every[at] for at in rng.choice(len(every), size, replace=False)]
                            found = tr.audit(judged, runs, measure, people=chosen(people, some))
                        else:
                            drawn = tr.audit(judged, runs, measure, next=size, seed=seed).next
                            some = [(row.topic, row.doc) for row in drawn]
                            chance: Labels = {}
                            for row in drawn:
                                chance.setdefault(row.topic, {})[row.doc] = row.probability
                            found = tr.audit(judged, runs, measure, people=chosen(people, some), sample=chance)
                        outcomes.append(held(found, truth, measure))
                    _say(machine, measure, f"{size:,} documents {design}", outcomes)
        truth = tr.evaluate(people, runs, "nDCG@10").means()
        for count in TOPICS:
            rng, outcomes = np.random.default_rng(count), []
            for _ in range(args.samples):
                names = [sorted(people)[at] for at in rng.choice(len(people), count, replace=False)]
                found = tr.audit(judged, runs, "nDCG@10", people={name: people[name] for name in names})
                outcomes.append(held(found, truth, "nDCG@10"))
            _say(machine, "nDCG@10", f"{count} topics at random", outcomes)


def _say(machine: str, measure: str, sample: str, outcomes: list[tuple[list[bool], list[bool], float, float]]) -> None:
    scores, pairs, half, alone = zip(*outcomes, strict=True)
    shares = [float(np.mean([one for some in each for one in some])) for each in (scores, pairs)]
    told = [f"{share:.3f}".lstrip("0") for share in shares]
    print(
        f"| {machine} | {measure} | {sample} | {told[0]} | {told[1]} | {np.mean(half):.3f} | {np.mean(alone):.3f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
