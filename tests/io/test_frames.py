"""The same data in every container make the same run, bit for bit."""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.frames import is_table
from truerank.io.load import as_preferences, as_qrels, as_run
from truerank.io.parquet import open_parquet

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

Columns = dict[str, list[Any]]


def pandas_frame(columns: Columns, text: Any) -> Any:
    """A frame whose text columns have a type, and whose index is none of its columns."""
    frame = pd.DataFrame(
        {name: pd.Series(values, dtype=text if _is_text(values) else None) for name, values in columns.items()}
    )
    return frame.set_index(pd.Index(["score"] * len(frame), name="query_id"))


def arrow_table(columns: Columns, text: Any) -> Any:
    return pa.table(
        {
            name: pa.array(values, pa.string()).cast(text) if _is_text(values) else pa.array(values)
            for name, values in columns.items()
        }
    )


def dictionary(columns: Columns) -> Any:
    table = arrow_table(columns, pa.string())
    for place, name in enumerate(columns):
        if _is_text(columns[name]):
            table = table.set_column(place, name, table.column(name).dictionary_encode())
    return table


def chunked(columns: Columns) -> Any:
    """Pieces of one, two, three ... rows, cut at other places in each column."""
    table = arrow_table(columns, pa.string())
    parts = {}
    for step, name in enumerate(columns, 1):
        array = table.column(name).combine_chunks()
        parts[name] = pa.chunked_array(
            [array[begin : begin + step] for begin in range(0, len(array), step)], array.type
        )
    return pa.table(parts)


def sliced(columns: Columns) -> Any:
    more = {name: [values[0], values[-1], *values, values[0]] for name, values in columns.items()}
    return arrow_table(more, pa.large_string()).slice(2, len(next(iter(columns.values()))))


def parquet(columns: Columns, library: str, **how: Any) -> Any:
    file = io.BytesIO()
    if library == "polars":
        pl.DataFrame(columns).write_parquet(file, **how)
    else:
        pq.write_table(arrow_table(columns, pa.string()), file, **how)
    return open_parquet(file.getvalue(), library)


def _is_text(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


CONTAINERS: dict[str, Callable[[Columns], Any]] = {
    "pandas object": lambda columns: pandas_frame(columns, object),
    "pandas str": lambda columns: pandas_frame(columns, "str" if pd.__version__ >= "3" else "string"),
    "pandas string, python": lambda columns: pandas_frame(columns, "string[python]"),
    "pandas string, pyarrow": lambda columns: pandas_frame(columns, "string[pyarrow]"),
    "pandas category": lambda columns: pandas_frame(columns, "category"),
    "pandas ArrowDtype": lambda columns: arrow_table(columns, pa.string()).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "polars pieces": lambda columns: pl.concat([pl.DataFrame(columns)[:1], pl.DataFrame(columns)[1:]], rechunk=False),
    "polars category": lambda columns: pl.DataFrame(columns).with_columns(pl.col(pl.String).cast(pl.Categorical)),
    "polars slice": lambda columns: pl.concat([pl.DataFrame(columns)] * 3, rechunk=True)[len(columns["docno"]) :][
        : len(columns["docno"])
    ],
    "pyarrow utf8": lambda columns: arrow_table(columns, pa.string()),
    "pyarrow large_utf8": lambda columns: arrow_table(columns, pa.large_string()),
    "pyarrow utf8_view": lambda columns: arrow_table(columns, pa.string_view()),
    "pyarrow binary": lambda columns: arrow_table(columns, pa.binary()),
    "pyarrow large_binary": lambda columns: arrow_table(columns, pa.large_binary()),
    "pyarrow dictionary": dictionary,
    "pyarrow pieces": chunked,
    "pyarrow slice": sliced,
    "pyarrow reader": lambda columns: arrow_table(columns, pa.string()).to_reader(max_chunksize=2),
    "pyarrow batch": lambda columns: arrow_table(columns, pa.string()).to_batches()[0],
    "parquet pyarrow": lambda columns: parquet(columns, "pyarrow"),
    "parquet pyarrow, row groups": lambda columns: parquet(columns, "pyarrow", row_group_size=2),
    "parquet polars": lambda columns: parquet(columns, "polars"),
    "parquet polars, row groups": lambda columns: parquet(columns, "polars", row_group_size=2),
}


@pytest.fixture(params=CONTAINERS.values(), ids=CONTAINERS)
def container(request: pytest.FixtureRequest) -> Callable[[Columns], Any]:
    convert: Callable[[Columns], Any] = request.param
    return convert


SHORT = {
    "qid": ["q2", "q1", "q1", "q2", "q10", "q1"],
    "docno": ["a", "b", "a", "c", "a", "long-id-past-twelve-bytes"],
    "score": [0.5, -0.0, 2.25, 0.5, 1e300, 0.0],
}
ODD = {
    "qid": ["é", "é", "日本語のトピック", "", "two\nlines", "two\nlines"],
    "docno": ["ü" * 13, "\n", "a\tb", "x" * 12, "x" * 13, "x" * 300],
    "score": [3.0, 2.0, 1.0, 0.0, -1.0, -2.0],
}
INTEGERS = {"qid": [7, 7, 1_048_585, 0], "docno": [12, -5, 12_345_678_901, 9999], "score": [4, 3, 2, 1]}
DATA = {"short": SHORT, "odd": ODD, "integers": INTEGERS}


def bits(data: Run | Qrels) -> tuple[object, ...]:
    value = data.score if isinstance(data, Run) else data.grade
    order = data.arrival.argsort(kind="stable").tolist() if isinstance(data, Run) and data.arrival is not None else None
    return (
        data.topics,
        data.offsets.tolist(),
        data.docs.tolist(),
        value.tobytes(),
        data.key.tolist(),
        order,
        data.notes,
    )


@pytest.mark.parametrize("columns", DATA.values(), ids=DATA)
def test_a_run_is_the_same_in_every_container(container: Callable[[Columns], Any], columns: Columns) -> None:
    expected = as_run(list(zip(*columns.values(), strict=True)))
    table = container(columns)
    assert is_table(table)
    assert bits(as_run(table)) == bits(expected)
    assert (expected.docs.keys() == expected.key).all()


def test_an_id_may_be_longer_than_a_compact_length_can_say() -> None:
    docs = ["x" * 70_000, "y"]
    for text in (pa.string(), pa.string_view()):
        run = as_run(arrow_table({"qid": ["q", "q"], "docno": docs, "score": [2.0, 1.0]}, text))
        assert run.docs.tolist() == [doc.encode() for doc in docs]


@pytest.mark.parametrize("columns", DATA.values(), ids=DATA)
def test_judgments_are_the_same_in_every_container(container: Callable[[Columns], Any], columns: Columns) -> None:
    expected = as_qrels(list(zip(*columns.values(), strict=True)))
    named = dict(zip(("query_id", "docno", "relevance"), columns.values(), strict=True))
    assert bits(as_qrels(container(named))) == bits(expected)


def test_preferences_are_the_same_in_every_container(container: Callable[[Columns], Any]) -> None:
    columns = {"qid": ["q", "q", "r"], "docno": ["x", "y", "z"], "better": ["b", "a", "c"], "worse": ["a", "c", "b"]}
    expected = as_preferences([("q", "b", "a"), ("q", "a", "c"), ("r", "c", "b")])
    for convert in (as_preferences, as_qrels):
        found = convert(container(columns))
        assert isinstance(found, Preferences)
        assert bits(found)[:3] == bits(expected)[:3]
        assert found.pairs.tolist() == expected.pairs.tolist()


def test_a_table_is_evaluated_alone_by_name_and_in_lists(container: Callable[[Columns], Any]) -> None:
    qrels = {"qid": ["q1", "q2"], "docno": ["a", "c"], "label": [1, 2]}
    expected = tr.evaluate(
        [("q1", "a", 1), ("q2", "c", 2)], list(zip(*SHORT.values(), strict=True)), "AP nDCG@10"
    ).means()
    assert tr.evaluate(container(qrels), container(SHORT), "AP nDCG@10").means() == expected
    both = tr.evaluate(container(qrels), [container(SHORT), container(SHORT)], "AP nDCG@10")
    assert [*both.means().values()] == [expected["run"]] * 2
    named = tr.evaluate(container(qrels), {"bm25": container(SHORT)}, "AP nDCG@10")
    assert named.means() == {"bm25": expected["run"]}


def test_a_missing_value_is_refused_by_row_and_column(container: Callable[[Columns], Any]) -> None:
    for name in SHORT:
        values = [*SHORT[name]]
        values[4] = None
        table = container(SHORT | {name: values})
        with pytest.raises(InputError, match=rf"column '{name}' has no value in row 4 \(the first is 0\)"):
            as_run(table)


EMPTY: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pandas_frame(SHORT, object).head(0),
    "polars": lambda: pl.DataFrame(SHORT).head(0),
    "polars lazy": lambda: pl.LazyFrame(SHORT).head(0),
    "pyarrow utf8": lambda: arrow_table(SHORT, pa.string()).slice(0, 0),
    "pyarrow utf8_view": lambda: arrow_table(SHORT, pa.string_view()).schema.empty_table(),
    "pyarrow dictionary": lambda: dictionary(SHORT).slice(6),
    "pyarrow pieces": lambda: chunked(SHORT).slice(3, 0),
    "parquet pyarrow": lambda: parquet({name: values[:0] for name, values in SHORT.items()}, "pyarrow"),
    "parquet polars": lambda: parquet({name: values[:0] for name, values in SHORT.items()}, "polars"),
}


@pytest.mark.parametrize("make", EMPTY.values(), ids=EMPTY)
def test_an_empty_table_is_refused(make: Callable[[], Any]) -> None:
    with pytest.raises(InputError, match="there are no rows; give a run with at least one topic"):
        as_run(make())
    with pytest.raises(InputError, match="there are no rows; give qrels with at least one topic"):
        as_qrels(make())


def test_the_input_stays_as_it_was() -> None:
    columns = {"qid": ["b", "a", "b"], "docno": ["x", "y", "z"], "score": np.array([1.0, -0.0, 3.0])}
    frame = pd.DataFrame(columns)
    table = pa.table({"qid": columns["qid"], "docno": columns["docno"], "score": pa.array(columns["score"])})
    for data in (frame, table, pl.from_arrow(table)):
        as_run(data, higher_is_better=False)
        as_qrels(data)
    assert frame.equals(pd.DataFrame(columns))
    assert np.signbit(columns["score"][1])
    assert table.column("score").to_pylist() == [1.0, -0.0, 3.0]


@pytest.mark.thorough
def test_a_run_outlives_its_table(container: Callable[[Columns], Any]) -> None:
    runs = [as_run(container(SHORT)) for _ in range(20)]
    gc.collect()
    assert {tuple(run.docs.tolist()) for run in runs} == {(b"a", b"b", b"long-id-past-twelve-bytes", b"a", b"a", b"c")}


def test_ranks_order_documents_where_there_are_no_scores(container: Callable[[Columns], Any]) -> None:
    run = as_run(container({"qid": ["q", "q", "q"], "docno": ["c", "a", "b"], "rank": [3, 1, 2]}))
    assert run.ranking("q") == [("a", -1.0), ("b", -2.0), ("c", -3.0)]
    assert run.notes == ("scores are made of ranks: the first rank is best",)


def test_ranks_beside_scores_are_there_for_ties(container: Callable[[Columns], Any]) -> None:
    columns = {
        "qid": ["q2", "q1", "q2", "q1", "q2"],
        "docno": ["b", "b", "a", "a", "c"],
        "score": [1.0] * 5,
        "rank": [2, 1, 1, 2, 3],
    }
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    scores = tr.evaluate(qrels, container(columns), "RR", ties="rank")
    assert scores["run"]["RR"].per_topic == {"q1": 0.5, "q2": 1.0}


def test_distances_need_a_direction(container: Callable[[Columns], Any]) -> None:
    columns = {"qid": ["q", "q"], "docno": ["far", "near"], "distance": [0.9, 0.1]}
    with pytest.raises(InputError, match="'distance'; if a small one is good"):
        as_run(container(columns))
    assert as_run(container(columns), higher_is_better=False).ranking("q")[0] == ("near", -0.1)
    assert as_run(container(columns), higher_is_better=True).ranking("q")[0] == ("far", 0.9)
    as_score = {"qid": ["q", "q"], "docno": ["far", "near"], "score": [0.9, 0.1]}
    assert as_run(container(as_score), higher_is_better=False).ranking("q")[0] == ("near", -0.1)


def test_columns_are_named_by_the_caller(container: Callable[[Columns], Any]) -> None:
    table = container({"docno": ["x", "y"], "a": ["q", "q"], "b": ["d", "e"], "c": [1.0, 2.0]})
    run = as_run(table, columns={"topic": "a", "doc": "b", "score": "c"})
    assert run.ranking("q") == [("e", 2.0), ("d", 1.0)]


def test_a_frame_without_names_has_numbers_for_names() -> None:
    frame = pd.DataFrame([["q", "d", 0.5]])
    with pytest.raises(InputError, match="no column is known to hold the topic and doc and score among '0', '1', '2'"):
        as_run(frame)
    assert as_run(frame, columns={"topic": 0, "doc": 1, "score": 2}).ranking("q") == [("d", 0.5)]  # type: ignore[dict-item]


def test_an_index_is_not_a_column() -> None:
    frame = pd.DataFrame({"qid": ["q"], "docno": ["d"], "score": [1.0]}).set_index(["qid", "docno"])
    with pytest.raises(InputError, match="no column is known to hold the topic and doc among 'score'"):
        as_run(frame)
    assert as_run(frame.reset_index()).ranking("q") == [("d", 1.0)]


NUMBERS: list[Any] = [
    [1, 0, 2],
    np.array([1, 0, 2], np.uint8),
    np.array([1, 0, 2], np.float16),
    np.array([1, 0, 2], np.float32),
    pd.array([1, 0, 2], dtype="Int64"),
    pd.array([1, 0, 2], dtype="UInt16"),
    pd.array([1, 0, 2], dtype="Float32"),
    pd.array([1, 0, 2], dtype=pd.ArrowDtype(pa.int16())),
    pd.Series([1, 0.0, np.int8(2)], dtype=object),
    pd.Series([1, 0, 2], dtype="category"),
    pd.arrays.SparseArray([1.0, 0.0, 2.0], fill_value=0.0),
]


@pytest.mark.parametrize("values", NUMBERS, ids=lambda values: str(getattr(values, "dtype", "list")))
def test_numbers_of_every_type(values: Any) -> None:
    frame = pd.DataFrame({"qid": ["q"] * 3, "docno": [*"abc"], "score": values})
    assert as_run(frame).ranking("q") == [("c", 2.0), ("a", 1.0), ("b", 0.0)]
    assert as_qrels(frame).grade.tolist() == [1.0, 0.0, 2.0]


IDS: list[Any] = [
    np.array([1, 22, -3], np.int16),
    pd.array([1, 22, -3], dtype="Int64"),
    pd.Series([1, "22", b"-3"], dtype=object),
    pd.Series([1, 22, -3], dtype="category"),
    pd.Series([1, 22, -3], dtype=object),
    pd.array([1, 22, -3], dtype=pd.ArrowDtype(pa.int32())),
]


@pytest.mark.parametrize("values", IDS, ids=lambda values: str(values.dtype))
def test_ids_of_every_type(values: Any) -> None:
    frame = pd.DataFrame({"qid": values, "docno": values, "score": [1.0, 2.0, 3.0]})
    run = as_run(frame)
    assert run.topics == (b"-3", b"1", b"22")
    assert run.docs.tolist() == [b"-3", b"1", b"22"]


MISSING: list[Any] = [
    pd.Series([1.0, None, 2.0]),
    pd.array([1, None, 2], dtype="Int64"),
    pd.array([1, None, 2], dtype=pd.ArrowDtype(pa.int32())),
    pd.Series(["a", None, "c"], dtype=object),
    pd.Series(["a", np.nan, "c"], dtype=object),
    pd.Series(["a", pd.NA, 7], dtype=object),
    pd.Series(["a", None, "c"], dtype="category"),
    pd.array(["a", None, "c"], dtype="string[python]"),
    pd.array(["a", None, "c"], dtype="string[pyarrow]"),
]


@pytest.mark.parametrize("values", MISSING, ids=lambda values: str(values.dtype))
@pytest.mark.parametrize("name", ["qid", "docno", "score"])
def test_what_pandas_calls_missing_is_refused(values: Any, name: str) -> None:
    frame = pd.DataFrame({"qid": [*"pqr"], "docno": [*"abc"], "score": [1.0, 2.0, 3.0]}).assign(**{name: values})
    with pytest.raises(InputError, match=f"column '{name}' has no value in row 1 "):
        as_run(frame)


@pytest.mark.parametrize("name", ["qid", "docno"])
def test_half_a_character_is_refused(name: str) -> None:
    frame = pd.DataFrame({"qid": ["q"], "docno": ["d"], "score": [1.0]}, dtype=object)
    frame[name] = pd.Series(["\ud800"], dtype=object)
    with pytest.raises(InputError, match=f"{name} ..ud800. has half a character in it; mend the id"):
        as_run(frame)


@pytest.mark.parametrize("name", ["qid", "docno"])
def test_categories_of_nothing_but_missing_values_are_refused(name: str) -> None:
    columns = {"qid": ["q"], "docno": ["d"], "score": [1.0]}
    with pytest.raises(InputError, match=f"column '{name}' has no value in row 0 "):
        as_run(pl.DataFrame({**columns, name: pl.Series([None], dtype=pl.Categorical)}))
    with pytest.raises(InputError, match=f"column '{name}' has no value in row 0 "):
        as_run(pa.table({**columns, name: pa.array([None], pa.string_view()).dictionary_encode()}))


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"score": ["1", "2"]}, "column 'score' holds text; give numbers"),
    ({"score": [True, False]}, "column 'score' holds true and false; give numbers"),
    ({"score": [1.0, np.inf]}, "document 'b' of topic 'q' has the score inf; give a finite number"),
    ({"docno": [1.0, 2.0]}, "column 'docno' holds float64; give ids as text or integers"),
    ({"docno": [True, False]}, "column 'docno' holds bool; give ids as text or integers"),
    ({"docno": ["a", "a"]}, "document 'a' is listed twice for topic 'q'; keep one of the two"),
    ({"docno": [[1], [2]]}, r"column 'docno' (has a list in row 0 \(the first is 0\), \[1\]|holds lists)"),
    ({"score": [datetime(2020, 1, 1), datetime(2020, 1, 2)]}, "column 'score' holds (datetime64|dates)"),
]


@pytest.mark.parametrize(("columns", "message"), REFUSED, ids=range(len(REFUSED)))
@pytest.mark.parametrize("convert", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_other_types_are_refused_by_name(columns: dict[str, Any], message: str, convert: Any) -> None:
    with pytest.raises(InputError, match=message):
        as_run(convert({"qid": ["q", "q"], "docno": ["a", "b"], "score": [1.0, 2.0], **columns}))


def test_true_and_false_are_grades() -> None:
    columns = {"qid": ["q", "q"], "docno": ["a", "b"], "relevance": [True, False]}
    for convert in (pd.DataFrame, pl.DataFrame, pa.table):
        assert as_qrels(convert(columns)).grade.tolist() == [1.0, 0.0]


def test_one_column_is_not_a_table() -> None:
    for column in (pl.Series([1]), pa.chunked_array([[1]])):
        with pytest.raises(InputError, match="is one column, not a table"):
            as_run(column)


def test_two_columns_of_one_name_are_refused() -> None:
    frame = pd.DataFrame([["q", "d", 1.0, 2.0]], columns=["qid", "docno", "score", "score"])
    for columns in (None, {"score": "score"}):
        with pytest.raises(InputError, match="several columns 'score'; give each a name of its own"):
            as_run(frame, columns=columns)


def test_a_parquet_file_is_known_by_its_name_or_its_first_bytes(tmp_path: Path) -> None:
    expected = as_run(list(zip(*SHORT.values(), strict=True)))
    for name in ("bm25.parquet", "bm25.PQ", "bm25.run"):
        pq.write_table(arrow_table(SHORT, pa.string()), tmp_path / name)
        run = as_run(tmp_path / name)
        assert bits(run) == bits(expected)
        assert run.name == "bm25"


@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_a_damaged_parquet_file_is_refused(tmp_path: Path, library: str) -> None:
    path = tmp_path / "run.parquet"
    pq.write_table(arrow_table(SHORT, pa.string()), path)
    whole = path.read_bytes()
    for half in (whole[: len(whole) // 2], b"PAR1", b"", b"q1 Q0 d1 1 0.5 x\n"):
        path.write_bytes(half)
        with pytest.raises(InputError, match=r"run.parquet: the parquet data are damaged or cut short"):
            open_parquet(path, library)
    with pytest.raises(InputError, match=r"none.parquet: there is no such file; check the path"):
        open_parquet(tmp_path / "none.parquet", library)
    with pytest.raises(InputError, match="this is a directory"):
        open_parquet(tmp_path, library)


@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_what_is_wrong_in_a_parquet_file_is_said_of_the_file(tmp_path: Path, library: str) -> None:
    path = tmp_path / "a[1].parquet"
    pq.write_table(pa.table({"qid": ["q", None], "docno": ["a", "b"], "score": [1.0, 2.0]}), path)
    with pytest.raises(InputError, match=r"a\[1\].parquet: column 'qid' has no value in row 1"):
        as_run(open_parquet(path, library))
    with pytest.raises(InputError, match=r"a\[1\].parquet: there is no column 'none' for the grade"):
        as_qrels(open_parquet(path, library), columns={"grade": "none"})


def test_what_polars_would_end_the_process_for() -> None:
    """It hands names over as C has them, and cannot do so where they have a NUL byte."""
    columns = {"a\0": ["q1", "q1"], "b\0": ["x", "y"], "c\0": [2.0, 1.0]}
    names = {"topic": "a\0", "doc": "b\0", "score": "c\0"}
    frame = pl.DataFrame(columns)
    for each in (frame, frame.with_columns(pl.col(pl.String).cast(pl.Categorical))):
        assert as_run(each, columns=names).ranking("q1") == [("x", 2.0), ("y", 1.0)]
    for inside, kind in (([{"\0": 1.0}, {"\0": 2.0}], "structs"), ([[{"\0": 1.0}]] * 2, "lists")):
        with pytest.raises(InputError, match=f"column 'grade' holds {kind}; cast it to text or numbers"):
            as_qrels(pl.DataFrame({"topic": ["q", "q"], "doc": ["a", "b"], "grade": inside}))
    words = pl.DataFrame({"topic": ["q"], "doc": ["a"], "grade": pl.Series(["x"], dtype=pl.Categorical)})
    with pytest.raises(InputError, match="column 'grade' holds text"):
        as_qrels(words)


def test_parquet_needs_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.parquet"
    pq.write_table(arrow_table(SHORT, pa.string()), path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert len(as_run(path)) == 6
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError, match=r"needs pyarrow or polars; install one: pip install truerank\[parquet\]"):
        as_run(path)


def test_a_signalling_nan_is_refused_as_any_other() -> None:
    pa = pytest.importorskip("pyarrow")
    score = np.array([0x7FF0000000000001, 0x3FF0000000000000], dtype=np.uint64).view(np.float64)
    with pytest.raises(InputError, match="nan"):
        as_run(pa.table({"topic": ["q", "q"], "doc": ["a", "b"], "score": pa.array(score)}))
