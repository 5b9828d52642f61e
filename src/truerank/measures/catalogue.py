"""The catalogue: what there is to know about each measure."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

from truerank.data.classes import dataclass
from truerank.measures.core.base import Measure
from truerank.measures.core.bound_kinds import BOUNDS, kind_of_bounds
from truerank.measures.grammar import parse
from truerank.measures.table import ALIASES, TABLE


@dataclass(frozen=True)
class Entry:
    """A measure of the catalogue."""

    name: str
    written: str
    """How it is written: with ``[@k]`` where it takes a cutoff."""
    formula: str
    range: tuple[float, float]
    parameters: dict[str, Any]
    """Names and defaults."""
    citation: str
    aliases: dict[str, str]
    """Other names, and what they stand for: ``{"MAP": "AP"}``."""
    text: str
    """What it measures, in words."""
    example: str
    """A Python session, with truerank as ``tr`` and numpy as ``np``; "" where there is none."""
    higher_is_better: bool
    bounds: str
    """Whether judgments can come to the bounds that unjudged documents give to it."""


def measures() -> tuple[Entry, ...]:
    """Every measure, in the order of the table.

    >>> [entry.citation for entry in measures() if entry.name == "RBP"]
    ['Moffat & Zobel 2008']
    """
    return tuple(entry(measure) for measure in TABLE.values())


def entry(measure: Measure) -> Entry:
    """What there is to know about a measure, whatever its parameters and cutoff are."""
    known = TABLE[measure.name]
    text, prompt, session = (inspect.getdoc(type(known)) or "").partition(">>> ")
    return Entry(
        name=known.name,
        written=str(known) + ("[@k]" if known.takes_at and "@" not in str(known) else ""),
        formula=known.formula,
        range=known.range,
        parameters=known.defaults(),
        citation=known.citation,
        aliases={alias: other for alias, other in ALIASES.items() if parse(other).name == known.name},
        text=text.strip().replace("``", "`"),
        example=_as_typed(type(known), prompt + session.strip()),
        higher_is_better=known.higher_is_better,
        bounds=BOUNDS[kind_of_bounds(known)],
    )


def _as_typed(kind: type[Measure], session: str) -> str:
    """A doctest of a measure's class, in the terms of users: NDCG(cutoff=3) is tr.nDCG @ 3 to them."""

    def typed(found: re.Match[str]) -> str:
        call = ast.parse(found.group(), mode="eval").body
        assert isinstance(call, ast.Call)
        given = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
        cutoff = given.pop("cutoff", None)
        inside = ", ".join(f"{name}={value!r}" for name, value in given.items())
        plain = f"tr.{TABLE[kind.name].name}" + (f"({inside})" if inside else "")
        return plain if cutoff is None else f"({plain} @ {cutoff})"

    return re.sub(rf"\b{kind.__name__}\([^()]*\)", typed, session)
