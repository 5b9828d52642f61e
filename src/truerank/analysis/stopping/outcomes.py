"""Results: how well stopping rules do on one run by one measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from truerank.analysis.pairs import EQUAL
from truerank.analysis.stopping.base import Rule
from truerank.data.arrays import Floats, Rows
from truerank.measures.core.base import Measure

FIXED = "fixed"
"""The rule that does not look at scores, which the others are held against."""
ALPHA = 0.05
SMALL = 0.01
"""Share of the possible improvement that is no difference."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """A rule on topics that it was not fitted to."""

    rule: Rule
    """As fitted to all topics: what to use from now on."""
    folds: tuple[Rule, ...]
    """As fitted to the topics outside each fold; none where the rule was ready."""
    lengths: Rows
    """How many documents of each list it keeps."""
    values: Floats
    """The score of each list cut there."""
    p_whole: float
    """Chance of a difference so large from lists as they are, corrected for the number of rules, as are those below."""
    p_oracle: float
    """The same from lists that are cut where they score best."""
    p_fixed: float | None
    """The same from the best fixed length; None where that is not among the rules."""

    @property
    def mean(self) -> float:
        """The mean score."""
        return float(self.values.mean())

    @property
    def mean_length(self) -> float:
        """The mean length."""
        return float(self.lengths.mean())


@dataclass(frozen=True, eq=False)
class Comparison(Mapping[str, Outcome]):
    """Stopping rules on one run by one measure, beside lists as they are and lists cut where they score best."""

    measure: Measure
    topics: tuple[str, ...]
    listed: Rows
    """The lengths of the lists as they are."""
    whole: Floats
    """Their scores."""
    best: Rows
    """The lengths at which they score best, of those at which they can be cut."""
    oracle: Floats
    """Their scores there."""
    rules: dict[str, Outcome]

    def __getitem__(self, rule: str) -> Outcome:
        try:
            return self.rules[rule]
        except KeyError:
            raise KeyError(f"there is no rule {rule!r}; there are {', '.join(self.rules)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def mean_whole(self) -> float:
        """The mean score of the lists as they are."""
        return float(self.whole.mean())

    @property
    def mean_oracle(self) -> float:
        """The mean score of the lists cut where they score best."""
        return float(self.oracle.mean())

    @property
    def room(self) -> float:
        """How much better than lists as they are those are that are cut where they score best; 0 or more."""
        return self._better(self.mean_oracle)

    def gain(self, rule: str) -> float:
        """How much better than lists as they are a rule is; below 0 where it is worse."""
        return self._better(self[rule].mean)

    def share(self, rule: str) -> float:
        """Share of the possible improvement that a rule reaches; NaN where there is none."""
        return self.gain(rule) / self.room if self.room > EQUAL else float("nan")

    def effect(self, rule: str, alpha: float = ALPHA) -> int:
        """1 where a rule is better than lists as they are, -1 where it is worse, 0 where that may be chance.

        p is below ``alpha``, and the difference more than a hundredth of the possible improvement: that a list loses
        something at the far end can be as sure as it is unimportant.
        """
        if self[rule].p_whole >= alpha or abs(self.gain(rule)) <= SMALL * self.room:
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

    def records(self) -> list[dict[str, Any]]:
        """One record a rule, between lists as they are and best cuts."""
        rows = [
            {
                "rule": name,
                "mean": one.mean,
                "gain": self.gain(name),
                "share": self.share(name),
                "mean_length": one.mean_length,
                "silent": float((one.lengths == 0).mean()),
                "p_whole": one.p_whole,
                "p_oracle": one.p_oracle,
                "p_fixed": one.p_fixed,
            }
            for name, one in self.rules.items()
        ]
        ends = (("whole list", self.whole, self.listed, 0.0), ("oracle", self.oracle, self.best, self.room))
        first, last = (
            {
                **dict.fromkeys(rows[0]),
                "rule": name,
                "mean": float(scores.mean()),
                "gain": gain,
                "share": gain / self.room if self.room > EQUAL else float("nan"),
                "mean_length": float(lengths.mean()),
                "silent": float((lengths == 0).mean()),
            }
            for name, scores, lengths, gain in ends
        )
        return [first, *rows, last]

    def fitted(self) -> list[dict[str, Any]]:
        """One record a rule, with what it does once it is fitted to all topics."""
        return [{"rule": name, "fitted": one.rule.said()} for name, one in self.rules.items()]

    def lists(self) -> list[dict[str, Any]]:
        """One record a list and rule."""
        ways = {"whole list": (self.listed, self.whole)}
        ways |= {name: (one.lengths, one.values) for name, one in self.rules.items()}
        ways["oracle"] = (self.best, self.oracle)
        return [
            {"topic": topic, "rule": name, "length": int(lengths[place]), "value": float(values[place])}
            for place, topic in enumerate(self.topics)
            for name, (lengths, values) in ways.items()
        ]

    def _better(self, mean: float) -> float:
        return mean - self.mean_whole if self.measure.higher_is_better else self.mean_whole - mean
