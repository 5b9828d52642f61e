"""Files to evaluate: seeded, written once, as large as real ones."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "workloads"


@dataclass(frozen=True)
class Workload:
    """A run of so many topics, and judgments with so many documents a topic among those retrieved."""

    name: str
    topics: int
    judged: float
    """Mean number of judged documents a topic."""
    grades: int = 1
    depth: int = 1000
    levels: int = 0
    """Distinct scores, so that documents tie; 0 for none tied, 1 for all."""
    shuffled: bool = False
    systems: int = 1

    @property
    def qrels(self) -> Path:
        """The judgments."""
        return FOLDER / f"{self.name}.qrels"

    @property
    def runs(self) -> list[Path]:
        """The runs."""
        return [FOLDER / f"{self.name}.{system}.run" for system in range(self.systems)]

    def make(self) -> None:
        """Write the files, unless they are there; in a process of its own: a child inherits its parent's peak."""
        if not all(path.exists() for path in (self.qrels, *self.runs)):
            subprocess.run([sys.executable, "-m", "benchmarks.workloads", self.name], check=True)

    def write(self) -> None:
        """Write the files."""
        FOLDER.mkdir(exist_ok=True)
        _write(self.qrels, self._judgments())
        for system, path in enumerate(self.runs):
            _write(path, self._rows(system))

    def _topic(self, topic: int) -> tuple[np.random.Generator, list[str]]:
        rng = np.random.default_rng([7, topic])
        return rng, [str(d) for d in rng.choice(8_841_823, self.depth, replace=False)]

    def _judgments(self) -> Iterator[str]:
        for topic in range(self.topics):
            rng, docs = self._topic(topic)
            count = min(max(1, int(rng.poisson(self.judged - 1)) + 1), self.depth)
            for place in sorted(set(np.minimum(rng.geometric(0.02, count), self.depth) - 1)):
                # One in five relevant documents is not retrieved.
                doc = docs[int(place)] if rng.random() < 0.8 else f"x{place}"
                grade = int(rng.integers(1 if self.grades == 1 else 0, self.grades + 1))
                yield f"{1_000_000 + topic} 0 {doc} {grade}\n"

    def _rows(self, system: int) -> Iterator[str]:
        lines = (line for topic in range(self.topics) for line in self._lines(topic, system))
        if not self.shuffled:
            yield from lines
            return
        every = list(lines)
        for place in np.random.default_rng(11).permutation(len(every)):
            yield every[place]

    def _lines(self, topic: int, system: int) -> Iterator[str]:
        _, docs = self._topic(topic)
        rng = np.random.default_rng([13, topic, system])
        scores = np.sort(rng.gamma(2.0, 4.0, self.depth))[::-1]
        order = np.argsort(np.arange(self.depth) + rng.normal(0, 40, self.depth) * (system > 0))
        for rank, score in enumerate(scores):
            text = f"{int(score / scores[0] * (self.levels - 1) + 0.5)}" if self.levels else f"{score:.6f}"
            yield f"{1_000_000 + topic} Q0 {docs[order[rank]]} {rank + 1} {text} system{system}\n"


def _write(path: Path, lines: Iterator[str]) -> None:
    partial = path.with_suffix(".partial")
    with partial.open("w") as file:
        file.writelines(lines)
    os.replace(partial, path)


WORKLOADS = {
    w.name: w
    for w in (
        Workload("small", 50, 40, grades=3),
        Workload("medium", 250, 40, grades=3),
        Workload("large", 6980, 1.1),
        Workload("large-graded", 6980, 60, grades=3),
        Workload("large-ties", 6980, 1.1, levels=60),
        Workload("large-all-tied", 6980, 1.1, levels=1),
        Workload("large-graded-ties", 6980, 60, grades=3, levels=60),
        Workload("large-shuffled", 6980, 1.1, shuffled=True),
        Workload("medium-all-tied", 250, 40, grades=3, levels=1),
        Workload("track", 50, 40, grades=3, systems=50),
    )
}

if __name__ == "__main__":
    WORKLOADS[sys.argv[1]].write()
