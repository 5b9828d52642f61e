"""Measures that are functions of two DataFrames, as ir_measures' ``define`` makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

from truerank.compat.ir_measures.measures import Agg, MeanAgg
from truerank.compat.ir_measures.records import Lines, Metric, Qrel, ScoredDoc

Function = Callable[[Any, Any], Iterable[tuple[str, float]]]


class Defined:
    """A measure that is a function of judgments and run, both DataFrames, with values of topics."""

    AT_PARAM = "cutoff"
    DEFAULT = 0.0

    def __init__(self, function: Function, name: str | None, cutoff: int | None = None) -> None:
        self.function, self.NAME, self.cutoff = function, name, cutoff

    def __matmul__(self, cutoff: int) -> Defined:
        return Defined(self.function, self.NAME, cutoff)

    def __call__(self, *, cutoff: int | None = None) -> Defined:
        """The measure with another cutoff."""
        return Defined(self.function, self.NAME, cutoff)

    def values(self, qrels: Any, run: Any) -> Iterator[Metric]:
        """The value of each topic; judged topics without one count as 0."""
        judged = _frame(qrels, Qrel).sort_values("query_id", kind="stable")
        found = _frame(run, ScoredDoc)
        by, rising = (["query_id", "score"], [True, False]) if "score" in found.columns else (["query_id"], [True])
        found = found.sort_values(by, ascending=rising, kind="stable")
        if self.cutoff is not None:
            found = found.groupby("query_id").head(self.cutoff).reset_index(drop=True)
        missing = dict.fromkeys(judged["query_id"])
        for topic, value in self.function(judged, found):
            missing.pop(topic, None)
            yield Metric(topic, self, value)  # type: ignore[arg-type]
        for topic in missing:
            yield Metric(topic, self, self.DEFAULT)  # type: ignore[arg-type]

    def iter_calc(self, qrels: Any, run: Any) -> Iterator[Metric]:
        """The value of each topic."""
        return self.values(qrels, run)

    def calc_aggregate(self, qrels: Any, run: Any) -> float:
        """The mean over topics."""
        mean = self.aggregator()
        for metric in self.values(qrels, run):
            mean.add(metric.value)
        return mean.result()

    def aggregator(self) -> Agg:
        """The mean."""
        return MeanAgg()

    def validate_params(self) -> None:
        """There is nothing to refuse."""

    def __repr__(self) -> str:
        at = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.NAME or object.__repr__(self)}{at}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Defined) and (self.function, self.cutoff) == (other.function, other.cutoff)

    def __hash__(self) -> int:
        return hash((self.function, self.cutoff))


def define(impl: Function, name: str | None = None, support_cutoff: bool = True, **described: Any) -> Defined:
    """Make a measure of a function of all judgments and the whole run that gives pairs of topic and value."""
    return Defined(impl, name)


def define_byquery(
    impl: Callable[[Any, Any], float], name: str | None = None, support_cutoff: bool = True, **described: Any
) -> Defined:
    """Make a measure of a function of the judgments and the documents of one topic that gives its value."""

    def of_all(qrels: Any, run: Any) -> Iterator[tuple[str, float]]:
        for topic, documents in run.groupby("query_id"):
            yield topic, impl(qrels[qrels["query_id"] == topic], documents)

    return Defined(of_all, name or getattr(impl, "__name__", None) or repr(impl))


def _frame(data: Any, record: type[Qrel] | type[ScoredDoc]) -> Any:
    if hasattr(data, "sort_values"):
        return data
    try:
        pd = import_module("pandas")
    except ImportError:
        raise ImportError("a measure made by define takes DataFrames; install pandas for it") from None
    if isinstance(data, dict):
        data = [record(topic, doc, value) for topic, docs in data.items() for doc, value in docs.items()]
    rows = list(data) if not isinstance(data, Lines) else [*data]
    return pd.DataFrame(rows, columns=list(record._fields) if not rows else None)
