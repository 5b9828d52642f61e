"""Evaluate runs: measures under conventions, with what there is to know about the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from truerank.analysis.notices import observe
from truerank.analysis.reading import Reading, read
from truerank.analysis.scores import RunScores, Scores
from truerank.analysis.seen import deepest_of, noticed, pool, refuse, seen
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.conventions.presets import chosen
from truerank.data.ids import text
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.io.load import as_qrels
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
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
    results: dict[str, RunScores] = {}
    facts = []
    for name, [views] in seen(judgments, named, wanted, [choice], progress=progress):
        readings = {str(measure): read(views, measure) for measure in wanted}
        results[name] = _scores(views, readings)
        facts.append(observe(name, views, readings))
    return Scores(
        runs=results,
        conventions=choice,
        max_grade=judgments.max_grade,
        topics=tuple(map(text, judgments.topics)),
        notices=noticed(judgments, facts, choice),
    )


def score(judgments: Qrels, run: Run, wanted: tuple[Measure, ...], choice: Conventions) -> RunScores:
    """Score one prepared run and nothing more: no notices, and a run of other topics is not refused.

    >>> from truerank.io.load import as_run
    >>> score(as_qrels({"q1": {"a": 1}}), as_run({"q1": ["b", "a"]}), parse_all("RR"), Conventions())["RR"].mean
    0.5
    """
    refuse(judgments, wanted, choice)
    judged_pool = pool(judgments, [Named(run.name, run)], wanted, choice)
    views = Views(judgments, run, judged_pool, choice, deepest_of(wanted))
    return _scores(views, {str(measure): read(views, measure) for measure in wanted})


def _scores(views: Views, readings: dict[str, Reading]) -> RunScores:
    return RunScores({name: reading.score(views) for name, reading in readings.items()})
