"""What unjudged documents leave open: of scores, of the order of systems, and what to judge next."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from truerank.analysis.judging.next import Candidates, judge_next
from truerank.analysis.judging.results import JudgedRun, Unjudged
from truerank.analysis.judging.scores import open_score, rests_on_judgments
from truerank.analysis.notices import observe, unjudged_share
from truerank.analysis.seen import noticed, seen
from truerank.analysis.views import Views
from truerank.conventions.presets import chosen
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.qrels import Preferences
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = "RBP nDCG@10"
CUTOFFS = (10, 100)
"""Depths that judged documents are counted to."""


def unjudged(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    cutoff: int | Iterable[int] = CUTOFFS,
    next: int = 0,  # noqa: A002 - the name of the option
    depth: int | None = None,
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> Unjudged:
    """Tell how much of each run is judged, between what bounds its scores lie, and which runs are undecided.

    Takes what ``evaluate`` takes. ``cutoff`` has the depths that judged documents are counted to. ``next`` asks for so
    many documents to judge, those first that narrow the bounds of the first measure most; they are looked for down to
    ``depth``, by default the measure's cutoff or 100.

    >>> qrels = {"q1": {"a": 1, "b": 0}}
    >>> found = unjudged(qrels, {"x": {"q1": ["a", "u"]}, "y": {"q1": ["b", "u", "a"]}}, "RBP(p=0.5)", next=1)
    >>> x = found["x"]["RBP(p=0.5)"]
    >>> x.low, x.high, x.residual
    (0.5, 1.0, 0.5)
    >>> found.pairs[0].decided, found.next[0].doc, found.next[0].gain
    (True, 'u', 0.5)
    """
    choice = chosen(given, unjudged="bounds")
    wanted, cutoffs = parse_all(measures), _cutoffs(cutoff)
    for name, asked, least in (("next", next, 0), ("depth", 1 if depth is None else depth, 1)):
        if asked < least:
            raise InputError(f"{name} is {asked}; give {least} or more")
    judgments, named = as_qrels(qrels), named_runs(runs)
    if isinstance(judgments, Preferences):
        raise InputError("preferences have no unjudged documents; give qrels (four columns: topic, -, document, grade)")
    each_run = seen(judgments, named, wanted, [choice], progress=progress)
    candidates = Candidates(wanted[0], depth) if next else None
    found: dict[str, JudgedRun] = {}
    facts = []
    resting: list[str] = []
    for run, [views] in each_run:
        scores = {str(measure): open_score(views, measure) for measure in wanted}
        found[run] = JudgedRun(
            judged=_judged_share(views, None),
            judged_at={k: _judged_share(views, k) for k in cutoffs},
            scores={name: score for name, (score, _) in scores.items()},
        )
        facts.append(observe(run, views, {name: reading for name, (_, reading) in scores.items()}))
        if not resting:
            resting = [str(m) for m in wanted if m.has_bounds and rests_on_judgments(views, m)]
        if candidates is not None:
            candidates.add(views)
    to_judge = () if candidates is None else judge_next(candidates, judgments, named, choice, next)
    return Unjudged(
        runs=found,
        wanted=wanted,
        next=to_judge,
        topics=tuple(map(text, judgments.topics)),
        conventions=choice,
        notices=(*noticed(judgments, facts, choice), *_resting(resting)),
    )


def _judged_share(views: Views, cutoff: int | None) -> float:
    """Share of judged documents, the mean over lists; NaN for a run without documents."""
    return 1 - unjudged_share(views, cutoff) if views.judged.length.any() else math.nan


def _cutoffs(cutoff: int | Iterable[int]) -> list[int]:
    given = sorted({cutoff} if isinstance(cutoff, int) else set(cutoff))
    for k in given:
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise InputError(f"a cutoff is a whole number from 1 on, not {k!r}")
    return given


def _resting(measures: list[str]) -> list[str]:
    if not measures:
        return []
    return [
        f"{', '.join(measures)}: bounds divide by what the judgments hold now; a judgment that finds another relevant "
        "document adds to that, and may lower a score past its bound"
    ]
