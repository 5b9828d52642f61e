"""The question: what is suspicious in runs and judgments, before their scores are trusted?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, overload

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, sentence
from truerank.questions.signature import question, reads
from truerank.report.answer import Answer, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.signature import INPUT, Argument, Option
from truerank.report.table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.data.reading import Reading
    from truerank.track.track import Progress

SEVERITIES = ("error", "warning", "info")
"""error: the file cannot be scored as it is; warning: its scores are likely to mislead; info: worth knowing."""
NEVER = "never"
_WIDEST = max(map(len, SEVERITIES))
VISIBLE = 0.0001
"""Change of a score that is seen in four decimals."""
MANY = 3
"""Findings of a kind that people see, before the others are only counted."""
NOTHING_FOUND = "{all} can be scored, and nothing in {files:it|them} is suspicious."
REMARKS = "{all} can be scored; {remarks:remark}, nothing to mend."
WARNINGS = "{all} can be scored, with {warnings:warning} in {names:quoted}[: {measure} may be off by {moves}]."
CANNOT = "{names:quoted} cannot be scored: {errors:error}[; {others:other file} can]."
COPY = Code(
    "TR601",
    "a copy that was written without what can be mended, or why there is none",
    "{file}: {copy} written: {done}[; {left}]",
    none="{file}: no copy written[; {left}]",
)


class Location(Row):
    """Where something was found."""

    line: int | None = column("line of the file; null for Python data")
    text: str = column("what stands there")


class Finding(Row):
    """Something suspicious: what it is, where, what it does to scores, and what to do about it."""

    severity: str = column("error, warning or info")
    check: str = column("the check that found it", default="")
    file: str = column("the file, or the name of a run", default="")

    @derived(for_people=False)
    def line(self) -> int | None:
        """The first line where it occurs."""
        return self.places[0].line if self.places else None

    count: int = column("how often it occurs", default=1)
    message: str = column("what it is")
    effect: str = column("what it does to scores")
    remedy: str = column("what to do about it", folds=True)
    fixable: bool = column("whether a copy can be written without it", default=False)

    @derived(for_people=False)
    def text(self) -> str | None:
        """What stands in the first line where it occurs."""
        return self.places[0].text if self.places else None

    places: tuple[Location, ...] = column("the first few lines where it occurs", default=(), nested=True)
    measure: str | None = column("the measure whose score it can move most, if any were compared", default=None)
    low: float | None = column("the lower of the two scores of that measure", default=None)
    high: float | None = column("the higher of the two scores", default=None)

    @derived(for_people=False)
    def moves(self) -> float | None:
        """How far it can move the score: the higher score minus the lower one."""
        return None if self.low is None or self.high is None else self.high - self.low

    brief = ("severity", "check", "where", "what", "remedy")

    @derived(folds=True)
    def where(self) -> str:
        """The file, and the lines of the first places."""
        lines = [str(place.line) for place in self.places if place.line is not None]
        return f"{self.file}:{', '.join(dict.fromkeys(lines))}" if lines else self.file

    @derived(folds=True)
    def what(self) -> str:
        """What it is and does; of an error, with the first line, which shows it better than words."""
        line = f" ({self.places[0].text})" if self.severity == "error" and self.places else ""
        return f"{self.message}{line}; {self.effect}"

    @derived()
    def kind(self) -> str:
        """The check and the severity."""
        return f"{self.check} ({self.severity})"


class FixedCopy(Row):
    """A copy that was written beside a file, or why there is none."""

    file: str = column("the file")
    copy: str | None = column("the copy; null where none was written")
    done: tuple[str, ...] = column("what was changed")
    left: tuple[str, ...] = column("what was not, and why")

    def __str__(self) -> str:
        made = f"{self.copy} written: {', '.join(self.done)}" if self.copy else "no copy written"
        return f"{self.file}: {'; '.join([made, *self.left])}"


class Lint(Answer, Sequence[Finding]):
    """All findings, file by file and the worst first.

    >>> lint = Lint(findings=(), inputs=("bm25.run",))
    >>> lint.ok, lint
    (True, Lint(1 file: nothing found))
    """

    question = "lint"
    sheets = {"findings": Sheet(Finding, "what was found", top=MANY, by="kind")}

    @derived(for_people=False)
    def ok(self) -> bool:
        """Whether everything can be scored as it is: there may be warnings, but no error."""
        return not self.at_least("error")

    inputs: tuple[str, ...] = column("what was looked at")
    findings: tuple[Finding, ...]
    fixed: tuple[FixedCopy, ...] = column("copies that were written, where they were asked for", default=())
    fail_on: str = "error"
    """The severity from which on the command fails."""

    def at_least(self, severity: str) -> tuple[Finding, ...]:
        """The findings that are as severe as this, or more."""
        allowed = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return tuple(finding for finding in self.findings if finding.severity in allowed)

    @property
    def summary(self) -> str:
        """How much was found."""
        counts = Counter(finding.severity for finding in self.findings)
        found = ", ".join(
            counted(counts[severity], severity, "info" if severity == "info" else None)
            for severity in SEVERITIES
            if counts[severity]
        )
        return f"{counted(len(self.inputs), 'file')}: {found or 'nothing found'}"

    @property
    def exit_code(self) -> int:
        """1 where something as severe as that was found, and no copy was written without it."""
        failing = () if self.fail_on == NEVER else self.at_least(self.fail_on)
        return int(any(not (self.fixed and finding.fixable) for finding in failing))

    def verdict(self, show: str) -> str:
        """Whether everything can be scored, and how many warnings there are."""
        found = {severity: [one for one in self.findings if one.severity == severity] for severity in SEVERITIES}
        files = len(self.inputs)
        everything = self.inputs[0] if files == 1 else f"All {files:,} files"
        if found["error"]:
            names = [*dict.fromkeys(one.file for one in found["error"])]
            others = files - len(names)
            return sentence(CANNOT, names=names, errors=len(found["error"]), others=others if others > 0 else None)
        if found["warning"]:
            names = [*dict.fromkeys(one.file for one in found["warning"])]
            most = max(found["warning"], key=lambda one: one.moves or 0.0)
            moves = f"{most.moves:.2g}" if most.moves and most.moves >= VISIBLE else None
            told = {"names": names, "measure": most.measure, "moves": moves and f"up to {moves}"}
            return sentence(WARNINGS, all=everything, warnings=len(found["warning"]), **told)
        if found["info"]:
            return sentence(REMARKS, all=everything, remarks=len(found["info"]))
        return sentence(NOTHING_FOUND, all=everything, files=files)

    def own_notes(self, show: str) -> Iterator[Note]:
        """Which copies were written."""
        for one in self.fixed:
            done, left = ", ".join(one.done), "; ".join(one.left) or None
            yield COPY("" if one.copy else "none", file=one.file, copy=one.copy, done=done, left=left)

    def caption(self, show: str) -> str:
        """How much was found."""
        return self.summary

    def layout(
        self,
        show: str,
        *,
        top: Annotated[
            int | None,
            Option(f"Show N findings of each kind.  [default: {MANY}]", metavar="N", least=1),
        ] = None,
    ) -> Table:
        """The first few findings of each kind, the worst of all files first; as text, remedies have lines."""
        laid = super().layout(show, top=top)
        at = {column.name: place for place, column in enumerate(laid.columns)}
        rows = sorted(laid.rows, key=lambda row: SEVERITIES.index(str(row[at["severity"]])))
        words = []
        for row in rows:
            severity, check, where, what, remedy = (row[at[name]] for name in Finding.brief)
            words += [f"{severity:{_WIDEST}}  {where} [{check}]: {what}", f"{'':{_WIDEST - 2}}->  {remedy}"]
        return replace(laid, rows=tuple(rows), words=tuple(words))

    def __len__(self) -> int:
        return len(self.findings)

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Finding, ...]: ...
    def __getitem__(self, index: int | slice) -> Finding | tuple[Finding, ...]:
        return self.findings[index]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __repr__(self) -> str:
        return f"Lint({self.summary})"


Cutoff = Annotated[int, Option("Count judged documents down to this rank.", least=1)]
Ignored = Annotated[Collection[str], Option("Leave out this check; repeatable.", metavar="CHECK", many=True)]
FailOn = Annotated[
    str, Option("Exit 1 if there is a finding of this severity, or a worse one.", choices=(*SEVERITIES, NEVER))
]


@reads
def lint(
    qrels: Annotated[Any, Argument("[QRELS]", required=False, holds="qrels")] = None,
    runs: Annotated[Any, Argument("[RUN]...", many=True, required=False, holds="runs")] = None,
    *,
    cutoff: Cutoff = 10,
    ignore: Ignored = (),
    progress: Progress | None = None,
    **how: Unpack[Reading],
) -> Lint:
    """Look for what is suspicious in judgments, in runs, and in how they fit together.

    Both are given as to ``evaluate``, with the keywords that say how to read them; either may be left out. What a
    reader would refuse is a finding here, unless it has to be told how to read. ``cutoff`` is the depth that judged
    documents are counted to, and that nDCG is told at; ``ignore`` names checks not to make.

    >>> found = lint({"q1": {"d1": 1}}, {"q1": {"D1": 2.0, "d2": 1.0}})
    >>> found.ok, [(finding.severity, finding.check) for finding in found]
    (False, [('info', 'only-relevant'), ('error', 'document-ids'), ('error', 'judged-share'), ('info', 'list-lengths')])
    """
    from truerank.questions.lint.work import Examination, of_data

    return of_data(qrels, runs, Examination(cutoff, ignore, progress))


def _copies(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What --fix writes: a copy of one file may be another that is looked at, or a link to it."""
    from truerank.questions.lint.fix import copy_path

    if given["fix"]:
        yield from (("--fix", copy_path(file)) for file in dict.fromkeys(given["files"]) if file != "-")


@question(writes=_copies)
def lint_files(
    files: Annotated[Any, Argument("[QRELS] [RUN]...", many=True, holds="runs")],
    *,
    cutoff: Cutoff = 10,
    ignore: Ignored = (),
    fail_on: FailOn = "error",
    fix: Annotated[bool, Option("Write a repaired copy of each file, as NAME.fixed.run.")] = False,
    force: Annotated[bool, Option("With --fix: overwrite copies that exist.")] = False,
    qrels_columns: Annotated[
        Mapping[str, str] | None,
        Option(
            "Say which columns of the judgments hold the topic, doc and grade.",
            metavar="PART=NAME,...",
            columns=True,
            group=INPUT,
        ),
    ] = None,
    progress: Progress | None = None,
) -> Lint:
    """Check files for mistakes before you trust a score.

    Judgments come first. They may be left out: if the first file has the columns of a run, all files are checked as
    runs. Files may be compressed, or - for standard input.

    The exit code is 0 if all files can be scored, 1 if a file has an error (see --fail-on; with --fix, an error that
    could not be repaired), and 2 if a file cannot be read.

    Example:
      truerank lint qrels.txt bm25.run dense.run
      truerank lint qrels.txt bm25.run dense.run --fix
    """
    from truerank.questions.lint.work import Examination, of_files

    asked = Examination(cutoff, ignore, progress)
    return of_files(files, asked, columns=qrels_columns, fail_on=fail_on, fix=fix, force=force)


COMMAND = lint_files
