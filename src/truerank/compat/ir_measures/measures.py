"""Measures as ir_measures has them: called for parameters, cut with @, and printed as they are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from truerank.compat.ir_measures.families import FAMILIES, OTHER_NAMES, Family, ParamInfo, Reading
from truerank.compat.ir_measures.records import CalcResults, Metric
from truerank.measures.core import base

__all__ = ["Agg", "BaseMeasure", "MeanAgg", "Measure", "ParamInfo", "SumAgg", "Summary", "register", "registry"]


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
        answered = np.array([not isinstance(value, Silent) for value in self._values], np.int64)
        return self._measure.aggregate(np.array(self._values, np.float64), answered)


class Measure:
    """A measure with its parameters.

    >>> Measure(FAMILIES["nDCG"])(dcg="exp-log2") @ 10
    nDCG(dcg='exp-log2')@10
    """

    DEFAULT = 0.0

    def __init__(self, family: Family, **params: Any) -> None:
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
    def reading(self) -> Reading:
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
