"""The measures that can be named, and how each is read: ir_measures' own, and those it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, NamedTuple

from truerank.compat.ir_measures.retrieved_accuracy import RetrievedAccuracy
from truerank.compat.trec_eval.quirks import Regraded, TrecInterpolated, WeightedF
from truerank.conventions.axes import AXES, Conventions
from truerank.conventions.presets import conventions
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import number
from truerank.measures.grammar import parse
from truerank.measures.table import ALIASES, TABLE

NOT_PROVIDED: Any = object()


class ParameterError(InputError, AssertionError):
    """Parameters that a measure cannot have; ir_measures asserts that there are none."""


@dataclass(frozen=True)
class ParamInfo:
    """A parameter of a measure."""

    dtype: Any = None
    required: bool = False
    choices: Any = NOT_PROVIDED
    default: Any = NOT_PROVIDED
    desc: str | None = None


class FamilyReading(NamedTuple):
    """One of our measures, and the conventions it is read under."""

    measure: Measure
    choice: Conventions


@dataclass(frozen=True)
class MeasureFamily:
    """A measure's name with the parameters it takes, in ir_measures' grammar."""

    name: str
    parameters: Mapping[str, ParamInfo]
    ours: str = ""
    """The name of the measure in our table; "" where we have none."""
    at: str = "cutoff"
    """The parameter that @ sets."""
    like: str | None = None
    """The tool whose conventions it is read under; None for ours."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of our measure that are fixed here."""
    choice: Mapping[str, str] = field(default_factory=dict)
    """Conventions that are fixed here."""
    instead: str = ""
    """What to use where we have no such measure."""
    leaves_out: bool = False
    """Whether topics without a value are left out, and do not count as 0."""

    def reading(self, given: Mapping[str, Any]) -> FamilyReading:
        """Our measure for these parameters, or an error that says what is wrong with them."""
        if not self.ours:
            raise InputError(f"{self.name} is not a measure of truerank; {self.instead}")
        for name in given:
            if name not in self.parameters:
                takes = f"takes {', '.join(self.parameters)}" if self.parameters else "takes none"
                raise ParameterError(f"{self.name} has no parameter {name!r}; it {takes}")
        for name, info in self.parameters.items():
            if info.required and name not in given:
                example = f"{self.name}@{0.1 if name == 'recall' else 10}" if name == self.at else f"{name}=..."
                raise ParameterError(f"{self.name} needs its {name}; write {example}")
        rest = dict(given)
        judged_only, ties = rest.pop("judged_only", False), rest.pop("ties", None)
        if not isinstance(judged_only, bool):
            raise ParameterError(f"{self.name}: judged_only is True or False, not {judged_only!r}")
        try:
            read = {**self.choice, "ties": ties, "unjudged": "condensed" if judged_only else None}
            return FamilyReading(self._measure(rest), conventions(self.like, **read))
        except InputError as error:
            raise ParameterError(f"{self.name}: {error.message}") from None

    def _measure(self, given: dict[str, Any]) -> Measure:
        if self.name == "SetF":
            # trec_eval's beta, which ir_measures hands on, is the square of van Rijsbergen's.
            weight = given.get("beta", 1.0)
            exact = TABLE["SetF"](**{**given, "beta": _root(weight)})
            return WeightedF(rel=exact.rel, weight=weight)  # type: ignore[attr-defined]
        if self.name == "Accuracy":
            return RetrievedAccuracy(**given)
        if self.name == "nDCG" and (of_nothing := _gain_of_nothing(given)):
            rest = {grade: gain for grade, gain in given.pop("gains").items() if grade}
            cutoff = self._measure({**given, "gains": rest or None}).cutoff
            plain = TABLE["nDCG"] if cutoff is None else TABLE["nDCG"] @ cutoff
            return Regraded(measure=plain, gains=tuple(sorted({0: of_nothing, **rest}.items())))
        if self.name == "IPrec":
            exact = TABLE["IPrec"](**given)
            return TrecInterpolated(rel=exact.rel, levels=(round(exact.recall, 2),), version=9)  # type: ignore[attr-defined]
        if given.pop("min_rel", 0):
            raise InputError("min_rel is 0 here: grades from 1 on have a gain; give max_rel, or rel= of the _TA form")
        if self.ours == "SDCG" and given.pop("dcg", "log2") != "log2":
            raise InputError("dcg is 'log2'")
        if "normalize" in given:
            given["normalise"] = given.pop("normalize")
        if "measure" in given:
            given = {**given, "measure": parse(str(given["measure"]))}
        cutoff = given.pop("cutoff", None)
        measure = TABLE[self.ours](**{**self.fixed, **given})
        return measure if cutoff is None else measure @ cutoff


def _gain_of_nothing(given: Mapping[str, Any]) -> float:
    """The gain of documents without relevance, which our own nDCG knows nothing of."""
    gains = given.get("gains")
    if not isinstance(gains, Mapping) or not gains.get(0):
        return 0.0
    number("the gain of grade 0", gains[0], least=0)
    return float(gains[0])


def _root(beta: Any) -> Any:
    return beta**0.5 if isinstance(beta, int | float) and beta >= 0 else beta


_CUT = {"cutoff": ParamInfo(int, desc="ranking cutoff threshold")}
_NEEDS_CUT = {"cutoff": ParamInfo(int, required=True, desc="ranking cutoff threshold")}
_REL = {"rel": ParamInfo(int, default=1, desc="minimum relevance score to be considered relevant (inclusive)")}
_ANY_REL = {"rel": ParamInfo(int, desc="minimum relevance score to be counted; without it, all documents")}
_JUDGED = {"judged_only": ParamInfo(bool, default=False, desc="ignore returned documents without judgments")}
_RANKED = {**_CUT, **_REL, **_JUDGED}
_AT_DEPTH = {**_NEEDS_CUT, **_REL, **_JUDGED}
_RECALL = {"recall": ParamInfo(float, required=True, desc="recall threshold")}
_DCG = {
    "dcg": ParamInfo(str, choices=["log2", "exp-log2"], default="log2", desc="DCG formulation"),
    "gains": ParamInfo(dict, desc="custom gain mapping"),
}
_P = {"p": ParamInfo(float, default=0.8, desc="persistence")}
_MAX_REL = {"max_rel": ParamInfo(int, desc="highest grade of the scale")}
_SCALED = {
    "min_rel": ParamInfo(int, default=0, desc="minimum relevance score"),
    "max_rel": ParamInfo(int, required=True, desc="maximum relevance score"),
}
_GOAL = {"T": ParamInfo(float, default=1.0, desc="total desired gain")}

_THEIRS: dict[str, tuple[Mapping[str, ParamInfo], dict[str, Any]]] = {
    "P": (_AT_DEPTH, {}),
    "R": (_AT_DEPTH, {}),
    "RR": (_RANKED, {}),
    "Rprec": ({**_REL, **_JUDGED}, {}),
    "AP": (_RANKED, {}),
    "nDCG": ({**_CUT, **_DCG, **_JUDGED}, {}),
    "Success": (_AT_DEPTH, {}),
    "IPrec": ({**_RECALL, **_REL, **_JUDGED}, {"at": "recall"}),
    "Bpref": (_REL, {}),
    "infAP": (_REL, {}),
    "Judged": (_CUT, {"choice": {"negative": "judged"}}),
    "RBP": ({**_CUT, **_P, **_ANY_REL, **_MAX_REL}, {}),
    "ERR": ({**_CUT, "max_rel": ParamInfo(int, default=4, desc="highest grade")}, {"fixed": {"max_rel": 4}}),
    "SetP": ({**_REL, "relative": ParamInfo(bool, default=False), **_JUDGED}, {}),
    "SetR": (_REL, {}),
    "SetF": ({**_REL, "beta": ParamInfo(float, default=1.0, desc="importance of R to P"), **_JUDGED}, {}),
    "SetAP": ({**_REL, **_JUDGED}, {}),
    "NumRet": (_ANY_REL, {}),
    "NumRel": (_REL, {}),
    "NumQ": ({}, {}),
    "SDCG": ({**_NEEDS_CUT, "dcg": ParamInfo(str, choices=["log2"], default="log2"), **_SCALED}, {}),
    "BPM": ({**_NEEDS_CUT, **_GOAL, **_SCALED}, {}),
    "INSQ": ({**_GOAL, **_SCALED}, {}),
    "INST": ({**_GOAL, **_SCALED}, {}),
    "NERR8": ({**_NEEDS_CUT, **_SCALED}, {}),
    "NERR9": ({**_NEEDS_CUT, **_SCALED}, {}),
    "NERR10": ({"p": ParamInfo(float, default=0.9, desc="persistence"), **_SCALED}, {}),
    "NERR11": ({**_GOAL, **_SCALED}, {}),
    "Compat": (
        {"p": ParamInfo(float, default=0.95, desc="persistence"), "normalize": ParamInfo(bool, default=True)},
        {"fixed": {"deepest": None}},
    ),
    "Accuracy": ({**_CUT, **_REL}, {"leaves_out": True}),
}
"""ir_measures' measures that we have, with the parameters they take and what is special about them."""

_SUBTOPICS = "it needs judgments of subtopics, which truerank does not read; use ir_measures with pyndeval for it"
_ABSENT = {
    **dict.fromkeys(("ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"), _SUBTOPICS),
    **dict.fromkeys(("alpha_DCG", "alpha_nDCG"), _SUBTOPICS),
}
"""ir_measures' measures that we lack, and what to do about it."""

_UNRANKED = ("Set", "Num")
"""How the names of measures begin that no order of ties can move."""

_TIES = ParamInfo(
    str,
    default="expected",
    choices=[ties for ties in AXES["ties"].values if ties != "bounds"],
    desc="order of documents with equal scores; by default the mean over all orders",
)


def _theirs(name: str) -> MeasureFamily:
    parameters, more = _THEIRS[name]
    return MeasureFamily(name, parameters, name, like="ir_measures", **more)


def _ours(name: str, suffix: str = "") -> MeasureFamily:
    whole = TABLE[name]
    cut = _CUT if whole.takes_at else {}
    at = "recall" if name == "IPrec" else "cutoff"
    own = {name: _info(default) for name, default in whole.defaults().items() if name != "ending"}
    return MeasureFamily(name + suffix, {**cut, **own, "ties": _TIES, **_JUDGED}, name, at=at)


def _info(default: Any) -> ParamInfo:
    if isinstance(default, Measure):
        return ParamInfo(str, default=str(default))
    return ParamInfo() if default is None else ParamInfo(type(default), default=default)


TIE_AWARE = "_TA"
"""What the names of ir_measures' measures end in where they are averaged over the orders of ties."""

FAMILIES: dict[str, MeasureFamily] = {
    family.name: family
    for family in (
        *map(_theirs, _THEIRS),
        *(MeasureFamily(name, _CUT, instead=instead, like="ir_measures") for name, instead in _ABSENT.items()),
        *(_ours(name) for name in TABLE if name not in _THEIRS),
        *(_ours(name, TIE_AWARE) for name in _THEIRS if name in TABLE and not name.startswith(_UNRANKED)),
    )
}
"""Every measure by name."""

OTHER_NAMES: dict[str, str] = {
    **ALIASES,
    **{alias + TIE_AWARE: name + TIE_AWARE for alias, name in ALIASES.items() if name + TIE_AWARE in FAMILIES},
    "MAP_IA": "AP_IA",
    "α_DCG": "alpha_DCG",
    "α_nDCG": "alpha_nDCG",
}
"""Other names, and what they stand for."""
