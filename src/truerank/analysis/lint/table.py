"""The table of checks, in the order they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.columns import columns
from truerank.analysis.lint.constant_scores import constant_scores
from truerank.analysis.lint.contradictions import contradictions
from truerank.analysis.lint.cut_short import cut_short
from truerank.analysis.lint.direction import direction
from truerank.analysis.lint.document_ids import document_ids
from truerank.analysis.lint.duplicates import duplicates
from truerank.analysis.lint.encoding import encoding
from truerank.analysis.lint.extra_topics import extra_topics
from truerank.analysis.lint.findings import Finding
from truerank.analysis.lint.float32 import float32
from truerank.analysis.lint.grades import grades
from truerank.analysis.lint.id_marks import id_marks
from truerank.analysis.lint.identical_ids import identical_ids
from truerank.analysis.lint.judged_share import judged_share
from truerank.analysis.lint.list_lengths import list_lengths
from truerank.analysis.lint.missing_topics import missing_topics
from truerank.analysis.lint.negative_scores import negative_scores
from truerank.analysis.lint.nil_documents import nil_documents
from truerank.analysis.lint.no_relevant import no_relevant
from truerank.analysis.lint.numbers import numbers
from truerank.analysis.lint.only_relevant import only_relevant
from truerank.analysis.lint.ranks import ranks
from truerank.analysis.lint.tags import tags
from truerank.analysis.lint.ties import ties
from truerank.analysis.lint.topic_ids import topic_ids

ALL = ("run", "qrels", "preferences")
RUN = ("run",)
QRELS = ("qrels",)


@dataclass(frozen=True)
class Check:
    """A check by name, and the kinds of data it is made of."""

    function: Callable[[Case], Iterator[Finding]]
    kinds: tuple[str, ...]
    scored: bool = False
    """Whether it needs a row that can be scored."""

    @property
    def name(self) -> str:
        """The name that findings have."""
        return self.function.__name__.replace("_", "-")

    def __call__(self, case: Case) -> list[Finding]:
        """Make the check, if it says something about such data."""
        draft = case.draft
        if draft.kind not in self.kinds or (self.scored and not len(draft.kept)):
            return []
        return [replace(finding, check=self.name, file=draft.file) for finding in self.function(case)]


CHECKS = (
    Check(encoding, ALL),
    Check(columns, ALL),
    Check(cut_short, ALL),
    Check(numbers, ("run", "qrels")),
    Check(duplicates, RUN),
    Check(contradictions, QRELS),
    Check(id_marks, ALL),
    Check(topic_ids, RUN, scored=True),
    Check(document_ids, RUN, scored=True),
    Check(missing_topics, RUN, scored=True),
    Check(extra_topics, RUN, scored=True),
    Check(judged_share, RUN, scored=True),
    Check(ranks, RUN, scored=True),
    Check(direction, RUN, scored=True),
    Check(constant_scores, RUN, scored=True),
    Check(ties, RUN, scored=True),
    Check(float32, RUN, scored=True),
    Check(negative_scores, RUN, scored=True),
    Check(list_lengths, RUN, scored=True),
    Check(identical_ids, RUN, scored=True),
    Check(nil_documents, RUN, scored=True),
    Check(tags, RUN),
    Check(grades, QRELS, scored=True),
    Check(no_relevant, QRELS, scored=True),
    Check(only_relevant, QRELS, scored=True),
)
