"""What every cut of the lists of a run is worth, and what the two ways to cut that need no rule are worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from truerank.analysis.cuts.best import prefix_scores, shortest_best
from truerank.analysis.stopping.base import Fitted, Rule
from truerank.analysis.stopping.lists import ScoreLists
from truerank.analysis.views import Views
from truerank.data.arrays import Floats, Rows
from truerank.io.direction import low_is_best
from truerank.measures.core.base import Measure


@dataclass(frozen=True, eq=False)
class Worth:
    """A measure of the lists of a run, cut after 0, 1, ... documents: the score of any cut is looked up."""

    measure: Measure
    lists: ScoreLists
    scores: Floats
    """One row a topic that counts; past the end of its list, that of the whole list."""
    higher_is_better: bool = True
    """Whether scores of the run are as given; where low ones are best, rules see them negated."""

    @classmethod
    def of(cls, views: Views, lists: ScoreLists, measure: Measure) -> Worth:
        """Score all cuts of a run at once."""
        found = prefix_scores(views, measure)
        missing = int(lists.whole.max(initial=0)) + 1 - found.shape[1]
        found = np.pad(found, ((0, 0), (0, max(missing, 0))), constant_values=np.nan)
        # A list that was ended by a NIL ends there, however late it is cut.
        last = np.where(np.isnan(found), 0, np.arange(found.shape[1])).max(axis=-1, initial=0)
        scores = found[np.arange(len(found))[:, None], np.minimum(np.arange(found.shape[1]), last[:, None])]
        return cls(measure, lists, scores, not low_is_best(views.run))

    @property
    def values(self) -> Floats:
        """The scores, where more is better."""
        return self.measure.sign * self.scores

    def at(self, lengths: Rows) -> Floats:
        """The score of each list, cut at a length of its own."""
        return self.scores[np.arange(len(self.scores)), lengths]

    @cached_property
    def oracle(self) -> Rows:
        """The best length of each list among those at which it can be cut, the shortest of those that score best."""
        allowed = np.full(self.scores.shape, np.nan)
        allowed[:, 0] = self.values[:, 0]
        for topic, ends in enumerate(self.lists.ends):
            allowed[topic, ends] = self.values[topic, ends]
        return shortest_best(allowed)

    def fit(self, kind: type[Rule], topics: Rows) -> Rule:
        """A rule with the parameters that do best on some topics."""
        return kind.fit(self.lists, self.values, topics)

    def fitted(self, rule: Rule, run: str) -> Fitted:
        """How a rule does on all topics."""
        whole, oracle = self.at(self.lists.whole), self.at(self.oracle)
        means = {"mean": self.at(rule.cut(self.lists)).mean(), "whole": whole.mean(), "oracle": oracle.mean()}
        return Fitted(
            measure=str(self.measure),
            run=run,
            topics=len(self.lists),
            **{name: float(mean) for name, mean in means.items()},
            higher_is_better=self.higher_is_better,
        )
