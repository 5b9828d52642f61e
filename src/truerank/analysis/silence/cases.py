"""Whether a run answered, and whether there was an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

from truerank.data.arrays import Mask


@dataclass(frozen=True)
class Cases:
    """The topics of a run in four cases; silent on a topic is a run that lists nothing, or NIL first.

    >>> cases = Cases(answered=("q1", "q2"), false_answers=("q3",), false_silences=("q4",), right_silences=("q5",))
    >>> cases.precision, cases.recall, cases.f, cases.accuracy
    (0.5, 0.5, 0.5, 0.6)
    """

    answered: tuple[str, ...]
    """Topics that have an answer and were answered, well or badly."""
    false_answers: tuple[str, ...]
    """Topics that have no answer and were answered."""
    false_silences: tuple[str, ...]
    """Topics that have an answer and were left unanswered."""
    right_silences: tuple[str, ...]
    """Topics that have no answer and were left unanswered."""

    @property
    def topics(self) -> int:
        """All topics."""
        return len(self.answered) + len(self.false_answers) + self.silent

    @property
    def silent(self) -> int:
        """Topics left unanswered."""
        return len(self.false_silences) + len(self.right_silences)

    @property
    def nil(self) -> int:
        """Topics that have no answer."""
        return len(self.false_answers) + len(self.right_silences)

    @property
    def precision(self) -> float:
        """Share of silences that are right; NaN for a run that is never silent."""
        return len(self.right_silences) / self.silent if self.silent else nan

    @property
    def recall(self) -> float:
        """Share of topics without an answer that were left unanswered; NaN where every topic has one."""
        return len(self.right_silences) / self.nil if self.nil else nan

    @property
    def f(self) -> float:
        """Harmonic mean of precision and recall; NaN where there is neither silence nor a reason for it."""
        return 2 * len(self.right_silences) / (self.silent + self.nil) if self.silent + self.nil else nan

    @property
    def accuracy(self) -> float:
        """Share of topics where it was right to answer, or not to."""
        return (len(self.answered) + len(self.right_silences)) / self.topics if self.topics else nan

    def as_dict(self) -> dict[str, Any]:
        """Counts and shares by name."""
        names = ("answered", "false_answers", "false_silences", "right_silences")
        shares = ("precision", "recall", "f", "accuracy")
        return {
            "topics": self.topics,
            **{name: len(getattr(self, name)) for name in names},
            **{name: getattr(self, name) for name in shares},
        }


def cases(topics: Sequence[str], silent: Mask, has_answer: Mask) -> Cases:
    """Tell the cases apart, topic by topic."""

    def some(which: Mask) -> tuple[str, ...]:
        return tuple(topic for topic, is_one in zip(topics, which.tolist(), strict=True) if is_one)

    return Cases(
        answered=some(~silent & has_answer),
        false_answers=some(~silent & ~has_answer),
        false_silences=some(silent & has_answer),
        right_silences=some(silent & ~has_answer),
    )
