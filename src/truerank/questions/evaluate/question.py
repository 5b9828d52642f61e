"""The question: how good are runs?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules
from truerank.data.errors import InputError
from truerank.data.given_ids import ByTopic
from truerank.data.notes import Note
from truerank.data.printing import counted
from truerank.measures.core.typed import as_typed
from truerank.questions.common_topics import CommonPair, MissingTopics
from truerank.questions.signature import Also, Engines, Groups, Judgments, Measures, Runs, question
from truerank.report.answer import Sheet, TrackAnswer
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option
from truerank.report.table import Bounded, Cell, Column, Table, caption, hidden

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.arrays import Floats
    from truerank.measures.core.base import Measure
    from truerank.track.track import Progress

BY_SCORE, BY_NAME, BY_INPUT = "", "name", "input"
"""How runs are sorted: by their means, by their names, or as they were given."""
Sort = Annotated[
    str,
    Option(
        "Order runs by name, by input (as they were given), or by a measure, the best first. Default: the first "
        "measure.",
        metavar="name|input|MEASURE",
    ),
]
RunsShown = Annotated[int | None, Option("List the first N runs. Default: all.", metavar="N", least=1)]


class Score(Row, eq=False):
    """A measure of a run: the mean over topics, its bounds where they were asked for, and the value of each topic."""

    run: str = column("the run")
    measure: str = column("the measure")
    mean: float = column("the mean over topics, or what else sums them up by the measure", best="measure", over="mean")
    low: float | None = column(
        "the least that it may be, where bounds were asked for", optional=True, default=None, over="mean"
    )
    high: float | None = column("the most that it may be", optional=True, default=None, over="mean")
    judge: str | None = column("whose judgments, where each judge has a result", optional=True, default=None)

    by: Measure
    names: tuple[str, ...]
    """The topics that count."""
    values: Floats
    """One value a topic; NaN where undefined and kept so."""
    low_values: Floats | None = None
    high_values: Floats | None = None

    @cached_property
    def per_topic(self) -> ByTopic[float]:
        """Value of each topic, by its id in the type that this was given in; found by the id as text, too."""
        return ByTopic(zip(self.names, self.values.tolist(), strict=True))

    @derived(for_people=False, nested=True)
    def topics(self) -> dict[str, float]:
        """The value of each topic that counts."""
        return self.per_topic

    @property
    def std_error(self) -> float:
        """Standard error of the mean over topics; NaN for fewer than two, and where the summary is not their mean."""
        known = self.values[self.values == self.values]
        if len(known) < 2 or not self.by.averages:
            return math.nan
        return float(known.std(ddof=1) / math.sqrt(len(known)))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Confidence interval of the mean over topics, by Student's t."""
        if not 0 < confidence < 1:
            raise InputError(f"confidence is a number between 0 and 1, not {confidence!r}")
        from truerank.statistics.special import t_quantile

        known = int((self.values == self.values).sum())
        half = float(t_quantile(known - 1, (1 - confidence) / 2)) * self.std_error if known > 1 else math.nan
        return self.mean - half, self.mean + half

    def cell(self) -> Cell:
        """The mean as a table has it."""
        return _cell(self.by, self.mean, self.low, self.high)

    def cells(self) -> dict[str, Cell]:
        """The value of each topic as a table has it."""
        nothing = [None] * len(self.names)
        low = nothing if self.low_values is None else self.low_values.tolist()
        high = nothing if self.high_values is None else self.high_values.tolist()
        columns = zip(self.names, self.values.tolist(), low, high, strict=True)
        return {topic: _cell(self.by, value, least, most) for topic, value, least, most in columns}

    def __float__(self) -> float:
        return self.mean

    def __repr__(self) -> str:
        bounds = "" if self.low is None or self.high is None else f", {self.low:.4f} to {self.high:.4f}"
        return f"Score({self.measure}: {self.mean:.4f}{bounds}, {counted(len(self.names), 'topic')})"


class TopicScore(Row):
    """A measure of a run on one topic."""

    run: str = column("the run")
    measure: str = column("the measure")
    topic: str = column('the topic; "all" for what sums them up', summary="all")
    value: float = column("the value of the topic")
    low: float | None = column("the least that it may be, where bounds were asked for", optional=True)
    high: float | None = column("the most that it may be", optional=True)
    judge: str | None = column("whose judgments, where each judge has a result", optional=True, default=None)


class GroupScore(Row):
    """A measure of a run over the topics of a group, or over all of them."""

    run: str = column("the run")
    group: str = column('the group of topics; "all" for all of them, last')
    measure: str = column("the measure")
    num_topics: int = column("topics of the group that count")
    mean: float = column(
        "the mean over these topics, or what else sums them up by the measure", best="measure", over="mean"
    )
    low: float | None = column(
        "where its 95% interval begins: by Student's t over the topics of the group, and of all topics by a bootstrap "
        "that draws groups; none of what is no mean, of one topic, and of fewer than ten groups",
        default=None,
    )
    high: float | None = column("where it ends", default=None)
    judge: str | None = column("whose judgments, where each judge has a result", optional=True, default=None)

    by: Measure


class Scores(TrackAnswer[Score]):
    """The scores of runs, by run and measure, with conventions and notices.

    A table has a row a run and a column a measure, on a screen as in delimited text; records have a row a run and
    measure.
    """

    question = "evaluate"
    by_collection = True
    sheets = {
        "runs": Sheet(Score, "one row per run", of="scores"),
        "topics": Sheet(
            TopicScore, "One row per topic, and the means last", of="topic_scores", flag="--per-topic", json=False
        ),
        "groups": Sheet(GroupScore, "one row per run and group of topics", of="groups", needs="group"),
        "common": Sheet(
            CommonPair, "two runs on the topics that both have results for, if one of them lacks some", of="on_common"
        ),
    }

    scores: tuple[Score, ...]
    groups: tuple[GroupScore, ...] = ()
    """One row per run, measure and group, where groups are given."""
    lacking: MissingTopics | None = None
    """Of two runs, the topics that they have no results for, if there are any."""
    on_common: tuple[CommonPair, ...] = ()
    """Two runs on the topics that both have results for, one row per measure, where one lacks some."""
    max_rel: float = column("the highest grade of the judgments, which gains are relative to unless a measure says so")

    @cached_property
    def by_judge(self) -> dict[str, Scores]:
        """The scores by each judge, where each has a result; none elsewhere."""
        return {
            name: replace(
                self,
                scores=tuple(replace(row, judge=None) for row in self.scores if row.judge == name),
                groups=tuple(replace(row, judge=None) for row in self.groups if row.judge == name),
            )
            for name in dict.fromkeys(row.judge for row in self.scores)
            if name is not None
        }

    @property
    def by_name(self) -> Mapping[str, Any]:
        """What was found, by run; where each judge has a result, the scores by each judge."""
        return self.by_judge or self.runs

    @property
    def bounded(self) -> bool:
        """Whether there are bounds beside the means."""
        return any(score.low is not None for score in self.scores)

    @property
    def topic_scores(self) -> list[TopicScore]:
        """Every score of every topic; for each run and measure what sums them up comes last."""
        return [row for score in self.scores for row in _topics(score)]

    def means(self) -> dict[str, dict[str, float]]:
        """Means by run and measure.

        >>> import truerank as tr
        >>> tr.evaluate({"q1": {"a": 1}}, {"mine": {"q1": ["b", "a"]}}, "RR").means()
        {'mine': {'RR': 0.5}}
        """
        return {run: {measure: score.mean for measure, score in found.items()} for run, found in self.runs.items()}

    def ranked(self, sort: str = BY_SCORE) -> list[str]:
        """The runs, best first by the first measure; or as ``sort`` has it: by "name", by "input", or by a measure.

        >>> import truerank as tr
        >>> found = tr.evaluate({"q1": {"a": 1}}, {"x": {"q1": ["b", "a"]}, "y": {"q1": ["a"]}}, "RR P@1")
        >>> found.ranked(), found.ranked("input"), found.ranked("P@1")
        (['y', 'x'], ['x', 'y'], ['y', 'x'])
        """
        if self.by_judge:
            return next(iter(self.by_judge.values())).ranked(sort)
        if sort == BY_INPUT or not (self.wanted and len(self)):
            return list(self)
        if sort == BY_NAME:
            return sorted(self)
        try:
            scores = [found[sort or self.measures[0]] for found in self.values()]
        except KeyError:
            there = ", ".join(map(as_typed, self.measures))
            raise InputError(f"runs cannot be sorted by {sort!r}; give name, input, or one of {there}") from None
        from truerank.statistics.level import level

        # Means that differ by rounding alone are no order: such runs stay as they were given. NaN comes last.
        merit = level([score.by.sign * score.mean for score in scores])
        names = list(self)
        return [names[at] for at in (-merit).argsort(kind="stable").tolist()]

    def usual(self) -> str:
        """Groups of topics, where these were asked for."""
        return "groups" if self.groups else super().usual()

    @classmethod
    def has_top(cls) -> bool:
        """Not every run need be listed."""
        return True

    def layout(self, show: str, *, top: RunsShown = None, sort: Sort = BY_SCORE) -> Table:
        """A row a run, or a measure where there is one run; or a row a topic. By one measure, a column a judge."""
        if self.by_judge:
            return (
                self._side_by_side(top, sort)
                if show == "runs" and len(self.wanted) == 1
                else self._stacked(show, top, sort)
            )
        runs = self.ranked(sort)
        few = runs[:top]
        if show == "topics":
            table = self._by_topic(few, named=len(self) > 1)
        elif show == "groups":
            table = self._by_group(few)
        elif show == "common":
            return super().layout(show, top=top)
        else:
            table = self._by_run(few) if len(self) > 1 else self._by_measure()
            if len(self) == len(self.wanted) == 1:
                table = replace(table, spoken=not self.bounded)
        return replace(table, hidden=hidden(len(few), len(runs), "runs"))

    def whole_layout(self, show: str, *, top: RunsShown = None, sort: Sort = BY_SCORE) -> Table:
        """The same whatever number of runs there is."""
        if self.by_judge:
            return self._stacked(show, top, sort)
        runs = self.ranked(sort)[:top]
        if show == "common":
            return super().whole_layout(show)
        if show == "groups":
            return self._by_group(runs)
        return self._by_topic(runs, named=True) if show == "topics" else self._by_run(runs)

    def _side_by_side(self, top: int | None, sort: str) -> Table:
        """A row a run and a column a judge; runs as the first judge has them."""
        first = next(iter(self.by_judge.values()))
        runs = first.ranked(sort)
        end = _better_end(self.wanted[0])
        columns = [Column(name, number=True, best=end, type="float") for name in self.by_judge]
        rows = tuple(
            (run, *(found[run][self.measures[0]].cell() for found in self.by_judge.values())) for run in runs[:top]
        )
        return Table((Column("run"), *columns), rows, hidden=hidden(len(rows), len(runs), "runs"))

    def _stacked(self, show: str, top: int | None, sort: str) -> Table:
        """The tables of all judges, one below the other."""
        tables = {name: found.whole_layout(show, top=top, sort=sort) for name, found in self.by_judge.items()}
        rows = tuple((name, *row) for name, table in tables.items() for row in table.rows)
        return Table((Column("judge"), *next(iter(tables.values())).columns), rows)

    def _by_run(self, runs: Sequence[str]) -> Table:
        columns = [
            Column(str(one), number=True, best=_better_end(one), type="float", over="mean") for one in self.wanted
        ]
        rows = tuple((run, *(score.cell() for score in self[run].values())) for run in runs)
        return Table((Column("run"), *columns), rows)

    def _by_measure(self) -> Table:
        columns = (Column("measure"), *(Column(run, number=True, over="mean") for run in self))
        rows = tuple((name, *(found[name].cell() for found in self.values())) for name in self.measures)
        return Table(columns, rows)

    def _by_group(self, runs: Sequence[str]) -> Table:
        numbers = (Column(name, number=True, type="float", over="mean") for name in self.measures)
        columns = (Column("run"), Column("group"), Column("topics", number=True, type="int"), *numbers)
        found: dict[tuple[str, str], list[GroupScore]] = {}
        for row in self.groups:
            found.setdefault((row.run, row.group), []).append(row)
        rows = [
            (
                run,
                group,
                max(row.num_topics for row in some),
                *(_cell(row.by, row.mean, row.low, row.high) for row in some),
            )
            for one in runs
            for (run, group), some in found.items()
            if run == one
        ]
        return Table(columns, tuple(rows))

    def _by_topic(self, runs: Sequence[str], *, named: bool) -> Table:
        columns = (
            Column("run"),
            Column("topic", summary="all"),
            *(Column(name, number=True, type="float") for name in self.measures),
        )
        rows: list[tuple[Cell, ...]] = []
        for run in runs:
            found = self[run]
            values = [score.cells() for score in found.values()]
            # A topic that conventions leave out of every mean has no row, and out of one an empty cell.
            kept = [topic for topic in self.topics if any(topic in column for column in values)]
            rows += [(run, topic, *(column.get(topic) for column in values)) for topic in kept]
            rows.append((run, "all", *(score.cell() for score in found.values())))
        return Table(columns, tuple(rows)) if named else Table(columns[1:], tuple(row[1:] for row in rows))

    def caption(self, show: str) -> str:
        """How many topics the numbers are over, and conventions that are not the usual ones."""
        return caption(self.topics_in_words, conventions=self.conventions.unusual(), meaning=self.of_unjudged)

    def verdict(self, show: str) -> str:
        """Which run scores highest, by which of the measures."""
        from truerank.questions.evaluate.words import verdict

        return verdict(self)

    def own_notes(self, show: str) -> Iterator[Note]:
        """Where bounds overlap, and what says whether differences are significant."""
        from truerank.questions.evaluate.words import notes

        return notes(self)

    @property
    def topics_in_words(self) -> str:
        """How many topics the numbers are over; fewer than are judged, where some were left out."""
        judged = counted(len(self.topics), "topic")
        counts = sorted({len(score.names) for score in self.scores})
        if counts in ([len(self.topics)], []):
            return judged
        span = f"{counts[0]:,} to {counts[-1]:,}" if len(counts) > 1 else f"{counts[0]:,}"
        return f"{span} of {judged}"

    def __repr__(self) -> str:
        judges = f"{counted(len(self.by_judge), 'judge')}, " if self.by_judge else ""
        return f"Scores({judges}{len(self.runs)} runs, {len(self.wanted)} measures)"


def _topics(score: Score) -> Iterator[TopicScore]:
    nothing = [None] * len(score.names)
    low = nothing if score.low_values is None else score.low_values.tolist()
    high = nothing if score.high_values is None else score.high_values.tolist()
    for topic, value, least, most in zip(score.names, score.values.tolist(), low, high, strict=True):
        yield TopicScore(
            run=score.run, measure=score.measure, topic=topic, value=value, low=least, high=most, judge=score.judge
        )
    yield TopicScore(
        run=score.run,
        measure=score.measure,
        topic="all",
        value=score.mean,
        low=score.low,
        high=score.high,
        judge=score.judge,
    )


def _cell(measure: Measure, value: float, low: float | None, high: float | None) -> Cell:
    if low is None or high is None:
        return _whole(value) if measure.counts else value
    return Bounded(*(_whole(end) if measure.counts else end for end in (value, low, high)))


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def _better_end(measure: Measure) -> str:
    if measure.counts:
        return ""
    return "high" if measure.higher_is_better else "low"


RULES = AxisRules(takes=("each", "bounds", "expected"))


@question(RULES)
def evaluate(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "nDCG@10 AP P@10 R@100 RR RBP(p=0.8)",
    *,
    group: Groups = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Scores:
    """Score runs against judgments.

    QRELS and RUN are files, compressed or not, or - for standard input: TREC files, CSV or TSV with a header line,
    JSON, JSON lines, parquet, responses of Elasticsearch, or the id of a data set of ir_datasets.

    Example:
      truerank evaluate qrels.txt bm25.run dense.run -m "nDCG@10 MRR"
      truerank evaluate qrels.txt "runs/*.run" --per-topic --out scores.csv
      truerank evaluate qrels.txt bm25.run dense.run -m "nDCG@10 AP" --unjudged bounds
      truerank evaluate beir/test.tsv passages.jsonl --lower-is-better --chunks "#"
      truerank evaluate qrels.txt *.run --group topics.tsv:language
      truerank evaluate people.qrels *.run --judge gpt=gpt.jsonl --judges each
      truerank evaluate trec8.qrels trec8/*.run --also med=med/qrels.txt "med/*.run"
      truerank evaluate qrels.txt *.run --topics 401,403

    In Python, ``qrels`` and each run may also be an open file, a dict of dicts, a dict of lists, rows, a data frame, or
    what ``read_qrels`` and ``read_run`` return; ``runs`` is one run, a list of runs, or a dict from names to runs. The
    conventions are keywords, see ``truerank.Conventions``; those that are not given are those of ``like``, a tool, or
    else the usual ones. ``also`` are other collections, pairs of judgments and runs or such pairs by name, which stand
    beside the first in what is returned: ``found.collections["med"]``. ``progress`` is called with the name of each run
    when it is done, how many are, and how many there are.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 2}}
    >>> scores = evaluate(qrels, {"mine": {"q1": {"a": 3.0, "b": 2.0, "c": 2.0}}}, "AP nDCG@2")
    >>> scores["mine"]["AP"].mean  # the mean of 1 and 5/6: b and c are tied
    0.9166666666666666
    """
    from truerank.questions.evaluate.work import score_run, summarise
    from truerank.track.groups import given_groups
    from truerank.track.track import Track

    groups = given_groups(group)
    track = Track.of(qrels, runs, measures, given, RULES, engine=engine)
    return summarise(track, track.each(score_run, progress=progress), groups)
