"""Inputs that grow: time and memory grow as they do, and no faster."""

from __future__ import annotations

import gzip
import io
import json
import random
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import truerank as tr
from fuzz.case import Case
from fuzz.targets.target import Disagreement, Light
from truerank.measures.grammar import parse_all

STEP = 4
"""By how much the larger input is larger."""
SLACK = 2.2
"""How much more than that its cost may be: sorting, caches, and a machine that others use."""
ENOUGH = 0.25
"""Seconds of the processor that the larger input has to take for its time to mean something."""
HELD = 48 * 2**20
"""Bytes that it has to hold for its memory to mean something."""

Work = Callable[[], object]


def _one_list(n: int, tied: bool) -> bytes:
    return "".join(f"q Q0 d{i:07} {i} {1 if tied else n - i} t\n" for i in range(n)).encode()


def _judged(n: int) -> dict[str, dict[str, int]]:
    return {"q": {f"d{i:07}": i % 3 for i in range(0, n, 2)}}


def _scored(n: int, measures: str, tied: bool, **conventions: Any) -> Work:
    run, qrels = tr.read_run(io.BytesIO(_one_list(n, tied))), tr.read_qrels(_judged(n))
    return lambda: tr.evaluate(qrels, run, measures, **conventions)


def _read(content: bytes) -> Work:
    return lambda: tr.read_run(io.BytesIO(content))


def _topics(n: int) -> bytes:
    return "".join(f"q{i} Q0 d{j} {j} {9 - j} t\n" for i in range(n) for j in range(3)).encode()


def _members(n: int) -> bytes:
    return b"".join(gzip.compress(b"q Q0 d%d %d %d t\n" % (i, i, n - i), mtime=0) for i in range(n))


def _nested(n: int) -> Work:
    text = "GM(measure=" * n + "AP" + ")" * n

    def refused() -> object:
        try:
            return tr.parse(text)
        except tr.InputError:
            return None

    return refused


def _dashes(n: int) -> Work:
    def refused() -> object:
        try:
            return parse_all("-" * n)
        except tr.InputError:
            return None

    return refused


SHAPES: dict[str, tuple[int, Callable[[int], Work]]] = {
    "a long list": (30_000, lambda n: _read(_one_list(n, False))),
    "many topics": (12_000, lambda n: _read(_topics(n))),
    "a long id": (20_000, lambda n: _read(b"q Q0 " + b"d" * n + b" 1 2 t\nq Q0 e 2 1 t\n")),
    "a long line of many columns": (20_000, lambda n: _caught(b"q Q0 d 1 2 " + b"t " * n + b"\n")),
    "blank lines": (200_000, lambda n: _read(b"q Q0 d 1 2 t\n" + b"\n" * n)),
    "comments": (60_000, lambda n: _read(b"q Q0 d 1 2 t\n" + b"# x\n" * n)),
    "gzip of many members": (3_000, lambda n: _read(_members(n))),
    "CSV": (15_000, lambda n: _read(b"topic,doc,score\n" + b"".join(b"q,d%d,%d\n" % (i, i) for i in range(n)))),
    "columns of CSV": (40_000, lambda n: _caught(_header(n))),
    "judges in columns of CSV": (1_500, lambda n: lambda: tr.read_judges(io.BytesIO(b"topic,doc," + _header(n)))),
    "JSON": (20_000, lambda n: _read(json.dumps({"q": {f"d{i}": float(i) for i in range(n)}}).encode())),
    "JSON lines": (
        10_000,
        lambda n: _read(b"".join(b'{"topic":"q","doc":"d%d","score":%d}\n' % (i, i) for i in range(n))),
    ),
    "JSON of many topics": (3_000, lambda n: _read(json.dumps({f"q{i}": {"d": 1.0} for i in range(n)}).encode())),
    "brackets": (20_000, lambda n: _caught(b"[" * n)),
    "a number of many digits": (20_000, lambda n: _caught(b"q Q0 d 1 " + b"1" * n + b" t\n")),
    "many numbers of odd forms": (
        5_000,
        lambda n: _read(b"".join(b"q Q0 d%d 1 1.%d00000000000000000001e-3 t\n" % (i, i) for i in range(n))),
    ),
    "measures": (500, lambda n: lambda: parse_all(" ".join(f"P@{i + 1}" for i in range(n)))),
    "measures, one in another": (30, _nested),
    "a measure of many dashes": (200_000, _dashes),
    "AP nDCG RBP F without ties": (60_000, lambda n: _scored(n, "AP nDCG RBP F", False)),
    "AP nDCG RBP F of one tie": (60_000, lambda n: _scored(n, "AP nDCG RBP F", True)),
    "ERR of one tie": (2_500, lambda n: _scored(n, "ERR", True)),
    "RBU of one tie": (2_500, lambda n: _scored(n, "RBU", True)),
    "RR Success of one tie": (20_000, lambda n: _scored(n, "RR Success@5", True)),
    "Bpref of one tie": (20_000, lambda n: _scored(n, "Bpref", True)),
    "infAP of one tie": (4_000, lambda n: _scored(n, "infAP", True)),
    "bounds of one tie": (4_000, lambda n: _scored(n, "AP nDCG", True, ties="bounds", unjudged="bounds")),
    "all measures without ties": (
        4_000,
        lambda n: _scored(n, "ERR RBU infAP Bpref Q AUC OIE(size=1000000) Compat INST BPM", False),
    ),
    "lint": (20_000, lambda n: _linted(_one_list(n, True))),
    "preferences": (1_000, lambda n: lambda: tr.read_preferences([(f"q{i}", "a", "b") for i in range(n)])),
    "ties": (2_000, lambda n: lambda: tr.ties(_judged(n), tr.read_run(io.BytesIO(_one_list(n, True))), "AP")),
}
"""The smaller size of each, and what is done with an input of a size."""


def _header(n: int) -> bytes:
    return b",".join(b"c%d" % i for i in range(n)) + b"\n" + b",".join([b"1"] * (n + 2)) + b"\n"


def _caught(content: bytes) -> Work:
    def refused() -> object:
        try:
            return tr.read_run(io.BytesIO(content))
        except tr.InputError:
            return None

    return refused


def _linted(content: bytes) -> Work:
    return lambda: tr.lint({"q": {"d0000001": 1}}, tr.read_run(io.BytesIO(content)))


class Growth(Light):
    """One shape at two sizes."""

    name, share, patience = "growth", 0, 2.0

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """Any shape."""
        return Case(self.name, given={"shape": rng.choice([*SHAPES])})

    def run(self, case: Case, folder: Path) -> str:
        """Compare what the two cost; three times, since a machine may be busy once."""
        least, make = SHAPES[case.given["shape"]]
        most = SLACK * STEP
        ratios = []
        for _ in range(3):
            small, large = (_seconds(make(size)) for size in (least, STEP * least))
            ratios.append(large / max(small, ENOUGH / STEP / SLACK))
            if ratios[-1] <= most:
                break
        else:
            raise Disagreement(
                f"time of {case.given['shape']}", f"{STEP} times the input takes {min(ratios):.1f} times the time"
            )
        small, large = (_bytes(make(size)) for size in (least, STEP * least))
        if large > HELD and large > most * small:
            raise Disagreement(f"memory of {case.given['shape']}", f"{small} bytes become {large}")
        return str(case.given["shape"])


def cases() -> list[Case]:
    """Every shape once."""
    return [Case(Growth.name, given={"shape": shape}) for shape in SHAPES]


def _seconds(work: Work) -> float:
    best = float("inf")
    for _ in range(2):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def _bytes(work: Work) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


TARGETS = (Growth(),)
