"""Scores at every depth, for every measure and run, in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.depths.curves import Curves, RunCurves, checkpoints
from truerank.analysis.notices import Facts, observe
from truerank.analysis.pooling.depths import judged_depth, pool_depth
from truerank.analysis.reading import Reading, refuse_bounds, settled, summaries
from truerank.analysis.seen import noticed, seen
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.conventions.presets import chosen
from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.core.base import Measure
from truerank.measures.core.lengths import curve
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = "AP(norm='min') nDCG Q(norm='min') RBP ERR"
"""Those of Lu, Moffat & Culpepper 2016."""


def depth(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    max_depth: int = 1000,
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> Curves:
    """Score runs at every depth from 1 to ``max_depth``.

    Takes what ``evaluate`` takes; a measure is given without its cutoff, and depths end where the longest list does.
    ``unjudged="condensed"`` takes unjudged documents out of the lists first.

    >>> qrels, run = {"q1": {"a": 1, "b": 0, "c": 1}}, {"q1": ["a", "b", "c"]}
    >>> depth(qrels, {"mine": run}, "AP P", max_depth=3)["mine"]["P"].round(2).tolist()
    [1.0, 0.5, 0.67]
    """
    choice = chosen(given, ending="none", limit=None, relevant="judgments")
    [curves] = depths(qrels, runs, measures, [choice], max_depth=max_depth, progress=progress)
    return curves


def depths(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure],
    choices: Sequence[Conventions],
    *,
    max_depth: int,
    progress: Callable[[str], object] | None = None,
) -> list[Curves]:
    """``depth`` under several conventions, reading every run once."""
    wanted = parse_all(measures)
    for measure in wanted:
        _refuse_cutoff(measure)
    if isinstance(max_depth, bool) or not isinstance(max_depth, (int, np.integer)) or max_depth < 1:
        raise InputError(f"max_depth is {max_depth!r}; give a whole number from 1 on")
    judgments, named = as_qrels(qrels), named_runs(runs)
    for choice in choices:
        refuse_bounds(choice, "a curve has one at each depth")
    some = checkpoints(max_depth)
    every = [
        _Seen(
            judged_depth(views[0].judged),
            int(views[0].judged.length.max(initial=0)),
            [_found(name, view, wanted, max_depth, some) for view in views],
        )
        for name, views in seen(judgments, named, wanted, choices, progress=progress)
    ]
    longest = max(one.longest for one in every)
    if 0 < longest < max_depth:
        # Past the end of every list there is nothing to see, and what is there would look more settled than it is.
        return depths(judgments, named, wanted, choices, max_depth=longest)
    names = tuple(map(text, judgments.topics))
    return [
        Curves(
            runs={each.name: RunCurves(one.found[place].means) for each, one in zip(named, every, strict=True)},
            wanted=wanted,
            max_depth=max_depth,
            topics=names,
            checkpoints=some,
            per_topic={str(m): np.stack([one.found[place].values[str(m)] for one in every]) for m in wanted},
            conventions=choice,
            pool_depth=pool_depth(one.judged_to for one in every),
            notices=noticed(judgments, [one.found[place].facts for one in every], choice),
        )
        for place, choice in enumerate(choices)
    ]


@dataclass(frozen=True, eq=False)
class _Found:
    """What is kept of a run under some conventions, by measure."""

    means: dict[str, Floats]
    values: dict[str, Floats]
    """Topics x checkpoints; NaN for topics that are left out."""
    facts: Facts


@dataclass(frozen=True, eq=False)
class _Seen:
    """What is kept of a run."""

    judged_to: int
    longest: int
    found: list[_Found]


def _found(name: str, views: Views, wanted: Sequence[Measure], deepest: int, some: Rows) -> _Found:
    means, values, readings = {}, {}, {}
    for measure in wanted:
        raw = topic_curves(views, measure, deepest)
        found = settled(raw, measure, views.choice)
        means[str(measure)] = summaries(found, measure, views.choice, views.judged.length[views.topics])
        every = np.full((len(views.judged.length), len(some)), np.nan)
        every[views.topics] = found[:, some - 1]
        values[str(measure)] = every
        readings[str(measure)] = Reading(measure, raw[:, -1], np.zeros(len(raw)))
    return _Found(means, values, observe(name, views, readings, ties=False))


def topic_curves(views: Views, measure: Measure, deepest: int) -> Floats:
    """Values at the depths 1 to ``deepest``, one row a topic that counts; NaN where undefined."""
    value = np.full((len(views.judged.length), deepest), np.nan)
    for block in views.lists(measure):
        value[block.topic] = curve(measure, block, deepest)
    return value[views.topics]


def _refuse_cutoff(measure: Measure) -> None:
    if not measure.takes_cutoff:
        raise InputError(f"{measure} looks at the whole list and has no value at a depth; choose another measure")
    if measure.cutoff is not None:
        raise InputError(
            f"{measure} has a depth of its own; write it without @{measure.cutoff}, for all depths are shown"
        )
