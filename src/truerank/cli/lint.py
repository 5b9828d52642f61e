"""truerank lint: what is suspicious in runs and judgments."""

from __future__ import annotations

import click

from truerank.cli.old_options import output_options

FAILED = 1


@click.command
@click.argument("files", metavar="[QRELS] [RUN]...", nargs=-1, required=True)
@click.option("--cutoff", type=int, default=10, show_default=True, help="Depth that judged documents are counted to.")
@click.option("--ignore", multiple=True, metavar="CHECK", help="A check not to make; repeatable.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info", "never"]),
    default="error",
    show_default=True,
    metavar="error|warning|info|never",
    help="Severity from which on the exit code is 1.",
)
@click.option("--fix", is_flag=True, help="Write a copy of each file without what can be mended, as NAME.fixed.run.")
@click.option("--force", is_flag=True, help="Overwrite copies that are there already.")
@output_options
@click.pass_context
def lint(
    ctx: click.Context,
    files: tuple[str, ...],
    cutoff: int,
    ignore: tuple[str, ...],
    fail_on: str,
    fix: bool,
    force: bool,
    form: str | None,
    out: str | None,
) -> None:
    """Look for what is suspicious in judgments and runs, before trusting a score.

    QRELS comes first, and either may be left out: a first file with the columns of a run is a run, and all are then
    looked at without judgments. Files may be compressed, or - for standard input.

    The exit code is 0 where all files can be scored, 1 where one has an error (see --fail-on; with --fix, one that
    could not be fixed), and 2 where a file cannot be read.

    \b
    Example:
      truerank lint qrels.txt bm25.run dense.run --fix
    """
    from truerank.analysis.lint.lint import lint_files
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.report.formats import MACHINE
    from truerank.report.lint import lint_table

    form = chosen(form, out)
    with progress(len(files)) as step:
        found = lint_files(files, cutoff=cutoff, ignore=ignore, fix=fix, force=force, progress=step)
    emit(lint_table(found, whole=form in MACHINE), form, out)
    failing = () if fail_on == "never" else found.at_least(fail_on)
    if any(not (fix and finding.fixable) for finding in failing):
        ctx.exit(FAILED)
