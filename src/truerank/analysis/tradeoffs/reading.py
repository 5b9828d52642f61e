"""Runs as curves read them: one number a topic, of all topics or of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.explaining.topic import index_of, single
from truerank.analysis.notices import Facts, observe
from truerank.analysis.reading import read
from truerank.analysis.seen import noticed, seen
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Floats, Mask
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.core.base import Measure


@dataclass(frozen=True, eq=False)
class Reader:
    """A run, for the topics that count."""

    name: str
    views: Views

    def mean(self, measure: Measure) -> float:
        """A measure, as ``evaluate`` has it for these topics."""
        return read(self.views, measure).score(self.views).mean

    def undefined(self, measure: Measure) -> Mask:
        """Topics where a measure has no value."""
        return read(self.views, measure).undefined

    def settled(self, rows: Floats, undefined: Mask) -> Floats:
        """Rows of topics, where undefined ones count as nothing, are left out, or are undefined."""
        fate = self.views.choice.no_relevant
        if fate == "skip":
            return rows[~undefined]
        return np.where(undefined[:, None], 0.0 if fate == "zero" else np.nan, rows)


def each_run(
    qrels: Any,
    runs: Any,
    choice: Conventions,
    measures: tuple[Measure, ...],
    topic: str | None,
    made: Callable[[Reader], None],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Hand every run to what makes its curve; return the topics, and what there is to know."""
    single(choice)
    if choice.ending != "none":
        raise InputError("curves are of lists without a terminal document; choose ending='none'")
    judgments, named = as_qrels(qrels), named_runs(runs)
    each = seen(judgments, named, measures, [choice])
    index = None if topic is None else index_of(judgments, topic)
    facts: list[Facts] = []
    for name, [views] in each:
        if index is not None:
            views = views.only(views.topics[views.topics == index])
            if not len(views.topics):
                raise InputError(f"run {name!r} has no documents for topic {topic!r}; choose missing='empty'")
        readings = {str(measure): read(views, measure) for measure in measures}
        facts.append(observe(name, views, readings, ties=False))
        made(Reader(name, views))
    names = tuple(map(text, judgments.topics)) if index is None else (text(judgments.topics[index]),)
    return names, noticed(judgments, facts, choice)
