"""Click logs: every form of them, every rule by hand, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.io.clicks import Impression, read_clicks
from truerank.questions.preferences.question import CLICKS

LOG = [("q1", ["a", "b", "c", "d", "e"], ["d", "b"]), ("q2", ["x", "y"], ["x"]), ("q1", ["b", "a"], [])]
FOUND = [
    Impression("q1", ("a", "b", "c", "d", "e"), (3, 1)),
    Impression("q2", ("x", "y"), (0,)),
    Impression("q1", ("b", "a"), ()),
]
PAIRS = {
    "skip-above": ["da", "dc", "ba"],
    "last-click": ["ba"],
    "earlier-click": ["bd"],
    "skip-previous": ["dc", "ba"],
    "skip-next": ["de", "bc", "xy"],
}


def pairs(found: Any) -> list[str]:
    docs = [doc.decode() for doc in found.docs.tolist()]
    return [docs[better] + docs[worse] for better, worse in found.pairs.tolist()]


@pytest.mark.parametrize("rule", CLICKS)
def test_rules_by_hand(rule: str) -> None:
    assert sorted(pairs(tr.click_preferences(LOG, rule))) == sorted(PAIRS[rule])


def test_several_rules_each_count() -> None:
    found = tr.click_preferences(LOG, ["skip-above", "skip-previous"])
    assert sorted(pairs(found)) == sorted(PAIRS["skip-above"] + PAIRS["skip-previous"])


FORMS = {
    "tabs.tsv": "q1\ta b c d e\td b\nq2\tx,y\tx\n# a comment\n\nq1\tb a\t\n",
    "head.tsv": "query\tresults\tclicks\r\nq1\ta b c d e\td b\r\nq2\tx y\tx\r\nq1\tb a\r\n",
    "log.jsonl": "".join(json.dumps({"qid": q, "shown": d, "clicks": c}) + "\n" for q, d, c in LOG),
    "log.json": json.dumps([{"topic": q, "ranking": d, "clicked": c} for q, d, c in LOG]),
    "rows.jsonl": "".join(json.dumps(row) + "\n" for row in LOG),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_a_log(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FORMS[name])
    assert read_clicks(str(path)) == FOUND
    assert pairs(tr.click_preferences(path)) == pairs(tr.click_preferences(LOG))


@pytest.mark.parametrize("session", [True, False])
@pytest.mark.parametrize("comma", [",", "\t"])
def test_a_row_a_document(tmp_path: Path, session: bool, comma: str) -> None:
    rows = [["session", "query", "doc", "rank", "clicked"]]
    for number, (topic, docs, clicked) in enumerate(LOG):
        # Where impressions have a name, their rows may come in any order.
        shown = [*enumerate(docs, 1)][:: -1 if session else 1]
        rows += [[f"s{number}", topic, doc, str(rank), str(int(doc in clicked))] for rank, doc in shown]
    path = tmp_path / "log.csv"
    path.write_text("\n".join(comma.join(row if session else row[1:]) for row in rows))
    # A table does not tell the order of clicks.
    assert read_clicks(path) == [one._replace(clicked=tuple(sorted(one.clicked))) for one in FOUND]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q1\ta b\tc\n", ":1: 'c' was clicked and is not in the ranking"),
        ("q1\ta b\ta\nq1\ta a\ta\n", ":2: document 'a' is shown twice"),
        ("q1\ta b\ta\nq1 a b\n", ":2: 1 fields between tabs"),
        ('{"topic": "q", "clicked": []}', "no ranking"),
        ('{"topic": "q", "ranking": "a b", "clicked": []}', "ranking is 'a b'; give a list"),
        ("query,doc,clicked\nq,a,maybe\n", ":2: clicked is 'maybe'; write 1 or 0"),
        ("query,doc,rank,clicked\nq,a,top,1\n", ":2: rank is 'top'"),
        ("query,doc,rank,clicked\nq,a,1\n", ":2: 3 fields; the first line names 4"),
        ("", "there are no rows"),
        ("q1\ta b\ta\n", "no click of the log is a preference by skip-above"),
    ],
    ids=range(10),
)
def test_what_is_no_log_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "log.txt"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        tr.click_preferences(path)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"clicks": "dwell"}, "clicks='dwell' is not a choice"),
        ({"clicks": "skip-above", "induced": True}, "choose one"),
        ({"clicks": "skip-above", "preferences_columns": {"topic": "q"}}, "go by their names"),
    ],
)
def test_what_has_no_meaning_is_refused(given: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        tr.preferences(LOG, **given)
    for other in ({"q": ["a"]}, 5):
        with pytest.raises(InputError, match="a click log is"):
            read_clicks(other)


def test_position_bias_has_a_name() -> None:
    shown = {"q1": ["a", "b", "c", "d", "e"], "q2": ["x", "y"]}
    above = tr.preferences(LOG, shown, clicks="skip-above")
    [note] = [note for note in above.notices if note.code == "TR534"]
    assert above["run"].loss == 1.0
    assert note.startswith("3 rankings with 3 clicks make 3 preferences by skip-above, 100% of them against the order")
    assert "position bias: the ranking that was shown violates every one of them" in note
    below = tr.preferences(LOG, shown, clicks=["skip-next"])
    assert below["run"].loss == 0.0
    assert "keeps every one of them" in next(note for note in below.notices if note.code == "TR534")
    both = tr.preferences(LOG, shown, clicks=["skip-next", "skip-above"])
    assert "position bias" not in next(note for note in both.notices if note.code == "TR534")


def test_on_the_command_line(truerank: Any, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(FORMS["log.jsonl"])
    done = truerank(
        "preferences", tmp_path / "log.jsonl", "--clicks", "skip-above", "--to-preferences", tmp_path / "p.txt"
    )
    assert done.exit_code == 0
    assert "position bias" in done.stderr
    assert sorted(pairs(tr.read_preferences(tmp_path / "p.txt"))) == sorted(PAIRS["skip-above"])
