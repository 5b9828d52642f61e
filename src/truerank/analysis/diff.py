"""Two runs topic by topic: who wins where, by how much, and which documents moved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.differences.bounds import DEPTH, by_ties
from truerank.analysis.differences.difference import Difference
from truerank.analysis.differences.lists import Lists
from truerank.analysis.differences.results import Diff
from truerank.analysis.differences.topics import TopicDifferences
from truerank.analysis.notices import observe
from truerank.analysis.reading import read, refuse_bounds
from truerank.analysis.seen import noticed, seen
from truerank.analysis.views import Views
from truerank.conventions.presets import chosen
from truerank.data.arrays import Rows
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.qrels import Qrels
from truerank.io.load import as_qrels
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = "nDCG@10"
SINGLE = "differences are between single ones, with bounds of their own"
"""Why scores that are compared have no bounds."""


def diff(
    qrels: Any,
    run_a: Any,
    run_b: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    topics: str | Iterable[str] | None = None,
    depth: int | None = None,
    **given: Unpack[Given],
) -> Diff:
    """Compare two runs topic by topic, and tell which documents made the difference.

    Judgments and runs are given as to ``evaluate``; ``run_a`` is what ``run_b`` is compared with, and differences are
    scores of b less scores of a. ``topics`` are those to compare, by default all judged ones. Documents are looked at
    in the first ``depth`` ranks, by default down to the cutoff of each measure, or 100. The impact of a document is
    what it adds to the score of b less what it adds to that of a, so that impacts add up to the difference.

    >>> qrels = {"q1": {"x": 1, "y": 0}, "q2": {"z": 1}}
    >>> found = diff(qrels, {"q1": ["x", "y"], "q2": ["z"]}, {"q1": ["y", "new", "x"], "q2": ["z"]}, "RR@10")
    >>> rr = found["RR@10"]
    >>> (rr.wins, rr.level, rr.losses), round(rr.difference, 4)
    ((0, 1, 1), -0.3333)
    >>> x, *others = rr.documents("q1")
    >>> x.doc, x.status, x.ranks_a, x.ranks_b, round(x.impact, 4)
    ('x', 'moved', (1, 1), (3, 3), -0.6667)
    >>> [(one.doc, one.status, one.impact) for one in others]
    [('new', 'entered', 0.0), ('y', 'moved', 0.0)]
    """
    choice = chosen(given)
    refuse_bounds(choice, SINGLE)
    wanted = parse_all(measures)
    if depth is not None and depth < 1:
        raise InputError(f"depth is {depth}; give 1 or more")
    judgments, (a, b) = as_qrels(qrels), _two(run_a, run_b)
    views = [one for _, [one] in seen(judgments, [a, b], wanted, [choice])]
    common = _common(judgments, views, topics)
    views = [one.only(common) for one in views]
    lists = Lists(*views)
    found: dict[str, Difference] = {}
    facts = []
    readings = [{str(measure): read(one, measure) for measure in wanted} for one in views]
    for each, one, reading in zip((a, b), views, readings, strict=True):
        # What orders of ties do to means is told topic by topic here.
        facts.append(observe(each.name, one, reading, ties=False))
    index = dict(zip(views[0].names, common.tolist(), strict=True))
    for measure in wanted:
        scores = [reading[str(measure)].score(one) for one, reading in zip(views, readings, strict=True)]
        by_topic = TopicDifferences.of(*scores)
        at = np.array([index[topic] for topic in by_topic.topics], np.int64)
        found[str(measure)] = Difference(
            **vars(by_topic),
            depth=depth or measure.cutoff or DEPTH,
            index=at,
            lists=lists,
            pool=views[0].pool,
            by_ties=by_ties(measure, *views).take(at),
        )
    return Diff(
        a=a.name,
        b=b.name,
        scores=found,
        topics=tuple(text(judgments.topics[topic]) for topic in common.tolist()),
        conventions=choice,
        notices=noticed(judgments, facts, choice),
    )


def _two(run_a: Any, run_b: Any) -> tuple[Named, Named]:
    """Both runs, by names that tell them apart."""
    both = []
    for name, given in (("run_a", run_a), ("run_b", run_b)):
        found = named_runs(given)
        if len(found) != 1:
            raise InputError(f"{name} holds {len(found)} runs; give one")
        both += found
    a, b = named_runs(both)
    if "#" in a.name and both[0].name == both[1].name:
        # Nothing tells them apart but which comes first.
        return Named("A", a.data, a.options), Named("B", b.data, b.options)
    return a, b


def _common(judgments: Qrels, views: list[Views], wanted: str | Iterable[str] | None) -> Rows:
    """The topics to compare: those that count in both runs."""
    counted = np.zeros((2, len(judgments.topics)), bool)
    for side, one in zip(counted, views, strict=True):
        side[one.topics] = True
    if not counted.all(axis=0).any():
        raise InputError("the two runs have no judged topic in common; choose missing='empty' to compare them anyway")
    chosen = counted.all(axis=0)
    if wanted is not None:
        asked = [wanted] if isinstance(wanted, (str, bytes, int)) else list(wanted)
        chosen &= _named(judgments, [text(topic) if isinstance(topic, bytes) else str(topic) for topic in asked])
        if not chosen.any():
            raise InputError(f"no topic is left to compare; a run leaves out {', '.join(map(str, asked)):.80}")
    return np.flatnonzero(chosen)


def _named(judgments: Qrels, wanted: list[str]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    place = {text(topic): at for at, topic in enumerate(judgments.topics)}
    found = np.zeros(len(place), bool)
    for topic in wanted:
        if topic not in place:
            from difflib import get_close_matches

            near = get_close_matches(topic, place, n=1) or [next(iter(place))]
            raise InputError(f"there is no judged topic {topic!r:.80}; topics are such as {near[0]!r}")
        found[place[topic]] = True
    return found
