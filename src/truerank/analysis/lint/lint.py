"""Look for what is suspicious in runs and judgments, before their scores are trusted."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from typing import Any

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.copies import copy_path
from truerank.analysis.lint.findings import SEVERITIES, Finding, Fixed, Lint
from truerank.analysis.lint.fix import fix as mend
from truerank.analysis.lint.forms import JudgedForms
from truerank.analysis.lint.table import CHECKS
from truerank.data.errors import InputError
from truerank.io.drafts import Draft, draft_qrels, draft_run
from truerank.io.forms import looks_like
from truerank.io.runs import named_runs
from truerank.io.source import open_source

Progress = Callable[[str], object]


def lint(
    qrels: Any = None,
    runs: Any = None,
    *,
    cutoff: int = 10,
    ignore: Collection[str] = (),
    progress: Progress | None = None,
) -> Lint:
    """Look for what is suspicious in judgments, in runs, and in how they fit together.

    Both are given as to ``evaluate``; either may be left out. What a reader would refuse is a finding here. ``cutoff``
    is the depth that judged documents are counted to, and that nDCG is told at; ``ignore`` names checks not to make.

    >>> found = lint({"q1": {"d1": 1}}, {"q1": {"D1": 2.0, "d2": 1.0}})
    >>> found.ok, [(finding.severity, finding.check) for finding in found]
    (False, [('info', 'only-relevant'), ('error', 'document-ids'), ('error', 'judged-share'), ('info', 'list-lengths')])
    """
    if qrels is None and runs is None:
        raise InputError("there is nothing to look at; give judgments, runs or both")
    judgments = None if qrels is None else draft_qrels(qrels)
    named = [] if runs is None else named_runs(runs, draft_run)
    return _examined(judgments, [(each.name, each.data) for each in named], cutoff, ignore, progress)


def lint_files(
    files: Sequence[str],
    *,
    cutoff: int = 10,
    ignore: Collection[str] = (),
    fix: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Lint:
    """Look at files, the judgments first; where the first has the columns of a run, all are runs without judgments.

    ``fix`` writes a copy of each file without what can be mended beside it; ``force`` overwrites earlier copies.
    """
    if fix:
        _refuse_copies(files, force)
    # What is no file may be the id of a data set, which has judgments.
    first = open_source(files[0]) if files[0] == "-" or os.path.exists(files[0]) else files[0]
    judged = isinstance(first, str) or looks_like(first) != "run"
    runs: list[tuple[str | None, Any]] = [(None, file) for file in files[1:]]
    if not judged:
        runs.insert(0, (None, first))
    return _examined(draft_qrels(first) if judged else None, runs, cutoff, ignore, progress, fix=fix, force=force)


def _examined(
    judgments: Draft | None,
    runs: list[tuple[str | None, Any]],
    cutoff: int,
    ignore: Collection[str],
    progress: Progress | None,
    *,
    fix: bool = False,
    force: bool = False,
) -> Lint:
    _refuse_unknown(cutoff, ignore)
    findings: list[Finding] = []
    files: list[str] = []
    fixed: list[Fixed] = []
    qrels = None if judgments is None else judgments.qrels()
    forms = None if qrels is None else JudgedForms(qrels)

    def examine(draft: Draft) -> None:
        found = _findings(Case(draft, qrels, cutoff, forms), ignore)
        findings.extend(found)
        files.append(draft.file)
        if fix:
            fixed.append(mend(draft, found, force=force))

    if judgments is not None:
        examine(judgments)
    # One file at a time, so that many large ones need not be in memory together.
    for name, data in runs:
        draft = draft_run(data, name)
        examine(draft)
        if progress is not None:
            progress(draft.name)
    return Lint(tuple(findings), tuple(files), tuple(fixed))


def _findings(case: Case, ignore: Collection[str]) -> list[Finding]:
    found = [finding for check in CHECKS if check.name not in ignore for finding in check(case)]
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def _refuse_unknown(cutoff: int, ignore: Collection[str]) -> None:
    if isinstance(cutoff, bool) or not isinstance(cutoff, int) or cutoff < 1:
        raise InputError(f"cutoff is {cutoff!r}; give a whole number of at least 1")
    known = [check.name for check in CHECKS]
    for name in ignore:
        if name not in known:
            raise InputError(f"there is no check {name!r} to ignore; there are {', '.join(known)}")


def _refuse_copies(files: Sequence[str], force: bool) -> None:
    """Refuse before anything is written."""
    for file in files:
        if file == "-":
            raise InputError("standard input has no place for a copy beside it; give a file to fix")
        if not force and os.path.exists(copy_path(file)):
            raise InputError("this copy is there already; remove it, or overwrite it with --force", copy_path(file))
