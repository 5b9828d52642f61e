"""What the mean over all orders of ties costs, beside one order: the table of McSherry & Najork (2008), section 3."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from truerank.data.parts import Part, added
from truerank.measures.core.base import Measure
from truerank.questions.ties.answer import Cost
from truerank.track.lens import Lens

PLAIN = ("input", "docid")
"""Orders that the mean is compared with."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Timing(Part):
    """How long a measure takes to score a run that is in memory and joined with the judgments, in seconds."""

    lists: int = added()
    seconds: dict[str, float] = added()
    """By order of ties, the least of some repeats: what else the machine does can only add to it."""


def _clock() -> Callable[[], float]:
    """CPU time of this thread, so that other processes do not count; time passed if the system is too coarse."""
    try:
        fine = time.get_clock_info("thread_time").resolution <= 1e-6
    except ValueError:
        fine = False
    return time.thread_time if fine else time.perf_counter


def timing(lens: Lens, measure: Measure, repeat: int) -> Timing:
    """Score a run so many times in each way, in turn, so that a slow moment of the machine falls on all."""
    taken: dict[str, list[float]] = {order: [] for order in ("expected", *PLAIN)}
    clock = _clock()
    for _ in range(repeat):
        for order, times in taken.items():
            # What a lens keeps is part of the work.
            fresh = lens.only(lens.topics)
            begin = clock()
            fresh.estimate(measure, ties=order)
            times.append(clock() - begin)
    return Timing(
        topics=lens.topics,
        lists=len(lens.topics),
        seconds={order: min(times) for order, times in taken.items()},
    )


def cost(measure: Measure, runs: Sequence[Timing]) -> Cost:
    """The row of a measure: all runs together."""
    total = {order: sum(run.seconds[order] for run in runs) for order in ("expected", *PLAIN)}
    return Cost(
        measure=str(measure),
        runs=len(runs),
        lists=sum(run.lists for run in runs),
        expected=total["expected"],
        orders={order: total[order] for order in PLAIN},
        ratio=total["expected"] / total["input"] if total["input"] else float("nan"),
    )
