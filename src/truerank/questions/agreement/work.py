"""Every coefficient of two rankings, and why one is undefined."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.notes import Code, Note
from truerank.data.preferences import grades_of
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.io.load import as_qrels, as_run
from truerank.io.runs import named_runs
from truerank.questions.agreement.question import Agreement, AgreementByTopic, ListOrder, RunOrder
from truerank.statistics.correlations import kendall, kendall_b, spearman, tau_ap, tau_ap_b, weighted_tau
from truerank.statistics.jackknife import INTERVALS, correlation_interval
from truerank.statistics.orders import agreement
from truerank.statistics.rbo import Rankable, WeakOrder, rbo

COEFFICIENTS = ("tau_a", "tau_b", "tau_ap", "spearman")
ERRORS = ("squared", "ordinal", "wrong")


class WantedOrder(NamedTuple):
    """What documents are to be worth, by topic."""

    values: dict[str, dict[str, float]]
    levels: Floats | None
    """The grades that there are, ascending; None where values only order documents."""

    @classmethod
    def of(cls, given: Any, *, grades: bool) -> WantedOrder:
        """Read judgments, or a ranking for each topic."""
        if not grades:
            return cls(_values(as_run(given)), None)
        qrels = grades_of(as_qrels(given), "an order with grades cannot be preferences")
        return cls(_graded(qrels), np.unique(qrels.grade))


def _values(run: Run) -> dict[str, dict[str, float]]:
    return {text(topic): dict(run.listed(topic)) for topic in run.topics}


def _graded(qrels: Qrels) -> dict[str, dict[str, float]]:
    docs, grade = [*map(text, qrels.docs.tolist())], qrels.grade.tolist()
    ends = zip(qrels.topics, qrels.offsets[:-1].tolist(), qrels.offsets[1:].tolist(), strict=True)
    return {text(topic): dict(zip(docs[begin:end], grade[begin:end], strict=True)) for topic, begin, end in ends}


def survey(order: Any, runs: Any, *, grades: bool) -> AgreementByTopic:
    """Every run against the order."""
    wanted = WantedOrder.of(order, grades=grades)
    rows: list[ListOrder] = []
    means: list[RunOrder] = []
    for named in named_runs(runs):
        listed = _values(as_run(named.data, named.name))
        if not listed.keys() & wanted.values.keys():
            raise InputError(f"{named.name} and the order have no topic in common; check that both name topics alike")
        mine = [_topic(named.name, topic, wanted, listed.get(topic, {})) for topic in wanted.values]
        rows += mine
        means.append(_mean(named.name, mine))
    return AgreementByTopic(by_run=tuple(means), by_topic=tuple(rows))


def _topic(run: str, topic: str, wanted: WantedOrder, listed: dict[str, float]) -> ListOrder:
    docs = wanted.values[topic]
    x, y = np.array([*docs.values()]), merits(docs, listed)
    orders = agreement(x, y)
    known = [(listed[doc], value) for doc, value in docs.items() if doc in listed]
    return ListOrder(
        run=run,
        topic=topic,
        documents=len(docs),
        listed=len(known),
        tau_a=orders.tau_a,
        tau_b=orders.tau_b,
        tau_ap=orders.tau_ap,
        spearman=spearman(x, y),
        **errors(known, wanted.levels),
    )


def merits(docs: dict[str, float], listed: dict[str, float]) -> Floats:
    """Ranks of documents from the lowest score in a list up, equal if tied; 0 for a document that it does not list.

    >>> merits({"a": 1, "b": 1, "c": 1}, {"b": 0.5, "x": 0.7, "a": 0.9}).tolist()
    [3.0, 1.0, 0.0]
    """
    place = {score: rank for rank, score in enumerate(sorted({*listed.values()}), 1)}
    return np.array([place[listed[doc]] if doc in listed else 0 for doc in docs], np.float64)


def errors(known: Sequence[tuple[float, float]], levels: Floats | None) -> dict[str, float | None]:
    """How far scores are from grades; halfway between two grades, the lower one is nearest.

    >>> errors([(0.5, 1.0), (2.5, 1.0)], np.array([0.0, 1.0, 2.0]))
    {'squared': 1.25, 'ordinal': 1.0, 'wrong': 1.0}
    """
    if levels is None:
        return dict.fromkeys(ERRORS)
    if not known:
        return dict.fromkeys(ERRORS, float("nan"))
    score, grade = np.array(known).T
    nearest = np.abs(score[:, None] - levels).argmin(axis=1)
    off = np.abs(nearest - np.searchsorted(levels, grade))
    with np.errstate(over="ignore"):
        squared = ((score - grade) ** 2).mean()
    return {name: float(value) for name, value in zip(ERRORS, (squared, off.mean(), (off > 0).mean()), strict=True)}


def _mean(run: str, rows: Sequence[ListOrder]) -> RunOrder:
    def mean(name: str) -> float | None:
        every = [getattr(row, name) for row in rows]
        if None in every:
            return None
        found = [value for value in every if value == value]
        return sum(found) / len(found) if found else float("nan")

    return RunOrder(
        run=run,
        topics=len(rows),
        documents=sum(row.documents for row in rows),
        listed=sum(row.listed for row in rows),
        flat=sum(row.documents > 1 and row.tau_b != row.tau_b for row in rows),
        **{name: mean(name) for name in (*COEFFICIENTS, *ERRORS)},  # type: ignore[arg-type]
    )


LACKING = Code(
    "TR501",
    "items of one ranking that the other lacks, so that correlations are undefined",
    "a has {in_a!r:.80}[ and {more_a} more], which b lacks, and b has {in_b!r:.80}[ and {more_b} more], which a lacks; "
    "correlations need the same items and are undefined",
    only_a="a has {in_a!r:.80}[ and {more_a} more], which b lacks; correlations need the same items and are undefined",
    only_b="b has {in_b!r:.80}[ and {more_b} more], which a lacks; correlations need the same items and are undefined",
)
TOO_FEW = Code("TR502", "fewer than two items", "correlations need two items and are undefined")
ALL_TIED = Code(
    "TR503",
    "a ranking that ties all items, so that some correlations are undefined",
    "{rankings:names} ties all items, so that tau_b, tau_ap_b, weighted_tau and spearman are undefined",
    both="a and b tie all items, so that tau_b, tau_ap_b, weighted_tau and spearman are undefined",
)
EMPTY = Code(
    "TR504",
    "a ranking without items, so that rank-biased overlap has no value",
    "{rankings:names} is empty, so that rank-biased overlap has bounds and no value",
    both="a and b are empty, so that rank-biased overlap has bounds and no value",
)


def between(a: Rankable, b: Rankable, *, p: float = 0.9, confidence: float = 0.95) -> Agreement:
    """How far two rankings agree; ``a`` is the reference where there is one."""
    one, other = WeakOrder.of(a, "ranking a"), WeakOrder.of(b, "ranking b")
    place = one.places_in(other)
    common = int((place >= 0).sum())
    same = common == len(one) == len(other)
    # Fewer items above is better, as a higher score is; of no items every correlation is undefined.
    x, y = (-one.above, -other.above[place]) if same else (np.empty(0), np.empty(0))
    return Agreement(
        tau_a=kendall(x, y),
        tau_b=kendall_b(x, y),
        tau_ap=tau_ap(x, y),
        tau_ap_b=tau_ap_b(x, y),
        weighted_tau=weighted_tau(x, y),
        spearman=spearman(x, y),
        intervals={name: correlation_interval(name, x, y, confidence) for name in INTERVALS},
        confidence=float(confidence),
        rbo=rbo(one, other, p=p),
        p=float(p),
        items={"a": len(one), "b": len(other), "both": common},
        notices=tuple(_undefined({"a": one, "b": other}, same=same)),
    )


def _undefined(orders: dict[str, WeakOrder], *, same: bool) -> Iterator[Note]:
    """Why something is undefined."""
    tied = [name for name, order in orders.items() if len(order) and order.tied[0] == len(order)]
    if not same:
        yield _lacking(orders["a"], orders["b"])
    elif len(orders["a"]) < 2:
        yield TOO_FEW(items=len(orders["a"]))
    elif tied:
        yield ALL_TIED("both" if len(tied) > 1 else "", rankings=tied)
    empty = [name for name, order in orders.items() if not len(order)]
    if empty:
        yield EMPTY("both" if len(empty) > 1 else "", rankings=empty)


def _lacking(a: WeakOrder, b: WeakOrder) -> Note:
    only_a = [item for item in a.items if item not in b.place]
    only_b = [item for item in b.items if item not in a.place]
    return LACKING(
        "" if only_a and only_b else "only_a" if only_a else "only_b",
        in_a=_first(only_a),
        more_a=len(only_a) - 1 if len(only_a) > 1 else None,
        only_a=len(only_a),
        in_b=_first(only_b),
        more_b=len(only_b) - 1 if len(only_b) > 1 else None,
        only_b=len(only_b),
    )


def _first(items: Sequence[Hashable]) -> str | int | None:
    """The first item as JSON can hold it."""
    first = next(iter(items), None)
    return first if first is None or isinstance(first, (str, int)) else repr(first)
