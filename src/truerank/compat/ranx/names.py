"""ranx's names for measures."""

from __future__ import annotations

import re
from typing import Any

from truerank.data.arrays import Floats, distinct
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.table import TABLE

_BINARY = {
    "hits": "CG",
    "hit_rate": "Success",
    "precision": "P",
    "recall": "R",
    "f1": "F",
    "r-precision": "Rprec",
    "mrr": "RR",
    "map": "AP",
    "bpref": "Bpref",
}
_GRADED: dict[str, tuple[str, dict[str, Any]]] = {
    "dcg": ("DCG", {}),
    "dcg_burges": ("DCG", {"dcg": "exp-log2"}),
    "ndcg": ("nDCG", {}),
    "ndcg_burges": ("nDCG", {"dcg": "exp-log2"}),
}
LABELS = {
    "hits": "Hits",
    "hit_rate": "Hit Rate",
    "precision": "P",
    "recall": "Recall",
    "f1": "F1",
    "r-precision": "R-Prec",
    "mrr": "MRR",
    "map": "MAP",
    "dcg": "DCG",
    "dcg_burges": "DCG Burges",
    "ndcg": "NDCG",
    "ndcg_burges": "NDCG Burges",
    "bpref": "BPref",
    "rbp": "RBP",
}
"""What reports call them."""

_FORM = re.compile(r"(?P<family>[^@.]+?)(?P<parameter>[@.]\d+)?(?P<level>-l\d+(\.\d+)?)?")


def measure_of(metric: str, grades: Floats) -> Measure:
    """The measure that ranx's name stands for, where the judgments have these grades.

    Level ``-l2`` takes lower grades for not relevant. Gains are the grades themselves, also in RBP.

    >>> import numpy as np
    >>> grades = np.array([0.0, 1.0, 2.0])
    >>> [measure_of(metric, grades) for metric in ("map@100-l2", "ndcg@10-l2", "hit_rate@1", "rbp.95")]
    [AP(rel=2)@100, nDCG(gains={1:0})@10, Success@1, RBP(gains={1:1,2:2},p=0.95)]
    """
    family, parameter, level = parts(metric)
    if family == "rbp":
        if not parameter:
            raise InputError("rbp needs its persistence; write rbp.95 for 0.95")
        positive = distinct(grades[grades > 0]).tolist()
        gains = {grade: grade if grade >= (level or 0) else 0.0 for grade in positive}
        return TABLE["RBP"](p=float(f"0.{parameter[1:]}"), **({"gains": _short(gains)} if gains else {}))
    cutoff = int(parameter[1:]) if parameter else 0
    if family in _GRADED:
        name, given = _GRADED[family]
        low = distinct(grades[(grades > 0) & (grades < (level or 0))]).tolist()
        return _cut(TABLE[name](**given, **({"gains": _short(dict.fromkeys(low, 0.0))} if low else {})), cutoff)
    name = _BINARY[family]
    if family == "precision" and not cutoff:
        name = "SetP"  # An empty list has precision 0.
    found = TABLE[name](rel=_whole(1.0 if level is None else level))
    return found if family in ("r-precision", "bpref") else _cut(found, cutoff)


def parts(metric: str) -> tuple[str, str, float | None]:
    """Family, parameter and level of a name.

    >>> parts("map@100-l2"), parts("r-precision"), parts("rbp.95")
    (('map', '@100', 2.0), ('r-precision', '', None), ('rbp', '.95', None))
    """
    if not isinstance(metric, str):
        raise InputError(f"a metric is text such as 'ndcg@10', not {metric!r}")
    found = _FORM.fullmatch(metric)
    dotted = found is not None and (found["parameter"] or "").startswith(".")
    if not found or found["family"] not in LABELS or (dotted and found["family"] != "rbp"):
        raise InputError(
            f"metric {metric!r} is not known; take one of {', '.join(LABELS)}, as in ndcg@10 or map@100-l2"
        )
    return found["family"], found["parameter"] or "", float(found["level"][2:]) if found["level"] else None


def label(metric: str) -> str:
    """What a report calls a metric.

    >>> label("ndcg_burges@10-l2"), label("rbp.95")
    ('NDCG Burges@10-l2', 'RBP.95')
    """
    family, _, _ = parts(metric)
    return LABELS[family] + metric[len(family) :]


def _cut(measure: Measure, cutoff: int) -> Measure:
    return measure @ cutoff if cutoff else measure


def _short(gains: dict[float, float]) -> dict[float, float]:
    return {_whole(grade): _whole(gain) for grade, gain in gains.items()}


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number
