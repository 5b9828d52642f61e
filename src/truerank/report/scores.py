"""Scores laid out as a table."""

from __future__ import annotations

from truerank.analysis.scores import RunScores, Score, Scores
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.table import Bounded, Cell, Column, Table

_ALWAYS = ("ties", "unjudged", "ending")
"""Conventions that are named whatever they are; the others where they are not the usual ones."""


def scores_table(scores: Scores, *, per_topic: bool = False, by_run: bool | None = None) -> Table:
    """Means of runs, or the value of each topic with the mean last.

    ``by_run`` has a row a run and a column a measure; so it is by default, but a single run has a row a measure.
    """
    single = len(scores) == 1 if by_run is None else not by_run
    if per_topic:
        columns, rows = _topics(scores, named=not single)
    elif single:
        columns, rows = _measures(scores)
    else:
        columns, rows = _runs(scores)
    return Table(
        columns=columns,
        rows=rows,
        caption=caption(_topics_counted(scores), conventions=scores.conventions.unusual(*_ALWAYS)),
        notes=scores.notices,
        document=lambda: scores_document(scores),
    )


def scores_document(scores: Scores) -> dict[str, object]:
    """Scores in the terms of JSON."""
    return {
        "conventions": scores.conventions.as_dict(),
        "max_rel": scores.max_grade,
        "num_topics": len(scores.topics),
        "runs": {
            name: {
                measure: {"mean": score.mean, "low": score.low, "high": score.high, "topics": score.per_topic}
                for measure, score in run.items()
            }
            for name, run in scores.items()
        },
        "notices": scores.notices,
    }


def _measures(scores: Scores) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    columns = (Column("measure"), *(Column(name, number=True) for name in scores))
    return columns, tuple((text, *(_mean(run[text]) for run in scores.values())) for text in scores.measures)


def _runs(scores: Scores) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    first = next(iter(scores.values()), RunScores({}))
    columns = [Column(text, number=True, best=_best(score)) for text, score in first.items()]
    rows = ((name, *(_mean(score) for score in run.values())) for name, run in scores.items())
    return (Column("run"), *columns), tuple(rows)


def _topics(scores: Scores, *, named: bool) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    columns = (Column("run"), Column("topic"), *(Column(text, number=True) for text in scores.measures))
    rows: list[tuple[Cell, ...]] = []
    for name, run in scores.items():
        values = [_values(score) for score in run.values()]
        # A topic that conventions leave out of every mean has no row, and out of one an empty cell.
        kept = [topic for topic in scores.topics if any(topic in column for column in values)]
        rows += [(name, topic, *(column.get(topic) for column in values)) for topic in kept]
        rows.append((name, "all", *(_mean(score) for score in run.values())))
    return (columns, tuple(rows)) if named else (columns[1:], tuple(row[1:] for row in rows))


def _mean(score: Score) -> Cell:
    return _cell(score, score.mean, score.low, score.high)


def _values(score: Score) -> dict[str, Cell]:
    nothing = [None] * len(score.topics)
    low = nothing if score.low_values is None else score.low_values.tolist()
    high = nothing if score.high_values is None else score.high_values.tolist()
    columns = zip(score.topics, score.values.tolist(), low, high, strict=True)
    return {topic: _cell(score, value, least, most) for topic, value, least, most in columns}


def _cell(score: Score, value: float, low: float | None, high: float | None) -> Cell:
    if low is None or high is None:
        return _whole(value) if score.is_count else value
    return Bounded(*(_whole(end) if score.is_count else end for end in (value, low, high)))


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def _best(score: Score) -> str:
    return "" if score.is_count else "high" if score.measure.higher_is_better else "low"


def _topics_counted(scores: Scores) -> str:
    """How many topics the numbers are over; fewer than are judged, where some were left out."""
    judged = counted(len(scores.topics), "topic")
    counts = sorted({len(score.topics) for run in scores.values() for score in run.values()})
    if counts in ([len(scores.topics)], []):
        return judged
    span = f"{counts[0]:,} to {counts[-1]:,}" if len(counts) > 1 else f"{counts[0]:,}"
    return f"{span} of {judged}"
