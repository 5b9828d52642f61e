"""The question: what do preference judgments say together, do runs keep them, and do grades agree?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules
from truerank.questions.preferences.answer import CLICKS, METHODS, REPEATED, PreferenceSurvey
from truerank.questions.signature import Engines, question
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.notes import Note
    from truerank.data.qrels import Preferences, Qrels
    from truerank.track.track import Progress

MEASURES = "nDCG@10 AP PrefLoss"
RULES = AxisRules(fixed={"ending": "none", "nil": "end", "limit": None}, usual={"no_relevant": "skip"})


@question(RULES)
def preferences(
    preferences: Annotated[Any, Argument("PREFS", holds="qrels")],
    runs: Annotated[Any, Argument("[RUN...]", many=True, required=False, holds="runs")] = None,
    qrels: Annotated[Any, Option("Graded judgments, to see whether they agree.", metavar="QRELS")] = None,
    measures: Annotated[
        Any,
        Option(
            f"With QRELS: measures that order the runs; repeatable. Default: {MEASURES}.",
            flags="-m/--measure",
            metavar="MEASURE",
            many=True,
        ),
    ] = None,
    *,
    other: Annotated[Any, Option("Preferences of another judge, to see how far both agree.", metavar="PREFS")] = None,
    repeated: Annotated[
        str,
        Option(
            "What several judgments of a pair count as: each of them, each different one once, or the majority.",
            choices=REPEATED,
        ),
    ] = "each",
    grades: Annotated[
        str | None,
        Option(
            "How preferences become grades. Default: levels where there is no cycle, else wins less losses.",
            choices=METHODS,
        ),
    ] = None,
    induced: Annotated[bool, Option("PREFS are qrels: take the preferences that their grades stand for.")] = False,
    clicks: Annotated[
        Sequence[str],
        Option(
            "PREFS is a click log: take the preferences that clicks stand for by this rule; repeatable.",
            choices=CLICKS,
            many=True,
        ),
    ] = (),
    preferences_columns: Annotated[
        Mapping[str, str] | None,
        Option(
            "Columns of PREFS: topic, better and worse, or topic, first, second and relation.",
            metavar="PART=NAME,...",
            columns=True,
        ),
    ] = None,
    qrels_columns: Annotated[
        Mapping[str, str] | None, Option("Columns of QRELS.", metavar="PART=NAME,...", columns=True)
    ] = None,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> PreferenceSurvey:
    """Look at preference judgments: contradictions, the least loss, runs, and agreement with grades.

    PREFS has lines of topic, better and worse document; or of topic, two documents and their relation: the better one,
    one of > < = (also between the two), or -1 if the first is better, 1 if the second is, and 0. Tables with named
    columns, JSON and trec_eval's preferences are read too. Topics without a preference are left out of means, unless
    --no-relevant says otherwise. JSON has everything that --show chooses from.

    With --clicks, PREFS has a ranking that was shown a line: topic, documents and clicked documents, between tabs, or
    JSON with the fields topic, ranking and clicked; or a table with one row per document: topic, doc, rank, clicked. A
    rule says what a click is taken for: better than all that was skipped above it (skip-above), the last click alone
    (last-click), better than earlier clicks, than the document skipped just above, or than the one just below.

    Example:
      truerank preferences prefs.txt
      truerank preferences prefs.txt bm25.run dense.run --qrels qrels.txt
      truerank preferences prefs.txt --show triples
      truerank preferences prefs.txt --to-qrels graded.qrels
      truerank preferences people.txt --other machine.txt --show judges
      truerank preferences log.jsonl dense.run --clicks skip-above

    In Python, ``preferences`` is what ``read_preferences`` takes, and ``repeated`` as there. Of the judgments: how many
    there are, which contradict one another, the intransitive triples and longer cycles, and the least loss that any
    ranking can have. Of ``runs``: the preferences that each keeps, violates and ties, and its preference loss. Of
    graded judgments, ``qrels``: how far grades agree with preferences; with runs too, how far orderings of runs by
    ``measures`` of the grades agree with that by preference loss.

    ``grades`` says how preferences are turned into grades: by "levels", which needs preferences without a cycle, by
    "copeland", or by levels where that is possible. Conventions are those of ``evaluate``, except that topics without
    a preference are left out unless ``no_relevant`` says otherwise. ``ties="best"`` has ties cost nothing.

    >>> circle = [("q", "a", "b"), ("q", "b", "c"), ("q", "c", "a"), ("q", "a", "d")]
    >>> found = preferences(circle, {"q": ["a", "b", "c"]})
    >>> found.total.cyclic, found.total.least_loss, found["run"].loss
    (1, 0.25, 0.25)
    """
    from truerank.io.load import as_preferences, as_qrels
    from truerank.questions.preferences import work
    from truerank.questions.preferences.grades import graded
    from truerank.questions.preferences.graph import Graph

    conventions = RULES.chosen(given)
    work.refuse(repeated, grades, measures, ordered=qrels is not None and runs is not None)
    more: list[Note] = []
    if clicks:
        from truerank.io.clicks import read_clicks
        from truerank.questions.preferences.clicks import clicked_pairs

        work.refuse_clicks(induced=induced, columns=preferences_columns)
        preferences, note = clicked_pairs(read_clicks(preferences), [clicks] if isinstance(clicks, str) else clicks)
        more.append(note)
    elif induced:
        preferences = induced_preferences(as_qrels(preferences, columns=preferences_columns))
    elif preferences_columns is not None:
        preferences = as_preferences(preferences, columns=preferences_columns)
    if qrels is not None and qrels_columns is not None:
        qrels = as_qrels(qrels, columns=qrels_columns)
    track = work.preference_track(preferences, runs, conventions, repeated=repeated, engine=engine)
    others, apart = (
        (None, []) if qrels is None else work.graded_track(qrels, MEASURES if measures is None else measures, track)
    )
    graph = Graph.of(work.preferences_of(track))
    by_preferences = graded(graph, grades)
    parts = track.each(
        work.look, progress=progress, induced=work.induced_track(graph, by_preferences, track), graded=others
    )
    survey = work.conclude(track, parts, graph, by_preferences, graded=others, apart=apart, more=more)
    return work.with_judges(survey, None if other is None else as_preferences(other))


def induced_qrels(preferences: object, grades: str | None = None, *, lowest: float = 0) -> Qrels:
    """Judgments with the grades that preferences stand for, to be used with any measure.

    ``grades`` is "levels", "copeland", or None for levels where there is no cycle and else Copeland's method. The
    least preferred documents of a topic have the grade ``lowest``: with 0 they are not relevant.

    >>> qrels = induced_qrels([("q", "a", "b"), ("q", "b", "c")])
    >>> dict(zip(qrels.docs.tolist(), qrels.grade.tolist()))
    {b'a': 2.0, b'b': 1.0, b'c': 0.0}
    """
    from truerank.io.load import as_preferences
    from truerank.questions.preferences.grades import as_judged, graded, refuse_method
    from truerank.questions.preferences.graph import Graph

    refuse_method(grades)
    given = as_preferences(preferences)
    graph = Graph.of(given)
    return as_judged(graph, graded(graph, grades), given, lowest)


def induced_preferences(qrels: object) -> Preferences:
    """The preferences that grades stand for: all pairs of documents with different grades, those below 0 taken for 0.

    >>> induced_preferences({"q": {"a": 2, "b": 1, "c": 0, "d": 0}})
    Preferences(1 topics, 5 preferences)
    """
    from truerank.data.preferences import grades_of, induced
    from truerank.io.load import as_qrels

    return induced(grades_of(as_qrels(qrels), "these judgments are preferences already"))


def click_preferences(log: object, rules: str | Sequence[str] = "skip-above") -> Preferences:
    """The preferences that clicks stand for: rows of (topic, ranking that was shown, clicked documents), or a file.

    ``rules`` are one or several of "skip-above", "last-click", "earlier-click", "skip-previous" and "skip-next", after
    Joachims et al. (2005). Those that compare a click with what was skipped above it speak only against the ranking
    that was shown, and skip-next only for it.

    >>> click_preferences([("q", ["a", "b", "c"], ["c"])])
    Preferences(1 topics, 2 preferences)
    """
    from truerank.io.clicks import read_clicks
    from truerank.questions.preferences.clicks import clicked_pairs

    return clicked_pairs(read_clicks(log), [rules] if isinstance(rules, str) else rules)[0]
