"""Text of any length, for every argument and option of every command: what is said of it quotes a part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from tests.cli.test_places import LINES, WITHOUT_FILES, commands, folder
from tests.quick import first

LONG = {"word": "x" * 100_000, "digits": "9" * 5_000, "path": ("y" * 300 + "/") * 12, "words": "no such thing " * 5_000}
SHORT = {"properties": ["P@2", "--longest", "3"]}
"""What takes long without."""
MOST = 1_700
"""Characters of a line on standard error: what an error may have, and the name of the program."""
__all__ = ["folder"]


def lines(name: str, command: click.Command) -> list[list[str]]:
    """Command lines in which one argument or the value of one option is to be replaced, which is ""."""
    whole = LINES.get(name, SHORT.get(name, []))
    places = [place for place, word in enumerate(whole) if not word.startswith("-")]
    found = [[*whole[:place], "", *whole[place + 1 :]] for place in places]
    for each in command.params:
        if isinstance(each, click.Option) and not each.is_flag:
            count = each.nargs if each.nargs > 0 else 1
            found.append([*whole, max(each.opts, key=len), *[""] * count])
    return found or [[""]]


@pytest.mark.parametrize("kind", first(1, LONG))
@pytest.mark.parametrize(("name", "command"), [*commands()], ids=[name for name, _ in commands()])
def test_no_line_quotes_all_of_it(truerank: Any, folder: Path, name: str, command: click.Command, kind: str) -> None:
    assert name in LINES or name in WITHOUT_FILES
    for words in lines(name, command):
        done = truerank(*name.split(), *(word or LONG[kind] for word in words))
        longest = max(map(len, done.stderr.splitlines()), default=0)
        assert longest <= MOST, (words, done.stderr[:200])
        assert done.exit_code == 0 or done.stderr, words
        assert "internal error" not in done.stderr, (words, done.stderr[-400:])
