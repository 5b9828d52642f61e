"""The gallery: every table and figure of five documents, made of a simulated track by one shown command.

``python docs/gallery.py`` writes the page; the site draws its figures when it is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import truerank as tr
from truerank.questions.reproduce.page import place_of
from truerank.questions.reproduce.paper import DEFINED, FAILS, HOLDS, MARKS, OPEN
from truerank.questions.reproduce.question import PAPERS
from truerank.report import markdown
from truerank.report.table import Table

HERE = Path(__file__).parent
SYSTEMS, TOPICS, SEED = 14, 25, 7
ANSWERS = {"systems": 14, "topics": 50, "depth": 5, "nil": 10, "nil_systems": 0.5, "seed": 7}
"""Short lists with NIL, which one of the documents is about."""
ROWS = 10
"""Rows of a table that are shown."""
SAID = {
    HOLDS: "hold",
    DEFINED: "are true by definition",
    FAILS: "do not hold",
    OPEN: "cannot be determined",
}
HEAD = f"""# Gallery: five documents on other data

Every table and figure of the five documents that truerank follows, made by one command each from simulated tracks. With
`truerank reproduce`, all of a document is made at once from your own runs, with its numbers next to yours and its
claims marked ([how](how-to/reproduce.md)). What each document has beyond tables and figures is in the
[list of all items](reference/documents.md). This page is made by `python docs/gallery.py`.

```sh
truerank simulate --out track --systems {SYSTEMS} --topics {TOPICS} --seed {SEED}
truerank simulate --out answers {" ".join(f"--{name.replace('_', '-')} {value}" for name, value in ANSWERS.items())}
```
"""


def track_of(paper: str) -> str:
    """The simulated track that a document is made from."""
    return "answers" if paper == "liu" else "track"


@cache
def reproduced() -> dict[str, tr.Reproduction]:
    """Each document on its simulated track."""
    tracks = {
        "track": tr.simulate(systems=SYSTEMS, topics=TOPICS, seed=SEED),
        "answers": tr.simulate(**ANSWERS),  # type: ignore[arg-type]
    }
    found = {}
    for paper in PAPERS:
        name = track_of(paper)
        found[paper] = tr.reproduce(paper, tracks[name].qrels, tracks[name].runs, name=name)
    return found


def names() -> dict[str, tuple[str, str]]:
    """The figures of the page, by what they are called, and whose they are."""
    return {
        f"{paper}-{place_of(one.exhibit)}": (paper, one.exhibit)
        for paper, found in reproduced().items()
        for one in found.exhibits
        if one.parts.figures
    }


def figures() -> dict[str, Callable[[], Any]]:
    """What draws each."""
    return {name: reproduced()[paper][exhibit].plot for name, (paper, exhibit) in names().items()}


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for found in reproduced().values() for line in _document(found))]).rstrip() + "\n"


def _document(found: tr.Reproduction) -> Iterator[str]:
    counts = {mark: sum(claim.mark == mark for claim in found.claims) for mark in MARKS}
    yield from (f"## {found.title}", "", found.cited, "")
    told = f"Of {len(found.claims)} claims, " + ", ".join(f"{count} {SAID[mark]}" for mark, count in counts.items())
    track = track_of(found.paper)
    yield from (f"{told} on the simulated track:", "")
    yield from ("```sh", f"truerank reproduce {found.paper} {track}/qrels.txt {track}/*.run", "```", "")
    for one in found.exhibits:
        yield from (f"### {found.paper}: {one.exhibit}", "", one.shows, "")
        if one.prints:
            yield from (f"In the document: {one.prints}.", "")
        command = one.command.replace("QRELS", f"{track}/qrels.txt").replace("RUN...", f"{track}/*.run")
        yield from ("```sh", command, "```", "")
        if one.parts.tables:
            yield from _table(one.parts.tables[0])
        if one.parts.figures:
            name = f"{found.paper}-{place_of(one.exhibit)}"
            yield from (f"```{{figure}} images/{name}.svg", one.parts.figures[0].said, "```", "")


def _table(table: Table) -> Iterator[str]:
    few = Table(table.columns, table.rows[:ROWS])
    yield from (f"{markdown.escaped(table.caption)}:", "")
    yield from (*markdown.render(few).splitlines(), "")
    if len(table.rows) > ROWS:
        yield from (f"({len(table.rows) - ROWS} more rows)", "")


if __name__ == "__main__":
    (HERE / "gallery.md").write_text(page(), encoding="utf-8")
