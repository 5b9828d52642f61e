from __future__ import annotations

import json

from truerank.questions.curves.question import precision_recall, roc

QRELS = {"q": {"a": 1, "c": 1, "z": 1}, "r": {"a": 1}}
RUNS = {"good": {"q": ["a", "c", "b", "d"], "r": ["a", "b"]}, "bad": {"q": ["b", "a"], "r": ["b", "a"]}}


def test_precision_at_recall_levels() -> None:
    text = str(precision_recall(QRELS, RUNS, points=3))
    head, _, *rows = (line.split() for line in text.splitlines())
    assert head == ["recall", "good", "bad"]
    assert rows[:5] == [
        ["0.00", "1.0000", "0.5000"],
        ["0.50", "1.0000", "0.2500"],
        ["1.00", "0.5000", "0.2500"],
        ["break-even", "0.8333", "0.1667"],
        ["AP", "0.8333", "0.3333"],
    ]
    assert "mean over 2 topics" in text
    assert "note: good: precision and recall are both 0.8333 after as many documents as there are relevant ones" in text


def test_many_runs_are_rows_best_first() -> None:
    runs = {f"{name}{number}": run for number in range(3) for name, run in RUNS.items()}
    head, _, first, *_ = str(precision_recall(QRELS, runs)).splitlines()
    assert " ".join(head.split()) == "run at 0 at 0.2 at 0.4 at 0.6 at 0.8 at 1 break-even AP"
    assert first.split() == ["good0", "1.0000", "1.0000", "1.0000", "1.0000", "0.5000", "0.5000", "0.8333", "0.8333"]


def test_one_topic_says_more() -> None:
    found = precision_recall(QRELS, {"good": RUNS["good"]}, topic="q")
    assert "F1 is highest, 0.8000, after 2 documents (precision 1.0000, recall 0.6667)" in str(found)
    assert found.to_markdown("depths").count("\n") > 5
    assert json.loads(found.to_json())["every"][0] == {"run": "good", "recall": 1 / 3, "precision": 1.0}


def test_true_and_false_positives() -> None:
    text = str(roc(QRELS, RUNS, size=7))
    head, _, good, *_ = text.splitlines()
    assert head.split("  ")[0] == "run"
    assert good.split()[:2] == ["good", "0.8750"]
    assert "a relevant document is ranked above one that is not with probability 0.8750" in text
    assert "collection of 7 documents" in text
    assert "17% of the relevant documents are not in the list" in text
