"""ranx's evaluate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from truerank.compat.ranx.lists import Lists, Qrels, Run
from truerank.compat.ranx.names import measure_of
from truerank.conventions.presets import conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.ids import one_id, text
from truerank.data.qrels import Qrels as Judgments
from truerank.data.run import Run as Ranking
from truerank.io.load import as_qrels, as_run
from truerank.questions.evaluate.work import score


class QueriesDifferError(InputError, AssertionError):
    """Judgments and run have other queries; an AssertionError in ranx."""


def evaluate(
    qrels: Any,
    run: Any,
    metrics: str | Iterable[str],
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    save_results_in_run: bool = True,
    make_comparable: bool = False,
) -> Any:
    """Score a run: a number for one metric, a dict for several, with ``return_mean=False`` an array over queries.

    Arrays have the order of the queries in ``qrels``. ``save_results_in_run`` fills ``run.scores``,
    ``run.mean_scores`` and ``run.std_scores``; the rankings of a run are never changed. ``make_comparable`` counts
    queries that the run lacks as empty lists, and leaves out those that were not judged. ``threads`` is taken for
    compatibility: the engine uses the processors that it can.

    >>> evaluate({"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}, ["mrr", "hit_rate@1"], return_mean=False)
    {'mrr': array([0.5]), 'hit_rate@1': array([0.])}
    """
    wanted = named(metrics)
    values, queries = per_query(qrels, run, wanted, make_comparable=make_comparable)
    if isinstance(run, Run) and save_results_in_run:
        keep(run, values, queries, std=return_std and return_mean)
    results: dict[str, Any] = dict(values)
    if return_mean:
        results = {
            metric: {"mean": np.mean(found), "std": np.std(found)} if return_std else np.mean(found)
            for metric, found in values.items()
        }
    return results[wanted[0]] if len(wanted) == 1 else results


def named(metrics: str | Iterable[str]) -> list[str]:
    """The metrics asked for."""
    wanted = [metrics] if isinstance(metrics, str) else list(metrics)
    if not wanted:
        raise InputError("no metric given; name at least one, such as ndcg@10")
    return wanted


def per_query(
    qrels: Any, run: Any, metrics: list[str], *, make_comparable: bool
) -> tuple[dict[str, Floats], list[str]]:
    """Values of metrics, one a query, and the queries."""
    judgments, queries = _judgments(qrels)
    ranking = _ranking(run)
    if not make_comparable:
        _refuse_others(judgments, ranking)
    measures = {metric: measure_of(metric, judgments.grade) for metric in metrics}
    # What is missing now was allowed to be.
    found = score(judgments, ranking, tuple(dict.fromkeys(measures.values())), conventions("ranx", missing="empty"))
    place = {topic: index for index, topic in enumerate(judgments.topics)}
    order = [place[one_id(query, "topic")] for query in queries]
    return {metric: found[str(measure)].values[order] for metric, measure in measures.items()}, queries


def keep(run: Run, values: Mapping[str, Floats], queries: list[str], *, std: bool) -> None:
    """Write results where ranx's users look for them."""
    for metric, found in values.items():
        run.scores[metric] = dict(zip(queries, found, strict=True))
        run.mean_scores[metric] = np.float64(found.mean())
        if std:
            run.std_scores[metric] = np.float64(found.std())


def _judgments(qrels: Any) -> tuple[Judgments, list[str]]:
    if isinstance(qrels, Qrels):
        judgments = qrels.prepared()
        return judgments, [text(topic) for topic in judgments.topics]
    table = _mapping(qrels)
    return as_qrels(table), list(table)


def _ranking(run: Any) -> Ranking:
    return run.prepared() if isinstance(run, Run) else as_run(_mapping(run))


def _mapping(data: Any) -> Mapping[Any, Any]:
    """Dicts as they are; of arrays, a query each with rows of (document, number), the queries by position."""
    if isinstance(data, Mapping) and not isinstance(data, Lists):
        return data
    try:
        return {str(place): {int(doc): number for doc, number in rows} for place, rows in enumerate(data)}
    except (TypeError, ValueError):
        raise TypeError(
            f"a {type(data).__name__} stands for no judgments or run; give Qrels and a Run, or dicts"
        ) from None


def _refuse_others(judgments: Judgments, ranking: Ranking) -> None:
    ours, theirs = set(judgments.topics), set(ranking.topics)
    for query, lacking in ((min(ours - theirs, default=None), "run"), (min(theirs - ours, default=None), "judgments")):
        if query is not None:
            raise QueriesDifferError(
                f"query {query.decode('utf-8', 'replace')!r} is not in the {lacking}; with make_comparable=True "
                "queries that the run lacks count as empty, and those not judged are left out"
            )
