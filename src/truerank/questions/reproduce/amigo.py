"""Amigó, Mizzaro & Spina (SIGIR 2022): which measures are fit for lists that systems may end."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

import truerank as tr
from truerank.questions.reproduce.amigo_printed import (
    CLAIMS,
    COVERAGE,
    CUT,
    EFFORT,
    FIGURE_3,
    FIXED,
    FULL,
    OIE,
    ONCE,
    REFERENCE,
    ROWS,
    SAME,
    SEVEN,
    TAU,
    TERMINAL,
    Claim,
    F,
)
from truerank.questions.reproduce.data import ENOUGH, PaperData, systems
from truerank.questions.reproduce.paper import (
    Beside,
    Cell,
    Check,
    Made,
    Paper,
    PaperClaim,
    PaperFigure,
    Table,
    by_hand,
    by_reason,
    checked,
    clearly,
    clearly_above,
    counted,
    defined,
    every,
    exhibit,
    lacking,
    listed,
    named,
    numbered,
    of_all,
    of_those,
    percent,
    texts,
    untold,
)

Floats = npt.NDArray[np.float64]
LISTS = {"A": "1" * 10, "B": "1" * 10 + "0" * 10, "C": "1" * 10 + "0" * 9 + "1"}
"""The lists of the introduction."""
STANDARD, AWARE = ("AP", "nDCG", "RBP"), ("RBPU(p=0.98)", "FlatU", "DCGU", OIE)
FIGURE_1 = ("RBU", "RBU(p=0.9)", "RBU(p=0.98)", "DCGU", "ERRU", "RBPU", "RBPU(p=0.9)", "RBPU(p=0.98)", "RBPU(p=0.99)")
LIST = "0^10 1^90"
"""The list of figure 1: ten documents of no use, then nothing but relevant ones."""
SIZES = (1_000, 20_000, 10**9)
BETA = 1.05
RECALL: Any = {"length": True, "top": True, "recall": True, "redundancy": False}
"""A way through the guide: lists whose length counts, and what was missed, without redundancy."""
FEWEST = 33
"""Systems of the paper's smallest collection."""
LAST_BIN = 512
"""The last lengths of figure 2 are those past it."""
SHORT = 0.05
"""Share of lists that may be shorter than that."""
CLOSE = 0.02
"""Taus and shares that are nearer to a bound of ours do not decide."""
ABOUT = 0.1
"""How far from a share that the paper gives as "about" one may be."""


class AmigoData(PaperData):
    """A collection: where its lists are best cut, and what measures cover."""

    @cached_property
    def cuts(self) -> tr.Cuts:
        """The best length of every list by the paper's measures, with whole lists to hold them against."""
        return tr.truncate(self.qrels, self.runs, CUT, against=FULL, tolerance=0, **self.asked("relevant"))

    @cached_property
    def listed(self) -> npt.NDArray[np.intp]:
        """The length of every list."""
        return np.concatenate([cut.listed for cut in self.cuts.cuts(F).values()])

    @cached_property
    def unscaled(self) -> tr.Cuts:
        """Best lengths by measures of redundancy with grades over the highest, which the paper's scale smooths."""
        grades = sorted({float(grade) for grade in self.qrels.grade if grade > 0})
        gains = ",".join(f"{grade:g}:{grade / grades[-1]:.6g}" for grade in grades)
        measures = [f"{name}(p={p},gains={{{gains}}})" for name, p in (("RBU", "0.98"),)] + [f"ERRU(gains={{{gains}}})"]
        return tr.truncate(self.qrels, self.runs, measures, tolerance=0, **self.asked("relevant"))

    @cached_property
    def coverage(self) -> dict[str, float]:
        """What measures cover of lists cut at 100."""
        asked = {"reference": REFERENCE, "depth": FIXED, "splits": 20, **self.asked("relevant")}
        found = tr.meta(self.qrels, self.runs, [*COVERAGE], **asked)
        return {row.measure: row.coverage for row in found.coverages}


def long_lists(one: AmigoData) -> str:
    """A collection with lists as long as figure 2 goes."""
    middle = int(np.median(one.listed))
    if middle > LAST_BIN:
        return ""
    return f"the median list has {middle} documents, and lengths past {LAST_BIN} are needed"


def fixed_length(one: AmigoData) -> str:
    """A collection whose lists can all be cut at the same rank."""
    short = float((one.listed < FIXED).mean())
    return (
        ""
        if short <= SHORT
        else f"{percent(short)} of the lists are shorter than the {FIXED} documents that are scored"
    )


def relevant_in_all(data: Sequence[AmigoData]) -> bool:
    """Whether every topic has a relevant document."""
    return all(bool((one.cuts.relevant > 0).all()) for one in data)


def able(data: Sequence[AmigoData]) -> tuple[Sequence[AmigoData], tuple[str, ...]]:
    """The collections that the paper's figures can be compared with, or all if none can; and why others are not."""
    reasons = {one.name: lacking(one, (long_lists,)) for one in data}
    kept = [one for one in data if not reasons[one.name]]
    if not kept or len(kept) == len(data):
        return data, ()
    return kept, tuple(f"Left out: {each}, since {reason}." for reason, each in by_reason(reasons).items())


_CALLED = {"nDCG": "NDCG", "nDCGT": "NDCGT", OIE: "OIE", "F": "F-measure", "FlatU": "Flat Utility"}
_PERSISTENT = ("RBP", "RBPU", "RBPT", "RBU", "iRBU")


def called(measure: str) -> str:
    """What the paper calls a measure, its p in brackets.

    >>> called("RBPU"), called("RBPT(p=0.9,ending='terminal-once')"), called("OIE(size=20000)")
    ('RBPU(0.8)', 'RBPT(0.9)', 'OIE')
    """
    name = SAME.get(measure, measure)
    if name in _PERSISTENT:
        return f"{name}(0.8)"
    return _CALLED.get(name, re.sub(r"\(p=([\d.]+)\)", r"(\1)", name))


def names(*measures: str) -> dict[str, str]:
    """What the paper calls measures, by what they are called here and in figures."""
    return {each: called(measure) for measure in measures for each in (measure, tr.parse(measure).label)}


def told(numbers: Mapping[str, float], form: str | Callable[[float], str]) -> str:
    """Numbers by the paper's names of measures."""
    return listed({called(measure): number for measure, number in numbers.items()}, form)


@cache
def verdicts() -> tr.Verdicts:
    """The properties of the measures of table 1, searched for once."""
    return tr.properties([*ROWS.values()], property=SEVEN)


def verdict(claim: Claim) -> tr.Verdict:
    """What was found where the paper has a claim."""
    return verdicts()[ROWS[claim.row]][claim.about]


def agrees(claim: Claim) -> bool | None:
    """Whether a claim is what was found; None where either is open."""
    return claim.agrees(verdict(claim).holds)


@cache
def lengths() -> tr.Calibration:
    """The list of figure 1, cut at every length."""
    return tr.calibrate(FIGURE_1, ranking=LIST)


def score(measure: str, ranking: str, relevant: int) -> float:
    """The score of a list of ones and zeros."""
    return tr.parse(measure).of([float(grade) for grade in ranking], pool=[1.0] * relevant)


_RULED = "of several collections, on average"


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
        (called(measure), *(f"{score(measure, ranking, 11):.4f}" for ranking in LISTS.values()))
        for measure in (*STANDARD, *AWARE)
    )
    columns = (*texts("measure"), *numbered(*LISTS))
    caption = "A: ten relevant documents; B: the same and ten others; C: B with a relevant one last; eleven in all"
    return Made(tables=(Table(columns, rows, caption=caption),))


@exhibit(
    "Table 1",
    command='truerank reproduce amigo --exhibit "Table 1"',
    prints="ticks for 24 measures and seven properties; a cell says if the paper has it otherwise",
    needs_runs=False,
)
def table_1(_: Sequence[AmigoData]) -> Made:
    """Which of seven formal properties measures have, with the paper's claims beside."""
    rows = tuple((row, *(_verdict(one) for one in CLAIMS if one.row == row)) for row in ROWS)
    caption = (
        "yes: in every comparison that was tried; equal: in some, both rankings score the same; no: in some, the wrong "
        "one scores more; some readings: depends on how the property is read; N is 10, p is 0.98, and OIE is of 20,000 "
        "documents"
    )
    return Made(
        tables=(Table((*texts("measure", *SEVEN),), rows, caption=caption),),
        words=tuple(
            f"{one.row}, {one.about}: claimed {one.text} ({one.source}), here {verdict(one).word}: "
            f"{verdict(one).witness}{f'; {one.why}' if one.why else ''}."
            for one in CLAIMS
            if one.has is not None and not agrees(one)
        ),
    )


_VERDICTS = {"strict": "yes", "holds": "yes", "reversed": "no", "fails": "no", "depends": "some readings"}


def _verdict(claim: Claim) -> str:
    """A verdict in a word, and the paper's if that is another."""
    word = verdict(claim).word
    here = _VERDICTS.get(word, word)
    return f"{here} (paper: {claim.text})" if agrees(claim) is False else here


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
    rows = tuple((called(measure), best[measure]) for measure in FIGURE_1)
    table = Table((*texts("measure"), *numbered("best length")), rows, caption="Where each would cut it")
    return Made(figures=(PaperFigure(lengths().plot, said, names=names(*FIGURE_1)),), tables=(table,))


_FIGURE_2 = (*EFFORT, OIE, F, *ONCE)


@exhibit(
    "Figure 2",
    command=f'truerank truncate QRELS RUN... -m "{" ".join(_FIGURE_2)}" --tolerance 0 --show bins --plot figure2.svg',
    prints="curves only, means over nine TREC collections; shares that the text gives are among the claims",
)
def figure_2(data: Sequence[AmigoData]) -> Made:
    """Lists by the length at which they score best, one line per measure, with one terminal document."""
    some, words = able(data)
    first, *others = some
    also = {one.name: (one.qrels, one.runs) for one in others}
    asked = {"name": first.name, "also": also, "tolerance": 0, **first.asked("relevant")}
    found = tr.truncate(first.qrels, first.runs, _FIGURE_2, **asked)
    said = (
        "Share of lists whose best length is in each bin, one line per measure, in panels by what makes a measure know "
        "where a list ends; relevant documents of topics in each."
    )
    table = found.table("bins")
    columns = [column.name for column in table.columns]
    place = columns.index("measure")
    rows = tuple((*row[:place], called(str(row[place])), *row[place + 1 :]) for row in table.rows)
    return Made(
        figures=(PaperFigure(found.plot, said, names=names(*_FIGURE_2)),),
        tables=(Table(table.columns, rows, caption=table.caption),),
        words=words,
    )


@exhibit(
    "Table 2",
    command=f'truerank truncate QRELS RUN... -m "{" ".join(CUT)}" --against "{" ".join(FULL)}" --tolerance 0',
    prints="154 taus, means over nine TREC collections, which stand beside ours",
)
def table_2(data: Sequence[AmigoData]) -> Made:
    """Kendall's tau between systems by whole lists (rows) and by lists at their best length (columns)."""
    some, words = able(data)
    found = _against(some)
    families = {
        "with one terminal document, as the paper's numbers have it": ONCE,
        "with an effort, or by OIE": tuple(cut for cut in found.cut_measures if _paper("AP", cut) and cut not in SAMES),
        "with a terminal document after Liu et al. (2016)": TERMINAL,
    }
    numbers = [
        Beside(f"{full}, whole", f"{cut}, cut", found.tau(full, cut), _paper(full, cut))
        for full in found.whole_measures
        for cuts in families.values()
        for cut in cuts
    ]
    tables = []
    for family, cuts in families.items():
        rows: list[tuple[Cell, ...]] = [
            (called(full), *(_beside(found.tau(full, cut), _paper(full, cut)) for cut in cuts))
            for full in found.whole_measures
        ]
        columns = (*texts("whole lists by"), *numbered(*map(called, cuts)))
        tau = f"Mean over {len(some)} collections of Kendall's tau" if len(some) > 1 else "Kendall's tau"
        caption = f"{tau}, lists cut by measures {family}, in columns; the paper's in brackets"
        tables.append(Table(columns, tuple(rows), caption=caption))
    return Made(tables=tuple(tables), numbers=tuple(numbers), words=words)


SAMES = (*TERMINAL, *ONCE)
"""Measures with a terminal document, under both conventions."""


def _paper(full: str, cut: str) -> float | None:
    return TAU.get((full, SAME.get(cut, cut)))


def _beside(here: float, paper: float | None) -> str:
    told = "undefined" if math.isnan(here) else f"{here:.2f}"
    return told if paper is None else f"{told} ({paper:.2f})"


@exhibit(
    "Figure 3",
    command=f'truerank truncate QRELS RUN... -m "{OIE} RBPU(p=0.98)" --against "{OIE} RBP(p=0.98) AP" --tolerance 0 '
    "--show against --plot figure3.svg",
    prints="one dot per system of nine TREC collections",
)
def figure_3(data: Sequence[AmigoData]) -> Made:
    """Systems by whole lists against systems by lists cut at their best length, four panels."""
    some, words = able(data)
    found = _against(some)
    colour = ", one colour per collection" if len(some) > 1 else ""
    said = (
        "Systems by whole lists (RBPU by cut ones) against OIE of lists cut at their best length, four panels, one dot "
        f"per system{colour}."
    )
    drawn = PaperFigure(partial(found.scatter, FIGURE_3), said, names=names(OIE, "RBP(p=0.98)", "RBPU(p=0.98)", "AP"))
    return Made(figures=(drawn,), words=words)


def _against(data: Sequence[AmigoData]) -> tr.Against:
    data[0].several()
    return tr.against({one.name: one.cuts for one in data})


@exhibit(
    "Table 3",
    command=f"truerank meta QRELS RUN... --depth {FIXED}",
    prints="16 numbers from OIE (.921) to RR (.249), means over nine TREC collections",
)
def table_3(data: Sequence[AmigoData]) -> Made:
    """How far improvements by a measure are improvements by P@10, R@100 and RR at once, lists cut at 100."""
    means = coverage(data)
    numbers = [
        Beside(measure, "Cov", one.coverage[measure], COVERAGE[measure], one.name) for one in data for measure in means
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
        rows.append((called(measure), *(one.coverage[measure] for one in data), *mean, COVERAGE[measure]))
    caption = "Coverage of P@10, R@100 and RR by measures of lists cut at 100, the best first"
    short = tuple(f"{one.name}: {reason}." for one in data if (reason := lacking(one, (fixed_length,))))
    return Made(
        tables=(Table(columns, tuple(rows), caption=caption),), numbers=tuple(numbers), words=(NOT_AS_PRINTED, *short)
    )


NOT_AS_PRINTED = (
    "The definition as it is printed does not give the paper's .249 for RR. On the 129 systems of TREC-8, one of the "
    "nine collections, it gives .955. Variants give .934 to .952: 1,000 pairs of topics drawn at random, each pair of "
    "systems once, each topic with itself. Single lists in place of systems give .74."
)


def coverage(data: Sequence[AmigoData]) -> dict[str, float]:
    """The mean coverage of each measure over the collections."""
    return {measure: sum(one.coverage[measure] for one in data) / len(data) for measure in COVERAGE}


@exhibit(
    "Figure 4",
    command="truerank choose --show guide --plot guide.svg",
    prints="a tree of the same questions; where ours ends in another measure, both stand in the row",
    needs_runs=False,
)
def figure_4(_: Sequence[AmigoData]) -> Made:
    """The guide: questions about readers, systems and judgments that end in a measure."""
    guide = tr.choose(**RECALL).guide
    table = guide.table("guide")
    said = "The guide as a tree: questions, answers, and the measure that each way ends in."
    figures = (PaperFigure(guide.plot, said),)
    return Made(
        tables=(Table(table.columns, table.rows, table.caption),),
        figures=figures,
        words=("Each row is a way through the guide, and where it ends.",),
    )


# Claims.


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
    return "; ".join(f"{called(each)} {', '.join(f'{one:.4f}' for one in scores)}" for each, scores in found.items())


@by_hand("3, Table 1", rule="a search through all short rankings and some longer ones")
def table_1_is_right() -> Check:
    """Which of the seven properties the measures have."""
    claimed = [agrees(one) for one in CLAIMS if one.has is not None]
    confirmed, refuted = (sum(one is so for one in claimed) for so in (True, False))
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
    return _has(("NDCGT", "ERRT", "RBPT"), "Confidence")


@by_hand("3.3")
def effort_has_confidence() -> Check:
    """Measures with an effort have Confidence."""
    return _has(("Flat Utility", "RBU", "DCGU", "ERRU", "RBPU"), "Confidence")


def _has(rows: Sequence[str], name: str) -> Check:
    found = {row: verdicts()[ROWS[row]][name] for row in rows}
    said = listed({measure: one.word for measure, one in found.items()})
    lacking = [f"{measure}: {one.witness}" for measure, one in found.items() if not one.holds]
    return checked(not lacking, "; ".join([f"{name}: {said}", *lacking]))


@by_hand("3.3", rule="by each measure; RBPU and RBU with the most patient readers of the paper")
def a_hit_pays_for_twenty() -> Check:
    """With e = 1/20, a relevant document at rank 1 is worth the effort of 20 documents."""
    found = tr.calibrate(("FlatU", "RBPU(p=0.98)", "RBPU(p=0.99)", "DCGU", "RBU(p=0.98)", "ERRU"))
    pays = {measure: one.pays_for_last or 0 for measure, one in found.items()}
    said = f"documents that the hit pays for: {told(pays, ',')}"
    return checked(all(last == 20 for last in pays.values()), f"{said}; with p = 0.8, RBPU and RBU pay for any number")


@by_hand("3.4.2")
def beta_is_silence_at_twenty() -> Check:
    """With beta = 1.05, the only relevant document at rank 20 is as good as nothing."""
    [meaning] = tr.calibrate(f"OIE(beta={BETA},size=20000)").values()
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
    [meaning] = tr.calibrate("OIE", silence_at=20, size=size).values()
    return meaning.value if meaning.value is not None else math.nan


@by_hand("3.3, Figure 1")
def the_impatient_never_start() -> Check:
    """Impatient measures never forgive ten useless documents, but for RBU with p = .98."""
    best = lengths().by_length().best
    some = ("ERRU", "RBPU", "RBU", "RBU(p=0.9)", "RBU(p=0.98)")
    said = told({measure: best[measure] for measure in some}, "")
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


@by_hand("Figure 1", rule="of the RBPU curves, it is the nearest to DCGU")
def two_are_alike() -> Check:
    """The curves of DCGU and of RBPU with p = .98 coincide."""
    curves = lengths().by_length()
    nearest = {}
    for length in (30, 50, 100):
        apart = {}
        for measure in FIGURE_1:
            if measure.startswith("RBPU"):
                own, other = (_scaled(curves[each][: length + 1]) for each in ("DCGU", measure))
                apart[measure] = float(np.abs(own - other).max())
        first = min(apart, key=lambda measure: apart[measure])
        nearest[length] = (first, apart[first])
    said = ", ".join(
        f"up to {length} documents {called(first)} ({apart:.3f} apart)" for length, (first, apart) in nearest.items()
    )
    if len({first for first, _ in nearest.values()}) > 1:
        return untold(f"depends on how long the list of the figure is, which the text does not say: {said}")
    return checked(nearest[100][0] == "RBPU(p=0.98)", f"nearest to DCGU: {said}")


def _scaled(scores: Floats) -> Floats:
    """Scores over the largest magnitude of them."""
    found: Floats = scores / np.abs(scores).max()
    return found


@by_hand("5, Figure 4", rule="for lists whose length counts, with recall and without redundancy")
def guide_keeps_its_word() -> Check:
    """The guide ends in measures that have what was asked for."""
    found = tr.choose(**RECALL)
    held = tr.properties(found.figure, property=[name for name, asked in found.asked.items() if asked])[found.figure]
    lacking = [name for name in SEVEN if name in held and not held[name].holds]
    said = (
        f"for recall without redundancy it has {found.figure}, which lacks {named(lacking)}" if lacking else "it does"
    )
    return checked(not lacking, said)


def told_share(every: Sequence[tr.Cuts], measure: str, low: int, high: int) -> float:
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


def _undecided(cuts: tr.Cuts, measure: str) -> float:
    """The share of lists in which all lengths score alike."""
    found = [(cut.length == 0) & (cut.loss == 0) for cut in cuts.cuts(measure).values()]
    lists = sum(len(cut.lengths) for cut in cuts.cuts(measure).values())
    return sum(int(one.sum()) for one in found) / lists if lists else 0.0


def statement(
    says: str, measures: tuple[str, ...], low: int, high: int, least: float, most: float = math.inf
) -> PaperClaim[AmigoData]:
    """A share of lists whose best length is from one length to another, between two bounds by each measure."""

    def check(data: Sequence[AmigoData]) -> Check:
        found = shares(data, measures, low, high)
        if not found:
            return untold("no list has a best length")
        cuts = [one.cuts for one in data]
        said = told(found, percent)
        lost = sum(_undecided(one, measures[0]) for one in cuts) / len(cuts)
        if low == 0 and lost:
            said += f"; without the {percent(lost)} of lists in which all lengths score alike"
        return checked(clearly(found.values(), least=least, most=most, margin=CLOSE), said)

    bounds = (
        f"{percent(least)} of lists or more" if most >= 1 else f"{percent(max(least, 0))} to {percent(most)} of lists"
    )
    return PaperClaim(
        where="4.2, Figure 2",
        says=says,
        check=of_those(check, (long_lists,)),
        rule=f"{bounds}, by every measure; {_RULED}",
    )


def shares(data: Sequence[AmigoData], measures: Sequence[str], low: int, high: int) -> dict[str, float]:
    """The share of lists whose best length is from one length to another, by each measure that has one."""
    cuts = [one.cuts for one in data]
    found = {measure: told_share(cuts, measure, low, high) for measure in measures}
    return {measure: one for measure, one in found.items() if one == one}


@of_all("4.2, Figure 2", rule="an empty list has an F of 0, and no list has less", needs=(long_lists,))
def f_is_never_silent(data: Sequence[AmigoData]) -> Check:
    """By F, returning nothing is never best."""
    found = shares(data, (F,), 0, 0)
    return defined(not any(found.values()), told(found, percent))


@of_all(
    "4.2, Figure 2",
    rule="with one terminal document, which has no gain in an empty list if there is an answer; otherwise at most 1%",
    needs=(long_lists,),
)
def terminal_once_is_hardly_ever_silent(data: Sequence[AmigoData]) -> Check:
    """With a terminal document, returning nothing is almost never best."""
    found = shares(data, ONCE, 0, 0)
    if relevant_in_all(data):
        return defined(not any(found.values()), f"every topic has a relevant document; {told(found, percent)}")
    return checked(clearly(found.values(), most=0.01, margin=0.005), told(found, percent))


_LIKE = {"DCGU": ONCE[0], "ERRU": ONCE[1], "RBPU": ONCE[2], "RBPU(p=0.9)": ONCE[3], "RBPU(p=0.98)": ONCE[4]}
"""Measures with an effort, and the like with one terminal document."""


@of_all(
    "4.2, Figure 2",
    rule=f"with one terminal document, less than half of the share by the same measure with an effort; {_RULED}",
    needs=(long_lists,),
)
def terminal_is_rarely_short(data: Sequence[AmigoData]) -> Check:
    """With a terminal document, few lists are best cut before rank 10: truncation is much weaker than by effort."""
    found = shares(data, (*_LIKE.values(), *_LIKE), 0, 9)
    ratios = [found[once] / max(found[effort], 1e-9) for effort, once in _LIKE.items()]
    return checked(clearly(ratios, most=0.5, margin=CLOSE), told(found, percent))


@of_all(
    "4.2, Figure 2", rule="with one terminal document, more than half of the lists at 513 or later", needs=(long_lists,)
)
def weak_truncation(data: Sequence[AmigoData]) -> Check:
    """ERRT and NDCGT cut lists late, or not at all."""
    found = shares(data, ONCE[:2], LAST_BIN + 1, 10**9)
    late = clearly(found.values(), least=0.5, margin=CLOSE)
    return checked(late, f"lists best cut past rank {LAST_BIN}, or not at all: {told(found, percent)}")


@of_all(
    "4.2, Figure 2",
    rule="with one terminal document, the largest median is twice the smallest or more",
    needs=(long_lists,),
)
def p_decides(data: Sequence[AmigoData]) -> Check:
    """Where RBPT cuts depends on its p."""
    cuts = [one.cuts for one in data]
    found = {measure: [one.summary(measure).median_length for one in cuts] for measure in ONCE[2:]}
    medians = {measure: sum(each) / len(each) for measure, each in found.items()}
    spread = max(medians.values()) / max(min(medians.values()), 1)
    return checked(clearly([spread], least=2, margin=0.1), f"median best length {told(medians, '.0f')}")


@of_all(
    "4.2, Figure 2",
    rule="fewer lists at 1 to 4 documents with Rel' = (2^g - 1) / 2^max than with g / max, by RBU(0.98) and ERRU",
    needs=(long_lists,),
)
def smoothing_helps(data: Sequence[AmigoData]) -> Check:
    """A smoother scale of relevance makes truncation by ERRU and RBU less strong."""
    smooth = list(shares(data, ("RBU(p=0.98)", "ERRU"), 1, 4).values())
    each = [[told_share((one.unscaled,), measure, 1, 4) for one in data] for measure in data[0].unscaled.measures]
    plain = [sum(one) / len(one) for one in each]
    said = ", ".join(
        f"{name} {percent(with_it)}, without {percent(without)}"
        for name, with_it, without in zip(("RBU(0.98)", "ERRU"), smooth, plain, strict=True)
    )
    less = [without - with_it for with_it, without in zip(smooth, plain, strict=True)]
    return checked(clearly(less, least=0, margin=0.005), f"lists best cut at 1 to 4 documents: {said}")


@of_all("4.2, Figure 2", rule="Spearman's rho, above that of Flat Utility and RBPU(0.98)", needs=(long_lists,))
def lengths_follow_relevance(data: Sequence[AmigoData]) -> Check:
    """Best lengths by OIE and F follow the number of relevant documents; those by utility do less."""
    cuts = [one.cuts for one in data]
    found = {}
    for measure in (OIE, F, "FlatU", "RBPU(p=0.98)"):
        rhos = [one.correlation(measure) for one in cuts]
        found[measure] = sum(rhos) / len(rhos)
    more = clearly_above([found[OIE], found[F]], [found["FlatU"], found["RBPU(p=0.98)"]], margin=CLOSE)
    return checked(more, f"Spearman's rho {told(found, '.2f')}")


_ORDERS = (long_lists, systems())
"""What claims about the order of systems need."""


def _taus(data: Sequence[AmigoData], pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
    found = _against(data)
    return {(full, cut): found.tau(full, cut) for full, cut in pairs}


def _told(taus: Mapping[tuple[str, str], float]) -> str:
    return listed({f"{called(cut)} with {called(full)}": tau for (full, cut), tau in taus.items()}, ".3f")


_OWN = {"nDCGT": "nDCG", "ERRT": "ERR", "RBPT": "RBP", "RBPT(p=0.9)": "RBP(p=0.9)", "RBPT(p=0.98)": "RBP(p=0.98)"}
PERFECT, ROUNDING = 0.99, 0.005
"""A tau that is printed as 1.00 is 0.995 or more."""


def full_lists(one: AmigoData) -> npt.NDArray[np.bool_]:
    """Which systems have no list that is shorter than others."""
    lists = [cut.listed for cut in one.cuts.cuts(F).values()]
    longest = max(int(listed.max(initial=0)) for listed in lists)
    return np.array([bool((listed == longest).all()) for listed in lists])


def enough_full_lists(one: AmigoData) -> str:
    """A collection with systems whose lists have the same length."""
    full = int(full_lists(one).sum())
    return (
        "" if full >= ENOUGH else f"{counted(full, 'run')} with lists of full length, and {ENOUGH} or more are needed"
    )


@of_all(
    "4.3",
    rule=f"tau 1.00 as printed, of systems whose lists all have full length, with one terminal document; {_RULED}",
    needs=(long_lists, enough_full_lists),
)
def whole_lists_are_the_same(data: Sequence[AmigoData]) -> Check:
    """Of whole lists, RBPT and RBPU order systems as RBP does, and RBU as iRBU does."""
    pairs = [("RBP", "RBPU"), ("RBP", ONCE[2]), ("RBP(p=0.98)", "RBPU(p=0.98)"), ("RBP(p=0.98)", ONCE[4])]
    pairs += [("iRBU", "RBU"), ("iRBU(p=0.98)", "RBU(p=0.98)")]
    taus = {}
    for full, other in pairs:
        each = []
        for one in data:
            kept = [run for run, whole in zip(one.cuts, full_lists(one), strict=True) if whole]
            own, by_full = one.cuts.cuts(other), one.cuts.whole_means[full]
            found = tr.agreement({run: by_full[run] for run in kept}, {run: own[run].mean_whole for run in kept})
            each.append(found.tau_a)
        taus[full, other] = sum(each) / len(each)
    some = listed({one.name: f"{full_lists(one).sum()} of {len(one.runs)}" for one in data})
    return checked(clearly(taus.values(), least=PERFECT, margin=ROUNDING), f"{_told(taus)}; systems of {some}")


@of_all("4.3, first result", rule=f"tau 1.00 as printed, with one terminal document; {_RULED}", needs=_ORDERS)
def terminal_changes_nothing(data: Sequence[AmigoData]) -> Check:
    """With a terminal document, cutting does not change the order of systems."""
    once = _taus(data, [(_OWN[SAME[cut]], cut) for cut in ONCE])
    return checked(clearly(once.values(), least=PERFECT, margin=ROUNDING), _told(once))


@of_all("4.3, second result", rule=_RULED, needs=_ORDERS)
def rbu_leans_to_the_top(data: Sequence[AmigoData]) -> Check:
    """Cut by RBU with p of .9 or .98, systems look more as by ERR or iRBU with p = .8."""
    found = {}
    for p in ("0.9", "0.98"):
        cut = f"RBU(p={p})"
        found[cut] = _taus(data, [(full, cut) for full in (f"iRBU(p={p})", "ERR", "iRBU")])
    more = [
        clearly_above([max(list(taus.values())[1:])], [next(iter(taus.values()))], margin=0.005)
        for taus in found.values()
    ]
    return checked(every(*more), "; ".join(map(_told, found.values())))


_COUNTERPARTS = (
    ("DCG", "DCGU"),
    ("ERR", "ERRU"),
    ("RBP", "RBPU"),
    ("RBP(p=0.9)", "RBPU(p=0.9)"),
    ("RBP(p=0.98)", "RBPU(p=0.98)"),
)
HIGH = 0.8
"""The tau from which on the paper calls agreement high."""


@of_all("4.3, third result", rule=f"tau from {HIGH:g} to below 1; {_RULED}", needs=_ORDERS)
def effort_follows_its_own(data: Sequence[AmigoData]) -> Check:
    """Cut by measures with an effort, systems are much in the order of the measure without."""
    taus = _taus(data, _COUNTERPARTS)
    high = clearly(taus.values(), least=HIGH, margin=CLOSE)
    return checked(every(high, max(taus.values()) < 1), _told(taus))


@of_all("4.3, fourth result", rule=f"tau below {HIGH:g}; {_RULED}", needs=_ORDERS)
def oie_degrades(data: Sequence[AmigoData]) -> Check:
    """OIE of whole lists agrees with no measure of cut ones."""
    found = _against(data)
    row = {cut: found.tau(OIE, cut) for cut in found.cut_measures if cut not in TERMINAL}
    most = max(row, key=lambda cut: row[cut])
    said = f"tau of whole lists by OIE with cut ones: by OIE {row[OIE]:.3f}, at most {row[most]:.3f} ({called(most)})"
    return checked(clearly([row[most]], most=HIGH, margin=CLOSE), said)


@of_all("4.3, fifth result", rule=f"tau 0.75 or more, as in the table; {_RULED}", needs=_ORDERS)
def two_keep_the_order(data: Sequence[AmigoData]) -> Check:
    """Cut by OIE or RBPU with p = .98, systems are in much the order by AP and NDCG of whole lists."""
    taus = _taus(data, [(full, cut) for cut in (OIE, "RBPU(p=0.98)") for full in ("AP", "nDCG")])
    return checked(clearly(taus.values(), least=0.75, margin=CLOSE), _told(taus))


@of_all("4.3, Figure 3", rule=f"tau above the {HIGH:g} that the paper calls high; {_RULED}", needs=_ORDERS)
def oie_is_like_rbp(data: Sequence[AmigoData]) -> Check:
    """Cut by OIE, systems are in the order by RBP with p = .98."""
    taus = _taus(data, [("RBP(p=0.98)", OIE)])
    return checked(clearly(taus.values(), least=HIGH, margin=CLOSE), _told(taus))


@of_all("4.3, Table 2", rule="as many here, or more", needs=(long_lists, systems(FEWEST)))
def taus_are_significant(data: Sequence[AmigoData]) -> Check:
    """Of the taus, 87% are significant at .001 and 90% at .01."""
    found = [
        one
        for one in _against(data).taus
        if one.cut_measure not in TERMINAL and _paper(one.whole_measure, one.cut_measure) is not None
    ]
    known = [one.p for one in found if one.p == one.p]
    shares = {level: sum(p < level for p in known) / max(len(known), 1) for level in (0.001, 0.01)}
    said = ", ".join(f"{percent(one)} at {level:g}" for level, one in shares.items())
    return checked(shares[0.001] >= 0.87 and shares[0.01] >= 0.9, f"{said}; {counted(len(found), 'tau')}")


_COVERED = (fixed_length, systems())
"""What claims about coverage need."""
APART = 0.005
"""Coverages that differ by less are not in an order."""


@of_all("4.4, Table 3", rule=_RULED, needs=_COVERED)
def oie_and_ndcg_cover_most(data: Sequence[AmigoData]) -> Check:
    """OIE and NDCG cover the most aspects."""
    found = coverage(data)
    first = sorted(found, key=lambda one: -found[one])[:3]
    said = told({measure: found[measure] for measure in (*first, OIE, "nDCG")}, ".3f")
    others = [number for measure, number in found.items() if measure not in (OIE, "nDCG")]
    return checked(clearly_above([found[OIE], found["nDCG"]], others, margin=APART), said)


@of_all("4.4, Table 3", rule=_RULED, needs=_COVERED)
def redundancy_covers_little(data: Sequence[AmigoData]) -> Check:
    """Measures that punish redundancy cover the fewest, RR by far."""
    found = coverage(data)
    last = sorted(found, key=lambda one: found[one])[:5]
    said = told({measure: found[measure] for measure in last}, ".3f")
    some = ("ERR", "iRBU", "iRBU(p=0.9)", "iRBU(p=0.98)")
    others = [number for measure, number in found.items() if measure not in ("RR", *some)]
    low = clearly_above(others, [found[measure] for measure in some], margin=APART)
    by_far = clearly_above([found[measure] for measure in some], [found["RR"] + ABOUT], margin=APART)
    return checked(
        every(low, by_far), f"the five that cover least: {said}; the printed definition does not give the .249 of RR"
    )


@of_all("4.4, Table 3", rule=f"RBP and iRBU with p of .98, .9 and .8; {_RULED}", needs=_COVERED)
def deeper_covers_more(data: Sequence[AmigoData]) -> Check:
    """The deeper a measure looks, the more it covers."""
    found = coverage(data)
    rows = [[f"{name}(p=0.98)", f"{name}(p=0.9)", name] for name in ("RBP", "iRBU")]
    said = "; ".join(told({each: found[each] for each in row}, ".3f") for row in rows)
    steps = [clearly_above([found[a]], [found[b]], margin=APART) for row in rows for a, b in pairwise(row)]
    return checked(every(*steps), said)


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
        statement(
            "By measures with an effort, returning nothing is best for 20 to 30% of lists.", EFFORT, 0, 0, 0.2, 0.3
        ),
        statement("By OIE, returning nothing is best for about 10% of lists.", (OIE,), 0, 0, 0.1 - ABOUT, 0.1 + ABOUT),
        f_is_never_silent,
        terminal_once_is_hardly_ever_silent,
        terminal_is_rarely_short,
        statement(
            "By ERRU and RBU, 30% of lists are best cut at 1 to 4 documents.",
            ("ERRU", "RBU", "RBU(p=0.9)", "RBU(p=0.98)"),
            1,
            4,
            0.3 - ABOUT,
            0.3 + ABOUT,
        ),
        smoothing_helps,
        statement(
            "By measures without a terminal document, about half of the lists or more are best cut before rank 100.",
            (*EFFORT, OIE, F),
            0,
            99,
            0.5 - ABOUT,
        ),
        statement("By OIE, most best lengths are from 33 to 128.", (OIE,), 33, 128, 0.5),
        # In print the last bound is 264, which is the end of no bin.
        statement("By F, most best lengths are from 33 to 256.", (F,), 33, 256, 0.5),
        weak_truncation,
        p_decides,
        lengths_follow_relevance,
        taus_are_significant,
        whole_lists_are_the_same,
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
