"""Every coefficient of two rankings, and why one is undefined."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from truerank.data.notes import Code, Note
from truerank.questions.agreement.answer import Agreement
from truerank.statistics.correlations import kendall, kendall_b, spearman, tau_ap, tau_ap_b, weighted_tau
from truerank.statistics.jackknife import INTERVALS, correlation_interval
from truerank.statistics.rbo import Rankable, WeakOrder, rbo

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
