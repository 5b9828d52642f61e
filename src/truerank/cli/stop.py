"""truerank stop: rules that say where a list may end, going by its scores."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.options import (
    conventions_without,
    data_options,
    figure_options,
    measure_option,
    output_options,
    run_options,
)
from truerank.cli.program import Program, debug_option

_RULES = ("fixed", "threshold", "gap", "tail", "learned")
_SETTLED = ("unjudged", "limit", "no_relevant", "relevant", "precision", "identical")


@click.group(cls=Program)
def stop() -> None:
    """Find out where lists may end without judgments to tell, and end them there.

    A stopping rule sees the scores of a list and nothing else. It is fitted to topics with judgments, for the highest
    mean of a measure that notices where lists end, such as OIE, RBPU or F.

    \b
    fixed        the first k documents
    threshold    scores down to a threshold, relative to the list or as they are
    gap          down to the largest drop of scores
    tail         scores that are surprising under the tail that most of the list is
    learned      down to the highest expected worth, by features of the curve of scores

    \b
    Example:
      truerank stop compare qrels.txt bm25.run -m "OIE(size=20000) F"
      truerank stop fit qrels.txt bm25.run -m "OIE(size=20000)" --rule tail --save rule.json
      truerank stop apply rule.json new.run --out cut.run
    """


@stop.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="RULE",
    help=f"{', '.join(_RULES)} (default: all), or the file of a rule that is used as it is; repeatable.",
)
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Parts of the topics.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Which topics go together.")
@click.option(
    "--test",
    type=click.Choice(["randomization", "student"]),
    default="randomization",
    show_default=True,
    help="Where p comes from, paired by topic.",
)
@click.option(
    "--show",
    type=click.Choice(["rules", "fitted", "topics"]),
    default="rules",
    show_default=True,
    help="Scores of rules, what they do once fitted to all topics, or every list.",
)
@figure_options
@conventions_without(*_SETTLED)
@data_options
@output_options
def compare(
    qrels: Any,
    runs: Any,
    measures: tuple[str, ...],
    rules: tuple[str, ...],
    folds: int,
    seed: int,
    test: str,
    show: str,
    plot: str | None,
    theme: str,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Compare rules on topics that they were not fitted to.

    Each rule is fitted to the topics outside a fold and cuts the lists of those inside. Beside it stand the lists as
    they are (whole list) and cut where they score best (oracle), which only the judgments know. Without -m the
    measures are RBPU OIE F.

    \b
    Example:
      truerank stop compare qrels.txt bm25.run dense.run -m "OIE(size=20000) RBPU(p=0.98)"
      truerank stop compare qrels.txt bm25.run --rule fixed --rule rule.json --plot rules.svg
    """
    from truerank.analysis.stop import DEFAULT_MEASURES, DEFAULT_RULES
    from truerank.analysis.stop import stop as compared
    from truerank.analysis.stopping.rules import load_rule
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.report.formats import MACHINE
    from truerank.report.plots.chart import form_of
    from truerank.report.stop import stop_table

    form = chosen(form, out)
    if plot is not None:
        form_of(plot)
    given: Any = list(measures) or DEFAULT_MEASURES
    wanted: Any = [load_rule(one) if one.endswith(".json") else one for one in rules] or DEFAULT_RULES
    with progress(len(runs)) as step:
        found = compared(
            qrels, list(runs), given, wanted, folds=folds, seed=seed, test=test, progress=step, **conventions
        )
    if plot is not None:
        found.plot(theme=theme).save(plot)
    emit(stop_table(found, show, whole=form in MACHINE), form, out)


@stop.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN", callback=lambda ctx, parameter, run: [run])
@click.option("-m", "--measure", required=True, metavar="MEASURE", help="What to fit the rule for.")
@click.option("--rule", type=click.Choice(_RULES), default="threshold", show_default=True, help="The kind of rule.")
@click.option("--save", type=click.Path(dir_okay=False), metavar="FILE", help="Where to write the rule, as JSON.")
@conventions_without(*_SETTLED)
@data_options
@output_options
def fit(
    qrels: Any,
    runs: Any,
    measure: str,
    rule: str,
    save: str | None,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Fit a rule to all topics of a run, and save it.

    \b
    Example:
      truerank stop fit qrels.txt bm25.run -m "OIE(size=20000)" --rule tail --save rule.json
    """
    from truerank.analysis.stop import fit_rule
    from truerank.cli.output import chosen, emit
    from truerank.report.stop import rule_table

    form = chosen(form, out)
    found = fit_rule(qrels, list(runs), measure, rule, **conventions)
    if save is not None:
        found.save(save)
    emit(rule_table(found), form, out)


@stop.command
@click.argument("rule", metavar="RULE")
@click.argument("runs", metavar="RUN", callback=lambda ctx, parameter, run: [run])
@click.option(
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True),
    default="-",
    metavar="FILE",
    help="The run, cut. Default: standard output.",
)
@click.option("--nil", is_flag=True, help="Write a NIL for topics that nothing is left of, which a run cannot show.")
@run_options
@debug_option
def apply(rule: str, runs: Any, out: str, nil: bool) -> None:
    """Cut the lists of a run by a rule, and write it as a TREC run.

    Documents keep their scores, ranks and tag: a run that is read with --lower-is-better still has to be. Topics that
    nothing is left of are not in the file; truerank counts them as empty lists. With --nil they have a NIL, which is
    read where the end of a list counts (--ending).

    \b
    Example:
      truerank stop apply rule.json bm25.run --out cut.run
    """
    import numpy as np

    from truerank.analysis.stopping.rules import load_rule
    from truerank.cli.output import echo
    from truerank.io.direction import low_is_best
    from truerank.io.runs import named_runs
    from truerank.io.trec import run_lines, tag_of
    from truerank.io.writing import put
    from truerank.report.stop import NEGATED, direction

    found = load_rule(rule)
    [named] = named_runs(list(runs))
    run = named.read()
    cut = found.apply(run)
    lines = run_lines(cut, tag_of(run), nil=nil, as_given=True)
    if out == "-":
        echo(b"".join(lines).decode("utf-8", "surrogateescape"))
    else:
        put(lines, out)
    before, after = (int((lengths > 0).sum()) for lengths in (np.diff(run.offsets), np.diff(cut.offsets)))
    click.echo(f"note: the rule {found.said()}: {len(cut):,} of {len(run):,} documents are left", err=True)
    low = low_is_best(run)
    for note in (*([NEGATED] if low else []), *direction(found, low=low)):
        click.echo(f"note: {note}", err=True)
    if after < before:
        shown = "have a NIL" if nil else "are not in the file; --nil writes a NIL for them"
        click.echo(f"note: {before - after} of {before} topics have nothing left and {shown}", err=True)
