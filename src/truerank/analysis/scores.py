"""Results: scores with the conventions that made them."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from truerank.analysis import exports
from truerank.analysis.keyed import ByMeasure, ByRun
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.measures.core.base import Measure


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
        return self.measure.counts

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
        return f"Score({self.measure}: {self.mean:.4f}{bounds}, {counted(len(self.topics), 'topic')})"


@dataclass(frozen=True, eq=False)
class RunScores(ByMeasure[Score]):
    """The scores of one run, by measure."""

    scores: dict[str, Score]


@dataclass(frozen=True, eq=False)
class Scores(ByRun[RunScores]):
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

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Means by run and measure."""
        return {name: {m: score.mean for m, score in run.items()} for name, run in self.runs.items()}

    def to_records(self, *, per_topic: bool = False) -> list[dict[str, Any]]:
        """One record a run and measure, whose topic is "all"; before it one a topic, if asked for."""
        return exports.records(self, per_topic=per_topic)

    def to_pandas(self, *, per_topic: bool = False) -> Any:
        """``to_records`` as a DataFrame of pandas."""
        return exports.to_pandas(self, per_topic=per_topic)

    def to_polars(self, *, per_topic: bool = False) -> Any:
        """``to_records`` as a DataFrame of polars."""
        return exports.to_polars(self, per_topic=per_topic)

    def to_arrow(self, *, per_topic: bool = False) -> Any:
        """``to_records`` as a Table of pyarrow."""
        return exports.to_arrow(self, per_topic=per_topic)

    def to_csv(self, path: str | os.PathLike[str] | None = None, *, per_topic: bool = False) -> str | None:
        """``to_records`` as comma-separated values: the text, or None where it is written to a file."""
        return self._delimited("csv", path, per_topic)

    def to_tsv(self, path: str | os.PathLike[str] | None = None, *, per_topic: bool = False) -> str | None:
        """``to_records`` as tab-separated values: the text, or None where it is written to a file."""
        return self._delimited("tsv", path, per_topic)

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

    def _delimited(self, form: str, path: str | os.PathLike[str] | None, per_topic: bool) -> str | None:
        from truerank.report.formats import render
        from truerank.report.table import Column, Table

        found = exports.columns(self, per_topic=per_topic)
        table = Table(tuple(map(Column, found)), tuple(zip(*found.values(), strict=True)))
        return exports.written(f"{render(table, form)}\n", path)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self._rendered("table")

    def __repr__(self) -> str:
        return f"Scores({len(self.runs)} runs, {len(self.measures)} measures)"
