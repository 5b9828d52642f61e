"""truerank pool: which runs made the judgments, and what a system loses that was not among them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from truerank.cli.options import convention_options, data_options, output_options

_ORDERS = ("docid", "docid-asc", "input", "rank")
Files = Callable[..., Any]


def _judgments_first(command: Files) -> Files:
    """Tell the judgments from the runs; where the first file has the columns of a run, there are no judgments."""

    @wraps(command)
    def telling(*args: Any, files: tuple[str, ...], **given: Any) -> Any:
        import os

        from truerank.io.forms import looks_like
        from truerank.io.source import open_source

        first: Any = files[0]
        if os.path.isfile(first) and looks_like(open_source(first)) == "run":
            return command(*args, qrels=None, runs=files, **given)
        return command(*args, qrels=first, runs=files[1:], **given)

    return telling


@click.command
@click.argument("files", metavar="[QRELS] RUN...", nargs=-1, required=True)
@click.option(
    "--depth", type=click.IntRange(min=1), metavar="D", help="Depth of the pool. Default: what the runs show."
)
@click.option("--all-runs", is_flag=True, help="All runs contributed, not only those that are judged so deep.")
@click.option(
    "--pool-ties",
    type=click.Choice(_ORDERS),
    metavar="|".join(_ORDERS),
    help="Order in which tied documents were pooled. Default: the one whose pool holds most judgments.",
)
@click.option(
    "--leave-out",
    type=click.Choice(["run", "group"]),
    metavar="run|group",
    help="Score each without the judgments that only it contributed.",
)
@click.option("--group-by", metavar="REGEX", help="Beginning of names that groups share. Default: their first letters.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="What to score by; repeatable. Default: AP nDCG@10.",
)
@click.option("--restrict", metavar="FILE", help="Write the judgments that a pool of depth D would have had.")
@click.option("--to-judge", metavar="FILE", help="Write the documents of all runs to depth D that have no judgment.")
@_judgments_first
@data_options
@convention_options
@output_options
def pool(
    qrels: Any,
    runs: Any,
    depth: int | None,
    all_runs: bool,
    pool_ties: str | None,
    leave_out: str | None,
    group_by: str | None,
    measures: tuple[str, ...],
    restrict: str | None,
    to_judge: str | None,
    form: str | None,
    out: str | None,
    **conventions: str | None,
) -> None:
    """Find out which runs the judgments were pooled from, how deep, and what systems lose that were not.

    \b
    Without --leave-out, --restrict or --to-judge: a row a run, and how sure it is.
    --leave-out run|group    the bias of the pool against new systems
    --restrict FILE          TREC qrels, for studies of shallower pools
    --to-judge FILE          the same with grade -1, for assessors; QRELS may be left out

    \b
    Example:
      truerank pool qrels.txt *.run
      truerank pool qrels.txt *.run --leave-out group -m AP
      truerank pool qrels.txt *.run --depth 10 --restrict shallow.qrels
    """
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.conventions.presets import conventions as chosen_conventions
    from truerank.report.formats import MACHINE

    files = {"--restrict": restrict, "--to-judge": to_judge}
    _refuse(qrels, runs, files, depth, leave_out, group_by, measures, conventions)
    precision = chosen_conventions(conventions["like"], precision=conventions["precision"]).precision
    form = chosen(form, out)
    known: dict[str, Any] = {"contributors": "all" if all_runs else None}
    with progress(len(runs)) as known["progress"]:
        if any(files.values()):
            _write(qrels, runs, depth or 0, files, ties=pool_ties, precision=precision, **known)
            return
        if leave_out is not None:
            from truerank.analysis.pooling.leave_out import DEFAULT_MEASURES
            from truerank.analysis.pooling.leave_out import leave_out as left_out
            from truerank.report.pools import losses_table

            asked: Any = list(measures) or DEFAULT_MEASURES
            known |= {"depth": depth, "by": leave_out, "groups": group_by, "pool_ties": pool_ties, **conventions}
            table = losses_table(left_out(qrels, list(runs), asked, **known), whole=form in MACHINE)
        else:
            from truerank.analysis.pooling.pools import pools
            from truerank.report.pools import pools_table

            found = pools(qrels, list(runs), depth=depth, ties=pool_ties, precision=precision, **known)
            table = pools_table(found, whole=form in MACHINE)
    emit(table, form, out)


def _write(
    qrels: Any, runs: Any, depth: int, files: dict[str, str | None], *, contributors: str | None, **known: Any
) -> None:
    """Write judgments of a shallower pool, and documents to judge."""
    from truerank.analysis.pooling.survey import graded

    shallow, unjudged = files["--restrict"], files["--to-judge"]
    # Standard input can be read once only.
    qrels = None if qrels is None else graded(qrels)
    if shallow is not None:
        from truerank.analysis.pooling.restrict import restrict
        from truerank.io.trec import qrels_lines

        found = restrict(qrels, list(runs), depth, contributors=contributors, **known)
        _put(qrels_lines(found), shallow, found.notes[-1])
    if unjudged is not None:
        from truerank.analysis.pooling.pool import pool

        pooled = pool(list(runs), depth, qrels=qrels, **{**known, "ties": known["ties"] or _ORDERS[0]})
        said = f"{len(pooled.to_judge):,} of {len(pooled):,} documents are to be judged"
        _put(pooled.to_qrels(judged=False), unjudged, f"{said}, of a pool {depth} deep of {len(pooled.runs)} runs")


def _put(text: str, file: str, said: str) -> None:
    from truerank.cli.output import echo, put

    if file == "-":
        echo(text)
    else:
        put(text, file)
    click.echo(f"note: {'' if file == '-' else f'{file}: '}{said}", err=True)


def _refuse(
    qrels: Any,
    runs: Any,
    files: dict[str, str | None],
    depth: int | None,
    leave_out: str | None,
    group_by: str | None,
    measures: tuple[str, ...],
    conventions: dict[str, str | None],
) -> None:
    """Refuse options that would do nothing."""
    written = [option for option, file in files.items() if file is not None]
    if qrels is None and written != ["--to-judge"]:
        raise click.UsageError("the first file is a run; name the judgments before the runs")
    if not runs:
        raise click.UsageError("there is no run; name the runs after the judgments")
    if written and depth is None:
        raise click.UsageError(f"{written[0]} is about a pool of some depth; add --depth")
    if len(written) == 2 and files["--restrict"] == files["--to-judge"]:
        raise click.UsageError("--restrict and --to-judge name the same file; give each its own")
    if written and leave_out is not None:
        raise click.UsageError(f"{written[0]} writes a file, and --leave-out a table; give one of them")
    if group_by is not None and leave_out != "group":
        raise click.UsageError("--group-by says which runs belong together; add --leave-out group")
    about_scores = {"--measure": measures} | {
        f"--{axis.replace('_', '-')}": value for axis, value in conventions.items() if axis not in ("precision", "like")
    }
    for option, value in about_scores.items():
        if value and leave_out is None:
            raise click.UsageError(f"{option} is about scores; add --leave-out")
