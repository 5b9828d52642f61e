"""The answers that a report is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from truerank.questions.compare.answer import Comparison, MeasureComparison
from truerank.questions.depth.question import Curves
from truerank.questions.evaluate.question import Scores
from truerank.questions.judges.question import JudgesCompared
from truerank.questions.lint.question import Lint
from truerank.questions.report.lists import SideBySide
from truerank.questions.ties.question import Ties
from truerank.questions.unjudged.question import Unjudged


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportParts:
    """An answer of each question; None where it had none, and ``left_out`` says why."""

    scores: Scores
    comparison: Comparison | None = None
    """Every pair of runs."""
    gated: Comparison | None = None
    """The pairs that gates are about."""
    ties: Ties | None = None
    unjudged: Unjudged | None = None
    curves: Curves | None = None
    judges: JudgesCompared | None = None
    lint: Lint | None = None
    lists: SideBySide | None = None
    explained: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By topic, how scores of the lists come about."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """By question, the command that asks it."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """By part, why it is not there."""

    def compared(self, measure: str) -> MeasureComparison | None:
        """Runs compared by a measure; None where they were not."""
        if self.comparison is None or measure not in self.comparison.measures:
            return None
        return self.comparison[measure]
