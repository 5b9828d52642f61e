"""Write docs/reference/properties.md from what is stated and found: ``python docs/generate_properties.py``."""

from __future__ import annotations

from pathlib import Path

import truerank as tr
from truerank.questions.properties.axioms import DEEPEST, FARTHER, SEVEN
from truerank.questions.properties.examples import BINARY, GRADED, SearchSpace
from truerank.questions.properties.interval import IntervalScale
from truerank.questions.properties.numeric import NUMERIC
from truerank.questions.properties.property import Property
from truerank.questions.properties.scoring import EQUAL, FAINT

PAGE = Path(__file__).parent / "reference" / "properties.md"
TRIED = SearchSpace()

HEAD = f"""\
# Properties of measures

What a measure rewards can be stated as comparisons: of two rankings, one has to score more. `truerank properties` and
`tr.properties()` look for rankings on which a measure breaks such a statement, and show the smallest that they find.
[How to check a measure of your own](../how-to/properties.md) is another page. This one is written by
`python docs/generate_properties.py`.

## How to read a verdict

- **strict**: the statement is true of every comparison that was tried. **equal**: in some, both sides score the same.
  **reversed**: in some, the wrong side scores more. Statements that ask for no more than "not less", or state a fact,
  **hold** or **fail**. **depends**: the statement can be read in several ways, and they differ.
- A witness comes with every verdict: the smallest comparison with that outcome. Digits are grades in rank order,
  `0^9 1` is nine zeros and a one, R counts the relevant documents of the collection, retrieved or not.
  `--show readings` has each reading apart.
- A search proves that a property is lost, not that a measure has it: "strict" says that nothing was found.
- Scores that differ by less than {EQUAL:.0e} of their size are equal. Rankings so long that the last document is worth
  less than {FAINT:.0e} of the first are left out, since rounding would decide.

What is tried: all rankings of two levels of relevance up to length {TRIED.longest}, each with up to two relevant
documents that are not retrieved; those of three levels up to {TRIED.graded}, with up to one; all rankings up to
{TRIED.sparse} with one or two relevant documents, and some just longer than the measure's cutoff; {BINARY + GRADED}
random ones up to {TRIED.farthest} (`--longest {TRIED.longest + 2}` takes all of these further, `--seed` draws others).
For thresholds n goes up to {DEEPEST:,}, or up to half of the collection, if a measure is told its size (at most
{FARTHER[-1]:,}).

Relevance is read on the measure's own scale. A graded measure is also tried on the other one of these two, and a
verdict that differs there is noted: Rel = grade / max, where a relevant document of binary judgments has 1, and
Rel' = (2^grade - 1) / 2^max, where it has 1/2.
"""

BETWEEN = """
## The published table

Table 1 of Amigó, Mizzaro & Spina, *Ranking interruptus: when truncated rankings are better and how to measure that*
(SIGIR 2022), beside what is found here. A claim is what the paper's text says; where the text is silent, what the table
says, or what the measure is said to inherit. `?` stands where none of them is clear. P@N and R@N are tried with N = 10,
OIE with the 20,000 documents of the paper's experiments, RBP, iRBU, RBPT, RBU and RBPU with the p = 0.98 that the paper
recommends: with the p = 0.8 that is the default here, iRBU and RBU lack the shallowness threshold. Spearman, Kendall
and AUC compare orders of the whole collection, in which documents that are not retrieved share the last place:
thresholds are looked for in one of 20,000, as for OIE, and other properties also in small ones, with one, two and five
documents without relevance that are not retrieved. By Recall, Spearman and Kendall fall in every collection of two
levels of relevance that is tried (`Kendall(rel=1)`); with three levels both rise in a few, in which the documents that
are not retrieved become more alike.

"""


def page() -> str:
    """The whole page."""
    parts = [HEAD, "## Seven properties", *map(section, SEVEN), "\n## Numeric properties", *map(section, NUMERIC)]
    parts += ["\n## The scale of scores", section(IntervalScale())]
    return "\n".join(parts) + "\n" + BETWEEN + published() + "\n"


def published() -> str:
    """The published table, and what of it does not survive."""
    found = tr.reproduce("amigo", exhibit="Table 1")
    return "\n".join([found.to_markdown(), "", *(f"- {each}" for each in found["Table 1"].parts.words)])


def section(each: Property) -> str:
    """One property."""
    lines = ["", f"### {each.name}", "", each.statement, "", f"- `{each.formula}`"]
    if each.remark:
        lines.append(f"- {each.remark}")
    return "\n".join([*lines, f"- {each.citation}"])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
