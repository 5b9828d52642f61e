"""What random judgments cost: ``python -m benchmarks.judges [--runs N] [--topics N] [--judged N]``.

A track of runs that are in memory is evaluated by ten measures, with plain judgments and with the mean over random
ones; prints a Markdown table of processor time, as a multiple of that with plain judgments.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import truerank as tr

MEASURES = "nDCG@10 AP P@10 R@100 RR RBP(p=0.8) ERR@20 bpref Rprec nDCG"
GRADES = 4


def track(
    runs: int, topics: int, judged: int, seed: int = 1
) -> tuple[dict[str, dict[str, list[float]]], dict[str, tr.Run]]:
    """Probabilities over four grades, and runs that list 100 documents, most of them judged."""
    rng = np.random.default_rng(seed)
    chance = rng.dirichlet(np.full(GRADES, 0.5), (topics, judged))
    said = {f"q{t}": {f"d{d}": chance[t, d].tolist() for d in range(judged)} for t in range(topics)}
    worth = chance @ np.arange(GRADES)
    listed = {}
    for run in range(runs):
        score = worth + rng.normal(0, 1, worth.shape)
        best = np.argsort(-score, axis=1)[:, :100]
        listed[f"run{run}"] = tr.read_run(
            {f"q{t}": {f"d{d}": float(score[t, d]) for d in best[t]} for t in range(topics)}, f"run{run}"
        )
    return said, listed


def seconds(judges: tr.Judges, runs: dict[str, tr.Run], measures: str, how: str) -> float:
    """Processor time of an evaluation."""
    start = time.process_time()
    tr.evaluate(judges, runs, measures, judges=how)
    return time.process_time() - start


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    for option, default in (("runs", 32), ("topics", 53), ("judged", 204)):
        parser.add_argument(f"--{option}", type=int, default=default)
    args = parser.parse_args()
    said, runs = track(args.runs, args.topics, args.judged)
    judges = tr.read_judges({"machine": tr.read_judges(said)["judge"]})
    plain = seconds(judges, runs, MEASURES, "majority")
    print("| measures | mean over random judgments | times plain judgments |\n|:---|---:|---:|")
    for measures in (*MEASURES.split(), MEASURES):
        taken = seconds(judges, runs, measures, "expected")
        alone = seconds(judges, runs, measures, "majority") if measures != MEASURES else plain
        name = "all ten" if measures == MEASURES else measures
        print(f"| {name} | {taken:.1f} s | {taken / alone:.1f} |", flush=True)


if __name__ == "__main__":
    main()
