"""Amigó, Mizzaro & Spina (SIGIR 2022): which measures are fit for lists that systems may end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property

from truerank.data.printing import counted, named, percent
from truerank.measures.grammar import parse
from truerank.questions.calibrate.answer import Calibration
from truerank.questions.calibrate.question import calibrate
from truerank.questions.choose.guide import Guide
from truerank.questions.choose.question import choose
from truerank.questions.collections import beside
from truerank.questions.meta.answer import PUBLISHED, Meta
from truerank.questions.meta.question import RULES as META_RULES
from truerank.questions.meta.question import meta
from truerank.questions.properties.answer import Verdict, Verdicts
from truerank.questions.properties.question import properties
from truerank.questions.reproduce.data import PaperData
from truerank.questions.reproduce.paper import (
    Beside,
    Check,
    Made,
    Paper,
    PaperClaim,
    PaperFigure,
    by_hand,
    checked,
    exhibit,
    listed,
    numbered,
    of_all,
    texts,
    untold,
)
from truerank.questions.truncate.against import Against
from truerank.questions.truncate.answer import Cuts
from truerank.questions.truncate.published import EFFORT, ONCE, SAME, TAU, TERMINAL, Statement
from truerank.questions.truncate.question import RULES as CUT_RULES
from truerank.questions.truncate.question import truncate
from truerank.questions.truncate.words import share
from truerank.report.table import Cell, Column, Table

OIE, F = "OIE(size=20000)", "F"
LISTS = {"A": "1" * 10, "B": "1" * 10 + "0" * 10, "C": "1" * 10 + "0" * 9 + "1"}
"""The lists of the introduction."""
STANDARD, AWARE = ("AP", "nDCG", "RBP"), ("RBPU(p=0.98)", "FlatU", "DCGU", OIE)
FIGURE_1 = ("RBU", "RBU(p=0.9)", "RBU(p=0.98)", "DCGU", "ERRU", "RBPU", "RBPU(p=0.9)", "RBPU(p=0.98)", "RBPU(p=0.99)")
LIST = "0^10 1^90"
"""The list of figure 1: ten documents of no use, then nothing but relevant ones."""
SIZES = (1_000, 20_000, 10**9)
BETA = 1.05
FEWEST = 33
"""Systems of the paper's smallest collection."""
SEVEN = (
    *("Priority", "Top-weightedness", "Deepness threshold", "Shallowness threshold"),
    *("Confidence", "Recall", "Redundancy"),
)


class AmigoData(PaperData):
    """A collection: where its lists are best cut, and what measures cover."""

    @cached_property
    def cuts(self) -> Cuts:
        """The best length of every list by the paper's measures, with whole lists to hold them against."""
        return truncate(self.qrels, self.runs, against="published", published=True, **self.asked(CUT_RULES))

    @cached_property
    def meta(self) -> Meta:
        """What measures cover of lists cut at 100."""
        return meta(self.qrels, self.runs, published=True, splits=20, **self.asked(META_RULES))


@cache
def verdicts() -> Verdicts:
    """The properties of the measures of table 1, searched for once."""
    return properties(published=True)


@cache
def lengths() -> Calibration:
    """The list of figure 1, cut at every length."""
    return calibrate(FIGURE_1, ranking=LIST)


def joined(data: Sequence[AmigoData]) -> Cuts:
    """What was found of all collections, as one answer."""
    return beside([replace(one.cuts, collection=one.name) for one in data]) if len(data) > 1 else data[0].cuts


def of_measures(cuts: Cuts, measures: Sequence[str]) -> Cuts:
    """The same of some measures."""
    return replace(
        cuts,
        wanted=tuple(one for one in cuts.wanted if str(one) in measures),
        found=tuple(one for one in cuts.found if one.measure in measures),
        also=tuple(of_measures(one, measures) for one in cuts.also),
    )


def score(measure: str, ranking: str, relevant: int) -> float:
    """The score of a list of ones and zeros."""
    return parse(measure).of([float(grade) for grade in ranking], pool=[1.0] * relevant)


_RULED = "of several collections, means over them"


# Exhibits.


@exhibit(
    "Section 1, example",
    command='truerank reproduce amigo --exhibit "Section 1, example"',
    prints="no numbers: by AP, NDCG and RBP the first two are equal",
    needs_runs=False,
)
def example(_: Sequence[AmigoData]) -> Made:
    """Ten relevant documents; the same with ten others after them; the same with a relevant one last."""
    rows = tuple(
        (measure, *(f"{score(measure, ranking, 11):.4f}" for ranking in LISTS.values()))
        for measure in (*STANDARD, *AWARE)
    )
    columns = (*texts("measure"), *numbered(*LISTS))
    caption = "A: ten relevant documents; B: the same and ten others; C: B with a relevant one last; eleven in all"
    return Made(tables=(Table(columns, rows, caption=caption),))


@exhibit(
    "Table 1",
    command="truerank properties --published",
    prints="ticks for 24 measures, which stand beside ours as Y, N or ?",
    needs_runs=False,
)
def table_1(_: Sequence[AmigoData]) -> Made:
    """Which of seven formal properties measures have, with the paper's claims beside."""
    found = verdicts()
    return Made(
        tables=(Table(*_plain(found.table("verdicts"))),),
        words=tuple(
            f"{one.measure}, {one.property}: claimed {one.paper}, here {one.word}: {one.witness}." for one in _refuted()
        ),
    )


def _plain(table: Table) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...], str]:
    return table.columns, table.rows, table.caption


@exhibit(
    "Figure 1",
    command=f'truerank calibrate -m "{" ".join(FIGURE_1)}" --ranking "{LIST}" --plot figure1.svg',
    prints="curves only, scaled in the same way",
    needs_runs=False,
)
def figure_1(_: Sequence[AmigoData]) -> Made:
    """A list that begins with ten documents of no use, scored at every length by measures with an effort."""
    said = (
        "A list of ten documents without relevance and then only relevant ones, cut after each document: scores by "
        "measures with an effort of 1/20, over their largest magnitude."
    )
    best = lengths().by_length().best
    rows = tuple((measure, best[measure]) for measure in FIGURE_1)
    table = Table((*texts("measure"), *numbered("best length")), rows, caption="Where each would cut it")
    return Made(figures=(PaperFigure(lengths().plot, said),), tables=(table,))


@exhibit(
    "Figure 2",
    command="truerank truncate QRELS RUN... --tolerance 0 --show bins --plot figure2.svg",
    prints="curves only, means over nine TREC collections; shares that the text gives are among the claims",
)
def figure_2(data: Sequence[AmigoData]) -> Made:
    """Lists by the length at which they score best, one line per measure."""
    found = of_measures(joined(data), (*EFFORT, *TERMINAL, OIE, F))
    said = (
        "Share of lists whose best length is in each bin, one line per measure, in panels by what makes a measure know "
        "where a list ends; relevant documents of topics in each."
    )
    table = found.table("bins")
    return Made(figures=(PaperFigure(found.plot, said),), tables=(Table(*_plain(table)),))


@exhibit(
    "Table 2",
    command="truerank truncate QRELS RUN... --against published --published",
    prints="154 taus, means over nine TREC collections, which stand beside ours",
)
def table_2(data: Sequence[AmigoData]) -> Made:
    """Kendall's tau between systems by whole lists (rows) and by lists at their best length (columns)."""
    found = _against(data)
    cuts = [
        cut
        for cut in found.cut_measures
        if cut in (*TERMINAL, *ONCE) or any((full, cut) in TAU for full in found.whole_measures)
    ]
    numbers = [
        Beside(f"{full}, whole", f"{cut}, cut", found.tau(full, cut), TAU.get((full, SAME.get(cut, cut))))
        for full in found.whole_measures
        for cut in cuts
    ]
    tables = []
    for family in ([*TERMINAL], [*ONCE], [cut for cut in cuts if cut not in (*TERMINAL, *ONCE)]):
        some = [cut for cut in family if cut in cuts]
        rows: list[tuple[Cell, ...]] = [
            (full, *(_beside(found.tau(full, cut), TAU.get((full, SAME.get(cut, cut)))) for cut in some))
            for full in found.whole_measures
        ]
        columns = (*texts("whole lists by"), *numbered(*(SAME.get(cut, cut) for cut in some)))
        once = " with one terminal document" if some[0] in ONCE else ""
        several = f"mean over {counted(len(data), 'collection')} of " if len(data) > 1 else ""
        caption = f"{several}Kendall's tau, lists cut by{once or ' these measures'} in columns; the paper's in brackets"
        tables.append(Table(columns, tuple(rows), caption=caption[0].upper() + caption[1:]))
    return Made(tables=tuple(tables), numbers=tuple(numbers))


def _beside(here: float, paper: float | None) -> str:
    told = "undefined" if math.isnan(here) else f"{here:.2f}"
    return told if paper is None else f"{told} ({paper:.2f})"


@exhibit(
    "Figure 3",
    command="truerank truncate QRELS RUN... --against published --scatter figure3.svg",
    prints="one dot per system of nine TREC collections",
)
def figure_3(data: Sequence[AmigoData]) -> Made:
    """Systems by whole lists against systems by lists cut at their best length, four panels."""
    found = _against(data)
    said = (
        "Systems by whole lists (RBPU by cut ones) against OIE of lists cut at their best length, four panels, a "
        "colour a collection."
    )
    return Made(figures=(PaperFigure(found.scatter, said),))


def _against(data: Sequence[AmigoData]) -> Against:
    data[0].several()
    found = joined(data).against
    assert found is not None
    return found


@exhibit(
    "Table 3",
    command="truerank meta QRELS RUN... --published",
    prints="16 numbers from OIE (.921) to RR (.249), means over nine TREC collections",
)
def table_3(data: Sequence[AmigoData]) -> Made:
    """How far improvements by a measure are improvements by P@10, R@100 and RR at once, lists cut at 100."""
    means = coverage(data)
    by_name = {one.name: {row.measure: row.coverage for row in one.meta.covered} for one in data}
    numbers = [
        Beside(measure, "Cov", by_name[one.name][measure], PUBLISHED[measure], one.name)
        for one in data
        for measure in means
    ]
    several = numbered("mean") if len(data) > 1 else ()
    columns = (
        *texts("measure"),
        *numbered(*(one.name for one in data)),
        *several,
        *numbered("paper"),
    )
    rows: list[tuple[Cell, ...]] = []
    for measure in sorted(means, key=lambda one: -means[one]):
        mean = (means[measure],) if len(data) > 1 else ()
        rows.append((measure, *(by_name[one.name][measure] for one in data), *mean, PUBLISHED[measure]))
    caption = "Coverage of P@10, R@100 and RR by measures of lists cut at 100, the best first"
    return Made(tables=(Table(columns, tuple(rows), caption=caption),), numbers=tuple(numbers))


def coverage(data: Sequence[AmigoData]) -> dict[str, float]:
    """The mean coverage of each measure over the collections."""
    found: dict[str, list[float]] = {}
    for one in data:
        for row in one.meta.covered:
            found.setdefault(row.measure, []).append(row.coverage)
    return {measure: sum(each) / len(each) for measure, each in found.items()}


@exhibit(
    "Figure 4",
    command="truerank choose --show guide --plot guide.svg",
    prints="a tree of the same questions; where ours ends in another measure, both stand in the row",
    needs_runs=False,
)
def figure_4(_: Sequence[AmigoData]) -> Made:
    """The guide: questions about readers, systems and judgments that end in a measure."""
    table = Guide().table("guide")
    said = "The guide as a tree: questions, answers, and the measure that each way ends in."
    figures = (PaperFigure(Guide().plot, said),)
    return Made(
        tables=(Table(*_plain(table)),),
        figures=figures,
        words=("Each row is a way through the guide, and where it ends.",),
    )


# Claims.


def _refuted() -> list[Verdict]:
    return [one for one in verdicts().verdicts if one.agrees is False]


@by_hand("1")
def ends_are_not_seen() -> Check:
    """By AP, NDCG and RBP a useless end costs nothing, and a late hit always pays."""
    found = {each: [score(each, ranking, 11) for ranking in LISTS.values()] for each in STANDARD}
    return checked(all(a == b and c > a for a, b, c in found.values()), f"A, B, C: {_lists(found)}")


@by_hand("1, 3.3, 3.4")
def ends_are_seen() -> Check:
    """Measures with an effort and OIE prefer a list without a useless end."""
    found = {each: [score(each, ranking, 11) for ranking in LISTS.values()] for each in AWARE}
    return checked(all(a > b for a, b, _ in found.values()), f"A, B, C: {_lists(found)}")


def _lists(found: Mapping[str, Sequence[float]]) -> str:
    return "; ".join(f"{each} {', '.join(f'{one:.4f}' for one in scores)}" for each, scores in found.items())


@by_hand("3, Table 1", rule="a search through all short rankings and some longer ones")
def table_1_is_right() -> Check:
    """Which of the seven properties the measures have."""
    claimed = [one for one in verdicts().verdicts if one.claimed]
    confirmed, refuted = (sum(one.agrees is so for one in claimed) for so in (True, False))
    depend = len(claimed) - confirmed - refuted
    said = f"{confirmed} of {len(claimed)} confirmed, {refuted} refuted with a witness, {depend} depend on the reading"
    return checked(not refuted, said)


@by_hand("3, 6", rule="a search through all short rankings and some longer ones")
def only_oie_has_all() -> Check:
    """OIE has all seven properties, and no other measure has."""
    found = verdicts()
    every = [measure for measure, held in found.items() if all(held[name].holds for name in SEVEN)]
    own = found[OIE]
    lacks = [f"{name} ({own[name].word}: {own[name].witness})" for name in SEVEN if not own[name].holds]
    said = f"OIE lacks {'; '.join(lacks)}" if lacks else "OIE has all"
    others = [measure for measure in every if measure != OIE]
    return checked(every == [OIE], f"{said}; others with all: {named(others) if others else 'none'}")


@by_hand("3.2")
def terminal_has_confidence() -> Check:
    """Measures with a terminal document have Confidence."""
    return _has(("nDCGT", "ERRT", "RBPT"), "Confidence")


@by_hand("3.3")
def effort_has_confidence() -> Check:
    """Measures with an effort have Confidence."""
    return _has(("FlatU", "RBU", "DCGU", "ERRU", "RBPU"), "Confidence")


def _has(measures: Sequence[str], name: str) -> Check:
    found = {measure: verdicts()[measure][name] for measure in measures}
    said = listed({measure: one.word for measure, one in found.items()})
    lacking = [f"{measure}: {one.witness}" for measure, one in found.items() if not one.holds]
    return checked(not lacking, "; ".join([f"{name}: {said}", *lacking]))


@by_hand("3.3", rule="by each of the five measures")
def a_hit_pays_for_twenty() -> Check:
    """With e = 1/20, a relevant document at rank 1 is worth the effort of 20 documents."""
    found = calibrate(("FlatU", "RBPU", "DCGU", "RBU", "ERRU"))
    pays = {measure: one.pays_for_last for measure, one in found.items()}
    said = ", ".join(
        f"{measure} {'any number' if found[measure].pays_for_any else last}" for measure, last in pays.items()
    )
    return checked(all(last == 20 for last in pays.values()), f"documents that the hit pays for: {said}")


@by_hand("3.4.2")
def beta_is_silence_at_twenty() -> Check:
    """With beta = 1.05, the only relevant document at rank 20 is as good as nothing."""
    [meaning] = calibrate(f"OIE(beta={BETA},size=20000)").values()
    said = f"with beta {BETA} it is at least as good down to rank {meaning.silence_at_last}"
    return checked(
        meaning.silence_at_last == 20, f"{said}; rank 20 takes beta {_beta(20_000):.4f}, of 20,000 documents"
    )


@by_hand("3.4.2", rule="the beta of that meaning moves by less than 0.01 from a thousand to a billion documents")
def size_matters_little() -> Check:
    """The size of the collection matters little to OIE."""
    found = {size: _beta(size) for size in SIZES}
    said = ", ".join(f"{size:,}: {beta:.4f}" for size, beta in found.items())
    return checked(
        max(found.values()) - min(found.values()) < 0.01, f"beta that makes rank 20 equal silence, by size {said}"
    )


def _beta(size: int) -> float:
    [meaning] = calibrate("OIE", silence_at=20, size=size).values()
    return meaning.value if meaning.value is not None else math.nan


@by_hand("3.3, Figure 1")
def the_impatient_never_start() -> Check:
    """Impatient measures never forgive ten useless documents, but for RBU with p = .98."""
    best = lengths().by_length().best
    some = ("ERRU", "RBPU", "RBU", "RBU(p=0.9)", "RBU(p=0.98)")
    said = listed({measure: best[measure] for measure in some})
    return checked(all((best[each] > 0) == (each == "RBU(p=0.98)") for each in some), f"best lengths {said}")


@by_hand("3.3, Figure 1")
def redundancy_sets_in() -> Check:
    """RBU with p = .98 falls again after rank 15."""
    measure = "RBU(p=0.98)"
    curves = lengths().by_length()
    steps = curves[measure][1:] - curves[measure][:-1]
    rises = int((steps[15:] >= 0).sum())
    said = f"its best length is {curves.best[measure]}; of the {len(steps) - 15} documents past 15, {rises} add to it"
    return checked(steps[10] > 0 and not rises, said)


@by_hand("Figure 1", rule="at most 0.1 apart")
def two_are_alike() -> Check:
    """The curves of DCGU and of RBPU with p = .98 coincide."""
    curves = lengths().by_length()
    own = curves.scaled("DCGU")
    apart = {each: float(abs(own - curves.scaled(each)).max()) for each in FIGURE_1 if each.startswith("RBPU")}
    said = listed(apart, ".3f")
    return checked(apart["RBPU(p=0.98)"] < 0.1, f"largest distance of DCGU from {said}")


@by_hand("5, Figure 4", rule="for lists whose length counts, with recall and without redundancy")
def guide_keeps_its_word() -> Check:
    """The guide ends in measures that have what was asked for."""
    found = choose(length=True, top=True, recall=True, redundancy=False, published=True)
    lacking = [verdict.property for verdict in found.lacking]
    said = (
        f"for recall without redundancy it has {found.figure}, which lacks {named(lacking)}" if lacking else "it does"
    )
    return checked(not lacking, said)


def told_share(every: Sequence[Cuts], measure: str, low: int, high: int) -> float:
    """The share of lists whose best length is from one length to another: the mean over collections.

    Where no length scores more than silence nor less, as in lists without a relevant document, silence is not best.
    """
    shares = []
    for cuts in every:
        hits, lists = 0, 0
        for cut in cuts.cuts(measure).values():
            told = (cut.length > 0) | ((cut.length == 0) & (cut.loss > 0))
            hits += int((told & (cut.length >= low) & (cut.length <= high)).sum())
            lists += int((cut.length >= 0).sum())
        shares.append(hits / lists if lists else math.nan)
    return sum(shares) / len(shares)


def _undecided(cuts: Cuts, measure: str) -> float:
    """The share of lists in which all lengths score alike."""
    found = [(cut.length == 0) & (cut.loss == 0) for cut in cuts.cuts(measure).values()]
    lists = sum(len(cut.lengths) for cut in cuts.cuts(measure).values())
    return sum(int(one.sum()) for one in found) / lists if lists else 0.0


def statement(
    of: str, measures: tuple[str, ...], low: int, high: int, least: float, most: float
) -> PaperClaim[AmigoData]:
    """A share of lists whose best length is from one length to another, between two bounds by each measure."""

    def check(data: Sequence[AmigoData]) -> Check:
        every = joined(data).every_collection
        found = {measure: told_share(every, measure, low, high) for measure in measures}
        known = {measure: one for measure, one in found.items() if one == one}
        if not known:
            return untold("no list has a best length")
        said = listed(known, percent)
        lost = sum(_undecided(one, measures[0]) for one in every) / len(every)
        if low == 0 and lost:
            said += f"; without the {percent(lost)} of lists in which all lengths score alike"
        return checked(all(least <= one <= most for one in known.values()), said)

    bounds = f"{percent(least)} to {percent(most)}" if least else f"at most {percent(most)}"
    return PaperClaim(
        where="4.2, Figure 2",
        says=_STATED[of, low, high],
        check=check,
        rule=f"{bounds} of lists, by every measure; of several collections, on average",
    )


_STATED = {
    ("effort", 0, 0): "By measures with an effort, returning nothing is best for 20 to 30% of lists.",
    ("OIE", 0, 0): "By OIE, returning nothing is best for about 10% of lists.",
    ("F", 0, 0): "By F, returning nothing is never best.",
    ("terminal", 0, 0): "With a terminal document, returning nothing is almost never best.",
    ("terminal", 0, 9): "With a terminal document, few lists are best cut before rank 10.",
    ("ERRU and RBU", 1, 4): "By ERRU and RBU, 30% of lists are best cut at 1 to 4 documents.",
    ("all", 0, 99): "By all others, about half of the lists or more are best cut well before rank 100.",
    ("OIE", 33, 128): "By OIE, most best lengths are from 33 to 128.",
    ("F", 33, 256): "By F, most best lengths are from 33 to 256.",
}


@of_all("4.2, Figure 2", rule="more than half of the lists at 513 or later")
def weak_truncation(data: Sequence[AmigoData]) -> Check:
    """ERRT and NDCGT cut lists late, or not at all."""
    every = joined(data).every_collection
    deep = Statement("", (), 513, 10**9, "")
    found = {measure: share(every, measure, deep) for measure in ("nDCGT", "ERRT")}
    if max(one.longest for one in every) <= 512:
        return untold("no list is longer than 512 documents")
    said = listed(found, percent)
    return checked(all(one > 0.5 for one in found.values()), f"lists best cut past rank 512, or not at all: {said}")


@of_all("4.2, Figure 2", rule="the largest median is twice the smallest or more")
def p_decides(data: Sequence[AmigoData]) -> Check:
    """Where RBPT cuts depends on its p."""
    every = joined(data).every_collection
    found = {measure: [one.summary(measure).median_length for one in every] for measure in TERMINAL[2:]}
    medians = {measure: sum(each) / len(each) for measure, each in found.items()}
    said = listed(medians, ".0f")
    return checked(max(medians.values()) >= 2 * max(min(medians.values()), 1), f"median best length {said}")


@of_all("4.2, Figure 2", rule="Spearman's rho, above that of FlatU and RBPU(p=0.98)")
def lengths_follow_relevance(data: Sequence[AmigoData]) -> Check:
    """Best lengths by OIE and F follow the number of relevant documents; those by utility do less."""
    every = joined(data).every_collection
    found = {}
    for measure in (OIE, F, "FlatU", "RBPU(p=0.98)"):
        rhos = [one.correlation(measure) for one in every]
        found[measure] = sum(rhos) / len(rhos)
    said = listed(found, ".2f")
    return checked(min(found[OIE], found[F]) > max(found["FlatU"], found["RBPU(p=0.98)"]), f"Spearman's rho {said}")


def _taus(data: Sequence[AmigoData], pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
    found = _against(data)
    return {(full, cut): found.tau(full, cut) for full, cut in pairs}


def _told(taus: Mapping[tuple[str, str], float]) -> str:
    return listed({f"{cut} with {full}": tau for (full, cut), tau in taus.items()}, ".2f")


_OWN = {"nDCGT": "nDCG", "ERRT": "ERR", "RBPT": "RBP", "RBPT(p=0.9)": "RBP(p=0.9)", "RBPT(p=0.98)": "RBP(p=0.98)"}


@of_all("4.3, first result", rule="tau 1.00 with the measure without, under one of the two readings")
def terminal_changes_nothing(data: Sequence[AmigoData]) -> Check:
    """With a terminal document, cutting does not change the order of systems."""
    taus = _taus(data, [(full, cut) for cut, full in _OWN.items()])
    once = _taus(data, [(_OWN[SAME[cut]], cut) for cut in ONCE])
    said = f"{_told(taus)}; with one terminal document only: {', '.join(f'{tau:.2f}' for tau in once.values())}"
    return checked(all(tau >= 0.995 for tau in once.values()) or all(tau >= 0.995 for tau in taus.values()), said)


@of_all("4.3, second result", rule=_RULED)
def rbu_leans_to_the_top(data: Sequence[AmigoData]) -> Check:
    """Cut by RBU with p of .9 or .98, systems look more as by ERR or iRBU with p = .8."""
    found = {}
    for p in ("0.9", "0.98"):
        cut = f"RBU(p={p})"
        found[cut] = _taus(data, [(full, cut) for full in (f"iRBU(p={p})", "ERR", "iRBU")])
    is_so = all(max(list(taus.values())[1:]) > next(iter(taus.values())) for taus in found.values())
    return checked(is_so, "; ".join(map(_told, found.values())))


_COUNTERPARTS = (
    ("DCG", "DCGU"),
    ("ERR", "ERRU"),
    ("RBP", "RBPU"),
    ("RBP(p=0.9)", "RBPU(p=0.9)"),
    ("RBP(p=0.98)", "RBPU(p=0.98)"),
)


@of_all("4.3, third result", rule=f"tau from 0.8 to below 1; {_RULED}")
def effort_follows_its_own(data: Sequence[AmigoData]) -> Check:
    """Cut by measures with an effort, systems are much in the order of the measure without."""
    taus = _taus(data, _COUNTERPARTS)
    return checked(min(taus.values()) >= 0.8 and max(taus.values()) < 1, _told(taus))


@of_all("4.3, fourth result", rule=f"tau below 0.8; {_RULED}")
def oie_degrades(data: Sequence[AmigoData]) -> Check:
    """OIE of whole lists agrees with no measure of cut ones."""
    found = _against(data)
    row = {cut: found.tau(OIE, cut) for cut in found.cut_measures if cut not in ONCE}
    return checked(
        max(row.values()) < 0.8,
        f"tau of whole lists by OIE with cut ones: by OIE {row[OIE]:.2f}, at most {max(row.values()):.2f}",
    )


@of_all("4.3, fifth result", rule=f"tau 0.75 or more, as in the table; {_RULED}")
def two_keep_the_order(data: Sequence[AmigoData]) -> Check:
    """Cut by OIE or RBPU with p = .98, systems are in much the order by AP and NDCG of whole lists."""
    taus = _taus(data, [(full, cut) for cut in (OIE, "RBPU(p=0.98)") for full in ("AP", "nDCG")])
    return checked(min(taus.values()) >= 0.75, _told(taus))


@of_all("4.3, Figure 3", rule=f"tau 0.9 or more; {_RULED}")
def oie_is_like_rbp(data: Sequence[AmigoData]) -> Check:
    """Cut by OIE, systems are in the order by RBP with p = .98."""
    taus = _taus(data, [("RBP(p=0.98)", OIE)])
    return checked(min(taus.values()) >= 0.9, _told(taus))


@of_all("4.3, Table 2", rule="as many here, or more")
def taus_are_significant(data: Sequence[AmigoData]) -> Check:
    """Of the taus, 87% are significant at .001 and 90% at .01."""
    found = _against(data)
    if min(one.systems for one in found.taus) < FEWEST:
        return untold(f"needs collections of {FEWEST} systems or more, as the paper's have")
    shares = {level: found.significant(level) for level in (0.001, 0.01)}
    said = ", ".join(f"{percent(one)} at {level:g}" for level, one in shares.items())
    return checked(shares[0.001] >= 0.87 and shares[0.01] >= 0.9, f"{said}; {counted(len(found.taus), 'tau')}")


@of_all("4.4, Table 3", rule=_RULED)
def oie_and_ndcg_cover_most(data: Sequence[AmigoData]) -> Check:
    """OIE and NDCG cover the most aspects."""
    found = coverage(data)
    first = sorted(found, key=lambda one: -found[one])[:3]
    said = listed({measure: found[measure] for measure in (*first, OIE, "nDCG")}, ".3f")
    return checked({*first[:2]} == {OIE, "nDCG"}, said)


@of_all("4.4, Table 3", rule=_RULED)
def redundancy_covers_little(data: Sequence[AmigoData]) -> Check:
    """Measures that punish redundancy cover the fewest, RR by far."""
    found = coverage(data)
    last = sorted(found, key=lambda one: found[one])[:5]
    said = listed({measure: found[measure] for measure in last}, ".3f")
    some = {"RR", "ERR", "iRBU", "iRBU(p=0.9)", "iRBU(p=0.98)"}
    return checked(last[0] == "RR" and {*last} == some, f"the five that cover least: {said}")


@of_all("4.4, Table 3", rule=f"RBP and iRBU with p of .98, .9 and .8; {_RULED}")
def deeper_covers_more(data: Sequence[AmigoData]) -> Check:
    """The deeper a measure looks, the more it covers."""
    found = coverage(data)
    rows = [[f"{name}(p=0.98)", f"{name}(p=0.9)", name] for name in ("RBP", "iRBU")]
    said = "; ".join(listed({each: found[each] for each in row}, ".3f") for row in rows)
    return checked(all(found[a] > found[b] > found[c] for a, b, c in rows), said)


PAPER = Paper(
    name="amigo",
    authors="Amigó, Mizzaro & Spina (2022)",
    title="Ranking Interruptus: When Truncated Rankings Are Better and How to Measure That",
    cited="E. Amigó, S. Mizzaro and D. Spina, SIGIR 2022, doi:10.1145/3477495.3532051.",
    data=AmigoData,
    exhibits=(
        example,
        table_1,
        figure_1,
        figure_2,
        table_2,
        figure_3,
        table_3,
        figure_4,
    ),
    claims=(
        ends_are_not_seen,
        ends_are_seen,
        table_1_is_right,
        only_oie_has_all,
        terminal_has_confidence,
        effort_has_confidence,
        a_hit_pays_for_twenty,
        the_impatient_never_start,
        redundancy_sets_in,
        two_are_alike,
        beta_is_silence_at_twenty,
        size_matters_little,
        statement("effort", EFFORT, 0, 0, 0.2, 0.3),
        statement("OIE", (OIE,), 0, 0, 0.05, 0.15),
        statement("F", (F,), 0, 0, 0.0, 0.0),
        statement("terminal", (*TERMINAL, *ONCE), 0, 0, 0.0, 0.01),
        statement("terminal", (*TERMINAL, *ONCE), 0, 9, 0.0, 0.05),
        statement("ERRU and RBU", ("ERRU", "RBU", "RBU(p=0.9)", "RBU(p=0.98)"), 1, 4, 0.25, 0.35),
        statement("all", (*EFFORT, OIE, F), 0, 99, 0.45, 1.0),
        statement("OIE", (OIE,), 33, 128, 0.5, 1.0),
        statement("F", (F,), 33, 256, 0.5, 1.0),
        weak_truncation,
        p_decides,
        lengths_follow_relevance,
        taus_are_significant,
        terminal_changes_nothing,
        rbu_leans_to_the_top,
        effort_follows_its_own,
        oie_degrades,
        two_keep_the_order,
        oie_is_like_rbp,
        oie_and_ndcg_cover_most,
        redundancy_covers_little,
        deeper_covers_more,
        guide_keeps_its_word,
    ),
)
