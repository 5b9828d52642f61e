"""All runs scored by all measures, on the topics that they have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.criteria.scored import Scored
from truerank.analysis.cuts.best import scores_at
from truerank.analysis.notices import observe
from truerank.analysis.reading import Reading, read
from truerank.analysis.seen import noticed, seen
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.printing import counted
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.core.base import Measure


@dataclass(frozen=True, eq=False)
class Together:
    """Scores of the same runs on the same topics, by measure."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    """Those for which every run has a value by every measure."""
    scores: dict[Measure, Scored]
    notices: tuple[str, ...]

    def means(self, measure: Measure) -> Floats:
        """The mean score of each run."""
        mean: Floats = measure.sign * self.scores[measure].values.mean(axis=-1)
        return mean


def together(
    qrels: Any,
    runs: Any,
    measures: Sequence[Measure],
    choice: Conventions,
    *,
    depth: int | None = None,
    progress: Callable[[str], object] | None = None,
) -> Together:
    """Read runs one by one and score each by all measures; with ``depth``, lists cut there."""
    judgments, named = as_qrels(qrels), named_runs(runs)
    if len(named) < 2:
        raise InputError("measures are compared by how they order systems, and there is one run; give several")
    each_run = seen(judgments, named, tuple(measures), [choice], progress=progress)
    names = tuple(map(text, judgments.topics))
    values = np.full((len(measures), len(named), len(names)), np.nan)
    facts = []
    for place, (name, [views]) in enumerate(each_run):
        readings = {str(measure): _read(views, measure, depth) for measure in measures}
        for row, reading in enumerate(readings.values()):
            score = reading.score(views)
            found = dict(zip(score.topics, score.values.tolist(), strict=True))
            values[row, place] = [found.get(topic, np.nan) for topic in names]
        facts.append(observe(name, views, readings, ties=False))
    known = ~np.isnan(values).any(axis=(0, 1))
    if not known.any():
        raise InputError(
            "no topic has a value for all runs by all measures; choose no_relevant='zero', missing='empty'"
        )
    return Together(
        runs=tuple(each.name for each in named),
        topics=tuple(name for name, kept in zip(names, known, strict=True) if kept),
        scores={
            measure: Scored(measure.sign * rows) for measure, rows in zip(measures, values[..., known], strict=True)
        },
        notices=(
            *noticed(judgments, facts, choice),
            *([f"{_topics(len(names) - int(known.sum()))} left out of all comparisons"] if not known.all() else []),
        ),
    )


def _read(views: Views, measure: Measure, depth: int | None) -> Reading:
    if depth is None:
        return read(views, measure)
    values = scores_at(views, measure, depth)
    return Reading(measure, values, np.zeros(len(values)))


def _topics(count: int) -> str:
    return f"{counted(count, 'topic')} without a value for some run or measure {'is' if count == 1 else 'are'}"
