"""Lines without the columns of their kind."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.cut_short import cut_line
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted
from truerank.io.drafts import LAYOUTS, Draft

_NAMED_RUN = re.compile(r"(?<![a-z])runs?(?![a-z])", re.IGNORECASE)


def read_as(draft: Draft) -> str:
    """What a file was read as, and why, where its name says something else; nothing where it does not."""
    name = os.path.basename(draft.file)
    if draft.kind != "qrels" or draft.source is None or draft.made is not None:
        return ""
    if not _NAMED_RUN.search(name) or "qrel" in name.lower():
        return ""
    return f"read as judgments, for its lines have {len(LAYOUTS[draft.kind].columns)} columns"


def columns(case: Case) -> Iterator[Finding]:
    """Columns that are missing or too many, runs without tags, and ids with a space in them."""
    draft = case.draft
    if guess := read_as(draft):
        yield Finding(
            severity="info",
            message=f"named as a run, and {guess}",
            effect=f"none on judgments; as a run, which has {len(LAYOUTS['run'].columns)} columns, the file is refused",
            remedy=f"if it is a run, write {' '.join(LAYOUTS['run'].columns)} in each line; if not, call it qrels",
        )
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
            remedy=f"write {' '.join(layout.columns)} in each line, or take these lines out; an id has no space in it",
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
    if 0 < wide.count < others:
        yield Finding(
            severity="warning",
            message=f"{counted(wide.count, 'line')} with more than six columns, where the others have six",
            count=wide.count,
            places=case.lines(wide.first),
            effect="if a document id has a space in it, its second half is read as the rank, and the rank as the score",
            remedy="write ids without spaces",
        )
