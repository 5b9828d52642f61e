"""A paper as a list of what it shows and what it claims; its numbers and its words come from the questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from truerank.data.errors import InputError
from truerank.report.table import Column, Table

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


def in_each(check: Callable[[Any], Check], *, enough: bool = False) -> Callable[[Sequence[Any]], Check]:
    """A claim about a collection, checked in each: it holds where it does in all of which it can be told.

    Of a claim that something can be, one collection in which it is so is ``enough``.
    """

    def checks(collections: Sequence[Any]) -> Check:
        found = {one.name: settled(partial(check, one)) for one in collections}
        if len(found) == 1:
            return next(iter(found.values()))
        marks = [one.mark for one in found.values()]
        first, other = (HOLDS, FAILS) if enough else (FAILS, HOLDS)
        mark = first if first in marks else other if other in marks else OPEN
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


def by_hand(where: str, *, rule: str = "") -> Callable[[Callable[[], Check]], PaperClaim[Any]]:
    """A claim that is checked without data. As of all that follow, its words are the docstring of the check."""

    def claim(check: Callable[[], Check]) -> PaperClaim[Any]:
        return PaperClaim(where=where, says=_words(check), check=lambda _: check(), rule=rule, needs_runs=False)

    return claim


def of_each(where: str, *, rule: str = "") -> Callable[[Callable[[D], Check]], PaperClaim[D]]:
    """A claim about every collection: it holds if it does in all."""
    return lambda check: PaperClaim(where=where, says=_words(check), check=in_each(check), rule=rule)


def of_some(where: str, *, rule: str = "") -> Callable[[Callable[[D], Check]], PaperClaim[D]]:
    """A claim that there is such a thing: it holds if it does in one collection."""
    return lambda check: PaperClaim(where=where, says=_words(check), check=in_each(check, enough=True), rule=rule)


def of_all(where: str, *, rule: str = "") -> Callable[[Callable[[Sequence[D]], Check]], PaperClaim[D]]:
    """A claim about the collections together."""
    return lambda check: PaperClaim(where=where, says=_words(check), check=check, rule=rule)


def exhibit(
    number: str, *, command: str, prints: str = "", needs_runs: bool = True
) -> Callable[[Callable[[Sequence[D]], Made]], Exhibit[D]]:
    """A table or figure; what it shows is the docstring of what makes it."""
    return lambda make: Exhibit(
        number=number, shows=_words(make), command=command, make=make, needs_runs=needs_runs, prints=prints
    )


def _words(described: Callable[..., Any]) -> str:
    """The docstring, in one line."""
    return " ".join((described.__doc__ or "").split())


def listed(found: Mapping[str, Any], form: str | Callable[[Any], str] = "") -> str:
    """Numbers by name, as claims say them.

    >>> listed({"AP": 0.25, "RR": 1}, ".2f")
    'AP 0.25, RR 1.00'
    """
    told = form if callable(form) else partial(_formatted, form=form)
    return ", ".join(f"{name} {told(value)}" for name, value in found.items())


def _formatted(value: Any, form: str) -> str:
    return f"{value:{form}}"


def texts(*names: str) -> tuple[Column, ...]:
    """Columns of words, which are not broken into lines."""
    return tuple(Column(name, whole=True) for name in names)


def numbered(*names: str) -> tuple[Column, ...]:
    """Columns of numbers."""
    return tuple(Column(name, number=True) for name in names)


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
