"""Work of one size by one tool, in a process of its own: ``python -m benchmarks.jobs JOB WHO SIZE``.

It prints seconds of the clock and of the processor, of one call where many are short, and the peak of memory.
"""

from __future__ import annotations

import gzip
import importlib
import io
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.contestants import TRUERANK, Measured
from truerank.data.arrays import Rows
from truerank.data.ids import Ids
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run, arrange

FIVE = ("map", "ndcg", "ndcg_cut_10", "P_10", "recip_rank")
OURS = "AP nDCG nDCG@10 P@10 RR"
_LONG_ENOUGH = 0.2
"""Seconds that calls are repeated for, which are too short to be timed one by one."""

Call = Callable[[], object]


def measured(job: str, who: str, size: int) -> Measured:
    """What one process took."""
    command = [sys.executable, "-m", "benchmarks.jobs", job, who, str(size)]
    line = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Measured(*map(float, line.split()))


def growth(sizes: list[int], seconds: list[float]) -> float:
    """The exponent of time against size, fitted to some sizes: 1 is linear, 2 quadratic.

    >>> round(growth([10, 100, 1000], [0.1, 1.0, 10.0]), 2)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _dicts(topics: int, depth: int, judged: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    rng = np.random.default_rng(7)
    qrels, run = {}, {}
    for topic in range(topics):
        docs = [str(doc) for doc in rng.choice(8_841_823, depth, replace=False)]
        some = rng.choice(depth, judged, replace=False).tolist()
        qrels[str(topic)] = {
            docs[place]: int(grade) for place, grade in zip(some, rng.integers(0, 4, judged), strict=True)
        }
        run[str(topic)] = dict(zip(docs, rng.random(depth).tolist(), strict=True))
    return qrels, run


def _lists(topics: int, depth: int, judged: float, grades: int, levels: int) -> tuple[Qrels, Run]:
    """Judgments and a run as they are once read: ids are numbers, and all topics have the same documents."""
    rng = np.random.default_rng(7)
    names = [b"%06d" % topic for topic in range(topics)]
    score = np.tile(np.arange(depth, 0, -1.0), topics)
    if levels:
        score = -np.sort(-rng.integers(0, levels, (topics, depth)).astype(np.float64), axis=-1).ravel()
    run = arrange("run", names, np.arange(topics + 1) * depth, _numbers(np.tile(np.arange(depth), topics)), score)
    count = np.clip(rng.poisson(judged, topics), 1, depth)
    rows = np.concatenate([rng.choice(depth, each, replace=False) for each in count.tolist()])
    grade = rng.integers(0 if grades > 1 else 1, grades + 1, len(rows))
    return collect(names, np.append(0, np.cumsum(count)), _numbers(rows), grade), run


def _numbers(number: Rows) -> Ids:
    digits = np.frombuffer(b"".join(b"%07d" % each for each in range(int(number.max()) + 1)), np.uint8)
    return Ids(digits, number * 7, np.full(len(number), 7))


def small(size: int, who: str) -> Call:
    """Fifty lists of ten documents, or so many, scored again and again."""
    qrels, run = _dicts(size, 10, 5)
    if who == "tr.evaluate":
        import truerank as tr
        from truerank.io.load import as_qrels, as_run

        judgments, ranking = as_qrels(qrels), as_run(run)
        return lambda: tr.evaluate(judgments, ranking, OURS)
    return _evaluator(qrels, run, who)


def dicts_100(size: int, who: str) -> Call:
    """Lists of 100 documents, one of them judged."""
    return _evaluator(*_dicts(size, 100, 1), who)


def dicts_1000(size: int, who: str) -> Call:
    """Lists of 1000 documents, 40 of them judged."""
    return _evaluator(*_dicts(size, 1000, 40), who)


def _evaluator(qrels: Any, run: Any, who: str) -> Call:
    module = importlib.import_module("pytrec_eval" if who == "pytrec_eval" else "truerank.compat.pytrec_eval")
    evaluator = module.RelevanceEvaluator(qrels, set(FIVE))
    return lambda: evaluator.evaluate(run)


def prepared(size: int, who: str) -> Call:
    """Ten measures of lists that are read: one relevant document each."""
    return _ten(*_lists(size, 1000, 1.1, 1, 0))


def prepared_graded(size: int, who: str) -> Call:
    """The same with 46 judged documents each."""
    return _ten(*_lists(size, 1000, 46, 3, 0))


def prepared_tied(size: int, who: str) -> Call:
    """The same, where most documents are tied."""
    return _ten(*_lists(size, 1000, 46, 3, 60))


def _ten(qrels: Qrels, run: Run) -> Call:
    import truerank as tr

    return lambda: tr.evaluate(qrels, run, TRUERANK)


def tied_group(size: int, who: str) -> Call:
    """One list of so many tied documents, half of them judged; ``who`` is a measure, with + under both bounds."""
    import truerank as tr

    qrels, run = _lists(1, size, size / 2, 3, 1)
    given = {"ties": "bounds", "unjudged": "bounds"} if who.endswith("+") else {}
    return lambda: tr.evaluate(qrels, run, who.rstrip("+"), **given)  # type: ignore[arg-type]


def users(size: int, who: str) -> Call:
    """Two runs of ten documents for each of so many users, compared."""
    import truerank as tr

    qrels, run = _lists(size, 10, 2, 1, 0)
    _, other = _lists(size, 10, 2, 1, 5)
    return lambda: tr.compare(qrels, {"one": run, "other": other}, "nDCG@10")


def members(size: int, who: str) -> Call:
    """A gzip file of so many members."""
    from truerank.io.compression import decompressed

    data = gzip.compress(np.random.default_rng(7).bytes(20_000)) * size
    return lambda: decompressed(data, "run.gz")


def long_ids(size: int, who: str) -> Call:
    """Ids of so many characters, all but the last the same."""
    import truerank as tr

    ids = ["x" * size + str(place) for place in range(8)]
    qrels = "".join(f"q 0 {doc} 1\n" for doc in ids[:3]).encode()
    run = "".join(f"q Q0 {doc} 1 {place // 2} run\n" for place, doc in enumerate(ids)).encode()
    return lambda: tr.evaluate(io.BytesIO(qrels), io.BytesIO(run), "AP", ties="docid")


def many_measures(size: int, who: str) -> Call:
    """So many measures as text."""
    from truerank.measures.grammar import parse_all

    text = " ".join(f"P@{cutoff}" for cutoff in range(1, size + 1))
    return lambda: parse_all(text)


JOBS: dict[str, Callable[[int, str], Call]] = {
    job.__name__: job
    for job in (
        *(small, dicts_100, dicts_1000, prepared, prepared_graded, prepared_tied),
        *(tied_group, users, members, long_ids, many_measures),
    )
}
_ONCE = ("members", "long_ids", "many_measures", "users", "tied_group")
"""What is done once: the first time is what people wait for."""


def _main(job: str, who: str, size: str) -> None:
    call = JOBS[job](int(size), who)
    if job not in _ONCE:
        call()
    calls, clock, processor = 0, time.perf_counter(), time.process_time()
    while not calls or (job not in _ONCE and time.process_time() - processor < _LONG_ENOUGH):
        call()
        calls += 1
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(clock / calls, peak, processor / calls)


if __name__ == "__main__":
    _main(*sys.argv[1:])
