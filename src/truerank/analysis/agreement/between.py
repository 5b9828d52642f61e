"""How far two rankings agree: every coefficient at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.statistics.kendall import kendall, kendall_b
from truerank.statistics.rbo import RBO, Rankable, WeakOrder, rbo
from truerank.statistics.spearman import spearman
from truerank.statistics.tau_ap import tau_ap, tau_ap_b

CORRELATIONS = ("kendall_a", "kendall_b", "tau_ap", "tau_ap_b", "spearman")
"""Coefficients from -1 to 1, which need the same items in both rankings."""


@dataclass(frozen=True)
class Agreement:
    """How far rankings a and b agree; NaN where a coefficient is undefined, and ``notices`` say why."""

    kendall_a: float
    """Kendall's tau-a; pairs that are tied count as half agreed."""
    kendall_b: float
    """Kendall's tau-b; 1 for rankings that agree in all, ties included."""
    tau_ap: float
    """AP correlation of b with a, which is the reference; the mean over all orders of ties."""
    tau_ap_b: float
    """AP correlation where neither is the reference; 1 for rankings that agree in all, ties included."""
    spearman: float
    """Spearman's rho, with mid-ranks for ties."""
    rbo: RBO
    """Rank-biased overlap, which takes rankings with different items."""
    p: float
    """The persistence that rank-biased overlap is under."""
    items: dict[str, int]
    """How many items there are: in "a", in "b", in "both"."""
    notices: tuple[str, ...] = ()
    reference: str = "a"
    """The ranking that ``tau_ap`` takes for the truth."""

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            **{name: getattr(self, name) for name in CORRELATIONS},
            "reference": self.reference,
            "rbo": self.rbo.to_dict(),
            "p": self.p,
            "items": dict(self.items),
            "notices": list(self.notices),
        }

    def __str__(self) -> str:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.agreement import agreement_table
        from truerank.report.formats import render

        return render(agreement_table(self), "table")


def agreement(a: Rankable, b: Rankable, *, p: float = 0.9) -> Agreement:
    """Tell how far two rankings agree.

    Each is {item: score}, where a higher score is better and equal ones are tied, or a list of items from the best on,
    in which items that are tied stand in a list or tuple of their own. Where one ranking is the truth, it is ``a``.
    ``p`` is the persistence of rank-biased overlap, see ``rbo``.

    >>> found = agreement({"bm25": 0.31, "dense": 0.42, "hybrid": 0.45}, {"bm25": 0.30, "dense": 0.52, "hybrid": 0.47})
    >>> round(found.kendall_b, 4), round(found.tau_ap, 4), round(found.rbo.a.ext, 4)
    (0.3333, 0.0, 0.9)
    >>> agreement(["a", "b"], ["a", "c"]).notices
    ("a has 'b', which b lacks, and b has 'c', which a lacks; correlations need the same items and are undefined",)
    """
    one, other = WeakOrder.of(a, "ranking a"), WeakOrder.of(b, "ranking b")
    place = one.places_in(other)
    common = int((place >= 0).sum())
    same = common == len(one) == len(other)
    # Fewer items above is better, as a higher score is; of no items every correlation is undefined.
    x, y = (-one.above, -other.above[place]) if same else (np.empty(0), np.empty(0))
    return Agreement(
        kendall_a=kendall(x, y),
        kendall_b=kendall_b(x, y),
        tau_ap=tau_ap(x, y),
        tau_ap_b=tau_ap_b(x, y),
        spearman=spearman(x, y),
        rbo=rbo(one, other, p=p),
        p=float(p),
        items={"a": len(one), "b": len(other), "both": common},
        notices=tuple(_notices(one, other, same=same)),
    )


def _notices(a: WeakOrder, b: WeakOrder, *, same: bool) -> list[str]:
    """Why something is undefined."""
    said = []
    if not same:
        missing = [text for text in (_lacks("a", a, "b", b), _lacks("b", b, "a", a)) if text]
        said.append(f"{', and '.join(missing)}; correlations need the same items and are undefined")
    elif len(a) < 2:
        said.append("correlations need two items and are undefined")
    else:
        tied = [name for name, order in (("a", a), ("b", b)) if order.tied[0] == len(order)]
        if tied:
            verb = "ties" if len(tied) == 1 else "tie"
            said.append(
                f"{' and '.join(tied)} {verb} all items, so that kendall_b, tau_ap_b and spearman are undefined"
            )
    empty = [name for name, order in (("a", a), ("b", b)) if not len(order)]
    if empty:
        verb = "is" if len(empty) == 1 else "are"
        said.append(f"{' and '.join(empty)} {verb} empty, so that rank-biased overlap has bounds and no value")
    return said


def _lacks(name: str, order: WeakOrder, other_name: str, other: WeakOrder) -> str:
    lacking = [item for item in order.items if item not in other.place]
    if not lacking:
        return ""
    more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
    return f"{name} has {lacking[0]!r:.80}{more}, which {other_name} lacks"
