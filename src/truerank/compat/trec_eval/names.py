"""From trec_eval's names to measures: ``P.5,10`` and ``P_5`` mean what they mean there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from truerank.compat.trec_eval import parameters, prefs
from truerank.compat.trec_eval.parameters import Pairs, gains_of
from truerank.compat.trec_eval.quirks import (
    IdealDCG,
    LevelledRNDCG,
    Rbp,
    Regraded,
    Residual,
    TrecInterpolated,
    UnjudgedShare,
    WeightedF,
    Yaap,
)
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.grammar import UnknownMeasure
from truerank.measures.table import TABLE

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(tenth / 10 for tenth in range(11))
FIFTHS = tuple(fifth / 5 for fifth in range(1, 11))


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The version, and the options that measures depend on."""

    version: int = 10
    level: float = 1
    """Grade from which on a document is relevant (-l)."""
    size: int = 0
    """Documents in the collection (-N)."""

    @property
    def rel(self) -> float:
        """The level, for measures here: where grade 0 is relevant, they see grades that are one higher."""
        return self.level or 1


class CalculationError(InputError):
    """What trec_eval finds out only when it calculates, and exits 4 for."""


Make = Callable[[Setting, Any], Measure]
"""From the options and one parameter to a measure."""


@dataclass(frozen=True)
class Family:
    """A name of trec_eval, and the measures that it stands for."""

    name: str
    make: Make | None = None
    """Our measure, given the options and one parameter; None for what is no measure of judgments with grades."""
    kind: str = "plain"
    """How its parameters are read: "plain" takes none, "cutoffs" and "levels" make a measure each, "weights" and
    "pairs" make one measure of all."""
    default: tuple[Any, ...] = ()
    since: int = 9
    """The version of trec_eval that has it first."""
    count: bool = False
    """Whether it is printed as a whole number."""
    shown: str = "both"
    """Where it is printed: "both", only in the "summary", or only by "topic"."""
    form: str = "qrels"
    """The form of judgments that it takes: "qrels", "prefs" (also "qrels_prefs"), "qrels_jg", or "any"."""

    @property
    def geometric(self) -> bool:
        """Whether topics are summed up by their geometric mean."""
        return self.name.startswith("gm_")


def _binary(name: str, **fixed: Any) -> Make:
    return lambda s, _: TABLE[name](rel=s.rel, **fixed)


def _at(name: str, **fixed: Any) -> Make:
    return lambda s, cutoff: TABLE[name](rel=s.rel, **fixed) @ cutoff


def _utility(s: Setting, worth: tuple[float, ...]) -> Measure:
    if len(worth) != 4:
        raise CalculationError(f"utility takes four weights, not {len(worth)}; write utility.1,-1,0,0")
    a, b, c, d = worth
    if d and s.size < 1:
        raise InputError("the fourth weight of utility is for documents that were not retrieved; give -N, how many")
    return TABLE["Utility"](rel=s.rel, a=a, b=b, c=c, d=d, size=s.size or None)


def _rprec(s: Setting, mult: float) -> Measure:
    # Of no document there is no precision, which counts as 0.
    return TABLE["Rprec"](rel=s.rel, mult=max(mult, 1e-9))


def _gains(measure: Measure, pairs: Pairs) -> Measure:
    """One of our graded measures with gains, also for grade 0."""
    gains = gains_of(pairs)
    return Regraded(measure=measure, gains=gains) if gains and dict(gains).get(0) else measure(gains=gains)


def _graded(name: str) -> Make:
    return lambda _, pairs: _gains(TABLE[name], pairs)


def _rndcg(s: Setting, pairs: Pairs) -> Measure:
    gains = gains_of(pairs)
    return TABLE["RnDCG"] if gains is None and s.level == 1 else LevelledRNDCG(gains=gains, level=s.level)


def _interpolated(s: Setting, *levels: float) -> Measure:
    return TrecInterpolated(rel=s.rel, levels=levels, version=s.version)


def _persistence(pairs: Pairs) -> float:
    """The pair p; others are grades with their gains."""
    return dict(pairs).get("p", 0.9)


FAMILIES: tuple[Family, ...] = (
    Family("runid", shown="summary", form="any"),
    Family("num_q", lambda s, _: TABLE["NumQ"], count=True, shown="summary", form="any"),
    Family("num_ret", lambda s, _: TABLE["NumRet"], count=True),
    Family("num_rel", _binary("NumRel"), count=True),
    Family("num_rel_ret", _binary("NumRet"), count=True),
    Family("map", _binary("AP")),
    Family("gm_map", lambda s, _: TABLE["GM"](measure=TABLE["AP"](rel=s.rel)), shown="summary"),
    Family("Rprec", _binary("Rprec")),
    Family("bpref", _binary("Bpref")),
    Family("recip_rank", _binary("RR")),
    Family("iprec_at_recall", _interpolated, "levels", TENTHS),
    Family("P", _at("P"), "cutoffs", CUTOFFS),
    Family("relstring", None, "weights", (10.0,), shown="topic"),
    Family("recall", _at("R"), "cutoffs", CUTOFFS),
    Family("infAP", _binary("infAP")),
    Family("gm_bpref", lambda s, _: TABLE["GM"](measure=TABLE["Bpref"](rel=s.rel)), shown="summary"),
    Family("Rprec_mult", _rprec, "levels", FIFTHS),
    Family("utility", _utility, "weights", (1.0, -1.0, 0.0, 0.0)),
    Family("11pt_avg", lambda s, levels: _interpolated(s, *levels), "weights", TENTHS),
    Family("binG", _binary("BinG")),
    Family("G", _graded("G"), "pairs"),
    Family("dcg", _graded("DCG"), "pairs", since=10),
    Family("ideal_dcg", lambda _, pairs: _gains(IdealDCG(), pairs), "pairs", since=10),
    Family("ndcg", _graded("nDCG"), "pairs"),
    Family("ndcg_rel", _graded("nDCGRel"), "pairs"),
    Family("Rndcg", _rndcg, "pairs"),
    Family("ndcg_cut", lambda s, cutoff: TABLE["nDCG"] @ cutoff, "cutoffs", CUTOFFS),
    Family("map_cut", _at("AP"), "cutoffs", CUTOFFS),
    Family("relative_P", _at("P", relative=True), "cutoffs", CUTOFFS),
    Family("success", _at("Success"), "cutoffs", (1, 5, 10)),
    Family("set_P", _binary("SetP")),
    Family("set_relative_P", _binary("SetP", relative=True)),
    Family("set_recall", _binary("SetR")),
    Family("set_map", _binary("SetAP")),
    Family("set_F", lambda s, weight: WeightedF(rel=s.rel, weight=weight[0]), "weights", (1.0,)),
    Family("num_nonrel_judged_ret", _binary("NumNonrelRet"), count=True),
    *(Family(name, count="_num_" in name, form="prefs") for name in prefs.MEASURES),
    Family("map_avgjg", form="qrels_jg"),
    Family("P_avgjg", None, "cutoffs", CUTOFFS, form="qrels_jg"),
    Family("Rprec_mult_avgjg", None, "levels", FIFTHS, form="qrels_jg"),
    Family("yaap", lambda s, _: Yaap(rel=s.rel)),
    Family("rbp", lambda _, pairs: Rbp(p=_persistence(pairs), gains=gains_of(pairs)), "pairs", since=10),
    Family("rbp_resid", lambda _, pairs: Residual(p=_persistence(pairs)), "pairs", since=10),
    Family("unj", lambda _, cutoff: UnjudgedShare(cutoff=cutoff), "cutoffs", (5, 10, 20), since=10),
)
"""Every measure, in the order of the output."""

_HEAD = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_SETS = ("utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F")
_ALL = tuple(family.name for family in FAMILIES)
_PREFS = tuple(name for name in _ALL if name.startswith("prefs_"))

NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": (*_HEAD, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "set": (*_HEAD, *_SETS),
    "all_trec": tuple(
        name
        for name in _ALL
        if not name.startswith("prefs_") and not name.endswith("avgjg") and name not in ("yaap", "dcg", "ideal_dcg")
    ),
    "all_prefs": ("runid", "num_q", *_PREFS),
    "prefs": ("runid", "num_q", *_PREFS[: _PREFS.index("prefs_avgjg") + 1]),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}
"""Names for several measures at once."""

_READ = {
    "cutoffs": parameters.cutoffs,
    "levels": parameters.levels,
    "weights": parameters.weights,
    "pairs": parameters.pairs,
}


def families(version: int = 10) -> dict[str, Family]:
    """The measures of a version of trec_eval, in the order of its output."""
    return {family.name: family for family in FAMILIES if family.since <= version}


class PrintedName(NamedTuple):
    """Something to be printed."""

    name: str
    family: Family
    """The measure that it belongs to."""
    parameter: Any


def printed(family: Family, given: str | None) -> Iterator[PrintedName]:
    """The names that a measure is printed under, with the parameter that belongs to each.

    >>> [(name, parameter) for name, _, parameter in printed(families()["P"], "10,5")]
    [('P_5', 5), ('P_10', 10)]
    >>> [(name, parameter) for name, _, parameter in printed(families()["set_F"], "2.0")]
    [('set_F_2.0', (2.0,))]
    """
    if family.kind == "plain":
        given = None
    chosen = family.default if given is None else _READ[family.kind](given)
    if family.kind == "cutoffs":
        yield from (PrintedName(f"{family.name}_{cutoff}", family, cutoff) for cutoff in chosen)
    elif family.kind == "levels":
        yield from (PrintedName(f"{family.name}_{level:3.2f}", family, level) for level in chosen)
    else:
        yield PrintedName(family.name if given is None else f"{family.name}_{given}", family, chosen)


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
        meant = _with_dot(text, known)
        hint = f"write {meant}" if meant else "truerank trec_eval -h lists those it has"
        raise UnknownMeasure(f"trec_eval {version} has no measure {name!r}; {hint}")
    if dot and not given:
        raise InputError(f"measure {text!r} ends in a dot; give its parameters behind it, or leave the dot out")
    return names, given if dot == "." else None


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
        for name, _, parameter in printed(known[each], given)
    }
    if not found:
        raise UnknownMeasure(f"{text!r} of trec_eval is no measure of graded judgments")
    return found


def _dotted(text: str, known: dict[str, Family]) -> str:
    """``P_5``, as it is printed, in the form that -m takes: ``P.5``."""
    if text.partition(".")[0] in known:
        return text
    return _with_dot(text, [name for name, family in known.items() if family.kind != "plain"]) or text


def _with_dot(text: str, names: Iterable[str]) -> str:
    """The text with a dot behind the longest of the names that it begins with; "" where it begins with none."""
    for name in sorted(names, key=len, reverse=True):
        if text.startswith(f"{name}_"):
            return f"{name}.{text[len(name) + 1 :]}"
    return ""
