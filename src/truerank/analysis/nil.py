"""Nil answers: when runs are silent, when they should be, and what that does to scores and places."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from truerank.analysis.notices import observe
from truerank.analysis.reading import read, refuse_bounds
from truerank.analysis.seen import noticed, seen
from truerank.analysis.silence.cases import cases
from truerank.analysis.silence.lists import Lists
from truerank.analysis.silence.results import Silence, SilentRun
from truerank.analysis.silence.shifts import Shift
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.conventions.ending import TERMINAL, without_nil
from truerank.conventions.presets import chosen
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.c import C
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = "RR nDCG RBP(p=0.5) AP"
"""Those of Liu, Moffat, Baldwin & Zhang 2016."""


def nil(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> Silence:
    """Tell where runs are silent, whether they should be, and what taking that into account does to scores and places.

    Takes what ``evaluate`` takes. A run is silent on a topic if it leaves it out, lists nothing, or lists NIL first.
    Each score is given twice, after Liu et al. (2016). The original methodology is that of TREC 2001: NIL is a document
    that is relevant if nothing else is. By the modified one a list ends at its NIL, and a terminal document follows
    where the system ended the list: at a NIL, or before it had ``limit`` documents, which is the most that a list could
    have. Without a limit every list was ended by its system.

    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 0}}
    >>> runs = {"sure": {"q1": ["a", "x"], "q2": ["b", "x"]}, "wary": {"q1": ["x", "a"], "q2": ["NIL", "b"]}}
    >>> found = nil(qrels, runs, "RR", limit=2)
    >>> found["wary"].cases.right_silences, found["wary"].cases.precision
    (('q2',), 1.0)
    >>> found["wary"]["RR"].original, found["wary"]["RR"].modified, found.orderings["RR"].kendall_a
    (0.75, 0.75, 1.0)
    """
    modified = chosen(given, {"ending": "terminal"}, nil="end", missing="empty")
    original = replace(modified, ending="none", limit=None, nil="answer")
    wanted = parse_all(measures)
    judgments, named = as_qrels(qrels), named_runs(runs)
    _refuse(modified, wanted)
    has_answer = without_nil(judgments).num_rel > 0
    topics = tuple(map(text, judgments.topics))
    found: dict[str, SilentRun] = {}
    facts = []
    for name, [after, before] in seen(judgments, named, wanted, [modified, original], progress=progress):
        readings = {str(measure): read(after, measure) for measure in wanted}
        scores = {
            measure: Shift(reading.measure, _mean(before, reading.measure), reading.summary(reading.value, after))
            for measure, reading in readings.items()
        }
        lists = Lists.of(after)
        found[name] = SilentRun(cases(topics, lists.after == 0, has_answer), _mean(after, C()), lists, scores)
        facts.append(observe(name, after, readings, ties=False))
    return Silence(
        runs=found,
        wanted=wanted,
        topics=topics,
        nil_topics=tuple(topic for topic, has in zip(topics, has_answer.tolist(), strict=True) if not has),
        original=original,
        modified=modified,
        notices=noticed(judgments, facts, modified),
    )


def _mean(views: Views, measure: Measure) -> float:
    reading = read(views, measure)
    return reading.summary(reading.value, views)


def _refuse(choice: Conventions, wanted: tuple[Measure, ...]) -> None:
    refuse_bounds(choice, "a place is that of one")
    if choice.ending == "none":
        raise InputError("ending='none' leaves silence out of account; choose 'terminal' or 'terminal-once'")
    for measure in wanted:
        if not measure.takes_terminal:
            raise InputError(f"{measure} has no form with a terminal document to compare with; choose another measure")
        if TERMINAL[measure.ending]:
            raise InputError(f"{measure} has a terminal document of its own; give the measure without it")
