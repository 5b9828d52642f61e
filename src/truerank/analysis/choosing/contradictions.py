"""The table of checks: where data contradict the answers that led to a measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from truerank.analysis.choosing import judgments, lists
from truerank.analysis.choosing.evidence import Evidence
from truerank.data.qrels import Preferences
from truerank.questions.lint.answer import Finding

Check = Callable[[Evidence], Iterator[Finding]]

OF_GRADES: tuple[Check, ...] = (
    judgments.several_grades,
    judgments.no_relevant,
    judgments.one_relevant,
    judgments.small_size,
)
OF_LISTS: tuple[Check, ...] = (
    lists.lengths,
    lists.other_documents,
    lists.many_ties,
    lists.many_unjudged,
    lists.few_topics,
)


def contradictions(evidence: Evidence) -> tuple[Finding, ...]:
    """All that was found, what contradicts an answer first."""
    checks = OF_LISTS if isinstance(evidence.qrels, Preferences) else (*OF_GRADES, *OF_LISTS)
    found = [
        replace(finding, check=check.__name__.replace("_", "-"))
        for check in (checks if evidence.readable else (unreadable,))
        for finding in check(evidence)
    ]
    return tuple(sorted(found, key=lambda finding: finding.severity == "info"))


def unreadable(evidence: Evidence) -> Iterator[Finding]:
    """Preferences, where grades are needed."""
    yield Finding(
        severity="error",
        message="these judgments are preferences between documents",
        effect=f"{evidence.measure} needs grades and cannot be computed",
        remedy="take PrefLoss (no to length and top, yes to graded), or give judgments with grades",
    )
