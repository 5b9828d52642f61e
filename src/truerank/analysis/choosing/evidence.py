"""What the data at hand say about a choice: facts of the judgments, and of each run."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from truerank.analysis.choosing.guide import Step
from truerank.analysis.evaluate import evaluate
from truerank.analysis.notices import Facts, observe, unjudged_share
from truerank.analysis.reading import read
from truerank.analysis.seen import pool, refuse, refuse_strangers
from truerank.analysis.tied.counts import count_ties
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Floats, Keys, Rows, distinct
from truerank.data.qrels import Preferences, Qrels
from truerank.io.runs import named_runs, one_by_one
from truerank.measures.core.base import Measure

TOP = 10
"""Documents that are looked at where no depth was answered and ranks have weights."""


@dataclass(frozen=True, eq=False)
class SeenRun:
    """What was seen of one run."""

    name: str
    lengths: Rows
    """Documents of each list, over judged topics that the run has."""
    sets: Keys
    """A number for the set of documents of each judged topic, whatever their order."""
    tied: float
    """Share of documents that are tied."""
    unjudged: float
    """Share of unjudged documents down to the depth that counts."""
    values: Floats
    """Scores by the measure, one a topic."""
    facts: Facts

    @property
    def varies(self) -> bool:
        """Whether lists differ in length."""
        return len(distinct(self.lengths)) > 1


@dataclass(frozen=True, eq=False)
class Evidence:
    """A measure, the answers that led to it, and data that may contradict them."""

    path: tuple[Step, ...]
    measure: Measure
    qrels: Qrels
    depth: int | None
    """How far lists are looked at; None for all of each."""
    runs: tuple[SeenRun, ...] = ()

    @cached_property
    def answers(self) -> Mapping[str, bool | float]:
        """The answers that decided."""
        return {step.question.name: step.answer for step in self.path}

    @cached_property
    def relevant(self) -> Rows:
        """Relevant documents of each topic."""
        before = np.concatenate([[0], np.cumsum(self.qrels.grade > 0)])
        return np.diff(before[self.qrels.offsets])

    @cached_property
    def grades(self) -> Floats:
        """The grades above 0 that occur."""
        return distinct(self.qrels.grade[self.qrels.grade > 0])

    @property
    def ignores_grades(self) -> bool:
        """Whether the measure asks only whether a document is relevant."""
        return self.measure.core.level is not None

    @cached_property
    def needs_relevant(self) -> bool:
        """Whether the measure has no value where no document is relevant."""
        scores = evaluate({"q": {"d": 0}}, {"q": ["d"]}, self.measure, no_relevant="nan")
        return math.isnan(scores["run"][self.measure].mean)

    @property
    def readable(self) -> bool:
        """Whether the measure can be computed from these judgments."""
        return self.measure.needs == "preferences" or not isinstance(self.qrels, Preferences)


def look(
    path: tuple[Step, ...],
    measure: Measure,
    qrels: Qrels,
    runs: Any = None,
    progress: Callable[[str], object] | None = None,
) -> Evidence:
    """Look at judgments and at runs, one at a time."""
    answers = {step.question.name: step.answer for step in path}
    depth = math.ceil(answers["depth"]) if "depth" in answers else TOP if answers["top"] else None
    evidence = Evidence(path, measure, qrels, depth)
    if runs is None or not evidence.readable:
        return evidence
    choice, named = Conventions(), named_runs(runs)
    refuse(qrels, (measure,), choice)
    judged_pool = pool(qrels, named, (measure,), choice)
    seen = []
    for name, run in one_by_one(named):
        views = Views(qrels, run, judged_pool, choice, measure.cutoff or 0)
        refuse_strangers(name, views.judged)
        seen.append(_seen(name, views, measure, depth))
        if progress is not None:
            progress(name)
    return replace(evidence, runs=tuple(seen))


def _seen(name: str, views: Views, measure: Measure, depth: int | None) -> SeenRun:
    reading = read(views, measure)
    judged = views.judged
    return SeenRun(
        name=name,
        lengths=judged.length[judged.run_topic >= 0],
        sets=_sets(views),
        tied=count_ties(views, ()).share,
        unjudged=unjudged_share(views, depth),
        values=reading.score(views).values,
        facts=observe(name, views, {str(measure): reading}),
    )


def _sets(views: Views) -> Keys:
    """Sums of the keys of documents, which do not depend on their order; 0 for a topic that the run lacks."""
    run, topic = views.judged.run, views.judged.run_topic
    before: Keys = np.concatenate([np.zeros(1, np.uint64), np.cumsum(run.key, dtype=np.uint64)])
    total: Keys = np.diff(before[run.offsets])
    return np.where(topic >= 0, total[topic], np.uint64(0))
