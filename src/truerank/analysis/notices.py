"""What a reader of scores should know: absent topics, undefined values, ties that matter, unjudged documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.analysis.reading import Reading
from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.data.ids import text
from truerank.data.printing import counted
from truerank.measures.core.base import Measure
from truerank.measures.judged import Judged

DIGITS = 4
"""Decimals that are printed."""
UNJUDGED = 0.1
"""Share of unjudged documents from which on it is worth a notice."""


@dataclass(frozen=True, eq=False)
class Facts:
    """What was seen of one run."""

    run: str
    missing: list[str]
    """Judged topics that the run leaves out."""
    nothing_judged: bool
    """Whether no document of the run is judged."""
    ignored: int
    """Topics of the run without judgments."""
    undefined: dict[str, list[str]]
    """Topics without a value, by measure."""
    without: dict[str, tuple[str, float]]
    """What topics without a value lack and what they count as, by measure."""
    ties: dict[str, tuple[float, float]]
    """Means in the worst and best order, where they differ in a printed digit."""
    unjudged: dict[int, float]
    """Share of unjudged documents, by cutoff."""
    sampled: dict[str, float]
    """Standard error of the mean, where orders of ties were sampled."""
    unbounded: list[str]
    """Measures without bounds, where bounds were asked for."""
    assumed: dict[str, str]
    """What measures take for granted because they were not told."""
    notes: tuple[str, ...]
    """What was guessed or made up when the run was read."""


def observe(name: str, views: Views, readings: dict[str, Reading], *, ties: bool = True) -> Facts:
    """Look at a run and its readings; what other orders of ties would give takes as long again."""
    undefined = {m: [views.names[i] for i in np.flatnonzero(r.undefined)] for m, r in readings.items()}
    cutoffs = {r.measure.cutoff for r in readings.values() if r.measure.cutoff} - {None}
    return Facts(
        run=name,
        missing=[text(views.judged.qrels.topics[t]) for t in np.flatnonzero(views.judged.run_topic < 0)],
        nothing_judged=not len(views.judged.row),
        ignored=len(views.run.topics) - int((views.judged.run_topic >= 0).sum()),
        undefined={m: missing for m, missing in undefined.items() if missing},
        without={m: (_lack(r.measure), r.measure.undefined_counts_as) for m, r in readings.items()},
        ties=dict(_tie_moves(views, readings)) if ties else {},
        unjudged={k: share for k in sorted(cutoffs) if (share := unjudged_share(views, k)) >= UNJUDGED},
        sampled={m: float(np.sqrt((r.error**2).sum()) / len(r.error)) for m, r in readings.items() if r.error.any()},
        unbounded=[m for m, r in readings.items() if views.choice.unjudged == "bounds" and not r.measure.has_bounds],
        assumed={m: r.measure.assumes for m, r in readings.items() if r.measure.assumes},
        notes=views.run.notes,
    )


def _lack(measure: Measure) -> str:
    return "at depth 0" if measure.cutoff == 0 else measure.undefined_because


def _tie_moves(views: Views, readings: dict[str, Reading]) -> Iterable[tuple[str, tuple[float, float]]]:
    choice = views.choice
    if choice.ties == "bounds" or not views.tied:
        return
    unjudged = "nonrelevant" if choice.unjudged == "bounds" else choice.unjudged
    for name, reading in readings.items():
        if not reading.measure.sorts_ties:
            continue  # Its extremes have to be searched for, which a notice is not worth.
        orders = [views.estimate(reading.measure, ties=order, unjudged=unjudged).value for order in ("worst", "best")]
        # A measure with an answer of its own to ties may lie outside both.
        ends = [reading.summary(end.reduce([reading.value, *orders]), views) for end in (np.fmin, np.fmax)]
        if f"{ends[0]:.{DIGITS}f}" != f"{ends[1]:.{DIGITS}f}":
            yield name, (min(ends), max(ends))


def unjudged_share(views: Views, cutoff: int | None) -> float:
    """Share of unjudged documents among the first ``cutoff``, or in whole lists; the mean over lists."""
    value, _ = views.estimate(Judged(cutoff=cutoff), ties="expected", unjudged="nonrelevant")
    listed = views.lengths(views.choice.ending) > 0
    return float(1.0 - value[listed].sum() / listed.sum()) if listed.any() else 0.0


def notices(facts: Sequence[Facts], choice: Conventions, topics: int) -> tuple[str, ...]:
    """One sentence for each thing worth knowing, however many runs it is true of."""
    said: list[str] = []
    said += _each(facts, lambda f: "; ".join(f.notes))
    said += _undefined(facts, choice)
    fate = {"empty": "counted as empty lists", "skip": "left out of the mean"}.get(choice.missing, "")
    said += _each(facts, lambda f: f"{_topics(f.missing)} of {topics} missing: {fate}" if f.missing else "")
    said += _each(facts, lambda f: f"{counted(f.ignored, 'topic')} without judgments: ignored" if f.ignored else "")
    said += _each(facts, lambda f: "no document is judged; check that ids match" if f.nothing_judged else "")
    said += _ties(facts)
    said += _each(
        facts,
        lambda f: ", ".join(f"{share:.0%} of the top {k} documents are unjudged" for k, share in f.unjudged.items()),
    )
    said += _each(
        facts,
        lambda f: ", ".join(f"{m} sampled over orders of ties, standard error {e:.2g}" for m, e in f.sampled.items()),
    )
    for f in facts[:1]:
        if f.unbounded:
            said.append(f"{_list(f.unbounded)}: unjudged documents give no bounds")
        said.extend(f"{measure}: {assumption}" for measure, assumption in f.assumed.items())
    return tuple(said)


def _undefined(facts: Sequence[Facts], choice: Conventions) -> list[str]:
    """Undefined values, one sentence for all measures that lack the same in the same topics."""
    found: dict[tuple[tuple[str, ...], str, float], dict[str, None]] = {}
    for fact in facts:
        for measure, absent in fact.undefined.items():
            found.setdefault((tuple(absent), *fact.without[measure]), {})[measure] = None
    alike: dict[tuple[tuple[str, ...], str, float], list[tuple[str, ...]]] = {}
    for (topics, lack, worst), measures in found.items():
        alike.setdefault((tuple(measures), lack, worst), []).append(topics)
    fate = {"skip": "left out of the mean", "nan": "the mean is undefined"}
    return [
        f"{_list(names)} undefined for {where} {lack}: {fate.get(choice.no_relevant, f'counted as {worst:g}')}"
        for (names, lack, worst), different in alike.items()
        for where in (map(_topics, different) if len(different) <= 3 else [_some(different)])
    ]


def _ties(facts: Sequence[Facts]) -> list[str]:
    moved = [f for f in facts if f.ties]
    if not moved:
        return []
    spread = [(high - low, f, m, low, high) for f in moved for m, (low, high) in f.ties.items()]
    _, fact, measure, low, high = max(spread, key=lambda item: item[0])
    most = f"{measure} from {low:.{DIGITS}f} to {high:.{DIGITS}f}"
    if len(facts) == 1:
        rest = f" (and {counted(len(fact.ties) - 1, 'other measure')})" if len(fact.ties) > 1 else ""
        return [f"the order of ties can move {most}{rest}"]
    return [f"the order of ties can move a printed digit of {counted(len(moved), 'run')}; most in {fact.run}: {most}"]


def _each(facts: Sequence[Facts], say: Callable[[Facts], str]) -> list[str]:
    true = [(f.run, text) for f in facts if (text := say(f))]
    if len(facts) == 1:
        return [text for _, text in true]
    if len(true) > 3:
        return [f"{true[0][0]}: {true[0][1]}; something like it for {counted(len(true) - 1, 'other run')}"]
    return [f"{run}: {text}" for run, text in true]


def _topics(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
    return f"{counted(len(names), 'topic')} ({shown})"


def _some(different: Sequence[Sequence[str]]) -> str:
    """Topics that are others for every run."""
    counts = [len(names) for names in different]
    return f"{min(counts)} to {max(counts)} topics of each run ({', '.join(different[0][:3])}, ...)"


def _list(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
