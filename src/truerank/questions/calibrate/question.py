"""The question: what do parameters mean, and which does people's behaviour speak for?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.axes import Conventions
from truerank.conventions.presets import AxisRules, one_number
from truerank.data.errors import InputError
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Measures, question
from truerank.report.answer import PLOT, Answer, ByMeasure, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.arrays import Floats
    from truerank.measures.core.base import Measure
    from truerank.questions.calibrate.price import BreakEven, HitDocument
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.track.track import Progress

FITTED = Code(
    "TR571",
    "the value of a parameter that people's behaviour speaks for, with its interval",
    "{measure}: {parameter} = {value:.4g} ({low:.4g} to {high:.4g})[; {agrees:.0%} of preferences agree]"
    "[, {agrees_given:.0%} with {given:.4g}]",
)
AT_END = Code(
    "TR572",
    "a parameter whose likeliest value is the end of those that were tried",
    "{measure}: {parameter} = {value:.4g} is the end of the values that were tried; what was seen bounds it on one "
    "side only",
)
FEW = Code(
    "TR573",
    "too few users or topics for an interval to be trusted",
    "intervals come from {users:user}; with fewer than {trusted} they are too narrow",
    topics="intervals come from {topics:topic}; with fewer than {trusted} they are too narrow",
)
OBSERVATIONS_LEFT_OUT = Code(
    "TR574",
    "observations that were left out, and why",
    "{observations:observation} of topics without judgments left out",
)
_TRUSTED = 10
"""Users or topics from which on intervals hold what they say, in simulations."""
_SEEN = {
    "preferences": ("preference", None),
    "clicks": ("list shown", "lists shown"),
    "reading": ("reading", None),
}
"""What one observation of a kind is called, and several."""
Raw = Annotated[bool, Option("Draw a panel a measure with its own scores, rather than all on one scale.")]


class Meaning(Row):
    """What a measure says of a hit against silence."""

    measure: str = column("the measure, with its parameter")
    kind: str = column('"flat", "additive" or "cascade" of measures with effort, "information", "terminal", or "none"')
    parameter: str | None = column('"e" or "beta"', default=None)
    value: float | None = column("its value", default=None)

    @derived(for_people=False)
    def grade(self) -> float:
        """Grade of the hit."""
        return self.hit.grade

    @derived(for_people=False)
    def max_grade(self) -> float:
        """The highest grade of the collection."""
        return self.hit.max_grade

    gain: float | None = column("what the hit is worth; OIE asks only which documents are better", default=None)

    @derived(for_people=False, called="pays_for")
    def pays_for_last(self) -> int | None:
        """Documents that a hit at rank 1 pays for, itself included."""
        return _last(self.pays_for)

    @derived(for_people=False)
    def pays_for_equal(self) -> bool | None:
        """Whether a list so long scores the same as silence."""
        return None if self.pays_for is None else self.pays_for.equal

    @derived(for_people=False)
    def pays_for_exact(self) -> float | None:
        """Where it would score the same if there were lengths between the whole ones, where that can be said."""
        return None if self.pays_for is None else self.pays_for.exact

    @derived(for_people=False)
    def pays_for_at_least(self) -> bool | None:
        """Whether it pays for more, past what was looked for."""
        return None if self.pays_for is None else self.pays_for.at_least

    @derived(for_people=False)
    def pays_for_any(self) -> bool:
        """Whether it pays for any number of documents."""
        return self.pays_for is not None and math.isinf(self.pays_for.last)

    @derived(for_people=False, called="silence_at")
    def silence_at_last(self) -> int | None:
        """The last rank at which a lone hit is no worse than silence."""
        return _last(self.silence_at)

    @derived(for_people=False)
    def silence_at_equal(self) -> bool | None:
        """Whether it scores the same as silence there."""
        return None if self.silence_at is None else self.silence_at.equal

    @derived(for_people=False)
    def silence_at_exact(self) -> float | None:
        """Where it would score the same if there were ranks between the whole ones, where that can be said."""
        return None if self.silence_at is None else self.silence_at.exact

    @derived(for_people=False)
    def silence_at_at_least(self) -> bool | None:
        """Whether the rank is further down, past what was looked for."""
        return None if self.silence_at is None else self.silence_at.at_least

    @derived(for_people=False)
    def silence_at_any(self) -> bool:
        """Whether a lone hit is never worse than silence."""
        return self.silence_at is not None and math.isinf(self.silence_at.last)

    chances: tuple[float, ...] = column(
        "how probable a hit one more document must be to be worth reading: always, or after 0, 1, ... hits of readers "
        "who stop when satisfied; for OIE the first document, and one that would be the last relevant one missing",
        default=(),
    )

    @derived(for_people=False)
    def enough(self) -> int | None:
        """Hits after which no further document is worth reading, where there is such a number."""
        from truerank.questions.calibrate.price import HITS

        return len(self.chances) if self.kind == "cascade" and len(self.chances) < HITS else None

    silence: float = column("the score of an empty list", default=0.0)

    @derived(for_people=False)
    def num_rel(self) -> int | None:
        """Relevant documents of the collection, for OIE."""
        return self.hit.num_rel if self.kind == "information" else None

    size: int | None = column("documents of the collection, for OIE", default=None)

    by: Measure
    hit: HitDocument
    pays_for: BreakEven | None = None
    """Documents that a hit at rank 1 pays for, itself included: the longest such list that is no worse than silence."""
    silence_at: BreakEven | None = None
    """The last rank at which a lone hit is no worse than silence."""

    @property
    def family(self) -> str:
        """The measure without its parameter."""
        return str(self.by if self.parameter is None else self.by(**{self.parameter: self._usual}))

    @property
    def label(self) -> str:
        """The measure with its parameter as people read it."""
        if self.parameter is None or self.value is None:
            return self.measure
        usual = self._usual
        # Rounded to the default it would not be seen.
        some = (float(f"{self.value:.{digits}g}") for digits in (5, 7, 10, 17))
        short = next(each for each in some if each != usual or self.value == usual)
        return str(self.by if short == self.value else self.by(**{self.parameter: short}))

    @property
    def _usual(self) -> float:
        default: float = getattr(type(self.by), self.parameter or "")
        return default


def _last(reach: BreakEven | None) -> int | None:
    return None if reach is None or math.isinf(reach.last) else int(reach.last)


class FittedParameter(Row):
    """A parameter of a measure, as people's behaviour has it."""

    measure: str = column("the measure, as it was given")
    parameter: str = column("the parameter")
    value: float = column("the value that makes what was seen likeliest")
    low: float = column("where the interval begins")
    high: float = column("where the interval ends")
    given: float = column("the value that the measure was given with")
    at_end: bool = column("whether the likeliest value is the end of those that were tried")
    log_likelihood: float = column("log of the likelihood for each observation, with the fitted values")
    log_likelihood_given: float = column("the same with the values that were given")
    agrees: float | None = column("share of preferences in which the fitted measure scores the preferred list higher")
    agrees_given: float | None = column("the same with the values that were given")
    strength: float | None = column("by how much the log of the odds of a preference grows for each unit of score")

    brief = ("measure", "parameter", "value", "low", "high", "given", "agrees", "agrees_given")


class LengthCurve(Row, eq=False):
    """A list scored by a measure at every length."""

    measure: str = column("the measure")
    best: int | None = column("the length that scores best; none where there is no value", json_only=True)
    score: Floats = column("the score of the list cut after so many documents", along="length", begins=0)
    scaled: Floats = column("that score less that of silence, over the largest magnitude", along="length", begins=0)


class Lengths(ByMeasure["Floats"]):
    """The scores of one list cut after 0, 1, 2, ... documents, by measure."""

    def __init__(self, name: str, num_rel: int, scores: Mapping[str, Floats], best: dict[str, int]) -> None:
        """``name`` is the ranking in short, or run and topic, and ``num_rel`` its relevant documents.

        ``best`` is the length that scores best, by measure: the shortest of several, -1 where there is no value.
        """
        super().__init__(scores)
        self.name, self.num_rel, self.best = name, num_rel, best

    def scaled(self, measure: str | Measure) -> Floats:
        """Scores less that of silence, over the largest magnitude: from -1 to 1, with silence at 0."""
        import numpy as np

        silence = float(self[measure][0])
        above: Floats = self[measure] - (silence if np.isfinite(silence) else 0.0)
        largest = float(np.abs(above[np.isfinite(above)]).max(initial=0.0))
        return above / largest if largest > 0 else above


class Calibration(Answer, ByMeasure[Meaning]):
    """What measures charge for documents, by measure, and the scores of a list by its length where there is one."""

    question = "calibrate"
    sheets = {
        "measures": Sheet(Meaning, "what measures charge", of="meanings"),
        "lengths": Sheet(LengthCurve, "scores of a list by its length (default if there is one)", of="curves"),
        "parameters": Sheet(
            FittedParameter, "values fitted to what people did, with intervals (default if there are some)", of="fitted"
        ),
    }
    files = {"plot": PLOT}

    meanings: tuple[Meaning, ...]
    lengths: Lengths | None = None
    """The scores of a list by its length."""
    conventions: Conventions = column("the conventions that the list is read under")
    pays_for: int | None = column("asked for: the documents that a hit at rank 1 pays for", default=None)
    silence_at: int | None = column("asked for: the rank at which a lone hit equals silence", default=None)

    fitted: tuple[FittedParameter, ...] = ()
    """Parameters that what people did speaks for; ``meanings`` are of the measures with these."""
    seen: str | None = column('what people did: "preferences", "clicks" or "reading"', default=None)
    observations: int | None = column("how many of these were used", default=None)
    clusters: int | None = column("users or topics that were drawn with replacement for the intervals", default=None)
    clustered_by: str | None = column('"user" or "topic"', default=None)
    confidence: float | None = column("of the intervals", default=None)
    resamples: int | None = column("how often clusters were drawn", default=None)

    @derived(for_people=False)
    def ranking(self) -> str | None:
        """The list that is scored at every length: its grades in short, or run and topic."""
        return None if self.lengths is None else self.lengths.name

    @derived(for_people=False)
    def num_rel(self) -> int | None:
        """Relevant documents that the list is judged with."""
        return None if self.lengths is None else self.lengths.num_rel

    @cached_property
    def _found(self) -> Mapping[str, Meaning]:  # type: ignore[override]
        return {one.measure: one for one in self.meanings}

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, with the parameters that were asked for."""
        return tuple(self)

    @property
    def curves(self) -> list[LengthCurve]:
        """A row a measure; none without a list."""
        if self.lengths is None:
            return []
        return [
            LengthCurve(
                measure=name,
                best=self.lengths.best[name] if self.lengths.best[name] >= 0 else None,
                score=scores,
                scaled=self.lengths.scaled(name),
            )
            for name, scores in self.lengths.items()
        ]

    def by_length(self) -> Lengths:
        """The scores of the list by its length."""
        if self.lengths is None:
            raise InputError("scores by length need a list; give a ranking, or qrels, run and topic")
        return self.lengths

    def usual(self) -> str:
        """Lengths if there is a list, parameters if some were fitted."""
        if self.lengths is not None:
            return "lengths"
        return "parameters" if self.fitted else "measures"

    def kind(self, show: str | None, flags: Mapping[str, bool] | None = None) -> str:
        """The sheet that is asked for; lengths need a list, and parameters what people did."""
        if show == "lengths":
            self.by_length()
        if show == "parameters" and not self.fitted:
            raise InputError("no parameter was fitted; give preferences, clicks or reading")
        return super().kind(show, flags)

    def rows(self, show: str | None = None) -> Sequence[Any]:
        """The rows of a sheet; JSON has no lengths without a list, and no parameters without people."""
        if show == "parameters":
            return self.fitted
        return () if show == "lengths" and self.lengths is None else super().rows(show)

    def caption(self, show: str) -> str:
        """What parameters were fitted to, and how intervals came about."""
        if self.seen is None or show != "parameters":
            return super().caption(show)
        one, several = _SEEN[self.seen]
        drawn = f"{100 * (self.confidence or 0):g}% intervals from {self.resamples:,} draws of "
        drawn += counted(self.clusters or 0, self.clustered_by or "")
        used = counted(self.observations or 0, one, several)
        return caption(used, drawn, conventions=self.conventions.unusual(apart=("no_relevant",)))

    def own_notes(self, show: str) -> Iterator[Note]:
        """What each measure says of a hit, where it would cut the list, or what fits people."""
        from truerank.questions.calibrate.words import best_lengths, meanings

        if show == "parameters":
            return self._fit_notes()
        return meanings(self) if show == "measures" else best_lengths(self)

    def _fit_notes(self) -> Iterator[Note]:
        for row in self.fitted:
            facts = {"measure": row.measure, "parameter": row.parameter, "value": row.value}
            yield FITTED(
                **facts,
                low=row.low,
                high=row.high,
                agrees=row.agrees,
                agrees_given=row.agrees_given,
                given=row.given,
            )
            if row.at_end:
                yield AT_END(**facts)
        if self.clusters is not None and self.clusters < _TRUSTED:
            by_topic = self.clustered_by == "topic"
            few = {"topics" if by_topic else "users": self.clusters}
            yield FEW("topics" if by_topic else "", clusters=self.clusters, trusted=_TRUSTED, **few)

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """A row a measure with few columns; or a row a length, a column a measure, at a few of many lengths."""
        from truerank.questions.calibrate.words import charges, some_lengths

        if show == "parameters":
            return super().layout(show, top=top)
        return charges(self) if show == "measures" else some_lengths(self)

    @adjustable
    def plot(self, *, raw: Raw = False, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Draw the scores of the list by its length, a line a measure, scaled to be seen together or ``raw``."""
        from truerank.questions.calibrate.figure import plot_by_length

        labels = {name: one.label for name, one in self.items()}
        return plot_by_length(self.by_length(), labels, raw=raw, theme=theme)

    def __repr__(self) -> str:
        return f"Calibration({', '.join(one.label for one in self.values())})"


USUAL = "FlatU RBPU DCGU RBU ERRU OIE"
TO_FIT = "RBP"
"""The measure that is fitted if none is named."""
LONGEST = 10**7
"""Documents of a list that what they cost is found for."""
RULES = AxisRules(
    fixed={"ending": "none", "limit": None, "missing": "empty", "no_relevant": "nan", "relevant": "judgments"},
    refused=one_number("a curve has one at each length"),
)


@question(RULES)
def calibrate(
    measures: Measures = USUAL,
    *,
    pays_for: Annotated[
        int | None, Option("Documents that a hit at rank 1 is to pay for.", metavar="N", least=1, most=LONGEST)
    ] = None,
    silence_at: Annotated[
        int | None, Option("Rank where a lone hit is to equal silence.", metavar="RANK", least=1, most=LONGEST)
    ] = None,
    grade: Annotated[float, Option("Grade of the hit.")] = 1,
    max_grade: Annotated[
        float | None, Option("Highest grade of the collection. Default: that of the hit or the list.")
    ] = None,
    num_rel: Annotated[int | None, Option("Relevant documents of the collection.", metavar="R", least=1)] = None,
    size: Annotated[
        int | Iterable[int] | None,
        Option("Documents of the collection, for OIE; repeatable.", metavar="N", least=2, most=inf, many=True),
    ] = None,
    ranking: Annotated[
        str | Sequence[float] | None,
        Option("A list to score at every length, such as '0^10 1^90' or 00101.", metavar="GRADES"),
    ] = None,
    qrels: Annotated[
        Any, Option("Judgments of the lists that people saw, or of one to score at every length.", metavar="QRELS")
    ] = None,
    run: Annotated[
        Any,
        Option("The runs that have these lists; repeatable for people.", metavar="RUN", many=True, holds="runs"),
    ] = None,
    topic: Annotated[str | None, Option("The topic of a list to score at every length.", metavar="TOPIC")] = None,
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
) -> Calibration:
    """Translate a measure's parameters into user behaviour, and back.

    Silence is the empty list. A hit at rank 1 pays for n documents if its list, the hit and n - 1 documents without
    relevance, is no worse than silence. A lone hit at a rank has only such documents above it, and nothing below.

    With one of --preferences, --clicks and --reading, p, e, beta or T is fitted to what people did, with intervals. A
    header line may name the columns, and the user is optional. One of two lists is preferred by the odds of their
    difference in score (Bradley & Terry). A document is clicked if it is examined, as likely as the measure's readers
    come to it, and by a chance that its grade has. Readers go on after each document as the measure says. Intervals
    come from drawing users, or topics if no user is named, with replacement. Clicks and reading tell p and T; e and
    beta take preferences.

    Example:
      truerank calibrate -m "RBPU(p=0.8) OIE(size=20000)"
      truerank calibrate --silence-at 20
      truerank calibrate -m "RBU(p=0.98) DCGU" --ranking "0^10 1^90" --plot lengths.svg
      truerank calibrate -m RBPU --preferences sidebyside.tsv --qrels qrels.txt --run a.run --run b.run
      truerank calibrate -m "RBP INSQ" --clicks clicks.tsv --shown 10 --qrels qrels.txt --run a.run

    In Python, ``pays_for`` is a number of documents: the parameter is then the one with which a hit at rank 1, followed
    by documents without relevance, scores the same as silence when there are so many. ``silence_at`` is a rank: the one
    with which a lone hit at that rank, and nothing after it, scores the same as silence. Without either, parameters are
    taken as they are, or fitted to people.

    A hit has ``grade``, by default 1, in a collection whose highest is ``max_grade``; each measure maps it to a gain as
    it always does. For OIE the collection has ``num_rel`` relevant documents, by default the hit alone, and ``size``
    documents; of several sizes each is tried.

    A list to score at every length is given as a ``ranking`` such as "0^10 1^90" (ten documents of grade 0, then ninety
    of grade 1; ``num_rel`` counts those that it lacks), or as the ``topic`` of a ``run`` with ``qrels``, read under the
    conventions of ``evaluate``. ``max_grade`` is then by default that of the list or of the judgments.

    ``preferences``, ``clicks`` and ``reading`` are a path or rows, such as ("q1", "a", "b", "a"), ("q1", "a", [1, 3])
    and ("q1", "a", 7), about the lists of ``run``: one run, a list of runs, or a dict from names to runs.

    >>> found = calibrate("FlatU RBPU(p=0.8)")
    >>> found["FlatU"].pays_for.last, found["RBPU"].pays_for.last, found["RBPU"].silence_at.last
    (20, inf, 8)
    >>> calibrate("RBPU(p=0.8) OIE(size=20000)", silence_at=20)
    Calibration(RBPU(e=0.0029159), OIE(beta=1.0464,size=20000))
    >>> calibrate("RBU(p=0.98)", ranking="0^10 1^90").lengths.best
    {'RBU(p=0.98)': 14}
    >>> qrels, run = {"q1": {"x": 1}, "q2": {"y": 1}}, {"q1": ["x", "u", "v", "w"], "q2": ["u", "y", "v", "w"]}
    >>> read = [("q1", "a", 1), ("q2", "a", 2), ("q1", "a", 3)]
    >>> found = calibrate("RBP", reading=read, qrels=qrels, run={"a": run})
    >>> round(found.fitted[0].value, 2)  # six documents were read, and readers stopped three times
    0.5
    """
    from truerank.questions.calibrate.lengths import given_list
    from truerank.questions.calibrate.people import ClusterDraws, PeopleData, fitted
    from truerank.questions.calibrate.work import Aim, calibrated, refuse_numbers, sized
    from truerank.track.track import Track, refuse_measures

    seen = PeopleData.of({"preferences": preferences, "clicks": clicks, "reading": reading}, seconds, parameter)
    choice, aim = RULES.chosen(given), Aim.of(pays_for, silence_at)
    wanted = sized(TO_FIT if seen is not None and measures == USUAL else measures, size)
    refuse_measures(wanted, choice)
    refuse_numbers(grade, max_grade, num_rel)
    fit, of_run = None, (qrels, run, topic)
    if seen is not None:
        seen.refuse(aim is not None, qrels, run)
        draws = ClusterDraws.of(resamples, confidence, seed)
        fit = fitted(Track.of(qrels, run, wanted, given, RULES), seen, draws, shown=shown, progress=progress)
        wanted = fit.measures
        of_run = of_run if topic is not None else (None, None, None)
    listed = given_list(ranking, *of_run, grade=grade, num_rel=num_rel, max_grade=max_grade)
    rel = 1 if num_rel is None else num_rel
    return calibrated(wanted, aim, listed, choice, grade=grade, max_grade=max_grade, num_rel=rel, fit=fit)
