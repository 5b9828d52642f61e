"""Kendall's tau between systems by lists cut at their best length and systems by whole lists."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from truerank.data.errors import InputError
from truerank.questions.truncate.against import NOT_HELD, Against, Tau, means
from truerank.questions.truncate.answer import Cuts
from truerank.questions.truncate.published import published_tau
from truerank.statistics.correlations import kendall, kendall_b, kendall_p


def against(cuts: Cuts | Mapping[str, Cuts], *, published: bool = False) -> Against:
    """Tau of each pair of measures in each collection."""
    named = {one.name: one for one in cuts.every} if isinstance(cuts, Cuts) else dict(cuts)
    if not named:
        raise InputError("there is no collection; give what truncate(..., against=...) found")
    for name, one in named.items():
        if not isinstance(one, Cuts):
            raise InputError(f"{name or 'what is given'} is {type(one).__name__}; give what truncate found")
        if not one.compared:
            raise InputError(NOT_HELD)
        first = next(iter(named.values()))
        if (one.measures, one.compared) != (first.measures, first.compared):
            raise InputError(f"{name} has other measures than {next(iter(named))}; truncate all by the same ones")
    taus = [
        _tau(name, one, str(whole), cut, published=published)
        for name, one in named.items()
        for whole in one.compared
        for cut in one.measures
    ]
    return Against(collections=named, taus=tuple(taus), published=published)


def _tau(name: str, cuts: Cuts, whole: str, cut: str, *, published: bool) -> Tau:
    x, y = np.array(means(cuts, whole, cut=False)), np.array(means(cuts, cut, cut=True))
    known = not (np.isnan(x).any() or np.isnan(y).any()) and len(x) > 1
    # A lower score may be the better one.
    signs = {str(measure): measure.sign for measure in (*cuts.wanted, *cuts.compared)}
    x, y = x * signs[whole], y * signs[cut]
    return Tau(
        collection=name,
        whole=whole,
        cut=cut,
        systems=len(cuts),
        tau=kendall(x, y) if known else np.nan,
        tau_b=kendall_b(x, y) if known else np.nan,
        p=kendall_p(x, y) if known else np.nan,
        paper=published_tau(whole, cut) if published else None,
    )
