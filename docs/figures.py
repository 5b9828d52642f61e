"""The figures of the pages, drawn from a simulated track when the site is built: ``python docs/figures.py FOLDER``."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import truerank as tr

FIGURES: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "compare": lambda qrels, runs: tr.compare(qrels, runs, "nDCG@10 AP", settled=False).plot(),
    "diff": lambda qrels, runs: tr.diff(qrels, runs["bm25-01"], runs["rerank-01"], "nDCG@10").plot(),
    "depth": lambda qrels, runs: tr.depth(qrels, runs, "nDCG RBP").plot(
        tr.depth(qrels, runs, "nDCG RBP", condensed=True)
    ),
    "explain": lambda qrels, runs: tr.explain(qrels, runs["bm25-01"], "AP nDCG", topic="401").plot(),
    "recall": lambda qrels, runs: tr.precision_recall(qrels, runs).plot(),
    "nil": lambda qrels, runs: tr.nil(qrels, runs, "nDCG@5", limit=5).plot(),
    "truncate": lambda qrels, runs: tr.truncate(qrels, runs, "F RBPU nDCGT OIE").plot(),
    "calibrate": lambda qrels, runs: tr.calibrate("RBU(p=0.98) RBPU(p=0.8) DCGU", ranking="0^10 1^90").plot(),
}
"""By name, what draws each, of judgments and runs."""


def draw(folder: Path) -> None:
    """Write every figure that is not there yet."""
    folder.mkdir(exist_ok=True)
    missing = {name: figure for name, figure in FIGURES.items() if not (folder / f"{name}.svg").exists()}
    if missing:
        track = tr.simulate(systems=6, topics=50, seed=7)
        for name, figure in missing.items():
            figure(track.qrels, track.runs).save(folder / f"{name}.svg")
    _draw_gallery(folder)


def _draw_gallery(folder: Path) -> None:
    """The figures that the gallery shows."""
    shown = re.findall(r"images/([\w-]+)\.svg", (Path(__file__).parent / "gallery.md").read_text(encoding="utf-8"))
    missing = [name for name in shown if not (folder / f"{name}.svg").exists()]
    if missing:
        import gallery

        drawn = gallery.figures()
        for name in missing:
            drawn[name]().save(folder / f"{name}.svg")


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
