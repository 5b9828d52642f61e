"""The question: what is suspicious in runs and judgments, before their scores are trusted?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from truerank.questions.lint.answer import NEVER, SEVERITIES, Lint
from truerank.questions.signature import question, reads
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.data.reading import Reading
    from truerank.track.track import Progress

Cutoff = Annotated[int, Option("Depth that judged documents are counted to.", least=1)]
Ignored = Annotated[Collection[str], Option("A check not to make; repeatable.", metavar="CHECK", many=True)]
FailOn = Annotated[str, Option("Severity from which on the exit code is 1.", choices=(*SEVERITIES, NEVER))]


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
    fix: Annotated[bool, Option("Write a copy of each file without what can be mended, as NAME.fixed.run.")] = False,
    force: Annotated[bool, Option("Overwrite copies that are there already.")] = False,
    qrels_columns: Annotated[
        Mapping[str, str] | None,
        Option("Columns of the judgments: topic, doc and grade.", metavar="PART=NAME,...", columns=True),
    ] = None,
    progress: Progress | None = None,
) -> Lint:
    """Look for what is suspicious in judgments and runs, before trusting a score.

    QRELS comes first, and either may be left out: a first file with the columns of a run is a run, and all are then
    looked at without judgments. Files may be compressed, or - for standard input.

    The exit code is 0 where all files can be scored, 1 where one has an error (see --fail-on; with --fix, one that
    could not be fixed), and 2 where a file cannot be read.

    Example:
      truerank lint qrels.txt bm25.run dense.run --fix
    """
    from truerank.questions.lint.work import Examination, of_files

    asked = Examination(cutoff, ignore, progress)
    return of_files(files, asked, columns=qrels_columns, fail_on=fail_on, fix=fix, force=force)


COMMAND = lint_files
