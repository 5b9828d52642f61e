"""How well stopping rules do on one run by one measure, beside whole lists and lists cut where they score best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truerank.report.rows import Row, column

if TYPE_CHECKING:
    from truerank.data.arrays import Floats, Rows
    from truerank.measures.core.base import Measure
    from truerank.questions.stop.rule import Rule

WHOLE, ORACLE = "whole list", "oracle"
"""What stands in the place of a rule for lists as they are, and for lists cut where they score best."""
FIXED = "fixed"
"""The rule that does not look at scores, which the others are held against."""
ALPHA = 0.05
SMALL = 0.01
"""Share of the possible improvement that is no difference."""


class RuleOutcome(Row, eq=False):
    """A rule on topics that it was not fitted to."""

    measure: str = column("the measure")
    run: str = column("the run")
    name: str = column(f'the rule; "{WHOLE}" for lists as they are, "{ORACLE}" for the best cuts', called="rule")
    mean: float = column("the mean score")
    gain: float = column("how much better it is than lists as they are; below 0 where it is worse")
    share: float = column("share of the possible improvement, that of the best cuts, which it reaches")
    mean_length: float = column("mean number of documents it keeps", head="length", form="short")
    silent: float = column("share of lists that it leaves empty")
    p_whole: float | None = column(
        "chance of a difference so large from lists as they are, corrected for the number of rules", head="p"
    )
    p_oracle: float | None = column("the same from lists that are cut where they score best")
    p_fixed: float | None = column("the same from the best fixed length, where that is among the rules")

    rule: Rule | None = None
    """As fitted to all topics: what to use from now on; None for lists as they are and for the best cuts."""
    folds: tuple[Rule, ...] = ()
    """As fitted to the topics outside each fold; none where the rule was ready."""
    lengths: Rows
    """How many documents of each list it keeps."""
    values: Floats
    """The score of each list cut there."""

    brief = ("measure", "run", "name", "mean", "share", "mean_length", "p_whole", "p_fixed")


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleComparison(Mapping[str, RuleOutcome]):
    """Stopping rules on one run by one measure, beside lists as they are and lists cut where they score best."""

    by: Measure
    run: str
    topics: tuple[str, ...]
    as_is: RuleOutcome
    """The lists as they are."""
    rules: dict[str, RuleOutcome]
    at_best: RuleOutcome
    """The lists cut where they score best, of the lengths at which they can be cut."""

    def __getitem__(self, rule: str) -> RuleOutcome:
        try:
            return self.rules[rule]
        except KeyError:
            raise KeyError(f"there is no rule {rule!r}; there are {', '.join(self.rules)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def measure(self) -> str:
        """The measure, as it is written."""
        return str(self.by)

    @property
    def outcomes(self) -> tuple[RuleOutcome, ...]:
        """The rules, between lists as they are and best cuts."""
        return (self.as_is, *self.rules.values(), self.at_best)

    @property
    def mean_whole(self) -> float:
        """The mean score of the lists as they are."""
        return self.as_is.mean

    @property
    def mean_oracle(self) -> float:
        """The mean score of the lists cut where they score best."""
        return self.at_best.mean

    @property
    def room(self) -> float:
        """How much better than lists as they are those are that are cut where they score best; 0 or more."""
        return self.at_best.gain

    def gain(self, rule: str) -> float:
        """How much better than lists as they are a rule is; below 0 where it is worse."""
        return self[rule].gain

    def share(self, rule: str) -> float:
        """Share of the possible improvement that a rule reaches; NaN where there is none."""
        return self[rule].share

    def effect(self, rule: str, alpha: float = ALPHA) -> int:
        """1 where a rule is better than lists as they are, -1 where it is worse, 0 where that may be chance.

        p is below ``alpha``, and the difference more than a hundredth of the possible improvement: that a list loses
        something at the far end can be as sure as it is unimportant.
        """
        p = self[rule].p_whole
        if p is None or p >= alpha or abs(self.gain(rule)) <= SMALL * self.room:
            return 0
        return 1 if self.gain(rule) > 0 else -1

    def beats_fixed(self, rule: str, alpha: float = ALPHA) -> bool:
        """Whether a rule is better than the best fixed length, in the same sense."""
        p = self[rule].p_fixed
        return p is not None and p < alpha and self.gain(rule) - self.gain(FIXED) > SMALL * self.room

    @property
    def ranking(self) -> list[str]:
        """The rules, that with the best mean first."""
        return sorted(self.rules, key=lambda rule: -self.gain(rule))

    def helping(self, alpha: float = ALPHA) -> list[str]:
        """The rules that are better than not truncating by more than chance, the best first."""
        return [rule for rule in self.ranking if self.effect(rule, alpha) > 0]
