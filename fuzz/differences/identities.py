"""Scores that follow from one another: without empty topics, and of lists that are cut."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import truerank as tr
from fuzz.case import Case
from fuzz.differences.brute_force import TOLERANCE, same
from fuzz.targets.target import Disagreement, Light
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse

ITEMS = tuple(f"i{n}" for n in range(8))
STARS = ((0.0, 1.0), (1.0, 2.0, 3.0, 4.0, 5.0), (0.5, 1.0, 2.5, 3.5, 4.5, 5.0), (0.0, 0.0, 1.0, 3.0), (-1.0, 0.0, 2.0))
EMPTY: tuple[dict[str, float], ...] = ({}, {"i0": 0.0}, {"i1": 0.0, "i2": 0.0}, {"i3": -1.0})
ZERO = ("Success@1", "Success(rel=4)@3", "RR", "RR(rel=3)", "P@3", "ERR@5", "RBP(p=0.8)", "DCG@5", "CG", "iRBU")
UNDEFINED = ("R@2", "R(rel=4)@5", "AP", "AP(rel=3)", "nDCG@5", "nDCG(rel=2)", "Rprec", "Bpref", "Q", "nERR", "GM")
MEANT = ("RBPU", "ERRU", "RRT", "RBPT(p=0.5)", "nDCGT", "APT", "c@1", "NumRet", "Judged@3", "P", "PrefLoss")
BY_RANK = ("RR", "Success@1", "Success@3", "nDCG@2", "nDCG", "AP", "RBP(p=0.5)", "P@2", "R@3", "ERR")


class EmptyTopics(Light):
    """Star ratings of users, some of whom have no relevant item: left out, they are as if they were not there."""

    name, share = "empty topics", 20

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """Ratings, lists, measures and conventions."""
        stars = rng.choice(STARS)
        qrels = {
            f"u{n}": dict(rng.choice(EMPTY))
            if rng.random() < 0.35
            else {item: rng.choice(stars) for item in rng.sample(ITEMS, rng.randint(1, 5))}
            for n in range(rng.randint(1, 6))
        }
        run = {
            user: {item: float(rng.randint(0, 4)) for item in rng.sample(ITEMS, rng.randint(1, 6))}
            for user in qrels
            if rng.random() < 0.85
        }
        choice = {
            "missing": rng.choice(("empty", "empty", "skip")),
            "ties": rng.choice(("expected", "docid", "best")),
            "unjudged": rng.choice(("nonrelevant", "condensed")),
            "ending": rng.choice(("none", "none", "none", "terminal")),
        }
        measures = rng.sample((*ZERO, *UNDEFINED, *MEANT), rng.randint(1, 4))
        if choice["ending"] != "none":
            measures = [one for one in measures if parse(one).takes_terminal] or ["RR"]
        return Case(self.name, given={"qrels": qrels, "run": run, "choice": choice, "measures": measures})

    def run(self, case: Case, folder: Path) -> str:
        """Compare scores that skip topics with those of the other topics alone, and scores that count them as 0."""
        qrels, run, choice = (case.given[name] for name in ("qrels", "run", "choice"))
        measures = [parse(one) for one in case.given["measures"]]
        kept = {user: rated for user, rated in qrels.items() if any(_finds(one, rated) for one in measures)}
        if not (kept and {*kept} & {*run} and {"missing", "ties", "unjudged", "ending"} <= {*choice}):
            return "nothing"
        skipped = tr.evaluate(qrels, run, measures, **choice, no_relevant="skip")["run"]
        alone = tr.evaluate(
            kept, {user: run[user] for user in kept if user in run}, measures, **choice, no_relevant="skip"
        )
        for name, score in alone["run"].items():
            if skipped[name].per_topic != score.per_topic or not same(skipped[name].mean, score.mean):
                raise Disagreement(f"{name} without empty topics", f"{skipped[name].per_topic}, not {score.per_topic}")
        whole = tr.evaluate(qrels, run, measures, **choice)
        self._count_as_nothing(whole, qrels, measures, choice["ending"])
        return "skipped" if len(kept) < len(qrels) else "all have relevant items"

    def _count_as_nothing(self, whole: Any, qrels: dict[str, Any], measures: list[Measure], ending: str) -> None:
        told = {name: end for note in whole.notices for name, end in note.facts.get("highest", {}).items()}
        for measure in measures:
            name, score = str(measure), whole["run"][str(measure)]
            empty = [user for user in score.per_topic if not _finds(measure, qrels[user])]
            plain = _name(measure) in (*ZERO, *UNDEFINED) and ending == "none"
            if plain and any(score.per_topic[user] != 0 for user in empty):
                raise Disagreement(f"{name} of an empty topic", str(score.per_topic))
            if plain and bool(empty) != (name in told) and measure.range[1] == 1.0:
                raise Disagreement(f"{name} has no note of empty topics", str(score.per_topic))
            if name in told and not score.mean <= told[name] + TOLERANCE:
                raise Disagreement(f"{name} is above what is possible", f"{score.mean}, not below {told[name]}")


def _name(measure: Measure) -> str:
    """A measure as it stands in the lists above."""
    return next((name for name in (*ZERO, *UNDEFINED, *MEANT) if parse(name) == measure), "")


def _finds(measure: Measure, rated: dict[str, float]) -> bool:
    """Whether an item is relevant to a measure."""
    if measure.needs == "preferences" or not measure.asks_relevance:
        return False
    return any(grade > 0 and grade >= (measure.core.level or 0.0) for grade in rated.values())


class CutLists(Light):
    """Lists that are cut: a relevant item that is not listed is a miss, and what a sample would say has bounds."""

    name, share = "cut lists", 15

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """Whole rankings of all items, where they are cut, relevant items, and a sample."""
        users = [f"u{n}" for n in range(rng.randint(1, 4))]
        return Case(
            self.name,
            given={
                "rankings": {user: rng.sample(ITEMS, len(ITEMS)) for user in users},
                "cut": {user: rng.randint(0, len(ITEMS)) for user in users},
                "relevant": {user: rng.sample(ITEMS, rng.choice((0, 1, 1, 1, 2, 3))) for user in users},
                "sample": rng.randint(1, 6),
                "more": rng.choice((0, 0, 3, 40)),
                "measure": rng.choice(BY_RANK),
            },
        )

    def run(self, case: Case, folder: Path) -> str:
        """Compare full scores with ``evaluate``, and bounds with the scores of whole rankings."""
        given, measure = case.given, case.given["measure"]
        users = [user for user in given["rankings"] if {*given["relevant"].get(user, ())} <= {*given["rankings"][user]}]
        cut = {user: given["rankings"][user][: given["cut"].get(user, 0)] for user in users}
        qrels = {user: dict.fromkeys(given["relevant"].get(user, ()), 1) for user in users}
        lengths = {len(given["rankings"][user]) for user in users}
        if not any(cut.values()) or not any(qrels.values()) or given["sample"] < 1 or len(lengths) > 1:
            return "nothing"
        size = lengths.pop() + given["more"]
        more = [f"more{n}" for n in range(given["more"])]
        how: dict[str, Any] = {"measures": measure, "negatives": given["sample"]}
        whole = {user: [*given["rankings"][user], *more] for user in users}
        truth = tr.negatives(qrels, whole, corpus=size, **how)["run"][measure]
        known = truth.scores["sampled"]
        for corpus in (None, size):
            found = tr.negatives(qrels, cut, corpus=corpus, **how)["run"][measure]
            full, sampled = found.scores["full"], found.scores.get("sampled")
            if not same(full, _alone(qrels, cut, measure)):
                raise Disagreement(f"full {measure} of cut lists", f"{full}, not {_alone(qrels, cut, measure)}")
            if corpus is None and sampled is not None:
                # Lists that have all relevant items, and as many others as the sample, are not known to be cut.
                continue
            low, high = (sampled if end is None else end for end in (found.sampled_low, found.sampled_high))
            if not (_not_above(low, known) and _not_above(known, high)):
                raise Disagreement(f"sampled {measure} leaves its bounds", f"{known}, not {low} to {high}")
        return "bounded" if found.sampled_low is not None else "known"


def _not_above(one: float | None, other: float | None) -> bool:
    """Whether there are two numbers, and the first is not above the second, but for rounding."""
    return one is not None and other is not None and one <= other + 1e-9


def _alone(qrels: dict[str, dict[str, int]], lists: dict[str, list[str]], measure: str) -> float:
    """The mean over relevant items, each without the others, then over users, by ``evaluate``."""
    means = []
    for user, relevant in qrels.items():
        alone = {item: [one for one in lists[user] if one == item or one not in relevant] for item in relevant}
        if relevant:
            each = tr.evaluate({item: {item: 1} for item in alone}, {**alone, "other": ["x"]}, measure)["run"][measure]
            means.append(each.mean)
    return math.fsum(means) / len(means)


TARGETS = (EmptyTopics(), CutLists())
