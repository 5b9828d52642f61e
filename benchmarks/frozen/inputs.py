"""Inputs that no collection has: groups, people's judgments and reading, and a file of learning to rank."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

MED = Path("data/classic/med")
FOLDERS = (
    ("cisi_runs", "data/classic/cisi/runs", 4),
    ("trec8_runs", "data/trec8/runs", 3),
    ("covid2_runs", "data/covid2/runs", 8),
)
"""Some runs of a collection as a folder: its name, theirs, and every how many are taken."""


def make() -> None:
    """Write all of them into the current folder."""
    for folder, source, step in FOLDERS:
        Path(folder).mkdir()
        for path in sorted(Path(source).iterdir())[::step]:
            (Path(folder) / path.name).symlink_to(path.resolve())
    topics = sorted({line.split()[0] for line in _lines(MED / "qrels.txt")}, key=int)
    _write("groups.tsv", (f"{topic}\t{'odd' if int(topic) % 2 else 'even'}" for topic in topics))
    judged = _lines(Path("data/dl21/judges/nist.gz"))
    _write("people.qrels", judged[::15])
    runs = [path.name.removesuffix(".run.gz") for path in sorted((MED / "runs").iterdir())[::20]]
    _write("reading.tsv", (f"{t}\t{runs[i % 2]}\t{1 + 7 * i % 12}" for i, t in enumerate(topics)))
    sides = (f"{t}\t{runs[0]}\t{runs[1]}\t{(*runs, 'tie')[i % 3]}\tu{i % 5}" for i, t in enumerate(topics))
    _write("sides.tsv", sides)
    _write("letor.txt", _letor())


def _letor() -> Iterable[str]:
    """Scores of three runs as features of their documents, coarse, so that many are tied."""
    grades = {(t, d): int(g) for t, _, d, g in map(str.split, _lines(MED / "qrels.txt"))}
    features: dict[tuple[str, str], dict[int, float]] = {}
    for number, name in enumerate(("lsi200", "jaccard", "coord_match"), 1):
        for topic, _, doc, rank, _, _ in map(str.split, _lines(MED / "runs" / f"{name}.run.gz")):
            if int(rank) <= 30:
                features.setdefault((topic, doc), {})[number] = (30 - int(rank)) // 3
    for (topic, doc), values in sorted(features.items()):
        yield f"{grades.get((topic, doc), 0)} qid:{topic} " + " ".join(f"{n}:{values.get(n, 0)}" for n in (1, 2, 3))


def _lines(path: Path) -> list[str]:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode().splitlines()


def _write(name: str, lines: Iterable[str]) -> None:
    Path(name).write_text("\n".join(lines) + "\n")
