"""truerank demo: a simulated track, and what a score hides."""

from __future__ import annotations

import shutil
import textwrap

import click

from truerank.cli.old_options import output_options

WIDE = 104
"""Columns from which on there is room for a picture."""

NEXT = """\
truerank simulate --out track                               the files of this track
truerank evaluate track/qrels.txt track/*.run               its scores, and what to know about them
truerank evaluate track/qrels.txt track/*.run --ties docid  the same, with ties as trec_eval breaks them
truerank compare track/qrels.txt track/*.run                which of them differ by more than chance
truerank measures                                           what else there is to measure"""


@click.command
@click.option("--systems", type=int, default=12, show_default=True, help="How many systems take part.")
@click.option("--topics", type=int, default=50, show_default=True, help="How many topics there are.")
@click.option("--seed", type=int, default=7, show_default=True, help="The same seed gives the same track.")
@output_options
def demo(systems: int, topics: int, seed: int, form: str | None, out: str | None) -> None:
    """Rank the systems of a simulated track, and see what moves them.

    \b
    Example:
      truerank demo --systems 20 --seed 3
    """
    from truerank.analysis.leaderboard import leaderboard
    from truerank.cli.output import chosen, echo, emit
    from truerank.measures.grammar import parse
    from truerank.questions.simulate.question import simulate
    from truerank.report.leaderboard import leaderboard_table, seen

    track = simulate(systems, topics, seed)
    board = leaderboard(track.qrels, track.runs, parse("nDCG@10"), 1000)
    width = shutil.get_terminal_size((WIDE, 24)).columns
    form = "table" if form is None and out is None else chosen(form, out)
    if form != "table" or out not in (None, "-"):
        emit(leaderboard_table(board, picture=False), form, out)
        return
    width = min(width, WIDE)
    echo(f"{systems} simulated systems, {topics} topics, {len(track.qrels):,} pooled judgments\n\n")
    emit(leaderboard_table(board, picture=width >= WIDE), form, out)
    lines = [""]
    for name, text in seen(board):
        lines += textwrap.wrap(f"{name:<10}{text}", width, subsequent_indent=" " * 10)
    echo("\n".join([*lines, "", "Try next:", textwrap.indent(NEXT, "  "), ""]))
