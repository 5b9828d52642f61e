"""How the score of one list comes about, rank by rank, and what would change it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.explaining.explained import Explained
from truerank.analysis.explaining.lists import as_read, list_of
from truerank.analysis.explaining.results import Explanation
from truerank.analysis.explaining.revealed import revealed
from truerank.analysis.explaining.steps import steps
from truerank.analysis.explaining.topic import index_of, single
from truerank.analysis.reading import read
from truerank.analysis.seen import pool, refuse, refuse_strangers
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.conventions.presets import chosen
from truerank.data.errors import InputError
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

DEFAULT_MEASURES = "AP"


def explain(
    qrels: Any,
    run: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    topic: str | None = None,
    **given: Unpack[Given],
) -> Explanation:
    """Show how a measure arrives at the score of one topic, document by document, and what would change it.

    Judgments, run, measures and conventions are given as to ``evaluate``; ``topic`` may be left out where only one is
    judged. The contributions of the steps add up to the score. For measures that are sums over ranks they are the terms
    of the sum, as means over the orders of ties; for others, what the score gains when the judgments of the list become
    known from the top down.

    >>> qrels = {"q1": {"a": 1, "c": 1, "z": 1, "b": 0}}
    >>> ap = explain(qrels, {"q1": ["a", "b", "c", "new"]}, "AP")["AP"]
    >>> [(step.doc, round(step.factor, 4), round(step.contribution, 4)) for step in ap.found]
    [('a', 1.0, 0.3333), ('c', 0.6667, 0.2222)]
    >>> ap.divisor.name, ap.divisor.value, round(ap.score, 4)
    ('R', 3.0, 0.5556)
    >>> ap.swap.upper, ap.swap.lower, round(ap.swap.score, 4)
    ('b', 'c', 0.6667)
    """
    choice = single(chosen(given))
    wanted = parse_all(measures)
    judgments, named = as_qrels(qrels), _one(run)
    refuse(judgments, wanted, choice)
    index = index_of(judgments, topic)
    whole = named.read()
    found: dict[str, Explained] = {}
    for measure in wanted:
        found[str(measure)] = _explained(measure, judgments, Named(named.name, whole), whole, choice, index)
    return Explanation(
        run=named.name,
        topic=text(judgments.topics[index]),
        scores=found,
        conventions=choice,
        notices=(*judgments.notes, *whole.notes, *_notices(wanted)),
    )


def _explained(
    measure: Measure, judgments: Qrels, named: Named, run: Run, choice: Conventions, index: int
) -> Explained:
    qrels, ended = as_read(measure, judgments, run, choice)
    judged_pool = pool(qrels, [Named(named.name, ended)], (measure,), choice)
    views = Views(qrels, ended, judged_pool, choice, measure.cutoff or 0, None, run)
    refuse_strangers(named.name, views.judged)
    if index not in views.topics.tolist():
        name = text(judgments.topics[index])
        raise InputError(f"run {named.name!r} has no documents for topic {name!r}; missing='empty' is an empty list")
    views = views.only(np.array([index]))
    reading = read(views, measure)
    score = reading.score(views).per_topic.get(text(judgments.topics[index]), np.nan)
    one = list_of(measure, views, judged_pool)
    parts = one.measure.parts(one.r) or revealed(one.measure, one.r)
    undefined = bool(reading.undefined[0])
    return Explained(
        measure=measure,
        score=score,
        undefined=measure.undefined_because if undefined else "",
        std_error=float(reading.error[0]),
        how=parts.how,
        named=parts.named,
        divisor=parts.divisor,
        terms=parts.terms,
        steps=steps(one, parts),
        length=int(one.r.length[0]),
        depth=one.depth,
        relevant=int(one.r.relevant(one.measure.gain(one.r))[0, 0]) - bool(one.r.terminal),
        max_grade=one.r.max_grade,
        one=one,
        pool=judged_pool,
    )


def _one(run: Any) -> Named:
    found = named_runs(run)
    if len(found) != 1:
        raise InputError(f"{len(found)} runs are given, and one list is explained at a time; give one")
    return found[0]


def _notices(wanted: tuple[Measure, ...]) -> list[str]:
    return [f"{measure}: {measure.assumes}" for measure in wanted if measure.assumes]
