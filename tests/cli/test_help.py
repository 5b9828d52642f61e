"""Help on one screen, everything on --help-all, and what to type instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import truerank as tr
from truerank.cli.main import COMMANDS, program
from truerank.cli.pages import everything
from truerank.data.errors import InputError
from truerank.questions import GROUPS
from truerank.report.signature import CONVENTIONS, FIGURES, INPUT
from truerank.report.signature import GROUPS as OPTION_GROUPS

SCREEN = 60
ROOT = click.Context(program, info_name="truerank", terminal_width=80, **program.context_settings)


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command with its name, also those inside others; but for that of trec_eval, which has its own help."""
    for name in COMMANDS:
        command = program.get_command(ROOT, name)
        assert command is not None
        if name == "trec_eval":
            continue
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", each) for inner, each in command.commands.items())


PAGES = dict(commands())


def context(name: str) -> click.Context:
    return click.Context(PAGES[name], info_name=name, parent=ROOT, terminal_width=80)


@pytest.mark.parametrize("name", PAGES)
def test_help_fits_one_screen(name: str) -> None:
    lines = PAGES[name].get_help(context(name)).splitlines()
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= 80


def test_the_list_of_commands_fits_one_screen(truerank: Any) -> None:
    shown = truerank("--help").stdout
    assert shown.count("\n") <= SCREEN
    assert [name for name in COMMANDS if not re.search(rf"\b{name}\b", shown)] == []
    assert set().union(*map(set, GROUPS.values())) <= set(COMMANDS)
    whole = truerank("--help-all").stdout
    assert [name for name, line in COMMANDS.items() if not re.search(rf"\n  {name} ", whole)] == []


@pytest.mark.parametrize("name", PAGES)
def test_help_all_has_every_option_once(name: str) -> None:
    whole = everything(context(name))
    # Texts before the options may name some.
    whole = whole[max(whole.find("Example:"), 0) :]
    for param in PAGES[name].params:
        if isinstance(param, click.Option):
            flag = max(param.opts, key=len)
            # The left column; texts and examples may name it, too.
            assert len(re.findall(rf"^  (?:-\w, |--[\w-]+, )*{flag}(?![\w-])", whole, re.M)) == 1, flag


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("trec_eval", "help", "stop")])
def test_help_has_at_most_two_examples_and_says_where_the_rest_is(name: str) -> None:
    shown = PAGES[name].get_help(context(name))
    assert 1 <= len(re.findall(rf"^    truerank {name}\b", shown, re.M)) <= 2
    assert shown.endswith(f"\ntruerank {name} --help-all")


def test_groups_are_in_one_order_and_explained_once() -> None:
    whole = everything(context("compare"))
    titles = [group.title for group in OPTION_GROUPS if f"\n{group.title}\n" in whole]
    assert titles == [group.title for group in OPTION_GROUPS if group.title != "How"]
    places = [whole.index(f"\n{title}\n") for title in titles]
    assert places == sorted(places)
    said = " ".join(whole.split())
    assert [said.count(group.about) for group in (CONVENTIONS, FIGURES, INPUT)] == [1, 1, 1]
    shown = PAGES["compare"].get_help(context("compare"))
    assert "--ties" not in shown
    assert everything(context("stop")) == PAGES["stop"].get_help(context("stop"))
    assert "\nHow to test\n" in shown


@pytest.mark.parametrize("args", [["help", "compare"], ["compare", "-h"]])
def test_help_is_the_same_however_it_is_asked_for(truerank: Any, args: list[str]) -> None:
    assert truerank(*args).stdout == truerank("compare", "--help").stdout


@pytest.mark.parametrize(
    ("args", "typed"),
    [
        (["good.run", "qrels.txt"], "a command is missing before good.run; type: truerank evaluate qrels.txt good.run"),
        (["qrels.txt", "good.run", "-m", "AP P@10"], 'type: truerank evaluate qrels.txt good.run -m "AP P@10"'),
        (["qrels.txt"], "type: truerank evaluate qrels.txt RUN; see"),
        (["good.run"], "type: truerank evaluate QRELS good.run"),
        (["evaluate", "qrels.txt", "good.run", "-q"], "no such option: -q; type --per-topic; see"),
        (["evaluate", "qrels.txt", "good.run", "--per-query"], "no such option: --per-query; type --per-topic; see"),
        (["compare", "qrels.txt", "good.run", "-q"], "no such option: -q; type --show topics; see"),
        (["lint", "qrels.txt", "-q"], "scores per topic are in: truerank evaluate QRELS RUN --per-topic"),
        (["lint", "qrels.txt", "--plot", "x.svg"], "type: truerank compare QRELS RUN RUN --plot figure.svg"),
        (["evaluate", "qrels.txt", "good.run", "--metric", "AP"], "no such option: --metric; type --measure; see"),
        (["evaluate", "qrels.txt", "good.run", "--json"], "no such option: --json; type --format json; see"),
        (["choose", "--depth", "n"], "'n' is not a valid number"),
    ],
)
def test_what_is_not_there_is_answered_with_what_to_type(
    truerank: Any, files: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], typed: str
) -> None:
    monkeypatch.chdir(files)
    done = truerank(*args)
    assert done.exit_code == 2
    assert typed in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_is_typed_instead_works(truerank: Any, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    assert truerank("evaluate", "qrels.txt", "good.run", "--per-topic").exit_code == 0


QRELS, RUN = {"q": {"d7": 1}}, {"q": ["d7"]}


@pytest.mark.parametrize(
    ("keyword", "said"),
    [
        ("metrics", r"evaluate\(\) has no argument 'metrics'; did you mean measures\?"),
        ("unjuged", r"evaluate\(\) has no argument 'unjuged'; did you mean unjudged\?"),
        (
            "per_topic",
            r"no argument 'per_topic'; scores per topic are in the answer: tr.evaluate\(...\).rows\('topics'\)",
        ),
        ("xyz", "no argument 'xyz'; it takes qrels, runs, measures"),
    ],
)
def test_a_keyword_that_there_is_not_says_what_is_meant(keyword: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        tr.evaluate(QRELS, RUN, **{keyword: "AP"})
    with pytest.raises(TypeError):
        tr.evaluate(QRELS, RUN, **{keyword: "AP"})
    assert [row.value for row in tr.evaluate(QRELS, RUN, "AP").rows("topics")][:1] == [1.0]


def test_a_document_in_place_of_documents_says_how_they_are_given() -> None:
    with pytest.raises(InputError, match=re.escape("if 'q' is a topic, give its grades: {'q': {'d7': 1}}")):
        tr.evaluate({"q": "d7"}, RUN, "AP")
    with pytest.raises(InputError, match=re.escape("if 'q' is a topic, give its documents in a list: {'q': ['d7']}")):
        tr.evaluate(QRELS, {"q": "d7"}, "AP")
    with pytest.raises(InputError, match=r"^no\.run: there is no such file; check the path$"):
        tr.evaluate(QRELS, "no.run", "AP")
