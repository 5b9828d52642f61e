"""What is kept of each run, and what follows over all lists of all runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.parts import part_field
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.questions.truncate.against import NOT_COMPARED, Against, CutAgreement, means
from truerank.questions.truncate.lengths import BestCuts, best_cuts, is_slow
from truerank.questions.truncate.question import Cut, Cuts, CutSummary, mean, median, slow
from truerank.statistics.correlations import kendall_p, spearman
from truerank.statistics.level import EQUAL, level
from truerank.statistics.orders import agreement
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Track
from truerank.track.values import Values, values


@dataclass(frozen=True, eq=False, kw_only=True)
class CutPart(RunPart):
    """A run: where its lists are best cut, by measure."""

    cuts: dict[str, BestCuts]
    longest: int = part_field(merge="max")
    """Documents in its longest list."""
    slow: tuple[str, ...] = part_field(merge="union")
    """Measures that score every length on its own."""


@dataclass(frozen=True)
class CutMeasures:
    """The measures that lists are cut by, and those of whole lists that the cut ones are compared with."""

    cut: tuple[Measure, ...]
    whole: tuple[Measure, ...] = ()
    tolerance: float = EQUAL
    """Scores that differ by no more are the same."""


def whole_measures(given: Any) -> tuple[Measure, ...]:
    """Measures of whole lists to compare cut ones with; there may be none.

    >>> whole_measures(["AP", "nDCG@10"]), whole_measures(())
    ((AP, nDCG@10), ())
    """
    return () if isinstance(given, (list, tuple)) and not given else parse_all(given)


def score_run(lens: Lens, measures: Sequence[Measure], *, wanted: CutMeasures) -> CutPart:
    """What is kept of a run."""
    cuts = {str(measure): best_cuts(lens, measure, wanted.tolerance) for measure in wanted.cut}
    found = {str(measure): _unsettled(lens, measure, cuts[str(measure)]) for measure in wanted.cut}
    found |= {str(measure): values(lens, measure) for measure in wanted.whole}
    return observe(
        lens,
        found,
        ties=False,
        kind=CutPart,
        cuts=cuts,
        longest=int(lens.judged.length.max(initial=0)),
        slow=tuple(str(measure) for measure in wanted.cut if is_slow(lens, measure)),
    )


def _unsettled(lens: Lens, measure: Measure, cuts: BestCuts) -> Values:
    return Values(
        topics=lens.topics,
        measure=measure,
        value=cuts.unsettled,
        error=np.zeros(len(cuts.unsettled)),
        lengths=lens.lengths(lens.conventions.ending_of(measure)),
    )


def summarise(track: Track, parts: Sequence[CutPart], wanted: CutMeasures) -> Cuts:
    """The best cuts of all runs of a collection."""
    longest = max((part.longest for part in parts), default=0)
    whole = {
        str(measure): {part.run: part.values[str(measure)].summary(track.conventions) for part in parts}
        for measure in wanted.whole
    }
    slow_ones = dict.fromkeys(measure for part in parts for measure in part.slow)
    return Cuts(
        conventions=track.conventions,
        wanted=wanted.cut,
        topics=track.topics,
        best_cuts=tuple(_cut(track, part, measure) for part in parts for measure in wanted.cut),
        relevant=track.judgments.num_rel,
        longest=longest,
        tolerance=wanted.tolerance,
        whole_means=whole,
        compared=wanted.whole,
        notices=(*track.notes(parts), *slow([*slow_ones], longest)),
    )


def _cut(track: Track, part: CutPart, measure: Measure) -> Cut:
    """The cuts of a run; topics without a value are left out where the conventions say so."""
    cuts = part.cuts[str(measure)]
    defined = (cuts.length >= 0) & ~np.isnan(cuts.whole)
    kept = np.flatnonzero(defined | (not track.conventions.skips_undefined))
    return Cut(
        measure=str(measure),
        run=part.run,
        by=measure,
        topics=tuple(track.topics[topic] for topic in cuts.topics[kept]),
        length=cuts.length[kept],
        exact=cuts.exact[kept],
        best=cuts.score[kept],
        whole=cuts.whole[kept],
        listed=cuts.listed[kept],
        mean_best=measure.aggregate(cuts.score[kept], cuts.length[kept]),
        mean_whole=measure.aggregate(cuts.whole[kept], cuts.listed[kept]),
    )


def summary(cuts: Cuts, measure: str) -> CutSummary:
    """One measure over all lists of all runs."""
    runs, lengths = [*cuts.cuts(measure).values()], cuts.lengths(measure)
    means = {name: float(np.mean([getattr(cut, f"mean_{name}") for cut in runs])) for name in ("whole", "best", "loss")}
    uncut = sum(cut.uncut * len(cut.lengths) for cut in runs if len(cut.lengths))
    return CutSummary(
        measure=measure,
        lists=len(lengths),
        **means,
        mean_length=mean(lengths),
        median_length=median(lengths),
        empty=float(cuts.shares(measure)[0]),
        uncut=uncut / len(lengths) if len(lengths) else float("nan"),
        correlation=_correlation(cuts, measure),
    )


def _correlation(cuts: Cuts, measure: str) -> float:
    of_topic = dict(zip(cuts.topics, cuts.relevant.tolist(), strict=True))
    every = cuts.cuts(measure).values()
    known = [of_topic[name] for cut in every for name, at in zip(cut.topics, cut.length, strict=True) if at >= 0]
    return float(spearman(cuts.lengths(measure), np.array(known, np.intp)))


def compare_orders(cuts: Cuts | Mapping[str, Cuts]) -> Against:
    """Tau of each pair of measures in each collection."""
    collections = {**(cuts if isinstance(cuts, Mapping) else cuts.collections)}
    if not collections:
        raise InputError("there is no collection; give what truncate(..., against=...) found")
    for name, one in collections.items():
        if not isinstance(one, Cuts):
            raise InputError(f"{name or 'what is given'} is {type(one).__name__}; give what truncate found")
        if not one.compared:
            raise InputError(NOT_COMPARED)
        first = next(iter(collections.values()))
        if (one.measures, one.compared) != (first.measures, first.compared):
            raise InputError(f"{name} has other measures than {next(iter(collections))}; truncate all by the same ones")
    taus = [
        _agreement(name, one, str(whole), cut)
        for name, one in collections.items()
        for whole in one.compared
        for cut in one.measures
    ]
    return Against(collections=collections, taus=tuple(taus))


def signed_means(cuts: Cuts, measure: str, *, cut: bool) -> Floats:
    """The means that systems are ordered by, the higher the better."""
    signs = {str(each): each.sign for each in (*cuts.wanted, *cuts.compared)}
    signed: Floats = signs[measure] * np.array(means(cuts, measure, cut=cut))
    return signed


def _agreement(name: str, cuts: Cuts, whole: str, cut: str) -> CutAgreement:
    reference, other = signed_means(cuts, whole, cut=False), signed_means(cuts, cut, cut=True)
    agreed = agreement(reference, other)
    known = np.isfinite(reference) & np.isfinite(other)
    return CutAgreement(
        collection=name,
        whole_measure=whole,
        cut_measure=cut,
        **agreed._asdict(),
        p=kendall_p(level(reference[known]), level(other[known])) if agreed.runs > 1 else np.nan,
    )
