"""Lu, Moffat & Culpepper (ADCS 2016): scores and orders of systems as lists are evaluated deeper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from truerank.data.errors import InputError
from truerank.data.printing import counted, percent
from truerank.io.runs import Named
from truerank.measures.grammar import parse
from truerank.questions.depth.answer import Curves, Stability
from truerank.questions.depth.question import RULES as DEPTH_RULES
from truerank.questions.depth.question import depth
from truerank.questions.depth.section import only
from truerank.questions.pool.answer import Pools
from truerank.questions.pool.question import pools
from truerank.questions.reproduce.data import PaperData
from truerank.questions.reproduce.paper import (
    Check,
    Exhibit,
    Made,
    Paper,
    PaperClaim,
    PaperFigure,
    checked,
    in_each,
    untold,
)
from truerank.report.table import Cell, Column, Table
from truerank.statistics.level import EQUAL

if TYPE_CHECKING:
    from truerank.data.arrays import Floats

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
SHALLOW = 10
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
    def pools(self) -> Pools:
        """Which runs the judgments were pooled from."""
        return pools(self.qrels, self.runs, engine=self.engine, progress=self.progress)

    @cached_property
    def contributors(self) -> list[Named]:
        """The runs whose documents down to the depth of the pool are in it; all of them where there is no depth."""
        left_out = {part.run for part in self.pools.parts if part.contributes is False}
        found = [one for one in self.runs if one.name not in left_out]
        return found if len(found) > 1 and self.pools.depth is not None else [*self.runs]

    @cached_property
    def curves(self) -> Curves:
        """The scores at every depth, as they are and without unjudged documents."""
        measures = (*MEASURES, "RR", STANDARD, BY_POOL)
        known = self.pools.depth is not None
        return depth(self.qrels, self.runs, measures, condensed=True, contributors=known, **self.asked(DEPTH_RULES))

    @cached_property
    def variants(self) -> Curves:
        """AP' and AP'' at every depth."""
        return replace(only(self.curves, STANDARD, BY_POOL), condensed=None)

    def stability(self, *, condensed: bool = False) -> dict[str, Stability]:
        """How stable the order of runs is, by measure."""
        self.several()
        found = self.curves.condensed if condensed else self.curves
        assert found is not None
        return {one.measure: one for one in found.stability()}

    @property
    def to(self) -> str:
        """How many runs there are, and how deep the pool is."""
        return f"{counted(len(self.contributors), 'run')}"


def called(measure: str) -> str:
    """What the paper calls a measure.

    >>> called("AP(norm='min')"), called("Q(norm='min')"), called("RBP")
    ('AP', 'QM(1)', 'RBP(0.8)')
    """
    return _CALLED.get(measure, measure)


# Exhibits.


def table_1(data: Sequence[LuData]) -> Made:
    """The collections: topics, depth of the pool, and how many runs made it."""
    columns = (
        Column("collection", whole=True),
        Column("queries", whole=True),
        Column("d", number=True, meaning="depth of the pool"),
        Column("runs", number=True, meaning="runs that contributed to the pool"),
        Column("of", number=True, meaning="runs there are"),
    )
    rows: list[tuple[Cell, ...]] = []
    words = []
    for one in data:
        found = one.pools
        every = [text.decode("utf-8", "replace") for text in one.qrels.topics]
        deep = "none to be seen" if found.depth is None else _deep(found)
        rows.append((one.name, f"{every[0]}-{every[-1]}", deep, len(one.contributors), len(one.runs)))
        if found.depth is None:
            words.append(f"{one.name}: which runs contributed cannot be told, so that all are taken.")
    rows += [(f"{name} (paper)", topics, deep, runs, None) for name, topics, deep, runs in COLLECTIONS]
    caption = "Collections: topics, depth of the pool, and runs that contributed to it"
    return Made(tables=(Table(columns, tuple(rows), caption=caption),), words=tuple(words))


def _deep(found: Pools) -> str:
    deeper = found.deepest is not None and found.depth is not None and found.deepest > found.depth
    return f"{found.depth}+" if deeper else str(found.depth)


def figures_1_to_4(data: Sequence[LuData]) -> Made:
    """Five measures at every depth, a figure a collection."""
    figures = []
    for one in data:
        found = only(one.curves, *MEASURES)
        said = (
            f"{one.name}: {', '.join(map(called, MEASURES))} of {one.to} at depths 1 to {found.max_depth}, a row each; "
            "left with unjudged documents as not relevant, right without them. In colour are the best and the worst "
            "run at the last depth, and those at the quartiles."
        )
        figures.append(PaperFigure(found.plot, said, one.name))
    return Made(figures=tuple(figures), tables=tuple(_stabilities(data)))


def _stabilities(data: Sequence[LuData]) -> Iterator[Table]:
    """What the figures show, in numbers: how soon orders of systems settle."""
    for one in data:
        if len(one.contributors) < 2:
            continue
        columns = (
            Column("measure", whole=True),
            Column("unjudged documents", whole=True),
            Column("settled from depth", number=True),
            *(Column(f"tau at {depth}", number=True) for depth in _depths(one.curves)),
            Column("crossings", number=True, meaning="pairs of runs that change places from one depth to the next"),
        )
        rows: list[tuple[Cell, ...]] = []
        for condensed in (False, True):
            found = one.stability(condensed=condensed)
            for measure in MEASURES:
                taus = [found[measure].at(depth)["tau"] for depth in _depths(one.curves)]
                kind = "taken out" if condensed else "not relevant"
                rows.append((called(measure), kind, found[measure].settled, *taus, found[measure].crossings))
        caption = f"{one.name}: agreement of the order of systems at a depth with that at {one.curves.max_depth}"
        yield Table(columns, tuple(rows), caption=caption)


def _depths(curves: Curves) -> list[int]:
    return [depth for depth in (1, 5, 10, 20, 100, 300) if depth < curves.max_depth]


def figure_5(data: Sequence[LuData]) -> Made:
    """AP' and AP'' at every depth, a figure a collection."""
    return Made(
        figures=tuple(
            PaperFigure(
                one.variants.plot,
                f"{one.name}: AP divided by all relevant documents (AP'), and by those that pooling to depth k would "
                f"have found (AP''), of {one.to} at depths 1 to {one.variants.max_depth}.",
                one.name,
            )
            for one in data
        )
    )


def section_4(data: Sequence[LuData]) -> Made:
    """What the paper announces: agreement and discrimination over depths, and findings that are overturned."""
    tables, figures = [], []
    for one in data:
        one.several()
        depths = _depths(one.curves)
        columns = (
            Column("measure", whole=True),
            *(
                Column(f"{what} at {depth}", number=True, form="share")
                for what in ("pairs that differ", "overturned")
                for depth in depths[1::2]
            ),
        )
        rows: list[tuple[Cell, ...]] = []
        for measure in MEASURES:
            found = [one.stability()[measure].at(depth) for depth in depths[1::2]]
            shares = [row[what] for what in ("discrimination", "overturned") for row in found]
            rows.append((called(measure), *shares))
        last = one.curves.max_depth
        caption = f"{one.name}: pairs of systems that differ by a t-test, and such findings of another sign at {last}"
        tables.append(Table(columns, tuple(rows), caption=caption))
        said = f"{one.name}: agreement with the last order, and pairs that differ, by depth; one line per measure."
        figures.append(PaperFigure(replace(only(one.curves, *MEASURES), condensed=None).plot_stability, said, one.name))
    return Made(tables=tuple(tables), figures=tuple(figures))


# Claims.


def _falls(means: Floats) -> int:
    """How many steps to the next depth take a score down."""
    return int((np.diff(means, axis=1) < -EQUAL).sum())


def _steps(curves: Curves, measures: Sequence[str]) -> dict[str, int]:
    return {measure: _falls(curves.means(measure)) for measure in measures}


def _told(numbers: dict[str, int]) -> str:
    return ", ".join(f"{called(measure)} {count:,}" for measure, count in numbers.items())


def _of(curves: Curves) -> str:
    return f"of {len(curves) * (curves.max_depth - 1):,} steps"


def utility_rises(one: LuData) -> Check:
    """Scores by RBP and ERR never fall."""
    found = _steps(one.curves, UTILITY)
    return checked(not any(found.values()), f"falling steps {_told(found)}, {_of(one.curves)}")


def recall_moves(one: LuData) -> Check:
    """Scores by AP, nDCG and Q rise and fall."""
    found = _steps(one.curves, RECALL)
    return checked(all(found.values()), f"falling steps {_told(found)}, {_of(one.curves)}")


def standard_rises(one: LuData) -> Check:
    """Scores by AP' never fall."""
    found = _steps(one.variants, [STANDARD])
    return checked(not any(found.values()), f"falling steps {_told(found)}, {_of(one.variants)}")


def rr_is_calm(one: LuData) -> Check:
    """RR changes once a list at most, and its order settles no later than those of the others."""
    found = one.stability()
    falls = _falls(one.curves.means("RR"))
    settled = {measure: found[measure].settled for measure in ("RR", *RECALL)}
    first = all(settled["RR"] <= settled[measure] for measure in RECALL)
    return checked(first and not falls, f"settled from depth {_told(settled)}; falling steps of RR {falls}")


def _settling(one: LuData, *, condensed: bool) -> tuple[bool, str]:
    found = one.stability(condensed=condensed)
    settled = {measure: found[measure].settled for measure in MEASURES}
    sooner = max(settled[measure] for measure in UTILITY) < min(settled[measure] for measure in RECALL)
    return sooner, f"settled from depth {_told(settled)}"


def utility_is_stabler(one: LuData) -> Check:
    """The orders by RBP and ERR settle before those by AP, nDCG and Q."""
    return checked(*_settling(one, condensed=False))


def shallow_confuses(one: LuData) -> Check:
    """At depth 10, orders by AP, nDCG and Q are not those at the last depth."""
    _deeper_than(one, SHALLOW)
    found = {measure: one.stability()[measure].at(SHALLOW)["tau"] for measure in RECALL}
    said = ", ".join(f"{called(measure)} {tau:.3f}" for measure, tau in found.items())
    return checked(max(found.values()) < STABLE, f"tau of depth {SHALLOW} with {one.curves.max_depth}: {said}")


def utility_is_known_early(one: LuData) -> Check:
    """At depth 10, orders by RBP and ERR are those at the last depth."""
    _deeper_than(one, SHALLOW)
    found = {measure: one.stability()[measure].at(SHALLOW)["tau"] for measure in UTILITY}
    said = ", ".join(f"{called(measure)} {tau:.3f}" for measure, tau in found.items())
    return checked(min(found.values()) >= STABLE, f"tau of depth {SHALLOW} with {one.curves.max_depth}: {said}")


def utility_has_converged(one: LuData) -> Check:
    """Past the depth of the pool, scores by RBP and ERR hardly move."""
    pool = _pooled(one)
    gained = {}
    for measure in UTILITY:
        means = one.curves.means(measure)
        gained[measure] = (means[:, -1] - means[:, pool - 1]) / np.maximum(means[:, -1], EQUAL)
    said = ", ".join(
        f"{called(measure)} {percent(float(shares.mean()))} (at most {percent(float(shares.max()))})"
        for measure, shares in gained.items()
    )
    is_so = all(shares.mean() <= 0.01 for shares in gained.values())
    return checked(is_so, f"part of a score gained past depth {pool}, mean over runs: {said}")


def _deeper_than(one: LuData, depth: int) -> None:
    if one.curves.max_depth <= depth:
        raise InputError(f"lists go down to depth {one.curves.max_depth}, and deeper ones are needed")


def _pooled(one: LuData) -> int:
    pool = one.pools.depth
    if pool is None:
        raise InputError("no depth of the pool is to be seen")
    if pool >= one.curves.max_depth:
        raise InputError(f"lists go down to depth {one.curves.max_depth}, which is not past the pool")
    return pool


def condensed_alters_nothing(one: LuData) -> Check:
    """Without unjudged documents, recall-based scores fall too, and their orders settle later still."""
    assert one.curves.condensed is not None
    falls = _steps(one.curves.condensed, RECALL)
    sooner, said = _settling(one, condensed=True)
    return checked(sooner and all(falls.values()), f"{said}; falling steps {_told(falls)}")


def condensed_settles_late(one: LuData) -> Check:
    """Without unjudged documents, orders by AP, nDCG and Q settle in the hundreds."""
    _deeper_than(one, 100)
    found = one.stability(condensed=True)
    settled = {measure: found[measure].settled for measure in RECALL}
    return checked(min(settled.values()) >= 100, f"settled from depth {_told(settled)}")


def scores_and_orders_differ(one: LuData) -> Check:
    """Measures whose scores move most are not those whose orders do."""
    found = one.stability()
    by_score = sorted(MEASURES, key=lambda measure: float(found[measure].change[1:].sum()))
    by_order = sorted(MEASURES, key=lambda measure: -found[measure].mean_tau)
    said = f"calmest first by scores: {_named(by_score)}; by orders: {_named(by_order)}"
    return checked(by_score != by_order, said)


def _named(measures: Sequence[str]) -> str:
    return ", ".join(map(called, measures))


def perfect_is_one(_: Sequence[LuData]) -> Check:
    """A perfect list scores 1 by AP at any depth, and by AP' only from the depth R on."""
    pool, depths = [1.0] * 10, (1, 5, 10, 20)
    opportunity = [parse(f"{RECALL[0]}@{depth}").of(pool, pool=pool) for depth in depths]
    standard = [parse(f"AP@{depth}").of(pool, pool=pool) for depth in depths]
    said = ", ".join(
        f"{depth}: {one:.2f} and {two:.2f}" for depth, one, two in zip(depths, opportunity, standard, strict=True)
    )
    is_so = all(one == 1 for one in opportunity) and [one < 1 for one in standard] == [True, True, False, False]
    return checked(is_so, f"ten relevant documents, all of them first; AP and AP' at depth {said}")


def variants_meet(one: LuData) -> Check:
    """From the depth of the pool on, AP'' is AP'."""
    pool = _pooled(one)
    if one.pools.explained_relevant < one.pools.relevant:
        held = f"{one.pools.explained_relevant:,} of {one.pools.relevant:,} relevant documents"
        return untold(f"the runs hold {held} within depth {pool}; the others were found by other means")
    standard, by_pool = (one.variants.means(measure) for measure in (STANDARD, BY_POOL))
    apart = np.abs(standard - by_pool)
    past, before = float(apart[:, pool - 1 :].max()), float(apart[:, : pool - 1].max(initial=0.0))
    said = f"largest difference {past:.2g} from depth {pool} on, {before:.3f} before"
    return checked(past <= 1e-9, said)


def standard_crosses_as_much(one: LuData) -> Check:
    """Curves of AP' cross about as often as those of AP, in a tighter range."""
    own = {row.measure: row for row in one.variants.every_stability}
    one.several()
    crossings = {RECALL[0]: one.stability()[RECALL[0]].crossings, STANDARD: own[STANDARD].crossings}
    depth = min(SHALLOW, one.curves.max_depth)
    wide = {
        measure: float(np.ptp(found.means(measure)[:, depth - 1]))
        for measure, found in ((RECALL[0], one.curves), (STANDARD, one.variants))
    }
    close = 0.5 <= crossings[STANDARD] / max(crossings[RECALL[0]], 1) <= 2
    spans = ", ".join(f"{called(measure)} {span:.3f}" for measure, span in wide.items())
    said = f"crossings {_told(crossings)}; scores at depth {depth} span {spans}"
    return checked(close and wide[STANDARD] < wide[RECALL[0]], said)


def variants_are_no_better(one: LuData) -> Check:
    """The orders by AP' and AP'' settle no sooner than those by RBP and ERR."""
    own = {row.measure: row.settled for row in one.variants.every_stability}
    found = one.stability()
    settled = {STANDARD: own[STANDARD], BY_POOL: own[BY_POOL]} | {each: found[each].settled for each in UTILITY}
    later = min(own[STANDARD], own[BY_POOL]) > max(settled[each] for each in UTILITY)
    return checked(later, f"settled from depth {_told(settled)}")


def shallow_pools_are_worse(data: Sequence[LuData]) -> Check:
    """Orders are less stable where the pool is shallow and the collection large."""
    known = [one for one in data if one.pools.depth is not None and len(one.contributors) > 1]
    deep = [one for one in known if (one.pools.depth or 0) >= 100]
    shallow = [one for one in known if (one.pools.depth or 0) <= 20]
    if not deep or not shallow:
        return untold("needs a collection pooled to 100 or deeper, and one pooled to 20 or less")
    means = {one.name: float(np.mean([one.stability()[measure].mean_tau for measure in RECALL])) for one in known}
    said = ", ".join(f"{one.name} (pool {one.pools.depth}) {means[one.name]:.3f}" for one in (*deep, *shallow))
    is_so = max(means[one.name] for one in shallow) < min(means[one.name] for one in deep)
    return checked(is_so, f"mean tau with the last order, of AP, NDCG and QM: {said}")


_SETTLED = "settled: tau with the order at the last depth stays at .95 or more"
PAPER = Paper(
    name="lu",
    authors="Lu, Moffat & Culpepper (2016)",
    title="Observed Volatility in Effectiveness Metrics",
    cited="X. Lu, A. Moffat and J. S. Culpepper, 2016.",
    data=LuData,
    exhibits=(
        Exhibit(
            number="Table 1",
            shows="The collections: topics, how deep they were pooled, and how many runs made the pool.",
            command="truerank pool QRELS RUN...",
            make=table_1,
            prints="two of news (d = 100; 42 and 25 runs) and two of the web (d = 12+ and 20; 32 and 21 runs)",
        ),
        Exhibit(
            number="Figures 1-4",
            shows="Five measures at every depth of evaluation, one line per contributing run, the depth of the pool "
            "dashed; left as usual, right without unjudged documents. A figure a collection.",
            command="truerank depth QRELS RUN... --contributors --condensed --plot depth.svg",
            make=figures_1_to_4,
            prints="curves only, on four TREC collections",
        ),
        Exhibit(
            number="Figure 5",
            shows="AP divided by all relevant documents (AP'), and by those that a pool of depth k has (AP'').",
            command="truerank depth QRELS RUN... --contributors -m \"AP AP(norm='pool')\" --plot figure5.svg",
            make=figure_5,
            prints="curves only; both columns are the same to the right of the pool's depth",
        ),
        Exhibit(
            number="Section 4",
            shows="What the paper announces as next: Kendall's tau and discrimination over depths, and findings that "
            "are overturned. For each depth of a pool, too, by depth --grid.",
            command="truerank depth QRELS RUN... --contributors --grid --plot-grid grid.svg",
            make=section_4,
            prints="nothing yet: the measurements had begun",
        ),
    ),
    claims=(
        PaperClaim(
            where="1",
            says="By reciprocal rank, scores and orders of systems are stable.",
            check=in_each(rr_is_calm),
            rule=f"scores never fall, and the order settles no later than by AP, NDCG and QM; {_SETTLED}",
        ),
        PaperClaim(
            where="3, NewsWire",
            says="Scores by the utility-based RBP and ERR can only rise with depth.",
            check=in_each(utility_rises),
        ),
        PaperClaim(
            where="3, NewsWire",
            says="Scores by the recall-based AP, NDCG and QM rise and fall with depth.",
            check=in_each(recall_moves),
        ),
        PaperClaim(
            where="3, NewsWire",
            says="Orders of systems are more stable by the utility-based measures than by the recall-based.",
            check=in_each(utility_is_stabler),
            rule=f"RBP and ERR settle before AP, NDCG and QM; {_SETTLED}",
        ),
        PaperClaim(
            where="3, NewsWire",
            says="Evaluation to depth 10 or less gives confused signals by recall-based measures.",
            check=in_each(shallow_confuses),
            rule=f"tau below {STABLE:g} with the order at the last depth",
        ),
        PaperClaim(
            where="3",
            says="How scores move need not be how orders move.",
            check=in_each(scores_and_orders_differ),
            rule="measures from calm to volatile are not in the same order by both",
        ),
        PaperClaim(
            where="3, ClueWeb",
            says="With shallow pools of a large collection, orders by recall-based measures are less stable.",
            check=shallow_pools_are_worse,
            rule="mean tau with the last order is below that of all deeply pooled collections",
        ),
        PaperClaim(
            where="3, Recall v. utility",
            says="Scores by RBP and ERR have largely converged at the depth of the pool.",
            check=in_each(utility_has_converged),
            rule="on average runs gain at most 1% of their score past it",
        ),
        PaperClaim(
            where="3, Recall v. utility",
            says="By RBP and ERR, depth 10 tells the order at depth 1,000.",
            check=in_each(utility_is_known_early),
            rule=f"tau {STABLE:g} or more",
        ),
        PaperClaim(
            where="3, Condensed",
            says="Taking unjudged documents out changes none of this.",
            check=in_each(condensed_alters_nothing),
            rule="recall-based scores still rise and fall, and their orders still settle later",
        ),
        PaperClaim(
            where="3, Condensed",
            says="Without unjudged documents, recall-based measures settle at depths in the hundreds.",
            check=in_each(condensed_settles_late),
            rule="all three settle at 100 or deeper",
        ),
        PaperClaim(
            where="3, eq. 1 and 2",
            says="A perfect list has an AP of 1 at every depth, and an AP' of 1 from depth R on.",
            check=perfect_is_one,
            needs_runs=False,
        ),
        PaperClaim(
            where="3, eq. 2",
            says="Scores by AP' never fall with depth.",
            check=in_each(standard_rises),
        ),
        PaperClaim(
            where="3, Figure 5",
            says="Curves of AP' cross as often as those of AP, and lie closer together.",
            check=in_each(standard_crosses_as_much),
            rule="half to twice as many crossings; a smaller span of scores at depth 10",
        ),
        PaperClaim(
            where="3, Figure 5",
            says="AP'' is AP' from the depth of the pool on.",
            check=in_each(variants_meet),
        ),
        PaperClaim(
            where="3, Figure 5",
            says="Neither way of dividing AP makes it as stable as the utility-based measures.",
            check=in_each(variants_are_no_better),
            rule=f"AP' and AP'' settle later than RBP and ERR; {_SETTLED}",
        ),
    ),
)
