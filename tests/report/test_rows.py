"""Rows that describe themselves, and what follows from the description."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from truerank.report.answer import Answer, Sheet
from truerank.report.rows import ColumnarRows, Row, column, derived, described, documents, laid_out, records
from truerank.report.schema import schema


class Found(Row):
    run: str = column("the run")
    count: int = column("how many")
    mean: float = column("the mean", best="high")
    sure: bool = column("whether it is")
    orders: dict[str, float] = column("in the order {}", spread="by {}", head="{}!")
    names: tuple[str, ...] = column("some names")
    low: float | None = column("the least", optional=True, default=None)
    inside: list[dict[str, float]] = column("what has a form of its own", nested=True)
    secret: int = 0

    brief = ("run", "share", "orders.b", "mean")

    @derived(form="share")
    def share(self) -> float:
        """Share of something."""
        return self.mean / 2

    @derived(for_people=False)
    def twice(self) -> float:
        """Twice the mean."""
        return 2 * self.mean


def found(**given: Any) -> Found:
    usual: dict[str, Any] = {
        "run": "x",
        "count": 2,
        "mean": 0.5,
        "sure": True,
        "orders": {"a": 1.0},
        "names": ("p", "q"),
    }
    return Found(**{**usual, "inside": [{"y": float("nan")}], **given})


ROWS = [found(), found(run="y", orders={"b": 2.0, "a": 3.0}, low=0.25)]


def test_records_have_every_value_and_numbers_by_name_a_column_each() -> None:
    first, second = records(ROWS, Found)
    assert [*first] == ["run", "count", "mean", "sure", "by a", "by b", "names", "low", "twice"]
    assert (first["by b"], second["by b"], first["names"], first["low"], second["twice"]) == (
        None,
        2.0,
        "p q",
        None,
        1.0,
    )


def test_optional_columns_are_left_out_of_records_and_not_of_json() -> None:
    [record] = records(ROWS[:1], Found)
    [document] = documents(ROWS[:1], Found)
    assert "low" not in record
    assert document["low"] is None


def test_json_has_lists_and_what_has_a_form_of_its_own() -> None:
    [document] = documents(ROWS[:1], Found)
    assert document["names"] == ["p", "q"]
    assert document["inside"] == [{"y": None}]
    assert "share" not in document
    assert document["sure"] is True


def test_people_see_the_brief_form() -> None:
    columns, cells = laid_out(ROWS, Found, brief=True)
    assert [(one.name, one.title, one.form, one.best) for one in columns] == [
        ("run", "run", "", ""),
        ("share", "share", "share", ""),
        ("by b", "b!", "", ""),
        ("mean", "mean", "", "high"),
    ]
    assert cells == [["x", 0.25, None, 0.5], ["y", 0.25, 2.0, 0.5]]


def test_a_table_without_rows_has_its_columns() -> None:
    columns, cells = laid_out([], Found, brief=False)
    assert [one.name for one in columns] == ["run", "count", "mean", "sure", "names", "twice"]
    assert cells == []


def test_a_column_says_what_it_holds() -> None:
    columns, _ = laid_out(ROWS, Found, brief=False)
    told = {one.name: (one.type, one.number, one.meaning) for one in columns}
    assert told["count"] == ("int", True, "how many")
    assert told["by b"] == ("float", True, "in the order b")
    assert told["names"] == ("str", False, "some names")
    assert told["twice"] == ("float", True, "Twice the mean")


def test_what_is_no_column_is_in_no_form() -> None:
    assert "secret" not in {*records(ROWS, Found)[0], *documents(ROWS, Found)[0]}


class Pair(Row):
    a: str = column("one")
    p: float = column("a p-value", form="p")

    @derived(for_people=False)
    def small(self) -> bool:
        """Whether p is small."""
        return self.p < 0.05


def test_columns_are_rows_when_asked_for() -> None:
    pairs = ColumnarRows(Pair, a=["x", "y", "z"], p=np.array([0.01, 0.5, np.nan]))
    assert (len(pairs), pairs[1], [pair.a for pair in pairs[1:]]) == (3, Pair(a="y", p=0.5), ["y", "z"])
    assert [record["small"] for record in records(pairs, Pair)] == [True, False, False]
    assert records(pairs[:1], Pair) == records([Pair(a="x", p=0.01)], Pair)
    assert documents(pairs, Pair)[2]["p"] is None


class Line(Row, eq=False):
    run: str = column("the run")
    value: Any = column("the value", along="depth")
    error: Any = column("its error", along="depth")


def test_series_have_a_row_a_place_and_are_lists_in_json() -> None:
    lines = [Line(run="x", value=np.array([1.0, 2.0]), error=[0.5, 0.25]), Line(run="y", value=[3.0], error=[0.0])]
    columns, cells = laid_out(lines, Line, brief=False)
    assert [one.name for one in columns] == ["run", "depth", "value", "error"]
    assert cells == [["x", 1, 1.0, 0.5], ["x", 2, 2.0, 0.25], ["y", 1, 3.0, 0.0]]
    assert documents(lines, Line)[0] == {"run": "x", "value": [1.0, 2.0], "error": [0.5, 0.25]}


def test_rows_are_frozen_and_want_all_columns() -> None:
    with pytest.raises(AttributeError):
        ROWS[0].run = "z"  # type: ignore[misc]
    with pytest.raises(TypeError, match="missing"):
        Pair(a="x")  # type: ignore[call-arg]


class Cutoff(Row):
    run: str = column("the run")

    @derived(for_people=False)
    def lists(self) -> int:
        """How many lists."""
        return len(self.best)

    mean: float = column("the mean", called="best")
    best: list[float]
    chances: tuple[float, ...] = column("some chances")
    said: str | None = column("a sentence", json_only=True, default=None)

    brief = ("run", "mean")


class Along(Row):
    run: str = column("the run")
    top: int = column("the best length", json_only=True)
    score: list[float] = column("the score", along="length", begins=0)


class Cutoffs(Answer):
    question = "cutoffs"
    sheets = {"runs": Sheet(Cutoff, "runs", of="cutoffs"), "lengths": Sheet(Along, "lengths")}

    cutoffs: tuple[Cutoff, ...] = ()
    lengths: tuple[Along, ...] = ()
    counts: dict[str, int] = column("how many of each", default=None)


ROW = Cutoff(run="a", mean=0.5, best=[0.25, 0.75], chances=(0.123456789, 1.0), said="well")


def test_columns_stand_where_they_are_written_and_have_names_of_their_own() -> None:
    assert records([ROW], Cutoff) == [{"run": "a", "lists": 2, "best": 0.5, "chances": "0.123457 1"}]
    columns, cells = laid_out([ROW], Cutoff, brief=True)
    assert ([each.name for each in columns], cells) == (["run", "best"], [["a", 0.5]])


def test_json_has_lists_and_what_it_has_alone() -> None:
    assert documents([ROW], Cutoff) == [
        {"run": "a", "lists": 2, "best": 0.5, "chances": [0.123456789, 1.0], "said": "well"}
    ]
    row = schema(Cutoffs)["properties"]["runs"]["items"]
    assert [*row["properties"]] == ["run", "lists", "best", "chances", "said"]
    assert row["properties"]["chances"]["items"] == {"type": ["number", "null"]}


def test_places_of_a_series_may_begin_with_0() -> None:
    along = Along(run="a", top=1, score=[0.0, 1.0])
    assert records([along], Along) == [
        {"run": "a", "length": 0, "score": 0.0},
        {"run": "a", "length": 1, "score": 1.0},
    ]
    assert documents([along], Along) == [{"run": "a", "top": 1, "score": [0.0, 1.0]}]


def test_facts_by_name_stay_together() -> None:
    told = schema(Cutoffs)["properties"]["counts"]
    assert (told["type"], told["additionalProperties"]["type"]) == ("object", ["integer", "null"])


def test_what_fits_no_cell_is_not_left_out_without_a_word() -> None:
    with pytest.raises(TypeError, match=r"Odd.pairs: tuple\[tuple\[str, float\], ...\] fits no cell; say nested=True"):

        class Odd(Row):
            pairs: tuple[tuple[str, float], ...] = column("some pairs")


def test_annotations_may_be_types() -> None:
    class Plain(Row):
        run: str = column("the run")
        ranks: tuple[int, ...] | None = column("its ranks", default=None)

    fields = Plain.__dataclass_fields__  # type: ignore[attr-defined]
    fields["run"].type, fields["ranks"].type = str, tuple[int, ...] | None
    told = described(Plain, {}, ("run", "ranks"))
    assert [(one.kind, one.type, one.none) for one in told.values()] == [("cell", "str", False), ("words", "int", True)]
