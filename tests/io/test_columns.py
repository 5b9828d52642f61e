"""One reader: what it raises at the first fault, it collects where it is asked to, and reads the rest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.errors import InputError
from truerank.io.columns import Columns, Faults, read_columns
from truerank.io.lines import line_number
from truerank.io.source import Source
from truerank.io.trec import QRELS, RUN

Row = tuple[bytes, bytes, float]
CHUNKS = [1, 20, 90, 1 << 21]


def source(text: bytes) -> Source:
    return Source("x", "x", np.frombuffer(text, dtype=np.uint8))


def rows(columns: Columns) -> list[Row]:
    count = np.diff(columns.bounds) if columns.bounds is not None else np.ones(len(columns.segment), dtype=np.intp)
    topics = [columns.topics[place] for place in np.repeat(columns.segment, count).tolist()]
    return [*zip(topics, columns.ids[0].tolist(), columns.number.tolist(), strict=True)]


LAYOUTS = {"run": RUN, "qrels": QRELS}
GOOD = {
    "run": [b"q1 Q0 a 1 0.5 t", b"q2\tQ0  b 2 -3e2 t\r", b"q1 Q0 c x 7 t", b"q1 Q0 d 4 .5 two words"],
    "qrels": [b"q1 0 a 1", b"q2\t0  b -2\r", b"q1 0 c 0.5"],
}
UNTAGGED = b"q1 Q0 e 5 4.5"
NOT_NUMBERS = {"run": [b"q1 Q0 f 6 nan t", b"q1 Q0 g 7 1e999 t"], "qrels": [b"q1 0 f high"]}
MALFORMED = {
    "run": [b"q1", b"q1 0 a 1", b"q1 Q0 h 8 bad", b"q1 Q0 two words 9 0.5 t"],
    "qrels": [b"q1", b"q1 0 two words 1", b"q1 Q0 a 1 0.5 t"],
}
NO_LINES = [b"", b"# a b c d", b"  \t"]


@st.composite
def texts(draw: st.DrawFn, kind: str, wrong: bool) -> list[bytes]:
    pools = [GOOD[kind], NO_LINES]
    if wrong:
        pools += [NOT_NUMBERS[kind], MALFORMED[kind], [UNTAGGED] if kind == "run" else []]
    lines = draw(st.lists(st.sampled_from([line for pool in pools for line in pool]), max_size=12))
    return [*lines, draw(st.sampled_from(GOOD[kind]))]


@pytest.mark.parametrize("kind", LAYOUTS)
@given(data=st.data(), chunk=st.sampled_from(CHUNKS))
def test_without_faults_it_reads_the_same_either_way(kind: str, data: st.DataObject, chunk: int) -> None:
    text = b"\n".join(data.draw(texts(kind, wrong=False)))
    faults = Faults()
    collected = read_columns(source(text), LAYOUTS[kind], faults=faults, chunk=chunk)
    raised = read_columns(source(text), LAYOUTS[kind], chunk=chunk)
    assert rows(collected) == rows(raised)
    assert collected.ids[0].start.tolist() == raised.ids[0].start.tolist()
    assert (faults.malformed, faults.untagged.count) == ({}, 0)


@pytest.mark.parametrize("kind", LAYOUTS)
@given(data=st.data(), chunk=st.sampled_from(CHUNKS))
def test_what_is_raised_is_the_first_that_is_collected(kind: str, data: st.DataObject, chunk: int) -> None:
    lines = data.draw(texts(kind, wrong=True))
    text = b"\n".join(lines)
    faults = Faults()
    columns = read_columns(source(text), LAYOUTS[kind], faults=faults, chunk=chunk)
    # Each fault is collected, at its line.
    malformed = {line_number(source(text).text, place): count for place, count in faults.malformed.items()}
    assert malformed == {n: len(line.split()) for n, line in enumerate(lines, 1) if line in MALFORMED[kind]}
    assert [*faults.malformed] == sorted(faults.malformed)
    assert faults.untagged.count == lines.count(UNTAGGED)
    wrong = [n for n, line in enumerate(lines, 1) if line in (*MALFORMED[kind], *NOT_NUMBERS[kind], UNTAGGED)]
    # The others are read as if there were none.
    kept = [line for line in lines if line in (*GOOD[kind], *NO_LINES)]
    expected = rows(read_columns(source(b"\n".join(kept)), LAYOUTS[kind]))
    odd = (b"e", *(line.split()[2] for line in NOT_NUMBERS[kind]))
    assert [row for row in rows(columns) if row[1] not in odd] == expected
    assert np.isnan(columns.number).sum() == sum(line in NOT_NUMBERS[kind] for line in lines)
    # Without a place to collect them, the first is raised.
    if wrong:
        with pytest.raises(InputError) as error:
            read_columns(source(text), LAYOUTS[kind], chunk=chunk)
        assert error.value.line == wrong[0]
    else:
        read_columns(source(text), LAYOUTS[kind], chunk=chunk)


def test_ranks_are_read_where_faults_are_collected() -> None:
    text = b"q Q0 a 3 1 t\nq Q0 b x 1 t\nq Q0 c 2 1\n"
    columns = read_columns(source(text), RUN, faults=Faults())
    assert isinstance(columns.rank, np.ndarray)
    assert np.array_equal(columns.rank, [3, np.nan, 2], equal_nan=True)
    assert read_columns(source(b"q Q0 a 3 1 t\n"), RUN).rank is None


def test_tags_and_wide_lines_are_counted_with_their_first_places() -> None:
    lines = [b"q Q0 a%d 1 1 %s" % (n, b"one" if n % 3 else b"two more") for n in range(9)]
    text = b"\n".join(lines)
    for chunk in CHUNKS:
        faults = Faults()
        read_columns(source(text), RUN, faults=faults, chunk=chunk)
        assert {tag: spots.count for tag, spots in faults.tags.items()} == {b"one": 6, b"two": 3}
        assert faults.wide.count == 3
        assert [line_number(source(text).text, place) for place in faults.wide.first] == [1, 4, 7]


@pytest.mark.parametrize("faults", [None, Faults()])
def test_a_file_without_lines_is_refused_either_way(faults: Faults | None) -> None:
    with pytest.raises(InputError, match="the file holds no lines; give qrels with lines of"):
        read_columns(source(b"# nothing\n\n"), QRELS, faults=faults)


def test_what_numbers_are_is_told_by_the_layout() -> None:
    assert read_columns(source(b"q Q0 a 3 1 t\n"), RUN).holds == "score"
    assert read_columns(source(b"q 0 a 3\n"), QRELS).holds == "grade"
