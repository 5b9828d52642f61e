"""Conventions of other tools, by name."""

from __future__ import annotations

from typing import Any

from truerank.conventions.choices import AXES, Conventions, Given
from truerank.data.errors import InputError

PRESETS: dict[str, dict[str, str]] = {
    "trec_eval-9": {"ties": "docid", "precision": "float32", "missing": "skip", "negative": "unjudged"},
    "trec_eval-10": {"ties": "docid", "missing": "error", "negative": "unjudged"},
    "pytrec_eval": {"ties": "docid", "precision": "float32", "missing": "skip", "negative": "unjudged"},
    "ir_measures": {"ties": "docid", "precision": "float32", "missing": "empty", "negative": "unjudged"},
    "ranx": {"ties": "input", "missing": "error"},
    "sklearn": {"ties": "expected", "missing": "error"},
    "beir": {
        "ties": "docid",
        "precision": "float32",
        "missing": "skip",
        "negative": "unjudged",
        "identical": "drop",
    },
}
"""What a tool takes for granted, where that differs from the defaults here or is worth saying."""


def conventions(like: str | None = None, **given: str | int | None) -> Conventions:
    """Conventions of a tool, with those given put in their place.

    >>> conventions("trec_eval-9", missing="empty").precision
    'float32'
    """
    for axis in given:
        if axis not in AXES:
            raise InputError(f"there is no convention {axis!r}; there are {', '.join(AXES)}")
    if like is not None and like not in PRESETS:
        raise InputError(f"like={like!r} is not a tool known here; take one of {', '.join(PRESETS)}")
    chosen: dict[str, Any] = {**PRESETS[like]} if like is not None else {}
    return Conventions(**{**chosen, **{axis: value for axis, value in given.items() if value is not None}})


def chosen(given: Given, usual: Given | None = None, **fixed: str | int | None) -> Conventions:
    """The conventions given as keywords, or ``usual`` where they are not; those ``fixed`` are not a choice.

    >>> chosen({"like": "trec_eval-9"}, ties="bounds").ties
    'bounds'
    >>> chosen({"ending": None}, {"ending": "terminal"}).ending
    'terminal'
    """
    for axis, value in fixed.items():
        if given.get(axis) not in (None, value):
            raise InputError(f"{axis}={given.get(axis)!r} cannot be chosen here, where it is {value!r}; leave it out")
    known = {axis: value for axis, value in given.items() if value is not None}
    return conventions(**{**(usual or {}), **known, **fixed})  # type: ignore[arg-type]
