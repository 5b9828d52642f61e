from __future__ import annotations

import io
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.run import Run
from truerank.io.chunks import AGGREGATES
from truerank.io.load import as_run

Rows = list[tuple[str, str, float]]


def contents(run: Run) -> dict[str, list[tuple[str, float]]]:
    return {topic.decode(): run.ranking(topic) for topic in run.topics}


def naive(rows: Rows, separator: str, aggregate: str) -> dict[str, list[tuple[str, float]]]:
    """Chunks merged one by one; documents with equal scores in the order of the chunks that count."""
    found: dict[str, dict[str, list[tuple[int, float]]]] = defaultdict(lambda: defaultdict(list))
    for place, (topic, chunk, score) in enumerate(rows):
        document = chunk.rpartition(separator)[0] or chunk
        found[topic][document].append((place, score))
    result = {}
    for topic in sorted(found):
        merged = []
        for document, chunks in found[topic].items():
            best = max(score for _, score in chunks)
            if aggregate == "max":
                place, score = next(chunk for chunk in chunks if chunk[1] == best)
            else:
                place, score = chunks[0]
            if aggregate == "sum":
                score = float(sum(sorted((score for _, score in chunks), reverse=True)))
            merged.append((-score, place, document))
        result[topic] = [(document, -lowered) for lowered, _, document in sorted(merged)]
    return result


ids = st.builds(
    "{}{}".format,
    st.sampled_from(["d1", "d2", "a#b", "x" * 20, "é", "#"]),
    st.sampled_from(["", "#0", "#12", "##3", "_1"]),
)
scores = st.integers(-3, 3).map(lambda n: n / 4)
some_rows = st.lists(
    st.tuples(st.sampled_from(["q1", "q2"]), ids, scores), min_size=1, max_size=25, unique_by=lambda row: row[:2]
)


@given(some_rows, st.sampled_from(AGGREGATES), st.sampled_from(["#", "_", "##", "#1"]), st.booleans())
def test_chunks_are_merged_as_one_by_one(rows: Rows, aggregate: str, separator: str, from_file: bool) -> None:
    written = "".join(f"{topic} Q0 {chunk} 1 {score} t\n" for topic, chunk, score in rows)
    run = as_run(io.StringIO(written) if from_file else rows, chunks=separator, aggregate=aggregate)
    assert contents(run) == naive(rows, separator, aggregate)
    assert run.key.tolist() == run.docs.keys().tolist()


ROWS: Rows = [("q", "a#1", 1.0), ("q", "b#1", 3.0), ("q", "a#2", 2.5), ("q", "c", 2.0)]


def test_what_was_merged_is_noted() -> None:
    assert as_run(ROWS, chunks="#").notes == (
        "4 chunks made 3 documents, by max; 1 of 4 have no '#' and stay as they are",
    )
    assert as_run(ROWS, chunks="/").notes == (
        "no document has more than one of the 4 chunks; 4 of 4 have no '/' and stay as they are",
    )


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        ("max", [("b", 3.0), ("a", 2.5), ("c", 2.0)]),
        ("first", [("b", 3.0), ("c", 2.0), ("a", 1.0)]),
        ("sum", [("a", 3.5), ("b", 3.0), ("c", 2.0)]),
    ],
)
@pytest.mark.parametrize(
    "chunks",
    [
        "#",
        b"#",
        {"a#1": "a", "b#1": "b", "a#2": b"a"},
        lambda chunk: chunk.split("#")[0],
        {b"a#1": "a", "b#1": "b", "a#2": "a", "c": "c", "other": "d"},
    ],
)
def test_aggregates(chunks: Any, aggregate: str, expected: list[tuple[str, float]]) -> None:
    assert as_run(ROWS, chunks=chunks, aggregate=aggregate).ranking("q") == expected


def test_a_dict_that_lacks_chunks_is_noted() -> None:
    run = as_run(ROWS, chunks={"a#1": "a", "a#2": "a"})
    assert run.notes == (
        "4 chunks made 3 documents, by max; 2 of 4 are not among the chunks given and stay as they are",
    )


def test_distances_are_turned_before_chunks_are_merged() -> None:
    run = as_run(ROWS, chunks="#", higher_is_better=False)
    assert run.ranking("q") == [("a", -1.0), ("c", -2.0), ("b", -3.0)]
    assert run.notes[0] == "low scores are best, as declared: scores are negated"


def test_lists_are_merged_at_their_best_chunk() -> None:
    assert as_run({"q": ["a#1", "b#1", "a#2"]}, chunks="#").ranking("q") == [("a", 3.0), ("b", 2.0)]


def test_a_run_is_merged_without_being_changed() -> None:
    run = as_run(ROWS, "dense")
    before = contents(run)
    assert as_run(run, chunks="#").name == "dense"
    assert contents(run) == before


def test_documents_that_share_a_key_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ids, "keys", lambda ids: np.zeros(len(ids), dtype=np.uint64))
    for aggregate in AGGREGATES:
        assert contents(as_run(ROWS, chunks="#", aggregate=aggregate)) == naive(ROWS, "#", aggregate)


def test_empty_lists_stay() -> None:
    assert contents(as_run({"p": {}, "q": {"a#1": 1.0, "a#2": 2.0}, "r": {}}, chunks="#")) == {
        "p": [],
        "q": [("a", 2.0)],
        "r": [],
    }
    for aggregate in AGGREGATES:
        assert len(as_run({"p": {}}, chunks="#", aggregate=aggregate)) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chunks": ""}, "chunks='' separates nothing"),
        ({"chunks": "#", "aggregate": "mean"}, "aggregate='mean' is not one of 'max', 'first', 'sum'; choose one"),
        ({"chunks": 5}, "chunks is a int; give a separator, a dict or a function"),
        ({"chunks": lambda chunk: None}, "document None is a NoneType; give ids as str, bytes or int"),
        ({"chunks": {"a#1": 1.5}}, "document 1.5 is a float"),
    ],
)
def test_other_chunks_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        as_run(ROWS, **options)
    assert str(error.value).startswith(message)


def test_sums_that_are_not_finite_are_refused() -> None:
    with pytest.raises(InputError, match="document 'a' of topic 'q' has the score inf; give a finite number"):
        as_run({"q": {"a#1": 1e308, "a#2": 1e308}}, chunks="#", aggregate="sum")
