"""Results as data frames, Arrow tables and text, with the libraries themselves."""

from __future__ import annotations

import csv
import io
import math
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import truerank as tr
from truerank.data.errors import InputError

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "é,\n": {"d": 1}, "q3": {"x": 0}}
RUNS = {"one": {"q1": {"a": 3.0, "b": 2.0, "c": 2.0}, "é,\n": {"d": 1.0}}, 'my "run" & co_%': {"q1": ["b", "a"]}}
SCORES = {
    "plain": tr.evaluate(QRELS, RUNS, "AP nDCG@10 NumRet"),
    "bounds": tr.evaluate(QRELS, RUNS, "NumRet AP", unjudged="bounds"),
    "undefined": tr.evaluate(QRELS, RUNS, "AP", no_relevant="nan"),
}


def alike(found: Any, expected: Any) -> bool:
    """Equal, and undefined where the other is; what is absent may be NaN."""
    if isinstance(found, float) and math.isnan(found):
        return expected is None or math.isnan(expected)
    return bool(found == expected)


def rows_of(table: Any) -> list[dict[str, Any]]:
    kind = type(table).__module__.partition(".")[0]
    if kind == "pandas":
        return list(table.to_dict("records"))
    return list(table.to_dicts() if kind == "polars" else table.to_pylist())


@pytest.mark.parametrize("per_topic", [False, True])
@pytest.mark.parametrize("scores", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize(
    ("library", "convert"), [("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_arrow")]
)
def test_tables_hold_the_records(library: str, convert: str, scores: tr.Scores, per_topic: bool) -> None:
    pytest.importorskip(library)
    records = scores.to_records(per_topic=per_topic)
    rows = rows_of(getattr(scores, convert)(per_topic=per_topic))
    assert len(rows) == len(records) > 0
    assert [[*row] for row in rows] == [[*record] for record in records]
    assert all(alike(row[name], record[name]) for row, record in zip(rows, records, strict=True) for name in record)


def test_columns_have_their_types_whatever_is_in_them() -> None:
    """Bounds that only come after hundreds of rows without any are bounds, and no rows are rows of these columns."""
    pl, pa, pd = (pytest.importorskip(name) for name in ("polars", "pyarrow", "pandas"))
    qrels = {str(topic): {"a": 1} for topic in range(200)}
    scores = tr.evaluate(qrels, {"run": {topic: ["x", "a"] for topic in qrels}}, "NumRet AP", unjudged="bounds")
    nothing = tr.Scores(conventions=scores.conventions, scores=(), max_rel=0.0)
    for each in (scores, nothing):
        numbers = ["value", "low", "high"] if each.bounded else ["value"]
        names = ["run", "measure", "topic", *numbers]
        assert each.to_polars(per_topic=True).schema == {n: pl.Float64 if n in numbers else pl.String for n in names}
        fields = [(n, pa.float64() if n in numbers else pa.string()) for n in names]
        assert each.to_arrow(per_topic=True).schema == pa.schema(fields)
        frame = each.to_pandas(per_topic=True)
        assert [*frame.columns] == names
        assert all(pd.api.types.is_float_dtype(frame[name]) for name in numbers)


@pytest.mark.parametrize("scores", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_text_has_a_column_a_measure_unrounded(scores: tr.Scores, form: str, delimiter: str, tmp_path: Path) -> None:
    text = getattr(scores, f"to_{form}")(per_topic=True)
    path = tmp_path / f"scores.{form}"
    assert getattr(scores, f"to_{form}")(path, per_topic=True) is None
    assert path.read_bytes().decode() == text
    rows = [*csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)]
    found = {(row["run"], row["topic"]): row for row in rows}
    for record in scores.to_records(per_topic=True):
        row, measure = found[record["run"], record["topic"]], record["measure"]
        assert float(row[measure]) == pytest.approx(record["value"], abs=0, nan_ok=True)
        for end in ("low", "high"):
            there = "" if record.get(end) is None else record[end]
            assert row.get(f"{measure}.{end}", "") in (str(there), repr(there), str(int(there or 0)))


def test_text_can_be_read_back_by_pandas() -> None:
    pd = pytest.importorskip("pandas")
    scores = SCORES["bounds"]
    back = pd.read_csv(io.StringIO(scores.to_csv(per_topic=True), newline=""))
    assert back["AP.high"].tolist() == [r["high"] for r in scores.to_records(per_topic=True) if r["measure"] == "AP"]


def test_a_path_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"no/scores.csv: not writable \(No such file or directory\); give another path"
    ):
        SCORES["plain"].to_csv(tmp_path / "no" / "scores.csv")


@pytest.mark.parametrize(
    ("library", "convert"), [("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_arrow")]
)
def test_what_is_not_installed_is_named(library: str, convert: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=f"{convert} needs {library}; install"):
        getattr(SCORES["plain"], convert)()


def test_ids_that_are_not_utf8_do_not_stop_an_export() -> None:
    pytest.importorskip("pandas")
    scores = tr.evaluate({b"\xff": {"a": 1}, b"\xfe": {"a": 1}}, {b"\xff": ["a"], b"\xfe": ["a"]}, "AP")
    for convert in (scores.to_pandas, scores.to_polars, scores.to_arrow):
        assert [row["topic"] for row in rows_of(convert(per_topic=True))] == [r"\xfe", r"\xff", "all"]
    assert r"\xff" in str(scores.to_csv(per_topic=True))


class Cells(HTMLParser):
    """The text of the cells of a table, and the tags that were left open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & {*self.open}:
            self.cells[-1] += data


def test_a_notebook_shows_a_table() -> None:
    scores = SCORES["plain"]
    found = Cells(scores._repr_html_())
    assert found.open == []
    assert found.cells[:5] == ["run", "AP", "nDCG@10", "NumRet", "one"]
    assert found.cells[8] == 'my "run" & co_%'
    assert found.cells[5] == f"{scores['one']['AP'].mean:.4f}"


def test_latex_is_a_table_for_booktabs() -> None:
    lines = SCORES["plain"].to_latex().splitlines()
    table = [line for line in lines if not line.startswith("%")]
    assert table[:4] == [r"\begin{tabular}{lrrr}", r"\toprule", r"run & AP & nDCG@10 & NumRet \\", r"\midrule"]
    assert table[5].startswith("my ``run'' \\& co\\_\\% & ")
    assert table[6:] == [r"\bottomrule", r"\end{tabular}"]
    assert all(line.count("&") - line.count(r"\&") == 3 for line in table[4:6])
