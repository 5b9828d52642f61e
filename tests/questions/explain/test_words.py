"""A worked table reads as the formula does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from truerank.questions.explain.question import Explanation, explain

QRELS = {"q": {"a": 1, "d": 1, "i": 2, "y": 1, "z": 1, "b": 0, "c": 0}}
RUN = {"q": dict(zip("abcdefghij", [10.0, 9.0, 8.0, 8.0, 8.0, 5.0, 4.0, 3.0, 2.0, 1.0], strict=True))}


def lines(measure: str, **given: Any) -> list[str]:
    return str(explain(QRELS, RUN, measure, **given)).splitlines()


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("AP", "AP = (1 + 0.5222 + 0.3333) / 5 = 0.3711"),
        ("AP(norm='min')@3", "AP(norm='min')@3 = (1 + 0.2222) / 3 = 0.4074, where min(k, R) = 3"),
        ("nDCG", "nDCG = (1 + 0.4392 + 2 x 0.3010) / 3.9485 = 0.5170"),
        ("nDCG@2", "the ideal DCG@k = 2 x 1.0000 + 1 x 0.6309 = 2.6309"),
        ("RBP", "with p = 0.8, max_rel = 2, n = 10, k = n, R = 5"),
        ("RBP", "RBP = 0.5000 x 0.2000 + 0.5000 x 0.1041 + 0.0336 = 0.1856"),
        ("RBPU", "RBPU = 0.5000 x 0.2000 + 0.5000 x 0.1041 + 0.0336 - 0.0446 = 0.1410"),
        ("ERR", "ERR = 0.2500 x 1 + 0.2500 x 0.1958 + 0.7500 x 0.0625 = 0.3458"),
        ("OIE(size=1000)", "OIE(size=1000) = 53.2392 + 28.1010 - 1.05 x 66.9493 = 11.0434"),
        ("OIE(size=1000)", "H(S) = 53.2392, H(G) = 28.1010, H(S, G) = 66.9493"),
        ("F", "F = (2 x 1 + 2 x 1 + 2 x 1) / 15 = 0.4000, where n + beta^2 R = 15"),
        ("APT", "APT = (1 + 0.5222 + 0.3333 + 0.6000 x 0.3273) / 6 = 0.3420, where R + 1 = 6"),
        ("Bpref", "Bpref = (1 + 0.2500) / 5 = 0.2500"),
        ("AUC", "AUC = (1 + 0.2500) / 5 = 0.2500"),
        ("AUC(size=50)", "AUC(size=50) = (1 + 0.9556 + 0.8667 + 0.8444) / 5 = 0.7333"),
        ("PrefLoss", "PrefLoss = (2 x 0.7500 + 6 x 0.6667 + 4) / 14 = 0.6786, where pairs = 14"),
        ("P@5", "P@5 = (1 + 1) / 5 = 0.4000"),
        ("P@1", "P@1 = 1 / 1 = 1.0000"),
        ("RBPT", "with p = 0.8, max_rel = 2, n = 10, k = n + 1, R = 5"),
        ("OIE", "with beta = 1.05, size = 1,000,000, n = 10, R = 5"),
    ],
)
def test_the_formula_with_its_numbers(measure: str, said: str) -> None:
    table = explain(QRELS, RUN, measure).table()
    assert f"; {said}" in f"{table.method};"


def test_the_verdict_comes_first_and_the_formula_is_the_method() -> None:
    table = explain(QRELS, RUN, "AP").table()
    assert table.verdict == (
        "AP is 0.371: 3 of 5 relevant documents found, the first at rank 1. The best order of this list would score "
        "0.600."
    )
    assert table.method.startswith(
        "run run, topic q; AP = sum_{i<=k} rel_i P@i / R; with rel = 1, norm = 'R', n = 10, k = n, R = 5; "
    )


@pytest.mark.parametrize(
    ("measure", "ranking", "said"),
    [
        ("P@2", ["a", "b"], "P@2 is 1.000, the best possible: 2 of 2 relevant documents found."),
        ("P@2", ["a", "u", "b"], "P@2 is 0.500: 1 of 2 relevant documents found in the first 2, the first at rank 1. "
         "The best order of this list would score 1.000."),
        ("AP", ["a", "u"], "AP is 0.500: 1 of 2 relevant documents found, the first at rank 1. No other order of this "
         "list would score better."),
        ("RR", ["u"], "RR is 0.000: none of 2 relevant documents found. No other order of this list would score "
         "better."),
    ],
)  # fmt: skip
def test_verdicts(measure: str, ranking: list[str], said: str) -> None:
    assert explain({"q": {"a": 1, "b": 1}}, {"q": ranking}, measure).verdict("steps") == said


def test_a_single_hit_is_worked_out_too() -> None:
    found = explain({"q": {"a": 1}}, {"q": ["a", "b"]}, "RBP").table().method
    assert "RBP = 1 x 0.2000 = 0.2000" in found


def test_a_tie_group_across_the_cutoff_is_not_torn_apart() -> None:
    scores = {f"d{place:02}": 50.0 if 3 <= place <= 11 else float(100 - place * 2) for place in range(1, 31)}
    scores |= {"d01": 99.0, "d02": 98.0} | {f"d{place}": 30.0 - place / 10 for place in range(12, 31)}
    found = explain({"q": {"d05": 1, "d20": 1}}, {"q": scores}, "nDCG@10")
    rows = [row[:2] for row in found.table().rows]
    assert rows[-3:] == [
        ("3-11", "d05"),
        ("3-11", "(8 documents without gain, all unjudged)"),
        ("12-30", "(19 past the cutoff, 1 of them relevant)"),
    ]


@pytest.mark.parametrize(
    ("measure", "row"),
    [
        ("AP", " 3-5  d                1     1       2     0.5222        0.1044  0.3044"),
        ("ERR", "   9  i                2  0.7500   0.5625  0.1111        0.0469  0.3458"),
        ("OIE(size=1000)", "      (silence)                       -1.4051  -1.4051"),
        ("RBPT", "  11  (the end of the list)            0.6667  0.1074        0.0716  0.2572"),
        ("PrefLoss", "      (documents not in the list)                                 0.2857  0.6786"),
        ("Utility", "      (nothing found)                      -10.0000  -10.0000"),
    ],
)
def test_rows(measure: str, row: str) -> None:
    assert row in lines(measure)


@pytest.mark.parametrize(
    ("measure", "note"),
    [
        ("AP", "AP is 0.3711: 3 of 5 relevant documents were found, at ranks 1, 3-5 and 9"),
        (
            "AP",
            "in the best order these documents would make it 0.6000 (+0.2289), and with the 2 that are missing it "
            "would be 1.0000 (+0.4000)",
        ),
        (
            "AP",
            "the best exchange of two documents is i (rank 9) with b (rank 2), which would make it 0.5567 (+0.1856); "
            "of neighbours, d (rank 3-5) with b (rank 2), which would make it 0.4667 (+0.0956)",
        ),
        (
            "AP",
            "a missing document of grade 1, such as y, would make it 0.6033 at rank 1, and 0.4438 at the end of the "
            "list",
        ),
        ("AP", "the order of ties could move it: those at ranks 3-5 (1 of 3 relevant) from 0.3467 to 0.4000"),
        (
            "AP",
            "5 documents that it looks at are unjudged; if relevant, e (rank 3-5) would make it 0.4509; f (rank 6) "
            "0.4111; g (rank 7) 0.3992",
        ),
        (
            "P@3",
            "P@3 is 0.4444: 2 of 5 relevant documents were found in the first 3 ranks, at ranks 1 and 3-5; 1 more "
            "stands deeper",
        ),
        ("RR", "no other order of the list, and nothing that is missing, would change it"),
        (
            "INST",
            "it is no sum over documents: a contribution is what the score gains when the judgments of the list become "
            "known down to that document",
        ),
        ("NumRel", "it does not look at the list"),
        ("PrefLoss", "PrefLoss is 0.6786: the list violates 9.5 of 14 preferences"),
    ],
)
def test_words(measure: str, note: str) -> None:
    assert note in explain(QRELS, RUN, measure).notes()


def test_undefined_and_unfound() -> None:
    assert explain({"q": {"a": 0}}, {"q": ["a"]}, "AP RR").verdict("steps") == (
        "AP is undefined without relevant documents; it counts as 0. RR is 0.0000: no document is known to be relevant."
    )
    assert "RR is 0.0000: none of 1 relevant document was found" in explain({"q": {"a": 1}}, {"q": ["b"]}, "RR").notes()


@pytest.fixture
def long() -> Explanation:
    """A list of 60 documents with three relevant ones, all but a few judged."""
    docs = [f"d{rank}" for rank in range(1, 61)]
    judged = {doc: int(doc in ("d1", "d30", "d50")) for doc in docs[:40]} | {"d50": 1}
    return explain({"q": judged}, {"q": docs}, "AP P@5")


def test_stretches_without_gain_share_a_line(long: Explanation) -> None:
    table = long.table()
    ap = [row[1:3] for row in table.rows if row[0] == "AP"]
    assert ap == [
        ("1", "d1"),
        ("2-29", "(28 documents without gain)"),
        ("30", "d30"),
        ("31-49", "(19 documents without gain, 9 of them unjudged)"),
        ("50", "d50"),
        ("51-60", "(10 documents without gain, all unjudged)"),
    ]
    assert sum(float(row[-2]) for row in table.rows if row[0] == "AP") == pytest.approx(long["AP"].score)  # type: ignore[arg-type]
    *_, last = [row[1:3] for row in table.rows if row[0] == "P@5"]
    assert last == ("6-60", "(55 past the cutoff, 2 of them relevant)")
    assert len(long.table(every=True).rows) == 120


def test_many_relevant_documents_end_in_a_line() -> None:
    docs = [f"d{rank}" for rank in range(100)]
    found = explain({"q": dict.fromkeys(docs, 1)}, {"q": docs}, "AP")
    rows = found.table().rows
    assert (len(rows), rows[-1][:2]) == (11, ("11-100", "(90 more, 90 of them relevant)"))
    assert found.table().hidden == "10 of 100 relevant documents shown: --top 100, or --all for every rank"
    assert len(found.table(top=20).rows) == 21
    assert any("at ranks 1, 2, 3, 4, 5, 6, 7, ..., 100" in note for note in found.notes())


def test_other_forms(long: Explanation) -> None:
    document = json.loads(long.to_json())
    ap, p5 = document["measures"]
    assert ap["score"] == long["AP"].score
    assert sum(step["measure"] == "AP" for step in document["steps"]) == 60
    assert (p5["measure"], p5["swap"]["lower"]) == ("P@5", "d50")
    assert long.to_markdown().startswith("**AP is 0.376: ")
    assert "AP = sum" in long.to_html()
    assert long.to_latex().startswith("% AP is 0.376: ")
    head, *rows = str(long.to_csv()).splitlines()
    assert head.startswith("measure,kind,doc,first,last")
    assert len(rows) == 120
    assert long.table("changes").columns[1].name == "change"


def test_the_ends_of_a_tie_range_look_different() -> None:
    """They differ by 6e-5: not "from 0.0075 to 0.0075"."""
    run = {"q": {**{f"x{n}": 1000.0 - n for n in range(132)}, "a": 1.0, "y": 1.0}}
    found = explain({"q": {"a": 1}}, run, "RR", topic="q")
    [said] = [note for note in found.own_notes("steps") if "the order of ties could move it" in note]
    low, high = said.split(" from ")[1].split(" to ")
    assert low != high
    assert (low, high) == ("0.00746", "0.00752")
