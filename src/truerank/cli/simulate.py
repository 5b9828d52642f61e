"""truerank simulate: write a simulated track."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from truerank.cli.program import debug_option


@click.command
@click.option("--out", type=click.Path(file_okay=False), metavar="DIR", required=True, help="Folder to write to.")
@click.option("--systems", type=int, default=20, show_default=True, help="How many systems take part.")
@click.option("--topics", type=int, default=50, show_default=True, help="How many topics there are.")
@click.option("--seed", type=int, default=7, show_default=True, help="The same seed gives the same track.")
@click.option("--depth", type=int, default=1000, show_default=True, help="The most documents in a list.")
@click.option("--pool-depth", type=int, default=100, show_default=True, help="How deep pooled lists are judged.")
@click.option("--grades", type=int, default=3, show_default=True, help="The highest grade; 1 is binary.")
@debug_option
def simulate(out: str, systems: int, topics: int, seed: int, depth: int, pool_depth: int, grades: int) -> None:
    """Write a simulated track: judgments, and a run for each system.

    Systems differ in quality and kind: some tie, some stop early, some retrieve what was never judged, and a few topics
    have no relevant document. In a pipe it prints the files, the judgments first.

    \b
    Example:
      truerank simulate --out track --systems 20 --topics 50 --seed 7
      truerank evaluate track/qrels.txt track/*.run
    """
    from truerank.analysis.simulate import simulate

    track = simulate(systems, topics, seed, depth=depth, pool_depth=pool_depth, grades=grades)
    paths = track.write(out)
    if not sys.stdout.isatty():
        click.echo("\n".join(str(path) for path in paths))
        return
    folder = Path(out)
    click.echo(f"{folder}: {topics} topics, {len(track.qrels):,} judgments, {len(paths) - 1} runs")
    click.echo(f"next: truerank evaluate {folder / 'qrels.txt'} {folder / '*.run'}")
