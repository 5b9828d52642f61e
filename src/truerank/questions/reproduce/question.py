"""The question: what becomes of a paper on one's own data?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.reproduce.answer import Reproduction
from truerank.questions.signature import Also, Engines, question
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

PAPERS = ("liu", "mcsherry", "lu", "amigo", "slides")
RULES = AxisRules(refused=one_number("papers print one"))


@question(RULES, together=True)
def reproduce(
    paper: Annotated[str, Argument("|".join(PAPERS))],
    qrels: Annotated[Any, Argument("[QRELS]", required=False, holds="qrels")] = None,
    runs: Annotated[Any, Argument("[RUN...]", many=True, required=False, holds="runs")] = None,
    *,
    also: Also = (),
    name: str = "",
    exhibit: Annotated[
        str | None, Option("Only this table or figure, such as 'Table 2', and no claims.", metavar="NUMBER")
    ] = None,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Reproduction:
    """Make a paper's tables and figures from your runs.

    The papers are liu (Liu, Moffat, Baldwin & Zhang 2016: the ends of lists), mcsherry (McSherry & Najork 2008: ties),
    lu (Lu, Moffat & Culpepper 2016: depth), amigo (Amigó, Mizzaro & Spina 2022: truncated lists) and slides (a lecture
    on evaluating rankings). Each claim is marked, with the numbers: it holds, it does not hold, it is true by
    definition, or it cannot be determined with these data, and why: a claim is tested on collections that can bear it.
    Exhibits that need no runs are made from the paper's own small examples, also without QRELS.

    With --out page.html everything is written to one page, next to the paper's numbers; --format json has it too.

    Example:
      truerank reproduce lu qrels.txt *.run --out lu.html
      truerank reproduce amigo qrels.txt *.run --also other.qrels "other/*.run" --out amigo.html
      truerank reproduce liu --exhibit "Table 1"
      truerank reproduce lu qrels.txt *.run --exhibit "Figure 5" --plot figure5.svg

    In Python, ``also`` are pairs of judgments and runs, or such pairs by name; the first has a ``name``, too.

    >>> found = reproduce("liu")
    >>> print(found["Table 1"].parts.numbers[0])
    Beside(of='00, R = 0', by="RR'", here=0.3333333333333333, paper=0.333, collection='')
    >>> found.claims[0].mark
    'holds'
    """
    from truerank.questions.reproduce.work import reproduced

    return reproduced(
        paper, qrels, runs, given, also=also, first=name, exhibit=exhibit, engine=engine, progress=progress
    )
