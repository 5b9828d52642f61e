"""What the mean over all orders of ties costs, beside one order: the table of McSherry & Najork (2008), section 3."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from truerank.measures.core.base import Measure
from truerank.questions.ties.answer import Cost
from truerank.track.lens import Lens
from truerank.track.parts import Part, added

PLAIN = ("input", "docid")
"""Orders that the mean is compared with."""
CLOCK = time.thread_time if time.get_clock_info("thread_time").resolution <= 1e-6 else time.perf_counter
"""What the processor did for this thread, where that is told finely: another process then takes no part in it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Timing(Part):
    """How long a measure takes to score a run that is in memory and joined with the judgments, in seconds."""

    lists: int = added()
    seconds: dict[str, float] = added()
    """By order of ties, the least of some repeats: what else the machine does can only add to it."""


def timing(lens: Lens, measure: Measure, repeat: int) -> Timing:
    """Score a run so many times in each way, in turn, so that a slow moment of the machine falls on all."""
    taken: dict[str, list[float]] = {order: [] for order in ("expected", *PLAIN)}
    for _ in range(repeat):
        for order, times in taken.items():
            # What a lens keeps is part of the work.
            fresh = lens.only(lens.topics)
            begin = CLOCK()
            fresh.estimate(measure, ties=order)
            times.append(CLOCK() - begin)
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
