"""Freeze what commands answer, or compare two frozen trees; see the package's own text."""

from __future__ import annotations

import argparse
import sys

from benchmarks.frozen.comparing import compare
from benchmarks.frozen.freezing import freeze

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.frozen")
    commands = parser.add_subparsers(dest="command", required=True)
    freezing = commands.add_parser("freeze")
    freezing.add_argument("out")
    freezing.add_argument("--data", required=True)
    freezing.add_argument("--old", action="store_true")
    comparing = commands.add_parser("compare")
    comparing.add_argument("before")
    comparing.add_argument("after")
    comparing.add_argument("--all", action="store_true", help="list every value that differs")
    comparing.add_argument("--table", action="append", default=[], metavar="FILE", help="more lines for the table")
    for each in (freezing, comparing):
        each.add_argument("--only", action="append", default=[], metavar="NAME", help="cases whose names begin so")
    asked = parser.parse_args()
    if asked.command == "freeze":
        freeze(asked.out, asked.data, asked.only, old=asked.old)
    else:
        sys.exit(compare(asked.before, asked.after, asked.only, asked.table, every=asked.all))
