"""TREC files: what their lines hold, how they are read, and how runs and judgments are written as such lines.

A file of another kind that is written in such columns is read here too: preferences, and lists without scores.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from truerank.data.errors import InputError, Origin
from truerank.data.ids import Ids, text
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import NIL, REPEATED_NIL, Run
from truerank.data.stated_ranks import RankText, ranks_at
from truerank.data.subtopics import SecondColumn
from truerank.io.columns import CHUNK, Layout, read_columns
from truerank.io.direction import low_is_best, refuse_listed, run_from
from truerank.io.forms import head_of
from truerank.io.judgments import is_infix, is_sign, preferences_from, preferences_from_groups, qrels_from
from truerank.io.lines import words
from truerank.io.source import Readable, open_source
from truerank.io.writing import put

RUN = Layout(
    kind="a run",
    columns=("topic", "Q0", "document", "rank", "score", "tag"),
    ids=(2,),
    number=4,
    more=True,
    numeric=3,
    tag=5,
    alike={3: "preferences, or a list without scores", 4: "qrels"},
)
BY_RANK = replace(RUN, number=3)
QRELS = Layout(
    kind="qrels",
    columns=("topic", "iteration", "document", "grade"),
    ids=(2,),
    number=3,
    alike={3: "preferences", 6: "a run"},
)
PREFERENCES = Layout(
    kind="preferences",
    columns=("topic", "better", "worse"),
    ids=(1, 2),
    alike={4: "qrels", 6: "a run"},
)
COMPARED = Layout(
    kind="preferences",
    columns=("topic", "document", "document", "relation"),
    ids=(1, 2, 3),
    alike={6: "a run"},
)
GROUPED = Layout(
    kind="a file of grouped preferences",
    columns=("topic", "group", "subgroup", "document", "grade"),
    ids=(3, 1, 2),
    number=4,
    alike={3: "pairs of preferences", 4: "qrels", 6: "a run"},
)
RANKED_LIST = Layout(
    kind="a list",
    columns=("topic", "document", "rank"),
    ids=(1,),
    number=2,
    alike={4: "qrels", 6: "a run"},
)
LIST = Layout(
    kind="a list",
    columns=("topic", "document"),
    ids=(1,),
    alike={4: "qrels", 6: "a run"},
)

_ITERATIONS = {b"0", b"Q0", b"q0"}
"""What stands in the second column of qrels."""
_QRELS = (
    "these look like qrels; give preferences (topic better worse), "
    "or take those that grades stand for (induced_preferences, --induced)"
)
_SAID = "{} columns are taken for {}: scores are made of {}"
_LINE = 1 << 16
_BLANK = re.compile(r"[\x00-\x20]|^$")
_BLOCK = 1 << 16


def read_run(
    source: Readable,
    name: str | None = None,
    *,
    higher_is_better: bool | None = None,
    by_rank: bool = False,
    nil_once: bool = False,
    chunk: int = CHUNK,
    threads: int | None = None,
) -> Run:
    """Read a run: lines of topic, Q0, document, rank, score and tag.

    ``source`` is a path, ``"-"`` or an open file, compressed or not. The name is that of the file, without endings such
    as ``.run.gz``, or the tag of the first line where there is no file. ``higher_is_better=False`` says that low scores
    are best, ``by_rank`` that the rank column orders documents instead of scores, ``nil_once`` that a NIL listed twice
    is refused, of which otherwise the first counts. ``chunk`` and ``threads`` change how
    the text is read, never what is read.

    >>> import io
    >>> read_run(io.StringIO("q1 Q0 d1 1 2.5 bm25")).ranking("q1")
    [('d1', 2.5)]
    """
    opened = open_source(source)
    columns = read_columns(opened, BY_RANK if by_rank else RUN, chunk=chunk, threads=threads)
    columns = replace(columns, rank=RankText(columns.ids[0]))
    return run_from(columns, name or opened.stem or read_tag(columns.ids[0]), higher_is_better, nil_once=nil_once)


def read_qrels(source: Readable) -> Qrels:
    """Read judgments: lines of topic, iteration, document and grade.

    Where lines of a document differ in the second column, it is a subtopic, and the best grade counts.

    >>> import io
    >>> read_qrels(io.StringIO("q1 0 d1 2")).grade.tolist()
    [2.0]
    """
    columns = read_columns(open_source(source), QRELS)
    return qrels_from(replace(columns, subtopics=SecondColumn(columns.ids[0])))


def read_preferences(source: Readable) -> Preferences:
    """Read preferences: lines of topic, better document and worse document.

    Or of topic, two documents and a relation: the better document, a sign (> < =, also between the two), or -1 where
    the first is better, 1 where the second is, and 0. Or lines of trec_eval's preferences: topic, group, subgroup,
    document and grade, where the higher of two grades of a subgroup is a preference.

    >>> import io
    >>> read_preferences(io.StringIO("q1 d2 d1")).pairs.tolist()
    [[0, 1]]
    >>> read_preferences(io.StringIO("q1 d1 < d2\\nq1 d2 = d3"))
    Preferences(1 topics, 1 preferences, 1 ties)
    """
    opened = open_source(source)
    count = head_of(opened).count
    if count == len(GROUPED.columns):
        return preferences_from_groups(read_columns(opened, GROUPED))
    if count != len(COMPARED.columns):
        return preferences_from(read_columns(opened, PREFERENCES))
    columns = read_columns(opened, COMPARED)
    first, second, third = columns.ids
    if columns.key is not None and (columns.key == columns.key[0]).all() and first[0] in _ITERATIONS:
        raise columns.origin.error(_QRELS)
    signs_between = is_infix(second, columns.error)
    return preferences_from(replace(columns, ids=[first, third, second] if signs_between else columns.ids))


def read_judgments(source: Readable) -> Qrels:
    """Read qrels, or preferences where the first line has their three columns, or a sign between documents.

    >>> import io
    >>> read_judgments(io.StringIO("q1 d2 d1"))
    Preferences(1 topics, 1 preferences)
    """
    opened = open_source(source)
    first = words(head_of(opened).line)
    compared = len(first) == len(COMPARED.columns) and any(map(is_sign, first[2:]))
    return read_preferences(opened) if compared or len(first) == len(PREFERENCES.columns) else read_qrels(opened)


def read_list(source: Readable, name: str | None = None, higher_is_better: bool | None = None) -> Run:
    """Read a run that has ranks instead of scores, as that of MS MARCO has, or neither: then it is listed best first.

    >>> import io
    >>> run = read_list(io.StringIO("q1 d7 1\\nq1 d3 2"), "mine")
    >>> run.ranking("q1"), run.notes
    ([('d7', -1.0), ('d3', -2.0)], ('3 columns are taken for topic, document and rank: scores are made of ranks',))
    """
    refuse_listed(higher_is_better)
    opened = open_source(source)
    called = name or opened.stem or "run"
    if head_of(opened).count < len(RANKED_LIST.columns):
        run = run_from(read_columns(opened, LIST), called)
        return replace(run, notes=(_SAID.format(2, "topic and document, best first", "places"), *_nil_notes(run)))
    columns = read_columns(opened, RANKED_LIST)
    run = run_from(columns, called)
    _refuse_scores(run, columns.origin)
    return replace(run, notes=(_SAID.format(3, "topic, document and rank", "ranks"), *_nil_notes(run)))


def _nil_notes(run: Run) -> tuple[str, ...]:
    return tuple(note for note in run.notes if note == REPEATED_NIL)


def _refuse_scores(run: Run, origin: Origin) -> None:
    """Refuse numbers that are no ranks: within a topic these are different whole numbers, the first of them 1."""
    filled = run.offsets[:-1][np.diff(run.offsets) > 0]
    wrong = run.score != np.rint(run.score)
    wrong[1:] |= run.score[1:] == run.score[:-1]
    # A topic's first row has none above it to be equal to.
    wrong[filled] = run.score[filled] != -1
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise origin.error(
            f"the third column holds {-run.score[row]:g}, which makes no ranks (1, 2, 3, ... in each topic); if it is "
            "a score, begin the file with a header line: query_id doc_id score",
            int(run.docs.start[row]),
        )


def read_tag(docs: Ids) -> str:
    """Return the tag of the first line of a run, found in the text behind its document id."""
    begin = int(docs.start[0])
    line = docs.buffer[begin : begin + _LINE].tobytes().partition(b"\n")[0].split()
    return line[3].decode("utf-8", "replace") if len(line) > 3 else "run"


def write_run(run: Run, path: str | os.PathLike[str], *, nil: bool = False) -> None:
    """Write a run as a TREC file, which appears when it is complete; see ``run_lines``.

    Its high scores are best, also those of a run that was read with ``higher_is_better=False``.
    """
    put(run_lines(run, tag_of(run), nil=nil), path)


def run_lines(run: Run, tag: str, *, nil: bool = False, as_given: bool = False) -> Iterator[bytes]:
    """The text of each list as lines of topic, Q0, document, rank, score and tag.

    Ranks are those of the run's own rank column, or count from 1; scores are written as in the TREC file that the run
    was read from, or with the digits that tell them apart. Such lines cannot show an empty list, so that its
    topic is left out; with ``nil`` it has a line with the document NIL. Where low scores were declared to be best,
    ``as_given`` writes them as they were, not negated.

    >>> from truerank.io.load import as_run
    >>> print(b"".join(run_lines(as_run({"q1": {"a": 0.5, "b": 2.0}}), "mine")).decode(), end="")
    q1 Q0 b 1 2.0 mine
    q1 Q0 a 2 0.5 mine
    """
    name = re.sub(rb"[\x00-\x20]+", b"_", tag.encode("utf-8", "surrogateescape")) or b"run"
    given = 0.0 - run.score if as_given and low_is_best(run) else run.score
    ranks, docs, scores = _ranks(run), run.docs.tolist(), _scores(run, given.tolist())
    _refuse_blank(map(text, (*run.topics, *docs)), "a run")
    bounds = run.offsets.tolist()
    for topic, begin, end in zip(run.topics, bounds[:-1], bounds[1:], strict=True):
        rows = zip(docs[begin:end], ranks[begin:end], scores[begin:end], strict=True)
        if nil and begin == end:
            rows = zip([NIL], ["1"], [b"0.0"], strict=True)
        yield b"".join(b"%b Q0 %b %b %b %b\n" % (topic, d, r.encode(), s, name) for d, r, s in rows)


def tag_of(run: Run) -> str:
    """The tag in a TREC file that the run was read from, or else its name."""
    return read_tag(run.docs) if isinstance(run.rank, RankText) and len(run) else run.name


def _scores(run: Run, scores: list[float]) -> list[bytes]:
    """The text of scores: that of the file they were read from, where it says the same."""
    if not isinstance(run.rank, RankText) or not scores:
        return [repr(score).encode() for score in scores]
    return [
        written if float(written) == score else repr(score).encode()
        for written, score in zip(run.rank.scores(), scores, strict=True)
    ]


def _ranks(run: Run) -> list[str]:
    if run.rank is not None and len(run):
        try:
            ranks = ranks_at(run.rank, np.arange(len(run))).tolist()
            return [f"{rank:.0f}" if rank.is_integer() else repr(rank) for rank in ranks]
        except InputError:
            pass  # A column that holds no numbers has no ranks to keep.
    return [
        str(rank + 1) for rank in (np.arange(len(run)) - np.repeat(run.offsets[:-1], np.diff(run.offsets))).tolist()
    ]


def qrels_lines(qrels: Qrels) -> str:
    """Judgments as text: a line each with topic, 0, document and grade.

    >>> from truerank.io.load import as_qrels
    >>> print(qrels_lines(as_qrels({"q1": {"a": 1, "b": 0.5}})), end="")
    q1 0 a 1
    q1 0 b 0.5
    """
    topic = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.offsets)).tolist()
    names = [*map(text, qrels.topics)]
    rows = zip(topic, map(text, qrels.docs.tolist()), qrels.grade.tolist(), strict=True)
    return judgment_lines((names[place], document, grade) for place, document, grade in rows)


def judgment_lines(judgments: Iterable[tuple[str, str, float]]) -> str:
    """(topic, document, grade) as text; refused where an id has a blank, which such a line cannot hold."""
    lines = []
    for topic, document, grade in judgments:
        _refuse_blank((topic, document), "judgments")
        number = int(grade) if float(grade).is_integer() else grade
        lines.append(f"{topic} 0 {document} {number}\n")
    return "".join(lines)


def preference_lines(preferences: Preferences) -> Iterator[str]:
    """Preferences as text, some lines at a time: topic, better and worse document, or with a sign if there are ties.

    >>> from truerank.io.load import as_preferences
    >>> print("".join(preference_lines(as_preferences([("q", "b", "a")]))), end="")
    q b a
    >>> print("".join(preference_lines(as_preferences([("q", "b", ">", "a"), ("q", "a", "=", "c")]))), end="")
    q b > a
    q a = c
    """
    docs, topics = [*map(text, preferences.docs.tolist())], [*map(text, preferences.topics)]
    _refuse_blank((*topics, *docs), "judgments")
    between = " > " if len(preferences.ties) else " "
    for rows, bounds, sign in (
        (preferences.pairs, preferences.pair_offsets, between),
        (preferences.ties, preferences.tie_offsets, " = "),
    ):
        topic = np.repeat(np.arange(len(topics)), np.diff(bounds))
        for begin in range(0, len(rows), _BLOCK):
            some = zip(topic[begin : begin + _BLOCK].tolist(), rows[begin : begin + _BLOCK].tolist(), strict=True)
            yield "".join([f"{topics[place]} {docs[one]}{sign}{docs[other]}\n" for place, (one, other) in some])


def _refuse_blank(ids: Iterable[str], where: str) -> None:
    """Refuse an id that would be several columns of a line, or none."""
    for one in ids:
        if _BLANK.search(one):
            raise InputError(
                f"the id {one!r:.80} is blank or has a blank, which no line of {where} can hold; rename it"
            )
