"""What the mean over all orders of ties costs, beside one order: the table of McSherry & Najork (2008), section 3."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.workloads import WORKLOADS
from truerank.data.parts import Part
from truerank.measures.core.base import Measure
from truerank.questions.ties.question import RULES
from truerank.track.lens import Lens
from truerank.track.track import Track

MEASURES = "P@10 R@10 F@10 AP@10 RR@10 nDCG(dcg='exp-log2')@10 AP IPrec@0.5"
"""The paper's six, AP of whole lists, and one without a closed form."""
ORDERS = ("expected", "input", "docid")


@dataclass(frozen=True, eq=False, kw_only=True)
class Timing(Part):
    """Seconds to score a run that is in memory and joined with the judgments, by measure and order of ties."""

    seconds: dict[str, dict[str, float]]
    """The least of some repeats: what else the machine does can only add to it."""


def costs(name: str, repeat: int) -> dict[str, dict[str, float]]:
    """By measure and order of ties, the seconds of the processor for all runs of a workload."""
    workload = WORKLOADS[name]
    workload.make()
    track = Track.of(workload.qrels, [str(run) for run in workload.runs], MEASURES, {}, RULES)
    parts = track.each(timing, repeat=repeat)
    return {
        str(measure): {order: sum(part.seconds[str(measure)][order] for part in parts) for order in ORDERS}
        for measure in track.measures
    }


def timing(lens: Lens, measures: Sequence[Measure], *, repeat: int) -> Timing:
    """Time a run by each measure."""
    return Timing(topics=lens.topics, seconds={str(measure): _timed(lens, measure, repeat) for measure in measures})


def _timed(lens: Lens, measure: Measure, repeat: int) -> dict[str, float]:
    """Each order in turn, so that a slow moment of the machine falls on all."""
    taken: dict[str, list[float]] = {order: [] for order in ORDERS}
    clock = _clock()
    for _ in range(repeat):
        for order, times in taken.items():
            # What a lens keeps is part of the work.
            fresh = lens.only(lens.topics)
            begin = clock()
            fresh.estimate(measure, ties=order)
            times.append(clock() - begin)
    return {order: min(times) for order, times in taken.items()}


def _clock() -> Callable[[], float]:
    """CPU time of this thread, so that other processes do not count; time passed if the system is too coarse."""
    try:
        fine = time.get_clock_info("thread_time").resolution <= 1e-6
    except ValueError:
        fine = False
    return time.thread_time if fine else time.perf_counter
