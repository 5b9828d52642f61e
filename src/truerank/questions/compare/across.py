"""Systems over several collections: their means, and what topics drawn anew in each leave of differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.notes import Code, Note
from truerank.data.printing import quoted
from truerank.questions.compare.answer import (
    BETTER,
    OPEN,
    WORSE,
    AcrossPair,
    AcrossSystem,
    Comparison,
    MeasureComparison,
)
from truerank.report.digits import WrittenNumber, decimals, rounded
from truerank.statistics.intervals import clipped
from truerank.statistics.level import level
from truerank.statistics.paired import differing, least_by_signs, matrix
from truerank.statistics.possible_ranks import rank_intervals
from truerank.statistics.randomization import Draws
from truerank.statistics.strata import PairsOver, Strata

ASSUMED = Code(
    "TR351",
    "what comparisons over several collections assume",
    "over {collections:collection} each of them counts the same, whatever number of topics it has; topics were drawn "
    "within each, and collections were not: the order may be another one in other collections",
)
NOT_EVERYWHERE = Code(
    "TR352",
    "runs that some collections do not have, and that are not compared over all of them",
    "{lacking:run} {lacking:is|are} not in every collection, and not compared over all: {runs:names}",
)
MIXED = Code(
    "TR353",
    "pairs of runs that differ by more in some collections than in others, or the other way round",
    "{measure}: {pairs:pair} of {of:,} {pairs:differs|differ} by more in some collections than in others (p < "
    "{alpha:g} each)",
    turned="{measure}: {pairs:pair} of {of:,} {pairs:differs|differ} by more in some collections than in others (p < "
    "{alpha:g} each), {turned:pair} the other way round",
)
ALONE = Code(
    "TR354",
    "no run is in every collection",
    "no two runs are in every collection by the same name; name runs alike, as in {{'bm25': ...}}, to compare them",
)
SEVERAL_RUNS = Code(
    "TR355",
    "comparisons over collections that leave out what other runs of a system would do",
    "over collections, what other runs of a system would do does not count as chance",
)
ACROSS = Code(
    "TR356",
    "which runs are better over all collections",
    "{measure}, mean over {collections} collections: {different:pair} of {pairs:,} {different:differs|differ} for "
    "all at once",
    verdict="{measure}, mean over {collections} collections: {run} is {verdict} than {compared_with} ({difference}, "
    "{low} to {high})",
    open="{measure}, mean over {collections} collections: {run} and {compared_with} do not differ significantly "
    "({difference}, {low} to {high})",
    consequence=0.0,
)


@dataclass(frozen=True, eq=False)
class Across:
    """Systems by one measure, over all collections."""

    names: tuple[str, ...]
    """Of the collections."""
    each: tuple[MeasureComparison, ...]
    """What was found of each."""
    systems: tuple[AcrossSystem, ...]
    pairs: tuple[AcrossPair, ...]

    @property
    def measure(self) -> str:
        """The measure."""
        return self.each[0].measure


def across(collections: Mapping[str, Comparison]) -> tuple[Across, ...]:
    """The systems of all collections by each measure."""
    every = tuple(collections.values())
    return tuple(_across(tuple(collections), tuple(one[measure] for one in every)) for measure in every[0].measures)


def _across(names: tuple[str, ...], each: tuple[MeasureComparison, ...]) -> Across:
    everywhere = [run for run in each[0].runs if all(run in one.runs for one in each)]
    anywhere = [*dict.fromkeys(run for one in each for run in one.runs)]
    settings, sign = each[0].settings, each[0].sign
    known: dict[str, dict[str, Any]] = {}
    pairs: tuple[AcrossPair, ...] = ()
    if everywhere:
        values = [one.sample.units[[one.runs.index(run) for run in everywhere]] for one in each]
        strata = Strata(values)
        draws = Draws(settings.permutations, settings.seed)
        drawn = strata.deviations(draws)
        ends = strata.system_means(settings.confidence, draws, drawn)
        least, most = each[0].by.range
        low, high = clipped(ends.mean, ends.low, ends.high, least, most)
        order = level(sign * ends.mean)
        best = np.ones(len(everywhere), np.intp)
        worst = np.full(len(everywhere), len(everywhere))
        if len(everywhere) > 1:
            compared = strata.pairs(settings.confidence, draws, drawn)
            apart = clipped(compared.difference, compared.low, compared.high, least - most, most - least)
            differ = np.sum([differing(one) for one in values], axis=0)
            least_p = matrix(len(everywhere), least_by_signs(differ, settings.alpha), diagonal=0.0)
            compared = replace(
                compared,
                low=apart[0],
                high=apart[1],
                p=np.maximum(compared.p, least_p),
                p_corrected=np.maximum(compared.p_corrected, least_p),
            )
            shown = (compared.p_corrected < settings.alpha) & (sign * compared.difference > 0)
            best, worst = rank_intervals(shown)
            pairs = tuple(_pairs(names, each, everywhere, strata, compared, strata.randomization(draws)))
        for at, run in enumerate(everywhere):
            known[run] = {
                "mean": ends.mean[at].item(),
                "low": low[at].item(),
                "high": high[at].item(),
                "rank": 1 + int((order > order[at]).sum()),
                "rank_low": int(best[at]),
                "rank_high": int(worst[at]),
            }
    placed = sorted(known, key=lambda run: known[run]["rank"])
    systems = tuple(_system(names, each, run, known.get(run)) for run in dict.fromkeys([*placed, *anywhere]))
    return Across(names, each, systems, pairs)


def _system(
    names: Sequence[str], each: Sequence[MeasureComparison], run: str, known: Mapping[str, Any] | None
) -> AcrossSystem:
    """A system with its mean in each collection that has it; only of one that all have more is ``known``."""
    means = _means(names, each, run)
    if known is None:
        known = dict.fromkeys(("mean", "low", "high", "rank", "rank_low", "rank_high"))
    return AcrossSystem(measure=each[0].measure, run=run, means=means, collections=len(means), **known)


def _means(names: Sequence[str], each: Sequence[MeasureComparison], run: str) -> dict[str, float]:
    return {
        name: one.means.estimate[one.runs.index(run)].item()
        for name, one in zip(names, each, strict=True)
        if run in one.runs
    }


def _pairs(
    names: Sequence[str],
    each: Sequence[MeasureComparison],
    everywhere: Sequence[str],
    strata: Strata,
    compared: PairsOver,
    turned: Floats,
) -> Iterator[AcrossPair]:
    first = each[0]
    settings, sign = first.settings, first.sign
    place = {run: at for at, run in enumerate(everywhere)}
    for one, other in first.asked:
        against, run = first.runs[one], first.runs[other]
        if run not in place or against not in place:
            continue
        b, a = place[run], place[against]
        apart = strata.means[:, b] - strata.means[:, a]
        difference = compared.difference[b, a].item()
        verdict = OPEN
        if compared.p_corrected[b, a] < settings.alpha and difference:
            verdict = BETTER if sign * difference > 0 else WORSE
        yield AcrossPair(
            measure=first.measure,
            run=run,
            compared_with=against,
            verdict=verdict,
            differences=dict(zip(names, apart.tolist(), strict=True)),
            difference=difference,
            low=compared.low[b, a].item(),
            high=compared.high[b, a].item(),
            p=compared.p[b, a].item(),
            p_corrected=compared.p_corrected[b, a].item(),
            p_strata=turned[b, a].item(),
            p_mixed=compared.heterogeneity[b, a].item(),
            better_in=int((sign * apart > 0).sum()),
            worse_in=int((sign * apart < 0).sum()),
        )


def verdict(one: Across) -> str:
    """Over all collections, which run is better, or which could be the best."""
    measure, over = one.measure, f"Over {len(one.names)} collections"
    if len(one.pairs) == 1:
        [pair] = one.pairs
        digits = decimals((pair.high - pair.low) / 4)
        ends = " to ".join(rounded(end, digits, sign=True) for end in (pair.low, pair.high))
        size = rounded(pair.difference, digits, sign=True)
        if pair.verdict in (BETTER, WORSE):
            both = f'"{pair.run}" is {pair.verdict} than "{pair.compared_with}"'
            return f"{over}, {both}: {size} {measure} (95% CI {ends})."
        lower = f'"{pair.run}" is {size.lstrip("+-")} {"lower" if pair.difference < 0 else "higher"}'
        return f"{over}, there is no significant difference in {measure}: {lower} (95% CI {ends})."
    ranked = sorted((row for row in one.systems if row.rank is not None), key=lambda row: row.rank or 0)
    could = [row.run for row in ranked if row.rank_low == 1]
    if len(could) == 1:
        return f'{over}, "{could[0]}" is the best of these {len(ranked)} runs by {measure} (95%).'
    lead = f'{over}, "{ranked[0].run}" leads by {measure}'
    return f"{lead}; the best run is among {quoted(could)} (95%)." if could else f"{lead}."


def said_across(every: Sequence[Across]) -> Iterator[Note]:
    """What was found over all collections, and what that assumes."""
    if not any(one.pairs for one in every):
        yield ALONE()
        return
    alpha = every[0].each[0].settings.alpha
    for one in every:
        yield _verdict(one)
        mixed = [pair for pair in one.pairs if pair.p_mixed < alpha]
        if mixed:
            turned = sum(pair.better_in > 0 and pair.worse_in > 0 for pair in mixed)
            yield MIXED(
                "turned" if turned else "",
                measure=one.measure,
                pairs=len(mixed),
                of=len(one.pairs),
                alpha=alpha,
                turned=turned,
            )
    lacking = [row.run for row in every[0].systems if row.mean is None]
    if lacking:
        yield NOT_EVERYWHERE(lacking=len(lacking), runs=lacking)
    yield ASSUMED(collections=len(every[0].names))
    if any(one.sample.system is not None for one in every[0].each):
        yield SEVERAL_RUNS()


def _verdict(one: Across) -> Note:
    different = sum(pair.verdict in (BETTER, WORSE) for pair in one.pairs)
    facts: dict[str, Any] = {
        "measure": one.measure,
        "collections": len(one.names),
        "pairs": len(one.pairs),
        "different": different,
    }
    if len(one.pairs) > 1:
        return ACROSS(**facts)
    [pair] = one.pairs
    return ACROSS(
        "verdict" if different else "open",
        **facts,
        run=pair.run,
        compared_with=pair.compared_with,
        verdict=pair.verdict,
        difference=WrittenNumber(pair.difference, rounded(pair.difference, 4, sign=True)),
        low=WrittenNumber(pair.low, rounded(pair.low, 4)),
        high=WrittenNumber(pair.high, rounded(pair.high, 4)),
    )
