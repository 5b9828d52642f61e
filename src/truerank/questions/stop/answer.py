"""The answers: how well stopping rules do, a rule that was fitted, and a run that was cut by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from truerank.boards.rows import OrderAgreement
from truerank.data.notes import Note
from truerank.data.printing import counted
from truerank.report.answer import PLOT, Answer, Sheet, TrackAnswer, Written
from truerank.report.rows import ColumnarRows, Row, column
from truerank.report.signature import Theme, adjustable
from truerank.report.table import Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.data.arrays import Floats, Rows
    from truerank.measures.core.base import Measure
    from truerank.questions.stop.rule import Rule
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments

WHOLE, ORACLE = "whole list", "oracle"
"""What stands in the place of a rule for lists as they are, and for lists cut where they score best."""
FIXED = "fixed"
"""The rule that does not look at scores, which the others are held against."""
ALPHA = 0.05
SMALL = 0.01
"""Share of the possible improvement that is no difference."""
_MEANING = {
    "rules": "each list cut by a rule fitted to other folds; share of the improvement that the best cuts (oracle) "
    "would be; p by a {test} test against whole lists, and against a fixed length, corrected for the number of rules "
    "(Holm)",
    "fitted": "what each rule does once it is fitted to all topics",
    "topics": "each list cut by a rule fitted to other folds: how many documents are left, and their score",
    "orders": "Kendall's tau-a between systems by whole lists and by lists cut, each by a rule fitted to other folds; "
    "95% intervals over topics; over_oracle: tau-a minus that with best cuts",
}


class RuleOutcome(Row, eq=False):
    """A rule on topics that it was not fitted to."""

    measure: str = column("the measure")
    run: str = column("the run")
    name: str = column(f'the rule; "{WHOLE}" for lists as they are, "{ORACLE}" for the best cuts', called="rule")
    mean: float = column("the mean score")
    gain: float = column("how much better it is than lists as they are; below 0 where it is worse")
    share: float = column("share of the possible improvement, that of the best cuts, which it reaches")
    mean_length: float = column("mean number of documents it keeps", head="length", form="short")
    empty: float = column("share of lists that it leaves empty")
    p_whole: float | None = column(
        "chance of a difference so large from lists as they are, corrected for the number of rules", head="p"
    )
    p_oracle: float | None = column("the same from lists that are cut where they score best")
    p_fixed: float | None = column("the same from the best fixed length, where that is among the rules")

    rule: Rule | None = None
    """As fitted to all topics: what to use from now on; None for lists as they are and for the best cuts."""
    folds: tuple[Rule, ...] = ()
    """As fitted to the topics outside each fold; none where the rule was ready."""
    lengths: Rows
    """How many documents of each list it keeps."""
    values: Floats
    """The score of each list cut there."""

    brief = ("measure", "run", "name", "mean", "share", "mean_length", "p_whole", "p_fixed")


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleComparison(Mapping[str, RuleOutcome]):
    """Stopping rules on one run by one measure, beside lists as they are and lists cut where they score best."""

    by: Measure
    run: str
    topics: tuple[str, ...]
    as_is: RuleOutcome
    """The lists as they are."""
    rules: dict[str, RuleOutcome]
    at_best: RuleOutcome
    """The lists cut where they score best, of the lengths at which they can be cut."""

    def __getitem__(self, rule: str) -> RuleOutcome:
        try:
            return self.rules[rule]
        except KeyError:
            raise KeyError(f"there is no rule {rule!r}; there are {', '.join(self.rules)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def measure(self) -> str:
        return str(self.by)

    @property
    def outcomes(self) -> tuple[RuleOutcome, ...]:
        """The rules, between lists as they are and best cuts."""
        return (self.as_is, *self.rules.values(), self.at_best)

    @property
    def mean_whole(self) -> float:
        return self.as_is.mean

    @property
    def mean_oracle(self) -> float:
        return self.at_best.mean

    @property
    def room(self) -> float:
        """How much better than lists as they are those are that are cut where they score best; 0 or more."""
        return self.at_best.gain

    @property
    def has_room(self) -> bool:
        """Whether some list gains by being cut, by more than rounding."""
        from truerank.statistics.level import EQUAL

        return self.room > EQUAL

    def gain(self, rule: str) -> float:
        """How much better than lists as they are a rule is; below 0 where it is worse."""
        return self[rule].gain

    def share(self, rule: str) -> float:
        """Share of the possible improvement that a rule reaches; NaN where there is none."""
        return self[rule].share

    def effect(self, rule: str, alpha: float = ALPHA) -> int:
        """1 where a rule is better than lists as they are, -1 where it is worse, 0 where that may be chance.

        p is below ``alpha``, and the difference more than a hundredth of the possible improvement: that a list loses
        something at the far end can be as sure as it is unimportant.
        """
        p = self[rule].p_whole
        if p is None or p >= alpha or abs(self.gain(rule)) <= SMALL * self.room:
            return 0
        return 1 if self.gain(rule) > 0 else -1

    def beats_fixed(self, rule: str, alpha: float = ALPHA) -> bool:
        """Whether a rule is better than the best fixed length, in the same sense."""
        p = self[rule].p_fixed
        return p is not None and p < alpha and self.gain(rule) - self.gain(FIXED) > SMALL * self.room

    @property
    def ranking(self) -> list[str]:
        """The rules, that with the best mean first."""
        return sorted(self.rules, key=lambda rule: -self.gain(rule))

    def helping(self, alpha: float = ALPHA) -> list[str]:
        """The rules that are better than not truncating by more than chance, the best first."""
        return [rule for rule in self.ranking if self.effect(rule, alpha) > 0]


class FittedRule(Row):
    """What a rule does once it is fitted to all topics."""

    measure: str = column("the measure")
    run: str = column("the run")
    rule: str = column("the rule")
    fitted: str = column("what it does", folds=True)
    parameters: dict[str, Any] = column("its parameters", nested=True)
    fold_parameters: tuple[dict[str, Any], ...] = column(
        "its parameters as fitted to the topics outside each fold", nested=True
    )


class CutList(Row):
    """One list cut by a rule that has not seen its topic."""

    measure: str = column("the measure")
    run: str = column("the run")
    topic: str = column("the topic")
    rule: str = column("the rule, or one of the two ways to cut that need none")
    length: int = column("documents that are left")
    value: float = column("their score")


class SystemOrder(OrderAgreement):
    """How far the order of systems whose lists are cut one way agrees with the order by whole lists, the reference."""

    whole_measure: str = column("the measure of whole lists", head="whole")
    measure: str = column("the measure that rules are fitted for, and cut lists scored by")
    rule: str = column("the rule, or one of the two ways to cut that need none")
    low: float = column("where the 95% interval of tau-a begins, over topics")
    high: float = column("where that ends")
    p: float = column("p of tau-a, if the two orders had nothing to do with each other")
    over_oracle: float = column("tau-a minus that of lists cut where they score best", form="signed")
    over_low: float = column("where the 95% interval of that begins, over topics", form="signed")
    over_high: float = column("where that ends", form="signed")

    leading = ("whole_measure", "measure", "rule")
    brief = (
        *("whole_measure", "measure", "rule", "tau_a", "low", "high", "p"),
        *("over_oracle", "over_low", "over_high"),
    )


class Stopping(TrackAnswer[RuleComparison]):
    """Stopping rules on topics that they were not fitted to, by run and measure."""

    question = "stop"
    sheets = {
        "rules": Sheet(RuleOutcome, "scores of rules", of="outcomes"),
        "fitted": Sheet(FittedRule, "what rules do once fitted to all topics", of="fitted_rules"),
        "topics": Sheet(CutList, "every list", of="cut_lists"),
        "orders": Sheet(SystemOrder, "how far cut lists order systems as whole lists do", needs="against"),
    }
    files = {"plot": PLOT}

    compared: tuple[RuleComparison, ...]
    rules: tuple[str, ...]
    """The rules that were compared."""
    folds: int = column("parts that the topics were divided into")
    seed: int = column("what decides which topics go together")
    test: str = column("the test that p comes from, paired by topic")
    correction: str = column("how p is corrected for the number of rules", default="holm")
    orders: tuple[SystemOrder, ...] = ()
    """Where measures of whole lists were given to hold the order of systems against."""

    def usual(self) -> str:
        return "orders" if self.orders else super().usual()

    def scored(self) -> tuple[RuleComparison, ...]:
        return self.compared

    def comparisons(self) -> list[tuple[str, str, RuleComparison]]:
        """Measure, run and the rules compared on it, measure by measure."""
        return [(measure, run, by_measure[measure]) for measure in self.measures for run, by_measure in self.items()]

    @property
    def outcomes(self) -> list[RuleOutcome]:
        return [outcome for _, _, one in self.comparisons() for outcome in one.outcomes]

    @property
    def fitted_rules(self) -> list[FittedRule]:
        return [
            FittedRule(
                measure=measure,
                run=run,
                rule=name,
                fitted=outcome.rule.said(),
                parameters=outcome.rule.plain_parameters(),
                fold_parameters=tuple(rule.plain_parameters() for rule in outcome.folds),
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
            outcomes = [(each.name, each.lengths.tolist(), each.values.tolist()) for each in one.outcomes]
            for place, topic in enumerate(one.topics):
                for name, lengths, values in outcomes:
                    row = (measure, run, topic, name, lengths[place], values[place])
                    for cells, cell in zip(columns.values(), row, strict=True):
                        cells.append(cell)
        return ColumnarRows(CutList, **columns)

    def says(self, show: str) -> Iterator[Note]:
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

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
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
    parameters: dict[str, Any] = column("the parameters", nested=True)
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
        from truerank.questions.stop.words import fit_notes

        return fit_notes(self.rule)

    def writes(self) -> Iterable[Written]:
        return [] if self.save is None else [Written(self.save, [self.rule.to_json()])]


class CutRun(Answer):
    """A run whose lists were cut by a rule, to be written as a TREC run."""

    question = "stop apply"

    lines: Iterable[bytes]
    out: str = "-"
    """The file; "-" is standard output."""

    def writes(self) -> Iterable[Written]:
        return [Written(self.out, (line.decode("utf-8", "surrogateescape") for line in self.lines))]

    def closing(self) -> Iterable[str]:
        return [f"note: {note}" for note in self.notices]
