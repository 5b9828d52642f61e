"""What every cut of the lists of a run is worth, and what the two ways to cut that need no rule are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.measures.core.base import Measure
from truerank.questions.stop.lists import ScoreLists
from truerank.questions.stop.rule import Fit, Rule
from truerank.questions.truncate.best import shortest_best


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
    def of(
        cls, measure: Measure, lists: ScoreLists, worth: Sequence[Floats], *, higher_is_better: bool = True
    ) -> Worth:
        """The scores of each list cut after 0, 1, ... documents, down to its end, as one table."""
        place = np.arange(int(lists.whole.max(initial=0)) + 1)
        # A list that was ended by a NIL ends there, however late it is cut.
        rows = [row[np.minimum(place, len(row) - 1)] for row in worth]
        return cls(measure, lists, np.array(rows).reshape(len(rows), len(place)), higher_is_better)

    @property
    def values(self) -> Floats:
        """The scores, where more is better."""
        return self.measure.sign * self.scores

    def at(self, lengths: Rows) -> Floats:
        """The score of each list, cut at a length of its own."""
        return self.scores[np.arange(len(self.scores)), lengths]

    def better(self, mean: float, other: float) -> float:
        """How much better one mean score is than another."""
        return mean - other if self.measure.higher_is_better else other - mean

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

    def fitted(self, rule: Rule, run: str) -> Fit:
        """How a rule does on all topics."""
        whole, oracle = self.at(self.lists.whole), self.at(self.oracle)
        means = {"mean": self.at(rule.cut(self.lists)).mean(), "whole": whole.mean(), "oracle": oracle.mean()}
        return Fit(
            measure=str(self.measure),
            run=run,
            topics=len(self.lists),
            **{name: float(mean) for name, mean in means.items()},
            higher_is_better=self.higher_is_better,
        )
