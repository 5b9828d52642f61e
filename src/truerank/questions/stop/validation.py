"""Cross-validation: a rule is fitted to some topics and used on others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.questions.stop.comparison import FIXED, ORACLE, WHOLE, RuleComparison, RuleOutcome
from truerank.questions.stop.rule import Rule
from truerank.questions.stop.worth import Worth
from truerank.statistics.corrections import holm
from truerank.statistics.paired import PValues
from truerank.statistics.pairs import EQUAL
from truerank.statistics.randomization import randomization
from truerank.statistics.student import student


@dataclass(frozen=True)
class CrossValidation:
    """Which rules are compared, and how."""

    rules: Mapping[str, type[Rule] | Rule]
    """Rules to fit, and rules that are ready, by name."""
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
        if self.test == "student":
            needed("scipy.special", "a t-test")

    def fold(self, topics: int) -> Rows:
        """The number of the fold that each topic is in, about as many topics in each.

        >>> sorted(CrossValidation({}, folds=3).fold(7).tolist())
        [0, 0, 0, 1, 1, 2, 2]
        """
        fold = np.empty(topics, np.int64)
        fold[np.random.default_rng(self.seed).permutation(topics)] = np.arange(topics) % self.folds
        return fold


TESTS: dict[str, Callable[[Floats, int], PValues]] = {
    "randomization": lambda values, seed: randomization(values, seed=seed),
    "student": lambda values, seed: student(values),
}


def compare(worth: Worth, validation: CrossValidation, fold: Rows, names: tuple[str, ...], run: str) -> RuleComparison:
    """Fit each rule to the topics outside each fold, and cut the lists inside it; a rule that is ready is used so."""
    cuts = {name: _cut(worth, kind, fold) for name, kind in validation.rules.items()}
    ways = {WHOLE: worth.lists.whole, **{name: lengths for name, (lengths, _) in cuts.items()}, ORACLE: worth.oracle}
    values = {name: worth.at(lengths) for name, lengths in ways.items()}
    means = {name: float(some.mean()) for name, some in values.items()}
    gains = {name: worth.better(mean, means[WHOLE]) for name, mean in means.items()}
    p = _p_values(values, validation)
    fitted = {name: _fitted(worth, kind, run) for name, kind in validation.rules.items()}
    found = {
        name: RuleOutcome(
            measure=str(worth.measure),
            run=run,
            name=name,
            mean=means[name],
            gain=gains[name],
            share=gains[name] / gains[ORACLE] if gains[ORACLE] > EQUAL else float("nan"),
            mean_length=float(lengths.mean()),
            silent=float((lengths == 0).mean()),
            p_whole=p[WHOLE].get(name),
            p_oracle=p[ORACLE].get(name),
            p_fixed=p[FIXED].get(name),
            rule=fitted.get(name),
            folds=cuts[name][1] if name in cuts else (),
            lengths=lengths,
            values=values[name],
        )
        for name, lengths in ways.items()
    }
    return RuleComparison(
        by=worth.measure,
        run=run,
        topics=names,
        as_is=found[WHOLE],
        rules={name: found[name] for name in validation.rules},
        at_best=found[ORACLE],
    )


def _fitted(worth: Worth, kind: type[Rule] | Rule, run: str) -> Rule:
    """A rule as fitted to all topics."""
    if isinstance(kind, Rule):
        return kind
    rule = worth.fit(kind, np.arange(len(worth.lists)))
    return replace(rule, fitted=worth.fitted(rule, run))


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


def _p_values(values: Mapping[str, Floats], validation: CrossValidation) -> dict[str, dict[str, float]]:
    """p of every rule against whole lists, best cuts and a fixed length, each corrected for the number of rules."""
    names = [WHOLE, ORACLE, *validation.rules]
    p = TESTS[validation.test](np.array([values[name] for name in names]), validation.seed).p
    place = {name: row for row, name in enumerate(names)}
    others = [name for name in validation.rules if FIXED in validation.rules and name != FIXED]
    against = {WHOLE: [*validation.rules], ORACLE: [*validation.rules], FIXED: others}
    return {
        reference: dict(zip(some, holm([p[place[reference], place[name]] for name in some]).tolist(), strict=True))
        for reference, some in against.items()
    }
