"""The question: how does the score of one list come about?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.data.notes import Note
from truerank.questions.explain.layout import worked
from truerank.questions.explain.words import header, score_notes, verdict
from truerank.questions.signature import Engines, Judgments, Measures, OneRun, question
from truerank.report.answer import PLOT, MeasureAnswer, Sheet, Top
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.measures.core.base import Measure
    from truerank.measures.core.parts import Divisor
    from truerank.questions.explain.lists import TopicList
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments


class Step(Row):
    """A line of the worked table. Contributions add up to the score."""

    measure: str = column("the measure")
    kind: str = column(
        'a "document", the "terminal" one; or before all the "start", after all what is "missing" from the list'
    )
    doc: str | None = column("the document", default=None)
    first: int | None = column("the first rank that it can have", default=None)
    last: int | None = column("the last rank that it can have", default=None)
    run_score: float | None = column("its score in the run", default=None)
    judged: bool | None = column("whether it is judged", default=None)
    grade: float | None = column("its grade; empty where unjudged, and where judgments are preferences", default=None)
    relevant: bool | None = column("whether the grade is worth something to the measure", default=None)
    gain: float | None = column("what the grade is worth", default=None)
    weight: float | None = column("of the rank, or the mean over the ranks that it can have", default=None)
    seen: float | None = column("what has been seen down to the document", default=None)
    reached: float | None = column("the chance that the reader comes this far", default=None)
    factor: float | None = column(
        "what gain is multiplied by: the weight, times what has been seen, or times the chance of coming this far",
        default=None,
    )
    cost: float | None = column("of reading the document", default=None)
    contribution: float = column("what it adds to the score")
    score: float = column("the score so far, down to this line")


class TieGroup(Row):
    """Documents with one score, and what their order could do; other ties stay as they are."""

    first: int = column("their first rank")
    last: int = column("their last rank")
    relevant: int = column("how many of them have gain")
    low: float = column("the score in the worst order")
    high: float = column("the score in the best order")
    exact: bool = column("whether no order goes past these ends", default=True)

    @property
    def documents(self) -> int:
        return self.last - self.first + 1


class UnjudgedDocument(Row):
    """An unjudged document, and the score if it were judged; it then also counts among those there are to find."""

    doc: str = column("the document")
    ranks: tuple[int, int] = column("first and last rank that it can have", nested=True)
    least: float = column("the score if it had the grade that is worth least, of those that are worth something")
    top: float = column("the score if it had the grade that is worth most")
    nonrelevant: float = column(
        "the score if it were judged not relevant, which is another thing than not judged to some measures"
    )


class Exchange(Row):
    """Two documents that take each other's place, and the score that makes."""

    upper: str = column("the one that stands higher up")
    upper_ranks: tuple[int, int] = column("first and last rank that it can have", nested=True)
    lower: str = column("the other one")
    lower_ranks: tuple[int, int] = column("first and last rank that it can have", nested=True)
    score: float = column("the score after the exchange")
    difference: float = column("by how much the score changes")
    exact: bool = column("whether all pairs were considered; otherwise those in the first ranks", default=True)


class MissingDocuments(Row):
    """Relevant documents of one grade that were not retrieved, and the score with one of them in the list."""

    docs: tuple[str, ...] = column("the documents")
    grade: float = column("their grade")
    at_first: float = column("the score with one of them above all others")
    appended: float = column("the score with one of them below all others")


class Change(Row):
    """Something that would change the score, and where the score could be then."""

    measure: str = column("the measure")
    change: str = column('another order of "ties", an "unjudged" document, a "swap", one of "neighbours", or "missing"')
    doc: str | None = column("the document; of an exchange, the one that moves up", default=None)
    other: str | None = column("of an exchange, the one that moves down", default=None)
    first: int | None = column("the first rank that it can have, or comes to have", default=None)
    last: int | None = column("the last rank that it can have, or comes to have", default=None)
    low: float | None = column("the least that the score could be", default=None)
    high: float | None = column("the most that the score could be", default=None)


class ScoreExplanation(Row, eq=False):
    """A measure of one list: the worked table, and what would change the score, which is worked out when asked for."""

    measure: str = column("the measure")
    score: float = column("as evaluate has it; undefined where it is not counted")
    undefined: str = column("why the measure has no value here; empty where it has one")
    std_error: float = column("where orders of ties had to be sampled; 0 where the score is exact")
    how: str = column(
        'what steps are: terms of a "sum", "information" added to silence, what the score gains as judgments are '
        '"revealed"; or nothing, for a measure that does not look at the list: "listless"'
    )
    named: str = column("what the factor of a step is called")
    length: int = column("documents in the list")
    depth: int = column("how deep the measure looks")
    relevant: int = column("documents that are worth something to the measure, in the list or not")
    divisor: Divisor | None = column("what the sum over documents is divided by", nested=True)
    terms: tuple[tuple[str, float, float], ...] = column(
        "name, coefficient and value of what the formula adds up, where that is not a sum over documents on paper",
        nested=True,
    )

    by: Measure
    steps: tuple[Step, ...]
    max_grade: float
    one: TopicList

    brief = ("measure", "score", "reordered", "complete", "relevant", "length", "depth", "formula")

    @derived(for_people=False)
    def formula(self) -> str:
        """The measure's formula; of a measure made of another one, of both."""
        own, other = self.by, self.by.core
        return own.formula_in_use() if own is other else f"{other.formula_in_use()}; {own.formula}"

    @derived(for_people=False, nested=True)
    def parameters(self) -> dict[str, Any]:
        """What the formula's letters stand for."""
        measure = self.by.core
        given = {field.name: getattr(measure, field.name) for field in fields(measure)}
        known = {name: value for name, value in given.items() if value is not None and not callable(value)}
        known.pop("label", None)
        if "cutoff" in known:
            known = {"k": known.pop("cutoff"), **known}
        if "max_rel" in measure.formula:
            known.setdefault("max_rel", self.max_grade)
        if measure.collection is not None:
            known.setdefault("size", measure.collection)
        return known

    @derived(for_people=False)
    def reordered(self) -> float | None:
        """The score if the list were in the best order; none where that is not known."""
        return None if self._best is None else self._best[0]

    @derived(for_people=False)
    def complete(self) -> float | None:
        """The score if nothing were missing either; none where that is not known."""
        return None if self._best is None else self._best[1]

    @cached_property
    def _best(self) -> tuple[float, float] | None:
        from truerank.questions.explain.changes import in_best_order

        return in_best_order(self.one)

    @derived(for_people=False, kept=True, nested=True)
    def ties(self) -> tuple[TieGroup, ...]:
        """Tie groups that could move the score."""
        from truerank.questions.explain.changes import tie_groups

        return tie_groups(self.one)

    @derived(for_people=False, kept=True, nested=True)
    def unjudged(self) -> tuple[UnjudgedDocument, ...]:
        """Unjudged documents that the measure looks at."""
        from truerank.questions.explain.changes import if_judged

        return if_judged(self.one, self.by)

    @derived(for_people=False, kept=True, nested=True)
    def missing(self) -> tuple[MissingDocuments, ...]:
        """Relevant documents that the list does not have, by grade."""
        from truerank.questions.explain.changes import missing

        return missing(self.one)

    @derived(for_people=False, kept=True, nested=True)
    def swap(self) -> Exchange | None:
        """The best exchange of two documents; none if none improves the score."""
        from truerank.questions.explain.changes import best_swap

        return best_swap(self.one)

    @derived(for_people=False, kept=True, nested=True)
    def neighbours(self) -> Exchange | None:
        """The best exchange of two neighbours; none if none improves the score."""
        from truerank.questions.explain.changes import best_neighbours

        return best_neighbours(self.one)

    @property
    def found(self) -> tuple[Step, ...]:
        """The relevant documents of the list."""
        return tuple(step for step in self.steps if step.relevant)

    @property
    def changes(self) -> list[Change]:
        """What would change the score."""
        name = self.measure
        found = [
            Change(measure=name, change="ties", first=one.first, last=one.last, low=one.low, high=one.high)
            for one in self.ties
        ]
        for one in self.unjudged:
            first, last = one.ranks
            known = [value for value in (one.least, one.top, one.nonrelevant) if value == value]
            low, high = (min(known), max(known)) if known else (None, None)
            found.append(
                Change(measure=name, change="unjudged", doc=one.doc, first=first, last=last, low=low, high=high)
            )
        for change, swap in (("swap", self.swap), ("neighbours", self.neighbours)):
            if swap is not None:
                first, last = swap.upper_ranks
                found.append(
                    Change(
                        measure=name,
                        change=change,
                        doc=swap.lower,
                        other=swap.upper,
                        first=first,
                        last=last,
                        low=swap.score,
                        high=swap.score,
                    )
                )
        for absent in self.missing:
            low, high = sorted((absent.at_first, absent.appended))
            found += [Change(measure=name, change="missing", doc=doc, low=low, high=high) for doc in absent.docs]
        return found


class Explanation(MeasureAnswer[ScoreExplanation]):
    """One list by some measures: ``found["AP"]`` tells how a score comes about."""

    question = "explain"
    sheets = {
        "steps": Sheet(Step, "what each document of the list adds"),
        "changes": Sheet(Change, "what would change the score", json=False),
        "measures": Sheet(ScoreExplanation, "only the scores", of="explained"),
    }
    files = {"plot": PLOT}

    run: str = column("the run")
    topic: str = column("the topic")
    explained: tuple[ScoreExplanation, ...]

    @property
    def steps(self) -> list[Step]:
        """The worked tables of all measures."""
        return [step for one in self.explained for step in one.steps]

    @property
    def changes(self) -> list[Change]:
        """What would change each score."""
        return [change for one in self.explained for change in one.changes]

    def verdict(self, show: str) -> str:
        """Each score, what was found, and what the best order of the list would score."""
        return " ".join(map(verdict, self.explained))

    def layout(
        self,
        show: str,
        *,
        top: Top = None,
        every: Annotated[
            bool, Option("Show every document. Otherwise long stretches without gain are left out.", flags="--all")
        ] = False,
    ) -> Table:
        """Of steps, the worked table; stretches without gain share a line."""
        if show == "steps":
            return worked(self.explained, every=every, top=top)
        return super().layout(show, top=top)

    @classmethod
    def has_top(cls) -> bool:
        """Not every document need be listed."""
        return True

    def caption(self, show: str) -> str:
        """Which list it is, conventions that are not the usual ones, and the formulas with their numbers."""
        meaning = {"changes": "where the score could be, from low to high"}
        counts = (f"run {self.run}", f"topic {self.topic}")
        named = caption(*counts, conventions=self.conventions.unusual(), meaning=meaning.get(show, ""))
        return "; ".join([named, *(line for one in self.explained for line in header(one) if show == "steps")])

    def own_notes(self, show: str) -> Iterator[Note]:
        """How each score came about, and what would change it."""
        for one in self.explained:
            first, *rest = score_notes(one)
            yield first
            yield from (note.about(one.measure) if len(self) > 1 else _begun(note) for note in rest)

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """A figure of what each rank adds, a panel a measure."""
        from truerank.questions.explain.figure import plot_explanation

        return plot_explanation(self, theme=theme)

    def __repr__(self) -> str:
        return f"Explanation(run {self.run!r}, topic {self.topic!r}, {', '.join(self)})"


def _begun(note: Note) -> Note:
    """A note as people read it below a table, where it begins a line."""
    said = note.brief or str(note)
    return note.in_brief(f"{said[:1].upper()}{said[1:]}")


RULES = AxisRules(refused=one_number("one is explained"))


@question(RULES)
def explain(
    qrels: Judgments,
    run: OneRun,
    measures: Measures = "AP",
    *,
    topic: Annotated[str | None, Option("The topic to explain. Not needed if only one topic is judged.")] = None,
    engine: Engines = None,
    **given: Unpack[Given],
) -> Explanation:
    """Show how the score of one topic comes about, rank by rank.

    One row per document: its grade, gain and weight, and what it adds to the score. Contributions add up to the score,
    also if documents are tied. Notes say what order and missing documents cost, which exchange of two documents would
    help most, and what each tie and each unjudged document could change.

    Example:
      truerank explain qrels.txt bm25.run --topic 401
      truerank explain qrels.txt bm25.run --topic 401 -m nDCG@10 --all
      truerank explain qrels.txt bm25.run --topic 401 -m "RBP ERR" --show changes

    In Python, judgments, run, measures and conventions are given as to ``evaluate``. For measures that are sums over
    ranks contributions are the terms of the sum, as means over the orders of ties; for others, what the score gains
    when the judgments of the list become known from the top down.

    >>> qrels = {"q1": {"a": 1, "c": 1, "z": 1, "b": 0}}
    >>> ap = explain(qrels, {"q1": ["a", "b", "c", "new"]}, "AP")["AP"]
    >>> [(step.doc, round(step.factor, 4), round(step.contribution, 4)) for step in ap.found]
    [('a', 1.0, 0.3333), ('c', 0.6667, 0.2222)]
    >>> ap.divisor.name, ap.divisor.value, round(ap.score, 4)
    ('R', 3.0, 0.5556)
    >>> ap.swap.upper, ap.swap.lower, round(ap.swap.score, 4)
    ('b', 'c', 0.6667)
    """
    from truerank.questions.explain.work import explanation, one
    from truerank.track.track import Track

    return explanation(Track.of(qrels, one(run), measures, given, RULES, engine=engine), topic)
