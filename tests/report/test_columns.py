"""Columns that are not simply the attribute of their name."""

from __future__ import annotations

from truerank.report.answer import Answer, Sheet
from truerank.report.rows import Row, column, derived, documents, laid_out, records
from truerank.report.schema import schema


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
