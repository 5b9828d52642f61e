"""The page of a report: the sections that questions give, one after the other."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence
from statistics import median

from truerank.conventions.axes import AXES
from truerank.data.notes import Note
from truerank.data.printing import counted, percent
from truerank.measures.core.base import Measure
from truerank.questions.compare import section as compared
from truerank.questions.compare.across import Across
from truerank.questions.depth import section as by_depth
from truerank.questions.evaluate.section import TopicValues, heat_map
from truerank.questions.evaluate.section import verdict as alone
from truerank.questions.judges import section as by_judges
from truerank.questions.lint import section as linted
from truerank.questions.report.answer import InputFile, Report, RunStanding, SeveralReports, counted_to
from truerank.questions.report.parts import ReportParts
from truerank.questions.ties import section as by_ties
from truerank.questions.unjudged import section as by_unjudged
from truerank.report.digits import decimals, ranks
from truerank.report.pages.html import Page
from truerank.report.pages.section import Block, Folded, Listing, PageCell, Section, Strip, Words, within
from truerank.report.plots.panels import extent
from truerank.report.several import captions
from truerank.report.table import Column


def page(answer: Report) -> Page:
    """Everything that is on the page."""
    parts = answer.parts
    choices = compared.baselines(parts.comparison, answer.baseline or "") if parts.comparison is not None else ()
    return Page(
        title=answer.title,
        about=answer.caption("runs"),
        measures=answer.measures,
        baseline=answer.baseline or "",
        baselines=choices,
        verdict=tuple(verdict(parts, answer.measures)),
        sections=tuple(_sections(answer)),
        made_by=answer.made_by,
    )


def page_of_all(answer: SeveralReports) -> Page:
    """The page of several collections: all of them together, and then one after the other."""
    every = answer.answers
    said = [
        Words(
            lines=(
                *(note for note in _of_all(answer) if note.facts.get("measure") == measure),
                *(
                    f"{one.collection}: {line}"
                    for one in every
                    for line in _said(one.parts, measure, one.wanted[one.measures.index(measure)])
                ),
            ),
            measure=measure,
        )
        for measure in answer.measures
    ]
    return Page(
        title=answer.title,
        about=captions([(one.collection, one.caption("runs")) for one in every]),
        measures=answer.measures,
        baseline="",
        baselines=(),
        verdict=tuple(said),
        sections=(
            _all_collections(answer),
            *(
                within(section, f"c{place}", one.collection)
                for place, one in enumerate(every, 1)
                for section in _sections(one)
            ),
        ),
        made_by=answer.made_by,
    )


def _of_all(answer: SeveralReports) -> tuple[Note, ...]:
    """What is said over all collections; nothing where there is nothing to compare."""
    return () if answer.comparison is None else tuple(answer.comparison.own_notes("across"))


def _all_collections(answer: SeveralReports) -> Section:
    """Runs over all collections: their means in each and over all, and where they could stand."""
    comparison = answer.comparison
    blocks: list[Block] = []
    for place, measure in enumerate(answer.measures):
        across = [] if comparison is None else [one for one in comparison.across if one.measure == measure]
        if across:
            blocks.append(_across(across[0], place))
    words: list[str] = [note for note in _of_all(answer) if "measure" not in note.facts]
    if not blocks:
        words = ["There are no two runs to compare; the collections stand below one by one."]
    return Section(name="all", title="All collections", blocks=(*blocks, Words(lines=tuple(words))))


def _across(across: Across, place: int) -> Listing:
    rows = across.systems
    wide = [(row.high - row.low) / 4 for row in rows if row.high is not None and row.low is not None]
    digits = decimals(median(wide or [math.nan]))
    names = across.names
    ends = [end for row in rows if row.mean is not None for end in (row.low, row.mean, row.high) if end == end]
    columns = (
        Column("rank", head="#", number=True, meaning="rank by the mean over collections"),
        Column("run", meaning="the run"),
        *(Column(name, number=True, meaning=f"the mean over the topics of {name}") for name in names),
        Column("mean", number=True, meaning="the mean over collections, each of which counts the same"),
        Column("drawn", head="mean and interval", meaning="the mean with its 95% interval, on one scale"),
        Column("interval", head="95% interval", number=True, meaning="by a bootstrap of topics within collections"),
        Column("could be", number=True, meaning="places that differences leave open, for all runs at once"),
    )
    cells = [
        (
            row.rank,
            row.run,
            *(f"{row.means[name]:.{digits}f}" if name in row.means else None for name in names),
            None if row.mean is None else f"{row.mean:.{digits}f}",
            None if row.mean is None else Strip(row.mean, row.low or math.nan, row.high or math.nan),
            _range(row.low, row.high, digits),
            "" if row.rank_low is None or row.rank_high is None else ranks((row.rank_low, row.rank_high)),
        )
        for row in rows
    ]
    return Listing(
        name=f"across-{place}",
        caption=f"Runs by {across.measure} over {counted(len(names), 'collection')}, the best first",
        columns=columns,
        rows=cells,
        measure=across.measure,
        of="run",
        scales={"drawn": extent([end for end in ends if end is not None], room=0.02)},
    )


def verdict(parts: ReportParts, measures: Sequence[str]) -> Iterator[Words]:
    """For each measure who leads, which differences are real, and what ties, unjudged documents and depth overturn."""
    for measure, by in zip(measures, parts.scores.wanted, strict=True):
        yield Words(lines=tuple(_said(parts, measure, by)), measure=measure)


def _said(parts: ReportParts, measure: str, by: Measure) -> Iterator[str]:
    if len(parts.scores) == 1:
        yield alone(parts.scores, measure)
    ranked = parts.scores.ranked(measure)
    if parts.comparison is not None and parts.compared(measure) is not None:
        yield from compared.verdict(parts.comparison, measure)
    if parts.ties is not None:
        yield from by_ties.verdict(parts.ties, measure, ranked)
    if parts.unjudged is not None:
        yield from by_unjudged.verdict(parts.unjudged, measure, ranked)
    if parts.curves is not None and str(by_depth.endless(by)) in parts.curves.measures:
        yield from by_depth.verdict(parts.curves, by)
    if parts.judges is not None:
        yield from by_judges.verdict(parts.judges, measure)


def _sections(answer: Report) -> Iterator[Section]:
    parts = answer.parts
    yield Section(
        name="leaderboard",
        title="Leaderboard",
        blocks=tuple(_leaderboard(answer, measure, place) for place, measure in enumerate(answer.measures)),
        commands=tuple(parts.commands[name] for name in ("evaluate", "ties", "unjudged")),
    )
    if parts.comparison is not None and answer.baseline is not None:
        yield compared.section(parts.comparison, answer.baseline, parts.commands["compare"])
    yield _topics(answer)
    if parts.curves is not None:
        measures = dict(zip(answer.measures, answer.wanted, strict=True))
        yield by_depth.section(parts.curves, measures, parts.commands["depth"])
    if parts.judges is not None:
        yield by_judges.section(parts.judges, parts.commands["judges"])
    if parts.lint is not None:
        yield linted.section(parts.lint, parts.commands["lint"])
    yield _provenance(answer)


def _leaderboard(answer: Report, measure: str, place: int) -> Listing:
    rows = [row for row in answer.standings if row.measure == measure]
    scores = answer.parts.scores
    digits = decimals(median([scores[row.run][measure].std_error for row in rows]))
    deep = counted_to(answer.wanted[answer.measures.index(measure)])
    ends = [end for row in rows for end in (row.low, row.mean, row.high) if not math.isnan(end)]
    columns = [
        Column("rank", head="#", number=True, meaning="rank by the mean"),
        Column("run", meaning="the run"),
        Column("mean", head=measure, number=True, meaning="the mean over topics"),
        Column("drawn", head="mean and interval", meaning="the mean with its 95% interval, on one scale"),
        Column("interval", head="95% interval", number=True, meaning="of the mean, by Student's t"),
        Column("could be", number=True, meaning="places that no significant difference rules out"),
        Column("ties", number=True, meaning="the score in the worst and in the best order of ties, where they differ"),
        Column("unjudged", head=f"unjudged @{deep}", number=True, meaning="share of unjudged documents"),
        Column("if judged", number=True, meaning="lowest and highest score if what these runs list were judged"),
    ]
    cells = [_standing(row, digits) for row in rows]
    # What no run has anything to say about is not worth a column.
    empty = [at for at in range(len(columns)) if all(row[at] in (None, "") for row in cells)]
    return Listing(
        name=f"leaderboard-{place}",
        caption=f"Runs by {measure}, the best first",
        columns=tuple(column for at, column in enumerate(columns) if at not in empty),
        rows=[[cell for at, cell in enumerate(row) if at not in empty] for row in cells],
        measure=measure,
        of="run",
        scales={"drawn": extent(ends, room=0.02)},
    )


def _standing(row: RunStanding, digits: int) -> tuple[PageCell, ...]:
    return (
        row.rank,
        row.run,
        "undefined" if math.isnan(row.mean) else f"{row.mean:.{digits}f}",
        Strip(row.mean, row.low, row.high),
        _range(row.low, row.high, digits),
        row.places,
        _range(row.ties_worst, row.ties_best, digits, differ=True),
        None if row.unjudged is None or math.isnan(row.unjudged) else percent(row.unjudged),
        _range(row.unjudged_low, row.unjudged_high, digits, differ=True),
    )


def _range(low: float | None, high: float | None, digits: int, *, differ: bool = False) -> str:
    """Both ends; where they are to ``differ``, nothing if they read alike."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    ends = [f"{end:.{digits}f}" for end in (low, high)]
    return "" if differ and ends[0] == ends[1] else " ".join(ends)


def place_of(topic: str) -> str:
    """The id of a topic in the page.

    >>> place_of("401"), place_of("who am i")
    ('topic-401', 'topic-who_am_i')
    """
    return f"topic-{'_'.join(topic.split())}"


def _topics(answer: Report) -> Section:
    """The heat map of each measure, and each topic with its lists."""
    scores = answer.parts.scores
    values = [TopicValues.of(scores, measure) for measure in answer.measures]
    maps = [heat_map(one, f"topics-{place}", place_of) for place, one in enumerate(values)]
    folds = [_topic(answer, topic, at, values) for at, topic in enumerate(values[0].topics)]
    return Section(
        name="topics",
        title="Topics, the hardest first",
        blocks=(*maps, *folds),
        commands=(f"{answer.parts.commands['evaluate']} --per-topic",),
    )


def _topic(answer: Report, topic: str, at: int, values: Sequence[TopicValues]) -> Folded:
    first = values[0]
    parts = answer.parts
    blocks: list[Block] = [Words(lines=tuple(_spread(one, topic) for one in values))]
    if parts.lists is not None:
        side = parts.lists.listing(topic, f"lists-{at}", parts.scores.max_rel)
        if side is not None:
            blocks.append(side)
    if said := parts.explained.get(topic, ()):
        blocks.append(Words(lines=said))
    mean = "undefined" if math.isnan(first.means[at]) else f"{first.means[at]:.2f}"
    one = next(iter(parts.scores)) if answer.baseline is None else answer.baseline
    return Folded(
        name=place_of(topic),
        title=f"{topic}: mean {first.measure} {mean}",
        blocks=tuple(blocks),
        of="topic",
        key=topic,
        command=f"{_explains(answer, one)} --topic {shlex.quote(topic)} -m {shlex.quote(first.measure)}",
    )


def _explains(answer: Report, run: str) -> str:
    path = next((one.path for one in answer.inputs if one.role == "run" and one.name == run), "") or "RUN"
    return f"truerank explain {shlex.quote(answer.inputs[0].path or 'QRELS')} {shlex.quote(path)}"


def _spread(found: TopicValues, topic: str) -> str:
    """The best and the worst run on a topic."""
    values = found.values[found.topics.index(topic)].tolist()
    known = {run: value for run, value in zip(found.runs, values, strict=True) if not math.isnan(value)}
    if not known:
        return f"{found.measure} is undefined."
    best = max(known, key=lambda run: found.sign * known[run])
    worst = min(known, key=lambda run: found.sign * known[run])
    if known[best] == known[worst]:
        return f"{found.measure} is {known[best]:.3f} for {counted(len(known), 'run')}."
    return f"{found.measure} from {known[worst]:.3f} ({worst}) to {known[best]:.3f} ({best})."


def files_listing(inputs: Sequence[InputFile]) -> Listing:
    """What was read, as a table of a page."""
    return Listing(
        name="files",
        caption="What was read; whoever has the same bytes has the same hash",
        columns=(Column("role"), Column("name"), Column("file"), Column("bytes", number=True), Column("SHA-256")),
        rows=[
            (
                one.role,
                one.name,
                one.path or "given in Python",
                None if one.size is None else f"{one.size:,}",
                one.sha256,
            )
            for one in inputs
        ],
    )


def _provenance(answer: Report) -> Section:
    """What was read, how, and by what."""
    chosen = answer.conventions.as_dict()
    conventions = Listing(
        name="conventions",
        caption="Conventions that scores were read under",
        columns=(Column("convention"), Column("value"), Column("what it is about")),
        rows=[(axis, "none" if value is None else str(value), AXES[axis].help) for axis, value in chosen.items()],
    )
    left_out = [f"Not here: {part}, for {reason}" for part, reason in answer.parts.left_out.items()]
    notes = Words(lines=(f"Made by {answer.made_by}.", *left_out, *map(str, answer.notices)))
    return Section(
        name="provenance",
        title="How it was made",
        blocks=(notes, conventions, files_listing(answer.inputs)),
        commands=(answer.command,),
    )
