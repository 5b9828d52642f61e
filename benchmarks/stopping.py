"""The study of stopping rules: ``python -m benchmarks.stopping FOLDER [--seeds N]``.

FOLDER holds classic/cranfield, classic/med and classic/cisi, each with qrels.txt and a folder of runs, and trec8 with
qrels.gz and a folder of runs; what is not there is left out. Prints two Markdown tables: every run, and the mean over
runs of the share of the possible improvement that each rule reaches.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from truerank.questions.stop.question import RuleComparison, stop
from truerank.questions.stop.rules import RULES

SIZES = {"classic/cranfield": 1400, "classic/med": 1033, "classic/cisi": 1460, "trec8": 528_155}
"""Documents of each collection."""
RUNS = {"bm25": "bm25_lucene_1.2_0.75_stem_stop", "tfidf": "tfidf_cos", "lm": "lmdir1000", "lsi": "lsi200"}
EVERY = 13
"""Of the many runs of TREC-8, every so many."""
MEASURES = ("RBPU", "RBPU(p=0.98)", "OIE(size={})", "F")


def found(folder: Path, seed: int) -> Iterator[tuple[str, str, str, RuleComparison]]:
    """Collection, measure, run and how the rules did."""
    for name, size in SIZES.items():
        runs = {short: folder / name / "runs" / f"{run}.run.gz" for short, run in RUNS.items()}
        if name == "trec8":
            runs = {path.name.partition(".")[0]: path for path in sorted((folder / name / "runs").glob("*"))[::EVERY]}
        [*qrels] = (folder / name).glob("qrels.*")
        if not qrels:
            continue
        every = stop(qrels[0], runs, " ".join(MEASURES).format(size), seed=seed)
        for measure, run, one in every.comparisons():
            yield Path(name).name, measure.partition("(size")[0], run, one


def marked(one: RuleComparison, rule: str) -> str:
    """A score; + better than whole lists, - worse, ! better than a fixed length, all by more than chance."""
    return f"{one[rule].mean:.4f}{('', '+', '-')[one.effect(rule)]}{'!' * one.beats_fixed(rule)}"


def line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("folder", type=Path)
    given.add_argument("--seeds", type=int, default=5, help="how many divisions into folds the shares are means over")
    args = given.parse_args()
    print(line("collection", "measure", "run", "whole list", *RULES, "oracle"))
    print(line(*["---"] * 3, *["---:"] * (len(RULES) + 2)))
    shares: dict[tuple[str, str], list[list[float]]] = {}
    ends: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for seed in range(args.seeds):
        for collection, measure, run, one in found(args.folder, seed):
            shares.setdefault((collection, measure), []).append([one.share(rule) for rule in RULES])
            if seed == 0:
                ends.setdefault((collection, measure), []).append((one.mean_whole, one.mean_oracle))
                scores = (f"{one.mean_whole:.4f}", *(marked(one, rule) for rule in RULES), f"{one.mean_oracle:.4f}")
                print(line(collection, measure, run, *scores))
    print()
    print(line("collection", "measure", "whole list", "oracle", *RULES))
    print(line("---", "---", *["---:"] * (len(RULES) + 2)))
    for place, rows in shares.items():
        whole, oracle = np.mean(ends[place], axis=0)
        print(line(*place, f"{whole:.4f}", f"{oracle:.4f}", *(f"{share:+.0%}" for share in np.mean(rows, axis=0))))


if __name__ == "__main__":
    main()
