"""Where a list may end without judgments to tell: stopping rules, fitted to some topics and tried on others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.notices import notices, observe
from truerank.analysis.reading import read, refuse_bounds
from truerank.analysis.seen import seen
from truerank.analysis.stopping.base import Rule
from truerank.analysis.stopping.lists import ScoreLists
from truerank.analysis.stopping.results import RunStopping, Stopping
from truerank.analysis.stopping.rules import RULES, rule_of, rules_of
from truerank.analysis.stopping.validation import Plan, compare
from truerank.analysis.stopping.worth import Worth
from truerank.conventions.choices import Conventions
from truerank.conventions.presets import PRESETS, chosen
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = "RBPU OIE F"
DEFAULT_RULES = " ".join(RULES)
SETTLED: dict[str, Any] = {
    "unjudged": "nonrelevant",
    "limit": None,
    "no_relevant": "zero",
    "relevant": "judgments",
    "precision": "float64",
    "identical": "keep",
}
"""What is no choice here: a rule cuts the list that is there, wherever its scores differ, and every cut has a score."""


def stop(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    rules: str | Rule | Iterable[str | Rule] = DEFAULT_RULES,
    *,
    folds: int = 5,
    seed: int = 0,
    test: str = "randomization",
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> Stopping:
    """Compare stopping rules, which see the scores of a list only, by cross-validation over topics.

    Takes what ``evaluate`` takes. Each rule is fitted, run by run and measure by measure, to the topics outside a fold
    for the highest mean, and cuts the lists of the topics inside it. Held against the lists as they are and against the
    best cuts, which only the judgments know.

    - ``rules``: "fixed", "threshold", "gap", "tail", "learned", and rules that are ready, such as ``load_rule`` reads
    - ``folds`` of topics, made with ``seed``
    - ``test``: "randomization" or "student", paired by topic; p is corrected for the number of rules (Holm)

    >>> qrels = {f"q{n}": {"a": 1, "b": int(n % 2)} for n in range(6)}
    >>> run = {f"q{n}": {"a": 9.0, "b": 8.0 if n % 2 else 3.0, "c": 2.0, "d": 1.0} for n in range(6)}
    >>> found = stop(qrels, {"mine": run}, "F", "fixed threshold", folds=3)["mine"]["F"]
    >>> round(found.mean_whole, 2), round(found["fixed"].mean, 2), found["threshold"].mean, found.mean_oracle
    (0.53, 0.72, 1.0, 1.0)
    >>> found["threshold"].rule.said()
    'keeps documents whose scores lie at least 56% of the way from the lowest score to the top one'
    """
    choice = _chosen(given)
    wanted = _refused(parse_all(measures))
    plan = Plan(rules_of(rules), folds, seed, test)
    judgments, named = as_qrels(qrels), named_runs(runs)
    each_run = seen(judgments, named, wanted, [choice], progress=progress)
    topics = len(judgments.topics)
    if topics < 2:
        raise InputError(
            "there is one topic, and a rule is fitted to some topics and tried on others; give two or more"
        )
    divided = replace(plan, folds=min(plan.folds, topics))
    fold = divided.fold(topics)
    found: dict[str, RunStopping] = {}
    facts = []
    for name, [views] in each_run:
        lists = ScoreLists.of(views.run, views.judged.run_topic[views.topics])
        if len({*fold[views.topics].tolist()}) < 2:
            raise InputError(f"run {name!r} has topics of one fold only; choose missing='empty', or more folds")
        readings, its = {}, {}
        for measure in wanted:
            worth = Worth.of(views, lists, measure)
            its[str(measure)] = compare(worth, divided, fold[views.topics], views.names, name)
            readings[str(measure)] = read(views, measure)
        found[name] = RunStopping(its)
        facts.append(observe(name, views, readings, ties=False))
    return Stopping(
        runs=found,
        wanted=wanted,
        plan=plan,
        folds=divided.folds,
        topics=tuple(map(text, judgments.topics)),
        conventions=choice,
        notices=(*judgments.notes, *_said(given, plan, topics), *notices(facts, choice, topics)),
    )


def fit_rule(
    qrels: Any,
    run: Any,
    measure: str | Measure,
    rule: str = "threshold",
    **given: Unpack[Given],
) -> Rule:
    """Fit a stopping rule to all topics of a run, for the highest mean of a measure.

    >>> qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a", "x", "y"], "q2": ["b", "x"]}
    >>> rule = fit_rule(qrels, run, "F", "fixed")
    >>> rule, rule.fitted.mean
    (Fixed(k=1), 1.0)
    """
    kind, choice = rule_of(rule), _chosen(given)
    wanted = _refused(parse_all([measure]))
    if len(wanted) != 1:
        raise InputError(f"a rule is fitted for one measure, not for {len(wanted)}; name one of them")
    judgments, named = as_qrels(qrels), named_runs(run)
    if len(named) != 1:
        raise InputError(f"a rule is fitted to one run, not to {len(named)}; name one of them")
    [(name, [views])] = seen(judgments, named, wanted, [choice])
    worth = Worth.of(views, ScoreLists.of(views.run, views.judged.run_topic[views.topics]), wanted[0])
    found = worth.fit(kind, np.arange(len(worth.lists)))
    return replace(found, fitted=worth.fitted(found, name))


def _chosen(given: Given) -> Conventions:
    choice = chosen(given, **SETTLED)
    refuse_bounds(choice, "a rule is fitted to one")
    return choice


def _refused(wanted: tuple[Measure, ...]) -> tuple[Measure, ...]:
    for measure in wanted:
        if not measure.averages:
            raise InputError(
                f"{measure} is no mean over topics, which is what rules are fitted to; choose another measure"
            )
    return wanted


def _said(given: Given, plan: Plan, topics: int) -> list[str]:
    """What is not as it was asked for."""
    said = []
    if topics < plan.folds:
        said.append(f"there are {topics} topics, so that there are as many folds, not {plan.folds}")
    ready = [name for name, kind in plan.kinds.items() if isinstance(kind, Rule)]
    if ready:
        said.append(f"{', '.join(ready)}: used as it is, which is too good to be true on topics that it was fitted to")
    preset = PRESETS.get(given.get("like") or "", {})
    other = [f"{axis} is {value}" for axis, value in SETTLED.items() if preset.get(axis, value) != value]
    if other:
        said.append(f"unlike in {given.get('like')}, {' and '.join(other)} here: rules cut lists as they are")
    return said
