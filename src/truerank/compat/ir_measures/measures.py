"""Measures as ir_measures has them: called for parameters, cut with @, and printed as they are written.

Those that ``define`` makes are functions of two DataFrames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from truerank.compat.ir_measures.families import (
    FAMILIES,
    OTHER_NAMES,
    FamilyReading,
    MeasureFamily,
    ParameterError,
    ParamInfo,
)
from truerank.compat.ir_measures.records import FIELDS, CalcResults, Metric, Qrel, ScoredDoc
from truerank.measures.core import base

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Agg", "BaseMeasure", "MeanAgg", "Measure", "ParamInfo", "SumAgg", "Summary", "register", "registry"]

Function = Callable[[Any, Any], Iterable[tuple[str, float]]]
"""From judgments and a run to the values of topics."""


class Agg:
    """What makes one number of the values of topics."""

    def add(self, value: float) -> None:
        """Take the value of one more topic."""
        raise NotImplementedError

    def result(self) -> float:
        """The number for all topics so far."""
        raise NotImplementedError


class MeanAgg(Agg):
    """The mean; ``default`` where there are no topics."""

    def __init__(self, default: float = float("nan")) -> None:
        self.sum, self.count, self.default = 0.0, 0, default

    def add(self, value: float) -> None:
        """Take the value of one more topic."""
        self.sum += value
        self.count += 1

    def result(self) -> float:
        """The mean so far."""
        return self.sum / self.count if self.count else self.default


class SumAgg(Agg):
    """The sum."""

    def __init__(self) -> None:
        self.sum: float = 0

    def add(self, value: float) -> None:
        """Take the value of one more topic."""
        self.sum += value

    def result(self) -> float:
        """The sum so far."""
        return self.sum


class Silent(float):
    """The value of a topic that the run leaves without documents, which c@1 counts in its own way."""


class Summary(Agg):
    """What one of our measures makes of all topics."""

    def __init__(self, measure: base.Measure) -> None:
        self._measure = measure
        self._values: list[float] = []

    def add(self, value: float) -> None:
        """Take the value of one more topic."""
        self._values.append(value)

    def result(self) -> float:
        """The measure's own summary so far."""
        answered = np.array([not isinstance(value, Silent) for value in self._values], np.intp)
        return self._measure.aggregate(np.array(self._values, np.float64), answered)


class Measure:
    """A measure with its parameters.

    >>> Measure(FAMILIES["nDCG"])(dcg="exp-log2") @ 10
    nDCG(dcg='exp-log2')@10
    """

    DEFAULT = 0.0

    def __init__(self, family: MeasureFamily, **params: Any) -> None:
        self.family = family
        self.params = params

    @property
    def __name__(self) -> str:
        return self.family.name

    @property
    def NAME(self) -> str:
        """The measure's name."""
        return self.family.name

    @property
    def AT_PARAM(self) -> str:
        """The parameter that @ sets."""
        return self.family.at

    @property
    def SUPPORTED_PARAMS(self) -> dict[str, ParamInfo]:
        """The parameters it takes."""
        return dict(self.family.parameters)

    @property
    def reading(self) -> FamilyReading:
        """What it is to the engine; parameters that it cannot have are refused."""
        return self.family.reading(self.params)

    def validate_params(self) -> None:
        """Refuse parameters that it cannot have."""
        _ = self.reading

    def __call__(self, **params: Any) -> Measure:
        """The measure with other parameters."""
        return Measure(self.family, **{**self.params, **params})

    def __matmul__(self, at: Any) -> Measure:
        return self(**{self.AT_PARAM: at})

    def __getitem__(self, name: str) -> Any:
        return self.params.get(name, self.family.parameters[name].default)

    def iter_calc(self, qrels: Any, run: Any) -> Iterator[Metric]:
        """The value of each topic."""
        metrics: Iterator[Metric] = self.evaluator(qrels).iter_calc(run)
        return metrics

    def calc_aggregate(self, qrels: Any, run: Any) -> float:
        """One number for all topics."""
        return float(self.evaluator(qrels).calc_aggregate(run)[self])

    def calc(self, qrels: Any, run: Any) -> CalcResults:
        """Both."""
        aggregated, per_query = self.evaluator(qrels).calc(run)
        return CalcResults(aggregated[self], per_query)

    def evaluator(self, qrels: Any) -> Any:
        """What scores runs with this measure, against judgments that are read once."""
        from truerank.compat.ir_measures.providers import DefaultPipeline

        return DefaultPipeline.evaluator([self], qrels)

    def aggregator(self) -> Agg:
        """What makes one number of the values of topics."""
        if self.family.like is None:
            return Summary(self.reading.measure)
        return SumAgg() if self.reading.measure.counts else MeanAgg()

    def __repr__(self) -> str:
        inside = ",".join(f"{name}={_written(value)}" for name, value in self._shown().items())
        at = f"@{self.params[self.AT_PARAM]}" if self.AT_PARAM in self.params else ""
        return self.NAME + f"({inside})" * bool(inside) + at

    def _shown(self) -> dict[str, Any]:
        known = self.family.parameters
        return {
            name: value
            for name, value in self.params.items()
            if name != self.AT_PARAM and not (name in known and value == known[name].default)
        }

    def _identity(self) -> tuple[str, str, Any]:
        shown = {name: _written(value) for name, value in self._shown().items()}
        return self.NAME, repr(sorted(shown.items())), self.params.get(self.AT_PARAM)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self.NAME)


BaseMeasure = Measure


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{v}" for k, v in sorted(value.items()) if k != v) + "}"
    return repr(value)


class FunctionDescription(TypedDict, total=False):
    """What may be said of a measure that is a function."""

    run_inputs: Sequence[str] | None
    qrel_inputs: Sequence[str] | None
    pretty_name: str | None
    short_desc: str | None


class Defined:
    """A measure that is a function of judgments and run, both DataFrames, with values of topics."""

    AT_PARAM = "cutoff"
    DEFAULT = 0.0

    def __init__(
        self,
        function: Function,
        name: str | None,
        supports_cutoff: bool,
        described: FunctionDescription,
        cutoff: int | None = None,
    ) -> None:
        self.function, self.NAME, self.cutoff = function, name, cutoff
        self.supports_cutoff, self.described = supports_cutoff, described

    @property
    def inputs(self) -> dict[str, Sequence[str]]:
        """The columns that the function needs, of judgments ("qrels") and of runs ("run")."""
        given = {"qrels": self.described.get("qrel_inputs"), "run": self.described.get("run_inputs")}
        return {kind: FIELDS[kind] if columns is None else columns for kind, columns in given.items()}

    @property
    def PRETTY_NAME(self) -> str | None:
        """Its name for people, if it has one."""
        return self.described.get("pretty_name")

    @property
    def SHORT_DESC(self) -> str | None:
        """What it is, if that was said."""
        return self.described.get("short_desc")

    def __matmul__(self, cutoff: int) -> Defined:
        return self(cutoff=cutoff)

    def __call__(self, *, cutoff: int | None = None) -> Defined:
        """The measure with another cutoff."""
        return Defined(self.function, self.NAME, self.supports_cutoff, self.described, cutoff)

    def iter_calc(self, qrels: Any, run: Any) -> Iterator[Metric]:
        """The value of each topic; judged topics without one count as 0."""
        self.validate_params()
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

    def calc_aggregate(self, qrels: Any, run: Any) -> float:
        """The mean over topics."""
        mean = self.aggregator()
        for metric in self.iter_calc(qrels, run):
            mean.add(metric.value)
        return mean.result()

    def aggregator(self) -> Agg:
        """The mean."""
        return MeanAgg()

    def validate_params(self) -> None:
        """Refuse a cutoff where it was made without."""
        if self.cutoff is not None and not self.supports_cutoff:
            raise ParameterError(f"{self!r} was defined with support_cutoff=False; leave out the cutoff")

    def __repr__(self) -> str:
        at = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.NAME or object.__repr__(self)}{at}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Defined) and (self.function, self.cutoff) == (other.function, other.cutoff)

    def __hash__(self) -> int:
        return hash((self.function, self.cutoff))


def define(
    impl: Function, name: str | None = None, support_cutoff: bool = True, **described: Unpack[FunctionDescription]
) -> Defined:
    """Make a measure of a function of all judgments and the whole run that gives pairs of topic and value."""
    return Defined(impl, name, support_cutoff, described)


def define_byquery(
    impl: Callable[[Any, Any], float],
    name: str | None = None,
    support_cutoff: bool = True,
    **described: Unpack[FunctionDescription],
) -> Defined:
    """Make a measure of a function of the judgments and the documents of one topic that gives its value."""

    def of_all(qrels: Any, run: Any) -> Iterator[tuple[str, float]]:
        for topic, documents in run.groupby("query_id"):
            yield topic, impl(qrels[qrels["query_id"] == topic], documents)

    return Defined(of_all, name or getattr(impl, "__name__", None) or repr(impl), support_cutoff, described)


def _frame(data: Any, record: type[Qrel] | type[ScoredDoc]) -> Any:
    if hasattr(data, "sort_values"):
        return data
    try:
        pd = import_module("pandas")
    except ImportError:
        raise ImportError("a measure made by define takes DataFrames; install pandas for it") from None
    if isinstance(data, dict):
        data = [record(topic, doc, value) for topic, docs in data.items() for doc, value in docs.items()]
    rows = list(data)
    return pd.DataFrame(rows, columns=list(record._fields) if not rows else None)


registry: dict[str, Measure] = {name: Measure(family) for name, family in FAMILIES.items()}
"""Every measure by name, other names included."""


def register(measure: Any, aliases: Iterable[str] = (), name: str | None = None) -> dict[str, Measure]:
    """Give a measure a name that ``parse_measure`` knows."""
    for known in (name or measure.NAME, *aliases):
        if known in registry:
            raise ValueError(f"there is a measure {known!r} already; register it under another name")
        registry[known] = measure
    return registry


def __getattr__(name: str) -> Any:
    if name in registry:
        return registry[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_PARAMETERS: dict[str, dict[str, Any]] = {"SetRelP": {"relative": True}, "NumRelRet": {"rel": 1}}
registry.update(
    {alias: registry[meant.partition("(")[0]](**_PARAMETERS.get(alias, {})) for alias, meant in OTHER_NAMES.items()}
)
__all__ += list(registry)
