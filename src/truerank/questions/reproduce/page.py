"""The page of a paper: which claims hold, then each table and figure with the command that makes it."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence

from truerank.questions.reproduce.answer import Reproduction, ShownExhibit
from truerank.questions.reproduce.paper import DEFINED, FAILS, HOLDS, OPEN, PaperFigure
from truerank.report.pages.html import Page
from truerank.report.pages.section import Block, Listing, Picture, Section, Shade, Words
from truerank.report.plots.inline import inline
from truerank.report.table import Column, Table

_KINDS = {HOLDS: "better", DEFINED: "better", FAILS: "worse", OPEN: ""}
ROOM = 1280
"""Pixels that a figure may take of the page."""
DIGITS = 16
"""Digits of a hash that are shown."""


def page(answer: Reproduction) -> Page:
    """Everything that is on the page."""
    return Page(
        title=answer.title,
        about=f"{answer.cited} Here: {answer.caption('claims')}.",
        measures=(),
        verdict=tuple(_verdict(answer)),
        sections=tuple(_sections(answer)),
        made_by=answer.made_by,
    )


def _verdict(answer: Reproduction) -> Iterator[Words]:
    if not answer.claims:
        return
    counts = answer.counts
    lines = [
        f"Of {len(answer.claims)} claims, {counts[HOLDS]} hold here, {counts[DEFINED]} are true by definition, "
        f"{counts[FAILS]} do not hold, and {counts[OPEN]} cannot be determined with these data."
    ]
    lines += [f"Does not hold: {one.claim} ({one.where})" for one in answer.claims if one.mark == FAILS]
    yield Words(lines=tuple(lines))


def _sections(answer: Reproduction) -> Iterator[Section]:
    if answer.claims:
        yield Section(name="claims", title="Claims", blocks=(_claims(answer),), commands=(answer.command,))
    for one in answer.exhibits:
        yield _exhibit(one)
    lines = (f"Made by {answer.made_by}.", *map(str, answer.notices))
    blocks: tuple[Block, ...] = (Words(lines=lines),)
    if answer.inputs:
        blocks = (*blocks, _files(answer))
    yield Section(name="provenance", title="How it was made", blocks=blocks, commands=(answer.command,))


def _claims(answer: Reproduction) -> Listing:
    return Listing(
        name="claims-all",
        caption="What the paper says, in other words, and whether it holds here",
        columns=(
            Column("#", number=True, meaning="number of the claim"),
            Column("where", meaning="section, table or figure"),
            Column("claim", meaning="what the paper says, in other words"),
            Column("mark", meaning="whether it holds on these data"),
            Column("numbers", meaning="the numbers that say so, or why it cannot be determined"),
            Column("tested by", meaning="how it was tested, if the paper gives no number"),
        ),
        rows=[
            (one.number, one.where, one.claim, Shade(one.mark, kind=_KINDS[one.mark]), one.numbers, one.rule)
            for one in answer.claims
        ],
    )


def place_of(exhibit: str) -> str:
    """The id of an exhibit in the page.

    >>> place_of("Figure 1"), place_of("Section 2.1, example")
    ('figure-1', 'section-2-1-example')
    """
    return re.sub(r"[^a-z0-9]+", "-", exhibit.lower()).strip("-")


def _exhibit(one: ShownExhibit) -> Section:
    lines = [one.shows]
    if one.prints:
        lines.append(f"In the paper: {one.prints}")
    if one.reason:
        lines.append(f"Not made here: {one.reason}.")
    name = place_of(one.exhibit)
    blocks: list[Block] = [Words(lines=tuple(lines))]
    blocks += [_listing(table, f"{name}-table-{place}") for place, table in enumerate(one.parts.tables)]
    blocks += [_picture(figure, f"{name}-{place}") for place, figure in enumerate(one.parts.figures)]
    blocks.append(Words(lines=one.parts.words))
    return Section(name=name, title=one.exhibit, blocks=tuple(blocks), commands=(one.command,))


def _picture(figure: PaperFigure, name: str) -> Picture:
    """A figure as large as the page has room for."""
    return Picture(svg=inline(figure.drawn(), figure.said, name, room=ROOM), said=figure.said)


def _files(answer: Reproduction) -> Listing:
    """What was read, a row per collection: 129 runs have one hash, that of theirs in the order of names."""
    rows = []
    for collection, (judgments, *runs) in answer.inputs:
        runs.sort(key=lambda each: each.name)
        rows.append(
            (
                collection,
                os.path.basename(judgments.path) or "given in Python",
                judgments.sha256[:DIGITS],
                f"{len(runs):,}",
                f"{sum(each.size or 0 for each in runs):,}",
                _together([each.sha256 for each in runs])[:DIGITS],
            )
        )
    return Listing(
        name="files",
        caption=f"What was read, with the first {DIGITS} digits of the SHA-256 of judgments, and of the list of those "
        "of runs, by name",
        columns=(
            Column("collection"),
            Column("judgments"),
            Column("SHA-256"),
            Column("runs", number=True),
            Column("bytes", number=True),
            Column("SHA-256 of runs"),
        ),
        rows=rows,
    )


def _together(hashes: Sequence[str]) -> str:
    """One hash for several; none where one is missing.

    >>> _together([""]), _together(["a" * 64])[:8]
    ('', '44c2336f')
    """
    if not all(hashes):
        return ""
    return hashlib.sha256("".join(f"{each}\n" for each in hashes).encode()).hexdigest()


def _listing(table: Table, name: str) -> Listing:
    """A table of a question as one of the page."""
    return Listing(name=name, caption=table.caption, columns=table.columns, rows=table.text())
