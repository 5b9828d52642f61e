"""Lu, Moffat & Culpepper (ADCS 2016): scores and orders of systems as lists are evaluated deeper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

import truerank as tr
from truerank.questions.reproduce.data import Named, PaperData, systems
from truerank.questions.reproduce.paper import (
    Cell,
    Check,
    Column,
    Made,
    Need,
    Paper,
    Table,
    by_hand,
    checked,
    clearly,
    clearly_above,
    counted,
    defined,
    every,
    exhibit,
    listed,
    numbered,
    of_all,
    of_each,
    percent,
    texts,
    untold,
)

Floats = npt.NDArray[np.float64]
EQUAL = 1e-12
"""Scores that differ by no more differ by rounding."""
RECALL = ("AP(norm='min')", "nDCG", "Q(norm='min')")
UTILITY = ("RBP", "ERR")
MEASURES = (*RECALL, *UTILITY)
"""What the figures have, a row each: QM(1) and RBP(0.8) are the usual Q and RBP."""
STANDARD, BY_POOL = "AP", "AP(norm='pool')"
"""AP' and AP'': divided by all relevant documents, and by those that pooling to the depth would have found."""
_CALLED = {
    RECALL[0]: "AP",
    "nDCG": "NDCG",
    RECALL[2]: "QM(1)",
    "RBP": "RBP(0.8)",
    STANDARD: "AP'",
    BY_POOL: "AP''",
}
STABLE = 0.9
"""Tau from which on two orders of systems are usually taken for the same."""
CLOSE = 0.02
"""Taus and correlations that differ by less do not decide."""
SHALLOW = 10
HUNDREDS = 100
DEEP = 500
"""Depth that lists must reach for scores to become stable in the hundreds, or not."""
NEAR = 0.05
"""A score is stable from the depth on at which it stays within this share of its last value."""
COLLECTIONS = (
    ("Robust04", "651-700", "100", 42),
    ("TREC9", "451-500", "100", 25),
    ("CW09", "1-50", "12+", 32),
    ("CW10", "51-100", "20", 21),
)
"""Table 1: collection, topics, depth of the pool, contributing runs."""


class LuData(PaperData):
    """A collection: who made its pool, and the scores of those runs at every depth."""

    @cached_property
    def pools(self) -> tr.Pools:
        """Which runs the judgments were pooled from."""
        return tr.pools(self.qrels, self.runs, engine=self.engine, progress=self.progress)

    @cached_property
    def contributors(self) -> list[Named]:
        """The runs whose documents down to the depth of the pool are in it; all of them where there is no depth."""
        left_out = {part.run for part in self.pools.parts if part.contributes is False}
        found = [one for one in self.runs if one.name not in left_out]
        return found if len(found) > 1 and self.pools.depth is not None else [*self.runs]

    @property
    def compared(self) -> Sequence[Named]:
        """The runs whose order is looked at."""
        return self.contributors

    @cached_property
    def curves(self) -> tr.Curves:
        """The scores at every depth, as they are and without unjudged documents."""
        return self._depth(*MEASURES, condensed=True)

    @cached_property
    def reciprocal(self) -> tr.Curves:
        """The same by reciprocal rank."""
        return self._depth("RR")

    @cached_property
    def variants(self) -> tr.Curves:
        """AP' and AP'' at every depth."""
        return self._depth(STANDARD, BY_POOL)

    def _depth(self, *measures: str, condensed: bool = False) -> tr.Curves:
        known = self.pools.depth is not None
        fixed = self.asked("ending", "relevant")
        return tr.depth(self.qrels, self.runs, measures, condensed=condensed, contributors=known, **fixed)

    def stability(self, *, condensed: bool = False) -> dict[str, Any]:
        """How stable the order of runs is, by measure."""
        self.several()
        if condensed:
            assert self.curves.condensed is not None
            return _by_measure(self.curves.condensed)
        return _by_measure(self.curves, self.reciprocal, self.variants)

    @property
    def to(self) -> str:
        """How many runs there are, and how deep the pool is."""
        return f"{counted(len(self.contributors), 'run')}"


def _by_measure(*curves: tr.Curves) -> dict[str, Any]:
    return {one.measure: one for found in curves for one in found.stability()}


def tau_at(stability: Any, depth: int) -> float:
    """Tau of the order of runs at a depth with that at the last."""
    return float(stability.at(depth)["tau_a"])


def deeper_than(depth: int) -> Need:
    """A collection whose lists are longer than that."""

    def lacks(one: LuData) -> str:
        deepest = one.curves.max_depth
        return "" if deepest > depth else f"lists end at depth {deepest}, and depths past {depth} are needed"

    return lacks


def pooled(one: LuData) -> str:
    """A collection with a pool, and lists that go past it."""
    if one.pools.depth is None:
        return "the depth of the pool cannot be seen"
    if one.pools.depth >= one.curves.max_depth:
        return f"lists end at depth {one.curves.max_depth}, which is not past the pool"
    return ""


def judged_nonrelevant(one: LuData) -> str:
    """A collection in which lists without unjudged documents are more than their relevant documents."""
    useless = int((one.qrels.grade <= 0).sum())
    if useless >= len(one.qrels) / 2:
        return ""
    said = f"{useless:,} of {len(one.qrels):,} judged documents are not relevant"
    return f"{said}, too few for lists without the unjudged ones"


def called(measure: str) -> str:
    """What the paper calls a measure.

    >>> called("AP(norm='min')"), called("Q(norm='min')"), called("RBP")
    ('AP', 'QM(1)', 'RBP(0.8)')
    """
    return _CALLED.get(measure, measure)


def names(*measures: str) -> dict[str, str]:
    """What the paper calls measures, by what they are called here and in figures."""
    return {each: called(measure) for measure in measures for each in (measure, tr.parse(measure).label)}


_STABLE = "stable: tau with the order at the last depth stays at .95 or more"


# Exhibits.


@exhibit(
    "Table 1",
    command="truerank pool QRELS RUN...",
    prints="two of news (d = 100; 42 and 25 runs) and two of the web (d = 12+ and 20; 32 and 21 runs)",
)
def table_1(data: Sequence[LuData]) -> Made:
    """The collections: topics, how deep they were pooled, and how many runs made the pool."""
    columns = (
        *texts("collection", "queries"),
        Column("d", number=True, meaning="depth of the pool"),
        Column("runs", number=True, meaning="runs that contributed to the pool"),
        Column("of", number=True, meaning="runs there are"),
    )
    rows: list[tuple[Cell, ...]] = []
    words = []
    for one in data:
        found = one.pools
        every = sorted((text.decode("utf-8", "replace") for text in one.qrels.topics), key=_by_number)
        deep = "not seen" if found.depth is None else _deep(found)
        rows.append((one.name, f"{every[0]}-{every[-1]}", deep, len(one.contributors), len(one.runs)))
        if found.depth is None:
            words.append(f"{one.name}: which runs contributed cannot be determined, so that all are taken.")
    rows += [(f"{name} (paper)", topics, deep, runs, None) for name, topics, deep, runs in COLLECTIONS]
    caption = "Collections: topics, depth of the pool, and runs that contributed to it"
    return Made(tables=(Table(columns, tuple(rows), caption=caption),), words=tuple(words))


def _by_number(topic: str) -> tuple[list[int], str]:
    """Topics in the order of their numbers: 9 before 10."""
    return [int(digits) for digits in re.findall(r"\d+", topic)], topic


def _deep(found: tr.Pools) -> str:
    deeper = found.deepest is not None and found.depth is not None and found.deepest > found.depth
    return f"{found.depth}+" if deeper else str(found.depth)


@exhibit(
    "Figures 1-4",
    command="truerank depth QRELS RUN... --contributors --condensed --plot depth.svg",
    prints="curves only, on four TREC collections",
)
def figures_1_to_4(data: Sequence[LuData]) -> Made:
    """Five measures at every depth of evaluation, one line per contributing run, the depth of the pool dashed; left
    as usual, right without unjudged documents. A figure a collection."""
    figures = []
    for one in data:
        said = (
            f"{', '.join(map(called, MEASURES))} of {one.to} at depths 1 to {one.curves.max_depth}, a row each; "
            "left with unjudged documents as not relevant, right without them. In colour are the best and the worst "
            "run at the last depth, and those at the quartiles."
        )
        figures.append(one.figure(one.curves.plot, said, names(*MEASURES)))
    return Made(figures=tuple(figures), tables=tuple(_stabilities(data)))


def _stabilities(data: Sequence[LuData]) -> Iterator[Table]:
    """What the figures show, in numbers: from which depth on orders of systems are stable."""
    for one in data:
        if len(one.contributors) < 2:
            continue
        columns = (
            *texts("measure", "unjudged documents"),
            *numbered("stable from depth", *(f"tau at {depth}" for depth in _depths(one.curves))),
            Column("crossings", number=True, meaning="pairs of runs that change ranks from one depth to the next"),
        )
        rows: list[tuple[Cell, ...]] = []
        for condensed in (False, True):
            found = one.stability(condensed=condensed)
            for measure in MEASURES:
                taus = [tau_at(found[measure], depth) for depth in _depths(one.curves)]
                kind = "taken out" if condensed else "not relevant"
                rows.append((called(measure), kind, found[measure].tau_stable_from, *taus, found[measure].crossings))
        caption = f"{one.name}: agreement of the order of systems at a depth with that at {one.curves.max_depth}"
        yield Table(columns, tuple(rows), caption=caption)


def _depths(curves: tr.Curves) -> list[int]:
    return [depth for depth in (1, 5, 10, 20, 100, 300) if depth < curves.max_depth]


@exhibit(
    "Figure 5",
    command="truerank depth QRELS RUN... --contributors -m \"AP AP(norm='pool')\" --plot figure5.svg",
    prints="curves only; both columns are the same to the right of the pool's depth",
)
def figure_5(data: Sequence[LuData]) -> Made:
    """AP divided by all relevant documents (AP'), and by those that a pool of depth k has (AP'')."""
    return Made(
        figures=tuple(
            one.figure(
                one.variants.plot,
                f"AP divided by all relevant documents (AP'), and by those that pooling to depth k would "
                f"have found (AP''), of {one.to} at depths 1 to {one.variants.max_depth}.",
                names(STANDARD, BY_POOL),
            )
            for one in data
        )
    )


@exhibit(
    "Section 4",
    command="truerank depth QRELS RUN... --contributors --grid --show grid --plot grid.svg",
    prints="nothing yet: the measurements had begun",
)
def section_4(data: Sequence[LuData]) -> Made:
    """What the paper announces as next: Kendall's tau and discrimination over depths, and findings that are
    overturned. For each depth of a pool, too, by depth --grid."""
    tables, figures = [], []
    for one in data:
        one.several()
        depths = _depths(one.curves)
        columns = (
            *texts("measure"),
            *(
                Column(f"{what} at {depth}", number=True, form="share")
                for what in ("pairs that differ", "overturned")
                for depth in depths[1::2]
            ),
        )
        rows: list[tuple[Cell, ...]] = []
        for measure in MEASURES:
            found = [one.stability()[measure].at(depth) for depth in depths[1::2]]
            shares = [row[what] for what in ("discrimination", "reversed_share") for row in found]
            rows.append((called(measure), *shares))
        last = one.curves.max_depth
        caption = f"{one.name}: pairs of systems that differ by a t-test, and such findings of another sign at {last}"
        tables.append(Table(columns, tuple(rows), caption=caption))
        said = "agreement with the last order, and pairs of systems that differ, by depth; one line per measure."
        figures.append(one.figure(partial(one.curves.plot, "stability"), said, names(*MEASURES)))
    return Made(tables=tuple(tables), figures=tuple(figures))


# Claims.


def _falls(means: Floats) -> int:
    """How many steps to the next depth take a score down."""
    return int((np.diff(means, axis=1) < -EQUAL).sum())


def _steps(curves: tr.Curves, measures: Sequence[str]) -> dict[str, int]:
    return {measure: _falls(curves.means(measure)) for measure in measures}


def _told(numbers: Mapping[str, float], form: str = ",") -> str:
    return listed({called(measure): number for measure, number in numbers.items()}, form)


def _of(curves: tr.Curves) -> str:
    return f"of {len(curves) * (curves.max_depth - 1):,} steps"


@of_each("3, NewsWire", rule="both are sums of what documents add, which is never negative")
def utility_rises(one: LuData) -> Check:
    """Scores by the utility-based RBP and ERR can only rise with depth."""
    found = _steps(one.curves, UTILITY)
    return defined(not any(found.values()), f"falling steps {_told(found)}, {_of(one.curves)}")


@of_each("3, NewsWire", needs=(deeper_than(SHALLOW),))
def recall_moves(one: LuData) -> Check:
    """Scores by the recall-based AP, NDCG and QM rise and fall with depth."""
    found = _steps(one.curves, RECALL)
    return checked(all(found.values()), f"falling steps {_told(found)}, {_of(one.curves)}")


@of_each("3, eq. 2", rule="R is the same at all depths, and each relevant document adds to the sum")
def standard_rises(one: LuData) -> Check:
    """Scores by AP' never fall with depth."""
    found = _steps(one.variants, [STANDARD])
    return defined(not any(found.values()), f"falling steps {_told(found)}, {_of(one.variants)}")


@of_each(
    "1",
    rule=f"scores never fall, and the order is stable no later than by AP, NDCG and QM; {_STABLE}",
    needs=(deeper_than(SHALLOW), systems()),
)
def rr_is_calm(one: LuData) -> Check:
    """By reciprocal rank, scores and orders of systems are stable."""
    found = one.stability()
    falls = _falls(one.reciprocal.means("RR"))
    stable = {measure: found[measure].tau_stable_from for measure in ("RR", *RECALL)}
    first = all(stable["RR"] <= stable[measure] for measure in RECALL)
    return checked(first and not falls, f"order stable from depth {_told(stable)}; falling steps of RR {falls}")


def _settling(one: LuData, *, condensed: bool) -> tuple[bool, str]:
    found = one.stability(condensed=condensed)
    stable = {measure: found[measure].tau_stable_from for measure in MEASURES}
    sooner = max(stable[measure] for measure in UTILITY) < min(stable[measure] for measure in RECALL)
    return sooner, f"order stable from depth {_told(stable)}"


@of_each(
    "3, NewsWire",
    rule=f"by RBP and ERR at a lower depth than by AP, NDCG and QM; {_STABLE}",
    needs=(deeper_than(SHALLOW), systems()),
)
def utility_is_stabler(one: LuData) -> Check:
    """Orders of systems are more stable by the utility-based measures than by the recall-based."""
    return checked(*_settling(one, condensed=False))


@of_each(
    "3, NewsWire",
    rule=f"tau below {STABLE:g} with the order at the last depth",
    needs=(deeper_than(SHALLOW), systems()),
)
def shallow_confuses(one: LuData) -> Check:
    """Evaluation to depth 10 or less gives confused signals by recall-based measures."""
    found = {measure: tau_at(one.stability()[measure], SHALLOW) for measure in RECALL}
    said = _told(found, ".3f")
    low = clearly(found.values(), most=STABLE, margin=CLOSE)
    return checked(low, f"tau of depth {SHALLOW} with {one.curves.max_depth}: {said}")


@of_each(
    "3, Recall v. utility",
    rule="Pearson's r of scores at depth 10 with those at the last depth, above that by AP, NDCG and QM",
    needs=(deeper_than(HUNDREDS - 1), systems()),
)
def utility_is_known_early(one: LuData) -> Check:
    """By RBP and ERR, scores at depth 10 tell those at depths 100 and 1,000 better than by the recall-based."""
    found = {measure: _with_the_last(one.curves.means(measure)) for measure in (*UTILITY, *RECALL)}
    better = min(found[measure] for measure in UTILITY) > max(found[measure] for measure in RECALL)
    return checked(better, f"r of depth {SHALLOW} with {one.curves.max_depth}: {_told(found, '.4f')}")


def _with_the_last(means: Floats) -> float:
    """Pearson's correlation of scores of systems at depth 10 with those at the last depth."""
    return float(np.corrcoef(means[:, SHALLOW - 1], means[:, -1])[0, 1])


@of_each(
    "3, Recall v. utility",
    rule="on average runs gain at most 1% of their score past it",
    needs=(pooled,),
)
def utility_has_converged(one: LuData) -> Check:
    """Scores by RBP and ERR have largely converged at the depth of the pool."""
    pool = one.pools.depth or 0
    gained = {}
    for measure in UTILITY:
        means = one.curves.means(measure)
        gained[measure] = (means[:, -1] - means[:, pool - 1]) / np.maximum(means[:, -1], EQUAL)
    said = ", ".join(
        f"{called(measure)} {percent(float(shares.mean()))} (at most {percent(float(shares.max()))})"
        for measure, shares in gained.items()
    )
    little = clearly([float(shares.mean()) for shares in gained.values()], most=0.01, margin=0.005)
    return checked(little, f"part of a score gained past depth {pool}, mean over runs: {said}")


@of_each(
    "3, Condensed",
    rule=f"recall-based scores still rise and fall, and their orders are still stable later; {_STABLE}",
    needs=(judged_nonrelevant, deeper_than(SHALLOW), systems()),
)
def condensed_alters_nothing(one: LuData) -> Check:
    """Taking unjudged documents out changes none of this."""
    assert one.curves.condensed is not None
    falls = _steps(one.curves.condensed, RECALL)
    sooner, said = _settling(one, condensed=True)
    return checked(sooner and all(falls.values()), f"{said}; falling steps {_told(falls)}")


@of_each(
    "3, Condensed",
    rule=f"half of the runs or more stay within {percent(NEAR)} of their last score from {HUNDREDS} or deeper on only",
    needs=(judged_nonrelevant, deeper_than(DEEP)),
)
def condensed_scores_settle_late(one: LuData) -> Check:
    """Without unjudged documents, scores by recall-based measures become stable at depths in the hundreds."""
    assert one.curves.condensed is not None
    found = {measure: float(np.median(stable_from(one.curves.condensed.means(measure)))) for measure in RECALL}
    late = clearly(found.values(), least=HUNDREDS, margin=HUNDREDS / 10)
    return checked(late, f"within {percent(NEAR)} of the last score from depth, median of runs: {_told(found, '.0f')}")


def stable_from(means: Floats, share: float = NEAR) -> npt.NDArray[np.intp]:
    """The depth of each run from which on its score stays within a share of its last value.

    >>> stable_from(np.array([[0.5, 0.9, 0.97, 1.0], [1.0, 1.0, 1.0, 1.0]])).tolist()
    [3, 1]
    """
    last = means[:, -1:]
    away = np.abs(means - last) > share * np.abs(last)
    return np.where(away.any(axis=1), means.shape[1] - np.argmax(away[:, ::-1], axis=1) + 1, 1)


@of_each(
    "3",
    rule="measures from calm to volatile are not in the same order by both",
    needs=(deeper_than(SHALLOW), systems()),
)
def scores_and_orders_differ(one: LuData) -> Check:
    """How scores move need not be how orders move."""
    found = one.stability()
    by_score = sorted(MEASURES, key=lambda measure: float(found[measure].mean_change[1:].sum()))
    by_order = sorted(MEASURES, key=lambda measure: -found[measure].mean_tau_a)
    said = f"calmest first by scores: {_named(by_score)}; by orders: {_named(by_order)}"
    return checked(by_score != by_order, said)


def _named(measures: Sequence[str]) -> str:
    return ", ".join(map(called, measures))


@by_hand("3, eq. 1 and 2")
def perfect_is_one() -> Check:
    """A perfect list has an AP of 1 at every depth, and an AP' of 1 from depth R on."""
    pool, depths = [1.0] * 10, (1, 5, 10, 20)
    opportunity = [tr.parse(f"{RECALL[0]}@{depth}").of(pool, pool=pool) for depth in depths]
    standard = [tr.parse(f"AP@{depth}").of(pool, pool=pool) for depth in depths]
    said = ", ".join(
        f"{depth}: {one:.2f} and {two:.2f}" for depth, one, two in zip(depths, opportunity, standard, strict=True)
    )
    is_so = all(one == 1 for one in opportunity) and [one < 1 for one in standard] == [True, True, False, False]
    return defined(is_so, f"ten relevant documents, all of them first; AP and AP' at depth {said}")


def whole_pool(one: LuData) -> str:
    """A collection whose relevant documents are all in the runs, down to the depth of the pool."""
    if one.pools.explained_relevant >= one.pools.relevant:
        return ""
    held = f"{one.pools.explained_relevant:,} of {one.pools.relevant:,} relevant documents"
    return f"the runs hold {held} within depth {one.pools.depth}; the others were found by other means"


@of_each("3, Figure 5", rule="from there on a pool of depth k has every relevant document", needs=(pooled, whole_pool))
def variants_meet(one: LuData) -> Check:
    """AP'' is AP' from the depth of the pool on."""
    pool = one.pools.depth or 0
    standard, by_pool = (one.variants.means(measure) for measure in (STANDARD, BY_POOL))
    apart = np.abs(standard - by_pool)
    past, before = float(apart[:, pool - 1 :].max()), float(apart[:, : pool - 1].max(initial=0.0))
    said = f"largest difference {past:.2g} from depth {pool} on, {before:.3f} before"
    return defined(past <= 1e-9, said)


@of_each(
    "3, Figure 5",
    rule="half to twice as many crossings; a smaller span of scores at depth 10",
    needs=(deeper_than(SHALLOW), systems()),
)
def standard_crosses_as_much(one: LuData) -> Check:
    """Curves of AP' cross as often as those of AP, and lie closer together."""
    crossings = {measure: one.stability()[measure].crossings for measure in (RECALL[0], STANDARD)}
    wide = {
        measure: float(np.ptp(found.means(measure)[:, SHALLOW - 1]))
        for measure, found in ((RECALL[0], one.curves), (STANDARD, one.variants))
    }
    close = clearly([crossings[STANDARD] / max(crossings[RECALL[0]], 1)], least=0.5, most=2, margin=0.05)
    said = f"crossings {_told(crossings)}; scores at depth {SHALLOW} span {_told(wide, '.3f')}"
    return checked(every(close, wide[STANDARD] < wide[RECALL[0]]), said)


@of_each(
    "3, Figure 5",
    rule=f"by AP' and AP'' at a greater depth than by RBP and ERR; {_STABLE}",
    needs=(deeper_than(SHALLOW), systems()),
)
def variants_are_no_better(one: LuData) -> Check:
    """Neither way of dividing AP makes it as stable as the utility-based measures."""
    found = one.stability()
    stable = {each: found[each].tau_stable_from for each in (STANDARD, BY_POOL, *UTILITY)}
    later = min(stable[STANDARD], stable[BY_POOL]) > max(stable[each] for each in UTILITY)
    return checked(later, f"order stable from depth {_told(stable)}")


def pool_seen(one: LuData) -> str:
    """A collection whose pool has a depth."""
    return "" if one.pools.depth is not None else "the depth of the pool cannot be seen"


@of_all(
    "3, ClueWeb",
    rule="mean tau with the last order is below that of all deeply pooled collections",
    needs=(pool_seen, systems()),
)
def shallow_pools_are_worse(data: Sequence[LuData]) -> Check:
    """With shallow pools of a large collection, orders by recall-based measures are less stable."""
    deep = [one for one in data if (one.pools.depth or 0) >= 100]
    shallow = [one for one in data if (one.pools.depth or 0) <= 20]
    if not deep or not shallow:
        return untold("needs a collection pooled to 100 or deeper, and one pooled to 20 or less")
    means = {one.name: float(np.mean([one.stability()[measure].mean_tau_a for measure in RECALL])) for one in data}
    said = ", ".join(f"{one.name} (pool {one.pools.depth}) {means[one.name]:.3f}" for one in (*deep, *shallow))
    lower = clearly_above([means[one.name] for one in deep], [means[one.name] for one in shallow], margin=0.005)
    return checked(lower, f"mean tau with the last order, of AP, NDCG and QM: {said}")


PAPER = Paper(
    name="lu",
    authors="Lu, Moffat & Culpepper (2016)",
    title="Observed Volatility in Effectiveness Metrics",
    cited="X. Lu, A. Moffat and J. S. Culpepper, 2016.",
    data=LuData,
    exhibits=(
        table_1,
        figures_1_to_4,
        figure_5,
        section_4,
    ),
    claims=(
        rr_is_calm,
        utility_rises,
        recall_moves,
        utility_is_stabler,
        shallow_confuses,
        scores_and_orders_differ,
        shallow_pools_are_worse,
        utility_has_converged,
        utility_is_known_early,
        condensed_alters_nothing,
        condensed_scores_settle_late,
        perfect_is_one,
        standard_rises,
        standard_crosses_as_much,
        variants_meet,
        variants_are_no_better,
    ),
)
