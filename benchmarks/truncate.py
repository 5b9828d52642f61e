"""Best cuts of a whole track, against reading it."""

from __future__ import annotations

import truerank as tr
from benchmarks.inside import best_of
from benchmarks.workloads import WORKLOADS
from truerank.questions.truncate.question import truncate


def cuts(name: str, repeat: int) -> tuple[float, float]:
    """Seconds to read all runs of a track, and to read them and find the best length of every list by 16 measures."""
    workload = WORKLOADS[name]
    workload.make()
    runs = [str(run) for run in workload.runs]
    reading = best_of(repeat, lambda: [tr.read_run(run) for run in runs])
    return reading, best_of(repeat, lambda: truncate(workload.qrels, runs))
