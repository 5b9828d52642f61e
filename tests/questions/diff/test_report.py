"""Two runs side by side, in words and in tables."""

from __future__ import annotations

from typing import Any

import pytest

from truerank.data.errors import InputError
from truerank.questions.compare.question import compare
from truerank.questions.diff.question import DiffDocument, diff
from truerank.questions.diff.words import described, move
from truerank.report.digits import ranks, signed
from truerank.report.table import Rounded

QRELS: dict[str, dict[str, int]] = {
    **{f"q{n}": {"good": 1, "bad": 0} for n in range(1, 5)},
    "418": {"FT934-5418": 1, "bad": 0},
}
BASE = {f"q{n}": ["bad", "good"] for n in range(1, 5)} | {"418": ["bad", "FT934-5418", *"uvw"]}
DENSE = {f"q{n}": ["good", "bad"] for n in range(1, 4)} | {
    "q4": ["bad", "good"],
    "418": ["n1", "n2", "n3", "n4", "bad", *"uvwxyzst", "FT934-5418"],
}


def said(found: Any) -> list[str]:
    return list(found.own_notes("topics"))


def both(**given: Any) -> Any:
    return diff(QRELS, {"bm25": BASE}, {"dense": DENSE}, given.pop("measures", "nDCG@10"), **given)


def test_the_summary() -> None:
    assert said(both()) == [
        "nDCG@10: dense beats bm25 on 3 of 5 topics, loses on 1, and is level on 1: 0.6309 to 0.7262 (+0.0953)",
        "nDCG@10: the largest gain is topic q1 (+0.3691): good (grade 1) rose from rank 2 to 1",
        "nDCG@10: the largest loss is topic 418 (-0.6309): FT934-5418 (grade 1) fell from rank 2 to 14, "
        "and 6 unjudged documents entered the top 10",
        "nDCG@10: half of what dense gains comes from 2 topics; without topic q1 the difference is +0.0268",
        "nDCG@10: 6 unjudged documents entered the top 10; who is ahead depends on unjudged documents in 1 topic (418)",
    ]


def test_one_topic() -> None:
    assert said(both(topics="418", measures="RR"))[0] == (
        "RR: topic 418, 0.5000 to 0.0714 (-0.4286): FT934-5418 (grade 1) fell from rank 2 to 14, "
        "and 9 unjudged documents entered the top 100"
    )


@pytest.mark.parametrize(
    ("base", "new", "measures", "expected"),
    [
        (
            BASE,
            BASE,
            "P@1",
            ["P@1: A and B are the same for this measure on all 5 topics, and so is the top 1 of their lists"],
        ),
        (
            {"q1": ["bad", "good", "u"]},
            {"q1": ["bad", "good", "v"]},
            "P@3",
            ["P@3: A and B are the same for this measure on all 5 topics, although documents moved in 1 topic"],
        ),
        (
            {"q1": ["good"]},
            {"q2": ["good"], "q1": ["good"]},
            "RR",
            [
                "RR: B beats A on 1 of 5 topics, loses on 0, and is level on 4: 0.2000 to 0.4000 (+0.2000)",
                "RR: the largest gain is topic q2 (+1.0000): A has no documents for it",
                "RR: B gains on topic q2 only; without topic q2 the difference is 0.0000, so that it rests on topic q2",
            ],
        ),
        (
            {"q1": {"good": 1.0, "bad": 1.0}},
            {"q1": {"good": 1.0, "bad": 1.0, "u": 0.5}},
            "RR@1",
            ["RR@1: A and B are the same for this measure on all 5 topics, and so is the top 1 of their lists"],
        ),
        (
            BASE | {"q1": ["good"]},
            BASE | {"q1": ["good"], "q2": ["NIL"]},
            "c@1",
            ["c@1: no topic differs, but the means do: 0.2000 to 0.2400 (+0.0400)"],
        ),
    ],
)
def test_other_summaries(base: Any, new: Any, measures: str, expected: list[str]) -> None:
    assert said(diff(QRELS, base, new, measures)) == expected


def test_ties_in_the_summary() -> None:
    tied, apart = {"q1": {"good": 1.0, "bad": 1.0, "u": 1.0}}, {"q1": {"bad": 3.0, "good": 2.0, "u": 1.0}}
    lines = said(diff(QRELS, tied, apart, "RR"))
    assert "RR: who is ahead depends on the order of ties in 1 topic (q1)" in lines
    assert "RR: the largest loss is topic q1 (-0.1111): good (grade 1) went from rank 1-3 to 2" in lines


def test_few_topics_that_a_difference_rests_on() -> None:
    qrels = {str(n): {"x": 1} for n in range(20)}
    base = {topic: ["x"] if int(topic) > 1 else ["u", "x"] for topic in qrels}
    new = {topic: ["x"] if int(topic) != 2 else ["u", "v", "w", "x"] for topic in qrels}
    assert said(diff(qrels, base, new, "RR"))[3] == (
        "RR: half of what B gains comes from 1 topic; without topic 0 the difference is -0.0132, "
        "so that it rests on topic 0"
    )
    new["2"] = ["x"]
    assert said(diff(qrels, base, new, "RR"))[2] == (
        "RR: half of what B gains comes from 1 topic; without topic 0 the difference is +0.0263; "
        "without the 2 topics of its largest gains it is not ahead"
    )


def test_names_that_are_too_long_for_columns() -> None:
    found = diff(QRELS, {"a_very_long_name": BASE}, {"b": DENSE})
    table = found.table()
    assert [column.name for column in table.columns][:3] == ["topic", "A", "B"]
    assert "A is a_very_long_name, B is b, diff is B minus A" in table.caption


def test_topics_for_people() -> None:
    table = both().table()
    assert [row[0] for row in table.rows] == ["418", "q1", "q2", "q3"], "topics that differ"
    assert table.rows[0][1:] == (
        Rounded(pytest.approx(0.6309, abs=1e-4), 3),
        Rounded(0.0, 3),
        "-0.631",
        6,
        1,
        6,
        "unjudged",
        "FT934-5418 (grade 1) fell from rank 2 to 14",
    )
    assert len(both(top=5).table().rows) == 5
    assert len(both(measures="AP P@1", top=2).table().rows) == 4


def test_the_verdict_is_that_of_the_paired_test() -> None:
    runs = {"bm25": BASE, "dense": DENSE}
    found, compared = both()["nDCG@10"], compare(QRELS, runs, "nDCG@10", settled=False)["nDCG@10"].pairs[0]
    assert (found.low, found.high, found.p) == pytest.approx((compared.low, compared.high, compared.p))
    assert found.verdict == compared.verdict == "not significant"
    assert both().verdict("topics") == (
        '"dense" wins 3 topics, loses 1 and ties 1: +0.10 nDCG@10 (95% CI -0.45 to +0.64), not significant. No single '
        "topic decides it."
    )
    assert both(topics="418", measures="RR").verdict("documents") == (
        'On topic 418, RR falls from 0.5000 ("bm25") to 0.0714 ("dense"): FT934-5418 (grade 1) fell from rank 2 to 14, '
        "and 9 unjudged documents entered the top 100."
    )
    assert both(topics="418", measures="RR")["RR"].verdict is None, "one topic is no test"


def test_what_a_run_lacks_comes_first() -> None:
    some = {topic: docs for topic, docs in BASE.items() if topic != "418"}
    found = diff(QRELS, {"whole": BASE}, {"cut": some}, "RR")
    assert found.verdict("topics").startswith('"cut" has no results for 1 of 5 topics, which count as empty lists. ')
    assert found.verdict("topics").endswith("On the 4 topics that both answer, their scores are identical.")
    [row] = found.rows("common")
    assert (row.missing_topics, row.compared_missing_topics, row.num_topics, row.verdict) == (1, 0, 4, "the same")
    assert row.difference == 0
    assert not diff(QRELS, {"whole": BASE}, {"cut": some}, "RR", missing="skip").rows("common")


def test_documents_for_people_add_up() -> None:
    table = both(top=1).table("documents")
    names = [column.name for column in table.columns]
    assert names[:2] == ["topic", "document"]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    assert (rows[0]["document"], rows[0]["rank in bm25"], rows[0]["rank in dense"]) == ("FT934-5418", "2", "14")
    assert (rows[0]["move"], rows[0]["grade"], rows[0]["impact"]) == ("left", "1", "-0.6309")
    assert rows[-1]["document"] == "(1 more)"
    assert sum(float(row["impact"]) for row in rows) == pytest.approx(-0.6309, abs=1e-4)
    assert "if relevant is how the difference would change" in table.key
    judged = both(topics="q1").table()
    assert "if relevant" not in [column.name for column in judged.columns]
    deep = both(measures="DCG", depth=1, topics="418").table("documents")
    assert [row[1] for row in deep.rows] == ["n1", "bad", "(the rest)"]


def test_programs_get_everything() -> None:
    found = both(measures="nDCG@10 AP")
    table = found.whole()
    assert len(table.rows) == 10
    assert [column.name for column in table.columns] == list(found.to_records()[0])
    documents = found.whole("documents")
    assert len(documents.rows) == len(found.to_records("documents"))
    assert {row["topic"] for row in both(top=1).to_records("documents")} == {"418"}
    assert [row["topic"] for row in both(top=2).to_records()] == ["418", "q1"]
    with pytest.raises(InputError, match="no topic has a relevant document"):
        diff({"q": {"x": 0}}, {"q": ["x"]}, {"q": ["x"]}, "AP", no_relevant="skip")


def test_topics_that_are_named_are_shown_with_their_documents() -> None:
    assert both().usual() == "topics"
    assert both(topics=["q4", "q1"]).usual() == "documents"
    assert len(both(topics=["q4", "q1"]).table("topics").rows) == 2, "also one that is level"


def test_json_has_topics_documents_and_measures() -> None:
    found = both()
    document = found.to_dict()
    assert (document["a"], document["b"], document["num_topics"]) == ("bm25", "dense", 5)
    notes = {note["text"]: note["code"] for note in document["notes"]}
    assert [notes[text] for text in said(found)] == ["TR341", "TR344", "TR345", "TR346", "TR348"]
    [one] = document["measures"]
    assert (one["wins"], one["losses"], one["level"], one["unjudged_bounds"]) == (3, 1, 1, "exact")
    assert [topic["topic"] for topic in document["topics"]] == ["418", "q1", "q2", "q3", "q4"]
    impacts = sum(doc["impact"] for doc in document["documents"] if doc["topic"] == "418")
    assert impacts == pytest.approx(document["topics"][0]["difference"])
    assert len(both(top=2).to_dict()["topics"]) == 2
    assert one["concentration"]["half"] == 2


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "markdown", "latex", "html"])
@pytest.mark.parametrize("show", ["topics", "documents"])
def test_every_format(form: str, show: str) -> None:
    text = both().render(form, show)
    # Of topics programs have numbers, and people the documents behind them.
    wanted = "418" if show == "topics" and form in ("tsv", "csv") else "FT934-5418"
    assert wanted in text or form == "latex"


def document(before: Any, after: Any, *, status: str, impact: float = 0.0) -> DiffDocument:
    (first_a, last_a), (first_b, last_b) = before or (None, None), after or (None, None)
    return DiffDocument(
        measure="AP",
        topic="q",
        doc="d",
        judged=True,
        grade=1.0,
        status=status,
        first_rank_a=first_a,
        last_rank_a=last_a,
        first_rank_b=first_b,
        last_rank_b=last_b,
        score_a=1.0,
        score_b=1.0,
        adds_a=0.1,
        adds_b=0.1 + impact,
        impact=impact,
        if_relevant=None,
    )


@pytest.mark.parametrize(
    ("before", "after", "status", "words", "brief"),
    [
        ((2, 2), (14, 14), "left", "fell from rank 2 to 14", "left"),
        (None, (3, 5), "entered", "entered at rank 3-5", "entered"),
        ((3, 3), None, "left", "fell from rank 3 out of the list", "left"),
        ((3, 5), (1, 1), "moved", "rose from rank 3-5 to 1", "up 3"),
        ((1, 1), (1, 2), "moved", "fell from rank 1 to 1-2", "down 0.5"),
        ((2, 4), (3, 3), "moved", "went from rank 2-4 to 3", "untied"),
        ((2, 2), (1, 3), "moved", "went from rank 2 to 1-3", "tied"),
        ((4, 4), (4, 4), "stayed", "stays at rank 4", ""),
    ],
)
def test_moves(before: Any, after: Any, status: str, words: str, brief: str) -> None:
    one = document(before, after, status=status)
    assert (described(one), move(one)) == (f"{one.doc} (grade 1) {words}", brief)


def test_a_document_at_the_same_rank_may_add_more_or_less() -> None:
    more, less = (document((1, 1), (1, 1), status="stayed", impact=impact) for impact in (0.9, -0.1))
    assert described(more).endswith(" stays at rank 1, but adds more")
    assert described(less).endswith(" stays at rank 1, but adds less")


def test_of_documents_tied_across_the_last_rank_only_some_can_have_entered() -> None:
    qrels = {"p": {"a": 1, "z": 0}, "q": {"a": 1}}
    found = diff(qrels, {"p": {"a": 1}, "q": {"a": 1}}, {"p": {"u": 1, "v": 1}, "q": {"u": 1, "v": 1}}, "P@1")
    came = "unjudged documents entered, or with ties could have entered, the top 1"
    assert any(line.startswith(f"P@1: 4 {came}") for line in said(found))
    assert any(line.endswith(f", and 2 {came}") for line in said(found))


def test_json_has_what_is_left_of_a_difference_beside_its_documents() -> None:
    qrels = {"p": {"a": 1, "b": 1}}
    found = diff(qrels, {"p": ["a", "b"]}, {"p": ["x", "a", "b"]}, "AP", depth=1)
    one = found.to_dict()
    impacts = sum(doc["impact"] for doc in one["documents"])
    assert one["topics"][0]["rest"] == pytest.approx(found["AP"].rest("p")) != 0
    assert impacts + one["topics"][0]["rest"] == pytest.approx(one["topics"][0]["difference"])
    assert "rest" not in found.to_records()[0]


def test_numbers() -> None:
    assert (signed(0.12345), signed(-0.5), signed(1e-13), signed(-2e-6)) == ("+0.1235", "-0.5000", "0.0000", "-2e-06")
    assert (signed(float("nan")), ranks((1, 1))) == ("undefined", "1")


def test_more_documents_than_ranks_are_explained() -> None:
    """Of 30 documents tied at rank 1, each could be in the top 10."""
    tied = {"q1": dict.fromkeys((f"d{n}" for n in range(30)), 1.0), "q2": {"a": 1.0}}
    found = diff({"q1": {"x": 1}, "q2": {"a": 1}}, {"q1": ["x"], "q2": ["a"]}, tied, "P@10")
    [note] = [note for note in found.own_notes("topics") if note.code == "TR349"]
    assert "tied across rank 10 in 1 topic: those count as in the top 10 that could" in note
    assert "up to 30 (topic q1)" in note
    plain = diff({"q1": {"x": 1}}, {"q1": ["x"]}, {"q1": [f"d{n}" for n in range(30)]}, "P@10")
    assert not [note for note in plain.own_notes("topics") if note.code == "TR349"]


def test_means_that_differ_look_different() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(20)}
    runs = [{topic: [*(f"x{n}" for n in range(rank - 1)), "a"] for topic in qrels} for rank in (200, 201)]
    found = diff(qrels, *runs, "RR")
    assert any("0.0050 to 0.00498" in note or "0.00500 to 0.00498" in note for note in found.own_notes("topics"))


def test_what_did_not_happen_is_not_counted() -> None:
    judged = {"q1": {"a": 1}, "q2": {"a": 1}}
    found = diff(judged, {"A": {"q1": ["b", "a"], "q2": ["a"]}}, {"B": {"q1": ["a"], "q2": ["b", "a"]}}, "RR")
    assert said(found)[0].startswith("RR: B beats A on 1 of 2 topics and loses on 1: 0.7500 to 0.7500")
