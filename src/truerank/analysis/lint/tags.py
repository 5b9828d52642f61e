"""The last column of a run, which names the system."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case, some
from truerank.analysis.lint.cut_short import cut_tag
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted, shown


def tags(case: Case) -> Iterator[Finding]:
    """Several tags in one file, and a tag that is not the name of the file."""
    draft = case.draft
    if draft.wide.count:
        return  # What stands in the sixth column of these lines is no tag.
    found = [tag for tag in draft.tags if tag != cut_tag(draft)]
    if len(found) > 1:
        yield Finding(
            severity="warning",
            message=f"{counted(len(found), 'tag')} in one file: {some(found)}",
            count=len(found),
            places=case.lines(spots.first[0] for spots in draft.tags.values()),
            effect="all lines are scored as one run, whatever their tags",
            remedy="write one file for each system",
        )
    stem = draft.source.stem if draft.source is not None else None
    stem = stem.removesuffix(".fixed") if stem else None
    if len(found) == 1 and stem is not None and found[0] != stem.encode("utf-8", "surrogateescape"):
        yield Finding(
            severity="info",
            message=f"the tag is {shown(found[0])}, and the file is called {stem!r}",
            places=case.lines(draft.tags[found[0]].first),
            effect="truerank names the run after its file, trec_eval after its tag",
            remedy="give both the same name, if they are to be found in one table",
        )
