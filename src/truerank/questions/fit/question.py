"""The question: which parameters does people's behaviour speak for?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.fit.answer import PeopleFit
from truerank.questions.signature import Judgments, Measures, Runs, question
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RULES = AxisRules(refused=one_number("a parameter is fitted to one score a list"))


@question(RULES)
def fit(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "RBP",
    *,
    preferences: Annotated[
        Any, Option("Which of two lists people preferred: topic, run, run, preferred or tie, user.", metavar="FILE")
    ] = None,
    clicks: Annotated[
        Any, Option("What people clicked: topic, run, ranks such as 1,3 or -, user.", metavar="FILE")
    ] = None,
    reading: Annotated[
        Any, Option("How far people read: topic, run, documents or seconds, user.", metavar="FILE")
    ] = None,
    seconds: Annotated[
        float | None, Option("Seconds that a document takes, where reading is given in seconds.", metavar="S")
    ] = None,
    shown: Annotated[int, Option("Documents that a page of results shows, for clicks.", metavar="N", least=1)] = 10,
    parameter: Annotated[
        Any, Option("A parameter to fit: p, e, beta or T; repeatable. Default: all it has.", metavar="NAME", many=True)
    ] = (),
    confidence: Annotated[float, Option("Of the intervals.", least=0.5, most=0.999)] = 0.95,
    resamples: Annotated[int, Option("Draws of users or topics for the intervals.", metavar="N", least=100)] = 400,
    seed: Annotated[int, Option("Of the draws.", least=0)] = 0,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> PeopleFit:
    """Fit p, e, beta or T to what people preferred, clicked or read, with intervals.

    One of --preferences, --clicks and --reading is given; a header line may name the columns, and the user is optional.
    Of two lists one is preferred by the odds of their difference in score (Bradley & Terry). A document is clicked if
    it is examined, as likely as the measure's readers come to it, and by a chance that its grade has. Readers go on
    after each document as the measure says. Intervals come from drawing users, or topics where none are named, with
    replacement. Clicks and reading tell p and T; e and beta take preferences.

    Example:
      truerank fit qrels.txt a.run b.run -m "RBPU" --preferences sidebyside.tsv
      truerank fit qrels.txt a.run -m "RBP INSQ" --clicks clicks.tsv --shown 10
      truerank fit qrels.txt a.run -m RBP --reading depth.tsv

    In Python the three are a path or rows, such as ("q1", "a", "b", "a"), ("q1", "a", [1, 3]) and ("q1", "a", 7).

    >>> qrels = {"q1": {"x": 1}, "q2": {"y": 1}}
    >>> run = {"q1": ["x", "u", "v", "w"], "q2": ["u", "y", "v", "w"]}
    >>> found = fit(qrels, {"a": run}, "RBP", reading=[("q1", "a", 1), ("q2", "a", 2), ("q1", "a", 3)])
    >>> round(found.fitted[0].value, 2)  # six documents were read, and readers stopped three times
    0.5
    """
    from truerank.data.errors import InputError
    from truerank.measures.core.parameters import number, one_of, positive, whole
    from truerank.questions.fit.grid import NAMES
    from truerank.questions.fit.observations import Observation, observed
    from truerank.questions.fit.work import ClusterDraws, fitted
    from truerank.track.track import Track

    several = {"preferences": preferences, "clicks": clicks, "reading": reading}
    told = [name for name, data in several.items() if data is not None]
    if len(told) != 1:
        raise InputError(f"give one of preferences, clicks and reading, not {' and '.join(told) or 'none'}")
    wanted = (parameter,) if isinstance(parameter, str) else tuple(parameter)
    for name in wanted:
        one_of("parameter", name, NAMES)
    number("confidence", confidence, least=0.5, most=0.999)
    whole("resamples", resamples, least=100)
    whole("seed", seed, least=0)
    whole("shown", shown, least=1, most=1000)
    [kind] = told
    every = observed(kind, several[kind])
    if seconds is not None:
        positive("seconds", seconds)
        if kind != "reading":
            raise InputError("seconds says how long a document takes to read; give it with reading")
        every = [Observation(one.topic, one.runs, one.value / seconds, one.user) for one in every]
    track = Track.of(qrels, runs, measures, given, RULES)
    draws = ClusterDraws(resamples, confidence, seed)
    return fitted(track, kind, every, wanted, draws, shown=shown, progress=progress)
