"""From trec_eval's names to measures: ``P.5,10`` and ``P_5`` mean what they mean there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from truerank.compat.trec_eval import parameters
from truerank.compat.trec_eval.families import FAMILIES, NICKNAMES, Family
from truerank.compat.trec_eval.settings import Setting
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.grammar import UnknownMeasure

_READ = {
    "cutoffs": parameters.cutoffs,
    "levels": parameters.levels,
    "weights": parameters.weights,
    "pairs": parameters.pairs,
}


def families(version: int = 10) -> dict[str, Family]:
    """The measures of a version of trec_eval, in the order of its output."""
    return {family.name: family for family in FAMILIES if family.since <= version}


def printed(family: Family, given: str | None) -> Iterator[tuple[str, Any]]:
    """The names that a measure is printed under, and the parameter that belongs to each.

    >>> dict(printed(families()["P"], "10,5")), dict(printed(families()["set_F"], "2.0"))
    ({'P_5': 5, 'P_10': 10}, {'set_F_2.0': (2.0,)})
    """
    chosen = family.default if given is None or family.kind == "plain" else _READ[family.kind](given)
    if family.kind == "cutoffs":
        yield from ((f"{family.name}_{cutoff}", cutoff) for cutoff in chosen)
    elif family.kind == "levels":
        yield from ((f"{family.name}_{level:3.2f}", level) for level in chosen)
    else:
        yield f"{family.name}_{given}" if given is not None and family.kind != "plain" else family.name, chosen


def chosen(text: str, version: int = 10) -> tuple[tuple[str, ...], str | None]:
    """The names of the measures that the value of -m stands for, and its parameters.

    >>> chosen("P.5,10"), chosen("set")[0][-2:]
    ((('P',), '5,10'), ('set_map', 'set_F'))
    """
    name, dot, given = text.partition(".")
    known = families(version)
    if name in NICKNAMES:
        # Parameters behind a nickname are no measure's; they are read and not used.
        names, dot = tuple(each for each in NICKNAMES[name] if each in known), dot and "nickname"
    elif name in known:
        names = (name,)
    else:
        family = next((each for each in sorted(known, key=len, reverse=True) if name.startswith(f"{each}_")), None)
        hint = "truerank trec_eval -h lists those it has" if family is None else f"write {_with_dot(text, family)}"
        raise UnknownMeasure(f"trec_eval {version} has no measure {name!r}; {hint}")
    if dot and not given:
        raise InputError(f"measure {text!r} ends in a dot; give its parameters behind it, or leave the dot out")
    return names, given if dot == "." else None


def _with_dot(text: str, family: str) -> str:
    return f"{family}.{text[len(family) + 1 :]}"


def measures_of(text: str, *, version: int = 10, level: float = 1, size: int = 0) -> dict[str, Measure]:
    """Measures by the names that trec_eval prints, from a name with or without parameters, or a nickname.

    What is no measure of graded judgments (runid, relstring, preferences, judgment groups) is left out of nicknames
    and refused alone. ``level`` is the grade from which on a document is relevant, ``size`` the collection's.

    >>> measures_of("P.5,10"), measures_of("ndcg_cut_10"), measures_of("map", level=2)
    ({'P_5': P@5, 'P_10': P@10}, {'ndcg_cut_10': nDCG@10}, {'map': AP(rel=2)})
    >>> list(measures_of("set"))[3:7]
    ['num_rel_ret', 'utility', 'set_P', 'set_relative_P']
    """
    setting = Setting(version=version, level=level, size=size)
    known = families(version)
    names, given = chosen(_dotted(text, known), version)
    found = {
        name: known[each].make(setting, parameter)  # type: ignore[misc]
        for each in known
        if each in names and known[each].make is not None
        for name, parameter in printed(known[each], given)
    }
    if not found:
        raise UnknownMeasure(f"{text!r} of trec_eval is no measure of graded judgments")
    return found


def _dotted(text: str, known: dict[str, Family]) -> str:
    """``P_5``, as it is printed, in the form that -m takes: ``P.5``."""
    if text.partition(".")[0] in known:
        return text
    for name in sorted(known, key=len, reverse=True):
        if text.startswith(f"{name}_") and known[name].kind != "plain":
            return f"{name}.{text[len(name) + 1 :]}"
    return text
