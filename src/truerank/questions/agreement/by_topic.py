"""What is looked at: each topic's documents by the order, and by each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.preferences import grades_of
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.io.load import as_qrels, as_run
from truerank.io.runs import named_runs
from truerank.questions.agreement.answer import AgreementByTopic, ListOrder, RunOrder
from truerank.statistics.correlations import spearman
from truerank.statistics.orders import agreement

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
