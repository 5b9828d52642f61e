"""What ties do: to scores, and to the order of systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from truerank.analysis.evaluate import pool, refuse, refuse_strangers
from truerank.analysis.notices import notices, observe
from truerank.analysis.tied.counts import count_ties
from truerank.analysis.tied.results import TiedRun, Ties
from truerank.analysis.tied.scores import tied_score
from truerank.analysis.tied.swaps import strays, swaps
from truerank.analysis.views import Views, text
from truerank.conventions.presets import chosen
from truerank.data.errors import InputError
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.base import Measure
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = "nDCG@10 AP"
CUTOFF = 10
"""Where ties may straddle a cutoff, if no measure has one."""


def ties(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> Ties:
    """Tell how much of each run is tied, and what the order of ties does to its scores and to its place.

    Takes what ``evaluate`` takes. Each score is given as the mean over all orders of ties, in the worst and the best
    order, and in the orders that tools take: "docid" (descending, as trec_eval), "docid-asc", "input", and "rank" where
    the run has a rank column. Two runs can swap if one is better by expectation and each may come out above the other,
    every list with its ties in an order of its own.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 0}}
    >>> runs = {"flat": {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}}, "second": {"q1": {"b": 2.0, "a": 1.0}}}
    >>> found = ties(qrels, runs, "RR")
    >>> flat = found["flat"]["RR"]
    >>> round(flat.worst, 2), round(flat.expected, 2), flat.best
    (0.33, 0.61, 1.0)
    >>> [(swap.better, swap.worse, swap.reversed_by) for swap in found.swaps]
    [('flat', 'second', ('docid',))]
    """
    choice = chosen(given, ties="bounds")
    if choice.unjudged == "bounds":
        raise InputError("unjudged='bounds' would mix two reasons for bounds; choose 'nonrelevant' or 'condensed'")
    wanted = parse_all(measures)
    judgments, named = as_qrels(qrels), named_runs(runs)
    refuse(judgments, wanted, choice)
    judged_pool = pool(judgments, named, wanted, choice)
    cutoffs = sorted({measure.cutoff for measure in wanted if measure.cutoff}) or [CUTOFF]
    found: dict[str, TiedRun] = {}
    facts = []
    for each in named:
        views = Views(judgments, each.read(), judged_pool, choice, 0)
        refuse_strangers(each.name, views.judged)
        scores = {str(measure): tied_score(views, measure) for measure in wanted}
        found[each.name] = TiedRun(count_ties(views, cutoffs), {name: score for name, (score, _) in scores.items()})
        facts.append(observe(each.name, views, {name: reading for name, (_, reading) in scores.items()}))
        if progress is not None:
            progress(each.name)
    by_measure = {str(measure): {name: run[str(measure)] for name, run in found.items()} for measure in wanted}
    return Ties(
        runs=found,
        wanted=wanted,
        swaps=tuple(swap for scores in by_measure.values() for swap in swaps(scores)),
        strays=tuple(stray for scores in by_measure.values() for stray in strays(scores)),
        topics=tuple(map(text, judgments.topics)),
        conventions=choice,
        notices=(*judgments.notes, *notices(facts, choice, len(judgments.topics))),
    )
