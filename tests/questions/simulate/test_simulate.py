"""A simulated track is repeatable and shows what real tracks show."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.questions.simulate.question import simulate
from truerank.questions.simulate.track import SimulatedTrack, Submission
from truerank.questions.simulate.work import KINDS


@pytest.fixture(scope="module")
def track() -> SimulatedTrack:
    return simulate()


def lists(submission: Submission) -> list[tuple[list[int], list[float]]]:
    """Documents and scores of each topic."""
    begin = [0, *itertools.accumulate(submission.length.tolist())]
    document, score = submission.document.tolist(), submission.score.tolist()
    return [(document[a:b], score[a:b]) for a, b in itertools.pairwise(begin)]


def judgments(track: SimulatedTrack) -> list[dict[int, int]]:
    """Grade of each judged document, topic by topic."""
    result: list[dict[int, int]] = [{} for _ in track.topics]
    columns = (track.judged_topic.tolist(), track.judged_document.tolist(), track.judged_grade.tolist())
    for topic, document, grade in zip(*columns, strict=True):
        assert document not in result[topic]
        result[topic][document] = grade
    return result


def ndcg10(grades: list[int], pool: list[int]) -> float:
    discount = 1 / np.log2(np.arange(2, 12))
    ideal = sorted(pool, reverse=True)[:10]
    return float(np.dot(grades[:10], discount[: len(grades[:10])]) / np.dot(ideal, discount[: len(ideal)]))


def average_precision(grades: list[int], pool: list[int]) -> float:
    hits, total = 0, 0.0
    for rank, grade in enumerate(grades, start=1):
        if grade > 0:
            hits += 1
            total += hits / rank
    return total / sum(grade > 0 for grade in pool)


def scores(track: SimulatedTrack, measure) -> dict[str, list[float]]:
    """Score of each system on each topic that has a relevant document."""
    qrels = judgments(track)
    return {
        one.name: [
            measure([qrel.get(document, 0) for document in documents], list(qrel.values()))
            for qrel, (documents, _) in zip(qrels, lists(one), strict=True)
            if any(qrel.values())
        ]
        for one in track.submissions
    }


def shares(track: SimulatedTrack, of) -> dict[str, float]:
    """Mean of a function of each list's (documents, scores, judgments), over lists that are not empty."""
    qrels = judgments(track)
    return {
        one.name: float(np.mean([of(*pair, qrel) for qrel, pair in zip(qrels, lists(one), strict=True) if pair[0]]))
        for one in track.submissions
    }


def columns(track: SimulatedTrack) -> list[np.ndarray]:
    return [track.judged_topic, track.judged_document, track.judged_grade] + [
        column for one in track.submissions for column in (one.length, one.document, one.score)
    ]


def kind(name: str) -> str:
    return name.rsplit("-", 1)[0]


def test_same_arguments_give_the_same_bits(track):
    again = simulate(20, 50, 7)
    assert again.topics == track.topics
    assert [one.name for one in again.submissions] == [one.name for one in track.submissions]
    assert [one.tobytes() for one in columns(again)] == [one.tobytes() for one in columns(track)]


def test_another_seed_gives_another_track(track):
    other = simulate(seed=8)
    for one, two in zip(track.submissions, other.submissions, strict=True):
        assert one.document.tolist() != two.document.tolist()


def test_more_systems_leave_the_lists_and_only_add_judgments(track):
    more = simulate(systems=26)
    for one, two in zip(track.submissions, more.submissions, strict=False):
        assert (one.name, one.contributes) == (two.name, two.contributes)
        assert one.document.tobytes() == two.document.tobytes()
        assert one.score.tobytes() == two.score.tobytes()
    for before, after in zip(judgments(track), judgments(more), strict=True):
        assert before.items() <= after.items()
    assert len(more.judged_grade) > len(track.judged_grade)


def test_more_topics_and_depth_only_extend(track):
    longer = simulate(topics=70)
    for one, two in zip(lists(track.submissions[0]), lists(longer.submissions[0]), strict=False):
        assert one == two
    assert judgments(track) == judgments(longer)[:50]
    shallow = simulate(depth=30)
    for one, two in zip(track.submissions, shallow.submissions, strict=True):
        for (long, _), (short, _) in zip(lists(one), lists(two), strict=True):
            assert long[:30] == short


def test_blocks_do_not_show(track, monkeypatch):
    monkeypatch.setattr("truerank.questions.simulate.work.BLOCK_CELLS", 21_000)
    assert [one.tobytes() for one in columns(simulate())] == [one.tobytes() for one in columns(track)]


def test_lists_are_well_formed(track):
    assert track.topics == tuple(str(number) for number in range(401, 451))
    for one in track.submissions:
        assert one.length.sum() == len(one.document) == len(one.score)
        for document, score in lists(one):
            assert len(set(document)) == len(document) <= 1000
            assert score == sorted(score, reverse=True)
            assert score == [round(value, one.decimals) for value in score]
        with pytest.raises(ValueError, match="read-only"):
            one.score[0] = 1.0


@pytest.mark.parametrize("seed", [1, 7, 20])
def test_systems_differ_in_quality(seed):
    track = simulate(seed=seed)
    ndcg = {name: np.mean(values) for name, values in scores(track, ndcg10).items()}
    ap = {name: np.mean(values) for name, values in scores(track, average_precision).items()}
    assert 0.5 < max(ndcg.values()) < 0.8
    assert 0.08 < min(ndcg.values()) < 0.3
    assert 0.3 < max(ap.values()) < 0.5
    assert 0.02 < min(ap.values()) < 0.15
    for one in ("bm25", "dense", "fused", "rerank", "filter"):
        mean = np.mean([ndcg[name] for name in ndcg if kind(name) == one])
        assert mean > np.mean([ndcg[name] for name in ndcg if kind(name) == "boolean"])


def test_topics_differ_in_difficulty_and_in_relevant_documents(track):
    by_topic = np.mean(list(scores(track, average_precision).values()), axis=0)
    assert by_topic.min() < 0.1
    assert by_topic.max() > 0.4
    relevant = [sum(grade > 0 for grade in qrel.values()) for qrel in judgments(track)]
    answered = [count for count in relevant if count]
    assert min(answered) <= 5
    assert max(answered) >= 100


def test_systems_of_a_kind_are_alike(track):
    tops = {one.name: [set(document[:20]) for document, _ in lists(one)] for one in track.submissions}

    def overlap(a: str, b: str) -> float:
        return float(np.mean([len(x & y) for x, y in zip(tops[a], tops[b], strict=True)]))

    full = [name for name in tops if kind(name) in {"bm25", "dense"}]
    pairs = list(itertools.combinations(full, 2))
    same = np.mean([overlap(a, b) for a, b in pairs if kind(a) == kind(b)])
    different = np.mean([overlap(a, b) for a, b in pairs if kind(a) != kind(b)])
    assert same > 1.3 * different


def test_all_grades_are_used_the_high_ones_less(track):
    count = np.bincount(track.judged_grade)
    assert len(count) == 4
    assert (np.diff(count) < 0).all()
    assert count[3] > 100


@pytest.mark.parametrize("grades", [1, 2, 5])
def test_highest_grade_can_be_chosen(grades):
    assert set(simulate(6, 30, grades=grades).judged_grade.tolist()) == set(range(grades + 1))


def test_unjudged_documents_concentrate_in_systems_that_do_not_contribute(track):
    unjudged = shares(track, lambda document, _, qrel: np.mean([one not in qrel for one in document[:10]]))
    others = set(unjudged) - set(track.contributing)
    assert len(track.contributing) == 14
    assert len(others) == 6
    assert all(unjudged[name] == 0 for name in track.contributing)
    assert all(unjudged[name] > 0.03 for name in others)
    below = shares(track, lambda document, _, qrel: np.mean([one not in qrel for one in document[100:]] or [0.0]))
    assert below["bm25-01"] > 0.2


def test_only_the_pool_is_judged(track):
    pool: list[set[int]] = [set() for _ in track.topics]
    for one in track.submissions:
        for topic, (document, _) in enumerate(lists(one)):
            pool[topic].update(document[:100] if one.contributes else ())
    for seen, qrel in zip(pool, judgments(track), strict=True):
        assert seen <= qrel.keys()
        # At most the document the topic was written from.
        assert sum(document not in seen for document in qrel) <= 1


def test_coordination_scores_tie_and_others_hardly_do(track):
    tied = shares(track, lambda _, score, __: 1 - len(set(score)) / len(score))
    for name, share in tied.items():
        assert share > 0.9 if kind(name) == "boolean" else share < 0.15
    whole = [one.score for one in track.submissions if kind(one.name) == "boolean"]
    assert all((score == np.rint(score)).all() and score.min() >= 1 for score in whole)
    assert any(share > 0 for name, share in tied.items() if kind(name) == "bm25")


def test_some_lists_stop_early(track):
    length = {one.name: one.length for one in track.submissions}
    for name, count in length.items():
        match kind(name):
            case "bm25" | "dense" | "fused":
                assert (count == 1000).all()
            case "rerank":
                assert len(set(count.tolist())) == 1
                assert count[0] in {50, 100}
            case "filter" | "boolean":
                assert len(set(count.tolist())) > 10
                assert np.median(count) < 1000


def test_nil_topics_have_judgments_but_no_relevant_document_and_silence_some_systems(track):
    assert len(track.nil_topics) == 3
    nil = [track.topics.index(topic) for topic in track.nil_topics]
    assert [topic for topic, qrel in enumerate(judgments(track)) if qrel and not any(qrel.values())] == nil
    empty = {kind(one.name) for one in track.submissions if (one.length[nil] == 0).any()}
    assert empty == {"filter"}
    assert all((one.length[nil] > 0).all() for one in track.submissions if kind(one.name) == "bm25")


@pytest.mark.parametrize("topics", [1, 7, 100])
@pytest.mark.parametrize("nil", [0.0, 0.2, 0.99])
def test_share_of_nil_topics(topics, nil):
    track = simulate(6, topics, nil=nil, depth=50)
    assert abs(len(track.nil_topics) - nil * topics) < 1
    assert "401" not in track.nil_topics
    assert all(one.length[0] > 0 for one in track.submissions)


@pytest.mark.parametrize("nil", [1, 5, 6])
def test_a_number_of_nil_topics_is_that_many(nil):
    for seed in range(5):
        assert len(simulate(2, 7, seed, nil=nil, depth=20).nil_topics) == nil


@pytest.fixture(scope="module")
def answers() -> SimulatedTrack:
    return simulate(12, 40, depth=5, nil=0.25, nil_systems=0.5)


def test_systems_without_a_nil_and_their_topics_stay_as_they_were(answers):
    plain = simulate(12, 40, depth=5, nil=0.25)
    for one, two in zip(plain.submissions, answers.submissions, strict=True):
        same = one.document.tobytes() == two.document.tobytes() and one.score.tobytes() == two.score.tobytes()
        assert same == (one.name not in answers.says_nil)
    assert plain.nil_topics == answers.nil_topics


def test_every_list_with_a_nil_is_the_list_without_it_up_to_its_rank(answers):
    """By habit in turn: it ends there, goes on below it, or has it at its end, whatever it is sure of."""
    plain = {one.name: one for one in simulate(12, 40, depth=5, nil=0.25).submissions}
    habits = dict.fromkeys(range(3), 0)
    for place, name in enumerate(answers.says_nil):
        one = next(each for each in answers.submissions if each.name == name)
        for (before, _), (after, scores) in zip(lists(plain[name]), lists(one), strict=True):
            assert len(after) <= 5
            assert scores == [float(len(after) - rank) for rank in range(len(after))]
            if -1 not in after:
                assert after == before
                continue
            assert after.count(-1) == 1
            rank = after.index(-1)
            below = {0: [], 1: before[rank:4], 2: []}[place % 3]
            assert after == [*before[:rank], -1, *below]
            habits[place % 3] += 1
            assert place % 3 != 2 or len(after) == min(len(before) + 1, 5)
    assert min(habits.values()) > 20


def test_some_are_silent_rightly_and_some_not(answers):
    found = tr.nil(answers.qrels, answers.runs, "RR", limit=5)
    said = [found.cases[name] for name in answers.says_nil]
    assert sum(cases.correctly_unanswered for cases in said) > 0
    assert sum(cases.wrongly_unanswered for cases in said) > 0
    assert sum(cases.false_answers for cases in said) > 0
    assert {hedger.run for hedger in found.hedgers} >= set(answers.says_nil[2::3])


def test_a_nil_is_a_line_of_the_file_and_no_judged_document(answers, tmp_path):
    paths = answers.write(tmp_path / "answers")
    for path, one in zip(paths[1:], answers.submissions, strict=True):
        assert path.read_text().count(" Q0 NIL ") == int((one.document < 0).sum())
        assert tr.read_run(path).ranking(answers.topics[0]) == answers.runs[one.name].ranking(answers.topics[0])
    assert "NIL" not in paths[0].read_text()
    assert (answers.judged_document >= 0).all()


def test_mean_number_of_relevant_documents():
    track = simulate(1, 2000, relevant=1.1, nil=0.0, depth=10)
    assert np.sum(track.judged_grade > 0) / 2000 == pytest.approx(1.1, abs=0.1)


@pytest.mark.parametrize("contributing", [0.01, 0.5, 1.0])
def test_share_of_contributing_systems(contributing):
    track = simulate(10, 2, depth=20, contributing=contributing)
    assert len(track.contributing) == max(1, 10 * contributing)


def test_kinds_can_be_chosen():
    track = simulate(3, 2, kinds=["boolean", "dense"])
    assert [one.name for one in track.submissions] == ["boolean-01", "dense-01", "boolean-02"]
    assert simulate(1, 2, kinds="boolean").submissions[0].name == "boolean-01"
    assert set(KINDS) == {"bm25", "dense", "boolean", "fused", "rerank", "filter"}


def test_collection_smaller_than_a_list():
    track = simulate(6, 5, documents=10, depth=1000)
    assert track.submissions[0].length.tolist() == [10] * 5
    assert all(sorted(document) == list(range(10)) for document, _ in lists(track.submissions[0]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"systems": 0}, r"systems=0: give a whole number from 1 to 100000"),
        ({"topics": 2.5}, r"topics=2.5: give a whole number"),
        ({"topics": "50"}, r"topics='50': give a whole number"),
        ({"seed": -1}, r"seed=-1: give a whole number of at least 0"),
        ({"depth": 0}, r"depth=0"),
        ({"pool_depth": 0}, r"pool_depth=0"),
        ({"grades": 0}, r"grades=0"),
        ({"documents": 9}, r"documents=9: give a whole number from 10 to 10000000"),
        ({"documents": 10**7 + 1}, r"documents=10000001"),
        ({"relevant": 0.5}, r"relevant=0.5: give a mean of at least 1"),
        ({"relevant": float("nan")}, r"relevant=nan"),
        ({"nil": 2}, r"nil=2: give a share of topics from 0 to less than 1, or a number of fewer than 2"),
        ({"nil": 1.5}, r"nil=1.5"),
        ({"nil": -0.1}, r"nil=-0.1"),
        ({"nil": float("nan")}, r"nil=nan"),
        ({"nil_systems": 1.1}, r"nil_systems=1.1: give a share of systems from 0 to 1"),
        ({"contributing": 0.0}, r"contributing=0.0: give a share"),
        ({"contributing": 1.1}, r"contributing=1.1"),
        ({"kinds": ["bm25", "sparse"]}, r"sparse.*choose one or more of bm25, dense"),
        ({"kinds": []}, r"choose one or more"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments, message):
    with pytest.raises(InputError, match=message):
        simulate(**{"systems": 2, "topics": 2, **arguments})


def test_files_hold_exactly_the_track(tmp_path):
    track = simulate(6, 20, depth=200)
    paths = track.write(tmp_path / "new" / "track")
    assert [path.name for path in paths] == ["qrels.txt"] + [f"{one.name}.run" for one in track.submissions]
    assert sorted(paths) == sorted((tmp_path / "new" / "track").iterdir())
    for path, one in zip(paths[1:], track.submissions, strict=True):
        rows = [line.split(" ") for line in path.read_text().splitlines()]
        expected = [
            [topic, "Q0", f"D{document:08d}", str(rank), score, one.name]
            for topic, (documents, scores) in zip(track.topics, lists(one), strict=True)
            for rank, (document, score) in enumerate(zip(documents, scores, strict=True), start=1)
        ]
        assert [[*row[:4], float(row[4]), row[5]] for row in rows] == expected
        assert all(len(row[4].partition(".")[2]) == one.decimals for row in rows)
    rows = [line.split(" ") for line in paths[0].read_text().splitlines()]
    assert rows == [
        [topic, "0", f"D{document:08d}", str(grade)]
        for topic, qrel in zip(track.topics, judgments(track), strict=True)
        for document, grade in qrel.items()
    ]


def test_objects_hold_exactly_the_track(track):
    assert track.runs is track.runs
    assert list(track.runs) == [one.name for one in track.submissions]
    for one in track.submissions:
        run = track.runs[one.name]
        assert run.name == one.name
        listed = {topic: pair for topic, pair in zip(track.topics, lists(one), strict=True) if pair[0]}
        assert [topic.decode() for topic in run.topics] == list(listed)
        for topic, (documents, scores) in listed.items():
            assert run.ranking(topic) == list(zip((f"D{number:08d}" for number in documents), scores, strict=True))
        assert (run.key == run.docs.keys()).all()
    qrels = track.qrels
    assert [topic.decode() for topic in qrels.topics] == list(track.topics)
    assert qrels.docs.tolist() == [b"D%08d" % number for number in track.judged_document.tolist()]
    assert qrels.grade.tolist() == track.judged_grade.tolist()
    assert np.diff(qrels.offsets).tolist() == np.bincount(track.judged_topic).tolist()


def test_topics_without_rows_are_absent_from_the_objects():
    track = simulate(1, 10, nil=0.5, kinds="filter")
    silent = [topic for topic, length in zip(track.topics, track.submissions[0].length, strict=True) if not length]
    assert silent
    assert set(silent) <= set(track.nil_topics)
    for topics in (track.runs["filter-01"].topics, track.qrels.topics):
        assert [topic.decode() for topic in topics] == [topic for topic in track.topics if topic not in silent]


def test_a_failed_write_leaves_the_old_file_and_no_part(tmp_path, monkeypatch):
    track = simulate(1, 2, depth=5)
    (tmp_path / "bm25-01.run").write_text("old")

    def broken(self, topics, documents):
        yield "401 Q0"
        raise OSError("disk full")

    monkeypatch.setattr(Submission, "lines", broken)
    with pytest.raises(OSError, match="disk full"):
        track.write(tmp_path, force=True)
    assert (tmp_path / "bm25-01.run").read_text() == "old"
    assert {path.name for path in Path(tmp_path).iterdir()} == {"qrels.txt", "bm25-01.run"}
