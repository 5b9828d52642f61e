"""A paper on collections: every exhibit is made and every claim checked; what a question refuses is said instead."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from truerank.conventions.axes import Given
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.questions.report.work import inputs
from truerank.questions.reproduce.answer import ClaimMark, CollectionOf, Reproduction, ShownExhibit
from truerank.questions.reproduce.data import PaperData
from truerank.questions.reproduce.paper import NO_RUNS, Exhibit, Made, Paper, settled, untold
from truerank.questions.reproduce.question import PAPERS, RULES
from truerank.track.collections import collections
from truerank.track.track import Progress
from truerank.version import __version__


def paper_of(name: str) -> Paper[Any]:
    """A paper by its short name."""
    if not isinstance(name, str) or name.lower() not in PAPERS:
        raise InputError(f"there is no paper {name!r} here; there are {', '.join(PAPERS)}")
    found: Paper[Any] = import_module(f"truerank.questions.reproduce.{name.lower()}").PAPER
    return found


def reproduced(
    name: str,
    qrels: Any,
    runs: Any,
    given: Given,
    *,
    also: Any,
    first: str = "",
    exhibit: str | None,
    engine: Any,
    progress: Progress | None,
) -> Reproduction:
    """Make all of a paper, or one exhibit of it."""
    for library in ("altair", "vl_convert"):
        needed(library, "a page of a paper")
    paper = paper_of(name)
    wanted = _wanted(paper, exhibit)
    conventions = RULES.chosen(given)
    data = list(_data(paper, qrels, runs, given, also=also, first=first, engine=engine, progress=progress))
    exhibits = tuple(_made(one, data) for one in wanted)
    claims = () if exhibit is not None else tuple(_claims(paper, data))
    chosen = " ".join([*conventions.options(), *([] if exhibit is None else [f"--exhibit {shlex.quote(exhibit)}"])])
    return Reproduction(
        paper=paper.name,
        title=f"{paper.authors}: {paper.title}",
        cited=paper.cited,
        reproduced_on=tuple(
            CollectionOf(collection=one.name, topics=len(one.qrels.topics), runs=len(one.runs)) for one in data
        ),
        made_by=f"truerank {__version__}",
        command=" ".join(filter(None, (f"truerank reproduce {paper.name}", _typed(data), chosen))),
        claims=claims,
        exhibits=exhibits,
        inputs=tuple((one.name, tuple(inputs(one.given_qrels, one.runs))) for one in data),
    )


def _wanted(paper: Paper[Any], exhibit: str | None) -> tuple[Exhibit[Any], ...]:
    if exhibit is None:
        return paper.exhibits
    found = tuple(one for one in paper.exhibits if one.number.lower() == exhibit.lower())
    if not found:
        every = ", ".join(one.number for one in paper.exhibits)
        raise InputError(f"{paper.name} has no exhibit {exhibit!r}; it has {every}")
    return found


def _data(
    paper: Paper[Any], qrels: Any, runs: Any, given: Given, *, also: Any, first: str, engine: Any, progress: Any
) -> Iterator[PaperData]:
    if qrels is None:
        if runs or also:
            raise InputError("there are runs and no judgments; name the judgments before the runs")
        return
    if runs is None or (isinstance(runs, (list, tuple)) and not runs):
        raise InputError("there is no run; name the runs after the judgments, or leave both out")
    every = collections(qrels, runs, also, first)
    for one in every:
        yield paper.data(
            name=one.name,
            given_qrels=one.qrels,
            qrels=as_qrels(one.qrels),
            runs=named_runs(one.runs),
            given=given,
            engine=engine,
            progress=progress,
        )


def _made(exhibit: Exhibit[Any], data: Sequence[PaperData]) -> ShownExhibit:
    reason, parts = "", Made()
    if exhibit.needs_runs and not data:
        reason = NO_RUNS
    else:
        try:
            parts = exhibit.make(data)
        except InputError as refused:
            reason = str(refused)
    return ShownExhibit(
        exhibit=exhibit.number,
        shows=exhibit.shows,
        made=not reason,
        reason=reason,
        prints=exhibit.prints,
        command=_command(exhibit, data),
        parts=parts,
    )


def _command(exhibit: Exhibit[Any], data: Sequence[PaperData]) -> str:
    """The command of an exhibit, with the files given."""
    if not data:
        return exhibit.command
    known = data[0].words
    return " ".join(known.get(word, word) for word in exhibit.command.split(" "))


def _typed(data: Sequence[PaperData]) -> str:
    """The collections as they are typed."""
    if not data:
        return ""
    others = [f"--also {judgments} {shlex.quote(runs)}" for judgments, runs in (one.typed for one in data[1:])]
    return " ".join([*data[0].typed, *others])


def _claims(paper: Paper[Any], data: Sequence[PaperData]) -> Iterator[ClaimMark]:
    for number, claim in enumerate(paper.claims, 1):
        found = untold(NO_RUNS) if claim.needs_runs and not data else settled(partial(claim.check, data))
        yield ClaimMark(
            number=number,
            where=claim.where,
            claim=claim.says,
            mark=found.mark,
            numbers=found.said,
            rule=claim.rule,
            marks=dict(found.by),
        )
