"""ranx's compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from truerank.compat.ranx.evaluate import keep, named, per_query
from truerank.compat.ranx.report import Pairs, Report
from truerank.compat.ranx.run import Run
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.io.load import as_run
from truerank.io.runs import named_runs
from truerank.statistics.paired import PValues, differences
from truerank.statistics.randomization import randomization
from truerank.statistics.student import student
from truerank.statistics.tukey import tukey


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
