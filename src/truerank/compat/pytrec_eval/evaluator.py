"""pytrec_eval's evaluator."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from truerank.compat.pytrec_eval.measures import columns
from truerank.compat.pytrec_eval.rows import encoded, judgments, ranking, refuse_other_ids
from truerank.conventions.presets import conventions
from truerank.data.arrays import Floats
from truerank.measures.core.base import Measure
from truerank.questions.evaluate.work import score


class RelevanceEvaluator:
    """Scores runs against judgments, which are prepared once; topics that are in both count."""

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        named = columns(measures, operator.index(relevance_level))
        self._columns = {name: None if measure is None else _Column(measure) for name, measure in named.items()}
        self._wanted = tuple(dict.fromkeys(each.measure for each in self._columns.values() if each is not None))
        judged = {topic: grades for topic, grades in query_relevance.items() if len(grades)}
        self._qrels = judgments(judged) if judged else None
        self._topics = frozenset(judged)
        self._conventions = conventions("pytrec_eval", unjudged="condensed" if judged_docs_only_flag else None)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Value of every measure for every topic that is judged, in the order of the run."""
        if not scores:
            return {}
        if not isinstance(scores, Mapping):
            raise TypeError(f"a run is a dict from topics to documents with scores, not a {type(scores).__name__}")
        refuse_other_ids(scores, "topic")
        common = {topic: scores[topic] for topic in scores if topic in self._topics}
        names = tuple(self._columns)
        if self._qrels is None or not common or not names:
            return {topic: {} for topic in common}
        run = ranking(common)
        found = score(self._qrels, run, self._wanted, self._conventions) if self._wanted else {}
        zeros = np.zeros(len(common))
        values = np.array([zeros if each is None else each.values(found) for each in self._columns.values()])
        rows = dict(zip(run.topics, values.T.tolist(), strict=True))
        return {topic: dict(zip(names, rows[encoded(topic)], strict=True)) for topic in common}


class _Column:
    """A measure as results have it: where the mean is geometric, the logarithms of what is scored topic by topic."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure.core
        self._text = str(self.measure)
        self._averaged = measure.averaged

    def values(self, found: Mapping[str, Any]) -> Floats:
        """One value a topic."""
        return self._averaged(found[self._text].values)
