"""Learn a stopping rule from scores, and cut lists with it.

A stopping rule sees the scores of a list and nothing else. It is fitted to topics with judgments, for the highest mean
of a measure that notices where lists end, such as OIE, RBPU or F.

Rules:
  fixed        the first k documents
  threshold    scores down to a threshold, relative to the list or as they are
  gap          down to the largest drop of scores
  tail         scores that are surprising under the tail that most of the list is
  learned      down to the highest expected worth, by features of the curve of scores

Example:
  truerank stop compare qrels.txt bm25.run -m "OIE(size=20000) F"
  truerank stop fit qrels.txt bm25.run -m "OIE(size=20000)" --rule tail --save rule.json
  truerank stop apply rule.json new.run --out cut.run
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.signature import Engines, Judgments, Measures, OneRun, Runs, question, reads
from truerank.questions.stop.answer import CutRun, SavedRule, Stopping
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.measures.core.base import Measure
    from truerank.questions.stop.rule import Rule
    from truerank.track.track import Progress

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
    from truerank.questions.stop.words import unlike
    from truerank.questions.stop.work import CrossValidation, StopMeasures, averaging, conclude, cross_validate
    from truerank.questions.truncate.work import whole_measures
    from truerank.track.track import Track

    wanted, held = averaging(parse_all(measures)), averaging(whole_measures(against))
    validation = CrossValidation(rules_of(rules), folds, seed, test)
    every = (*wanted, *(measure for measure in held if measure not in wanted))
    track = Track.of(qrels, runs, every, given, RULES, engine=engine)
    asked = StopMeasures(wanted, held)
    like = given.get("like")
    trials = cross_validate(track, validation, progress, asked)
    return conclude(track, trials, validation, asked, unlike(like, RULES.overruled(like)))


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
