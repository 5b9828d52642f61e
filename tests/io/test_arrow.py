"""The C stream interface of Arrow: every layout, however it is cut, and memory that is given back."""

from __future__ import annotations

import gc
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.io.arrow import ArrowTable, Stream
from truerank.io.load import as_qrels, as_run
from truerank.io.vectors import Numbers, Vector, decimal_ids, ids_of, joined_parts, topics_of

pa = pytest.importorskip("pyarrow")


def column(array: Any) -> Vector:
    return ArrowTable(pa.table({"x": array})).read([0])[0]


def ids(array: Any) -> list[bytes]:
    found, key = ids_of(column(array), "x")
    assert key.tolist() == found.keys().tolist()
    return found.tolist()


def topics(array: Any) -> list[bytes]:
    names, segment, bounds = topics_of(column(array), "x")
    count = [1] * len(segment) if bounds is None else np.diff(bounds).tolist()
    return [names[topic] for topic, rows in zip(segment.tolist(), count, strict=True) for _ in range(rows)]


NAMES = ["a", "", "twelve bytes", "thirteen byte", "é" * 9, "x\ny", *(f"d{n}" for n in range(20)), "z" * 99, "z" * 99]
BYTES = [name.encode() for name in NAMES]
LAYOUTS = {
    "utf8": pa.string(),
    "large_utf8": pa.large_string(),
    "utf8_view": pa.string_view(),
    "binary": pa.binary(),
    "large_binary": pa.large_binary(),
    "binary_view": pa.binary_view(),
    "dictionary": pa.dictionary(pa.int8(), pa.string()),
    "dictionary, unsigned": pa.dictionary(pa.uint16(), pa.large_string()),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_text_in_every_layout_and_cut(layout: Any) -> None:
    plain = pa.array(NAMES)
    array = plain.dictionary_encode().cast(layout) if "dictionary" in str(layout) else plain.cast(layout)
    rows = len(NAMES)
    cuts = [
        pa.chunked_array([array]),
        pa.chunked_array([array[7:], array[:0], array[3:9], array[5:6]]),
        pa.chunked_array([array[row : row + 1] for row in range(rows)]),
        pa.chunked_array([pa.concat_arrays([array, array])[rows - 3 : rows + 9]]),
    ]
    for cut in cuts:
        expected = [name.encode() if isinstance(name, str) else name for name in cut.to_pylist()]
        assert ids(cut) == expected
        assert topics(cut) == expected


def test_views_into_several_buffers() -> None:
    # Joined arrays keep the buffers of their parts; the second part has nothing short.
    first, second = pa.array(["short", "one that is long"]), pa.array(["another long one", "a third long one!"])
    views = pa.concat_arrays([first.cast(pa.string_view()), second.cast(pa.string_view())])
    assert len(views.buffers()) > 3
    assert ids(views) == [b"short", b"one that is long", b"another long one", b"a third long one!"]
    assert ids(views[2:]) == [b"another long one", b"a third long one!"]
    assert ids(views[3:]) == [b"a third long one!"]


def test_bytes_that_are_not_text() -> None:
    assert ids(pa.array([b"\xff\xfe", b"\x00"])) == [b"\xff\xfe", b"\x00"]
    assert ids(pa.array([b"abcd", b"efgh", b"ijkl"], pa.binary(4))[1:]) == [b"efgh", b"ijkl"]


def test_each_batch_may_have_a_dictionary_of_its_own() -> None:
    parts = [pa.array(part).dictionary_encode() for part in (["b", "a", "b"], ["c"], ["a", "b", "d"])]
    table = pa.Table.from_batches([pa.record_batch({"x": part}) for part in parts])
    assert ids(table.column("x")) == [*map(str.encode, "babcabd")]
    assert topics(table.column("x")) == [*map(str.encode, "babcabd")]


def test_values_of_a_dictionary_that_no_row_has_are_no_topics() -> None:
    coded = pa.DictionaryArray.from_arrays(pa.array([2, 2, 0]), pa.array(["a", None, "c", "d"]))
    names, _, _ = topics_of(column(coded), "x")
    assert sorted(names) == [b"a", b"c"]
    with pytest.raises(InputError, match="column 'x' has no value in row 1"):
        ids(pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", None])))


@pytest.mark.parametrize("code", [2, 99, -1])
def test_codes_past_the_end_of_a_dictionary_are_refused(code: int) -> None:
    wrong = pa.DictionaryArray.from_arrays(pa.array([0, code]), pa.array(["q1", "q2"]), safe=False)
    table = pa.table({"topic": wrong, "doc": ["a", "b"], "grade": [1, 0]})
    with pytest.raises(InputError, match="column 'topic' has codes that its dictionary does not have"):
        as_qrels(table)


def test_a_dictionary_of_numbers() -> None:
    coded = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1]), pa.array([7, 30]))
    assert ids(coded) == [b"30", b"7", b"30"]


KINDS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]


@pytest.mark.parametrize("kind", [*KINDS, pa.float16(), pa.float32(), pa.float64(), pa.bool_()], ids=str)
def test_numbers_of_every_type(kind: Any) -> None:
    array = pa.array([1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1], pa.int8()).cast(kind)
    for begin in range(len(array)):
        found = column(pa.chunked_array([array[begin:], array[1:2]]))
        assert isinstance(found, Numbers)
        assert joined_parts(found.parts).tolist() == [*array.to_pylist()[begin:], array[1].as_py()]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_integers_as_ids(kind: Any) -> None:
    bits = np.iinfo(kind.to_pandas_dtype())
    numbers = sorted({bits.min, bits.max, 0, 1, 9, 10, 99, 100, -1 * (bits.min < 0), -100 * (bits.min < 0)})
    assert ids(pa.array(numbers, kind)) == [str(number).encode() for number in numbers]
    assert topics(pa.array(numbers, kind)) == [str(number).encode() for number in numbers]


def test_powers_of_ten_have_all_their_digits() -> None:
    numbers = np.array([sign * (10**power + step) for power in range(18) for step in (-1, 0, 1) for sign in (1, -1)])
    assert decimal_ids(numbers).tolist() == [str(number).encode() for number in numbers.tolist()]
    assert decimal_ids(numbers[:0]).tolist() == []


def test_many_topics_in_any_order() -> None:
    rows = np.random.default_rng(3).integers(0, 5000, 100_000)
    expected = [str(row).encode() for row in rows.tolist()]
    for array in (
        pa.array(rows),
        pa.array(rows).cast(pa.string()),
        pa.array(rows).cast(pa.string()).dictionary_encode(),
    ):
        assert topics(array) == expected


@pytest.mark.parametrize("row", range(0, 21, 4))
@pytest.mark.parametrize("kind", [pa.string(), pa.string_view(), pa.int16(), pa.bool_(), pa.null()], ids=str)
def test_the_first_missing_value_is_found_in_every_cut(kind: Any, row: int) -> None:
    array = pa.array([0] * row + [None] * (21 - row), pa.int8()).cast(kind if kind != pa.null() else pa.int8())
    array = pa.nulls(21) if kind == pa.null() else array
    first = 0 if kind == pa.null() else row
    for begin in range(0, first + 1, 3):
        assert column(array[begin:]).missing == first - begin
        assert column(pa.chunked_array([array[:begin], array[begin:]])).missing == first
    if first:
        assert column(array[:first]).missing is None


UNSUPPORTED: list[tuple[Any, str]] = [
    (pa.array([[1]]), "lists"),
    (pa.array([[1]], pa.large_list(pa.int8())), "lists"),
    (pa.array([[1]], pa.list_(pa.int8(), 1)), "lists"),
    (pa.array([{"a": 1}]), "structs"),
    (pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int8())), "maps"),
    (pa.array([Decimal("1.5")]), "decimals"),
    (pa.array([1], pa.timestamp("us")), "dates or times"),
    (pa.array([1], pa.date32()), "dates or times"),
    (pa.RunEndEncodedArray.from_arrays([1], ["a"]), "run-end encoded values"),
]


@pytest.mark.parametrize(("array", "kind"), UNSUPPORTED, ids=lambda value: value if isinstance(value, str) else "")
def test_other_types_are_refused_by_name(array: Any, kind: str) -> None:
    with pytest.raises(InputError, match=rf"column 'x' holds {kind} \(Arrow type '.*'\); cast it to text or numbers"):
        column(array)


def test_columns_that_are_not_read_may_be_of_any_type() -> None:
    table = pa.table(
        {"tags": [["a"], []], "qid": ["q", "q"], "docno": ["a", "b"], "score": [1.0, 2.0], "at": pa.nulls(2)}
    )
    assert as_run(table).ranking("q") == [("b", 2.0), ("a", 1.0)]


class Wrapped:
    """What another library may be: nothing but the interface."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.stream.__arrow_c_stream__(requested_schema)


def test_a_batch_that_is_itself_a_slice() -> None:
    rows = pa.array([{"qid": "q", "docno": f"d{row}", "score": float(row)} for row in range(20)])
    batches = pa.chunked_array([rows[5:9], rows[17:18]])
    assert Stream(batches).is_table
    run = as_run(Wrapped(batches))
    assert run.ranking("q") == [(f"d{row}", float(row)) for row in (17, 8, 7, 6, 5)]


def test_a_row_that_is_missing_as_a_whole_is_refused() -> None:
    rows = pa.chunked_array([pa.array([{"qid": "q", "docno": "d", "score": 1.0}, None])])
    with pytest.raises(InputError, match="some rows of the table are missing as a whole"):
        as_run(Wrapped(rows))


def test_a_stream_that_fails_says_why() -> None:
    schema = pa.schema({"qid": pa.string(), "docno": pa.string(), "score": pa.float64()})

    def batches() -> Any:
        yield pa.record_batch([["q"], ["d"], [1.0]], schema=schema)
        raise OSError("the disk is gone")

    with pytest.raises(InputError, match=r"the table cannot be read \(.*the disk is gone"):
        as_run(Wrapped(pa.RecordBatchReader.from_batches(schema, batches())))


def test_a_stream_is_read_once() -> None:
    reader = pa.table({"qid": ["q"], "docno": ["d"], "score": [1.0]}).to_reader()
    assert len(as_run(reader)) == 1
    with pytest.raises(InputError):
        as_run(reader)


def test_memory_is_kept_while_a_run_needs_it_and_given_back_after() -> None:
    gc.collect()
    before = pa.total_allocated_bytes()

    def made() -> Any:
        docs = pa.array([f"document {number}" for number in range(50_000)])
        return pa.table({"qid": pa.array(["q"] * 50_000), "docno": docs, "score": pa.array(range(50_000))})

    run = as_run(made())
    gc.collect()
    held = pa.total_allocated_bytes() - before
    assert len(run.docs.buffer) <= held < 2 * len(run.docs.buffer) + 1_000_000
    assert run.ranking("q")[0] == ("document 49999", 49999.0)
    del run
    gc.collect()
    assert pa.total_allocated_bytes() == before
