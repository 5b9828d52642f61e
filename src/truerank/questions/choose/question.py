"""The question: which measure suits readers, systems and judgments?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from truerank.data.notes import Code, Note
from truerank.questions.choose.guide import QUESTIONS, Guide, Reply, written
from truerank.questions.properties.question import Verdict, Verdicts, properties
from truerank.questions.signature import Ask, Engines, question
from truerank.report.answer import Answer, File, Sheet
from truerank.report.rows import Row, column, derived, jsonable
from truerank.report.signature import Argument, Theme, adjustable

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.measures.core.base import Measure
    from truerank.questions.choose.guide import Replies
    from truerank.questions.choose.leaves import Leaf
    from truerank.questions.choose.work import MeasureSetup
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.track.track import Progress

TAKE = Code("TR541", "the measure that the answers lead to", "take {measure}")
RUN = Code("TR542", "the command to run next", "run: {command}")
CONTRADICTS = Code(
    "TR543",
    "where the data contradict an answer, or leave the measure little to say",
    "warning: {message}: {effect}; {remedy}",
    info="data: {message}: {effect}; {remedy}",
)
PARAMETER = Code(
    "TR544",
    "a parameter of the measure, and why it has its value",
    "{name} = {value:.5g}: {because}",
    whole="{name} = {value:,}: {because}",
)
MEANS = Code("TR545", "what the cost of a document means", "{meaning}")
REMARK = Code("TR546", "how the measure relates to what stands in the figure", "{measure}: {remark}")
LACKS = Code(
    "TR547",
    "a property that was asked for, and that the measure does not have in every case",
    "{measure}: {property} was asked for, and holds in {kept:,} of {tried:,} cases tried, but not here: {witness}",
    never="{measure}: {property} was asked for, and does not hold: {witness}",
    depends="{measure}: {property} was asked for, and depends on how it is read: {witness}",
    undefined="{measure}: {property} was asked for, and no case that was tried has a value: {witness}",
)
IGNORES = Code(
    "TR551",
    "an answer that the measure takes no account of",
    "{measure} takes no account of {question}, which was answered: {means}",
)
ALTERNATIVE = Code("TR548", "another measure, and what speaks for it", "alternative: {measure}, if {when}")
IDLE = Code(
    "TR549",
    "answers that make no difference after others",
    "{answers}: answered, and of no consequence after the other answers",
)


class HeldProperty(Row):
    """A property: whether it was asked for, and whether the measure has it."""

    measure: str = column("the measure")
    property: str = column("the property")
    asked: bool | None = column("whether the answers ask for it, or do without it", head="asked for")
    verdict: str = column('"strict", "equal" or "reversed"; "depends" on the reading; "undefined"')
    holds: bool | None = column("whether the measure has it; empty where that depends, or nothing is defined")
    broken: int | None = column("comparisons in which it does not hold, where they are counted")
    tried: int = column("comparisons that were tried")
    witness: str = column("the smallest comparison that shows the verdict", head="shown by", folds=True)

    brief = ("property", "asked", "has", "witness")

    @derived(head="has it")
    def has(self) -> str:
        """Whether the measure has it, and where not always, how often."""
        if self.holds is None:
            return self.verdict
        if self.holds:
            return "yes"
        if self.broken in (None, self.tried):
            return "no"
        return f"in {self.tried - self.broken:,} of {self.tried:,}"

    @classmethod
    def of(cls, verdict: Verdict, *, asked: bool | None) -> HeldProperty:
        """What the search for counter-examples found."""
        found = verdict.scales[0].decisive
        return cls(
            measure=verdict.measure,
            property=verdict.property,
            asked=asked,
            verdict=verdict.outcome,
            holds=verdict.holds,
            broken=broken(verdict),
            tried=found.tried,
            witness=found.witness.said,
        )


class GuideStep(Row):
    """A question of the guide, and its answer."""

    question: str = column("the question, by the name of its option and keyword")
    text: str = column("what it asks")

    reply: Reply

    @derived(for_people=False)
    def answer(self) -> str:
        """ "yes", "no" or a number."""
        return written(self.reply).replace(",", "")

    @derived(for_people=False)
    def means(self) -> str:
        """What the answer says of readers and systems."""
        return QUESTIONS[self.question].says(self.reply)

    @property
    def wants(self) -> dict[str, bool]:
        return QUESTIONS[self.question].wants.get(bool(self.reply), {})

    @property
    def demands(self) -> bool:
        """Whether it asks for something that a measure can lack."""
        return any(self.wants.values()) or self.question == "depth" or (self.question == "graded" and bool(self.reply))


class Alternative(Row):
    """Another measure, and what speaks for it."""

    measure: str = column("the measure")
    when: str = column("where it is to be preferred")


class Contradiction(Row):
    """Something in the data that contradicts an answer, or leaves the measure little to say."""

    check: str = column("what was looked for", default="")
    severity: str = column('"error" where the measure cannot be computed; "warning"; "info" for what is worth knowing')
    count: int = column("how many of what it is about", default=1)
    message: str = column("what was found", folds=True)
    effect: str = column("what it does to scores", folds=True)
    remedy: str = column("what to do about it", folds=True)


class ParameterValue(Row):
    """A parameter of the measure, and why it has its value."""

    name: str = column("its name")
    value: float = column("its value")
    because: str = column("why it has this value")


class Choice(Answer):
    """The measure that the guide ends in: ``found.measure``, and why."""

    question = "choose"
    sheets = {
        "properties": Sheet(HeldProperty, "properties of the measure"),
        "path": Sheet(GuideStep, "the answers that led to it"),
        "alternatives": Sheet(Alternative, "other measures"),
        "warnings": Sheet(Contradiction, "where the data contradict the answers"),
    }
    files = {"plot": File("The guide with the way taken: .svg, .png, .pdf, .html or .json; repeatable.", figure=True)}

    path: tuple[GuideStep, ...]
    """The questions that decided, with their answers."""
    other_answers: tuple[GuideStep, ...] = ()
    """Answers that were given and decided nothing: what they ask for is looked for in the measure, too."""
    leaf: Leaf
    setup: MeasureSetup
    alternatives: tuple[Alternative, ...]
    warnings: tuple[Contradiction, ...] = ()
    data: tuple[str, ...] = ()
    """Judgments and runs for the command."""

    @derived(for_people=False, text=True)
    def measure(self) -> Measure:
        """The measure, with its parameters."""
        return self.setup.measure

    @derived(for_people=False)
    def figure(self) -> str:
        """What stands at this place in the figure of Amigó, Mizzaro & Spina (2022)."""
        return self.leaf.figure

    @derived(for_people=False)
    def answers(self) -> dict[str, Reply]:
        """The answers that decided."""
        return {step.question: step.reply for step in self.path}

    @derived(for_people=False)
    def parameters(self) -> tuple[ParameterValue, ...]:
        """What has been settled by numbers, and why."""
        return self.setup.parameters

    @derived(for_people=False)
    def calibration(self) -> list[dict[str, Any]] | None:
        """What the cost of a document means, where there is one."""
        found = self.setup.calibration
        return None if found is None else [jsonable(one) for one in found.values()]

    @derived(for_people=False)
    def remark(self) -> str:
        """How the measure relates to what stands in the figure, and what it is good for."""
        return self.leaf.remark

    @derived(for_people=False)
    def command(self) -> str:
        """What to run next."""
        return f'truerank evaluate {" ".join(self.data) or "QRELS RUN..."} -m "{self.measure}"'

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """The guide as a picture, in which the way to the measure stands out."""
        from truerank.questions.choose.figure import plot_guide

        return plot_guide(self.answers, self.label, theme=theme)

    @property
    def guide(self) -> Guide:
        return Guide()

    @property
    def label(self) -> str:
        """The measure as people read it, with few digits."""
        return self.setup.label

    @property
    def asked(self) -> dict[str, bool]:
        """Properties that the answers ask for, or do without."""
        wanted: dict[str, bool] = {}
        for step in self.path:
            wanted |= step.wants
        for step in self.other_answers:
            # What decided goes before what is only asked for.
            wanted = {**{name: True for name, asked in step.wants.items() if asked}, **wanted}
        return wanted

    @property
    def verdicts(self) -> dict[str, Verdict]:
        return _searched(self.measure)[self.measure]

    @property
    def properties(self) -> list[HeldProperty]:
        """Whether the measure has each of the seven properties, and whether that was asked for."""
        return [HeldProperty.of(verdict, asked=self.asked.get(name)) for name, verdict in self.verdicts.items()]

    @property
    def lacking(self) -> tuple[Verdict, ...]:
        """Properties that were asked for, and that the measure does not have in every case."""
        return tuple(verdict for name, verdict in self.verdicts.items() if self.asked.get(name) and not verdict.holds)

    @property
    def ignored(self) -> tuple[GuideStep, ...]:
        """Answers that the measure takes no account of: grades, and how many documents readers see."""
        one = self.measure.core
        deaf = {
            "graded": one.level is not None,
            "depth": "depth" not in self.leaf.numbers and "depth" not in self.answers,
        }
        steps = (step for step in (*self.path, *self.other_answers) if step.demands)
        return tuple(step for step in steps if deaf.get(step.question))

    def notes(self, show: str | None = None, quiet: Collection[str] = (), *, whole: bool = False) -> tuple[Note, ...]:
        """Everything there is to say; what to take, and to run, people read above the properties."""
        above = (TAKE.code, RUN.code) if self.kind(show) == "properties" and not whole else ()
        return super().notes(show, (*quiet, *above), whole=whole)

    def lead(self, show: str) -> Iterator[str]:
        """The measure, and the way to it."""
        if show != "properties":
            return
        from truerank.measures.table import TABLE

        known = TABLE[self.measure.name]
        yield f"take {self.label}, since"
        for step in self.path:
            yield f"  {step.question} {written(step.reply)}: {step.means}"
        yield f"  formula: {known.formula} ({known.citation})"
        yield f"run: {self.command}"

    def caption(self, show: str) -> str:
        if show != "properties":
            return ""
        return f"properties of {self.label}, by the rankings that truerank properties tries"

    def own_notes(self, show: str) -> Iterator[Note]:
        yield TAKE(measure=self.label)
        yield RUN(command=self.command)
        for each in self.warnings:
            form = "info" if each.severity == "info" else ""
            yield CONTRADICTS(form, **{name: getattr(each, name) for name in Contradiction.described})
        for parameter in self.parameters:
            form = "whole" if isinstance(parameter.value, int) else ""
            yield PARAMETER(form, name=parameter.name, value=parameter.value, because=parameter.because)
        yield from self._means()
        if self.remark:
            yield REMARK(measure=self.measure.name, remark=self.remark)
        for verdict in self.lacking:
            yield _lacks(self.label, verdict)
        for step in self.ignored:
            yield IGNORES(measure=self.label, question=step.question, means=step.means)
        for other in self.alternatives:
            yield ALTERNATIVE(measure=other.measure, when=other.when)

    def _means(self) -> Iterator[Note]:
        if self.setup.calibration is not None:
            from truerank.questions.calibrate.words import said

            for one in self.setup.calibration.values():
                yield MEANS(meaning=str(said(one)), measure=str(one.measure))

    def __repr__(self) -> str:
        return f"Choice({self.label})"


@lru_cache(maxsize=32)
def _searched(measure: Measure) -> Verdicts:
    # A search of a second or more, which not everybody who wants a measure has to wait for, and nobody twice.
    from truerank.questions.properties.axioms import SEVEN

    return properties(measure, property=[each.name for each in SEVEN])


def broken(verdict: Verdict) -> int | None:
    """In how many of the comparisons tried the property does not hold; None where they are not counted."""
    found = verdict.scales[0].decisive
    return found.tried - found.counts["strict"] if "strict" in found.counts else None


def _lacks(measure: str, verdict: Verdict) -> Note:
    held = HeldProperty.of(verdict, asked=True)
    form = "" if held.holds is not None else "depends" if held.verdict == "depends" else "undefined"
    return LACKS(
        "never" if held.has == "no" else form,
        measure=measure,
        property=held.property,
        kept=None if held.broken is None else held.tried - held.broken,
        tried=held.tried,
        witness=held.witness,
    )


@question(more=tuple(each.parameter for each in QUESTIONS.values()), known=(Guide,))
def choose(
    qrels: Annotated[Any, Argument("[QRELS]", required=False, holds="qrels")] = None,
    runs: Annotated[Any, Argument("[RUN]...", many=True, required=False, holds="runs")] = None,
    *,
    ask: Ask | None = None,
    engine: Engines = None,
    progress: Progress | None = None,
    **replies: Unpack[Replies],
) -> Choice:
    """Choose a measure by answering a few questions.

    What is not answered by options is asked, on a terminal. The guide is that of Amigó, Mizzaro & Spina (2022). With
    QRELS and RUNs it also says where they contradict the answers.

    Example:
      truerank choose
      truerank choose --no-length --top --no-exactly --no-single --recall --graded qrels.txt bm25.run
      truerank choose --length --top --no-recall --no-redundancy --depth 10 --silence-at 20

    In Python the answers are keywords. Only those on the way to the measure have to be given; where one is missing, the
    error has the next question as ``error.question``, unless there is an ``ask``, which is called with that error and
    returns the answer.

    - ``length``: systems decide how long a list is, and that should count
    - ``top``: documents further down are less likely to be seen
    - ``exactly``: readers see just the first ``depth`` documents
    - ``single``: one relevant document is enough
    - ``recall``: it matters how many relevant documents there are
    - ``redundancy``: a second relevant document adds less than the first
    - ``graded``: relevance has several grades
    - ``depth``: how many documents readers see, on average where they do not see ``exactly`` so many
    - ``silence_at`` or ``pays_for``: what a document costs, as ``calibrate`` has it; ``size``: documents of the
      collection, for OIE; without them, usual values are taken

    With ``qrels``, and ``runs``, as ``evaluate`` takes them, the result says where they contradict the answers.
    ``found.figure`` is the measure that stands in the figure, where that does not have what was asked for.

    >>> found = choose(length=False, top=True, exactly=False, single=False, recall=False, redundancy=False, depth=10)
    >>> found.measure, found.command
    (RBP(p=0.9), 'truerank evaluate QRELS RUN... -m "RBP(p=0.9)"')
    >>> choose({"q1": {"a": 1}}, length=False, top=False, graded=True).warnings[0].message
    'several grades were answered, but all relevant documents have grade 1'
    """
    from truerank.questions.choose.work import chosen

    return chosen(qrels, runs, replies, ask=ask, engine=engine, progress=progress)
