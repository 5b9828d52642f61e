"""The work: every file is looked at by every check, one file at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from truerank.data.errors import InputError
from truerank.io.drafts import Draft, draft_qrels, draft_run
from truerank.io.forms import looks_like
from truerank.io.load import Unread
from truerank.io.runs import Named, each_feature, files_of, named_runs
from truerank.io.source import is_stream, open_source
from truerank.measures.core.parameters import whole
from truerank.questions.lint import coverage, ids, judgments, rows, scores
from truerank.questions.lint.case import LintCase
from truerank.questions.lint.fix import copy_path
from truerank.questions.lint.fix import fix as mend
from truerank.questions.lint.question import SEVERITIES, Finding, FixedCopy, Lint
from truerank.questions.lint.spellings import JudgedForms
from truerank.track.track import Progress

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
    LintCheck(ids.hedged_nil, RUN, scored=True),
    LintCheck(rows.tags, RUN),
    LintCheck(judgments.grades, QRELS, scored=True),
    LintCheck(judgments.no_relevant, QRELS),
    LintCheck(judgments.only_relevant, QRELS, scored=True),
)


@dataclass(frozen=True)
class Examination:
    """What is asked of data; what cannot be is refused before any is read."""

    cutoff: int
    ignore: Collection[str]
    progress: Progress | None

    def __post_init__(self) -> None:
        whole("cutoff", self.cutoff, least=1)
        known = [check.name for check in CHECKS]
        for name in self.ignore:
            if name not in known:
                raise InputError(f"there is no check {name!r} to ignore; there are {', '.join(known)}")

    def findings(self, case: LintCase) -> list[Finding]:
        """What the checks find, the worst first."""
        found = [finding for check in CHECKS if check.name not in self.ignore for finding in check(case)]
        return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def of_data(qrels: Any, runs: Any, asked: Examination) -> Lint:
    """Look at judgments and runs that are given as to ``evaluate``; either may be None."""
    if qrels is None and runs is None:
        raise InputError("there is nothing to look at; give judgments, runs or both")
    if isinstance(qrels, Unread) and qrels.options.get("topics") is not None:
        raise InputError("files are looked at as a whole, with all of their topics; leave topics= out")
    judgments = None if qrels is None else draft_qrels(qrels)
    named = [] if runs is None else named_runs(runs, draft_run)
    return _examined(asked, judgments, named)


def of_files(
    files: Sequence[Any],
    asked: Examination,
    *,
    columns: Mapping[str, str] | None = None,
    fail_on: str,
    fix: bool,
    force: bool,
) -> Lint:
    """Look at files, the judgments first; where the first has the columns of a run, all are runs without judgments.

    Runs may know how they are to be read; ``columns`` are those of the judgments.
    """
    named = [each if isinstance(each, Named) else Named("", each) for each in files]
    if fix:
        _refuse_copies([each.data for each in named], force)
    # What is no file may be the id of a data set, which has judgments.
    first: Any = named[0].data
    first = open_source(first) if first == "-" or os.path.exists(first) else first
    judged = isinstance(first, str) or columns is not None or looks_like(first) != "run"
    several = [replace(file, data=each) for file in named[1:] for each in files_of(file.data)]
    runs = [one for file in several for one in each_feature(file)]
    if not judged:
        runs.insert(0, replace(named[0], data=first))
    judgments = draft_qrels(Unread(first, {"columns": columns}) if columns else first) if judged else None
    return _examined(asked, judgments, runs, fail_on=fail_on, fix=fix, force=force)


def _examined(
    asked: Examination,
    judgments: Draft | None,
    runs: Sequence[Named],
    *,
    fail_on: str = "error",
    fix: bool = False,
    force: bool = False,
) -> Lint:
    findings: list[Finding] = []
    inputs: list[str] = []
    fixed: list[FixedCopy] = []
    qrels = None if judgments is None else judgments.qrels()
    forms = None if qrels is None else JudgedForms(qrels)

    def examine(draft: Draft) -> None:
        found = asked.findings(LintCase(draft, qrels, asked.cutoff, forms))
        findings.extend(found)
        inputs.append(draft.file)
        if fix:
            fixed.append(mend(draft, found, force=force))

    if judgments is not None:
        examine(judgments)
    # One file at a time, so that many large ones need not be in memory together.
    for place, run in enumerate(runs, 1):
        draft = draft_run(run.data, run.name or None, **run.options)
        examine(draft)
        if asked.progress is not None:
            asked.progress(draft.name, place, len(runs))
    return Lint(findings=tuple(findings), inputs=tuple(inputs), fixed=tuple(fixed), fail_on=fail_on)


def _refuse_copies(files: Sequence[str], force: bool) -> None:
    """Refuse before anything is written."""
    for file in files:
        if is_stream(file):
            what = "standard input" if file == "-" else file
            raise InputError(f"{what} has no place for a copy beside it; give a file to fix")
        if not force and os.path.exists(copy_path(file)):
            raise InputError("this copy is there already; remove it, or overwrite it with --force", copy_path(file))
