"""The answers: how well stopping rules do, a rule that was fitted, and a run that was cut by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from truerank.data.notes import Note
from truerank.data.printing import counted
from truerank.questions.stop.comparison import RuleComparison, RuleOutcome
from truerank.report.answer import PLOT, Answer, Sheet, TrackAnswer, Written
from truerank.report.rows import ColumnarRows, Row, column
from truerank.report.signature import Theme
from truerank.report.table import Table, caption

if TYPE_CHECKING:
    from truerank.questions.stop.rule import Rule
    from truerank.report.plots.chart import Plot

_MEANING = {
    "rules": "each list cut by a rule fitted to other folds; share of the improvement that the best cuts (oracle) "
    "would be; p by a {test} test against whole lists, and against a fixed length, corrected for the number of rules "
    "(Holm)",
    "fitted": "what each rule does once it is fitted to all topics",
    "topics": "each list cut by a rule fitted to other folds: how many documents are left, and their score",
    "verdicts": "whether rules help, each fitted to other folds",
}


class FittedRule(Row):
    """What a rule does once it is fitted to all topics."""

    measure: str = column("the measure")
    run: str = column("the run")
    rule: str = column("the rule")
    fitted: str = column("what it does", folds=True)
    parameters: dict[str, Any] = column("its parameters")
    folds: tuple[dict[str, Any], ...] = column("its parameters as fitted to the topics outside each fold")


class CutList(Row):
    """One list cut by a rule that has not seen its topic."""

    measure: str = column("the measure")
    run: str = column("the run")
    topic: str = column("the topic")
    rule: str = column("the rule, or one of the two ways to cut that need none")
    length: int = column("documents that are left")
    value: float = column("their score")


class RuleVerdict(Row):
    """What the rules come to by a measure on a run."""

    measure: str = column("the measure")
    run: str = column("the run")
    verdict: str = column("whether the rules help, and which does most", folds=True)


class Stopping(TrackAnswer[RuleComparison]):
    """Stopping rules on topics that they were not fitted to, by run and measure."""

    question = "stop"
    sheets = {
        "rules": Sheet(RuleOutcome, "scores of rules", of="outcomes"),
        "fitted": Sheet(FittedRule, "what rules do once fitted to all topics", of="fitted_rules"),
        "topics": Sheet(CutList, "every list", of="cut_lists"),
        "verdicts": Sheet(RuleVerdict, "what it comes to"),
    }
    files = {"plot": PLOT}

    found: tuple[RuleComparison, ...]
    rules: tuple[str, ...]
    """The rules that were compared."""
    folds: int = column("parts that the topics were divided into")
    seed: int = column("what decides which topics go together")
    test: str = column("the test that p comes from, paired by topic")
    correction: str = column("how p is corrected for the number of rules", default="holm")

    def scored(self) -> tuple[RuleComparison, ...]:
        """The rules on each run, by measure."""
        return self.found

    def comparisons(self) -> list[tuple[str, str, RuleComparison]]:
        """Measure, run and what was found, measure by measure."""
        return [(measure, run, found[measure]) for measure in self.measures for run, found in self.items()]

    @property
    def outcomes(self) -> list[RuleOutcome]:
        """A row a measure, run and rule, whole lists and best cuts among them."""
        return [outcome for _, _, one in self.comparisons() for outcome in one.outcomes]

    @property
    def fitted_rules(self) -> list[FittedRule]:
        """A row a measure, run and rule."""
        return [
            FittedRule(
                measure=measure,
                run=run,
                rule=name,
                fitted=outcome.rule.said(),
                parameters=outcome.rule.plain_parameters(),
                folds=tuple(rule.plain_parameters() for rule in outcome.folds),
            )
            for measure, run, one in self.comparisons()
            for name, outcome in one.items()
            if outcome.rule is not None
        ]

    @property
    def cut_lists(self) -> ColumnarRows[CutList]:
        """A row a list and rule."""
        columns: dict[str, list[Any]] = {name: [] for name in CutList.described}
        for measure, run, one in self.comparisons():
            ways = [(each.name, each.lengths.tolist(), each.values.tolist()) for each in one.outcomes]
            for place, topic in enumerate(one.topics):
                for name, lengths, values in ways:
                    row = (measure, run, topic, name, lengths[place], values[place])
                    for cells, cell in zip(columns.values(), row, strict=True):
                        cells.append(cell)
        return ColumnarRows(CutList, **columns)

    @property
    def verdicts(self) -> list[RuleVerdict]:
        """A row a measure and run."""
        from truerank.questions.stop.words import verdict

        return [RuleVerdict(measure=measure, run=run, verdict=verdict(one)) for measure, run, one in self.comparisons()]

    def says(self, show: str) -> Iterator[Note]:
        """What it comes to, in words."""
        from truerank.questions.stop.words import verdicts

        return verdicts(self)

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """A single run is named below the table."""
        table = super().layout(show)
        if len(self) > 1:
            return table
        kept = [place for place, each in enumerate(table.columns) if each.name != "run"]
        columns = tuple(table.columns[place] for place in kept)
        return replace(table, columns=columns, rows=tuple(tuple(row[place] for place in kept) for row in table.rows))

    def caption(self, show: str) -> str:
        """How many runs, topics and folds there are, conventions that are not the usual ones, and what it means."""
        topics = counted(len(self.topics), "topic")
        if show != "fitted":
            topics = f"{topics} in {counted(self.folds, 'fold')} (seed {self.seed})"
        runs = next(iter(self)) if len(self) == 1 else counted(len(self), "run")
        meaning = _MEANING[show].format(test=self.test)
        return caption(runs, topics, conventions=self.conventions.unusual(), meaning=meaning)

    def plot(self, *, theme: Theme = "light") -> Plot:
        """Draw the score and the length of each rule, between whole lists and best cuts: two panels a measure."""
        from truerank.questions.stop.figure import plot_stop

        return plot_stop(self, theme=theme)

    def __repr__(self) -> str:
        return f"Stopping({len(self)} runs, {len(self.wanted)} measures, {len(self.rules)} rules)"


class RuleFit(Row):
    """A rule, what it was fitted to, and how it did there."""

    rule: str = column("the kind of rule")
    measure: str = column("the measure that it was fitted for")
    run: str = column("the run that it was fitted to")
    topics: int = column("topics that it was fitted to")
    whole: float = column("score of the lists as they are")
    mean: float = column("score of the lists as the rule cuts them")
    oracle: float = column("score of the lists cut where they score best")
    parameters: dict[str, Any] = column("the parameters")
    higher_is_better: bool | None = column("whether high scores of the run are best", json_only=True)


class SavedRule(Answer):
    """A rule that was fitted to all topics of a run, to be written to a file."""

    question = "stop fit"
    sheets = {
        "rule": Sheet(
            RuleFit,
            "the rule, and how it does on the topics it was fitted to",
            of="fits",
            meaning="scores of the lists as they are, as the rule cuts them, and cut where they score best",
        )
    }

    rule: Rule
    save: str | None = None
    """The file."""

    @property
    def fits(self) -> list[RuleFit]:
        """One row."""
        fit = self.rule.fitted
        assert fit is not None
        return [
            RuleFit(
                rule=self.rule.name,
                measure=fit.measure,
                run=fit.run,
                topics=fit.topics,
                whole=fit.whole,
                mean=fit.mean,
                oracle=fit.oracle,
                parameters=self.rule.plain_parameters(),
                higher_is_better=fit.higher_is_better,
            )
        ]

    def says(self, show: str) -> Iterator[Note]:
        """What it does, and that other topics will do worse."""
        from truerank.questions.stop.words import fitted

        return fitted(self.rule)

    def writes(self) -> Iterable[Written]:
        """The rule, as JSON."""
        return [] if self.save is None else [Written(self.save, [self.rule.to_json()])]


class CutRun(Answer):
    """A run whose lists were cut by a rule, to be written as a TREC run."""

    question = "stop apply"

    lines: Iterable[bytes]
    out: str = "-"
    """The file; "-" is standard output."""

    def writes(self) -> Iterable[Written]:
        """The run."""
        return [Written(self.out, (line.decode("utf-8", "surrogateescape") for line in self.lines))]

    def closing(self) -> Iterable[str]:
        """What was done, beside the run."""
        return [f"note: {note}" for note in self.notices]
