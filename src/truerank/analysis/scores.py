"""Results: scores with the conventions that made them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from truerank.conventions.choices import Conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.measures.base import Measure
from truerank.measures.counted import Count
from truerank.measures.grammar import parse


@dataclass(frozen=True, eq=False)
class Score:
    """A measure of a run: the mean over topics, its bounds where they were asked for, and the value of each topic."""

    measure: Measure
    topics: tuple[str, ...]
    values: Floats
    """One value a topic; NaN where undefined and kept so."""
    mean: float
    low: float | None = None
    high: float | None = None
    low_values: Floats | None = None
    high_values: Floats | None = None

    @cached_property
    def per_topic(self) -> dict[str, float]:
        """Value of each topic."""
        return dict(zip(self.topics, self.values.tolist(), strict=True))

    @property
    def is_count(self) -> bool:
        """Whether it is a number of things, added up over topics."""
        return isinstance(self.measure, Count)

    @property
    def std_error(self) -> float:
        """Standard error of the mean over topics; NaN for fewer than two, and where the summary is not their mean."""
        known = self.values[~np.isnan(self.values)]
        if len(known) < 2 or not self.measure.averages:
            return math.nan
        return float(known.std(ddof=1) / math.sqrt(len(known)))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Confidence interval of the mean over topics, by Student's t."""
        if not 0 < confidence < 1:
            raise InputError(f"confidence is a number between 0 and 1, not {confidence!r}")
        try:
            from scipy.special import stdtrit  # type: ignore[import-untyped]
        except ImportError:
            raise InputError("a confidence interval needs scipy; install truerank[stats]") from None
        known = int((~np.isnan(self.values)).sum())
        half = float(stdtrit(known - 1, (1 + confidence) / 2)) * self.std_error if known > 1 else math.nan
        return self.mean - half, self.mean + half

    def __float__(self) -> float:
        return self.mean

    def __repr__(self) -> str:
        bounds = "" if self.low is None or self.high is None else f", {self.low:.4f} to {self.high:.4f}"
        return (
            f"Score({self.measure}: {self.mean:.4f}{bounds}, {len(self.topics)} topic{'s' * (len(self.topics) != 1)})"
        )


@dataclass(frozen=True, eq=False)
class RunScores(Mapping[str, Score]):
    """The scores of one run, by measure."""

    scores: dict[str, Score]

    def __getitem__(self, measure: str | Measure) -> Score:
        try:
            # "RBP(p=0.8)" and "MAP" find what is called RBP and AP.
            return self.scores.get(str(measure)) or self.scores[str(parse(str(measure)))]
        except (KeyError, InputError):
            raise KeyError(f"{measure} was not evaluated; there are {', '.join(self.scores)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)


@dataclass(frozen=True, eq=False)
class Scores(Mapping[str, RunScores]):
    """The scores of runs, by run and measure, with conventions and notices."""

    runs: dict[str, RunScores]
    conventions: Conventions
    max_grade: float
    """Highest grade of the judgments, which gains are relative to unless a measure has its own ``max_rel``."""
    topics: tuple[str, ...]
    """The judged topics."""
    notices: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures evaluated."""
        return tuple(next(iter(self.runs.values()), RunScores({})))

    @property
    def bounded(self) -> bool:
        """Whether there are bounds beside the means."""
        return any(score.low is not None for run in self.runs.values() for score in run.values())

    def __getitem__(self, run: str) -> RunScores:
        try:
            return self.runs[run]
        except KeyError:
            raise KeyError(f"there is no run {run!r}; there are {', '.join(self.runs)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Means by run and measure."""
        return {name: {m: score.mean for m, score in run.items()} for name, run in self.runs.items()}

    def to_records(self, *, per_topic: bool = False) -> list[dict[str, Any]]:
        """One record a run and measure, whose topic is "all"; before it one a topic, if asked for."""
        return [
            record
            for name, run in self.runs.items()
            for measure, score in run.items()
            for record in _records(name, measure, score, per_topic=per_topic, bounded=self.bounded)
        ]

    def to_pandas(self, *, per_topic: bool = False) -> Any:
        """``to_records`` as a DataFrame of pandas."""
        return _library("pandas").DataFrame(self.to_records(per_topic=per_topic))

    def to_polars(self, *, per_topic: bool = False) -> Any:
        """``to_records`` as a DataFrame of polars."""
        return _library("polars").DataFrame(self.to_records(per_topic=per_topic))

    def to_markdown(self, *, per_topic: bool = False) -> str:
        """A Markdown table."""
        return self._rendered("markdown", per_topic)

    def to_latex(self, *, per_topic: bool = False) -> str:
        """A LaTeX table, for the package booktabs."""
        return self._rendered("latex", per_topic)

    def to_html(self, *, per_topic: bool = False) -> str:
        """An HTML table, to be put into a page."""
        from truerank.report.html import fragment
        from truerank.report.scores import scores_table

        return fragment(scores_table(self, per_topic=per_topic))

    def to_json(self) -> str:
        """Conventions, runs with every topic, and notices, in JSON."""
        return self._rendered("json")

    def _rendered(self, form: str, per_topic: bool = False) -> str:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.formats import render
        from truerank.report.scores import scores_table

        return render(scores_table(self, per_topic=per_topic), form)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self._rendered("table")

    def __repr__(self) -> str:
        return f"Scores({len(self.runs)} runs, {len(self.measures)} measures)"


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ImportError(f"to_{name} needs {name}; install it with: pip install {name}") from None


def _records(run: str, measure: str, score: Score, *, per_topic: bool, bounded: bool) -> Iterator[dict[str, Any]]:
    rows: list[tuple[str, float, float | None, float | None]] = []
    if per_topic:
        low = [None] * len(score.topics) if score.low_values is None else score.low_values.tolist()
        high = [None] * len(score.topics) if score.high_values is None else score.high_values.tolist()
        rows.extend(zip(score.topics, score.values.tolist(), low, high, strict=True))
    rows.append(("all", score.mean, score.low, score.high))
    for topic, value, least, most in rows:
        record: dict[str, Any] = {"run": run, "measure": measure, "topic": topic, "value": value}
        yield {**record, "low": least, "high": most} if bounded else record
