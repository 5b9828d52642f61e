"""The command line, in every form that trec_eval's takes, and its help."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from truerank.compat.trec_eval.arguments import Arguments, UsageError, arguments
from truerank.compat.trec_eval.names import NICKNAMES, Setting, families
from truerank.compat.trec_eval.program import trec_eval


def read(text: str) -> Arguments:
    return arguments([*shlex.split(text), "qrels", "run"])


@pytest.mark.parametrize(
    "text",
    [
        "-q -c -l 2 -M 100 -N 50 -J -n -m map -R qrels -T trec_results -Z means -o",
        "-qcl2 -M100 -N50 -Jn -mmap -Rqrels -Ttrec_results -Zmeans",
        "--query_eval_wanted --complete_rel_info_wanted --level_for_rel 2 --Max_retrieved_per_topic 100 "
        "--Number_docs_in_coll=50 --Judged_docs_only --nosummary --measure map --Rel_info_format=qrels "
        "--Results_format trec_results --Zscore=means --Output_old_results_format x",
        "--quer --compl --lev=2x --Max 100 --Num 50.9 --Jud --nosum --meas=map --Z means",
    ],
)
def test_forms_of_options(text: str) -> None:
    assert read(text) == Arguments(
        setting=Setting(level=2, size=50),
        wanted=(("map", None),),
        per_topic=True,
        summary=False,
        complete=True,
        judged_only=True,
        depth=100,
        zscores="means",
        qrels="qrels",
        run="run",
    )


@pytest.mark.parametrize("words", ["-m map qrels run", "qrels -m map run", "qrels run -m map", "-m map -- qrels run"])
def test_options_stand_before_and_behind_files(words: str) -> None:
    asked = arguments(shlex.split(words))
    assert (asked.qrels, asked.run, asked.wanted) == ("qrels", "run", (("map", None),))


def test_standard_input_is_a_file() -> None:
    assert arguments(["qrels", "-"]).run == "-"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("qrels run", {"version": 10}),
        ("--version 9 qrels run", {"version": 9}),
        ("qrels run --version=9", {"version": 9}),
        ("-q --version 10 qrels run", {"version": 10}),
        ("-v", {"version": 10, "asks": "version"}),
        ("--version", {"version": 10, "asks": "version"}),
        ("--version 9 -v", {"version": 9, "asks": "version"}),
        ("-v qrels run", {"version": 10, "asks": "version"}),
        ("-h", {"version": 10, "asks": "help"}),
        ("--help --version 9", {"version": 9, "asks": "help"}),
    ],
)
def test_version(text: str, expected: dict[str, Any]) -> None:
    asked = arguments(shlex.split(text))
    assert asked.setting.version == expected["version"]
    assert asked.asks == expected.get("asks", "")


def test_without_a_measure_the_official_ones() -> None:
    assert [name for name, _ in read("").wanted][-3:] == ["recip_rank", "iprec_at_recall", "P"]
    assert read("-m P.5 -m official -m P.7").wanted[-1] == ("P", "5")


def test_nicknames_have_no_parameters() -> None:
    assert {given for _, given in read("-m set.3").wanted} == {None}


def test_one_topic() -> None:
    assert read("-D 1.q.2").only == "q.2"
    assert read("-D 3").only is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "two files are needed"),
        ("qrels", "two files are needed"),
        ("a b c", "two files are needed"),
        ("-x qrels run", "option -x not recognized"),
        ("--nonsense qrels run", "option --nonsense not recognized"),
        ("--R qrels qrels run", "not a unique prefix"),
        ("qrels run -l", "option -l requires argument"),
        ("-m nonsense qrels run", "has no measure 'nonsense'"),
        ("-m P. qrels run", "ends in a dot"),
        ("--version 9 -m rbp qrels run", "trec_eval 9 has no measure 'rbp'"),
        ("--version=8 qrels run", "version '8' of trec_eval is not known"),
        ("--version 8 qrels run", "version '8' of trec_eval is not known"),
        ("-l -1 qrels run", "-l is a whole number from 0 on"),
        ("-M-1 qrels run", "-M is a whole number from 0 on"),
    ],
)
def test_what_cannot_be_meant(words: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        arguments(shlex.split(words))


@pytest.mark.parametrize("words", [["-h"], ["--help"], ["-h", "--version", "9"]])
def test_help_lists_every_measure_and_option(words: list[str]) -> None:
    outcome = trec_eval(words)
    version = 9 if "9" in words else 10
    assert outcome.code == 0
    listed = {line.split()[0] for line in outcome.text.splitlines() if line.startswith(" ") and line.strip()}
    assert {*families(version), *NICKNAMES} <= listed
    assert ("rbp" in listed) == (version == 10)
    for letter in "hvqmclnDJNMRTZ":
        assert f" -{letter}, --" in outcome.text


def test_help_on_some_measures() -> None:
    text = trec_eval(["-h", "-m", "set_F"]).text.partition("Measures, ")[2]
    assert text.splitlines()[1:] == [" set_F                    numbers: -m set_F.1"]
