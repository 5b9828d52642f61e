"""The frame of papers: what one shows and what it claims, as lists. Its numbers come from the public API."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import truerank as tr

# Papers import the public API and this frame, which also has what their words and tables are made of.
from truerank.data.printing import counted as counted
from truerank.data.printing import named as named
from truerank.data.printing import percent as percent
from truerank.report.table import Cell as Cell
from truerank.report.table import Column as Column
from truerank.report.table import Table as Table

if TYPE_CHECKING:
    from truerank.questions.reproduce.data import PaperData
    from truerank.report.plots.chart import Plot

HOLDS, DEFINED, FAILS, OPEN = "holds", "true by definition", "does not hold", "cannot be determined"
MARKS = (HOLDS, DEFINED, FAILS, OPEN)
NO_RUNS = "needs judgments and runs"
D = TypeVar("D", bound="PaperData")


@dataclass(frozen=True)
class Check:
    """What became of a claim, and the numbers that say so."""

    mark: str
    said: str
    by: Mapping[str, str] = field(default_factory=dict)
    """The mark in each collection, where there are several."""


def checked(is_so: bool | None, said: str) -> Check:
    """A claim that holds, or does not, or is too close to a bound of ours to say.

    >>> checked(0.9 > 0.5, "tau .90")
    Check(mark='holds', said='tau .90', by={})
    >>> checked(clearly([0.895], least=0.9, margin=0.02), "tau .895").mark
    'cannot be determined'
    """
    if is_so is None:
        return untold(f"too close to call: {said}")
    return Check(HOLDS if is_so else FAILS, said)


def defined(is_so: bool, said: str) -> Check:
    """A claim that follows from definitions, whatever the data; numbers that contradict it would be an error."""
    return Check(DEFINED if is_so else FAILS, said)


def untold(why: str) -> Check:
    """A claim of which the data say nothing."""
    return Check(OPEN, why)


def clearly(values: Iterable[float], *, least: float = -math.inf, most: float = math.inf, margin: float) -> bool | None:
    """Whether all numbers are within bounds; None if that depends on one that is nearer to a bound than the margin.

    The paper gives no number where this is used, so a bound is ours, and a hundredth must not turn a claim around.

    >>> clearly([0.95, 0.93], least=0.9, margin=0.02), clearly([0.95, 0.89], least=0.9, margin=0.02)
    (True, None)
    >>> clearly([0.5, 0.89], least=0.9, margin=0.02)
    False
    """
    off = [max(least - value, value - most) for value in values]
    if any(one > margin for one in off):
        return False
    return True if all(one <= -margin for one in off) else None


def clearly_above(more: Iterable[float], less: Iterable[float], *, margin: float) -> bool | None:
    """Whether all of the first are above all of the others; None if they are closer than the margin.

    >>> clearly_above([0.9, 0.8], [0.7], margin=0.02), clearly_above([0.7], [0.69], margin=0.02)
    (True, None)
    """
    return clearly([min(more) - max(less)], least=0.0, margin=margin)


def every(*answers: bool | None) -> bool | None:
    """Whether all of several things are so: not if one is not, and open if one is.

    >>> every(True, True), every(True, None), every(None, False)
    (True, None, False)
    """
    return False if False in answers else None if None in answers else True


Need: TypeAlias = "Callable[[Any], str]"
"""What a claim needs of a collection: why one cannot bear it, or nothing where it can."""


def lacking(one: Any, needs: Iterable[Need]) -> str:
    """Why a claim cannot be tested on a collection; nothing where it can."""
    try:
        return next(filter(None, (need(one) for need in needs)), "")
    except tr.InputError as refused:
        return str(refused)


def in_each(
    check: Callable[[Any], Check], *, enough: bool = False, needs: Sequence[Need] = ()
) -> Callable[[Sequence[Any]], Check]:
    """A claim about a collection, checked in each that can bear it: it holds if it does in all of these.

    Of a claim that something can be, one collection in which it is so is ``enough``.
    """

    def able(one: Any) -> Check:
        reason = lacking(one, needs)
        return untold(reason) if reason else check(one)

    def checks(collections: Sequence[Any]) -> Check:
        found = {one.name: settled(partial(able, one)) for one in collections}
        if len(found) == 1:
            return next(iter(found.values()))
        marks = [one.mark for one in found.values()]
        # Of the marks that there are, the first of these is that of the claim.
        order = (HOLDS, DEFINED, FAILS, OPEN) if enough else (FAILS, HOLDS, DEFINED, OPEN)
        mark = next(each for each in order if each in marks)
        return Check(mark, "; ".join(_each(found)), {name: one.mark for name, one in found.items()})

    return checks


def of_those(check: Callable[[Sequence[Any]], Check], needs: Sequence[Need]) -> Callable[[Sequence[Any]], Check]:
    """A claim about collections together, checked on those that can bear it; the others are named with the reason."""

    def checks(collections: Sequence[Any]) -> Check:
        reasons = {one.name: lacking(one, needs) for one in collections}
        able = [one for one in collections if not reasons[one.name]]
        if len(collections) == 1:
            return check(able) if able else untold(reasons[collections[0].name])
        left_out = [f"cannot be determined in {names}: {reason}" for reason, names in by_reason(reasons).items()]
        if not able:
            return untold("; ".join(left_out))
        found = check(able)
        return replace(found, said="; ".join([found.said, *left_out]))

    return checks


def by_reason(reasons: Mapping[str, str]) -> dict[str, str]:
    """The collections that have each reason, as one text."""
    found: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        if reason:
            found.setdefault(reason, []).append(name)
    return {reason: ", ".join(names) for reason, names in found.items()}


def _each(found: Mapping[str, Check]) -> Iterator[str]:
    """What was found in each collection, and where it cannot be determined."""
    told = {name: one for name, one in found.items() if one.mark != OPEN}
    if len(told) > 1:
        yield f"holds in {sum(one.mark != FAILS for one in told.values())} of {len(told)} collections"
    yield from (f"{name}: {one.said}" for name, one in told.items())
    reasons = {name: one.said for name, one in found.items() if one.mark == OPEN}
    yield from (f"cannot be determined in {names}: {reason}" for reason, names in by_reason(reasons).items())


def settled(check: Callable[[], Check]) -> Check:
    """What became of a claim; what a question refuses leaves it open, and the refusal says why."""
    try:
        return check()
    except tr.InputError as refused:
        return untold(str(refused))


@dataclass(frozen=True)
class PaperFigure:
    """A figure, drawn when it is wanted, and a sentence for those who do not see it."""

    draw: Callable[[], Plot]
    said: str
    collection: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    """What the paper calls measures."""

    def drawn(self) -> Plot:
        """The figure, its measures called as the paper calls them."""
        from truerank.report.plots.adjust import renamed

        return renamed(self.draw(), self.names)


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
    """What makes it from the data given, QRELS and RUN... being theirs."""
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


def of_each(
    where: str, *, rule: str = "", needs: Sequence[Need] = ()
) -> Callable[[Callable[[D], Check]], PaperClaim[D]]:
    """A claim about every collection: it holds if it does in all that can bear it."""
    return lambda check: PaperClaim(where=where, says=_words(check), check=in_each(check, needs=needs), rule=rule)


def of_some(
    where: str, *, rule: str = "", needs: Sequence[Need] = ()
) -> Callable[[Callable[[D], Check]], PaperClaim[D]]:
    """A claim that there is such a thing: it holds if it does in one collection."""
    return lambda check: PaperClaim(
        where=where, says=_words(check), check=in_each(check, enough=True, needs=needs), rule=rule
    )


def of_all(
    where: str, *, rule: str = "", needs: Sequence[Need] = ()
) -> Callable[[Callable[[Sequence[D]], Check]], PaperClaim[D]]:
    """A claim about the collections that can bear it, together."""
    return lambda check: PaperClaim(where=where, says=_words(check), check=of_those(check, needs), rule=rule)


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
