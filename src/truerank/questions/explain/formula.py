"""A measure's formula as it is used: without variants that were not asked for."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from truerank.measures.base import Measure
from truerank.measures.ndcg import NDCG
from truerank.measures.oie import OIE, UNTOLD
from truerank.measures.wrapped import core

_VARIANT = re.compile(r", (?=(?:with )?\w+(?:='\w+')?: )")
_HEAD = re.compile(r"(?:with )?(\w+)(?:='(\w+)')?: ")
_BOUND = "depths k"
"""Where a formula goes through all k itself."""


def formula_of(measure: Measure) -> str:
    """The formula, with the variants that the parameters ask for.

    >>> from truerank.measures.ap import AP
    >>> formula_of(AP()), formula_of(AP(norm="min"))
    ('sum_{i<=k} rel_i P@i / R', "sum_{i<=k} rel_i P@i / R, norm='min': / min(k, R)")
    """
    first, *variants = _VARIANT.split(measure.formula)
    text = ", ".join([first, *(variant for variant in variants if _in_use(measure, variant))])
    # Without a cutoff, what is ideal goes on past the end of the list.
    return text.replace("@k", "") if isinstance(measure, NDCG) and measure.cutoff is None else text


def formula_in_use(measure: Measure) -> str:
    """The formula; of a measure made of another one, of both."""
    inner = core(measure)
    return formula_of(measure) if measure is inner else f"{formula_of(inner)}; {measure.formula}"


def letters(measure: Measure, max_grade: float) -> dict[str, Any]:
    """What the letters of the formula stand for."""
    measure = core(measure)
    given = {field.name: getattr(measure, field.name) for field in fields(measure)}
    known = {name: value for name, value in given.items() if value is not None and not callable(value)}
    known.pop("label", None)
    if "cutoff" in known:
        known = {"k": known.pop("cutoff"), **known}
    if "max_rel" in measure.formula:
        known.setdefault("max_rel", max_grade)
    if isinstance(measure, OIE):
        known.setdefault("size", UNTOLD)
    return known


def has_depth(formula: str) -> bool:
    """Whether a formula has a k that stands for the depth.

    >>> has_depth("hits@k / R"), has_depth("max P@k over depths k"), has_depth("hits / R")
    (True, False, False)
    """
    return _BOUND not in formula and re.search(r"\bk\b", formula) is not None


def _in_use(measure: Measure, variant: str) -> bool:
    head = _HEAD.match(variant)
    assert head is not None
    name, value = head.groups()
    if value is not None:
        return bool(getattr(measure, name) == value)
    [usual] = [field.default for field in fields(measure) if field.name == name]
    return bool(getattr(measure, name) != usual)
