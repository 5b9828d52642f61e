"""Learn where to cut lists, from scores alone.

A stopping rule sees the scores of a list and nothing else. It is fitted to topics with judgments, for the highest mean
of a measure that notices where lists end, such as OIE, RBPU or F.

Rules:
  fixed        the first k documents
  threshold    scores down to a threshold, absolute or relative to the list
  gap          down to the largest drop of scores
  tail         scores that are surprising given the tail of the list
  learned      down to the highest expected gain, by features of the scores

Example:
  truerank stop compare qrels.txt bm25.run -m "OIE(size=20000) F"
  truerank stop fit qrels.txt bm25.run -m "OIE(size=20000)" --rule tail --save rule.json
  truerank stop apply rule.json new.run --out cut.run
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from truerank.boards.rows import OrderAgreement
from truerank.conventions.presets import AxisRules, one_number
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Engines, Judgments, Measures, OneRun, Runs, question, reads
from truerank.report.answer import PLOT, Answer, Sheet, TrackAnswer, Written
from truerank.report.rows import ColumnarRows, Row, column
from truerank.report.signature import Argument, Option, Theme, adjustable
from truerank.report.table import Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.arrays import Floats, Rows
    from truerank.measures.core.base import Measure
    from truerank.questions.stop.rule import Rule
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.track.track import Progress

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

    def own_notes(self, show: str) -> Iterator[Note]:

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

    def own_notes(self, show: str) -> Iterator[Note]:

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

    def closing(self, block: str = "") -> Iterable[str]:
        return [f"note: {note}" for note in self.notices]


FEW = 4
"""Runs up to which each has its verdict; more of them are counted."""
_HARM = "[; {harming:names}, fitted to other topics, {harmful:is|are} worse than not truncating]"

VERDICT = Code(
    "TR461",
    "whether rules help on a run, and which does most",
    "{measure}, {run}: {rule} does most, from {whole:.4f} as it is to {mean:.4f}, where the best cuts have "
    "{oracle:.4f}: {share:.0%} of the possible improvement ({p:p})[; better than a fixed length: "
    "{beyond_fixed:names}][; none of {others:other rule} is better than a fixed length by more than chance][; what is "
    "left to the best cuts may be chance ({p_oracle:p})]" + _HARM,
    no_room="{measure}, {run}: no list gains by being cut, {whole:.4f} as it is: there is nothing for a rule to learn",
    none_helps="{measure}, {run}: no rule is better than not truncating by more than chance: {whole:.4f} as it is, "
    "{mean:.4f} with {rule}, the best of them ({p:p}), where the best cuts have {oracle:.4f}" + _HARM,
)
HELPING = Code(
    "TR462",
    "on how many runs rules help, and which do most",
    "{measure}: in {helped} of {runs:run} a rule is better than not truncating[, in {beyond_fixed} of these one that "
    "looks at scores is better than a fixed length; most often best: {best}][; in {harmed:run} a rule is worse than "
    "not truncating: {harming}]",
    each={"best": "{rule} ({runs})", "harming": "{rule} ({runs})"},
)
FOLDS = Code(
    "TR463",
    "fewer topics than folds",
    "there are {topics} topics, so that there are as many folds, not {folds}",
)
READY = Code(
    "TR464",
    "rules that were not fitted here",
    "{rules:names}: used as it is, which is too good to be true on topics that it was fitted to",
)
UNLIKE = Code(
    "TR465",
    "conventions of a tool that are no choice here",
    "rules cut lists as they are, unlike in {tool}: {conventions}",
    each={"conventions": "{axis} is {value}"},
)
RULE = Code(
    "TR466",
    "what a rule does",
    "it {does}",
    applied="the rule {does}: {kept:,} of {documents:document} are left",
)
NEGATED = Code(
    "TR467",
    "a rule about negated scores",
    "low scores are best, so that the rule is about negated scores",
)
SEEN = Code(
    "TR468",
    "scores on the topics that a rule was fitted to",
    "these are the topics that it was fitted to; what to expect of others, truerank stop compare tells",
)
OTHER_WAY = Code(
    "TR469",
    "a run that is read the other way than the one that a rule was fitted to",
    "the rule was fitted to a run whose low scores are best (--lower-is-better), and this one is read the other way",
    high="the rule was fitted to a run whose high scores are best (--higher-is-better), and this one is read the other "
    "way",
)
EMPTIED = Code(
    "TR470",
    "topics that nothing is left of",
    "{empty} of {topics:topic} {empty:has|have} nothing left and {empty:is|are} not in the file; --nil writes a NIL "
    "for {empty:it|them}",
    nil="{empty} of {topics:topic} {empty:has|have} nothing left and {empty:has|have} a NIL",
)


def verdict(comparison: RuleComparison, alpha: float = ALPHA) -> Note:
    """Whether the rules help, which does most, and whether looking at scores is worth it."""
    helps = comparison.helping(alpha)
    facts: dict[str, Any] = {
        "measure": comparison.measure,
        "run": comparison.run,
        "whole": comparison.mean_whole,
        "oracle": comparison.mean_oracle,
        "helping": helps,
    }
    if not comparison.has_room:
        return VERDICT("no_room", **facts)
    top = comparison[(helps or comparison.ranking)[0]]
    harming = [rule for rule in comparison.ranking if comparison.effect(rule, alpha) < 0]
    facts |= {
        "rule": top.name,
        "mean": top.mean,
        "share": top.share,
        "p": top.p_whole,
        "harming": harming or None,
        "harmful": len(harming),
    }
    if not helps:
        return VERDICT("none_helps", **facts)
    others = sum(outcome.p_fixed is not None for outcome in comparison.values())
    beyond = [rule for rule in helps if comparison.beats_fixed(rule, alpha)]
    return VERDICT(
        **facts,
        beyond_fixed=beyond or None,
        others=others if others and not beyond else None,
        p_oracle=top.p_oracle if top.p_oracle is not None and top.p_oracle >= alpha else None,
    )


def verdicts(answer: Stopping) -> Iterator[Note]:
    """What it comes to: for each run where they are few, otherwise how many."""
    if len(answer) > FEW:
        yield from (_helping(answer, measure) for measure in answer.measures)
    else:
        yield from (verdict(comparison) for _, _, comparison in answer.comparisons())


def _helping(answer: Stopping, measure: str) -> Note:
    """How often rules help, over many runs."""
    every = [run[measure] for run in answer.values()]
    best = Counter(helps[0] for one in every if (helps := one.helping()))
    harming = [[rule for rule in one if one.effect(rule) < 0] for one in every]
    times = Counter(rule for rules in harming for rule in rules)
    beyond = sum(any(one.beats_fixed(rule) for rule in one.helping()) for one in every)
    return HELPING(
        measure=measure,
        runs=len(every),
        helped=best.total(),
        beyond_fixed=beyond if best else None,
        best=[{"rule": rule, "runs": count} for rule, count in best.most_common(3)],
        harmed=sum(map(bool, harming)) or None,
        harming=[{"rule": rule, "runs": count} for rule, count in times.most_common()],
    )


def unlike(tool: str | None, overruled: Mapping[str, Any]) -> Iterator[Note]:
    """Conventions of a tool that are others here."""
    if overruled:
        conventions = [{"axis": axis, "value": value} for axis, value in overruled.items()]
        yield UNLIKE(tool=tool, conventions=conventions)


def fit_notes(rule: Rule) -> Iterator[Note]:
    """What a rule does, and what its scores are worth."""
    yield RULE(rule=rule.name, does=rule.said())
    if rule.fitted is not None and rule.fitted.higher_is_better is False:
        yield NEGATED()
    yield SEEN()


def apply_notes(rule: Rule, *, kept: int, documents: int, low: bool) -> Iterator[Note]:
    """What a rule did to a run; ``low`` where low scores of the run are best."""
    yield RULE("applied", rule=rule.name, does=rule.said(), kept=kept, documents=documents)
    if low:
        yield NEGATED()
    if rule.fitted is not None and rule.fitted.higher_is_better not in (None, not low):
        yield OTHER_WAY("high" if low else "")


def emptied(empty: int, topics: int, *, nil: bool) -> Iterator[Note]:
    """Topics that nothing is left of."""
    if empty:
        yield EMPTIED("nil" if nil else "", empty=empty, topics=topics)


RULES = AxisRules(
    # A rule cuts the list that is there, wherever its scores differ, and every cut has a score.
    fixed={
        "unjudged": "nonrelevant",
        "limit": None,
        "no_relevant": "zero",
        "relevant": "judgments",
        "precision": "float64",
        "identical": "keep",
    },
    refused=one_number("a rule is fitted to one"),
)
KINDS = ("fixed", "threshold", "gap", "tail", "learned")
TESTS = ("randomization", "student")


@question(RULES)
def stop(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "RBPU OIE F",
    rules: Annotated[
        Any,
        Option(
            f"{', '.join(KINDS)} (default: all), or the file of a rule that is used as it is; repeatable.",
            flags="--rule",
            metavar="RULE",
            many=True,
        ),
    ] = KINDS,
    *,
    folds: Annotated[int, Option("Parts of the topics.", least=2)] = 5,
    seed: Annotated[int, Option("Which topics go together.", least=0, most=inf)] = 0,
    test: Annotated[str, Option("Where p comes from, paired by topic.", choices=TESTS)] = "randomization",
    against: Annotated[
        Any,
        Option(
            "Measures of whole lists to compare the order of systems with; repeatable.", metavar="MEASURE", many=True
        ),
    ] = (),
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Stopping:
    """Compare rules on topics that they were not fitted to.

    Each rule is fitted to the topics outside a fold and cuts the lists of those inside. Beside it stand the lists as
    they are (whole list) and cut where they score best (oracle), which only the judgments know.

    Example:
      truerank stop compare qrels.txt bm25.run dense.run -m "OIE(size=20000) RBPU(p=0.98)"
      truerank stop compare qrels.txt bm25.run --rule fixed --rule rule.json --plot rules.svg
      truerank stop compare qrels.txt *.run -m "OIE(size=20000)" --against "AP nDCG"

    In Python it takes what ``evaluate`` takes. Each rule is fitted, run by run and measure by measure, for the highest
    mean. ``rules`` are names, and rules that are ready, such as ``load_rule`` reads. p is corrected for the number of
    rules (Holm). With ``against``, ``orders`` compares the order of systems by cut lists with the order by whole lists
    and other measures: Kendall's tau for each rule, for whole lists and for best cuts, with intervals over topics.

    >>> qrels = {f"q{n}": {"a": 1, "b": int(n % 2)} for n in range(6)}
    >>> run = {f"q{n}": {"a": 9.0, "b": 8.0 if n % 2 else 3.0, "c": 2.0, "d": 1.0} for n in range(6)}
    >>> rules = stop(qrels, {"mine": run}, "F", "fixed threshold", folds=3)["mine"]["F"]
    >>> round(rules.mean_whole, 2), round(rules["fixed"].mean, 2), rules["threshold"].mean, rules.mean_oracle
    (0.53, 0.72, 1.0, 1.0)
    >>> rules["threshold"].rule.said()
    'keeps documents whose scores lie at least 56% of the way from the lowest score to the top one'
    """
    from truerank.measures.grammar import parse_all
    from truerank.questions.stop.rules import rules_of
    from truerank.questions.stop.work import CrossValidation, StopMeasures, averaging, cross_validate, summarise
    from truerank.questions.truncate.work import whole_measures
    from truerank.track.track import Track

    wanted, held = averaging(parse_all(measures)), averaging(whole_measures(against))
    validation = CrossValidation(rules_of(rules), folds, seed, test)
    every = (*wanted, *(measure for measure in held if measure not in wanted))
    track = Track.of(qrels, runs, every, given, RULES, engine=engine)
    asked = StopMeasures(wanted, held)
    like = given.get("like")
    trials = cross_validate(track, validation, progress, asked)
    return summarise(track, trials, validation, asked, unlike(like, RULES.overruled(like)))


@reads
def fit_rule(
    qrels: Judgments,
    run: OneRun,
    measure: str | Measure,
    rule: str = "threshold",
    *,
    engine: Any = None,
    **given: Unpack[Given],
) -> Rule:
    """Fit a stopping rule to all topics of a run, for the highest mean of a measure.

    Judgments and the run are given as to ``evaluate``, with the keywords that say how to read them.

    >>> qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a", "x", "y"], "q2": ["b", "x"]}
    >>> rule = fit_rule(qrels, run, "F", "fixed")
    >>> rule, rule.fitted.mean
    (FixedRule(k=1), 1.0)
    """
    from truerank.questions.stop.rules import rule_of
    from truerank.questions.stop.work import fit_to_all, one_measure
    from truerank.track.track import Track

    kind = rule_of(rule)
    return fit_to_all(Track.of(qrels, run, one_measure(measure), given, RULES, engine=engine), kind)


@question(RULES)
def fit(
    qrels: Judgments,
    run: OneRun,
    measure: Annotated[
        Any, Option("What to fit the rule for.", flags="-m/--measure", metavar="MEASURE", required=True)
    ],
    rule: Annotated[str, Option("The kind of rule.", choices=KINDS)] = "threshold",
    *,
    save: Annotated[str | None, Option("Where to write the rule, as JSON.", metavar="FILE", file=True)] = None,
    engine: Engines = None,
    **given: Unpack[Given],
) -> SavedRule:
    """Fit a rule to all topics of a run, and save it.

    Example:
      truerank stop fit qrels.txt bm25.run -m "OIE(size=20000)" --rule tail --save rule.json
    """
    return SavedRule(rule=fit_rule(qrels, run, measure, rule, engine=engine, **given), save=save)


@question()
def apply(
    rule: Annotated[Any, Argument("RULE")],
    run: OneRun,
    *,
    out: Annotated[str, Option("The run, cut. Default: standard output.", metavar="FILE", file=True)] = "",
    nil: Annotated[bool, Option("Write a NIL for topics that nothing is left of, which a run cannot show.")] = False,
) -> CutRun:
    """Cut the lists of a run by a rule, and write it as a TREC run.

    Documents keep their scores, ranks and tag: a run that is read with --lower-is-better still has to be. Topics that
    nothing is left of are not in the file; truerank counts them as empty lists. With --nil they have a NIL, which is
    read where the end of a list counts (--ending).

    Example:
      truerank stop apply rule.json bm25.run --out cut.run
    """
    from truerank.questions.stop.rules import load_rule
    from truerank.questions.stop.work import cut_run

    return cut_run(load_rule(rule), run, out or "-", nil=nil)


COMMANDS = {"compare": stop, "fit": fit, "apply": apply}
