"""The question: why does a number differ?"""

from __future__ import annotations

from typing import Annotated, Any

from truerank.conventions.presets import PRESETS
from truerank.questions.signature import Engines, Judgments, OneRun, question
from truerank.questions.why.answer import Why
from truerank.report.signature import Option


@question()
def why(
    qrels: Judgments,
    run: OneRun,
    measure: Annotated[
        Any,
        Option("The measure that the number is said to be.", flags="-m/--measure", metavar="MEASURE", required=True),
    ],
    value: Annotated[
        str | float, Option("The number as it was reported, with all its digits.", metavar="NUMBER", required=True)
    ],
    *,
    tool: Annotated[str | None, Option("Start from what this tool does.", choices=tuple(PRESETS))] = None,
    engine: Engines = None,
) -> Why:
    """Find which conventions give a number that somebody else reported.

    Tried are the conventions of every tool that is known here, every change of one convention or of one parameter of
    the measure, and every two of them. The exit code is 1 if nothing gives the number.

    Example:
      truerank why qrels.txt bm25.run -m AP --value 0.4123 --tool ranx

    In Python, ``value`` as text keeps the digits that were reported. ``tool`` starts from what a tool does, rather than
    from the defaults here.

    >>> qrels, run = {"q1": {"a": 1}}, {"q1": {"b": 1.0, "a": 1.0}}
    >>> found = why(qrels, run, "RR", "1.0")
    >>> found.reference.value, found.explanations[0].changes
    (0.75, ('tied documents stand in ascending order of their ids',))
    """
    from truerank.measures.grammar import parse
    from truerank.questions.why.work import Reported, as_used, conclude
    from truerank.track.track import Track

    reported, given = Reported.of(value), as_used(tool)
    wanted = [parse(measure) if isinstance(measure, str) else measure]
    track = Track.of(qrels, run, wanted, given, engine=engine)
    return conclude(track, reported, tool)
