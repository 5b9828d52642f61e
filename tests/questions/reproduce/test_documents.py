"""The page of all items of the documents: every command in it runs, and every exhibit is in it."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import truerank as tr
from truerank.questions.reproduce.question import PAPERS
from truerank.questions.reproduce.work import paper_of

PAGE = (Path(__file__).parents[3] / "docs/reference/documents.md").read_text(encoding="utf-8")
STATES = ("works", "refuted", "not here")


class Item(NamedTuple):
    what: str
    where: str
    command: str
    state: str
    note: str


def items_of(paper: str) -> list[Item]:
    """The rows below the heading of a paper."""
    found = paper_of(paper)
    [section] = re.findall(rf"^## {re.escape(f'{found.authors}: {found.title}')}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if "|" in line]
    return [Item(*row)._replace(command=row[2].strip("`")) for row in rows[2:]]


DOCUMENTS = {paper: items_of(paper) for paper in PAPERS}
COMMANDS = sorted({item.command for items in DOCUMENTS.values() for item in items})


def test_every_document_is_there() -> None:
    every = [item for items in DOCUMENTS.values() for item in items]
    assert len(every) >= 123
    assert f", {len(every)} in\nall:" in PAGE
    counts = Counter(item.state for item in every)
    assert set(counts) == set(STATES)
    assert all(f"| {state} | {count} |" in PAGE for state, count in counts.items())
    # What is refuted or not possible says by what, or why.
    assert all(item.note for item in every if item.state != "works")
    for name, items in DOCUMENTS.items():
        assert len({item.what for item in items}) == len(items), name


@pytest.mark.parametrize("paper", PAPERS)
def test_every_table_and_figure_of_a_paper_is_an_item(paper: str) -> None:
    told = " ".join(f"{item.what} {item.where} {item.command}" for item in DOCUMENTS[paper])
    for exhibit in paper_of(paper).exhibits:
        short = exhibit.number.removeprefix("Slide: ").replace("Figures 1-4", "Figures 1 to 4")
        known = {
            "Section 1": "orders of ties",
            "Section 2": "Section 2",
            "Section 4": "next:",
        }
        known["a single number"] = "break-even"
        known["pairwise preferences"] = "circles of preferences"
        assert known.get(short, short) in told, exhibit.number


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    folder = tmp_path_factory.mktemp("documents")
    given: dict[str, list[str]] = {}
    for name, seed in (("", 3), ("OTHER_", 4)):
        track = tr.simulate(systems=3, topics=5, seed=seed, documents=400, depth=30, pool_depth=10)
        here = folder / f"{name.lower()}track"
        track.write(here)
        given[f"{name}QRELS"] = [str(here / "qrels.txt")]
        given[f"{name}RUNS" if name else "RUN..."] = (
            [str(here / "*.run")] if name else sorted(map(str, here.glob("*.run")))
        )
    topics = [topic.decode() for topic in track.qrels.topics]
    runs = [Path(path).stem for path in given["RUN..."]]
    texts = {
        "LETOR": "1 qid:1 1:0.5 2:1\n0 qid:1 1:0.5 2:0\n1 qid:2 1:0.1 2:1\n0 qid:2 1:0.9 2:1\n2 qid:2 1:0.9 2:3\n",
        "PREFERENCES": "".join(f"{topics[0]} {one} {other}\n" for one, other in ("ab", "bc", "ca")),
        "CLICKS": "q1\ta b c\tb\n",
        "SIDE_BY_SIDE": "".join(f"{topic} {runs[0]} {runs[1]} {runs[n % 2]}\n" for n, topic in enumerate(topics)),
        "GROUPS": "".join(f"{topic} {'one' if n < 2 else 'two'}\n" for n, topic in enumerate(topics)),
        "ORDER": Path(given["RUN..."][0]).read_text(),
        "OLD_QRELS": "\n".join(Path(given["QRELS"][0]).read_text().splitlines()[::2]) + "\n",
    }
    for name, text in texts.items():
        (folder / f"{name.lower()}.txt").write_text(text)
        given[name] = [str(folder / f"{name.lower()}.txt")]
    given["RUN"], given["OTHER_RUN"] = given["RUN..."][:1], given["RUN..."][1:2]
    written = {"FIGURE": "figure.json", "FILE": "written.txt", "FOLDER": "made"}
    return given | {name: [str(folder / path)] for name, path in written.items()}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_list_runs(
    command: str, files: dict[str, list[str]], truerank: Callable[..., Any]
) -> None:
    program, *words = shlex.split(command)
    assert program == "truerank"
    done = truerank(*(part for word in words for part in files.get(word, [word])))
    assert done.exit_code == 0, done.stderr
    assert done.stdout or "FILE" in words
