"""Where lists are best cut: for every run, topic and measure the length that scores best."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.cuts.best import best_cuts
from truerank.analysis.cuts.cut import Cut, RunCuts
from truerank.analysis.cuts.published import CUT
from truerank.analysis.cuts.results import Cuts
from truerank.analysis.evaluate import pool, refuse, refuse_strangers
from truerank.analysis.notices import notices, observe
from truerank.analysis.reading import Reading, read, refuse_missing
from truerank.analysis.views import Views, text
from truerank.conventions.choices import Conventions
from truerank.conventions.presets import chosen
from truerank.data.arrays import Rows
from truerank.data.errors import InputError
from truerank.data.qrels import Qrels
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs, one_by_one
from truerank.measures.base import Measure
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
    _refuse(choice)
    refuse(judgments, (*wanted, *compared), choice)
    judged_pool = pool(judgments, named, (*wanted, *compared), choice)
    found: dict[str, RunCuts] = {}
    full: dict[str, dict[str, float]] = {str(measure): {} for measure in compared}
    longest, facts = 0, []
    for name, run in one_by_one(named):
        views = Views(judgments, run, judged_pool, choice, 0)
        refuse_strangers(name, views.judged)
        refuse_missing(views)
        readings: dict[str, Reading] = {}
        cuts: dict[str, Cut] = {}
        for measure in wanted:
            best = best_cuts(views, measure)
            cuts[str(measure)] = Cut.of(measure, best, views)
            readings[str(measure)] = Reading(measure, best.unsettled, np.zeros(len(best.unsettled)))
        for measure in compared:
            reading = read(views, measure)
            full[str(measure)][name] = reading.summary(reading.value, views)
            readings[str(measure)] = reading
        found[name] = RunCuts(cuts)
        longest = max(longest, int(views.judged.length.max(initial=0)))
        facts.append(observe(name, views, readings, ties=False))
        if progress is not None:
            progress(name)
    return Cuts(
        runs=found,
        wanted=wanted,
        topics=tuple(map(text, judgments.topics)),
        relevant=_relevant(judgments),
        longest=longest,
        conventions=choice,
        full=full,
        compared=compared,
        notices=(*judgments.notes, *notices(facts, choice, len(judgments.topics))),
    )


def _relevant(judgments: Qrels) -> Rows:
    """Documents of grade 1 or more, by topic."""
    topic = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.offsets))
    return np.bincount(topic[judgments.grade >= 1], minlength=len(judgments.topics))


def _refuse(choice: Conventions) -> None:
    for axis, value in (("ties", choice.ties), ("unjudged", choice.unjudged)):
        if value == "bounds":
            raise InputError(
                f"{axis}='bounds' gives two numbers, and the best length is that of one; choose another value"
            )
