"""trec_eval's command line: flags joined or apart, long names whole or cut short, before the files or after them."""

from __future__ import annotations

import getopt
import textwrap
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from truerank.compat.trec_eval.names import NICKNAMES, Family, Setting, chosen, families
from truerank.compat.trec_eval.parameters import whole
from truerank.compat.trec_eval.pyserini import split_arguments
from truerank.data.classes import dataclass
from truerank.data.errors import InputError

VERSIONS = (9, 10)

_LONG = {
    "help": "h",
    "version": "v",
    "query_eval_wanted": "q",
    "measure=": "m",
    "complete_rel_info_wanted": "c",
    "level_for_rel=": "l",
    "nosummary": "n",
    "Debug_level=": "D",
    "Judged_docs_only": "J",
    "Number_docs_in_coll=": "N",
    "Max_retrieved_per_topic=": "M",
    "Rel_info_format=": "R",
    "Results_format=": "T",
    "Output_old_results_format=": "o",
    "Zscore=": "Z",
}
_LETTERS = {f"--{long.rstrip('=')}": letter for long, letter in _LONG.items()}


class UsageError(InputError):
    """A command line that cannot be meant; trec_eval exits 1 for it."""


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """What was asked for."""

    setting: Setting = field(default_factory=Setting)
    asks: str = ""
    """ "help" or "version" where that is all."""
    wanted: tuple[tuple[str, str | None], ...] = ()
    """Measures in the order of the output, with the parameters given."""
    per_topic: bool = False
    summary: bool = True
    complete: bool = False
    judged_only: bool = False
    depth: int | None = None
    """How many documents of each topic count (-M)."""
    only: str | None = None
    """The one topic to evaluate (-D)."""
    judgments: str = "qrels"
    """The form of the judgments (-R)."""
    results: str = "trec_results"
    """The form of the run (-T)."""
    zscores: str | None = None
    removes_unjudged: bool = False
    """Whether documents without a judgment leave the run first (-remove-unjudged of pyserini)."""
    judged: tuple[int, ...] = ()
    """Depths of judged shares (-m judged.5,10 of pyserini)."""
    qrels: str = ""
    run: str = ""


def arguments(words: list[str]) -> Arguments:
    """Read a command line.

    >>> asked = arguments(["qrels.txt", "run.gz", "-qcl2", "--meas", "P.5", "--version", "9"])
    >>> asked.per_topic, asked.complete, asked.setting, asked.wanted
    (True, True, Setting(version=9, level=2, size=0), (('P', '5'),))
    """
    version, words = _version(words)
    try:
        words, removes, judged = split_arguments(words)
    except InputError as error:
        raise UsageError(error.message) from None
    try:
        options, files = getopt.gnu_getopt(words, "hvqm:cl:nD:JN:M:R:T:oZ:", list(_LONG))
    except getopt.GetoptError as error:
        raise UsageError(f"{error}; truerank trec_eval -h lists the options") from None
    found = _options([(_LETTERS.get(name, name[1:]), value) for name, value in options], version)
    found |= {"removes_unjudged": removes, "judged": judged}
    if found.get("asks"):
        return Arguments(**found)
    if len(files) != 2:
        raise UsageError(f"two files are needed, qrels and a run, not {len(files)}; see: truerank trec_eval -h")
    return Arguments(**{"wanted": _wanted(["official"], version), **found}, qrels=files[0], run=files[1])


def _version(words: list[str]) -> tuple[int, list[str]]:
    """The version of trec_eval to be, and the words without it; --version alone asks which it is."""
    for index, word in enumerate(words):
        if word == "--":
            break
        name, joined, value = word.partition("=")
        following = "".join(words[index + 1 : index + 2])
        if name == "--version" and (joined or following.isdigit()):
            given = value if joined else following
            if given not in map(str, VERSIONS):
                raise UsageError(f"version {given!r} of trec_eval is not known here; take 9 or 10")
            return int(given), words[:index] + words[index + 1 + (not joined) :]
    return VERSIONS[-1], words


def _options(options: list[tuple[str, str]], version: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    setting: dict[str, int] = {"version": version}
    named: list[str] = []
    flags = {"q": ("per_topic", True), "c": ("complete", True), "n": ("summary", False), "J": ("judged_only", True)}
    texts = {"R": "judgments", "T": "results", "Z": "zscores"}
    for letter, value in options:
        if letter in flags:
            found[flags[letter][0]] = flags[letter][1]
        elif letter in texts:
            found[texts[letter]] = value
        elif letter == "m":
            _wanted([value], version)
            named.append(value)
        elif letter == "l":
            setting["level"] = _from_zero("-l", value)
        elif letter == "N":
            setting["size"] = _from_zero("-N", value)
        elif letter == "M":
            found["depth"] = _from_zero("-M", value)
        elif letter == "D" and "." in value:
            found["only"] = value.partition(".")[2]
        elif letter == "v":
            return {"asks": "version", "setting": Setting(version=version)}
        elif letter == "h":
            found["asks"] = "help"
    if named:
        found["wanted"] = _wanted(named, version)
    return {**found, "setting": Setting(**setting)}


def _from_zero(option: str, value: str) -> int:
    if whole(value) < 0:
        raise UsageError(f"{option} is a whole number from 0 on, not {value!r}")
    return whole(value)


def _wanted(named: list[str], version: int) -> tuple[tuple[str, str | None], ...]:
    """Measures in the order of the output; the first parameters that are given for one count."""
    given: dict[str, str | None] = {}
    for text in named:
        try:
            names, parameters = chosen(text, version)
        except InputError as error:
            raise UsageError(error.message) from None
        for name in names:
            given[name] = given[name] if given.get(name) is not None else parameters
    return tuple((name, given[name]) for name in families(version) if name in given)


_HEAD = """\
truerank trec_eval [options] QRELS RUN

Evaluates RUN against the judgments in QRELS and prints what trec_eval {version} prints. RUN may be - for standard input
(version 10). Files may be compressed.

 -q, --query_eval_wanted            also print the values of each topic
 -n, --nosummary                    do not print the summary
 -m, --measure NAME[.PARAMETERS]    a measure or a nickname; repeatable; official if there is none
 -c, --complete_rel_info_wanted     average over all judged topics; those without documents in RUN count as 0
 -l, --level_for_rel NUMBER         the grade from which on a document is relevant; 1
 -J, --Judged_docs_only             leave out documents that are not judged
 -M, --Max_retrieved_per_topic NUM  evaluate the first NUM documents of each topic
 -N, --Number_docs_in_coll NUMBER   documents in the collection; utility may need it
 -R, --Rel_info_format FORM         qrels, prefs, qrels_prefs or qrels_jg
 -T, --Results_format FORM          trec_results
 -Z, --Zscore FILE                  print z-scores; FILE has lines of topic, measure, mean, standard deviation
 -D, --Debug_level NUMBER[.TOPIC]   evaluate that topic only; nothing else is printed about it
 -v, --version                      print the version
     --version 9, --version 10      be that version of trec_eval; 10
 -h, --help                         print this; with -m, about those measures only

 Of pyserini:
     -remove-unjudged               take documents without a judgment, of any grade, out of RUN first
     -m judged.5,10                 also print the share of judged documents among the first of all topics

Example:
    truerank trec_eval -q -m map -m P.5,10 qrels.txt bm25.run

Exit codes: 1 usage, 2 file or format, 4 calculation (a document twice; version 10: a topic without documents, and no
-c), 7 no topic to evaluate.

Nicknames:
"""
_PARAMETERS = {
    "plain": "",
    "cutoffs": "depths: -m {name}.5,10",
    "levels": "levels: -m {name}.0.1,0.25",
    "weights": "numbers: -m {name}.{default}",
    "pairs": "gains of grades: -m {name}.1=3,2=9",
}
_OWN = {"rbp": "persistence, gains: -m rbp.p=0.8,1=3", "rbp_resid": "persistence: -m rbp_resid.p=0.8"}


def help_text(asked: Arguments) -> str:
    """Options, nicknames and measures, in our own words."""
    version = asked.setting.version
    known = families(version)
    nicknames = [_listed(name, [each for each in known if each in names]) for name, names in NICKNAMES.items()]
    chosen = [name for name, _ in asked.wanted] or list(known)
    rows = [f" {name:<24} {_parameters(known[name])}".rstrip() + "\n" for name in chosen]
    return "".join([_HEAD.format(version=version), *nicknames, "\nMeasures, and the parameters they take:\n", *rows])


def _listed(name: str, names: Sequence[str]) -> str:
    return textwrap.fill(f" {name:<10} {', '.join(names)}", 100, subsequent_indent=" " * 12) + "\n"


def _parameters(family: Family) -> str:
    default = ",".join(f"{number:g}" for number in family.default)
    return _OWN.get(family.name) or _PARAMETERS[family.kind].format(name=family.name, default=default)
