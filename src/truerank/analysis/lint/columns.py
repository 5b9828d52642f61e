"""Lines without the columns of their kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from truerank.analysis.lint.case import Case, counted
from truerank.analysis.lint.cut_short import cut_line
from truerank.analysis.lint.findings import Finding
from truerank.io.tolerant.written import LAYOUTS


def columns(case: Case) -> Iterator[Finding]:
    """Columns that are missing or too many, runs without tags, and ids with a space in them."""
    draft = case.draft
    malformed = {place: count for place, count in draft.malformed.items() if place != cut_line(draft)}
    if malformed:
        layout = LAYOUTS[draft.kind]
        counts = ", ".join(str(count) for count, _ in Counter(malformed.values()).most_common(3))
        yield Finding(
            severity="error",
            message=f"{counted(len(malformed), 'line')} with {counts} columns instead of {len(layout.columns)}",
            count=len(malformed),
            places=case.lines(malformed),
            effect="the file is refused",
            remedy=f"write {' '.join(layout.columns)} in each line, or take these lines out",
            fixable=True,
        )
    if draft.untagged.count:
        yield Finding(
            severity="error",
            message=f"{counted(draft.untagged.count, 'line')} without the sixth column, the tag of the run",
            count=draft.untagged.count,
            places=case.lines(draft.untagged.first),
            effect="the file is refused, here and by trec_eval",
            remedy="add the name of the run to each line",
            fixable=True,
        )
    # A column more in every line is a column that nobody reads; in some lines, it is in the wrong place.
    wide, others = draft.wide, len(draft) - draft.wide.count
    if draft.shifted.count or 0 < wide.count < others:
        wide = draft.shifted if draft.shifted.count else wide
        what = "and no number as rank" if draft.shifted.count else "where the others have six"
        yield Finding(
            severity="warning",
            message=f"{counted(wide.count, 'line')} with more than six columns, {what}",
            count=wide.count,
            places=case.lines(wide.first),
            effect="if a document id has a space in it, its second half is read as the rank, and the rank as the score",
            remedy="write ids without spaces",
        )
