"""ranx's compare, and the report that it gives."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from truerank.compat.ranx.evaluate import keep, named, per_query
from truerank.compat.ranx.lists import Run
from truerank.compat.ranx.names import label
from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.io.load import as_run
from truerank.io.runs import named_runs
from truerank.io.writing import put
from truerank.report.formats import render
from truerank.report.latex import escaped
from truerank.report.letters import letters, raised
from truerank.report.table import Column, Table
from truerank.statistics.paired import PValues, differences
from truerank.statistics.randomization import randomization
from truerank.statistics.student import student
from truerank.statistics.tukey import tukey

_TESTS = {
    "student": "Student's paired t-test",
    "fisher": "Fisher's randomisation test",
    "tukey": "Tukey's HSD test, blocked by topic,",
}
"""What captions call them."""


def compare(
    qrels: Any,
    runs: Iterable[Any],
    metrics: str | Iterable[str],
    stat_test: str = "student",
    n_permutations: int = 1000,
    max_p: float = 0.01,
    random_seed: int = 42,
    threads: int = 0,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    make_comparable: bool = False,
) -> Report:
    """Score runs and test which differ: by "student" (paired t), "fisher" (randomisation) or "tukey" (HSD).

    Runs of the same name are told apart by number, and there may be any number of them. Tukey's test is the one
    blocked by topic. As in ranx, scores are kept in ``run.scores`` and ``run.mean_scores``.

    >>> from truerank.compat.ranx import Qrels
    >>> qrels = Qrels({"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}})
    >>> good = Run({q: {"a": 2.0, "b": 1.0} for q in ("q1", "q2", "q3")}, name="good")
    >>> poor = Run({"q1": {"b": 2.0, "a": 1.0}, "q2": {"b": 1.0}, "q3": {"b": 2.0, "a": 1.0}}, name="poor")
    >>> print(compare(qrels, [good, poor], "mrr", max_p=0.1))
    #  Model  MRR
    -  -----  ------
    a  good   1.000ᵇ
    b  poor   0.333
    """
    test = _test(stat_test, n_permutations, random_seed)
    wanted = list(dict.fromkeys(named(metrics)))
    given = [runs] if isinstance(runs, Run) else list(runs)
    if not given:
        raise InputError("no run given; name at least one")
    names = _names(given)
    scores: dict[str, list[Floats]] = {metric: [] for metric in wanted}
    for run in given:
        values, queries = per_query(qrels, run, wanted, make_comparable=make_comparable)
        if isinstance(run, Run):
            keep(run, values, queries, std=False)
        for metric, found in values.items():
            scores[metric].append(found)
    tested = {metric: test(np.array(found)) for metric, found in scores.items()}
    return Report(
        model_names=names,
        results={
            name: {metric: float(np.mean(found[place])) for metric, found in scores.items()}
            for place, name in enumerate(names)
        },
        comparisons=_comparisons(names, tested, max_p),
        metrics=wanted,
        max_p=max_p,
        win_tie_loss=_wins(names, scores),
        rounding_digits=rounding_digits,
        show_percentages=show_percentages,
        stat_test=stat_test.lower(),
        notes=tuple(f"{metric}: {note}" for metric, found in tested.items() for note in found.notes),
    )


def _test(name: str, permutations: int, seed: int) -> Callable[[Floats], PValues]:
    tests: dict[str, Callable[[Floats], PValues]] = {
        "student": student,
        "fisher": lambda scores: randomization(scores, permutations=permutations, seed=seed),
        "tukey": tukey,
    }
    if str(name).lower() not in tests:
        raise InputError(f"stat_test={name!r} is not known; take one of {', '.join(tests)}")
    return tests[name.lower()]


def _names(runs: list[Any]) -> list[str]:
    """The names of runs, by position where they have none, those that are equal told apart."""
    # Names are told apart where runs are read; how the runs themselves look does not matter to it.
    blank = as_run({"q": ["d"]})
    called = [getattr(run, "name", None) or f"run_{place}" for place, run in enumerate(runs, 1)]
    return [each.name for each in named_runs([replace(blank, name=str(name)) for name in called])]


def _comparisons(names: list[str], tested: dict[str, PValues], max_p: float) -> Pairs:
    return Pairs(
        {
            frozenset((one, other)): {
                metric: {"p_value": float(found.p[i, j]), "significant": bool(found.p[i, j] <= max_p)}
                for metric, found in tested.items()
            }
            for i, one in enumerate(names)
            for j, other in enumerate(names[:i])
        }
    )


def _wins(names: list[str], scores: dict[str, list[Floats]]) -> dict[tuple[str, str], dict[str, dict[str, int]]]:
    """On how many queries each system beats each other, for both orders of a pair."""
    result: dict[tuple[str, str], dict[str, dict[str, int]]] = {
        (one, other): {} for one in names for other in names if one != other
    }
    for metric, found in scores.items():
        for i, difference in enumerate(differences(np.array(found))):
            for other, against in zip(names[i + 1 :], difference, strict=True):
                won, lost = int((against > 0).sum()), int((against < 0).sum())
                tied = len(against) - won - lost
                result[names[i], other][metric] = {"W": won, "T": tied, "L": lost}
                result[other, names[i]][metric] = {"W": lost, "T": tied, "L": won}
    return result


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
        rows = [
            (
                letters(place),
                model,
                *(
                    self.format_score(self.results[model][metric])
                    + self._joined(raised(letter) for letter in self.better_than(model, metric))
                    for metric in self.metrics
                ),
            )
            for place, model in enumerate(self.model_names)
        ]
        columns = tuple(map(Column, ("#", "Model", *map(label, self.metrics))))
        return render(Table(columns, tuple(rows), notes=self.notes), "table")

    def to_latex(self) -> str:
        """The report as a LaTeX table, for the package booktabs.

        The best score of each metric is bold, letters say which systems it is better than. Letters that a score lacks
        are there without being seen, so that scores stand under one another.
        """
        best = {metric: max(self._rounded(model, metric) for model in self.model_names) for metric in self.metrics}
        rows = []
        for place, model in enumerate(self.model_names):
            cells = [self._latex_cell(model, metric, best[metric]) for metric in self.metrics]
            rows.append(" & ".join([letters(place), escaped(model), *cells]) + r" \\")
        header = " & ".join([r"\#", "Model", *(escaped(label(metric)) for metric in self.metrics)])
        return "\n".join(
            [
                r"% needs \usepackage{booktabs}",
                *(f"% {note}" for note in self.notes),
                r"\begin{table}",
                r"\centering",
                rf"\caption{{Effectiveness; the best are bold. Letters name the systems that one is better than by "
                rf"{_TESTS[self.stat_test]} with $p \le {self.max_p}$.}}",
                rf"\begin{{tabular}}{{cl{'l' * len(self.metrics)}}}",
                r"\toprule",
                header + r" \\",
                r"\midrule",
                *rows,
                r"\bottomrule",
                r"\end{tabular}",
                r"\label{tab:results}",
                r"\end{table}",
            ]
        )

    def _latex_cell(self, model: str, metric: str, best: float) -> str:
        shown = self.format_score(self.results[model][metric])
        bold = rf"\textbf{{{shown}}}" if self._rounded(model, metric) == best else shown
        better = self.better_than(model, metric)
        others = [letters(place) for place, other in enumerate(self.model_names) if other != model]
        above = f"$^{{{self._joined(better)}}}$" if better else ""
        hidden = self._joined(letter for letter in others if letter not in better)
        return bold + above + (rf"\hphantom{{$^{{{hidden}}}$}}" if hidden else "")

    def _rounded(self, model: str, metric: str) -> float:
        return float(self.format_score(self.results[model][metric]))

    def _joined(self, systems: Iterable[str]) -> str:
        """The letters of systems, next to each other while each is a single one."""
        return ("," if len(self.model_names) > 26 else "").join(systems)

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
        return needed("pandas", "to_dataframe").DataFrame(rows)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write ``to_dict`` as JSON."""
        put(json.dumps(self.to_dict(), indent=4).encode(), path)

    def print_results(self) -> None:
        """Print the scores as JSON."""
        print(json.dumps(self.results, indent=4))

    def __repr__(self) -> str:
        return self.to_table()
