"""Systems by lists cut at their best length, against systems by whole lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.agreement.kendall import kendall, kendall_b
from truerank.analysis.agreement.kendall_p import kendall_p
from truerank.analysis.cuts.results import Cuts
from truerank.analysis.tabular import Tabular
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


@dataclass(frozen=True)
class Tau:
    """How far two orderings of the systems of one collection agree: by whole lists, and by lists cut."""

    collection: str
    whole: str
    """The measure of whole lists."""
    cut: str
    """The measure that lists are cut by, and scored by."""
    systems: int
    tau: float
    """Kendall's tau-a; pairs that are tied count as half agreed."""
    tau_b: float
    """Kendall's tau-b, corrected for ties."""
    p: float
    """Chance of a tau so far from 0 between orderings that have nothing to do with each other."""


@dataclass(frozen=True, eq=False)
class Against(Tabular):
    """Kendall's tau between systems by whole lists and by lists cut, in each collection and on average."""

    kinds = ("mean", "collections", "systems")

    collections: dict[str, Cuts]
    taus: tuple[Tau, ...]
    notices: tuple[str, ...] = ()

    @cached_property
    def whole(self) -> tuple[str, ...]:
        """The measures of whole lists."""
        return tuple(dict.fromkeys(one.whole for one in self.taus))

    @cached_property
    def cut(self) -> tuple[str, ...]:
        """The measures that lists were cut by."""
        return tuple(dict.fromkeys(one.cut for one in self.taus))

    @cached_property
    def _found(self) -> dict[tuple[str, str], list[Tau]]:
        found: dict[tuple[str, str], list[Tau]] = {}
        for one in self.taus:
            found.setdefault((one.whole, one.cut), []).append(one)
        return found

    def of(self, whole: str | Measure, cut: str | Measure) -> list[Tau]:
        """The taus of two measures, one a collection."""
        return self._found[str(parse(str(whole))), str(parse(str(cut)))]

    def tau(self, whole: str | Measure, cut: str | Measure) -> float:
        """The mean of tau-a over the collections where it is defined; NaN where it is in none."""
        return _mean([one.tau for one in self.of(whole, cut)])

    def significant(self, level: float) -> float:
        """Share of the taus of all pairs and collections whose p-value is below a level; those without are left out."""
        return _mean([float(p < level) for p in _known([one.p for one in self.taus])])

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a pair of measures; "collections": a pair and collection, "systems": a system and its scores."""
        show = self.kind(show)
        if show == "collections":
            return [asdict(one) for one in self.taus]
        if show == "systems":
            return [
                {"collection": name, "run": run, "lists": "cut", "measure": measure, "mean": mean}
                for name, cuts in self.collections.items()
                for measure in self.cut
                for run, mean in zip(cuts, scores(cuts, measure, cut=True).tolist(), strict=True)
            ] + [
                {"collection": name, "run": run, "lists": "whole", "measure": measure, "mean": mean}
                for name, cuts in self.collections.items()
                for measure in self.whole
                for run, mean in zip(cuts, scores(cuts, measure, cut=False).tolist(), strict=True)
            ]
        return [
            {
                "whole": whole,
                "cut": cut,
                "collections": len(found),
                "undefined": len(found) - len(_known([one.tau for one in found])),
                "tau": _mean([one.tau for one in found]),
                "tau_b": _mean([one.tau_b for one in found]),
                "least": min(_known([one.tau for one in found]), default=np.nan),
                "most": max(_known([one.tau for one in found]), default=np.nan),
                "largest_p": max(_known([one.p for one in found]), default=np.nan),
            }
            for (whole, cut), found in self._found.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "mean": self.to_records(),
            "collections": self.to_records("collections"),
            "systems": self.to_records("systems"),
            "notices": list(self.notices),
        }

    def scatter(self, pairs: Sequence[tuple[str, str]] | None = None, *, theme: str = "light") -> Plot:
        """Draw systems by whole lists against systems by lists cut: a panel a pair (whole, cut), a colour a collection.

        Without ``pairs``, those of the paper's figure 3 that there are or, of few pairs, all.
        """
        from truerank.report.plots.truncate import plot_scatter

        return plot_scatter(self, pairs, theme=theme)

    def _table(self, show: str | None) -> Table:
        from truerank.report.against import against_table

        return against_table(self, show)

    def __repr__(self) -> str:
        return f"Against({len(self.whole)} x {len(self.cut)} measures, {len(self.collections)} collections)"


def against(cuts: Cuts | Mapping[str, Cuts]) -> Against:
    """Hold the order of systems by lists cut at their best length against that by whole lists.

    Takes what ``truncate(..., against=...)`` found of a collection, or of several by name: then tau is given for each
    and on average. Every system is at its best length on every topic, so this is what a system could reach that knew
    where to stop.

    >>> from truerank.analysis.truncate import truncate
    >>> qrels = {"q1": {"a": 1, "b": 1}}
    >>> runs = {"x": {"q1": ["a", "u", "v", "b"]}, "y": {"q1": ["u", "a", "b"]}, "z": {"q1": ["u", "v", "a"]}}
    >>> against(truncate(qrels, runs, "F", against="RR")).tau("RR", "F")
    0.3333333333333333
    """
    named = {"": cuts} if isinstance(cuts, Cuts) else dict(cuts)
    if not named:
        raise InputError("there is no collection; give what truncate(..., against=...) found")
    for name, one in named.items():
        if not isinstance(one, Cuts):
            raise InputError(f"{name or 'what is given'} is {type(one).__name__}; give what truncate found")
        if not one.compared:
            raise InputError("there are no scores of whole lists; call truncate(..., against='AP nDCG')")
        if (one.measures, one.compared) != (next(iter(named.values())).measures, next(iter(named.values())).compared):
            raise InputError(f"{name} has other measures than {next(iter(named))}; truncate all by the same ones")
    taus = tuple(
        _tau(name, one, str(whole), cut)
        for name, one in named.items()
        for whole in one.compared
        for cut in one.measures
    )
    return Against(named, taus, tuple(_notices(named, taus)))


def scores(cuts: Cuts, measure: str, *, cut: bool) -> Floats:
    """Mean scores of the runs by a measure: cut at their best lengths, or whole."""
    if cut:
        return np.array([one.mean_best for one in cuts.cuts(measure).values()])
    return np.array([cuts.whole[measure][run] for run in cuts])


def _tau(name: str, cuts: Cuts, whole: str, cut: str) -> Tau:
    x, y = scores(cuts, whole, cut=False), scores(cuts, cut, cut=True)
    known = not (np.isnan(x).any() or np.isnan(y).any()) and len(x) > 1
    # A lower score may be the better one.
    signs = {str(measure): measure.sign for measure in (*cuts.wanted, *cuts.compared)}
    x, y = x * signs[whole], y * signs[cut]
    return Tau(
        name,
        whole,
        cut,
        len(cuts),
        tau=kendall(x, y) if known else np.nan,
        tau_b=kendall_b(x, y) if known else np.nan,
        p=kendall_p(x, y) if known else np.nan,
    )


def _notices(named: Mapping[str, Cuts], taus: Sequence[Tau]) -> list[str]:
    """What makes a tau undefined."""
    lone = [name for name, cuts in named.items() if len(cuts) < 2]
    said = [f"{name or 'the collection'} has one run, and an order needs two; tau is undefined" for name in lone]
    lacking = dict.fromkeys(one.collection for one in taus if np.isnan(one.tau) and one.collection not in lone)
    said += [f"{name or 'the collection'} has runs without a mean; tau is undefined" for name in lacking]
    undefined = sum(np.isnan(one.tau) for one in taus)
    level = sum(np.isnan(one.p) for one in taus) - undefined
    if 0 < undefined < len(taus):
        said.append(f"{undefined} of {len(taus)} taus are undefined, and left out of means and shares")
    if level:
        why = "where all systems are level by a measure"
        said.append(f"{level} of {len(taus)} taus have no tau-b and no p-value, {why}; they are left out of both")
    return said


def _known(values: Sequence[float]) -> list[float]:
    """Those that are defined: what is not is neither large nor small."""
    return [value for value in values if value == value]


def _mean(values: Sequence[float]) -> float:
    known = _known(values)
    return sum(known) / len(known) if known else np.nan
