"""The catalogue: what there is to know about each measure."""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import MISSING, dataclass, fields
from typing import Any

from truerank.measures.base import Measure
from truerank.measures.grammar import parse
from truerank.measures.table import ALIASES, TABLE
from truerank.measures.terminal import Terminal


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


def measures() -> tuple[Entry, ...]:
    """Every measure, in the order of the table.

    >>> [entry.citation for entry in measures() if entry.name == "RBP"]
    ['Moffat & Zobel 2008']
    """
    return tuple(entry(measure) for measure in TABLE.values())


def entry(measure: Measure) -> Entry:
    """What there is to know about a measure, whatever its parameters and cutoff are."""
    known = TABLE[measure.name]
    core = known.measure if isinstance(known, Terminal) else known
    text, prompt, session = (inspect.getdoc(type(known)) or "").partition(">>> ")
    return Entry(
        name=known.name,
        written=str(known) if "@" in str(known) else known.name + "[@k]" * core.takes_cutoff,
        formula=known.formula,
        range=known.range,
        parameters=_parameters(core) | ({"ending": known.ending} if isinstance(known, Terminal) else {}),
        citation=known.citation,
        aliases={alias: other for alias, other in ALIASES.items() if parse(other).name == known.name},
        text=text.strip().replace("``", "`"),
        example=_as_typed(type(known), prompt + session.strip()),
        higher_is_better=known.higher_is_better,
    )


def _parameters(measure: Measure) -> dict[str, Any]:
    return {f.name: f.default for f in fields(measure) if f.name != "cutoff" and f.default is not MISSING}


def _as_typed(kind: type[Measure], session: str) -> str:
    """A doctest of a measure's class, in the terms of users: NDCG(cutoff=3) is tr.nDCG @ 3 to them."""

    def typed(found: re.Match[str]) -> str:
        call = ast.parse(found.group(), mode="eval").body
        assert isinstance(call, ast.Call)
        given = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
        cutoff = given.pop("cutoff", None)
        inside = ", ".join(f"{name}={value!r}" for name, value in given.items())
        plain = f"tr.{TABLE[kind.name].name}" + f"({inside})" * bool(inside)
        return plain if cutoff is None else f"({plain} @ {cutoff})"

    return re.sub(rf"\b{kind.__name__}\([^()]*\)", typed, session)
