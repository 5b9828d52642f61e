"""What -h prints."""

from __future__ import annotations

import textwrap

from truerank.compat.trec_eval.arguments import Arguments
from truerank.compat.trec_eval.families import NICKNAMES, Family
from truerank.compat.trec_eval.names import families

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

Example:
    truerank trec_eval -q -m map -m P.5,10 qrels.txt bm25.run

Exit codes: 1 usage, 2 file or format, 4 calculation (a document twice; version 10: a topic without documents, and no
-c), 7 no topic in common.

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
    nicknames = [_listed(name, tuple(each for each in known if each in names)) for name, names in NICKNAMES.items()]
    chosen = [name for name, _ in asked.wanted] or list(known)
    rows = [f" {name:<24} {_parameters(known[name])}".rstrip() + "\n" for name in chosen]
    return "".join([_HEAD.format(version=version), *nicknames, "\nMeasures, and the parameters they take:\n", *rows])


def _listed(name: str, names: tuple[str, ...]) -> str:
    return textwrap.fill(f" {name:<10} {', '.join(names)}", 100, subsequent_indent=" " * 12) + "\n"


def _parameters(family: Family) -> str:
    default = ",".join(f"{number:g}" for number in family.default)
    return _OWN.get(family.name) or _PARAMETERS[family.kind].format(name=family.name, default=default)
