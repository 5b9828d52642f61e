"""What the order of ties could do is worked out when somebody reads it, and says the same as if it were at once."""

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import truerank as tr
from truerank.measures.table import TABLE
from truerank.track import facts
from truerank.track.lens import Lens

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1, "d": 1}, "q3": {"a": 0, "b": 0}}
TIED = {"q1": {"a": 3.0, "b": 2.0, "c": 2.0, "x": 2.0}, "q2": {"d": 1.0, "x": 1.0, "y": 0.5}}
OTHER = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"x": 1.0, "a": 1.0}}
UNTIED = {"q1": ["b", "a"], "q2": ["d", "x"], "q3": ["a"]}
MEASURES = "nDCG@10 AP RR infAP"


@pytest.fixture
def extremes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The measure and the order of every extreme that is worked out."""
    found: list[tuple[str, str]] = []
    plain = Lens._estimate

    def counted(self: Lens, measure: Any, ties: str, unjudged: str) -> Any:
        if ties in ("worst", "best"):
            found.append((str(measure), ties))
        return plain(self, measure, ties, unjudged)

    monkeypatch.setattr(Lens, "_estimate", counted)
    return found


def told(answer: tr.Scores) -> list[tuple[object, ...]]:
    return [(str(note), note.code, note.brief, note.urgent, dict(note.facts)) for note in answer.notices]


def test_scores_alone_take_no_extremes(extremes: list[tuple[str, str]]) -> None:
    found = tr.evaluate(QRELS, {"mine": TIED}, "nDCG@10")
    assert found["mine"]["nDCG@10"].mean == found.means()["mine"]["nDCG@10"]
    assert (len(found.to_records()), repr(found), len(found.topic_scores)) == (1, "Scores(1 runs, 1 measures)", 4)
    assert extremes == []


@pytest.mark.parametrize(
    "read",
    [
        lambda found: found.notices,
        lambda found: found.notes(),
        lambda found: str(found),
        lambda found: found.to_json(),
        lambda found: found.to_html(),
        lambda found: pickle.dumps(found),
        lambda found: copy.deepcopy(found),
    ],
)
def test_whoever_reads_notes_has_them_worked_out_once(
    read: Callable[[tr.Scores], object], extremes: list[tuple[str, str]]
) -> None:
    found = tr.evaluate(QRELS, {"mine": TIED}, "nDCG@10")
    read(found)
    assert extremes == [("nDCG@10", "worst"), ("nDCG@10", "best")]
    assert "TR107" in [note.code for note in found.notices]
    read(found)
    assert found.notices is found.notices
    assert len(extremes) == 2


@pytest.mark.parametrize("runs", [{"mine": TIED}, {"mine": TIED, "other": OTHER, "untied": UNTIED}])
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"ties": "docid"},
        {"ties": "bounds"},
        {"ties": "worst"},
        {"unjudged": "condensed"},
        {"unjudged": "bounds"},
        {"no_relevant": "skip"},
        {"missing": "skip"},
        {"ending": "terminal"},
        {"relevant": "run"},
        {"nil": "answer"},
        {"topics": ["q1", "q2"]},
        {"ending": "terminal", "nil": "end", "limit": 3},
        {"relevant": "run", "ties": "docid"},
        {"identical": "drop", "no_relevant": "skip", "like": "trec_eval-9"},
        {"engine": "processes"},
        {"engine": tr.Engine(memory="64G")},
        {"judge": {"late": {"q1": {"b": 1}, "q2": {"x": 1}}}, "judges": "each"},
        {"judge": {"late": {"q1": {"b": 1}, "q2": {"x": 1}}}},
    ],
)
def test_notes_are_the_same_as_at_once(
    given: dict[str, Any], runs: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # infAP has no form with a terminal document.
    measures = MEASURES if "ending" not in given else "nDCG@10 AP RR"
    later = tr.evaluate(QRELS, runs, measures, **given)
    sent = pickle.loads(pickle.dumps(tr.evaluate(QRELS, runs, measures, **given)))
    monkeypatch.setattr(facts, "SMALL", 0)
    at_once = tr.evaluate(QRELS, runs, measures, **given)
    assert told(later) == told(at_once) == told(sent)
    assert later.to_json() == at_once.to_json() == sent.to_json()
    assert str(later) == str(at_once) == str(sent)


@pytest.mark.parametrize("measure", [*map(str, TABLE.values())])
@pytest.mark.parametrize("ties", ["expected", "docid"])
def test_every_measure_says_the_same(measure: str, ties: str, monkeypatch: pytest.MonkeyPatch) -> None:
    later = tr.evaluate(QRELS, {"mine": TIED}, measure, ties=ties)
    monkeypatch.setattr(facts, "SMALL", 0)
    assert told(later) == told(tr.evaluate(QRELS, {"mine": TIED}, measure, ties=ties))


def test_a_large_run_does_not_wait(extremes: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "SMALL", 5)
    tr.evaluate(QRELS, {"mine": TIED}, "nDCG@10")
    assert len(extremes) == 2


def test_few_runs_wait_whoever_keeps_answers(extremes: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "UNREAD", 2)
    facts._unread.clear()
    kept = [tr.evaluate(QRELS, {"mine": TIED}, "nDCG@10") for _ in range(5)]
    assert len(extremes) == 2 * 3
    assert len({str(one.notices) for one in kept}) == 1
    assert len(extremes) == 2 * 5


def test_answers_that_nobody_keeps_cost_nothing(
    extremes: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "UNREAD", 2)
    facts._unread.clear()
    for _ in range(5):
        tr.evaluate(QRELS, {"mine": TIED}, "nDCG@10")
    assert extremes == []


class Lists(dict[str, Any]):
    """A dict that can be watched."""


def test_what_was_given_is_neither_kept_nor_read_again() -> None:
    given = Lists(copy.deepcopy(TIED))
    usual = told(tr.evaluate(QRELS, {"mine": TIED}, "nDCG@10"))
    found = tr.evaluate(QRELS, {"mine": given}, "nDCG@10")
    given["q1"]["c"] = 9.0
    watched = weakref.ref(given)
    del given
    gc.collect()
    assert watched() is None
    assert told(found) == usual
