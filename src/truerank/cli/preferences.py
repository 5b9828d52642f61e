"""truerank preferences: what preference judgments say together, how runs keep them, and whether grades agree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from truerank.cli.options import ColumnNames, conventions_without, output_options, run_options

_SHOWN = ("topics", "runs", "lists", "triples", "cycles", "grades", "agreement", "orderings")
_REPEATED = ("each", "once", "majority")


@click.command
@click.argument("preferences", metavar="PREFS")
@click.argument("runs", metavar="[RUN...]", nargs=-1)
@click.option("--qrels", metavar="QRELS", help="Graded judgments, to see whether they agree.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="With QRELS: measures that order the runs; repeatable. Default: nDCG@10 AP PrefLoss.",
)
@click.option("--show", type=click.Choice(_SHOWN), help="What to list. Default: runs, or topics if there are none.")
@click.option(
    "--repeated",
    type=click.Choice(_REPEATED),
    default="each",
    help="What several judgments of a pair count as: each of them (default), each different one once, or the majority.",
)
@click.option(
    "--grades",
    type=click.Choice(["levels", "copeland"]),
    help="How preferences become grades. Default: levels where there is no cycle, else wins less losses.",
)
@click.option("--induced", is_flag=True, help="PREFS are qrels: take the preferences that their grades stand for.")
@click.option("--to-qrels", metavar="FILE", help="Write the documents with their grades as TREC qrels.")
@click.option("--lowest", type=float, default=0, help="With --to-qrels: grade of the least preferred documents.")
@click.option("--to-preferences", metavar="FILE", help="Write the preferences, a line each.")
@click.option(
    "--preferences-columns",
    type=ColumnNames(),
    metavar="PART=NAME,...",
    help="Columns of PREFS: topic, better and worse, or topic, first, second and relation.",
)
@click.option("--qrels-columns", type=ColumnNames(), metavar="PART=NAME,...", help="Columns of QRELS.")
@run_options
@conventions_without("ending", "limit", "nil", "relevant")
@output_options
def preferences(
    preferences: str,
    runs: tuple[str, ...],
    qrels: Any,
    measures: tuple[str, ...],
    show: str | None,
    repeated: str,
    grades: str | None,
    induced: bool,
    to_qrels: str | None,
    lowest: float,
    to_preferences: str | None,
    preferences_columns: dict[str, str] | None,
    qrels_columns: dict[str, str] | None,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Look at preference judgments: contradictions, the least loss possible, runs, and agreement with grades.

    PREFS has lines of topic, better and worse document; or of topic, two documents and their relation: the better one,
    one of > < = (also between the two), or -1 if the first is better, 1 if the second is, and 0. Tables with named
    columns, JSON and trec_eval's preferences are read too. Topics without a preference are left out of means, unless
    --no-relevant says otherwise. JSON has everything that --show chooses from.

    \b
    Example:
      truerank preferences prefs.txt
      truerank preferences prefs.txt bm25.run dense.run --qrels qrels.txt
      truerank preferences prefs.txt --show triples
      truerank preferences prefs.txt --to-qrels graded.qrels
    """
    from truerank.analysis.preferences import preferences as survey
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.report.formats import MACHINE
    from truerank.report.preferences import preferences_table

    form = chosen(form, out)
    _refuse(runs, qrels, measures, to_qrels, lowest, show)
    given = _read(preferences, preferences_columns, induced)
    if qrels is not None and qrels_columns is not None:
        from truerank.io.load import as_qrels

        qrels = as_qrels(qrels, columns=qrels_columns)
    with progress(len(runs)) as step:
        found = survey(
            given,
            list(runs) or None,
            qrels,
            list(measures) or None,
            repeated=repeated,
            grades=grades,
            progress=step,
            **conventions,
        )
    if to_qrels is not None or to_preferences is not None:
        _write(given, repeated, grades, lowest, to_qrels, to_preferences)
    if "-" not in (to_qrels, to_preferences):
        emit(preferences_table(found, show, whole=form in MACHINE), form, out)


def _read(preferences: str, columns: dict[str, str] | None, induced: bool) -> Any:
    """Standard input can be read once only."""
    from truerank.analysis.preferring.grades import induced_preferences
    from truerank.io.load import as_preferences, as_qrels

    if induced:
        return induced_preferences(as_qrels(preferences, columns=columns))
    return as_preferences(preferences, columns=columns)


def _write(
    given: Any, repeated: str, grades: str | None, lowest: float, to_qrels: str | None, to_preferences: str | None
) -> None:
    from truerank.analysis.preferring.grades import induced_qrels
    from truerank.data.comparisons import settled
    from truerank.io.trec import preference_lines, qrels_lines

    given = settled(given, repeated)
    if to_qrels is not None:
        _put([qrels_lines(induced_qrels(given, grades, lowest=lowest))], to_qrels)
    if to_preferences is not None:
        _put(preference_lines(given), to_preferences)


def _put(pieces: Iterable[str], file: str) -> None:
    from truerank.cli.output import echo
    from truerank.io.writing import put

    if file == "-":
        for piece in pieces:
            echo(piece)
    else:
        put((piece.encode("utf-8", "surrogateescape") for piece in pieces), file)


def _refuse(runs: Any, qrels: Any, measures: Any, to_qrels: str | None, lowest: float, show: str | None) -> None:
    """Refuse options that would do nothing."""
    if measures and not (runs and qrels):
        raise click.UsageError("--measure orders runs by grades; name runs, and add --qrels")
    if lowest and to_qrels is None:
        raise click.UsageError("--lowest is a grade that is written; add --to-qrels")
    if show in ("runs", "lists") and not runs:
        raise click.UsageError(f"--show {show} is about runs; name some after the preferences")
    if show == "agreement" and qrels is None:
        raise click.UsageError("--show agreement is about grades; add --qrels")
    if show == "orderings" and not (len(runs) > 1 and qrels):
        raise click.UsageError("--show orderings is about several runs and grades; name runs, and add --qrels")
