"""truerank compare: whether systems differ by more than chance, and gates for continuous integration."""

from __future__ import annotations

import os
from typing import Any

import click

from truerank.cli.old_options import convention_options, data_options, figure_options, measure_option, output_options

FAILED = 1
"""Exit code where a gate is not passed."""


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@click.option("--baseline", multiple=True, metavar="RUN", help="Compare all others with this run; repeatable.")
@click.option(
    "--test",
    default="student",
    help="student (paired t, the default), wilcoxon, wilcoxon-pratt, sign, randomization, bootstrap-shift, "
    "bootstrap-percentile, tukey (blocked by topic) or randomized-tukey.",
)
@click.option(
    "--correction",
    help="For the pairs of a measure: holm (the default), bonferroni, benjamini-hochberg or none; none for Tukey's "
    "tests, which allow for all pairs.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Significant is a corrected p below.")
@click.option("--margin", type=float, metavar="D", help="A difference that does not matter, for equivalence.")
@click.option(
    "--interval",
    help="Of differences: t, bootstrap, bca, or tukey, which is for all pairs at once. Default: what suits the test.",
)
@click.option("--gate", multiple=True, metavar="TEXT", help="Exit 1 unless runs are as it says, see above; repeatable.")
@click.option("--settled/--no-settled", default=None, help="Whether to try other readings. Default: for few pairs.")
@click.option("--depth", "depths", type=click.IntRange(min=1), multiple=True, help="Another depth to try; repeatable.")
@click.option(
    "--permutations", type=click.IntRange(min=1), default=10_000, show_default=True, help="How often to draw."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is drawn at random.")
@click.option(
    "--show",
    type=click.Choice(["systems", "pairs", "topics", "gates"]),
    help="A leaderboard (default), a row a pair, the topics that got worse, or the gates (default with --gate).",
)
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Pairs, or topics of a pair, to list for people.")
@click.option("--summary", type=click.Path(), metavar="FILE", help="Append a summary in Markdown to a file.")
@figure_options
@convention_options
@data_options
@output_options
def compare(
    qrels: str,
    runs: Any,
    measures: tuple[str, ...],
    baseline: tuple[str, ...],
    gate: tuple[str, ...],
    depths: tuple[int, ...],
    show: str | None,
    top: int | None,
    summary: str | None,
    plot: str | None,
    theme: str,
    form: str | None,
    out: str | None,
    **chosen_options: Any,
) -> None:
    """Compare runs, and tell which differ by more than chance.

    All pairs, or all runs with each baseline; differences are scores of a run less those of what it is compared with.
    Verdicts that depend on ties, unjudged documents or depth are not settled, and say so. Without -m the measure is
    nDCG@10. JSON has everything.

    A gate is one of these, for every run against the baseline, by default the first; D is in units of the measure, or
    a share of the baseline's mean as in 1%; "nDCG@10: better" is about that measure only:

    \b
      no worse than D [at ALPHA]           it is shown not to be worse by D
      better [by D] [at ALPHA]             it is shown to be better
      equivalent within D [at ALPHA]       it is shown to be neither better nor worse by D
      not significantly worse [at ALPHA]   it is not shown to be worse

    \b
    Example:
      truerank compare qrels.txt bm25.run dense.run -m "nDCG@10 AP"
      truerank compare qrels.txt *.run --test randomized-tukey --permutations 100000
      truerank compare qrels.txt base.run new.run -m nDCG@10 --gate "no worse than 0.005 at 0.05"
    """
    from truerank.analysis.compare import DEFAULT_MEASURES, compare
    from truerank.cli.output import chosen, echo, emit, put
    from truerank.cli.progress import stages
    from truerank.data.errors import InputError
    from truerank.report.compare import compare_table
    from truerank.report.compare_summary import summary as summarise
    from truerank.report.formats import MACHINE
    from truerank.report.gate_words import gate_sentence
    from truerank.report.plots.chart import form_of

    if show == "gates" and not gate:
        raise InputError("--show gates without a gate; give one, such as --gate 'no worse than 0.005'")
    form = chosen(form, out)
    if plot is not None:
        form_of(plot)
    given: Any = list(measures) or DEFAULT_MEASURES
    runs = _with_baselines(runs, baseline)
    with stages() as step:
        found = compare(
            qrels,
            runs,
            given,
            baseline=baseline or None,
            gate=gate or None,
            depths=depths or None,
            progress=step,
            **chosen_options,
        )
    if plot is not None:
        found.plot(theme=theme).save(plot)
    if summary:
        _append(summarise(found, top), summary)
    if gate and form == "markdown" and show is None:
        text = summarise(found, top)
        put(text, out) if out is not None and out != "-" else echo(text)
    else:
        emit(compare_table(found, show, top=top, whole=form in MACHINE), form, out)
    for outcome in found.gates:
        click.echo(gate_sentence(outcome), err=True)
    if found.passed is False:
        click.get_current_context().exit(FAILED)


def _with_baselines(runs: Any, baselines: tuple[str, ...]) -> list[Any]:
    """The runs, and before them the baselines that are files which are not among them."""
    from dataclasses import replace

    from truerank.io.runs import Named
    from truerank.io.source import stem

    every = list(runs)
    paths = [str(one.data) if isinstance(one, Named) else one for one in every]
    known = {*map(stem, paths), *map(os.path.abspath, paths)}
    new = [path for path in baselines if not {path, os.path.abspath(path)} & known and os.path.isfile(path)]
    return [replace(every[0], data=path) if isinstance(every[0], Named) else path for path in new] + every


def _append(text: str, path: str) -> None:
    """Add to the end of a file, as steps of a workflow do to the summary of their job.

    In Markdown a heading right below something else may be read as part of it, so that an empty line comes between.
    """
    if os.path.isfile(path):
        with open(path, "rb") as file:
            file.seek(max(0, os.path.getsize(path) - 2))
            end = file.read()
        text = ("" if end in (b"", b"\n", b"\n\n") else "\n" if end.endswith(b"\n") else "\n\n") + text
    with open(path, "a", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
