from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Command = Callable[..., Result]


def test_it_says_in_words_what_differs(truerank: Command, files: Path) -> None:
    done = truerank("why", files / "qrels.txt", files / "tied.run", "-m", "nDCG", "--value", "0.9299")
    assert done.exit_code == 0
    assert "descending order of their ids" in done.output
    assert "-m nDCG --ties docid" in done.output


def test_the_options_it_names_give_the_number(truerank: Command, files: Path) -> None:
    asked = ("why", files / "qrels.txt", files / "tied.run", "-m", "AP", "--value", "0.9167", "--format", "json")
    document = json.loads(truerank(*asked).stdout)
    [*options] = document["explanations"][0]["options"].split()
    found = json.loads(
        truerank("evaluate", files / "qrels.txt", files / "tied.run", *options, "--format", "json").stdout
    )
    assert round(found["runs"]["tied"]["AP"]["mean"], 4) == 0.9167


def test_an_unexplained_number_exits_with_1(truerank: Command, files: Path) -> None:
    done = truerank("why", files / "qrels.txt", files / "tied.run", "-m", "AP", "--value", "0.123456")
    assert done.exit_code == 1
    assert "Nothing that was tried gives this number" in done.output


def test_what_is_no_number_is_one_line(truerank: Command, files: Path) -> None:
    done = truerank("why", files / "qrels.txt", files / "tied.run", "-m", "AP", "--value", "much")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "not a number" in done.stderr
