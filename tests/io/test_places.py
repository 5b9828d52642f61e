"""Data that have places instead of ids: matrices, neighbours, results of vector stores, responses in a row."""

import json

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.io.load import as_qrels, as_run

NEAR = np.array([[0.1, 0.2, 0.3], [0.25, 0.5, 9.0]])
NUMBERS = np.array([[5, 0, 2], [1, 2, -1]])
TOPICS = ["q1", "q2"]


def test_rows_and_columns_of_a_matrix_are_topics_and_documents():
    scores = np.array([[0.5, 0.25, np.nan], [1.0, -np.inf, 2.0]])
    run = as_run(scores, topic_ids=TOPICS, doc_ids=np.array(["a", "b", "c"]))
    assert run.ranking("q1") == [("a", 0.5), ("b", 0.25)]
    assert run.ranking("q2") == [("c", 2.0), ("a", 1.0)]
    assert run.notes == ("2 cells of NaN or -inf are no retrieved document",)
    qrels = as_qrels(np.array([[1, 0], [2, 1]]), topic_ids=TOPICS, doc_ids=[11, 12])
    assert qrels.docs.tolist() == [b"11", b"12", b"11", b"12"]
    assert qrels.grade.tolist() == [1, 0, 2, 1]


def test_scores_stand_side_by_side_with_topics_and_documents():
    run = as_run(np.array([0.5, 0.75, 1.0]), topic_ids=[7, 7, 9], doc_ids=range(3))
    assert run.ranking(7) == [(1, 0.75), (0, 0.5)]
    assert run.ranking(9) == [(2, 1.0)]


@pytest.mark.parametrize("form", ["csr_matrix", "csc_array", "coo_array", "lil_matrix"])
def test_a_sparse_matrix_has_the_documents_that_it_stores(form):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = getattr(sparse, form)(np.array([[0, 1.5, 2.5], [2.0, 0, 0]]))
    run = as_run(matrix, topic_ids=TOPICS, doc_ids=list("abc"))
    assert run.ranking("q1") == [("c", 2.5), ("b", 1.5)]
    assert run.ranking("q2") == [("a", 2.0)]
    assert as_qrels(matrix, topic_ids=TOPICS, doc_ids=list("abc")).offsets.tolist() == [0, 2, 3]


def test_a_cell_that_is_stored_twice_is_refused():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(1, 2))
    with pytest.raises(InputError, match=r"the cell \(0, 1\) is there twice; call sum_duplicates"):
        as_run(matrix, topic_ids=["q1"], doc_ids=["a", "b"])


def test_neighbours_are_distances_where_they_rise():
    run = as_run((NEAR, NUMBERS), topic_ids=TOPICS)
    assert run.ranking("q1") == [(5, -0.1), (0, -0.2), (2, -0.3)]
    assert run.ranking("q2") == [(1, -0.25), (2, -0.5)]
    assert "scores rise down the lists, which are taken to be best first" in run.notes
    similar = as_run((-NEAR, NUMBERS), topic_ids=TOPICS, doc_ids=list("uvwxyz"))
    assert similar.ranking("q1") == [("z", -0.1), ("u", -0.2), ("w", -0.3)]
    assert similar.notes == ()


def test_neighbours_may_have_their_numbers_first_and_a_direction_that_is_declared():
    assert as_run((NUMBERS, NEAR), topic_ids=TOPICS).ranking("q2") == [(1, -0.25), (2, -0.5)]
    run = as_run((NEAR, NUMBERS), topic_ids=TOPICS, higher_is_better=True)
    assert run.ranking("q2") == [(2, 0.5), (1, 0.25)]


def test_a_result_of_chroma_has_distances():
    result = {"ids": [["a", "b"], ["c"]], "distances": [[0.25, 0.5], [0.125]], "documents": None, "metadatas": None}
    run = as_run(result, topic_ids=TOPICS)
    assert run.ranking("q1") == [("a", -0.25), ("b", -0.5)]
    assert run.notes == ("'distances' are those of Chroma", "scores are negated, so that the lowest is best")
    listed = as_run({**result, "distances": None}, topic_ids=TOPICS)
    assert listed.ranking("q1") == [("a", 2.0), ("b", 1.0)]


def test_lists_one_after_the_other_are_those_of_topics():
    assert as_run([["b", "a"], ["c"]], topic_ids=TOPICS).ranking("q1") == [("b", 2.0), ("a", 1.0)]
    assert as_run([[("b", 0.5)], [("c", 0.1)]], topic_ids=TOPICS).ranking("q2") == [("c", 0.1)]


def _response(*hits):
    return {"took": 3, "hits": {"hits": [{"_id": doc, "_score": score} for doc, score in hits]}}


def test_responses_of_one_request_are_those_of_topics_in_order(tmp_path):
    answer = {"took": 9, "responses": [_response(("a", 2.0), ("b", 1.0)), {"error": {"type": "x"}, "status": 404}]}
    (tmp_path / "msearch.json").write_text(json.dumps(answer))
    for data in (answer, tmp_path / "msearch.json", answer["responses"]):
        run = as_run(data, topic_ids=TOPICS)
        assert run.ranking("q1") == [("a", 2.0), ("b", 1.0)]
        assert [*run.topics] == [b"q1"]
        assert run.notes == ("1 request failed and is missing (q2)",)


def test_records_of_a_topic_and_its_response_are_a_run(tmp_path):
    records = [
        {"query_id": "q1", "response": _response(("a", 2.0))},
        {"query_id": "q2", "response": _response(("c", 1.0), ("d", 0.5))},
    ]
    (tmp_path / "search.jsonl").write_text("\n".join(map(json.dumps, records)))
    for data in (records, tmp_path / "search.jsonl"):
        assert as_run(data).ranking("q2") == [("c", 1.0), ("d", 0.5)]
    (tmp_path / "search.jsonl").write_text("\n".join(map(json.dumps, [*records, {"query_id": "q3"}])))
    with pytest.raises(InputError, match=r"search.jsonl:3: .* is no record such as"):
        as_run(tmp_path / "search.jsonl")


@pytest.mark.parametrize(
    ("data", "told", "refusal"),
    [
        ((NEAR, NUMBERS), {}, r"2 rows and no topics; .* topic_ids=\[...\]"),
        ((NEAR, NUMBERS), {"topic_ids": ["q1"]}, "topic_ids= has 1 id for 2 rows; give one for each"),
        ((NEAR, NUMBERS), {"topic_ids": TOPICS, "doc_ids": ["a"]}, "there is a document 5, and doc_ids= has 1"),
        ((NEAR * [1, -1, 1], NUMBERS), {"topic_ids": TOPICS}, "say whether a high score is good: higher_is_better"),
        (NEAR, {"doc_ids": list("abc")}, "2 rows and no topics"),
        (NEAR, {"topic_ids": TOPICS, "doc_ids": list("ab")}, "doc_ids= has 2 ids for 3 columns"),
        (NEAR, {"topic_ids": "q1", "doc_ids": list("abc")}, "topic_ids='q1' is no list of ids"),
        (np.zeros((2, 5)), {}, "a row has 5 fields.* or topic_ids= and doc_ids= for a matrix"),
        ({"q1": {"a": 1.0}}, {"topic_ids": ["q1"]}, "these have topics of their own"),
        ({"ids": [["a"]], "distances": [[0.5, 0.6]]}, {"topic_ids": ["q1"]}, "are not equally long"),
        ({"ids": [["a"]], "distances": [[0.5]]}, {}, "1 list and no topics"),
        ([_response(("a", 1.0))], {}, "a search response names no topic"),
    ],
)
def test_what_cannot_be_told_is_refused(data, told, refusal):
    with pytest.raises(InputError, match=refusal):
        as_run(data, **told)


def test_files_and_tables_have_ids_of_their_own(tmp_path):
    pandas = pytest.importorskip("pandas")
    (tmp_path / "bm25.run").write_text("q1 Q0 a 1 2.5 bm25\n")
    (tmp_path / "dense.csv").write_text("qid,docno,score\nq1,a,2.5\n")
    frame = pandas.DataFrame({"qid": ["q1"], "docno": ["a"], "score": [2.5]})
    for data in (tmp_path / "bm25.run", tmp_path / "dense.csv", frame):
        with pytest.raises(InputError, match="topic_ids= is for data that have no ids of their own"):
            as_run(data, topic_ids=["q1"])
