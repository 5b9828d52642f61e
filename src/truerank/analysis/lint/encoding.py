"""Text that is not plain UTF-8 with line feeds."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted


def encoding(case: Case) -> Iterator[Finding]:
    """UTF-16, lone carriage returns, a byte order mark, Windows line ends, NUL bytes, bytes that are not UTF-8."""
    draft = case.draft
    if draft.source is None:
        return
    if draft.foreign:
        utf16 = draft.foreign == "UTF-16"
        yield Finding(
            severity="error",
            message="the text is UTF-16" if utf16 else "lines end in a carriage return alone",
            effect="readers find no columns in it, so nothing is scored",
            remedy="save it as UTF-8" if utf16 else "end lines in a line feed",
            fixable=True,
        )
    if draft.bom:
        yield Finding(
            severity="info",
            message="the file begins with a byte order mark",
            places=case.lines([0]),
            effect="truerank skips it; trec_eval takes it for a part of the first topic's id, and loses that line",
            remedy="save the file as UTF-8 without a mark",
            fixable=True,
        )
    odd = draft.oddities
    if odd.carriage_returns.count:
        yield Finding(
            severity="info",
            message=f"{counted(odd.carriage_returns.count, 'line')} with Windows line ends",
            count=odd.carriage_returns.count,
            places=case.lines(odd.carriage_returns.first),
            effect="none here; tools that split at single spaces keep the carriage return as a part of the last column",
            remedy="end lines in a line feed alone",
            fixable=True,
        )
    if odd.nul.count:
        yield Finding(
            severity="warning",
            message=counted(odd.nul.count, "NUL byte"),
            count=odd.nul.count,
            places=case.lines(odd.nul.first),
            effect="an id that contains one matches no other, and tools written in C end it there",
            remedy="take them out; they often come from a disk that was full while the file was written",
            fixable=True,
        )
    if odd.not_utf8.count:
        yield Finding(
            severity="info",
            message=f"{counted(odd.not_utf8.count, 'line')} not in UTF-8",
            count=odd.not_utf8.count,
            places=case.lines(odd.not_utf8.first),
            effect="truerank compares bytes; tools written in Python refuse the file or change these ids",
            remedy="find out which encoding it is, and convert the file",
        )
