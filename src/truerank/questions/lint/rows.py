"""Checks of how rows are written: encoding, columns, numbers, repeated documents, tags."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from truerank.data.printing import counted, shown
from truerank.data.run import NIL, REPEATED_NIL, Run
from truerank.io.drafts import LAYOUTS, Draft
from truerank.io.lines import NEWLINE
from truerank.questions.lint.case import LintCase, contested, some
from truerank.questions.lint.question import Finding

_NAMED_RUN = re.compile(r"(?<![a-z])runs?(?![a-z])", re.IGNORECASE)


def encoding(case: LintCase) -> Iterator[Finding]:
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


def cut_short(case: LintCase) -> Iterator[Finding]:
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


def read_as(draft: Draft) -> str:
    """What a file was read as, and why, where its name says something else; nothing where it does not."""
    name = os.path.basename(draft.file)
    if draft.kind != "qrels" or draft.source is None or draft.made is not None:
        return ""
    if not _NAMED_RUN.search(name) or "qrel" in name.lower():
        return ""
    return f"read as judgments, for its lines have {len(LAYOUTS[draft.kind].columns)} columns"


def columns(case: LintCase) -> Iterator[Finding]:
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


def numbers(case: LintCase) -> Iterator[Finding]:
    """NaN, infinities, empty fields and text where a number should be."""
    draft = case.draft
    wrong = draft.unreadable
    if len(wrong):
        name = "score" if draft.kind == "run" else "grade"
        topics = len(set(draft.topic_of(wrong).tolist()))
        yield Finding(
            severity="error",
            message=f"{counted(len(wrong), name)} in {counted(topics, 'topic')}: not a finite number",
            count=len(wrong),
            places=case.at(wrong),
            effect="the file is refused; tools that accept it sort such documents anywhere",
            remedy="give every document a finite number, or leave it out",
            fixable=True,
        )


def duplicates(case: LintCase) -> Iterator[Finding]:
    """Documents that a run lists twice."""
    draft = case.draft
    is_nil = np.array([draft.docs[row] == NIL for row in draft.pairs[:, 0].tolist()], dtype=np.bool_)
    again, pairs = draft.pairs[is_nil], draft.pairs[~is_nil]
    if len(again) or (isinstance(draft.made, Run) and REPEATED_NIL in draft.made.notes):
        yield Finding(
            severity="info",
            message="NIL is listed more than once for a topic",
            count=len(again) or 1,
            places=case.at(again[:, 1]),
            effect="the first one counts here; trec_eval refuses the file",
            remedy="list NIL once, where the list is to end",
            fixable=True,
        )
    if len(pairs):
        differ = int((draft.number[pairs[:, 0]] != draft.number[pairs[:, 1]]).sum())
        alike = f"{differ:,} with another score" if differ else "with the same score"
        topics = len(set(draft.topic_of(pairs[:, 1]).tolist()))
        unclear = len(contested(draft, case.in_doubt))
        best = ", with its best score"
        if unclear:
            best += f"; for {unclear:,} of them only you know whether that is the highest: see direction"
        yield Finding(
            severity="error",
            message=f"{counted(len(pairs), 'repeated document')} in {counted(topics, 'topic')}, {alike}",
            count=len(pairs),
            places=case.at(pairs[:, 1]),
            effect="the file is refused, here and by trec_eval; other tools keep one of them, or score it twice",
            remedy=f"list each document once for a topic{best}",
            fixable=not unclear,
        )


def _called(draft: Draft) -> list[bytes]:
    """What the file is called: bare, as truerank names the run, then with one ending after the other."""
    if draft.source is None or draft.source.stem is None:
        return []
    bare, whole = draft.source.stem, os.path.basename(draft.source.name)
    endings = accumulate((f".{ending}" for ending in whole.removeprefix(bare).split(".")[1:]), initial=bare)
    # What lint --fix writes is called as the file that it mends, and so are its runs.
    return [name.encode("utf-8", "surrogateescape") for name in (bare.removesuffix(".fixed"), *endings)]


def tags(case: LintCase) -> Iterator[Finding]:
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
    called = _called(draft)
    if len(found) == 1 and called and found[0] not in called:
        yield Finding(
            severity="info",
            message=f"the tag is {shown(found[0])}, and the file is called {shown(called[-1])}",
            places=case.lines(draft.tags[found[0]].first),
            effect="truerank names the run after its file, trec_eval after its tag",
            remedy="give both the same name, if they are to be found in one table",
        )
