"""The question: how do runs compare, on one page to share?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.report.answer import Report
from truerank.questions.signature import Also, ByGroup, Judgments, Measures, Runs, question
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RULES = AxisRules(refused=one_number("a report tells what ties and unjudged documents leave open on its own"))

TEST, ALPHA = "student", 0.05


@question(RULES)
def report(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "nDCG@10 AP RBP",
    *,
    baseline: Annotated[
        str | None,
        Option(
            "Show differences from this run. Give its name or its file. Default: of two runs, or with --gate, the "
            "first; otherwise the best.",
            metavar="RUN",
        ),
    ] = None,
    gate: Annotated[
        str | Iterable[str] | None,
        Option(
            'Exit 1 unless it passes, as in compare; repeatable. Alone, or last: "no worse".',
            metavar="[TEXT]",
            many=True,
            alone="no worse",
        ),
    ] = None,
    title: Annotated[str | None, Option("Title of the page.", metavar="TEXT")] = None,
    test: Annotated[str, Option("Test of significance, as in compare.")] = TEST,
    alpha: Annotated[float, Option("Significance level.")] = ALPHA,
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Report:
    """Write one HTML page about your runs, to share.

    The page is one file that works offline. It has the verdict, a table with differences from the best run (with more
    than 12 runs: possible ranks), what is worth knowing, each topic with its lists side by side, scores by depth, and
    warnings. --out report.html writes the page. --out report.md or --format markdown writes text for a pull request.
    Other formats have the leaderboard only. With --gate, its outcome stands on top of the page and decides the exit
    code.

    Example:
      truerank report qrels.txt bm25.run dense.run --out report.html
      truerank report qrels.txt *.run -m "nDCG@10 AP" --baseline bm25 --out report.html
      truerank report qrels.txt base.run new.run --gate "no worse than 1%" --out report.html
      truerank report qrels.txt base.run new.run --format markdown
      truerank report trec8.qrels trec8/*.run --also med.qrels "med/*.run" --out both.html

    In Python, judgments and runs are given as to ``evaluate``; ``save`` writes the page.

    >>> qrels = {f"q{n}": {"x": 1} for n in range(8)}
    >>> base = {f"q{n}": ["y", "z", "x"] if n % 3 else ["y", "x"] for n in range(8)}
    >>> new = {f"q{n}": ["x", "y"] if n else ["y", "z", "x"] for n in range(8)}
    >>> found = report(qrels, {"base": base, "new": new}, "RR@10")
    >>> found["new"]["RR@10"].rank, round(found["new"]["RR@10"].mean, 3), found.baseline
    (1, 0.917, 'base')
    >>> found.page()[:15]
    '<!DOCTYPE html>'
    """
    from truerank.questions.report.work import asked

    return asked(
        qrels,
        runs,
        measures,
        given,
        baseline=baseline,
        gate=gate,
        title=title,
        test=test,
        alpha=alpha,
        progress=progress,
    )
