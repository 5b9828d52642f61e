"""Estimates from a machine's judgments and a sample of human ones, next to what all human judgments give.

``python -m benchmarks.audit DATA [documents] [topics] [compare] [--samples N]``: DATA has ``dl21``, with runs and
several judges; the other collection is simulated, with a machine that errs on every seventh document. All human
judgments but a sample are hidden. Printed is how often 95% intervals have the value by all of them, how far estimates
are off on average, and half of the mean length of intervals; next to the same by the human sample alone, without the
machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import truerank as tr

OF_DOCUMENTS = ("P@10", "DCG@10", "RBP")
OF_TOPICS = ("nDCG@10", "AP", "R@100")
SIZES = (200, 500, 1000)
TOPICS = (10, 20, 30)
RUNS = 6
"""Runs that are compared on topics drawn anew."""
Labels = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Collection:
    """Runs, judged by people and by a machine."""

    name: str
    people: Labels
    machine: Labels
    runs: Mapping[str, tr.Run]


def collections(data: Path) -> Iterator[Collection]:
    """The simulated track of the how-to page, also with a worthless machine; and TREC Deep Learning 2021 with two."""
    track = tr.simulate(systems=6, topics=50, seed=7)
    people = labels(track.qrels)
    at, machine = 0, {}
    for topic, docs in people.items():
        machine[topic] = dict(docs)
        for doc, grade in docs.items():
            if at % 7 == 0:
                machine[topic][doc] = 1 - min(grade, 1.0)
            at += 1
    yield Collection("simulated", people, machine, track.runs)
    rng = np.random.default_rng(1)
    worthless = {topic: {doc: float(rng.integers(0, 4)) for doc in docs} for topic, docs in people.items()}
    yield Collection("simulated, random labels", people, worthless, track.runs)
    folder = data / "dl21"
    people = labels(tr.read_qrels(str(folder / "judges" / "nist.gz")))
    # Every second run says the same in half the time.
    paths = sorted((folder / "runs").iterdir())[::2]
    runs = {path.name.removesuffix(".xz"): tr.read_run(str(path)) for path in paths}
    for name in ("umbrela-gpt4", "binary-llama3.2"):
        judged = labels(tr.read_qrels(str(folder / "judges" / f"{name}.gz")))
        # One judge has a few documents less.
        machine = {topic: {doc: judged.get(topic, {}).get(doc, 0.0) for doc in docs} for topic, docs in people.items()}
        yield Collection(f"DL 2021, {name}", people, machine, runs)


def labels(qrels: tr.Qrels) -> Labels:
    """Grades by topic and document."""
    ends = zip(qrels.topics, qrels.offsets, qrels.offsets[1:], strict=False)
    return {
        topic.decode(): {qrels.docs[row].decode(): float(qrels.grade[row]) for row in range(first, last)}
        for topic, first, last in ends
    }


def chosen(people: Labels, pairs: list[tuple[str, str]]) -> Labels:
    """The human labels of some documents."""
    found: Labels = {}
    for topic, doc in pairs:
        found.setdefault(topic, {})[doc] = people[topic][doc]
    return found


def drawn(machine: tr.Qrels, runs: Mapping[str, tr.Run], measure: str, size: int, seed: int) -> Labels:
    """The probabilities of documents that --next draws."""
    found: Labels = {}
    for row in tr.audit(machine, runs, measure, next=size, seed=seed).next:
        found.setdefault(row.topic, {})[row.doc] = row.probability
    return found


def pairs_of(labelled: Labels) -> list[tuple[str, str]]:
    """Topics and documents."""
    return [(topic, doc) for topic, docs in labelled.items() for doc in docs]


def _inside(low: float | None, truth: float, high: float | None) -> float:
    return np.nan if low is None or high is None else float(low <= truth <= high)


def _half(low: float | None, high: float | None) -> float:
    return np.nan if low is None or high is None else (high - low) / 2


def says(name: str, measure: str, sample: str, found: list[tr.Audit], truth: dict[str, dict[str, float]]) -> None:
    """Print a row: over samples and runs."""
    outcomes = []
    for audit in found:
        for run, scores in truth.items():
            row, true = audit[run][measure], scores[measure]
            ends = (row.low, row.high), (row.alone_low, row.alone_high)
            held, alone_held = (_inside(low, true, high) for low, high in ends)
            outcomes.append((held, row.score - true, _half(*ends[0]), alone_held, _half(*ends[1])))
    held, off, half, alone_held, alone_half = np.nanmean(outcomes, axis=0)
    worst = np.nanmean(np.array(outcomes)[:, 0].reshape(len(found), len(truth)), axis=0).min()
    apart = [
        _inside(pair.low, truth[pair.run][measure] - truth[pair.compared_with][measure], pair.high)
        for audit in found
        for pair in audit.pairs
        if pair.measure == measure
    ]
    shares = [f"{share:.3f}".removeprefix("0") for share in (held, worst, np.nanmean(apart), alone_held)]
    print(
        f"| {name} | {measure} | {sample} | {' | '.join(shares[:3])} | {off:+.3f} | {half:.3f} | {shares[3]} | "
        f"{alone_half:.3f} |",
        flush=True,
    )


HEAD = (
    "| collection | measure | sample | held | worst run | differences held | bias | half | alone held | alone half |\n"
    "|:---|:---|:---|---:|---:|---:|---:|---:|---:|---:|"
)
COMPARE_HEAD = "| collection | measure | sample | differences held | bias | half |\n|:---|:---|:---|---:|---:|---:|"


def documents(collection: Collection, samples: int) -> None:
    """Samples of documents, at random and by --next."""
    people, runs, machine = collection.people, collection.runs, tr.read_qrels(collection.machine)
    every, both = pairs_of(people), " ".join(OF_DOCUMENTS)
    truth = tr.evaluate(people, runs, both).means()
    for size in SIZES:
        rng = np.random.default_rng(size)
        found = []
        for _ in range(samples):
            some = [every[at] for at in rng.choice(len(every), size, replace=False)]
            found.append(tr.audit(machine, runs, both, people=chosen(people, some)))
        for measure in OF_DOCUMENTS:
            says(collection.name, measure, f"{size:,} documents at random", found, truth)
    for measure in OF_DOCUMENTS:
        for size in SIZES:
            found = []
            for seed in range(samples):
                chance = drawn(machine, runs, measure, size, seed)
                judged = chosen(people, pairs_of(chance))
                found.append(tr.audit(machine, runs, measure, people=judged, sample=chance))
            says(collection.name, measure, f"{size:,} documents by --next", found, truth)


def topics(collection: Collection, samples: int) -> None:
    """Samples of whole topics."""
    people, runs, machine = collection.people, collection.runs, tr.read_qrels(collection.machine)
    names, every = sorted(people), " ".join(OF_TOPICS)
    truth = tr.evaluate(people, runs, every).means()
    for count in TOPICS:
        rng, found = np.random.default_rng(count), []
        for _ in range(samples):
            some = [names[at] for at in rng.choice(len(names), count, replace=False)]
            found.append(tr.audit(machine, runs, every, people={name: people[name] for name in some}))
        for measure in OF_TOPICS:
            says(collection.name, measure, f"{count} topics at random", found, truth)


def redrawn(collection: Collection, lists: dict[str, dict[str, dict[str, float]]], seed: int) -> Collection:
    """As many topics, drawn with replacement; each has a name of its own."""
    names = sorted(collection.people)
    again = [names[at] for at in np.random.default_rng(seed).integers(0, len(names), len(names))]

    def named(of: Mapping[str, dict[str, float]]) -> Labels:
        return {f"{at:03}": of[topic] for at, topic in enumerate(again) if topic in of}

    return Collection(
        collection.name,
        named(collection.people),
        named(collection.machine),
        {name: tr.read_run(named(ranked), name) for name, ranked in lists.items()},
    )


def compare(collection: Collection, samples: int) -> None:
    """``compare --people`` on topics drawn anew: intervals of differences, and how long they are by all labels."""
    few = list(collection.runs)[:: max(len(collection.runs) // RUNS, 1)][:RUNS]
    lists = {
        name: {topic.decode(): dict(run.ranking(topic.decode())) for topic in run.topics}
        for name, run in collection.runs.items()
        if name in few
    }
    truth = tr.evaluate(collection.people, lists, " ".join(OF_DOCUMENTS)).means()
    found: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for seed in range(samples):
        one = redrawn(collection, lists, seed)
        machine, every, rng = tr.read_qrels(one.machine), pairs_of(one.people), np.random.default_rng(seed)
        certain = {topic: dict.fromkeys(docs, 1.0) for topic, docs in one.people.items()}
        for measure in OF_DOCUMENTS:
            designs = {"by all labels": certain}
            for size in SIZES[:2]:
                some = [every[at] for at in rng.choice(len(every), size, replace=False)]
                designs[f"{size:,} documents at random"] = chosen(_evenly(one.people, size / len(every)), some)
                designs[f"{size:,} documents by --next"] = drawn(machine, one.runs, measure, size, seed)
            for design, chance in designs.items():
                judged = chosen(one.people, pairs_of(chance))
                compared = tr.compare(machine, one.runs, measure, people=judged, sample=chance, correction="none")
                for pair in compared[measure].pairs:
                    true = truth[pair.run][measure] - truth[pair.compared_with][measure]
                    outcome = _inside(pair.low, true, pair.high), pair.difference - true, (pair.high - pair.low) / 2
                    found.setdefault((measure, design), []).append(outcome)
    for (measure, design), outcomes in found.items():
        held, off, half = np.nanmean(outcomes, axis=0)
        told = f"{held:.3f}".removeprefix("0")
        print(f"| {collection.name} | {measure} | {design} | {told} | {off:+.4f} | {half:.3f} |", flush=True)


def _evenly(people: Labels, chance: float) -> Labels:
    return {topic: dict.fromkeys(docs, chance) for topic, docs in people.items()}


TABLES = {"documents": documents, "topics": topics, "compare": compare}


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.audit", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}; all by default")
    parser.add_argument("--samples", type=int, default=100)
    args = parser.parse_args()
    for table in args.tables or TABLES:
        print("\n" + (COMPARE_HEAD if table == "compare" else HEAD))
        for collection in collections(args.data):
            TABLES[table](collection, args.samples)


if __name__ == "__main__":
    main()
