"""Evaluate runs: measures under conventions, with what there is to know about the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.notices import notices, observe
from truerank.analysis.reading import Reading, read
from truerank.analysis.scores import RunScores, Scores
from truerank.analysis.views import Views, answers, ending_of, listed, text
from truerank.conventions.choices import Conventions
from truerank.conventions.ending import TERMINAL
from truerank.conventions.presets import chosen
from truerank.conventions.ties import broken_by_order
from truerank.data.block import Pool, pool_of
from truerank.data.errors import InputError
from truerank.data.judge import Judged, judge
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.load import as_qrels
from truerank.io.runs import Named, named_runs, one_by_one
from truerank.measures.base import Measure
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = "nDCG@10 AP P@10 R@100 RR RBP(p=0.8)"


def evaluate(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> Scores:
    """Score runs against judgments.

    ``qrels`` and each run may be a path, an open file, a dict of dicts, a dict of lists, rows, or what ``read_qrels``
    and ``read_run`` return; ``runs`` is one run, a list of runs, or a dict from names to runs. Conventions that are not
    given are those of ``like``, or else the first of these. ``progress`` is called with the name of each run when it
    is done.

    - ``ties``: "expected" (the mean over all orders), "best", "worst", "bounds" (both), or one order: "docid" (as
      trec_eval), "docid-asc", "input", "rank", "sample(seed)"
    - ``unjudged``: "nonrelevant", "condensed" (taken out of the list), "bounds" (none relevant, all relevant)
    - ``ending``: "none", "terminal", "terminal-once" (the end of a list is an answer)
    - ``limit``: the most documents that a list could have, if any: with an ending, a list of so many without a NIL was
      not ended by its system
    - ``nil``, a document named NIL: "end" of the list, where that is an answer, or an "answer" of its own, right where
      nothing is relevant
    - ``missing`` topics of a run: "empty", "skip", "error"
    - ``no_relevant``, where a measure is undefined: "zero", "skip", "nan"
    - ``relevant`` documents counted in the "judgments" or in the "run"
    - ``negative`` grades: "judged" (not relevant), "unjudged"
    - ``precision`` of scores: "float64", "float32"
    - ``identical``, documents with the id of their topic: "keep", "drop"
    - ``like``: "trec_eval-9", "trec_eval-10", "pytrec_eval", "ir_measures", "ranx", "sklearn", "beir"

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 2}}
    >>> scores = evaluate(qrels, {"mine": {"q1": {"a": 3.0, "b": 2.0, "c": 2.0}}}, "AP nDCG@2")
    >>> scores["mine"]["AP"].mean  # the mean of 1 and 5/6: b and c are tied
    0.9166666666666666
    """
    choice = chosen(given)
    wanted = parse_all(measures)
    judgments, named = as_qrels(qrels), named_runs(runs)
    refuse(judgments, wanted, choice)
    judged_pool = pool(judgments, named, wanted, choice)
    results: dict[str, RunScores] = {}
    facts = []
    for name, run in one_by_one(named):
        views = Views(judgments, run, judged_pool, choice, _deepest(wanted))
        refuse_strangers(name, views.judged)
        readings = {str(measure): read(views, measure) for measure in wanted}
        results[name] = _scores(views, readings)
        facts.append(observe(name, views, readings))
        if progress is not None:
            progress(name)
    return Scores(
        runs=results,
        conventions=choice,
        max_grade=judgments.max_grade,
        topics=tuple(topic.decode("utf-8", "surrogateescape") for topic in judgments.topics),
        notices=(*judgments.notes, *notices(facts, choice, len(judgments.topics))),
    )


def score(judgments: Qrels, run: Run, wanted: tuple[Measure, ...], choice: Conventions) -> RunScores:
    """Score one prepared run and nothing more: no notices, and a run of other topics is not refused.

    >>> from truerank.io.load import as_run
    >>> score(as_qrels({"q1": {"a": 1}}), as_run({"q1": ["b", "a"]}), parse_all("RR"), Conventions())["RR"].mean
    0.5
    """
    refuse(judgments, wanted, choice)
    judged_pool = pool(judgments, [Named(run.name, run)], wanted, choice)
    views = Views(judgments, run, judged_pool, choice, _deepest(wanted))
    return _scores(views, {str(measure): read(views, measure) for measure in wanted})


def _scores(views: Views, readings: dict[str, Reading]) -> RunScores:
    return RunScores({name: reading.score(views) for name, reading in readings.items()})


def _deepest(wanted: tuple[Measure, ...]) -> int:
    return max((measure.cutoff for measure in wanted if measure.cutoff is not None), default=0)


def refuse(judgments: Qrels, wanted: tuple[Measure, ...], choice: Conventions) -> None:
    """Refuse measures that judgments or conventions leave without a meaning."""
    for measure in wanted:
        if isinstance(judgments, Preferences) and measure.needs != "preferences":
            raise InputError(
                f"{measure} needs grades, and these judgments are preferences (three columns: topic, better, worse); "
                "use PrefLoss with them, or give qrels (four columns: topic, iteration, document, grade)"
            )
        if choice.ending != "none" and not measure.takes_terminal:
            raise InputError(f"{measure} has no form with a terminal document; evaluate it with ending='none'")
        if choice.nil == "answer" and TERMINAL[ending_of(measure, choice)]:
            raise InputError(
                f"{measure} with a terminal document takes the end of a list for an answer, and nil='answer' NIL; "
                "evaluate it with nil='end', or without a terminal document"
            )
    if choice.nil == "answer" and isinstance(judgments, Preferences):
        raise InputError("nil='answer' gives NIL a grade, and preferences have none; give qrels, or leave nil out")
    if choice.limit is not None and not any(TERMINAL[ending_of(measure, choice)] for measure in wanted):
        raise InputError(
            f"limit={choice.limit} says which lists were ended by their systems, which counts with a terminal document "
            "only; choose ending='terminal', or leave limit out"
        )


def refuse_strangers(name: str, judged: Judged) -> None:
    """Refuse a run that has nothing to do with the judgments: its scores would be zeros that look like results."""
    if (judged.run_topic < 0).all():
        theirs, ours = text(judged.run.topics[0]), text(judged.qrels.topics[0])
        raise InputError(
            f"run {name!r} and the judgments have no topic in common: one has topics such as {theirs!r}, the other "
            f"such as {ours!r}; check that both name topics alike"
        )


def pool(judgments: Qrels, runs: list[Named], wanted: tuple[Measure, ...], choice: Conventions) -> Pool:
    """What the judgments say of each topic; the best rank of each document in the runs, where a measure needs it."""
    judgments = answers(judgments, choice)
    best_rank = None
    if any(measure.needs_pool for measure in wanted):
        best_rank = np.full(len(judgments.grade), np.iinfo(np.int64).max)
        for _, run in one_by_one(runs):
            # Pools are made of single rankings, so ties are in the order that trec_eval has for them.
            judged = broken_by_order(judge(judgments, listed(run, choice), precision=choice.precision), "docid")
            np.minimum.at(best_rank, judged.judgment, judged.above + 1)
    return pool_of(judgments, negative_judged=choice.negative == "judged", best_rank=best_rank)
