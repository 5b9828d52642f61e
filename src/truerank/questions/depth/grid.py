"""Pool depth by evaluation depth: what shallower judgments would have shown, and what full ones overturn of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.data.printing import counted, named
from truerank.pooling.survey import Survey, look_at_pool, orders, reach, survey
from truerank.questions.depth.answer import ALL_RUNS, CONTRIBUTED, Curves, GridCell
from truerank.questions.depth.work import checkpoints, conclude, seen
from truerank.questions.pool.work import graded, restricted
from truerank.statistics.correlations import kendall
from truerank.statistics.level import level
from truerank.statistics.student import significant
from truerank.track.track import Progress, Track


def surveyed(track: Track, progress: Progress | None) -> Survey:
    """The pool that the runs of a track tell of, as ``truerank pool`` finds it."""
    graded(track.judgments)
    plain = replace(track, measures=(), conventions=Conventions(precision=track.conventions.precision), kept={})
    near = reach(len(track.runs), len(track.judgments.topics))
    return survey(track.judgments, plain.each(look_at_pool, progress=progress, orders=orders(None), reach=near))


def contributing(track: Track, found: Survey) -> Track:
    """The same track with the runs that made the pool only, and those of which it cannot be told."""
    kept = tuple(run for run in track.runs if run.name in found.members)
    if not kept or found.depth is None:
        raise InputError(
            "these runs do not tell which of them made the pool; see truerank pool, or leave out contributors "
            "(--contributors)"
        )
    return replace(track, runs=kept, kept={})


def about(found: Survey, curves: Curves, *, chosen: bool) -> Curves:
    """Curves with what is known of the pool; and, where they are of its runs only, with a note."""
    least, most = found.depths
    told = replace(curves, pool_depth=least or None, pool_deepest=most or None) if least else curves
    if curves.condensed is not None:
        told = replace(told, condensed=about(found, curves.condensed, chosen=False))
    if not chosen:
        return told
    maybe = ""
    if found.possible:
        maybe = f"; of {counted(len(found.possible), 'run')} among them it cannot be told: {named(found.possible)}"
    text = f"{len(found.members):,} of {counted(len(found.runs), 'run')} made the pool, and only these are shown{maybe}"
    facts = {"contributors": len(found.members), "runs": len(found.runs), "unclear": list(found.possible)}
    return replace(told, notices=(CONTRIBUTED(text, **facts), *told.notices))


@dataclass(frozen=True, eq=False)
class Shallow:
    """Values under the judgments of a shallower pool, at the checkpoints; all of them where it has no depth."""

    depth: int | None
    judgments: int
    per_topic: dict[str, dict[str, Floats]]
    """By what unjudged documents count as and by measure: runs x topics x checkpoints."""


def cells_of(track: Track, found: Survey, full: Curves, *, condensed: bool, progress: Progress | None) -> Curves:
    """The curves with a cell for each measure, pool depth and evaluation depth."""
    if len(full) < 2:
        raise InputError(f"a grid is about the ordering of runs, and there is {len(full)}; give several")
    everyone = found.depth is None
    if everyone:
        # How deep they were pooled is said anew for each depth.
        found = replace(
            found,
            contributors=tuple(found.runs),
            possible=(),
            run_depth=dict.fromkeys(found.runs, 1),
            topic_depth=np.ones_like(found.topic_depth),
            given=True,
            evidence=None,
            exact=False,
        )
    shallow = [*_shallower(track, found, full, condensed=condensed, progress=progress)]
    last = Shallow(None, len(track.judgments), {one.conventions.unjudged: one.per_topic for one in full.both})
    cells = [
        cell
        for one in full.both
        for measure in full.measures
        for cell in _cells(measure, one.conventions.unjudged, full.checkpoints, [*shallow, last], full.alpha)
    ]
    notes = (ALL_RUNS(runs=len(found.runs)),) if everyone else ()
    return replace(full, grid=tuple(cells), notices=(*notes, *full.notices))


def _shallower(
    track: Track, found: Survey, full: Curves, *, condensed: bool, progress: Progress | None
) -> Iterator[Shallow]:
    deepest = full.max_depth if found.given or found.depth is None else found.depth
    for depth in checkpoints(deepest).tolist():
        judgments = restricted(found, depth)
        if len(judgments) == len(track.judgments):
            # From here on the pool has everything that is judged.
            return
        shallower = replace(track, judgments=judgments, kept={})
        parts = seen(shallower, full.max_depth, condensed=condensed, progress=_step(progress, depth))
        curves = conclude(shallower, parts, within=full.within, alpha=full.alpha)
        yield Shallow(depth, len(judgments), {one.conventions.unjudged: one.per_topic for one in curves.both})


def _step(progress: Progress | None, depth: int) -> Progress | None:
    if progress is None:
        return None
    return lambda what, done, total: progress(f"pool depth {depth}: {what}", done, total)


def _cells(measure: str, unjudged: str, evaluated: Rows, every: Sequence[Shallow], alpha: float) -> Iterator[GridCell]:
    """The cells of a measure; the last of ``every`` has all judgments."""
    findings = [
        [_finding(one.per_topic[unjudged][measure][:, :, at], alpha) for at in range(len(evaluated))] for one in every
    ]
    truth = findings[-1][-1].means
    for one, row in zip(every, findings, strict=True):
        for at, here in enumerate(row):
            full = findings[-1][at]
            count = int(here.significant.sum())
            turned = here.significant & (here.sign != full.sign)
            gone = here.significant & ~full.significant
            yield GridCell(
                measure=measure,
                unjudged=unjudged,
                pool_depth=one.depth,
                depth=int(evaluated[at]),
                judgments=one.judgments,
                tau=float(kendall(truth, here.means)),
                discrimination=count / max(len(here.sign), 1),
                overturned=int(turned.sum()) / count if count else np.nan,
                lost=int(gone.sum()) / count if count else np.nan,
            )


@dataclass(frozen=True, eq=False)
class _Findings:
    means: Floats
    sign: Floats
    """Of each pair of runs, which is better."""
    significant: Mask


def _finding(scores: Floats, alpha: float) -> _Findings:
    """What values (runs x topics) say of each pair of runs."""
    known = scores[:, ~np.isnan(scores).any(axis=0)]
    first, second = np.triu_indices(len(scores), 1)
    means = level(known.mean(axis=1)) if known.shape[1] else np.zeros(len(scores))
    sign = np.sign(means[first] - means[second])
    if known.shape[1] < 2:
        return _Findings(means, sign, np.zeros(len(sign), np.bool_))
    return _Findings(means, sign, significant(known, alpha)[first, second])
