"""What ties do: to scores, and to the order of systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from truerank.analysis.notices import observe
from truerank.analysis.seen import noticed, seen
from truerank.analysis.tied.counts import count_ties
from truerank.analysis.tied.results import TiedRun, Ties
from truerank.analysis.tied.scores import tied_score
from truerank.analysis.tied.swaps import strays, swaps
from truerank.conventions.presets import chosen
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.core.base import Measure
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
    cutoffs = sorted({measure.cutoff for measure in wanted if measure.cutoff}) or [CUTOFF]
    found: dict[str, TiedRun] = {}
    facts = []
    for run, [views] in seen(judgments, named, wanted, [choice], progress=progress):
        scores = {str(measure): tied_score(views, measure) for measure in wanted}
        found[run] = TiedRun(count_ties(views, cutoffs), {name: score for name, (score, _) in scores.items()})
        facts.append(observe(run, views, {name: reading for name, (_, reading) in scores.items()}))
    by_measure = {str(measure): {name: one[str(measure)] for name, one in found.items()} for measure in wanted}
    return Ties(
        runs=found,
        wanted=wanted,
        swaps=tuple(swap for scores in by_measure.values() for swap in swaps(scores)),
        strays=tuple(stray for scores in by_measure.values() for stray in strays(scores)),
        topics=tuple(map(text, judgments.topics)),
        conventions=choice,
        notices=noticed(judgments, facts, choice),
    )
