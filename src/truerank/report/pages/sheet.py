"""A section of a page from a sheet of an answer: its table by measure, its figure, and what the question says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from truerank.report.answer import Answer
from truerank.report.pages.section import Block, Listing, PageCell, Picture, Section, Shade, Words
from truerank.report.plots.chart import Plot
from truerank.report.plots.inline import inline

MEASURE = "measure"
Figure = Callable[[str], tuple[Plot, str]]
"""By measure, a figure and a sentence for those who do not see it."""


def section_of(
    answer: Answer,
    *shows: str,
    name: str,
    title: str,
    measures: Mapping[str, str],
    figure: Figure | None = None,
    kinds: Mapping[str, str] | None = None,
    said: Sequence[str] = (),
    without: str = "",
    folded: bool = True,
) -> Section:
    """A section of the sheets that are named: their tables, a figure, and what the question says of them.

    ``measures`` are those of the page, with what the answer calls them; ``kinds`` are cells that stand out, with their
    colour; ``said`` are sheets whose notes it has, beside those of its own; ``without`` is a
    folder that cells leave out of paths.
    """
    blocks: list[Block] = []
    if figure is not None:
        for place, (measure, known) in enumerate(measures.items()):
            plot, said = figure(known)
            blocks.append(Picture(svg=inline(plot, said, f"{name}-{place}"), said=said, measure=measure))
    for show in shows:
        blocks += _listings(answer, show, name if show == shows[0] else show, measures, kinds or {}, without)
    blocks += _words(answer, (*shows, *said), measures)
    return Section(name=name, title=title, blocks=tuple(blocks), folded=folded)


def _listings(
    answer: Answer, show: str, name: str, measures: Mapping[str, str], kinds: Mapping[str, str], without: str
) -> Iterator[Listing]:
    """The table, or one for each measure if rows are about one."""
    table = answer.table(show)
    heads = [column.name for column in table.columns]
    caption = answer.sheets[show].help.removesuffix(" (default)")
    caption = caption[:1].upper() + caption[1:]
    texts: list[list[PageCell]] = [
        [Shade(text, kind=kinds[text]) if text in kinds else text.replace(without, "") for text in row]
        for row in table.text(marked=False)
    ]
    # A page has no options.
    below = "; ".join(filter(None, (table.keys, table.hidden.partition(": --")[0])))
    of = "run" if "run" in heads else ""
    if MEASURE not in heads:
        if texts:
            yield Listing(name=f"{name}-all", caption=caption, columns=table.columns, rows=texts, of=of, below=below)
        return
    at = heads.index(MEASURE)
    columns = tuple(column for place, column in enumerate(table.columns) if place != at)
    for place, (measure, known) in enumerate(measures.items()):
        rows = [[*row[:at], *row[at + 1 :]] for row in texts if row[at] == known]
        if rows:
            yield Listing(
                name=f"{name}-{place}",
                caption=f"{caption}, by {known}",
                columns=columns,
                rows=rows,
                measure=measure,
                of=of,
                below=below,
            )


def _words(answer: Answer, shows: Sequence[str], measures: Mapping[str, str]) -> Iterator[Words]:
    """What the question says of its sheets: of each measure, and of all."""
    said = dict.fromkeys(note for show in shows for note in (*answer.lead(show), *answer.own_notes(show)))
    by: dict[str, list[str]] = {}
    for note in said:
        known = str(getattr(note, "facts", {}).get(MEASURE, ""))
        by.setdefault(known, []).append(f"{note}." if note[-1:] not in ".:" else str(note))
    if lines := by.get(""):
        yield Words(lines=tuple(lines))
    for measure, known in measures.items():
        if known and (lines := by.get(known)):
            yield Words(lines=tuple(lines), measure=measure)
