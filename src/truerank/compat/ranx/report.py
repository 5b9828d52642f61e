"""ranx's Report."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from truerank.compat.ranx.lists import pandas
from truerank.compat.ranx.metrics import label
from truerank.io.writing import put
from truerank.report.formats import render
from truerank.report.letters import letters, raised
from truerank.report.table import Column, Table


class Pairs(Mapping[frozenset[str], dict[str, dict[str, Any]]]):
    """Results of pairs of systems, whichever is named first: ``pairs["a", "b"]`` or ``pairs[{"b", "a"}]``."""

    def __init__(self, pairs: Mapping[frozenset[str], dict[str, dict[str, Any]]]) -> None:
        self._pairs = dict(pairs)

    def __getitem__(self, pair: Iterable[str]) -> dict[str, dict[str, Any]]:
        return self._pairs[frozenset(pair)]

    def __iter__(self) -> Iterator[frozenset[str]]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)


@dataclass(eq=False, repr=False)
class Report:
    """Means of systems with the systems that each is better than; ``rounding_digits`` and the like may be set anew."""

    model_names: list[str]
    results: dict[str, dict[str, float]]
    comparisons: Pairs
    metrics: list[str]
    max_p: float
    win_tie_loss: dict[tuple[str, str], dict[str, dict[str, int]]]
    rounding_digits: int = 3
    show_percentages: bool = False
    stat_test: str = "student"
    notes: tuple[str, ...] = ()
    """What to know where the scores leave a test little to work with."""

    def format_score(self, score: float) -> str:
        """A score as it is printed."""
        if self.show_percentages:
            return f"{score * 100:.{max(0, self.rounding_digits - 2)}f}"
        return f"{score:.{self.rounding_digits}f}"

    def better_than(self, model: str, metric: str) -> list[str]:
        """Letters of the systems that a system is significantly better than."""
        return [
            letters(place)
            for place, other in enumerate(self.model_names)
            if other != model
            and self.comparisons[model, other][metric]["significant"]
            and self.results[model][metric] > self.results[other][metric]
        ]

    def to_table(self) -> str:
        """The report as plain text."""
        separator = "," if len(self.model_names) > 26 else ""
        rows = [
            (
                letters(place),
                model,
                *(
                    self.format_score(self.results[model][metric])
                    + separator.join(raised(letter) for letter in self.better_than(model, metric))
                    for metric in self.metrics
                ),
            )
            for place, model in enumerate(self.model_names)
        ]
        columns = tuple(map(Column, ("#", "Model", *map(label, self.metrics))))
        return render(Table(columns, tuple(rows), notes=self.notes), "table")

    def to_latex(self) -> str:
        """The report as a LaTeX table, for the package booktabs."""
        from truerank.compat.ranx.latex import latex

        return latex(self)

    def to_dict(self) -> dict[str, Any]:
        """Scores, p-values and wins of every system."""
        result: dict[str, Any] = {
            "stat_test": self.stat_test,
            "metrics": self.metrics,
            "model_names": self.model_names,
        }
        for model in self.model_names:
            others = [other for other in self.model_names if other != model]
            result[model] = {
                "scores": self.results[model],
                "comparisons": {
                    other: {metric: found["p_value"] for metric, found in self.comparisons[model, other].items()}
                    for other in others
                },
                "win_tie_loss": {other: self.win_tie_loss[model, other] for other in others},
            }
        return result

    def to_dataframe(self) -> Any:
        """The scores as a DataFrame of pandas, with the names in the column model_names."""
        rows = [{"model_names": model, **self.results[model]} for model in self.model_names]
        return pandas("to_dataframe").DataFrame(rows)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write ``to_dict`` as JSON."""
        put(json.dumps(self.to_dict(), indent=4).encode(), path)

    def print_results(self) -> None:
        """Print the scores as JSON."""
        print(json.dumps(self.results, indent=4))

    def __repr__(self) -> str:
        return self.to_table()
