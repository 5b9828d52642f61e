"""Pool depth by evaluation depth: what shallower judgments would have shown, and what full ones reverse of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.pooling.survey import Survey, look_at_pool, orders, reach, survey
from truerank.questions.depth.question import ALL_RUNS, CONTRIBUTED, Curves, GridCell
from truerank.questions.depth.work import checkpoints, score_runs, summarise
from truerank.questions.pool.work import graded, restricted
from truerank.statistics.level import level
from truerank.statistics.orders import agreement
from truerank.statistics.student import significant
from truerank.track.track import Progress, Track


def survey_pool(track: Track, progress: Progress | None) -> Survey:
    """The pool that the runs of a track tell of, as ``truerank pool`` finds it."""
    graded(track.judgments)
    plain = replace(track, measures=(), conventions=Conventions(precision=track.conventions.precision), kept={})
    near = reach(len(track.runs), len(track.judgments.topics))
    return survey(track.judgments, plain.each(look_at_pool, progress=progress, orders=orders(None), reach=near))


def contributing(track: Track, pools: Survey) -> Track:
    """The same track with only the runs that made the pool, or may have."""
    kept = tuple(run for run in track.runs if run.name in pools.members)
    if not kept or pools.depth is None:
        raise InputError(
            "these runs do not tell which of them made the pool; see truerank pool, or leave out contributors "
            "(--contributors)"
        )
    return replace(track, runs=kept, kept={})


def with_pool(pools: Survey, curves: Curves, *, chosen: bool) -> Curves:
    """Curves with the depth of the pool; and, if they are of its runs only, with a note."""
    least, most = pools.depths
    curves = replace(curves, pool_depth=least or None, pool_deepest=most or None) if least else curves
    if curves.condensed is not None:
        curves = replace(curves, condensed=with_pool(pools, curves.condensed, chosen=False))
    if not chosen:
        return curves
    note = CONTRIBUTED(
        contributors=len(pools.members),
        runs=len(pools.runs),
        possible=len(pools.possible) or None,
        unclear=[*pools.possible],
    )
    return replace(curves, notices=(note, *curves.notices))


@dataclass(frozen=True, eq=False)
class ShallowPool:
    """Values under the judgments of a shallower pool, at the checkpoints; without a depth it is all judgments."""

    depth: int | None
    judgments: int
    per_topic: dict[str, dict[str, Floats]]
    """By what unjudged documents count as and by measure: runs x topics x checkpoints."""


def cells_of(track: Track, pools: Survey, full: Curves, *, condensed: bool, progress: Progress | None) -> Curves:
    """The curves with a cell for each measure, pool depth and evaluation depth."""
    if len(full) < 2:
        raise InputError(f"a grid is about the ordering of runs, and there is {len(full)}; give several")
    everyone = pools.depth is None
    if everyone:
        # How deep they were pooled is said anew for each depth.
        pools = replace(
            pools,
            contributors=tuple(pools.runs),
            possible=(),
            run_depth=dict.fromkeys(pools.runs, 1),
            topic_depth=np.ones_like(pools.topic_depth),
            given=True,
            evidence=None,
            exact=False,
        )
    shallow = [*_shallower(track, pools, full, condensed=condensed, progress=progress)]
    last = ShallowPool(None, len(track.judgments), {one.conventions.unjudged: one.per_topic for one in full.both})
    cells = [
        cell
        for one in full.both
        for measure in full.measures
        for cell in _cells(measure, one.conventions.unjudged, full.checkpoints, [*shallow, last], full.alpha)
    ]
    notes = (ALL_RUNS(runs=len(pools.runs)),) if everyone else ()
    return replace(full, grid=tuple(cells), notices=(*notes, *full.notices))


def _shallower(
    track: Track, pools: Survey, full: Curves, *, condensed: bool, progress: Progress | None
) -> Iterator[ShallowPool]:
    deepest = full.max_depth if pools.given or pools.depth is None else pools.depth
    for depth in checkpoints(deepest).tolist():
        judgments = restricted(pools, depth)
        if len(judgments) == len(track.judgments):
            # From here on the pool has everything that is judged.
            return
        shallower = replace(track, judgments=judgments, kept={})
        parts = score_runs(shallower, full.max_depth, condensed=condensed, progress=_step(progress, depth))
        curves = summarise(shallower, parts, within=full.within, alpha=full.alpha)
        yield ShallowPool(depth, len(judgments), {one.conventions.unjudged: one.per_topic for one in curves.both})


def _step(progress: Progress | None, depth: int) -> Progress | None:
    if progress is None:
        return None
    return lambda what, done, total: progress(f"pool depth {depth}: {what}", done, total)


def _cells(
    measure: str, unjudged: str, evaluated: Rows, every: Sequence[ShallowPool], alpha: float
) -> Iterator[GridCell]:
    """The cells of a measure; the last of ``every`` has all judgments."""
    tested = [
        [_test_pairs(one.per_topic[unjudged][measure][:, :, at], alpha) for at in range(len(evaluated))]
        for one in every
    ]
    truth = tested[-1][-1].means
    for one, row in zip(every, tested, strict=True):
        for at, here in enumerate(row):
            full = tested[-1][at]
            count = int(here.significant.sum())
            reversed_ = here.significant & (here.sign != full.sign)
            gained = here.significant & ~full.significant
            yield GridCell(
                measure=measure,
                unjudged=unjudged,
                pool_depth=one.depth,
                depth=int(evaluated[at]),
                judgments=one.judgments,
                tau_a=agreement(truth, here.means).tau_a,
                discrimination=count / max(len(here.sign), 1),
                reversed_share=int(reversed_.sum()) / count if count else np.nan,
                gained_share=int(gained.sum()) / count if count else np.nan,
            )


@dataclass(frozen=True, eq=False)
class _TestedPairs:
    means: Floats
    sign: Floats
    """Of each pair of runs, which is better."""
    significant: Mask


def _test_pairs(scores: Floats, alpha: float) -> _TestedPairs:
    """Each pair of runs by their values (runs x topics)."""
    known = scores[:, ~np.isnan(scores).any(axis=0)]
    first, second = np.triu_indices(len(scores), 1)
    means = level(known.mean(axis=1)) if known.shape[1] else np.zeros(len(scores))
    sign = np.sign(means[first] - means[second])
    if known.shape[1] < 2:
        return _TestedPairs(means, sign, np.zeros(len(sign), np.bool_))
    return _TestedPairs(means, sign, significant(known, alpha)[first, second])
