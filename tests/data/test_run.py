from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.run import Run, arrange

Row = tuple[bytes, bytes, float]
topic_ids = st.sampled_from([b"q1", b"q10", b"q2", b"Z", b"\xff", b"a long topic id"])
rows_of_runs = st.lists(
    st.tuples(topic_ids, st.integers(0, 30).map(lambda n: b"d%d" % n), st.sampled_from([0.0, -0.0, 1.0, -3.5, 1e300])),
    unique_by=lambda row: row[:2],
)


def arranged(rows: list[Row], *, by_row: bool = False, reuse: bool = False) -> Run:
    topics = list(dict.fromkeys(row[0] for row in rows))
    docs, score = Ids.pack([row[1] for row in rows]), np.array([row[2] for row in rows])
    segment = [topics.index(row[0]) for row in rows]
    if by_row:
        return arrange("run", topics, None, docs, score, segment=segment, reuse=reuse)
    begin = [row for row in range(len(rows)) if not row or segment[row] != segment[row - 1]]
    bounds = [*begin, len(rows)]
    return arrange("run", topics, bounds, docs, score, segment=[segment[row] for row in begin], reuse=reuse)


def naive(rows: list[Row]) -> dict[bytes, list[tuple[bytes, float, int]]]:
    result: dict[bytes, list[tuple[bytes, float, int]]] = {}
    for topic in sorted({row[0] for row in rows}):
        mine = [(doc, score, place) for place, (name, doc, score) in enumerate(rows) if name == topic]
        result[topic] = sorted(mine, key=lambda row: -row[1])
    return result


@given(rows_of_runs, st.booleans(), st.booleans())
def test_a_run_keeps_its_promises(rows: list[Row], by_row: bool, reuse: bool) -> None:
    run, expected = arranged(rows, by_row=by_row, reuse=reuse), naive(rows)
    assert list(run.topics) == list(expected)
    assert run.key.tolist() == run.docs.keys().tolist()
    for index, topic in enumerate(run.topics):
        span = slice(int(run.offsets[index]), int(run.offsets[index + 1]))
        documents = run.docs.take(np.arange(span.start, span.stop)).tolist()
        assert [*zip(documents, run.score[span].tolist(), strict=True)] == [row[:2] for row in expected[topic]]
        arrival = np.arange(len(run)) if run.arrival is None else run.arrival
        places = [row[2] for row in expected[topic]]
        assert np.argsort(arrival[span]).tolist() == np.argsort(places).tolist()


def test_long_segments_are_moved_whole() -> None:
    rows = [(topic, b"d%d" % place, -place) for topic in (b"b", b"c", b"a") for place in range(100)]
    run = arranged(rows)
    assert run.topics == (b"a", b"b", b"c")
    assert run.score.tolist() == [-float(place) for place in range(100)] * 3
    assert run.docs.tolist() == [b"d%d" % place for place in range(100)] * 3


def test_input_is_not_changed() -> None:
    docs, score = Ids.pack("abcd"), np.array([1.0, 2.0, 4.0, 3.0])
    key = docs.keys()
    before = score.copy(), key.copy(), docs.start.copy()
    run = arrange("run", [b"q2", b"q1"], [0, 2, 4], docs, score, key=key)
    assert run.docs.tolist() == [b"c", b"d", b"b", b"a"]
    for old, new in zip(before, (score, key, docs.start), strict=True):
        assert old.tolist() == new.tolist()


def test_arrival_is_none_only_where_rows_stand_as_they_came() -> None:
    assert arrange("run", [b"q"], [0, 2], Ids.pack("ab"), [2, 1]).arrival is None
    arrival = arrange("run", [b"q"], [0, 2], Ids.pack("ab"), [1, 2]).arrival
    assert arrival is not None
    assert arrival.tolist() == [1, 0]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_scores_are_finite(wrong: float) -> None:
    with pytest.raises(InputError, match=r"document 'b' of topic 'q' has the score"):
        arrange("run", [b"q"], [0, 3], Ids.pack("abc"), [3, wrong, 1])


def test_documents_are_distinct_within_a_topic() -> None:
    with pytest.raises(InputError, match="document 'a' is listed twice for topic 'q'"):
        arrange("run", [b"q"], [0, 3], Ids.pack("aba"), [3, 2, 1])
    assert len(arrange("run", [b"p", b"q"], [0, 1, 2], Ids.pack("aa"), [3, 2])) == 2


def test_documents_that_share_a_key_are_told_apart() -> None:
    docs = Ids.pack("abc")
    alike = np.full(3, 7, dtype=np.uint64)
    assert len(arrange("run", [b"q"], [0, 3], docs, [3, 2, 1], key=alike)) == 3
    with pytest.raises(InputError, match="'a' is listed twice"):
        arrange("run", [b"q"], [0, 3], Ids.pack("aba"), [3, 2, 1], key=alike)


def test_ranking_reads_as_people_do() -> None:
    run = arrange("bm25", [b"q"], [0, 2], Ids.pack(["é", "b"]), [1, 2])
    assert run.ranking("q") == run.ranking(b"q") == [("b", 2.0), ("é", 1.0)]
    assert repr(run) == "Run('bm25', 1 topics, 2 documents)"
    with pytest.raises(KeyError):
        run.ranking("q2")
