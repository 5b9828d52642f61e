"""The question: how much does it matter who judged?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.judges.answer import JudgesCompared
from truerank.questions.signature import Engines, Measures, question
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given, Judging
    from truerank.track.track import Progress

RULES = AxisRules(fixed={"judges": "given"}, refused=one_number("judges are compared by single ones"))


@question(RULES)
def judges(
    judges: Annotated[Any, Argument("JUDGE...", many=True, holds="judges")],
    measures: Measures = "nDCG@10",
    *,
    runs: Annotated[
        Any,
        Option(
            "Runs to score by each judge: a file, a folder or a pattern in quotes; repeatable.",
            metavar="RUN",
            many=True,
            holds="runs",
        ),
    ] = None,
    reference: Annotated[
        str | None, Option("The judge that the others are held against. Default: the first.", metavar="NAME")
    ] = None,
    alpha: Annotated[float, Option("Significant is a p below.")] = 0.05,
    confidence: Annotated[float, Option("How often intervals are to hold.", metavar="SHARE")] = 0.95,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Judging],
) -> JudgesCompared:
    """Tell how far judges agree, whom each favours, and what of a leaderboard depends on the judge.

    A judge is a file of judgments, called after it or given as NAME=FILE; a folder has one in each file, and a table
    may have several. Agreement is over the documents that two judges have in common, its intervals are over topics.
    With runs, each judge has a leaderboard: where these differ is told by pairs of runs, and whether a judge favours
    some runs more than the reference does is tested.

    Example:
      truerank judges people.qrels machine.qrels
      truerank judges people=nist.qrels gpt=umbrela.qrels --runs "runs/*.run" -m nDCG@10 --show runs
      truerank judges judges/ --runs runs/ --plot ranks.svg

    In Python, ``judges`` is a dict from names to judgments, or whatever ``read_judges`` takes.

    >>> said = {"ann": {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}, "bot": {"q1": {"a": 0, "b": 1}, "q2": {"c": 1}}}
    >>> answer = judges(said, "RR", runs={"x": {"q1": ["a", "b"], "q2": ["c"]}, "y": {"q1": ["b", "a"], "q2": ["c"]}})
    >>> answer.agreement[0].same, answer.orders[0].reversed, answer.leaders["RR"]
    (0.3333333333333333, 1, {'ann': 'x', 'bot': 'y'})
    """
    from truerank.io.judges import as_judges
    from truerank.questions.judges.asked import JudgesAsked
    from truerank.questions.judges.scoring import score_runs
    from truerank.questions.judges.work import summarise

    asked = JudgesAsked.of(as_judges(judges), reference, alpha=alpha, confidence=confidence)
    conventions = cast("Given", given)
    scored = score_runs(asked, runs, measures, conventions, RULES, engine=engine, progress=progress)
    return summarise(asked, scored, RULES.chosen(conventions))
