from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Command = Callable[..., Result]


def test_it_says_in_words_what_differs(truerank: Command, files: Path) -> None:
    done = truerank("why", files / "qrels.txt", files / "tied.run", "-m", "nDCG", "--value", "0.9299")
    assert done.exit_code == 0
    assert "descending order of their ids" in done.stdout
    assert "-m nDCG --ties docid" in done.stdout
    assert "fits" not in done.stdout


def test_the_options_it_names_give_the_number(truerank: Command, files: Path) -> None:
    asked = ("why", files / "qrels.txt", files / "tied.run", "-m", "AP", "--value", "0.9167", "--format", "json")
    document = json.loads(truerank(*asked).stdout)
    options = document["explanations"][0]["options"].split()
    found = json.loads(
        truerank("evaluate", files / "qrels.txt", files / "tied.run", *options, "--format", "json").stdout
    )
    assert round(found["runs"][0]["mean"], 4) == 0.9167


def test_an_unexplained_number_exits_with_1(truerank: Command, files: Path) -> None:
    done = truerank("why", files / "qrels.txt", files / "tied.run", "-m", "AP", "--value", "0.123456")
    assert done.exit_code == 1
    assert "Nothing that was tried gives " in done.stdout


def test_what_is_no_number_is_one_line(truerank: Command, files: Path) -> None:
    done = truerank("why", files / "qrels.txt", files / "tied.run", "-m", "AP", "--value", "much")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "not a number" in done.stderr


def test_few_digits_are_noted(truerank: Command, files: Path) -> None:
    asked = ("why", files / "qrels.txt", files / "tied.run", "-m", "AP", "--value", "0.9")
    done = truerank(*asked)
    assert "  - 100% of nearby numbers would be explained by an equally simple change" in done.stdout
    assert truerank(*asked, "--quiet", "TR401").stderr == ""


def test_formats_with_tables_have_one(truerank: Command, files: Path) -> None:
    asked = ("why", files / "qrels.txt", files / "tied.run", "-m", "nDCG", "--value", "0.9299")
    head, row, *_ = (line.split("\t") for line in truerank(*asked, "--format", "tsv").stdout.splitlines())
    assert head == ["value", "fits", "chance", "measure", "because", "tools", "options"]
    assert (row[1], *row[3:5]) == ("yes", "nDCG", "tied documents stand in descending order of their ids")
    assert 0 < float(row[2]) < 0.1
    assert row[5].split()[:2] == ["trec_eval-9", "trec_eval-10"]
    shown = truerank(*asked, "--format", "markdown").stdout
    assert "| value | fits | chance | measure |" in shown
    truerank(*asked, "--out", files / "why.csv")
    assert (files / "why.csv").read_text().startswith("value,fits,chance,measure,because,tools,options\n")
