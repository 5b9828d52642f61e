"""Write docs/reference/measures.md from the catalogue: ``python docs/generate.py``, or ``make docs``."""

from __future__ import annotations

from pathlib import Path

from truerank.questions.measures.answer import MeasureRow
from truerank.questions.measures.question import catalogue

PAGE = Path(__file__).parent / "reference" / "measures.md"

HEAD = """\
# Measures

Generated from the catalogue, which `truerank measures` and `tr.measures()` also show; `make docs` writes it again.

A measure that is listed with `@k` takes a cutoff: `nDCG@10` looks at ten documents, `nDCG` at all. Parameters stand in
brackets, with their names: `RBP(p=0.5)`, `AP(rel=2)@100`. Those without a value below are off unless given: `rel` makes
a graded measure binary, `gains` maps grades to gains as in `nDCG(gains={1: 3, 2: 9})`, `max_rel` fixes the highest
grade that gains are relative to, which otherwise is the highest in the judgments.

In formulas i is a rank, k the cutoff, n the length of the list, R the number of relevant documents in the judgments and
N that of judged non-relevant ones; hits are relevant documents in the list, cg is cumulative gain.
"""


def page() -> str:
    """The whole page."""
    entries = catalogue().measures
    return "\n".join([HEAD, "| measure | what it is |", "|:---|:---|", *map(row, entries), *map(section, entries)])


def row(entry: MeasureRow) -> str:
    """One measure in a line."""
    said = " ".join(entry.text.partition("\n\n")[0].split())
    return f"| [{entry.written.replace('[', '').replace(']', '')}](#{entry.name.lower()}) | {said} |"


def section(entry: MeasureRow) -> str:
    """One measure in full."""
    facts = {
        "formula": f"`{entry.formula}`",
        "range": entry.span + ("" if entry.higher_is_better else "; lower is better"),
        "parameters": f"`{entry.defaults}`" if entry.parameters else "",
        "also called": ", ".join(f"`{alias}` (`{meant}`)" for alias, meant in entry.aliases.items()),
        "citation": entry.citation,
    }
    lines = ["", f"## {entry.name}", "", entry.text, ""]
    lines += [f"- {name}: {text}" for name, text in facts.items() if text]
    if entry.example:
        imported = [">>> import numpy as np"] if "np." in entry.example else []
        lines += ["", "```python", *imported, entry.example, "", "```"]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page() + "\n", encoding="utf-8")
