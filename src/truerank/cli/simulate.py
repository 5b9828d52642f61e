"""truerank simulate: write a simulated track, which is files rather than an answer to a question."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from truerank.cli.command import help_text
from truerank.cli.options import option
from truerank.cli.output import echo
from truerank.cli.pages import Paged, Told
from truerank.cli.program import DEBUG
from truerank.questions.simulate.question import simulate
from truerank.report.signature import SHOWN, parameters

OUT = Told(
    ["--out"],
    type=click.Path(file_okay=False),
    metavar="DIR",
    everyday=True,
    group=SHOWN,
    required=True,
    help="Folder to write to. A folder that has files is refused.",
)
FORCE = Told(
    ["--force"],
    is_flag=True,
    help="Write into a folder that has files, and replace those with the same names.",
    everyday=True,
    group=SHOWN,
)


def write(out: str, force: bool, **given: Any) -> None:
    """Write a track; in a pipe say the names of its files, and otherwise what it is."""
    if out == "-":
        raise click.BadParameter("a track is several files; name a folder", param_hint="'--out'")
    if not force:
        from truerank.questions.simulate.track import refuse_full

        refuse_full(out)
    track = simulate(**{name: value for name, value in given.items() if value is not None})
    paths = track.write(out, force=force)
    if not sys.stdout.isatty():
        echo("".join(f"{path}\n" for path in paths))
        return
    folder = Path(out)
    echo(f"{folder}: {len(track.topics)} topics, {len(track.qrels):,} judgments, {len(paths) - 1} runs\n")
    echo(f"next: truerank evaluate {folder / 'qrels.txt'} {folder / '*.run'}\n")


command = Paged(
    "simulate",
    callback=write,
    params=[OUT, FORCE, *map(option, parameters(simulate)), DEBUG],
    help=help_text(simulate.__doc__ or ""),
)
