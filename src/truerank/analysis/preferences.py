"""Preference judgments: what they say together, how runs keep them, and whether grades agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from truerank.analysis.notices import Facts, observe
from truerank.analysis.preferring.against import against
from truerank.analysis.preferring.by_grades import ByGrades
from truerank.analysis.preferring.grades import as_judged, graded
from truerank.analysis.preferring.graph import Graph
from truerank.analysis.preferring.lists import Counts, RunPreferences
from truerank.analysis.preferring.results import PreferenceSurvey
from truerank.analysis.preferring.topics import Judgments, judgments
from truerank.analysis.reading import read
from truerank.analysis.scores import Score
from truerank.analysis.seen import noticed, pool, seen
from truerank.analysis.views import Views
from truerank.conventions.presets import chosen
from truerank.data.errors import InputError
from truerank.data.qrels import Qrels
from truerank.io.load import as_preferences
from truerank.io.runs import named_runs
from truerank.measures.grammar import parse_all
from truerank.measures.pref_loss import PrefLoss

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given
    from truerank.measures.core.base import Measure

DEFAULT_MEASURES = "nDCG@10 AP PrefLoss"


def preferences(
    preferences: Any,
    runs: Any = None,
    qrels: Any = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    repeated: str = "each",
    grades: str | None = None,
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> PreferenceSurvey:
    """Look at preference judgments, and at runs and grades in their light.

    ``preferences`` is what ``read_preferences`` takes, and ``repeated`` as there. Of the judgments: how many there are,
    which contradict one another, the intransitive triples and longer cycles, and the least loss that any ranking can
    have. Of ``runs``: the preferences that each keeps, violates and ties, and its preference loss. Of graded judgments,
    ``qrels``: how far grades agree with preferences; with runs too, how far orderings of runs by ``measures`` (nDCG@10,
    AP and PrefLoss of the grades) agree with that by preference loss.

    ``grades`` says how preferences are turned into grades: by "levels", which needs preferences without a cycle, by
    "copeland", or by levels where that is possible. Conventions are those of ``evaluate``, except that topics without
    a preference are left out unless ``no_relevant`` says otherwise. ``ties="best"`` has ties cost nothing.

    >>> circle = [("q", "a", "b"), ("q", "b", "c"), ("q", "c", "a"), ("q", "a", "d")]
    >>> found = preferences(circle, {"q": ["a", "b", "c"]})
    >>> found.total.cyclic, found.total.least_loss, found["run"].loss.mean
    (1, 0.25, 0.25)
    """
    choice = chosen(given, {"no_relevant": "skip"}, ending="none", nil="end", limit=None)
    judged = as_preferences(preferences, repeated=repeated)
    named = [] if runs is None else named_runs(runs)
    each_run = seen(judged, named, (PrefLoss(),), [choice], progress=progress)
    by_grades = None
    if qrels is not None:
        wanted = parse_all(DEFAULT_MEASURES if measures is None else measures) if named else ()
        by_grades = ByGrades(qrels, judged, named, wanted, choice)
    if measures is not None and not (by_grades and named):
        raise InputError("measures= order runs by grades; give qrels and runs, or leave measures out")
    graph = Graph.of(judged)
    induced, found = graded(graph, grades), judgments(graph)
    by_induced = as_judged(graph, induced, judged)
    results: dict[str, RunPreferences] = {}
    facts: list[Facts] = []
    for name, [views] in each_run:
        reading = read(views, PrefLoss())
        results[name] = _run(views, reading.score(views), found, _auc(by_induced, views))
        facts.append(observe(name, views, {"PrefLoss": reading}))
        if by_grades is not None:
            by_grades.add(name, views.whole)
    said = [*noticed(judged, facts, choice), *(by_grades.notices if by_grades else [])]
    return PreferenceSurvey(
        judgments=found,
        runs=results,
        agreement=against(graph, by_grades.qrels) if by_grades else None,
        orderings=by_grades.orderings({name: run.loss for name, run in results.items()}) if by_grades else (),
        graph=graph,
        graded=induced,
        conventions=choice,
        notices=tuple(dict.fromkeys(said)),
    )


def _run(views: Views, loss: Score, found: Judgments, auc: float) -> RunPreferences:
    least = [found.topics[topic].least_loss for topic in loss.topics]
    known = [value for value in least if value == value]
    mean = sum(known) / len(known) if known else float("nan")
    return RunPreferences(loss, views.names, Counts.of(views), mean, auc)


def _auc(qrels: Qrels, views: Views) -> float:
    """The mean share of pairs in the right order, of those with different grades; the documents are the same."""
    judged = replace(views.judged, qrels=qrels, grade=qrels.grade[views.judged.judgment])
    other = Views(qrels, views.whole, pool(qrels, [], (), views.choice), views.choice, 0, judged)
    reading = read(other, PrefLoss())
    return 1.0 - reading.summary(reading.value, other)
