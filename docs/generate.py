"""Write what the reference says of the source: measures, conventions, columns, notes and the form of JSON.

``python docs/generate.py``, or ``make docs``; tests hold the pages to what it writes.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import click

import truerank
from truerank.cli.main import COMMANDS, program
from truerank.cli.pages import everything
from truerank.conventions.axes import AXES, Axis
from truerank.conventions.presets import PRESETS
from truerank.data.notes import Code
from truerank.questions import QUESTIONS
from truerank.questions.measures.question import MeasureRow, catalogue
from truerank.report.answer import Answer
from truerank.report.rows import Described, Row
from truerank.report.schema import schema

COMMANDS_PAGE = """\
# Commands

What `truerank COMMAND --help-all` says; generated from the source, `make docs` writes it again. Options are
the keywords of the functions of the same name, with `-` for `_`.
"""
REFERENCE = Path(__file__).parent / "reference"
NAMES = {
    *("Bonferroni", "Cliff", "Cohen", "Cox", "Dunnett", "Fisher", "Goodman", "Greenhouse", "Hedges", "Holm", "Kendall"),
    *("Krippendorff", "Moffat", "Pearson", "Sakai", "Somers", "Spearman", "Student", "Tukey", "Wilcoxon"),
}
"""Words that begin with a capital wherever they stand."""

MEASURES = """\
# Measures

Generated from the catalogue, which `truerank measures` and `tr.measures()` also show; `make docs` writes it again.

A measure that is listed with `@k` takes a cutoff: `nDCG@10` looks at ten documents, `nDCG` at all. Parameters stand in
brackets, with their names: `RBP(p=0.5)`, `AP(rel=2)@100`. Those without a value below are off unless given: `rel` makes
a graded measure binary, `gains` maps grades to gains as in `nDCG(gains={1: 3, 2: 9})`, `max_rel` fixes the highest
grade that gains are relative to, which otherwise is the highest in the judgments.

Numbers have limits, past which a measure is refused in one line: a cutoff is at most 10^15, a parameter at most
1e100, and so is the gain of the highest grade (2^grade - 1 of `dcg='exp-log2'` reaches that at grade 333). The text
of a measure has up to 4,000 characters, and gives each parameter and grade once. With `unjudged='bounds'`, lists go
on down to the cutoff: with up to 20 million documents, all topics together.

In formulas i is a rank, k the cutoff, n the length of the list, R the number of relevant documents in the judgments and
N that of judged non-relevant ones; hits are relevant documents in the list, cg is cumulative gain.
"""
COLUMNS = """\
# What answers hold

Generated from the rows that answers are made of; `make docs` writes it again.

Each question has an answer with one or more sheets, which `--show` and `show=` choose from. A sheet has a row type,
and the columns below: they are the keys of records and JSON, the columns of delimited text and data frames, and the
attributes of a row in Python. A column with {} in its name stands for several. Those marked *JSON* have a form of
their own, and are in JSON only; those marked *optional* are left out of records where no row has them.

JSON has the sheets as lists of rows by their names, beside what is listed under "beside the sheets", `version`,
`question` and `notes`. It is described by [a JSON schema for each question](schema.json). Numbers are unrounded;
what is undefined is null. The version changes when a key is renamed or removed, or a number means something else.

Of several collections (`--also`, `also=`) every row has its `collection` first, also one that is called "mean"; JSON
has `collections`, with what is listed under "beside the sheets" of each, and `means`, by sheet. Columns that have a
mean over collections are marked *mean*.

In Python, `found["bm25"]["AP"]` is a row of the first sheet, by run and measure; `found.rows(show)` has the rows of a
sheet. What is listed here is promised, and so are the names in `truerank`, their parameters, and the methods of
answers named `to_*`, `rows`, `notes` and `plot`. Other attributes may change.
"""
NOTES = """\
# Notes by code

Generated from the source; `make docs` writes it again.

What is worth knowing about a result is said below tables, on standard error where output goes to a pipe or a file,
and in the JSON under `notes`: `code`, `facts` (the numbers that the sentence tells) and `text`. A code means the
same from one version to the next, while its words may change. `--quiet CODE` leaves notes of a code out.

| code | what it is about | said by |
|:---|:---|:---|
"""
SENTENCES = """
## Sentences

The words of each note. Facts stand in braces, after a colon how they are written: `{runs:run}` is a number of runs,
`{share:%}` a percentage, `{runs:is|are}` a word that goes with the number, `{runs:names}` a few
names and how many others, `{runs:all names}` all of them, `{p:p}` a p-value. A
clause in square brackets is left out if one of its facts is not known.

""".splitlines()


def pages() -> dict[Path, str]:
    """Every page that is made of the source, by its place."""
    conventions = REFERENCE / "conventions.md"
    return {
        REFERENCE / "measures.md": measures(),
        REFERENCE / "columns.md": columns(),
        REFERENCE / "notes.md": notes(),
        REFERENCE / "commands.md": commands(),
        REFERENCE / "schema.json": json.dumps(schemas(), indent=1) + "\n",
        conventions: tables(conventions.read_text(encoding="utf-8")),
    }


def commands() -> str:
    """What --help-all says of every command."""
    lines = [COMMANDS_PAGE]
    root = click.Context(program, terminal_width=100, **program.context_settings)
    for name in COMMANDS:
        for names, command in _with_inner(name):
            told = everything(click.Context(command, info_name=" ".join(["truerank", *names]), parent=root))
            lines += [f"## {' '.join(names)}", "", "```text", told, "```", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _with_inner(name: str) -> Iterator[tuple[list[str], click.Command]]:
    command = program.get_command(click.Context(program), name)
    assert command is not None
    yield [name], command
    if isinstance(command, click.Group):
        for inner, each in command.commands.items():
            yield [name, inner], each


def measures() -> str:
    """The catalogue."""
    entries = catalogue().measures
    rows = ["| measure | what it is |", "|:---|:---|", *map(_entry_row, entries)]
    return "\n".join([MEASURES, *rows, *map(_entry_section, entries)]) + "\n"


def _entry_row(entry: MeasureRow) -> str:
    said = " ".join(entry.text.partition("\n\n")[0].split())
    return f"| [{entry.written.replace('[', '').replace(']', '')}](#{entry.name.lower()}) | {said} |"


def _entry_section(entry: MeasureRow) -> str:
    facts = {
        "formula": f"`{entry.formula}`",
        "range": entry.span + ("" if entry.higher_is_better else "; lower is better"),
        "parameters": f"`{entry.defaults}`" if entry.parameters else "",
        "also called": ", ".join(f"`{alias}` (`{meant}`)" for alias, meant in entry.aliases.items()),
        "bounds over unjudged documents": entry.bounds,
        "citation": entry.citation,
    }
    lines = ["", f"## {entry.name}", "", entry.text, ""]
    lines += [f"- {name}: {text}" for name, text in facts.items() if text]
    if entry.example:
        imported = [">>> import numpy as np"] if "np." in entry.example else []
        lines += ["", "```python", *imported, entry.example, "", "```"]
    return "\n".join(lines)


def tables(page: str) -> str:
    """The page of conventions, with the table of each axis and that of presets as the source has them."""
    for axis in AXES.values():
        if axis.values and f"<!-- values of {axis.name} -->" not in page:
            new = f"## {axis.name}: {axis.help}\n\n<!-- values of {axis.name} -->\n<!-- end -->\n\n"
            page = page.replace("## like:", f"{new}## like:")
        page = _between(page, f"values of {axis.name}", _values(axis))
    presets = [
        f"| `{tool}` | `{' '.join(f'{a}={v}' for a, v in chosen.items())}` |" for tool, chosen in PRESETS.items()
    ]
    return _between(page, "presets", ["| value | stands for |", "|:---|:---|", *presets])


def _values(axis: Axis) -> list[str]:
    rows = [
        f"| `{value}`{' (default)' if value == axis.default else ''} | {told.answers} |"
        for value, told in axis.values.items()
    ]
    return ["| value | the question it answers |", "|:---|:---|", *rows]


def _between(page: str, what: str, lines: list[str]) -> str:
    inside = "\n".join([f"<!-- {what} -->", *lines, "<!-- end -->"])
    return re.sub(rf"<!-- {re.escape(what)} -->.*?<!-- end -->", lambda _: inside, page, flags=re.DOTALL)


def modules(package: ModuleType = truerank) -> Iterator[ModuleType]:
    """Every module of a package."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def answers() -> dict[str, list[type[Answer]]]:
    """The answers by question; several where a question has several functions."""
    found: dict[str, dict[type[Answer], None]] = {name: {} for name in QUESTIONS}
    for name in QUESTIONS:
        for module in modules(importlib.import_module(f"truerank.questions.{name}")):
            for value in vars(module).values():
                if isinstance(value, type) and issubclass(value, Answer) and value.question.split()[:1] == [name]:
                    found[name][value] = None
    return {name: list(each) for name, each in found.items() if each}


def columns() -> str:
    """Every column of every sheet of every answer."""
    lines = [COLUMNS]
    for question, each in answers().items():
        lines += [f"## {question}", "", QUESTIONS[question], ""]
        for answer in each:
            if len(each) > 1:
                lines += [f"### {answer.__name__}", ""]
            for name, sheet in answer.sheets.items():
                lines += [f"`--show {name}`: {sheet.help}" + ("" if sheet.json else " (not in JSON)"), ""]
                lines += [*_described(sheet.row), ""]
            if answer.described:
                lines += ["beside the sheets", "", *_rows(answer.described.values()), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _described(row: type[Row]) -> list[str]:
    return _rows(one for one in row.described.values() if not one.for_people)


def _rows(columns: Any) -> list[str]:
    return ["| column | holds |", "|:---|:---|", *map(_column, columns)]


def _column(one: Described) -> str:
    name = one.spread if one.kind == "numbers" else one.column_name
    only = one.kind == "nested" or one.json_only
    told = (("*JSON*", only), ("*optional*", one.optional), ("*mean*", one.over == "mean"))
    marks = [mark for mark, there in told if there]
    meaning = " ".join(one.meaning.split())
    first = re.split(r"\W", meaning, maxsplit=1)[0]
    # Acronyms, AP say, and names keep their capital.
    if first not in NAMES and not any(letter.isupper() for letter in first[1:]):
        meaning = meaning[:1].lower() + meaning[1:]
    return f"| `{name}` | {'; '.join([meaning, *marks])} |"


def notes() -> str:
    """Every code, with what it is about."""
    found: dict[str, tuple[Code, str]] = {}
    # Questions also import codes of the track: those are said by all.
    for module in sorted(modules(), key=lambda one: one.__name__.startswith("truerank.questions.")):
        for value in vars(module).values():
            if isinstance(value, Code):
                found.setdefault(value.code, (value, module.__name__))
    rows = [f"| {code} | {kind.about} | {_said_by(where)} |" for code, (kind, where) in sorted(found.items())]
    sentences = [line for code, (kind, _) in sorted(found.items()) for line in _sentences(code, kind)]
    return NOTES + "\n".join([*rows, "", *SENTENCES, *sentences]) + "\n"


def _sentences(code: str, kind: Code) -> Iterator[str]:
    """The sentences of a code as they are written, with the case that each is for."""
    yield f"- {code}: `{kind.sentence}`"
    for name, template in kind.forms.items():
        yield f"    - {name}: `{template}`"
    for name, template in kind.each.items():
        yield f"    - each of `{name}`: `{template}`"


def _said_by(module: str) -> str:
    parts = module.split(".")
    return f"`{parts[2]}`" if parts[1] == "questions" else "all questions about runs"


def schemas() -> dict[str, Any]:
    """The JSON schema of each answer, by the name of its class."""
    return {answer.__name__: schema(answer) for each in answers().values() for answer in each}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
