"""A paper as a list of what it shows and what it claims; its numbers and its words come from the questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from truerank.data.errors import InputError
from truerank.report.table import Table

if TYPE_CHECKING:
    from truerank.questions.reproduce.data import PaperData
    from truerank.report.plots.chart import Plot

HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be told"
MARKS = (HOLDS, FAILS, OPEN)
NO_RUNS = "needs judgments and runs"
D = TypeVar("D", bound="PaperData")


@dataclass(frozen=True)
class Check:
    """What became of a claim, and the numbers that say so."""

    mark: str
    said: str
    by: Mapping[str, str] = field(default_factory=dict)
    """The mark in each collection, where there are several."""


def checked(is_so: bool, said: str) -> Check:
    """A claim that holds, or does not.

    >>> checked(0.9 > 0.5, "tau .90")
    Check(mark='holds', said='tau .90', by={})
    """
    return Check(HOLDS if is_so else FAILS, said)


def untold(why: str) -> Check:
    """A claim of which the data say nothing."""
    return Check(OPEN, why)


def in_each(check: Callable[[Any], Check]) -> Callable[[Sequence[Any]], Check]:
    """A claim about a collection, checked in each: it holds where it does in all of which it can be told."""

    def checks(collections: Sequence[Any]) -> Check:
        found = {one.name: settled(partial(check, one)) for one in collections}
        if len(found) == 1:
            return next(iter(found.values()))
        marks = [one.mark for one in found.values()]
        mark = FAILS if FAILS in marks else HOLDS if HOLDS in marks else OPEN
        return Check(mark, "; ".join(_each(found)), {name: one.mark for name, one in found.items()})

    return checks


def _each(found: Mapping[str, Check]) -> Iterator[str]:
    """What was found in each collection, and where it cannot be told."""
    told = {name: one for name, one in found.items() if one.mark != OPEN}
    if len(told) > 1:
        yield f"holds in {sum(one.mark == HOLDS for one in told.values())} of {len(told)} collections"
    yield from (f"{name}: {one.said}" for name, one in told.items())
    reasons: dict[str, list[str]] = {}
    for name, one in found.items():
        if one.mark == OPEN:
            reasons.setdefault(one.said, []).append(name)
    yield from (f"cannot be told in {', '.join(names)}: {reason}" for reason, names in reasons.items())


def settled(check: Callable[[], Check]) -> Check:
    """What became of a claim; what a question refuses leaves it open, and the refusal says why."""
    try:
        return check()
    except InputError as refused:
        return untold(str(refused))


@dataclass(frozen=True)
class PaperFigure:
    """A figure, drawn when it is wanted, and a sentence for those who do not see it."""

    draw: Callable[[], Plot]
    said: str
    collection: str = ""


@dataclass(frozen=True)
class Beside:
    """A number beside the one that the paper has for it."""

    of: str
    """What it is of: the row of a table."""
    by: str
    """What it is by: the column."""
    here: float
    paper: float | None = None
    collection: str = ""


@dataclass(frozen=True, kw_only=True)
class Made:
    """What an exhibit was made into."""

    tables: tuple[Table, ...] = ()
    figures: tuple[PaperFigure, ...] = ()
    numbers: tuple[Beside, ...] = ()
    words: tuple[str, ...] = ()
    """What there is to know about it."""


@dataclass(frozen=True, kw_only=True)
class Exhibit(Generic[D]):
    """A table, a figure or a worked example of a paper."""

    number: str
    """As in the paper: "Table 2"."""
    shows: str
    """What it shows, in words of our own."""
    command: str
    """What makes it for the data at hand, QRELS and RUN... being theirs."""
    make: Callable[[Sequence[D]], Made]
    needs_runs: bool = True
    prints: str = ""
    """What the paper prints there, where it can be said in a line."""


@dataclass(frozen=True, kw_only=True)
class PaperClaim(Generic[D]):
    """Something that a paper says, and how it is checked."""

    where: str
    """The section, table or figure."""
    says: str
    """The claim, in words of our own."""
    check: Callable[[Sequence[D]], Check]
    rule: str = ""
    """What it is held to, where the paper gives no number."""
    needs_runs: bool = True


@dataclass(frozen=True, kw_only=True)
class Paper(Generic[D]):
    """A paper: what it is called, and all that can be made of it."""

    name: str
    authors: str
    title: str
    cited: str
    data: type[D]
    exhibits: tuple[Exhibit[D], ...]
    claims: tuple[PaperClaim[D], ...]
