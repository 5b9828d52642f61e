"""One name, one statistic: over the rows of all answers, a column's name stands for one thing of one type."""

from __future__ import annotations

import importlib.util
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from truerank.report.rows import Described

STATISTICS = {
    "tau_a": ("float", "Kendall's tau-a( of .+)?"),
    "tau_b": ("float", "Kendall's tau-b( (of|between) .+)?"),
    "tau_ap": ("float", "AP correlation; the reference is the truth"),
    "tau_ap_other": ("float", "AP correlation; the other order is the truth"),
    "pairs": ("int", "pairs of runs"),
    "ordered_pairs": ("int", "pairs that the reference does not tie"),
    "reversed": ("int", "pairs in the opposite order"),
    "lost": ("int", "pairs that differ significantly by the reference alone"),
    "gained": ("int", "pairs that differ significantly by the other alone"),
    "contradicted": ("int", "pairs that differ significantly by both, in opposite orders"),
    "rank": ("int", "its rank( (by|among) .+)?"),
    "best_rank": ("int", "its best rank( over .+)?"),
    "worst_rank": ("int", "its worst rank( over .+)?"),
    "rank_low": ("int", "the best rank that it can have( by .+)?"),
    "rank_high": ("int", "the worst rank that it can have( by .+)?"),
}
"""The type and the meaning of each, a regular expression. After a comma or a semicolon a row may say more: what a mean
is taken of, or when there is none."""

NAMELESS = {"tau", "place", "kendall", "inverted", "swapped", "crossed", "overturned"}
"""Names that do not say which of several statistics is meant."""

SEVERAL_TYPES = {
    "a": "a score in diff, a document in preferences",
    "after": "lengths of lists in nil: all of them, or how many",
    "b": "as a",
    "before": "as after",
    "best": "the best score; in calibrate the length that has it",
    "discrimination": "by depth in depth, a share elsewhere",
    "documents": "how many; in preferences those of a cycle",
    "explained": "judgments in topics of pool, a share in its summaries",
    "gained_share": "by depth in depth, a number in its grid",
    "grade": "a grade is a number of any kind; grades that preferences make are whole",
    "high": "the end of an interval; of bins of lengths and of counts it is whole",
    "judged": "documents in ties and audit, a share in unjudged; of one document, whether it is",
    "least": "the least loss, or how many preferences it takes",
    "least_found": "as least",
    "losses": "topics that are worse; in nil the sum of what was lost",
    "low": "as high",
    "needed_topics": "a whole number, or an estimate of it",
    "order": "the order of ties, a share in judges, documents of a cycle in preferences",
    "rank.{}": "the rank of a run; in meta that of a measure, a mean if some are tied",
    "ranks": "text in judges, ranks by run in unjudged",
    "relevant": "documents; of one document, whether it is; in judges and curves a share or a mean",
    "reversed_share": "as gained_share",
    "same": "a share in judges, a number of pairs in preferences",
    "sampled": "topics in curves, a score in negatives, a share in meta",
    "score": "a score; in calibrate one per length",
    "significant": "pairs; in compare whether one is",
    "smallest": "the smallest group of pool, the smallest difference in meta",
    "tau_a": "as gained_share",
    "tau_ap": "as gained_share",
    "tau_b": "as gained_share",
    "ties": "topics or pairs that are tied; groups of ties in explain",
    "topics": "how many; in evaluate and compare scores by topic",
    "undefined": "topics; in explain the reason",
    "unjudged": "how unjudged documents count, a share in report, documents in preferences and explain",
    "value": "a score; in depth one per depth",
}
"""Names that have several types today, and why. No name comes in, and one that has a single type goes out."""


class Column(NamedTuple):
    """A column and where it is."""

    question: str
    where: str
    name: str
    type: str
    meaning: str


@pytest.fixture(scope="module")
def columns() -> list[Column]:
    path = Path(__file__).parents[2] / "docs/generate.py"
    spec = importlib.util.spec_from_file_location("generate", path)
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    return [*_columns(generate.answers())]


def _columns(answers) -> Iterator[Column]:
    for question, each in answers.items():
        for answer in each:
            for show, sheet in answer.sheets.items():
                for one in sheet.row.described.values():
                    # Columns that only people see may say in words what a column of the same name says in numbers.
                    if not one.for_people:
                        yield Column(question, f"{answer.__name__}, {show}", _name(one), _type(one), one.meaning)


def _name(one: Described) -> str:
    return one.spread if one.kind == "numbers" else one.column_name


def _type(one: Described) -> str:
    return one.type if one.kind in ("cell", "numbers") else one.kind


def fits(one: Column) -> bool:
    """Whether a column is the statistic that its name says, if it says one."""
    if one.name not in STATISTICS:
        return True
    type_, meaning = STATISTICS[one.name]
    if one.type == "nested":
        # A series has one for each of its places.
        type_, meaning = "nested", f"at (each depth|checkpoints), {meaning}"
    return one.type == type_ and re.fullmatch(f"{meaning}([,;] .+)?", one.meaning) is not None


def test_a_statistic_has_one_meaning_and_one_type(columns):
    wrong = [one for one in columns if not fits(one)]
    assert wrong == []


def test_a_name_says_which_statistic_it_is(columns):
    wrong = [one for one in columns if one.name in NAMELESS]
    assert wrong == []


def test_a_name_has_one_type(columns):
    types = defaultdict(lambda: defaultdict(list))
    for one in columns:
        types[one.name][one.type].append(one.where)
    several = {name: dict(by) for name, by in types.items() if len(by) > 1}
    assert {name: by for name, by in several.items() if name not in SEVERAL_TYPES} == {}
    assert set(SEVERAL_TYPES) - set(several) == set()
