"""Liu, Moffat, Baldwin & Zhang (SIGIR 2016): lists that end early, and the end of a list as an answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import truerank as tr
from truerank.questions.reproduce.data import PaperData, systems
from truerank.questions.reproduce.paper import (
    Beside,
    Cell,
    Check,
    Column,
    Made,
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
    named,
    numbered,
    of_each,
    of_some,
    percent,
    texts,
    untold,
)

MODIFIED = {"RR'": "RRT", "RBP'": "RBPT(p=0.5)", "NDCG'": "nDCGT", "AP'": "APT"}
"""The paper's measures with a terminal document, and what they are called here."""
RANKINGS = (
    ("00", 0, (0.333, 0.250, 0.500, 0.333)),
    ("000", 0, (0.250, 0.125, 0.431, 0.250)),
    ("111", 3, (1.000, 1.000, 1.000, 1.000)),
    ("11", 3, (1.000, 0.917, 0.922, 0.648)),
    ("11100", 3, (1.000, 0.906, 0.971, 0.917)),
    ("101", 3, (1.000, 0.708, 0.698, 0.528)),
    ("1", 3, (1.000, 0.667, 0.742, 0.306)),
    ("10100", 3, (1.000, 0.646, 0.678, 0.491)),
    ("011", 3, (0.500, 0.458, 0.554, 0.403)),
    ("01001", 3, (0.500, 0.302, 0.490, 0.299)),
)
"""Table 1: a list, the relevant documents there are, and its scores by the four measures."""
TAUS = {"RR": 0.960, "NDCG": 0.958, "RBP": 0.916, "AP": 0.870}
"""Table 3: Kendall's tau between systems by the original and the modified measure."""
LISTS, RELEVANT = ("101", "10100", "011", "01001", "1"), (3, 5, 10)
"""The lists of section 2, and how many relevant documents it asks about."""
STRONG = 0.9
"""What the paper calls strong agreement."""
TOP = 20
"""Systems of figure 3."""
AGGRESSIVE, LITTLE = 0.5, 0.01
"""Share of lists ended by a system, and difference of scores, from which on and up to which we call them so."""
CLOSE = 0.01
"""Taus that differ by less are not in an order."""
ENDS = (
    "correctly unanswered",
    "false answer",
    "stop that paid",
    "stop that did not pay",
    "premature NIL",
    "giving up",
    "hedging",
    "full list",
)
"""What the end of a list may be; those of topics without an answer first."""


class LiuData(PaperData):
    """A collection: its runs by NIL as a document, and by the end of a list as an answer."""

    @cached_property
    def limit(self) -> int:
        """The most documents that a list could have: what was given, or the longest list there is."""
        given = self.given.get("limit")
        return given if given is not None else max(1, self._nil("RR", None).longest)

    @cached_property
    def silence(self) -> tr.NilAnswer:
        """What both methodologies say."""
        return self._nil(f"RR nDCG@{self.limit} RBP(p=0.5) AP", self.limit)

    @cached_property
    def reciprocal(self) -> tr.NilAnswer:
        """The same by reciprocal rank alone, for the figure that has no more."""
        return self._nil("RR", self.limit)

    def _nil(self, measures: str, limit: int | None) -> tr.NilAnswer:
        return tr.nil(self.qrels, self.runs, measures, limit=limit, **self.asked("nil", "missing"))

    @property
    def measures(self) -> dict[str, str]:
        """The four measures by the paper's names."""
        return dict(zip(TAUS, self.silence.measures, strict=True))

    @property
    def taus(self) -> dict[str, float]:
        """Tau-b between systems by the original and the modified measures, by the paper's names."""
        by_measure = {row.measure: row.tau_b for row in self.silence.orders}
        return {name: by_measure[measure] for name, measure in self.measures.items()}

    @property
    def words(self) -> dict[str, str]:
        """What stands for the words of a command that name data, or the most documents of a list."""
        return {**super().words, "LIMIT": str(self.limit)}

    @property
    def names(self) -> dict[str, str]:
        """What the paper calls the measures of figures."""
        return {self.measures["NDCG"]: "NDCG", self.measures["RBP"]: "RBP(0.5)"}


def unanswerable(one: LiuData) -> str:
    """A claim about RR' needs topics without an answer: of all others RR' is RR, by definition."""
    return "" if one.silence.nil_topics else "every topic has an answer, so that RR' is RR by definition"


def says_nil(one: LiuData) -> str:
    """A claim about systems that end lists needs systems that say so."""
    return "" if any(cases.nil for cases in one.silence.by_case) else "no list has a NIL"


def score(measure: str, ranking: str, relevant: int) -> float:
    """The score of a short list.

    >>> round(score("nDCGT", "101", 3), 3), score("RRT", "", 0)
    (0.698, 1.0)
    """
    return tr.parse(measure).of([float(grade) for grade in ranking], pool=[1.0] * relevant)


# Exhibits.


@exhibit(
    "Table 1",
    command='truerank reproduce liu --exhibit "Table 1"',
    prints="40 scores of three decimals, which stand beside ours",
    needs_runs=False,
)
def table_1(_: Sequence[LiuData]) -> Made:
    """Ten lists that end early, and their scores by four measures with a terminal document."""
    numbers = []
    rows: list[tuple[Cell, ...]] = []
    for ranking, relevant, paper in RANKINGS:
        # What the terminal document is worth: the part of all gain that the list has.
        worth = 1.0 if relevant == 0 else ranking.count("1") / relevant
        cells: list[Cell] = [f"“{ranking}”", relevant, f"{worth:.3f}"]
        for (name, measure), print_ in zip(MODIFIED.items(), paper, strict=True):
            here = score(measure, ranking, relevant)
            numbers.append(Beside(f"{ranking}, R = {relevant}", name, here, print_))
            cells += [f"{here:.3f}", f"{print_:.3f}"]
        rows.append(tuple(cells))
    heads = [each for name in MODIFIED for each in (name, f"{name} paper")]
    columns = (*texts("ranking"), *numbered("R", "r_t", *heads))
    caption = "Lists that end early and their scores with a terminal document, p = 0.5 for RBP'"
    return Made(tables=(Table(columns, tuple(rows), caption=caption),), numbers=tuple(numbers))


@exhibit(
    "Section 2, lists",
    command='truerank reproduce liu --exhibit "Section 2, lists"',
    prints="the lists, and the question whether their order changes with R",
    needs_runs=False,
)
def section_2(_: Sequence[LiuData]) -> Made:
    """Five lists from best to worst by four measures, of three, five or ten relevant documents that there are."""
    rows: list[tuple[Cell, ...]] = []
    for name, measure in MODIFIED.items():
        orders = [_order(measure, relevant) for relevant in RELEVANT]
        rows.append((name, *orders, "no" if len({*orders}) == 1 else "yes"))
    columns = texts("measure", *(f"R = {relevant}" for relevant in RELEVANT), "order changes")
    return Made(tables=(Table(columns, tuple(rows), caption="Lists from best to worst; = stands between equal ones"),))


def _order(measure: str, relevant: int) -> str:
    """The lists by their score, equal ones joined."""
    by_score: dict[float, list[str]] = {}
    for ranking in LISTS:
        by_score.setdefault(round(score(measure, ranking, relevant), 12), []).append(f"“{ranking}”")
    return ", ".join(" = ".join(by_score[one]) for one in sorted(by_score, reverse=True))


@exhibit(
    "Table 2",
    command='truerank reproduce liu QRELS RUN... --exhibit "Table 2"',
    prints="the three rules, with lists of at most five documents",
)
def table_2(data: Sequence[LiuData]) -> Made:
    """What becomes of a list: where it has a NIL, where it is short, and where it is of full length; and how
    many lists each rule is about."""
    columns = (
        *texts("NIL at rank", "documents", "becomes"),
        *numbered(*(f"lists of {one.name}" for one in data)),
    )
    counts = []
    for one in data:
        with_nil = sum(int(cases.has_nil.sum()) for cases in one.silence.by_case)
        ended = sum(int(cases.was_ended.sum()) for cases in one.silence.by_case)
        lists = sum(len(cases.before) for cases in one.silence.by_case)
        counts.append((with_nil, ended - with_nil, lists - ended))
    rules = (
        ("i", "up to the limit", "the first i - 1, and t"),
        ("none", "fewer", "all, and t"),
        ("none", "the limit", "all"),
    )
    rows: list[tuple[Cell, ...]] = [(*rule, *(one[place] for one in counts)) for place, rule in enumerate(rules)]
    limits = listed({one.name: one.limit for one in data})
    caption = f"What becomes of a list, t being the terminal document; the most documents of a list: {limits}"
    return Made(tables=(Table(columns, tuple(rows), caption=caption),))


@exhibit(
    "Figure 1",
    command="truerank nil QRELS RUN... --limit LIMIT --show lengths --plot lengths.svg",
    prints="of 23,124 lists about 20,000 with five documents before, and about 16,000 after; none without a "
    "document before",
)
def figure_1(data: Sequence[LiuData]) -> Made:
    """Lists by length, as they were handed in and ended at their NIL."""
    figures = tuple(
        one.figure(
            partial(one.silence.plot, "lengths"), "lists by length as they were handed in, and ended at their NIL."
        )
        for one in data
    )
    return Made(figures=figures, tables=tuple(_lengths(one) for one in data))


def _lengths(one: LiuData) -> Table:
    columns = (*texts("length"), *numbered("before", "after"))
    rows = tuple((row.length, row.before, row.after) for row in one.silence.lengths)
    return Table(columns, rows, caption=f"{one.name}: lists by length")


@exhibit(
    "Table 3",
    command="truerank nil QRELS RUN... --limit LIMIT --show orders",
    prints="RR .960, NDCG .958, RBP .916, AP .870, of 47 systems and 492 questions",
)
def table_3(data: Sequence[LiuData]) -> Made:
    """Kendall's tau between the orders of systems by the original and by the modified measures."""
    columns = (
        *texts("measures"),
        *(Column(one.name, number=True, meaning="Kendall's tau-b") for one in data),
        *numbered("paper"),
    )
    rows: list[tuple[Cell, ...]] = []
    numbers = []
    for name, paper in TAUS.items():
        here = [one.taus[name] for one in data]
        numbers += [Beside(f"{name}/{name}'", "tau", tau, paper, one.name) for tau, one in zip(here, data, strict=True)]
        rows.append((f"{name}/{name}'", *here, paper))
    caption = (
        "Kendall's tau-b between systems by the original and the modified measures; 1 if no pair changes its order"
    )
    words = [f"{one.name}: {reason}." for one in data if (reason := unanswerable(one))]
    return Made(tables=(Table(columns, tuple(rows), caption=caption),), numbers=tuple(numbers), words=tuple(words))


@exhibit(
    "Figure 2",
    command="truerank nil QRELS RUN... --limit LIMIT -m RR --plot scores.svg",
    prints="47 systems close to the diagonal; a pair A and B that changes its order",
)
def figure_2(data: Sequence[LiuData]) -> Made:
    """RR' against RR, one dot per system; two that change places are named."""
    return Made(
        figures=tuple(
            one.figure(
                one.reciprocal.plot,
                "RR' against RR, one dot per system; runs in a pair that changes its order are in another "
                "colour. Beside it is what each gains, by the share of its lists that it ended.",
                one.names,
            )
            for one in data
        ),
        words=tuple(_reversed(one) for one in data),
    )


def _reversed(one: LiuData) -> str:
    found = one.reciprocal.reversed_pairs("RR")
    if not found:
        return f"{one.name}: no two systems change places by RR'."
    pairs = counted(len(found), "pair")
    return f"{one.name}: {pairs} in opposite orders, such as {found[0].run} (A) and {found[0].compared_with} (B)."


@exhibit(
    "Figure 3",
    command=f"truerank nil QRELS RUN... --limit LIMIT --top {TOP} --plot scores.svg",
    prints="the 20 best systems, two joined points each",
)
def figure_3(data: Sequence[LiuData]) -> Made:
    """Both scores of each system against the share of its lists that it ended, by four measures."""
    return Made(
        figures=tuple(
            one.figure(
                partial(one.silence.plot, top=TOP),
                "on the right, from the original to the modified score of each system, by the share of "
                "its lists that it ended.",
                one.names,
            )
            for one in data
        ),
        tables=tuple(_endings(one) for one in data),
        words=tuple(_hedgers(one) for one in data if one.silence.hedgers),
    )


def _earned(one: LiuData, measure: str, kind: str) -> list[Any]:
    return [row for row in one.silence.endings if row.measure == measure and row.kind == kind]


def _endings(one: LiuData) -> Table:
    """What the text beside the figure is about: why lists ended, and what that earned."""
    columns = (
        *texts("end of a list"),
        *numbered("lists, by RR", *(f"{name}, mean gain of a run" for name in TAUS)),
    )
    rows: list[tuple[Cell, ...]] = []
    for kind in ENDS:
        found = {name: _earned(one, measure, kind) for name, measure in one.measures.items()}
        gains = [f"{sum(row.adds for row in each) / len(one.runs):+.4f}" for each in found.values()]
        rows.append((kind, sum(row.lists for row in found["RR"]), *gains))
    return Table(columns, tuple(rows), caption=f"{one.name}: how lists ended, and what that added to scores")


def _hedgers(one: LiuData) -> str:
    every = [
        f"{hedger.run} (at rank {hedger.first}{f' to {hedger.last}' if hedger.last > hedger.first else ''})"
        for hedger in one.silence.hedgers
    ]
    return f"{one.name}: {counted(len(every), 'run')} with a NIL in every list: {', '.join(every)}."


# Claims.


def _scores(rankings: Sequence[str], relevant: int) -> dict[str, list[float]]:
    return {name: [score(measure, one, relevant) for one in rankings] for name, measure in MODIFIED.items()}


def _told(found: dict[str, list[float]], form: str = ".3f") -> str:
    return listed({name: " and ".join(f"{one:{form}}" for one in scores) for name, scores in found.items()})


@by_hand("2")
def silence_is_right() -> Check:
    """Of a question without an answer, the empty list scores 1, and each further document costs."""
    found = _scores(("", "0", "00", "000"), 0)
    is_so = all(one[0] == 1 and one[0] > one[1] > one[2] > one[3] for one in found.values())
    return checked(is_so, f"“”, “0”, “00”, “000”: {_told(found)}")


@by_hand("2")
def shorter_is_no_worse() -> Check:
    """A list without a useless end is at least as good as with it: “101” and “10100”."""
    found = _scores(("101", "10100"), 3)
    return checked(all(one >= other for one, other in found.values()), f"“101” and “10100”: {_told(found)}")


@by_hand("4", rule="by all but RR', which section 2 leaves as it is if there is an answer")
def shorter_is_better() -> Check:
    """A list with a useless end is worse than without: “110” scores less than “11”."""
    found = _scores(("11", "110"), 3)
    one, other = found["RR'"]
    lower = all(short > long for name, (short, long) in found.items() if name != "RR'")
    return checked(lower and one == other, f"“11” and “110”, R = 3: {_told(found)}")


@by_hand("2")
def answers_keep_their_rank() -> Check:
    """If there is an answer, RR' is RR."""
    lists = ("1", "01", "001", "000", "")
    pairs = [(score("RRT", one, 3), score("RR", one, 3)) for one in lists]
    said = ", ".join(f"“{one}” {new:.3f} and {old:.3f}" for one, (new, old) in zip(lists, pairs, strict=True))
    return defined(all(new == old for new, old in pairs), f"RR' and RR: {said}")


@by_hand("2, Table 1")
def measures_disagree() -> Check:
    """Measures differ on whether “1” is better than “101”."""
    found = _scores(("1", "101"), 3)
    better = {one > other for one, other in found.values()}
    return checked(len(better) == 2, f"“1” and “101”: {_told(found)}")


@by_hand("Table 1", rule="lists of equal RR' may stand in any order")
def orders_of_table_1() -> Check:
    """The lists of the table are in the same order by RBP' and RR'."""
    some = [one for one in RANKINGS if one[1] == 3]
    rbp = sorted(some, key=lambda one: -score(MODIFIED["RBP'"], one[0], 3))
    by_rr = [score("RRT", one[0], 3) for one in rbp]
    said = ", ".join(f"“{one[0]}”" for one in rbp)
    return checked(by_rr == sorted(by_rr, reverse=True), f"by RBP': {said}")


@by_hand("1", rule="four lists of our own, one without an answer")
def hedging_loses() -> Check:
    """With NIL as an answer, systems can hedge by putting it before every list; with the end as an answer that
    does not pay."""
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}, "q4": {"x": 0}}
    honest = {"q1": ["a", "x"], "q2": ["x", "b"], "q3": ["x", "c"], "q4": ["x", "y"]}
    hedging = {topic: ["NIL", *listed] for topic, listed in honest.items()}
    found = tr.nil(qrels, {"honest": honest, "hedging": hedging}, "RR", limit=5)
    one, other = found["honest"]["RR"].scores, found["hedging"]["RR"].scores
    told = f"NIL before each of four lists: RR {one['original']:.3f} to {other['original']:.3f}"
    said = f"{told}; as an end {one['modified']:.3f} to {other['modified']:.3f}"
    return checked(other["modified"] < one["modified"], said)


@of_each("3, Table 3", rule=f"tau above {STRONG:g}, as in the paper", needs=(unanswerable, says_nil, systems()))
def three_agree(one: LiuData) -> Check:
    """Three of the four pairs of measures agree strongly on the order of systems."""
    return checked(sum(tau > STRONG for tau in one.taus.values()) >= 3, f"tau {listed(one.taus, '.3f')}")


@of_each("3, Table 3", rule="the lowest tau of the four, above 0.8", needs=(unanswerable, says_nil, systems()))
def average_precision_least(one: LiuData) -> Check:
    """AP and AP' agree least, though still strongly."""
    taus = one.taus
    others = [tau for name, tau in taus.items() if name != "AP"]
    least = clearly_above(others, [taus["AP"]], margin=CLOSE)
    return checked(every(least, clearly([taus["AP"]], least=0.8, margin=CLOSE)), f"tau {listed(taus, '.3f')}")


@of_each("3, Table 3", rule=f"tau above {STRONG:g}, as in the paper", needs=(unanswerable, systems()))
def reciprocal_agrees(one: LiuData) -> Check:
    """RR and RR' agree strongly."""
    tau = one.taus["RR"]
    return checked(tau > STRONG, f"tau {tau:.3f}")


@of_some("3, Figure 2", needs=(unanswerable, systems()))
def some_change_places(one: LiuData) -> Check:
    """There are pairs of systems that RR and RR' put in opposite orders."""
    order = next(row for row in one.silence.orders if row.measure == "RR")
    return checked(order.reversed > 0, f"{order.reversed} of {order.ordered_pairs:,} pairs")


@of_each("3, Figure 1", needs=(says_nil,))
def lengths_fall(one: LiuData) -> Check:
    """Ending lists at their NIL leaves fewer of full length, and brings out those without a document."""
    before = sum(int((cases.before == one.limit).sum()) for cases in one.silence.by_case)
    after = sum(int((cases.after == one.limit).sum()) for cases in one.silence.by_case)
    empty = [
        sum(int((getattr(cases, when) == 0).sum()) for cases in one.silence.by_case) for when in ("before", "after")
    ]
    said = f"lists of {one.limit} documents {before:,} to {after:,}; of none {empty[0]:,} to {empty[1]:,}"
    return checked(after < before and empty[1] > empty[0], said)


@of_each("3, Figure 3", rule="by all four measures", needs=(unanswerable, says_nil, systems()))
def best_gain(one: LiuData) -> Check:
    """The two best systems gain when the ends of lists count."""
    found = {}
    ended = 0.0
    for name, measure in one.measures.items():
        best = [row for row in one.silence.board if row.measure == measure and row.ranks["original"] in (1, 2)]
        found[name] = [row.differences["modified"] for row in best]
        ended += sum(one.silence.cases[row.run].ended for row in best)
    if not ended:
        return untold("the best systems end none of their lists")
    said = _told(found, "+.3f")
    return checked(all(gain > 0 for gains in found.values() for gain in gains), said)


@of_some(
    "3, Figure 3", rule=f"half of the lists or more, and less than {LITTLE:g} in RR", needs=(unanswerable, says_nil)
)
def truncating_is_not_enough(one: LiuData) -> Check:
    """Some systems end many lists and gain little."""
    runs = [row.run for row in one.silence.by_case if row.ended >= AGGRESSIVE]
    ends = {run: abs(one.silence[run]["RR"].differences["modified"]) for run in runs}
    if not ends:
        return untold(f"no run ends {percent(AGGRESSIVE)} of its lists or more")
    little = [run for run, change in ends.items() if change < LITTLE]
    said = f"{len(little)} of {counted(len(ends), 'run')} that end {percent(AGGRESSIVE)} or more of their lists"
    least = min(ends.values())
    return checked(
        clearly([least], most=LITTLE, margin=LITTLE / 4), f"{said} move by less than {LITTLE:g} in RR{_some(little)}"
    )


def _some(runs: Sequence[str]) -> str:
    return f", such as {named(runs, 2)}" if runs else ""


@of_each("3, Figure 3", rule="what such lists add to AP', over all runs", needs=(says_nil,))
def premature_costs(one: LiuData) -> Check:
    """Systems that say NIL before relevant documents lose when lists end there."""
    found = _earned(one, one.measures["AP"], "premature NIL")
    lists, adds = sum(row.lists for row in found), sum(row.adds for row in found)
    if not lists:
        return untold("no NIL stands before a relevant document")
    losing = [row.run for row in found if row.adds < 0]
    said = f"{lists:,} lists of {counted(len(found), 'run')}; runs that lose by them in AP': {len(losing)}"
    return checked(adds < 0, f"{said}{_some(losing)}")


@of_each("3, Figure 3", rule="without a relevant document the terminal document has no gain, if there is an answer")
def giving_up_earns_nothing(one: LiuData) -> Check:
    """Lists that end because no answer was found earn nothing by ending."""
    gave_up = _earned(one, "RR", "giving up")
    lists = sum(row.lists for row in gave_up)
    ended = sum(int(cases.was_ended.sum()) for cases in one.silence.by_case)
    if not lists:
        return untold("no list that was ended lacks an answer that there is")
    gains = max((row.gains for row in gave_up), default=0.0)
    said = f"{lists:,} of {ended:,} lists that were ended have no answer though there is one"
    said += f"; the most that a run earned by them in RR' is {gains:.3f}"
    return defined(gains == 0, said)


PAPER = Paper(
    name="liu",
    authors="Liu, Moffat, Baldwin & Zhang (2016)",
    title="Quit While Ahead: Evaluating Truncated Rankings",
    cited="F. Liu, A. Moffat, T. Baldwin and X. Zhang, SIGIR 2016, doi:10.1145/2911451.2914737.",
    data=LiuData,
    exhibits=(
        table_1,
        section_2,
        table_2,
        figure_1,
        table_3,
        figure_2,
        figure_3,
    ),
    claims=(
        silence_is_right,
        shorter_is_no_worse,
        shorter_is_better,
        answers_keep_their_rank,
        measures_disagree,
        orders_of_table_1,
        hedging_loses,
        lengths_fall,
        three_agree,
        reciprocal_agrees,
        average_precision_least,
        some_change_places,
        best_gain,
        truncating_is_not_enough,
        premature_costs,
        giving_up_earns_nothing,
    ),
)
