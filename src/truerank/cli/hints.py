"""What to type instead: words of other tools, files without a command, a figure where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

ELSEWHERE: dict[str, tuple[str, ...]] = {
    "-q": ("--per-topic", "--show topics"),
    "--per-query": ("--per-topic", "--show topics"),
    "--per_query": ("--per-topic", "--show topics"),
    "--per-topic": ("--show topics",),
    "--per_topic": ("--per-topic", "--show topics"),
    "--by-topic": ("--per-topic", "--show topics"),
    "--by-query": ("--per-topic", "--show topics"),
    "--metric": ("--measure",),
    "--metrics": ("--measure",),
    "--measures": ("--measure",),
    "--queries": ("--topics",),
    "--query": ("--topic", "--topics"),
    "--qid": ("--topic", "--topics"),
    "--output": ("--out",),
    "-o": ("--out",),
    "-f": ("--format",),
    "--json": ("--format json",),
    "--csv": ("--format csv",),
    "--latex": ("--format latex",),
    "--markdown": ("--format markdown",),
    "--p-value": ("--alpha",),
    "--verbose": ("--notes",),
    "-v": ("--notes",),
}
"""Options of other tools, and what may be meant: the first that a command has."""
RUN_COLUMNS, QRELS_COLUMNS = 6, 4


def instead(given: str, command: click.Command, ctx: click.Context) -> str | None:
    """What to type in place of an option that a command does not have; None if nothing is known of it.

    The answer ends a sentence that names the option.
    """
    options = {flag: each for each in command.params if isinstance(each, click.Option) for flag in each.opts}
    for words in ELSEWHERE.get(given, ()):
        flag, _, value = words.partition(" ")
        if flag in options and (not value or value in getattr(options[flag].type, "choices", ())):
            return f"type {words}"
    if "--per-topic" in ELSEWHERE.get(given, ()):
        return "scores per topic are in: truerank evaluate QRELS RUN --per-topic"
    if given in ("--plot", "--figure"):
        if "--plot" in options:
            return "type --plot FILE, such as --plot figure.svg"
        return f"{ctx.command_path} draws no figure; type: truerank compare QRELS RUN RUN --plot figure.svg"
    return None


def for_files(words: Sequence[str]) -> str | None:
    """What to type where files stand in place of a command; None if the first word is no file.

    Judgments come first, whatever their place was.
    """
    if not _is_file(words[0]):
        return None
    files: list[str] = []
    for word in words:
        if word.startswith("-"):
            break
        files.append(word)
    options = words[len(files) :]
    qrels = [each for each in files if _holds_judgments(each)][:1]
    runs = [each for each in files if each not in qrels]
    if not runs:
        return f"truerank evaluate {_quoted(qrels[0])} RUN"
    return " ".join(["truerank evaluate", *map(_quoted, qrels or ["QRELS"]), *map(_quoted, [*runs, *options])])


def _is_file(word: str) -> bool:
    return not word.startswith("-") and Path(word).is_file()


def _holds_judgments(path: str) -> bool:
    """Whether a file seems to hold judgments: by its first line or, where that does not tell, by its name."""
    with suppress(OSError, UnicodeDecodeError):
        with Path(path).open(encoding="utf-8") as file:
            columns = len(file.readline().split())
        if columns in (RUN_COLUMNS, QRELS_COLUMNS):
            return columns == QRELS_COLUMNS
    return "qrel" in Path(path).name.lower() or "judg" in Path(path).name.lower()


def _quoted(word: str) -> str:
    if word.replace("-", "").replace("_", "").replace("/", "").replace(".", "").replace("@", "").isalnum():
        return word
    return '"' + word.replace('"', '\\"') + '"'
