"""A last line that ends too early."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import shown
from truerank.io.drafts import Draft
from truerank.io.lines import NEWLINE


def cut_short(case: Case) -> Iterator[Finding]:
    """A last line without a line end that lacks columns, or whose tag is half of the others'."""
    draft = case.draft
    remedy = "write or fetch the file again: what came after this line is missing too"
    line, tag = cut_line(draft), cut_tag(draft)
    if line is not None:
        yield Finding(
            severity="error",
            message=f"the last line is half written: it has {draft.malformed[line]} columns and no line end",
            places=case.lines([line]),
            effect="the file is refused; without this line, topics and documents after it count as not retrieved",
            remedy=remedy,
            fixable=True,
        )
    elif tag is not None:
        yield Finding(
            severity="warning",
            message=f"the last line ends with the tag {shown(tag)}, and no line end",
            places=case.lines(draft.tags[tag].first),
            effect="the file was cut short there; topics and documents after it count as not retrieved",
            remedy=remedy,
        )


def cut_line(draft: Draft) -> int | None:
    """Where the half-written last line begins; None if there is none."""
    if draft.source is None or not draft.malformed or draft.source.text[-1] == NEWLINE:
        return None
    last = max(draft.malformed)
    return None if NEWLINE in draft.source.text[last:].tobytes() else last


def cut_tag(draft: Draft) -> bytes | None:
    """The tag of the last line, where it is the beginning of the tag that the other lines have."""
    if draft.source is None or len(draft.tags) != 2 or draft.source.text[-1] == NEWLINE:
        return None
    whole, part = sorted(draft.tags, key=len, reverse=True)
    if draft.tags[part].count > 1 or not whole.startswith(part):
        return None
    return None if NEWLINE in draft.source.text[draft.tags[part].first[0] :].tobytes() else part
