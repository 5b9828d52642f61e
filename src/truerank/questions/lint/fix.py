"""A copy of a file beside it, without what can be mended."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from truerank.data.arrays import Array, Bytes, Rows, spans
from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.io.compression import compressed, compression
from truerank.io.drafts import Draft, read_draft
from truerank.io.encoding import begin_of
from truerank.io.lines import NEWLINE
from truerank.io.source import Source, stem
from truerank.io.writing import put
from truerank.questions.lint.case import contested, steps
from truerank.questions.lint.ids import marked
from truerank.questions.lint.question import Finding, FixedCopy
from truerank.questions.lint.rows import read_as
from truerank.questions.lint.spellings import trimmed


def copy_path(path: str) -> str:
    """What the copy of a file is called.

    >>> copy_path("runs/bm25.run.gz"), copy_path("qrels")
    ('runs/bm25.fixed.run.gz', 'qrels.fixed')
    """
    folder, name = os.path.split(path)
    bare = stem(path)
    return os.path.join(folder, f"{bare}.fixed{name[len(bare) :]}")


class NumberedLines:
    """The lines of a text by number, from 0; edits are made by line."""

    def __init__(self, text: Bytes) -> None:
        self.text = text
        ends = np.flatnonzero(text == NEWLINE) + 1
        self._end = ends if not text.size or (len(ends) and ends[-1] == text.size) else np.append(ends, text.size)
        self._first = begin_of(text)

    def of(self, places: Array | list[int]) -> Rows:
        """The lines that contain some bytes."""
        found: Rows = np.searchsorted(self._end, np.asarray(places, dtype=np.intp), side="right")
        return found

    def fields(self, line: int) -> tuple[list[bytes], bytes]:
        """The fields of a line, and what to put between them."""
        begin = int(self._end[line - 1]) if line else self._first
        data = self.text[begin : int(self._end[line])].tobytes()
        return data.split(), b"\t" if b"\t" in data else b" "

    def edited(self, edits: Mapping[int, bytes | None]) -> bytes:
        """The text without a byte order mark and with each edited line replaced, or left out where it is None."""
        return b"".join(self._pieces(edits))

    def _pieces(self, edits: Mapping[int, bytes | None]) -> Iterator[bytes]:
        done = self._first
        for line in sorted(edits):
            begin = max(int(self._end[line - 1]) if line else 0, self._first)
            yield self.text[done:begin].tobytes()
            yield edits[line] or b""
            done = int(self._end[line])
        rest = self.text[done:].tobytes()
        yield rest
        if rest and not rest.endswith(b"\n"):
            yield b"\n"


def write_copy(path: str, data: bytes, *, force: bool = False) -> str:
    """Write the copy of a file, compressed as the file is; it appears when it is complete."""
    target = copy_path(path)
    if os.path.exists(target) and not force:
        raise InputError("this copy is there already; remove it, or overwrite it with --force (force=True)", target)
    with open(path, "rb") as original:
        packed = compressed(data, compression(original.read(16)))
    put(packed, target)
    return target


_DONE = {
    "encoding": "converted to UTF-8 with line feeds",
    "bom": "byte order mark removed",
    "crlf": "{} ended in a line feed alone",
    "nul": "NUL bytes taken out",
    "columns": "{} with wrong columns dropped",
    "numbers": "{} without a finite number dropped",
    "repeated": "{} with a repeated document dropped",
    "ids": "ids bared in {}",
    "tags": "tag added to {}",
    "ranks": "ranks rewritten in {}",
}
"""What is done, most of it with the number of lines."""
_RANK = 3
_TAGLESS = 5


def fix(draft: Draft, findings: Iterable[Finding] = (), *, force: bool = False) -> FixedCopy:
    """Write a copy of a TREC file without what can be mended; what cannot be is said."""
    left = (*filter(None, [read_as(draft)]), *_left(findings))
    if draft.source is None or draft.made is not None:
        return FixedCopy(file=draft.file, copy=None, done=(), left=("it is no TREC file", *left))
    done: Counter[str] = Counter()
    text, now = b"", draft
    # Bared ids may turn out to be duplicates, so that it takes another look.
    while changes := _changes(now):
        text, counts = changes
        done += counts
        if not text.split(None, 1):
            return FixedCopy(file=draft.file, copy=None, done=(), left=("no line would be left", *left))
        again = Source(draft.file, draft.source.stem, np.frombuffer(text, dtype=np.uint8))
        now = read_draft(again, draft.kind, draft.name)
    if not done:
        return FixedCopy(file=draft.file, copy=None, done=(), left=("there is nothing that could be fixed", *left))
    said = tuple(_DONE[what].format(counted(count, "line")) for what, count in done.items())
    return FixedCopy(file=draft.file, copy=write_copy(draft.file, text, force=force), done=said, left=left)


def _left(findings: Iterable[Finding]) -> tuple[str, ...]:
    stays = [finding for finding in findings if not finding.fixable and finding.severity != "info"]
    return (f"not fixed: {', '.join(dict.fromkeys(finding.check for finding in stays))}",) if stays else ()


def _changes(draft: Draft) -> tuple[bytes, Counter[str]] | None:
    """The text after one round of mending, and the lines mended; None where there is nothing to do."""
    assert draft.source is not None
    lines = NumberedLines(draft.source.text)
    done: Counter[str] = Counter()
    odd = draft.oddities
    done["encoding"], done["bom"] = int(bool(draft.foreign)), int(draft.bom)
    done["crlf"], done["nul"] = odd.carriage_returns.count, odd.nul.count
    edits: dict[int, bytes | None] = {}
    repeated = _worse(draft) if draft.kind == "run" else _agreeing(draft)
    start = draft.docs.start
    for what, places in (
        ("columns", [*draft.malformed]),
        ("numbers", start[draft.unreadable]),
        ("repeated", start[repeated]),
    ):
        done[what] = len(places)
        edits |= dict.fromkeys(lines.of(places).tolist())
    _rewrite(draft, lines, edits, done)
    done += Counter()
    if not done:
        return None
    text = lines.edited(edits)
    return (text.replace(b"\r\n", b"\n") if odd.carriage_returns.count else text).replace(b"\0", b""), done


def _rewrite(draft: Draft, lines: NumberedLines, edits: dict[int, bytes | None], done: Counter[str]) -> None:
    """Bare ids, add tags and put ranks in order."""
    topics, rows = marked(draft)
    touched = [rows, *(np.arange(*draft.offsets[topic : topic + 2]) for topic in topics)]
    if draft.untagged.count:
        touched.append(np.arange(len(draft)))
    line_of = lines.of(draft.docs.start)
    rank: dict[int, tuple[int, int]] = {}
    if draft.kind == "run":
        touched += _ranked(draft, line_of, rank)
    tag = max(draft.tags, key=lambda tag: draft.tags[tag].count, default="_".join(draft.name.split()).encode())
    seen: Rows = np.unique(np.concatenate(touched)) if touched else rows
    for row in seen.tolist():
        line = int(line_of[row])
        if line in edits and row not in rank:
            continue
        fields, between = lines.fields(line)
        bare = [trimmed(field) if place in (0, 2) else field for place, field in enumerate(fields)]
        done["ids"] += bare != fields
        if draft.kind == "run" and len(bare) == _TAGLESS:
            bare.append(tag)
            done["tags"] += 1
        if row in rank:
            line, place = rank[row]
            bare[_RANK] = str(place).encode()
            done["ranks"] += 1
        elif bare == fields:
            continue
        edits[line] = between.join(bare) + b"\n"


def _ranked(draft: Draft, line_of: Rows, rank: dict[int, tuple[int, int]]) -> list[Rows]:
    """Give rows of topics whose ranks contradict their scores a rank, and one of the lines that the topic has."""
    found = steps(draft)
    if not found.by_rank or draft.rank is None:
        return []
    keep = np.zeros(len(draft), bool)
    keep[draft.kept] = True
    touched = []
    first = 0 if float(np.nanmin(draft.rank)) == 0 else 1
    for topic in sorted({*draft.topic_of(found.rises).tolist()} - {*found.in_doubt(draft).tolist()}):
        rows = spans(draft.offsets[topic : topic + 1], np.diff(draft.offsets[topic : topic + 2]))
        rows = rows[keep[rows]]
        order = rows[np.lexsort((draft.rank[rows], -draft.number[rows]))]
        slots = np.sort(line_of[rows]).tolist()
        rank |= {row: (slot, first + n) for n, (row, slot) in enumerate(zip(order.tolist(), slots, strict=True))}
        touched.append(rows)
    return touched


def _worse(draft: Draft) -> Rows:
    """Rows of a run that repeat a document and are not its best, where it is known which that is."""
    repeated = draft.repeated
    if not len(repeated):
        return repeated
    unclear = contested(draft, steps(draft).in_doubt(draft))
    # A document may be listed more than twice: all of its rows stay.
    first = unclear[:, 0]
    kept = np.unique(np.concatenate([first, draft.pairs[np.isin(draft.pairs[:, 0], first), 1]]))
    return repeated[~np.isin(repeated, kept)]


def _agreeing(draft: Draft) -> Rows:
    """Judgments that repeat the first one of their document."""
    pairs = draft.pairs
    repeats: Rows = pairs[draft.number[pairs[:, 0]] == draft.number[pairs[:, 1]], 1]
    return repeats
