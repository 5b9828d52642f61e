"""What can be asked for: a track of any size, made up from a seed."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from truerank.data.errors import InputError
from truerank.data.printing import brief
from truerank.report.signature import Option

if TYPE_CHECKING:
    from truerank.questions.simulate.track import SimulatedTrack


def simulate(
    systems: Annotated[int, Option("How many systems take part.")] = 20,
    topics: Annotated[int, Option("How many topics there are.")] = 50,
    seed: Annotated[int, Option("The same seed gives the same track.")] = 7,
    *,
    documents: int = 100_000,
    depth: Annotated[int, Option("The most documents in a list.")] = 1000,
    pool_depth: Annotated[int, Option("How deep pooled lists are judged.")] = 100,
    grades: Annotated[int, Option("The highest grade; 1 is binary.")] = 3,
    relevant: float = 60.0,
    nil: Annotated[float, Option("Topics without a relevant document: their share, or from 1 on their number.")] = 0.06,
    nil_systems: Annotated[float, Option("Share of systems that list NIL if they find no further answer.")] = 0.0,
    contributing: float = 0.7,
    kinds: Sequence[str] | None = None,
) -> SimulatedTrack:
    """Simulate a track: judgments, and one run per system.

    Systems differ in quality and kind: some tie, some stop early, some retrieve what was never judged, and a few topics
    have no relevant document. In a pipe the names of the files are printed, the judgments first.

    With --nil-systems, some systems list a document NIL where they are sure of no further answer, as in the question
    answering of TREC 2001: one ends its list there, the next lists more documents below it, the third has a NIL at the
    end of every list, and so on in turn.

    Example:
      truerank simulate --out track --systems 20 --topics 50 --seed 7
      truerank evaluate track/qrels.txt track/*.run
      truerank simulate --out answers --depth 5 --nil 10 --nil-systems 0.5
      truerank nil answers/qrels.txt answers/*.run --limit 5

    In Python, ``track.qrels`` and ``track.runs`` are ready to evaluate, and ``track.write(folder)`` writes the files.

    A document has a latent relevance to a topic. Cut into steps it is the grade; blurred by errors, some of which all
    systems of a kind share, it is the score. Boolean systems count matched words, so their scores tie; filters stop at
    a score, rerankers after a fixed number of documents; on nil topics nothing is relevant, and filters fall silent.

    The same arguments give the same track. More systems or topics extend it: the earlier lists stay as they were (the
    judgments of a topic grow with the systems that contribute), and up to 1000 a greater depth only lengthens lists.

    :param documents: size of the collection
    :param depth: the most documents in a list
    :param pool_depth: of each contributing list, this many documents are judged
    :param grades: the highest grade; 1 makes judgments binary
    :param relevant: mean number of relevant documents of a topic that has any, judged or not
    :param nil: share of topics without a relevant document, from 0 to below 1; or their number, from 1 on
    :param nil_systems: share of systems that list NIL, whose scores are then ranks from the last
    :param contributing: share of systems whose documents are pooled
    :param kinds: the kinds of system, taken in turn; by default all: bm25, dense, boolean, fused, rerank, filter

    >>> track = simulate(systems=6, topics=20, seed=7, depth=100)
    >>> list(track.runs)
    ['bm25-01', 'dense-01', 'boolean-01', 'fused-01', 'rerank-01', 'filter-01']
    >>> len(track.topics), len(track.nil_topics), sorted(set(track.judged_grade.tolist()))
    (20, 1, [0, 1, 2, 3])
    >>> answers = simulate(systems=6, topics=20, depth=5, nil=4, nil_systems=0.5)
    >>> len(answers.nil_topics), answers.says_nil
    (4, ('bm25-01', 'boolean-01', 'rerank-01'))
    """
    systems, topics = _whole("systems", systems, most=10**5), _whole("topics", topics, most=10**6)
    seed, grades = _whole("seed", seed, least=0), _whole("grades", grades, most=1000)
    depth, pool_depth = _whole("depth", depth, most=10**15), _whole("pool_depth", pool_depth, most=10**15)
    documents = _whole("documents", documents, least=10, most=10**7)
    if not (math.isfinite(relevant) and relevant >= 1):
        raise InputError(f"relevant={relevant}: give a mean of at least 1; for topics without any, use nil")
    if not (0 <= nil < 1 or (nil % 1 == 0 and nil < topics)):
        raise InputError(f"nil={nil}: give a share of topics from 0 to less than 1, or a number of fewer than {topics}")
    if not 0 <= nil_systems <= 1:
        raise InputError(f"nil_systems={nil_systems}: give a share of systems from 0 to 1")
    if not 0 < contributing <= 1:
        raise InputError(f"contributing={contributing}: give a share of systems above 0 and up to 1")
    from truerank.questions.simulate.work import made, roster

    return made(
        roster(systems, seed, kinds, nil_systems),
        topics,
        seed,
        documents=documents,
        depth=depth,
        pool_depth=pool_depth,
        grades=grades,
        relevant=relevant,
        nil=nil if nil < 1 else nil / topics,
        contributing=contributing,
    )


def _whole(name: str, value: int, *, least: int = 1, most: int | None = None) -> int:
    """Return a whole number in range, or refuse it by name."""
    limits = f"of at least {least}" if most is None else f"from {least} to {most}"
    try:
        whole = operator.index(value)
    except TypeError:
        whole = least - 1
    if whole < least or (most is not None and whole > most):
        raise InputError(f"{name}={brief(value)}: give a whole number {limits}")
    return whole
