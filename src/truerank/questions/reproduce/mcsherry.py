"""McSherry & Najork (ECIR 2008): measures as the mean over all orders of tied documents, without going through them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import permutations, product

import truerank as tr
from truerank.questions.reproduce.data import PaperData
from truerank.questions.reproduce.paper import (
    Cell,
    Check,
    Column,
    Made,
    Paper,
    Table,
    by_hand,
    checked,
    clearly,
    counted,
    exhibit,
    listed,
    numbered,
    of_each,
    of_some,
    texts,
    untold,
)

CUTOFF = 10
SIX = {
    "P": "P@{}",
    "R": "R@{}",
    "F1": "F@{}",
    "AP": "AP@{}",
    "RR": "RR@{}",
    "NDCG": "nDCG(dcg='exp-log2')@{}",
}
"""The measures by the paper's names, with a cutoff to fill in."""
VECTOR = ((0, 1, 0), (2,), (1, 0, 0, 2))
"""Labels of a result vector of our own: groups of documents with the same score, the best first."""
K = 5
"""Its cutoff, in the middle of a group."""
APPRECIABLE = 0.01


class McSherryData(PaperData):
    """A collection: what the order of ties does to its runs."""

    @cached_property
    def ties(self) -> tr.Ties:
        """The six measures at 10, over all orders of ties and in those that tools take."""
        measures = [measure.format(CUTOFF) for measure in SIX.values()]
        return tr.ties(self.qrels, self.runs, measures, **self.asked("ties"))


@cache
def vector_scores() -> dict[str, dict[str, float]]:
    """The result vector by each measure: by the closed form, and the mean, the least and the most of all its orders."""
    named = [[f"d{group}{place}" for place in range(len(labels))] for group, labels in enumerate(VECTOR)]
    qrels = {
        "q": {d: label for ids, labels in zip(named, VECTOR, strict=True) for d, label in zip(ids, labels, strict=True)}
    }
    tied = {"q": {d: float(-group) for group, ids in enumerate(named) for d in ids}}
    orders = {
        str(place): {"q": [d for group in order for d in group]}
        for place, order in enumerate(product(*(permutations(ids) for ids in named)))
    }
    measures = [measure.format(K) for measure in SIX.values()]
    closed = tr.evaluate(qrels, {"tied": tied}, measures, relevant="run")["tied"]
    each = tr.evaluate(qrels, orders, measures, relevant="run")
    found = {}
    for name, measure in zip(SIX, measures, strict=True):
        scores = [one[measure].mean for one in each.values()]
        found[name] = {
            "closed": closed[measure].mean,
            "mean": sum(scores) / len(scores),
            "least": min(scores),
            "most": max(scores),
            "orders": float(len(scores)),
        }
    return found


def printed_reciprocal_rank(relevant: int, tied: int) -> float:
    """The paper's formula for RR of one group of tied documents, as it is printed.

    It adds up, over ranks, the chance that nothing relevant stands there or above; that of the first relevant document
    standing there is meant, which is the difference from one rank to the next.

    >>> printed_reciprocal_rank(1, 2)
    0.5
    """
    total, none = 0.0, 1.0
    for rank in range(1, tied + 1):
        none *= 1 - relevant / (tied - rank + 1)
        total += none / rank
    return total


def printed_average_precision(groups: Sequence[Sequence[int]], cutoff: int, *, alone: float) -> float:
    """The paper's formula for AP with ties, as it is printed; ``alone`` is what 0 / 0 is taken for.

    In a group of one document, (r - 1) / (n - 1) divides by 0.

    >>> printed_average_precision([[1], [0, 1]], 3, alone=0.0)
    0.9166666666666666
    """
    total, before, above = 0.0, 0, 0
    for group in groups:
        relevant, tied = sum(label > 0 for label in group), len(group)
        for rank in range(above + 1, min(above + tied, cutoff) + 1):
            share = (relevant - 1) / (tied - 1) if tied > 1 else alone
            total += relevant / tied * (before + (rank - above - 1) * share + 1) / rank
        before, above = before + relevant, above + tied
    return total / before


def first_at(rank: int, relevant: int, tied: int, *, as_printed: bool) -> Fraction:
    """The share of orders of tied documents whose first relevant one stands at a rank: as it is printed, or right.

    In print it is the share whose first x are relevant, less that whose first x + 1 are not; meant are those whose
    first x - 1 are not relevant, less those whose first x are not.

    >>> first_at(2, 1, 2, as_printed=True), first_at(2, 1, 2, as_printed=False)
    (Fraction(0, 1), Fraction(1, 2))
    """
    orders = {*permutations([True] * relevant + [False] * (tied - relevant))}

    def share(first: int, is_relevant: bool) -> Fraction:
        # A list of so many documents has no more than those.
        if first > tied:
            return Fraction(0)
        return Fraction(sum(all(one is is_relevant for one in order[:first]) for order in orders), len(orders))

    if as_printed:
        return share(rank, True) - share(rank + 1, False)
    return share(rank - 1, False) - share(rank, False)


# Exhibits.


@exhibit(
    "Section 2",
    command='truerank reproduce mcsherry --exhibit "Section 2"',
    prints="the six formulas, without an example",
    needs_runs=False,
)
def section_2(_: Sequence[McSherryData]) -> Made:
    """Six measures of a result vector with ties: by closed form, and as the mean over all orders."""
    found = vector_scores()
    columns = (
        *texts("measure"),
        Column("tie-aware", number=True, meaning="by the closed form"),
        *numbered("mean of all orders", "worst order", "best order"),
    )
    rows = tuple(
        (f"{name}@{K}", *(f"{one[what]:.6f}" for what in ("closed", "mean", "least", "most")))
        for name, one in found.items()
    )
    labels = " | ".join(" ".join(map(str, group)) for group in VECTOR)
    orders = counted(int(found["P"]["orders"]), "order")
    caption = f"Labels {labels}, tied within bars: the closed form, and {orders} one by one"
    return Made(tables=(Table(columns, rows, caption=caption),))


@exhibit(
    "Section 1",
    command="truerank ties QRELS RUN... -m \"P@10 R@10 F@10 AP@10 RR@10 nDCG(dcg='exp-log2')@10\"",
    prints="no numbers: orders of ties were found to change which scoring function is better",
)
def section_1(data: Sequence[McSherryData]) -> Made:
    """What the order of ties does to runs: how far it can move scores, and which order tools take."""
    return Made(
        tables=tuple(table for one in data for table in (_tied(one), _orders(one))),
        figures=tuple(
            one.figure(
                one.ties.plot,
                "the range of each run over orders of ties, where most orders are, and what tools take.",
                {measure.format(CUTOFF): f"{name}@{CUTOFF}" for name, measure in SIX.items()},
            )
            for one in data
            if any(row.tied_documents for row in one.ties.board)
        ),
    )


def _tied(one: McSherryData) -> Table:
    columns = (
        *texts("measure", "run moved most"),
        *numbered("worst", "mean of all orders", "best", "pairs that can swap", "of"),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, measure in zip(SIX, one.ties.measures, strict=True):
        most = max((row for row in one.ties.board if row.measure == measure), key=lambda row: row.best - row.worst)
        swaps = sum(pair.measure == measure for pair in one.ties.pairs)
        rows.append(
            (f"{name}@{CUTOFF}", most.run, most.worst, most.expected, most.best, swaps, one.ties.ordered_pairs[measure])
        )
    first = [row for row in one.ties.board if row.measure == one.ties.measures[0]]
    tied = sum(row.tied_documents > 0 for row in first)
    lists, all_lists = sum(row.tied_topics for row in first), sum(row.topics for row in first)
    caption = f"{one.name}: {tied} of {counted(len(first), 'run')} have ties, {lists:,} of {all_lists:,} lists"
    return Table(columns, tuple(rows), caption=caption)


def _orders(one: McSherryData) -> Table:
    columns = (
        *texts("measure", "order of ties", "run moved most"),
        Column("by", number=True, form="signed"),
        *numbered("pairs reversed", "of"),
    )
    names = dict(zip(one.ties.measures, SIX, strict=True))
    rows = tuple(
        (f"{names[row.measure]}@{CUTOFF}", row.other, row.run, row.difference, row.reversed, row.ordered_pairs)
        for row in one.ties.orders
    )
    return Table(columns, rows, caption=f"{one.name}: what one order of ties, as tools take it, does to scores")


# Claims.


@by_hand("2.1 to 2.6", rule="a vector of eight documents cut in the middle of a tie, all orders one by one")
def means_are_exact() -> Check:
    """Precision, recall, F1, AP, RR and NDCG have closed forms that are the mean over all orders of ties."""
    found = vector_scores()
    apart = max(abs(one["closed"] - one["mean"]) for one in found.values())
    said = ", ".join(f"{name} {one['closed']:.4f} and {one['mean']:.4f}" for name, one in found.items())
    return checked(apart < 1e-12, f"closed form and mean of {int(found['P']['orders'])} orders: {said}")


@by_hand("2.5", rule="two tied documents, one of them relevant")
def reciprocal_rank_as_printed() -> Check:
    """The formula for reciprocal rank, as it is printed."""
    right = tr.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}, "RR")["run"]["RR"].mean
    printed = printed_reciprocal_rank(1, 2)
    said = f"a relevant document tied with another: printed {printed:g}, mean of both orders {right:g}"
    return checked(printed == right, f"{said}; the text before it describes the right one")


@by_hand("2.4", rule="the vector of eight documents, one of which is tied with none")
def average_precision_as_printed() -> Check:
    """The formula for average precision, as it is printed."""
    mean = vector_scores()["AP"]["mean"]
    printed, mended = (printed_average_precision(VECTOR, K, alone=each) for each in (math.nan, 0.0))
    said = f"of a document that is tied with none it divides 0 by 0; with 0 in that place it gives {mended:.4f}"
    return checked(printed == mean, f"{said}, and the mean of all orders is {mean:.4f}")


@by_hand("2.5", rule="two tied documents, one of them relevant")
def first_relevant_as_printed() -> Check:
    """How likely the first relevant document stands at a rank: the share of orders whose first x are relevant, less
    the share whose first x + 1 are not."""
    both = [[first_at(rank, 1, 2, as_printed=printed) for rank in (1, 2)] for printed in (True, False)]
    printed, right = (" and ".join(map(str, each)) for each in both)
    said = f"ranks 1 and 2: as printed {printed}, by going through the orders {right}"
    return checked(both[0] == both[1], f"{said}; meant is the first x - 1 not relevant, less the first x not")


@of_some("1", rule=f"more than {APPRECIABLE:g} between the best and the worst order of some run")
def orders_matter(one: McSherryData) -> Check:
    """Different orders of ties can give appreciably different scores."""
    _has_ties(one)
    most = {}
    for name, measure in zip(SIX, one.ties.measures, strict=True):
        most[name] = max(row.best - row.worst for row in one.ties.board if row.measure == measure)
    said = listed(most, ".3f")
    appreciable = clearly([max(most.values())], least=APPRECIABLE, margin=APPRECIABLE / 4)
    return checked(appreciable, f"best order minus worst, of the run that moves most: {said}")


@of_some("1")
def orders_swap(one: McSherryData) -> Check:
    """That is enough to change which of two systems is better."""
    one.several()
    _has_ties(one)
    said = listed(_swaps(one))
    return checked(bool(one.ties.pairs), f"pairs of runs that can swap: {said}")


def _swaps(one: McSherryData) -> dict[str, int]:
    return {
        name: sum(pair.measure == measure for pair in one.ties.pairs)
        for name, measure in zip(SIX, one.ties.measures, strict=True)
    }


def _has_ties(one: McSherryData) -> None:
    if not any(row.tied_documents for row in one.ties.board):
        raise tr.InputError("no list has ties")


@of_some("1", rule=f"some run moves by more than {APPRECIABLE:g} from its mean")
def one_order_is_arbitrary(one: McSherryData) -> Check:
    """Picking one order of ties, as TREC does, is arbitrary."""
    _has_ties(one)
    turned = {row.other: 0 for row in one.ties.orders}
    for row in one.ties.orders:
        turned[row.other] += row.reversed
    far = max(one.ties.orders, key=lambda row: abs(row.difference), default=None)
    if far is None:
        return untold("no order of tools is known")
    said = listed(turned)
    moved = f"{far.other} moves {far.run} by {far.difference:+.3f}"
    appreciable = clearly([abs(far.difference)], least=APPRECIABLE, margin=APPRECIABLE / 4)
    return checked(appreciable, f"{moved}; pairs that it reverses over six measures: {said}")


@of_each("3")
def means_cost_little(_: McSherryData) -> Check:
    """The mean over all orders costs next to nothing, but for RR."""
    return untold("times depend on the machine: make bench prints them for generated runs")


PAPER = Paper(
    name="mcsherry",
    authors="McSherry & Najork (2008)",
    title="Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied Scores",
    cited="F. McSherry and M. Najork, ECIR 2008, LNCS 4956, pp. 414-421.",
    data=McSherryData,
    exhibits=(
        section_1,
        section_2,
    ),
    claims=(
        means_are_exact,
        average_precision_as_printed,
        first_relevant_as_printed,
        reciprocal_rank_as_printed,
        orders_matter,
        orders_swap,
        one_order_is_arbitrary,
        means_cost_little,
    ),
)
