"""Scores of runs on the topics that all of them have, and the runs themselves where they are looked at again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerank.analysis.notices import observe
from truerank.analysis.reading import Reading, read
from truerank.analysis.seen import noticed, seen
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.printing import counted
from truerank.data.qrels import Qrels
from truerank.io.runs import Named
from truerank.measures.core.base import Measure

Stage = Callable[[str, int, int], object]
"""Called with what is being done, how much of it is done, and of how much."""
NAMED = 3
"""Topics that a sentence names."""


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of runs by measure, on the judged topics that count for every run."""

    runs: tuple[str, ...]
    wanted: tuple[Measure, ...]
    topics: Rows
    """Indexes of the topics in the judgments."""
    names: tuple[str, ...]
    """The same in words."""
    values: dict[str, Floats]
    """Runs x topics by measure; NaN where undefined and not to be counted."""
    views: tuple[Views, ...]
    """The runs, restricted to these topics; none where they are not to be looked at again."""
    notices: tuple[str, ...]

    def at(self, measure: Measure) -> Floats:
        """Scores by another measure of the runs that were kept (runs x topics)."""
        rows = [_full(one, read(one, measure)) for one in self.views]
        return np.stack(rows)[:, self.topics]


def scored(
    judgments: Qrels,
    named: Sequence[Named],
    wanted: tuple[Measure, ...],
    choice: Conventions,
    *,
    keep: bool,
    progress: Stage | None = None,
) -> Scored:
    """Read and score runs one by one; ``keep`` has them stay in memory."""
    for measure in wanted:
        if not measure.averages:
            raise InputError(f"{measure} is no mean over topics, and tests compare means; choose another measure")
    rows: dict[str, list[Floats]] = {str(measure): [] for measure in wanted}
    everywhere = np.ones(len(judgments.topics), bool)
    kept, facts = [], []
    for done, (name, [views]) in enumerate(seen(judgments, named, wanted, [choice]), 1):
        readings = {str(measure): read(views, measure) for measure in wanted}
        for each, reading in readings.items():
            rows[each].append(_full(views, reading))
        everywhere &= np.isin(np.arange(len(everywhere)), views.topics)
        facts.append(observe(name, views, readings))
        if keep:
            kept.append(views)
        if progress is not None:
            progress("evaluating", done, len(named))
    if not everywhere.any():
        raise InputError("the runs have no judged topic in common; choose missing='empty' to compare them anyway")
    topics = np.flatnonzero(everywhere)
    # Tests need values: where a measure has none, the topic is left out, also where NaN was chosen.
    counts_as = replace(choice, no_relevant="skip") if choice.no_relevant == "nan" else choice
    lost = [text(judgments.topics[at]) for at in np.flatnonzero(~everywhere).tolist()]
    return Scored(
        runs=tuple(each.name for each in named),
        wanted=wanted,
        topics=topics,
        names=tuple(text(judgments.topics[topic]) for topic in topics.tolist()),
        values={measure: np.stack(found)[:, topics] for measure, found in rows.items()},
        views=tuple(views if everywhere.all() else views.only(topics) for views in kept),
        notices=(*noticed(judgments, facts, counts_as), *left_out(lost, "missing in some of them")),
    )


def left_out(topics: Sequence[str], why: str) -> list[str]:
    """Where topics count for no run, what to say about it.

    >>> left_out(["401", "402"], "missing in some of them")
    ['2 topics (401, 402) left out for all runs, missing in some of them']
    """
    if not topics:
        return []
    shown = ", ".join(topics[:NAMED]) + ", ..." * (len(topics) > NAMED)
    return [f"{counted(len(topics), 'topic')} ({shown}) left out for all runs, {why}"]


def _full(views: Views, reading: Reading) -> Floats:
    """A value for each judged topic; NaN for one that does not count."""
    score = reading.score(views)
    place = dict(zip(views.names, views.topics.tolist(), strict=True))
    values = np.full(len(views.judged.length), np.nan)
    values[[place[topic] for topic in score.topics]] = score.values
    return values
