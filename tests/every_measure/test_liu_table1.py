"""Table 1 of Liu et al. (2016), all of its cells, and what the two readings of the terminal document differ in."""

from __future__ import annotations

import math

import pytest

import truerank as tr

ROWS = [
    # ranking, R, r_t, RR', RBP', NDCG', AP'
    ("00", 0, 1.000, 0.333, 0.250, 0.500, 0.333),
    ("000", 0, 1.000, 0.250, 0.125, 0.431, 0.250),
    ("111", 3, 1.000, 1.000, 1.000, 1.000, 1.000),
    ("11", 3, 0.667, 1.000, 0.917, 0.922, 0.648),
    ("11100", 3, 1.000, 1.000, 0.906, 0.971, 0.917),
    ("101", 3, 0.667, 1.000, 0.708, 0.698, 0.528),
    ("1", 3, 0.333, 1.000, 0.667, 0.742, 0.306),
    ("10100", 3, 0.667, 1.000, 0.646, 0.678, 0.491),
    ("011", 3, 0.667, 0.500, 0.458, 0.554, 0.403),
    ("01001", 3, 0.667, 0.500, 0.302, 0.490, 0.299),
]
NAMED = {"RR": "RRT", "RBP(p=0.5)": "RBPT(p=0.5)", "nDCG": "nDCGT", "AP": "APT"}


def collection(ranking: str, relevant: int) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    """Judgments and a list, which misses some relevant documents; another topic sets the top grade."""
    judged = {f"d{i}": int(r) for i, r in enumerate(ranking)}
    missed = {f"m{i}": 1 for i in range(relevant - ranking.count("1"))}
    return {"q": judged | missed, "other": {"x": 1}}, {"q": [f"d{i}" for i in range(len(ranking))]}


def value(ranking: str, relevant: int, measure: str, ending: str = "none") -> float:
    qrels, run = collection(ranking, relevant)
    return tr.evaluate(qrels, run, measure, ending=ending)["run"][measure].per_topic["q"]


@pytest.mark.parametrize(("ranking", "relevant", "share", "rr", "rbp", "ndcg", "ap"), ROWS, ids=[r[0] for r in ROWS])
def test_table_1(ranking: str, relevant: int, share: float, rr: float, rbp: float, ndcg: float, ap: float) -> None:
    printed = {"RR": rr, "RBP(p=0.5)": rbp, "nDCG": ndcg, "AP": ap}
    for measure, cell in printed.items():
        assert round(value(ranking, relevant, measure, "terminal"), 3) == cell
        assert value(ranking, relevant, NAMED[measure]) == value(ranking, relevant, measure, "terminal")
    gained = value(ranking, relevant, "CG", "terminal")
    assert round(gained - ranking.count("1"), 3) == share


def test_the_worked_example_of_section_2() -> None:
    expected = (1 + 1 / 2 + 2 / 3 / math.log2(5)) / (1 + 1 / math.log2(3) + 1 / 2 + 1 / math.log2(5))
    assert value("101", 3, "nDCGT") == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("ranking", "relevant"), [row[:2] for row in ROWS])
def test_the_two_readings(ranking: str, relevant: int) -> None:
    """Liu's terminal document takes the whole tail and ends the ideal; the other is one document and ends nothing."""
    n, hits = len(ranking), ranking.count("1")
    share = hits / relevant if relevant else 1.0
    plain, p = value(ranking, relevant, "RBP(p=0.5)"), 0.5
    assert value(ranking, relevant, "RBP(p=0.5)", "terminal") == pytest.approx(plain + share * p**n, abs=1e-15)
    once = plain + share * (1 - p) * p**n
    assert value(ranking, relevant, "RBP(p=0.5)", "terminal-once") == pytest.approx(once, abs=1e-15)

    gained = sum(int(r) / math.log2(i + 1) for i, r in enumerate(ranking, 1)) + share / math.log2(n + 2)
    ideal = sum(1 / math.log2(i + 1) for i in range(1, relevant + 2))
    assert value(ranking, relevant, "nDCG", "terminal-once") == pytest.approx(gained / ideal, abs=1e-15)
    for measure in ("RR", "AP"):
        assert value(ranking, relevant, measure, "terminal") == value(ranking, relevant, measure, "terminal-once")


def test_a_missing_topic_without_answers_is_answered_perfectly() -> None:
    scores = tr.evaluate({"q": {"a": 0}, "p": {"b": 1}}, {"p": ["b"]}, "RRT RBPT nDCGT APT ERRT")["run"]
    assert {m: s.per_topic["q"] for m, s in scores.items()} == dict.fromkeys(scores, 1.0)


def test_gains_above_one_exceed_one_and_are_not_clipped() -> None:
    """Section 3 of the definitions."""
    assert tr.evaluate({"q": {"a": 0.2, "b": 0.2, "c": 0.2}}, {"q": ["a", "b"]}, "nDCGT")["run"]["nDCGT"].mean == (
        pytest.approx(1.5475, abs=5e-5)
    )
