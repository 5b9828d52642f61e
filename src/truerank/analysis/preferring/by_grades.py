"""Runs scored by grades, over the topics that have preferences too, to be ordered beside their preference loss."""

from __future__ import annotations

from collections.abc import Mapping

from truerank.analysis.notices import Facts, notices, observe
from truerank.analysis.preferring.against import only
from truerank.analysis.preferring.orderings import Ordering, ordering
from truerank.analysis.reading import read
from truerank.analysis.scores import Score
from truerank.analysis.seen import deepest_of, pool, refuse
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.load import as_qrels
from truerank.io.runs import Named
from truerank.measures.core.base import Measure


class ByGrades:
    """Graded judgments of the topics that preferences have, and the scores of runs by them."""

    def __init__(
        self,
        qrels: object,
        preferences: Preferences,
        runs: list[Named],
        wanted: tuple[Measure, ...],
        choice: Conventions,
    ) -> None:
        given = as_qrels(qrels)
        if isinstance(given, Preferences):
            raise InputError("qrels= are preferences too; give graded judgments (topic, iteration, document, grade)")
        self.qrels = only(given, preferences.topics)
        if not len(self.qrels.topics):
            raise InputError("the preferences and the qrels have no topic in common; check that both name topics alike")
        refuse(self.qrels, wanted, choice)
        self._wanted, self._choice = wanted, choice
        self._pool = pool(self.qrels, runs, wanted, choice)
        self._scores: dict[str, dict[str, Score]] = {}
        self._facts: list[Facts] = []
        self._apart = [*given.notes, *_apart(preferences, given, self.qrels)]

    def add(self, name: str, run: Run) -> None:
        """Score a run."""
        views = Views(self.qrels, run, self._pool, self._choice, deepest_of(self._wanted))
        readings = {str(measure): read(views, measure) for measure in self._wanted}
        self._scores[name] = {measure: one.score(views) for measure, one in readings.items()}
        self._facts.append(observe(name, views, readings, ties=False))

    def orderings(self, losses: Mapping[str, Score]) -> tuple[Ordering, ...]:
        """How measures order the runs, beside their preference loss over the same topics."""
        if len(self._scores) < 2:
            return ()
        return tuple(self._ordering(measure, losses) for measure in self._wanted)

    def _ordering(self, measure: Measure, losses: Mapping[str, Score]) -> Ordering:
        own = {name: scores[str(measure)] for name, scores in self._scores.items()}
        # Means over other topics would be other orderings for that reason alone.
        by_loss = {name: _over(losses[name], score.topics) for name, score in own.items()}
        return ordering(measure, by_loss, {name: score.mean for name, score in own.items()})

    @property
    def notices(self) -> list[str]:
        """What there is to know about the grades and the scores."""
        return [*self._apart, *notices(self._facts, self._choice, len(self.qrels.topics))]


def _over(loss: Score, topics: tuple[str, ...]) -> float:
    values = [loss.per_topic[topic] for topic in topics if topic in loss.per_topic]
    return sum(values) / len(values) if values else float("nan")


def _apart(preferences: Preferences, given: Qrels, common: Qrels) -> list[str]:
    """What only one kind of judgments has."""
    without, more = len(preferences.topics) - len(common.topics), len(given.topics) - len(common.topics)
    said = [f"{counted(without, 'topic')} of the preferences without grades: not compared"] if without else []
    return said + ([f"{counted(more, 'topic')} of the qrels without preferences: not compared"] if more else [])
