"""Where lists are best cut: for every run, topic and measure the length that scores best."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.cuts.best import best_cuts, is_slow
from truerank.analysis.cuts.cut import Cut, RunCuts
from truerank.analysis.cuts.published import CUT
from truerank.analysis.cuts.results import Cuts
from truerank.analysis.notices import observe
from truerank.analysis.reading import Reading, read, refuse_bounds
from truerank.analysis.seen import noticed, seen
from truerank.conventions.presets import chosen
from truerank.data.ids import text
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = " ".join(CUT)
"""Those of Amigó, Mizzaro & Spina 2022."""


def truncate(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    against: str | Measure | Iterable[str | Measure] = (),
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> Cuts:
    """Find the length at which each list scores best, and what the list as it is loses against it.

    Takes what ``evaluate`` takes. Of several lengths that score best it is the shortest, and 0 is silence: the system
    would do best to say nothing. The best length is known from the judgments, so that the score there is what a system
    could reach that knew where to stop. Measures given as ``against`` score the whole lists, for ``tr.against``.

    >>> qrels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    >>> run = {"q1": ["a", "x", "b", "y", "z"], "q2": ["u", "v", "w"]}
    >>> cut = truncate(qrels, {"mine": run}, "RBPU(p=0.9)")["mine"]["RBPU(p=0.9)"]
    >>> cut.length.tolist(), round(cut.mean_whole, 4), round(cut.mean_best, 4)
    ([3, 0], 0.0735, 0.0837)
    """
    # A list that is cut was ended by its cut, however many documents there could have been.
    choice = chosen(given, limit=None, relevant="judgments")
    wanted = parse_all(measures)
    compared = parse_all(against) if against else ()
    judgments, named = as_qrels(qrels), named_runs(runs)
    refuse_bounds(choice, "the best length is that of one")
    found: dict[str, RunCuts] = {}
    whole: dict[str, dict[str, float]] = {str(measure): {} for measure in compared}
    longest, facts = 0, []
    slow: dict[str, None] = {}
    for name, [views] in seen(judgments, named, (*wanted, *compared), [choice], progress=progress):
        readings: dict[str, Reading] = {}
        cuts: dict[str, Cut] = {}
        for measure in wanted:
            best = best_cuts(views, measure)
            cuts[str(measure)] = Cut.of(measure, best, views)
            readings[str(measure)] = Reading(measure, best.unsettled, np.zeros(len(best.unsettled)))
        for measure in compared:
            reading = read(views, measure)
            whole[str(measure)][name] = reading.summary(reading.value, views)
            readings[str(measure)] = reading
        found[name] = RunCuts(cuts)
        if (longer := int(views.judged.length.max(initial=0))) > longest:
            longest = longer
            slow |= {str(measure): None for measure in wanted if is_slow(views, measure)}
        facts.append(observe(name, views, readings, ties=False))
    return Cuts(
        runs=found,
        wanted=wanted,
        topics=tuple(map(text, judgments.topics)),
        relevant=judgments.num_rel,
        longest=longest,
        conventions=choice,
        whole=whole,
        compared=compared,
        notices=(*noticed(judgments, facts, choice), *_slow([*slow], longest)),
    )


def _slow(measures: list[str], longest: int) -> list[str]:
    """What took its time."""
    if not measures:
        return []
    names = f"{', '.join(measures)} {'is no sum' if len(measures) == 1 else 'are no sums'} over ranks"
    return [f"{names}: each of up to {longest:,} lengths was scored on its own, which takes seconds a run"]
