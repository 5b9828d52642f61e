"""pytrec_eval's names of measures: trec_eval 9's, where most parameters are not part of the name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from truerank.compat.trec_eval.names import NICKNAMES, families, measures_of
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure

FAMILIES = families(9)
TEXT = ("runid", "relstring")
"""A name and a string of grades, which are 0 there."""

supported_nicknames: dict[str, set[str]] = {
    name: {each for each in members if each in FAMILIES} for name, members in NICKNAMES.items()
}
supported_measures: set[str] = set(supported_nicknames["all_trec"])


def columns(measures: Iterable[str], level: int) -> dict[str, Measure | None]:
    """Measures by the names that they have in results, in trec_eval's order; None for what is text there.

    >>> columns(["P_10", "set_F.2.0", "map", "P.5"], level=1)
    {'map': AP, 'P_5': P@5, 'P_10': P@10, 'set_F': SetFAsTrecEval(weight=2.0)}
    """
    if isinstance(measures, str):
        raise InputError(f"measures are a set of names such as {{'map'}}, not {measures!r}")
    given: dict[str, list[str]] = {}
    for measure in measures:
        for name in supported_nicknames.get(measure, {measure}):
            family, parameter = _family(name)
            given.setdefault(family, []).extend(parameter.split(",") if _several(family) and parameter else [])
            if parameter and not _several(family):
                given[family].append(parameter)
    found: dict[str, Measure | None] = {}
    for family in FAMILIES:
        if family in TEXT and family in given:
            found[family] = None
        elif family in given:
            found |= _measures(family, list(dict.fromkeys(given[family])), level)
    return found


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """One number for the values of all topics: the sum of counts, e to the mean of logarithms, or the mean.

    >>> compute_aggregated_measure("num_ret", [3, 4]), compute_aggregated_measure("map", [0.5, 1.0])
    (7.0, 0.75)
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    if not len(values):
        raise InputError(f"there are no values of {measure} to take a mean of; evaluate at least one topic")
    mean = np.sum(values) / len(values)
    return float(np.exp(mean) if measure.startswith("gm_") else mean)


def _measures(family: str, parameters: list[str], level: int) -> dict[str, Measure]:
    if len(parameters) > 1 and not _several(family):
        raise InputError(f"{family} is asked for with {' and with '.join(parameters)}; use an evaluator for each")
    text = f"{family}.{','.join(parameters)}" if parameters else family
    found = measures_of(text, version=9, level=level)
    return found if _several(family) else dict.fromkeys([family], *found.values())


def _several(family: str) -> bool:
    """Whether each parameter makes a measure, and is part of its name."""
    return FAMILIES[family].kind in ("cutoffs", "levels")


def _family(name: str) -> tuple[str, str]:
    """The family of a measure's name and its parameters: those of P_5 and of P.5 are 5.

    >>> _family("ndcg_cut_10"), _family("P.5,10"), _family("ndcg.1=0.2,2=0.9"), _family("map")
    (('ndcg_cut', '10'), ('P', '5,10'), ('ndcg', '1=0.2,2=0.9'), ('map', ''))
    """
    if name in supported_measures:
        return name, ""
    for family in supported_measures if isinstance(name, str) else ():
        rest = name[len(family) + 1 :]
        if name.startswith((f"{family}.", f"{family}_")) and rest[:1] and rest[0] in "0123456789.-":
            return family, rest
    raise InputError(f"unsupported measure {name!r}; supported_measures has those that there are")
