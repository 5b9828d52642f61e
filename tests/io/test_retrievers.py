"""What retrievers return: LangChain's documents, LlamaIndex's nodes, samples of ragas; by stand-ins of their shape."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from truerank.data.errors import InputError
from truerank.io.load import as_qrels, as_run
from truerank.questions.evaluate.question import evaluate


@dataclass
class Document:
    """As of LangChain."""

    page_content: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass
class TextNode:
    """As of LlamaIndex."""

    node_id: str
    ref_doc_id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class NodeWithScore:
    """As of LlamaIndex."""

    node: TextNode
    score: float | None = None


@dataclass
class Sample:
    """As of ragas."""

    user_input: str
    retrieved_contexts: list[str] | None = None
    reference_contexts: list[str] | None = None
    retrieved_context_ids: list[str] | None = None
    reference_context_ids: list[str] | None = None
    response: str | None = "an answer"


def test_documents_have_the_id_that_their_metadata_name():
    found = [(Document(metadata={"doc_id": doc}, id=f"uuid-{doc}"), score) for doc, score in (("a", 0.9), ("b", 0.5))]
    run = as_run({"q1": found})
    assert run.ranking("q1") == [("a", 0.9), ("b", 0.5)]
    assert run.notes == ("read 'doc_id' of the metadata for the document, going by the name",)


def test_documents_have_their_own_id_or_the_one_that_is_told():
    found = [(Document(metadata={"source": f"{doc}.pdf"}, id=doc), score) for doc, score in (("a", 0.9), ("b", 0.5))]
    assert as_run({"q1": found}).ranking("q1") == [("a", 0.9), ("b", 0.5)]
    assert as_run([found], topic_ids=["q1"], columns={"doc": "source"}).ranking("q1")[0] == ("a.pdf", 0.9)


def test_scores_that_rise_are_distances():
    found = [(Document(id=doc), score) for doc, score in (("a", 0.1), ("b", 0.5))]
    run = as_run({"q1": found})
    assert run.ranking("q1") == [("a", -0.1), ("b", -0.5)]
    assert "scores rise down the lists, which are taken to be best first" in run.notes
    assert as_run({"q1": found}, higher_is_better=True).ranking("q1") == [("b", 0.5), ("a", 0.1)]
    with pytest.raises(InputError, match="higher_is_better=True or False"):
        as_run({"q1": found, "q2": found[::-1]})


@pytest.mark.parametrize(
    ("scores", "higher", "kept"),
    [((0.9, 0.7, 0.5), None, ("a", 0.9)), ((0.1, 0.3, 0.5), None, ("a", -0.1)), ((0.2, 0.3, 0.9), True, ("a", 0.9))],
)
def test_the_best_chunk_stands_for_a_document(scores, higher, kept):
    found = [(Document(metadata={"doc_id": doc}), score) for doc, score in zip("aba", scores, strict=True)]
    run = as_run({"q1": found}, higher_is_better=higher)
    assert run.ranking("q1")[0] == kept
    assert len(run) == 2
    assert "left out 1 chunk of documents that a better one stands for" in run.notes


def test_documents_without_scores_are_listed_best_first():
    assert as_run({"q1": [Document(id="b"), Document(id="a")]}).ranking("q1") == [("b", 2.0), ("a", 1.0)]
    assert as_qrels({"q1": [Document(id="b")]}).docs.tolist() == [b"b"]


@pytest.mark.parametrize(
    ("found", "columns", "refusal"),
    [
        ([Document(metadata={"source": "a.pdf"})], None, r'columns=\{"doc": "source"\} \(there is \'source\'\)'),
        ([Document(metadata={"doc_id": 1, "pid": 2})], None, "metadata have both 'doc_id' and 'pid'; say which"),
        ([Document(id="a"), "b"], None, "mixes what retrievers return with other things"),
        ([Document(id="a")], {"doc": "source"}, "a document has no 'source'"),
        ([Document(id="a")], {"score": "x"}, "it names the document"),
    ],
)
def test_documents_that_cannot_be_told_are_refused(found, columns, refusal):
    with pytest.raises(InputError, match=refusal):
        as_run({"q1": found}, columns=columns)


def test_nodes_have_their_own_id_and_that_of_their_document():
    found = [NodeWithScore(TextNode(name, "d1"), score) for name, score in (("n2", 0.2), ("n1", 0.7))]
    run = as_run({"q1": found})
    assert run.ranking("q1") == [("n1", 0.7), ("n2", 0.2)]
    assert "ref_doc_id" in run.notes[0]
    assert as_run({"q1": found}, columns={"doc": "ref_doc_id"}).ranking("q1") == [("d1", 0.7)]
    assert as_run({"q1": [NodeWithScore(TextNode("n1"))]}).ranking("q1") == [("n1", 1.0)]
    assert as_run({"q1": [TextNode("n1")]}).ranking("q1") == [("n1", 1.0)]


def test_samples_are_a_run_and_judgments():
    samples = [
        Sample("who?", ["one text", "another"], ["another"]),
        Sample("when?", ["a third"], ["a third", "a fourth"]),
    ]
    assert evaluate(samples, samples, "RR R@5").means() == {"run": {"RR": 0.75, "R@5": 0.75}}
    assert as_run(samples).notes[0] == "texts of contexts are taken for their ids"
    as_dicts = [vars(sample) for sample in samples]
    assert evaluate(as_dicts, as_dicts, "RR").means() == {"run": {"RR": 0.75}}


def test_samples_with_ids_go_by_them():
    [sample] = [Sample("who?", ["x", "y"], ["y"], ["c1", "c2"], ["c2"])]
    assert as_run([sample]).ranking("who?") == [("c1", 2.0), ("c2", 1.0)]
    assert as_qrels([sample]).docs.tolist() == [b"c2"]


@pytest.mark.parametrize("library", ["langchain_core.documents", "llama_index.core.schema", "ragas", "chromadb"])
def test_the_library_itself_has_the_shape(library):
    found = pytest.importorskip(library, reason=f"{library} is not installed")
    if library == "langchain_core.documents":
        assert as_run({"q": [(found.Document(page_content="x", id="a"), 0.5)]}).ranking("q") == [("a", 0.5)]
    elif library == "llama_index.core.schema":
        node = found.NodeWithScore(node=found.TextNode(id_="a", text="x"), score=0.5)
        assert as_run({"q": [node]}).ranking("q") == [("a", 0.5)]
    elif library == "ragas":
        sample = found.SingleTurnSample(user_input="q", retrieved_contexts=["x"], reference_contexts=["x"])
        assert as_run(found.EvaluationDataset(samples=[sample])).ranking("q") == [("x", 1.0)]
    else:
        collection = found.EphemeralClient().create_collection("docs")
        collection.add(ids=["a", "b"], embeddings=[[0.0, 1.0], [1.0, 0.0]])
        answer = collection.query(query_embeddings=[[0.0, 0.9]], n_results=2)
        assert [doc for doc, _ in as_run(answer, topic_ids=["q"]).ranking("q")] == ["a", "b"]
