"""Run the cases with the truerank of this Python, and keep all that they answer."""

from __future__ import annotations

import contextlib
import csv
import gzip
import hashlib
import io
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.frozen import inputs
from benchmarks.frozen.cases import CASES, FILES, PREPARED, Case

PROGRAM = """
from truerank.cli.main import main
from truerank.data.notes import Note
plain = Note.as_dict
Note.as_dict = lambda note: {**plain(note), "brief": note.brief}
main()
"""
"""The command line, with the short form of each note in JSON."""


def freeze(out: str, data: str, names: Sequence[str], *, old: bool) -> None:
    """Write what cases answer to a compressed file; with names, put those cases in place of what it has of them."""
    place = os.path.abspath(out)
    frozen: dict[str, Any] = thawed(place) if names and os.path.exists(place) else {}
    with _folder(data):
        for case in CASES:
            if names and not case.name.startswith(tuple(names)):
                continue
            begun = time.perf_counter()
            frozen[case.name] = answered(case, old=old)
            failed = frozen[case.name].get("error", "")
            print(f"{time.perf_counter() - begun:6.1f} s  {case.name}  {failed}", flush=True)
        frozen["simulate"] = {"files": _hashes()}
    with gzip.open(place, "wt", encoding="utf-8") as file:
        json.dump(frozen, file)


def thawed(path: str) -> dict[str, Any]:
    """What was frozen, by case."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


@contextlib.contextmanager
def _folder(data: str) -> Iterator[None]:
    """A folder with the inputs, which have the same names whatever tree is frozen."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(data), os.path.join(folder, "data"))
        os.chdir(folder)
        try:
            inputs.make()
            for name, command in PREPARED.items():
                done = _run(words(command))
                if done.returncode or not os.path.exists(name):
                    raise SystemExit(f"{name} cannot be made: {done.stderr}")
            yield
        finally:
            os.chdir(before)


def answered(case: Case, *, old: bool) -> dict[str, Any]:
    """The document of JSON, sheets that it does not have, and the data of the figure."""
    command = words(case.line(old=old))
    figure = ["--plot", "figure.json"] if case.figure else []
    if "apply" in command:
        return {"lines": _run(command).stdout.splitlines()}
    done = _run([*command, "--format", "json", *figure])
    if done.returncode > 1 or not done.stdout:
        return {"error": f"exit code {done.returncode}: {done.stderr.strip()}"}
    found: dict[str, Any] = {"document": json.loads(done.stdout), "code": done.returncode}
    for sheet in case.sheets.split():
        done = _run([*command, "--show", sheet, "--format", "tsv"])
        found.setdefault("sheets", {})[sheet] = list(csv.DictReader(io.StringIO(done.stdout), delimiter="\t"))
    if case.figure:
        drawn = json.loads(Path("figure.json").read_text())
        found["figure"] = {"title": drawn.get("title"), **drawn.get("datasets", {})}
    return found


def words(command: str) -> list[str]:
    """The words of a command, with files in place of their names and patterns.

    >>> words("evaluate {bm25} -m 'AP nDCG'")
    ['evaluate', 'data/classic/med/runs/bm25_lucene_1.2_0.75_stem_stop.run.gz', '-m', 'AP nDCG']
    """
    found: list[str] = []
    for word in shlex.split(command.format(**FILES).replace("(", "'('").replace(")", "')'")):
        pattern, _, step = word.partition("::")
        found += sorted(map(str, Path().glob(pattern)))[:: int(step or 1)] if "*" in word else [word]
    return found


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-c", PROGRAM, *command]
    return subprocess.run(line, capture_output=True, encoding="utf-8", check=False)


def _hashes() -> dict[str, str]:
    """What simulated tracks are, file by file."""
    files = sorted(path for folder in ("simulated", "answers") for path in Path(folder).iterdir())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
