"""Which conventions hold: those of other tools by name, those given, and those that a question settles for itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any, cast

from truerank.conventions.axes import AXES, Conventions, Given
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.printing import brief

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


_RUN, _BOTH = ("read_run",), ("read_run", "read_qrels")
READING = {"columns": _BOTH, "form": _BOTH, "higher_is_better": _RUN, "chunks": _RUN, "aggregate": _RUN}
"""Keywords that tell how something is read, and the functions that take them."""


def conventions(like: str | None = None, **given: str | int | None) -> Conventions:
    """Conventions of a tool, with those given put in their place.

    >>> conventions("trec_eval-9", missing="empty").precision
    'float32'
    """
    for axis in given:
        if axis not in AXES:
            if axis in READING:
                of = " or ".join(f"{reader}(..., {axis}=...)" for reader in READING[axis])
                raise InputError(f"{axis}= is about reading, and no convention; give {of} in the place of what is read")
            raise InputError(f"there is no convention {axis!r}; there are {', '.join(AXES)}")
    if like is not None and (not isinstance(like, str) or like not in PRESETS):
        raise InputError(f"like={brief(like)} is not a tool known here; take one of {', '.join(PRESETS)}")
    chosen: dict[str, Any] = {**PRESETS[like]} if like is not None else {}
    chosen |= {axis: value for axis, value in given.items() if value is not None}
    try:
        return _known(**chosen)
    except TypeError:
        # What has no hash is no value of an axis, which says so.
        return Conventions(**chosen)


@lru_cache(typed=True)
def _known(**chosen: Any) -> Conventions:
    """Conventions never change, so that calls that choose the same share them, with what follows from them."""
    return Conventions(**chosen)


@dataclass(frozen=True, kw_only=True, eq=False)
class AxisRules:
    """What a question does with the axes: which it fixes, where it has a usual value of its own, what it refuses.

    >>> AxisRules(fixed={"ties": "bounds"}).chosen({"like": "trec_eval-9"}).ties
    'bounds'
    >>> AxisRules(usual={"ending": "terminal"}).chosen({"ending": None}).ending
    'terminal'
    """

    fixed: Mapping[str, str | int | None] = field(default_factory=dict)
    """Axes that are no choice here, and have no option."""
    usual: Mapping[str, str] = field(default_factory=dict)
    """Defaults of its own."""
    refused: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By axis, values that have no meaning here, and why."""
    takes: Collection[str] = ()
    """Values of ``judges`` that it has a way of its own to answer; others under which judgments are not one for each
    document are refused."""

    def __post_init__(self) -> None:
        many = {value: why for value, why in MANY_JUDGMENTS.items() if value not in self.takes}
        object.__setattr__(self, "refused", {**self.refused, "judges": {**many, **self.refused.get("judges", {})}})

    def chosen(self, given: Given) -> Conventions:
        """The conventions given as keywords; those that are not are the usual ones."""
        known = {axis: value for axis, value in cast("Mapping[str, Any]", given).items() if value is not None}
        for axis, value in self.fixed.items():
            if known.get(axis) not in (None, value):
                raise InputError(f"{axis}={known[axis]!r} cannot be chosen here, where it is {value!r}; leave it out")
        choice = conventions(**{**self.usual, **known, **self.fixed})
        for axis, values in self.refused.items():
            if (value := getattr(choice, axis)) in values:
                raise InputError(f"{axis}={value!r} {values[value]}; choose {self._others(axis)}")
        return choice

    def overruled(self, like: str | None) -> dict[str, str | int | None]:
        """Axes that are fixed here and have another value in a tool.

        >>> AxisRules(fixed={"precision": "float64", "missing": "empty"}).overruled("ir_measures")
        {'precision': 'float64'}
        """
        tool = PRESETS.get(like or "", {})
        return {axis: value for axis, value in self.fixed.items() if tool.get(axis, value) != value}

    def open(self, axis: str) -> tuple[str, ...]:
        """The values that may be chosen here."""
        return tuple(value for value in AXES[axis].values if value not in self.refused.get(axis, ()))

    def _others(self, axis: str) -> str:
        values = [repr(value) for value in self.open(axis)]
        return f"another value, such as {values[0]}" if len(values) > 2 else " or ".join(values)


MANY_JUDGMENTS = {
    "each": "gives a result for each judge, which evaluate takes",
    "bounds": "gives the lowest and highest score by any judge, which evaluate takes",
    "expected": "is a mean over random judgments, which evaluate and compare take",
}
"""Values of ``judges`` under which a document has no single grade, and what is said where they are refused."""


def one_number(why: str) -> dict[str, dict[str, str]]:
    """The values under which a score is two numbers, refused; ``why`` says what one is needed for."""
    two = f"gives two numbers for a score, and {why}"
    return {"ties": {"bounds": two}, "unjudged": {"bounds": two, "residual": two}}
