"""The table of checks, in the order they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from truerank.questions.lint import coverage, ids, judgments, rows, scores
from truerank.questions.lint.answer import Finding
from truerank.questions.lint.case import LintCase

ALL = ("run", "qrels", "preferences")
RUN = ("run",)
QRELS = ("qrels",)


@dataclass(frozen=True)
class LintCheck:
    """A check by name, and the kinds of data it is made of."""

    function: Callable[[LintCase], Iterator[Finding]]
    kinds: tuple[str, ...]
    scored: bool = False
    """Whether it needs a row that can be scored."""

    @property
    def name(self) -> str:
        """The name that findings have."""
        return self.function.__name__.replace("_", "-")

    def __call__(self, case: LintCase) -> list[Finding]:
        """Make the check, if it says something about such data."""
        draft = case.draft
        if draft.kind not in self.kinds or (self.scored and not len(draft.kept)):
            return []
        return [replace(finding, check=self.name, file=draft.file) for finding in self.function(case)]


CHECKS = (
    LintCheck(rows.encoding, ALL),
    LintCheck(rows.columns, ALL),
    LintCheck(rows.cut_short, ALL),
    LintCheck(rows.numbers, ("run", "qrels")),
    LintCheck(rows.duplicates, RUN),
    LintCheck(judgments.contradictions, QRELS),
    LintCheck(ids.id_marks, ALL),
    LintCheck(ids.topic_ids, RUN, scored=True),
    LintCheck(ids.document_ids, RUN, scored=True),
    LintCheck(coverage.missing_topics, RUN, scored=True),
    LintCheck(coverage.extra_topics, RUN, scored=True),
    LintCheck(coverage.judged_share, RUN, scored=True),
    LintCheck(scores.ranks, RUN, scored=True),
    LintCheck(scores.direction, RUN, scored=True),
    LintCheck(scores.constant_scores, RUN, scored=True),
    LintCheck(scores.ties, RUN, scored=True),
    LintCheck(scores.float32, RUN, scored=True),
    LintCheck(scores.negative_scores, RUN, scored=True),
    LintCheck(coverage.list_lengths, RUN, scored=True),
    LintCheck(ids.identical_ids, RUN, scored=True),
    LintCheck(ids.nil_documents, RUN, scored=True),
    LintCheck(rows.tags, RUN),
    LintCheck(judgments.grades, QRELS, scored=True),
    LintCheck(judgments.no_relevant, QRELS, scored=True),
    LintCheck(judgments.only_relevant, QRELS, scored=True),
)
