"""Cross-validation: a rule is fitted to some topics and used on others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from truerank.analysis.stopping.base import Rule
from truerank.analysis.stopping.outcomes import FIXED, Comparison, Outcome
from truerank.analysis.stopping.worth import Worth
from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.statistics.corrections import holm
from truerank.statistics.paired import PValues
from truerank.statistics.randomization import randomization
from truerank.statistics.student import student


@dataclass(frozen=True)
class Plan:
    """Which rules are compared, and how."""

    kinds: Mapping[str, type[Rule] | Rule]
    """Rules to fit, and rules that are ready."""
    folds: int = 5
    seed: int = 0
    test: str = "randomization"

    def __post_init__(self) -> None:
        if isinstance(self.folds, bool) or not isinstance(self.folds, (int, np.integer)) or self.folds < 2:
            raise InputError(f"folds={self.folds!r}; give a whole number from 2 on")
        if isinstance(self.seed, bool) or not isinstance(self.seed, (int, np.integer)) or self.seed < 0:
            raise InputError(f"seed={self.seed!r}; give a whole number from 0 on")
        if self.test not in TESTS:
            raise InputError(f"test={self.test!r} is not a choice; take one of {', '.join(TESTS)}")

    def fold(self, topics: int) -> Rows:
        """The number of the fold that each topic is in, about as many topics in each.

        >>> sorted(Plan({}, folds=3).fold(7).tolist())
        [0, 0, 0, 1, 1, 2, 2]
        """
        fold = np.empty(topics, np.int64)
        fold[np.random.default_rng(self.seed).permutation(topics)] = np.arange(topics) % self.folds
        return fold


TESTS: dict[str, Callable[[Floats, int], PValues]] = {
    "randomization": lambda values, seed: randomization(values, seed=seed),
    "student": lambda values, seed: student(values),
}


def compare(worth: Worth, plan: Plan, fold: Rows, names: tuple[str, ...], run: str) -> Comparison:
    """Fit each rule to the topics outside each fold, and cut the lists inside it; a rule that is ready is used so."""
    cuts = {name: _cut(worth, kind, fold) for name, kind in plan.kinds.items()}
    values = {name: worth.at(lengths) for name, (lengths, _) in cuts.items()}
    whole, oracle = worth.at(worth.lists.whole), worth.at(worth.oracle)
    p = _p_values(whole, oracle, values, plan)
    found = {}
    for name, kind in plan.kinds.items():
        rule = kind if isinstance(kind, Rule) else worth.fit(kind, np.arange(len(fold)))
        lengths, folds = cuts[name]
        found[name] = Outcome(
            rule=rule if isinstance(kind, Rule) else replace(rule, fitted=worth.fitted(rule, run)),
            folds=folds,
            lengths=lengths,
            values=values[name],
            p_whole=p["whole"][name],
            p_oracle=p["oracle"][name],
            p_fixed=p[FIXED].get(name),
        )
    return Comparison(worth.measure, names, worth.lists.whole, whole, worth.oracle, oracle, found)


def _cut(worth: Worth, kind: type[Rule] | Rule, fold: Rows) -> tuple[Rows, tuple[Rule, ...]]:
    """The lengths of all lists, each by a rule that did not see its topic, and these rules."""
    if isinstance(kind, Rule):
        return kind.cut(worth.lists), ()
    lengths, rules = np.zeros(len(fold), np.int64), []
    for number in sorted({*fold.tolist()}):
        inside = fold == number
        rules.append(worth.fit(kind, np.flatnonzero(~inside)))
        lengths[inside] = rules[-1].cut(worth.lists)[inside]
    return lengths, tuple(rules)


def _p_values(whole: Floats, oracle: Floats, values: Mapping[str, Floats], plan: Plan) -> dict[str, dict[str, float]]:
    """p of every rule against whole lists, best cuts and a fixed length, each corrected for the number of rules."""
    p = TESTS[plan.test](np.array([whole, oracle, *values.values()]), plan.seed).p
    place = {name: row for row, name in enumerate(values, 2)}
    against = {"whole": (0, [*values]), "oracle": (1, [*values])}
    against[FIXED] = (place.get(FIXED, 0), [name for name in values if FIXED in values and name != FIXED])
    return {
        reference: dict(zip(some, holm([p[row, place[name]] for name in some]).tolist(), strict=True))
        for reference, (row, some) in against.items()
    }
