"""The page of a report: the verdict with its table, and the sections that sheets of answers give."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from statistics import median

from truerank.conventions.axes import AXES
from truerank.data.notes import Note
from truerank.data.printing import counted
from truerank.questions.compare.across import Across
from truerank.questions.compare.answer import FAILED, PASSED, UNDECIDED, GateOutcome
from truerank.questions.compare.section import (
    FEW,
    PairTexts,
    baselines,
    differences,
    pairs_section,
    possible_ranks,
    verdict,
)
from truerank.questions.depth.figure import FEW as FEW_LINES
from truerank.questions.depth.figure import coloured, leads, plot_depth
from truerank.questions.depth.question import Curves
from truerank.questions.lint.question import SEVERITIES
from truerank.questions.report.answer import InputFile, Report, SeveralReports
from truerank.questions.report.topics import TopicValues, heat_map
from truerank.questions.report.work import endless_form
from truerank.questions.report.worth import worth_knowing
from truerank.report.digits import decimals, ranks
from truerank.report.pages.bars import steps
from truerank.report.pages.html import Page
from truerank.report.pages.section import (
    Block,
    Folded,
    Headline,
    Listing,
    Section,
    Strip,
    Words,
    within,
)
from truerank.report.pages.sheet import section_of
from truerank.report.plots.chart import Plot
from truerank.report.plots.panels import extent
from truerank.report.several import captions
from truerank.report.table import Column

GATES = 3
"""Gates that are told one by one."""


def page(found: Report) -> Page:
    """Everything that is on the page."""
    parts = found.parts
    comparison = parts.comparison
    named = named_baseline(found)
    about = (said_day(found.made_on), counted(len(found.topics), "topic"), found.made_by)
    return Page(
        title=found.title if len(found.measures) > 1 else f"{found.title}, {found.measures[0]}",
        about=" \u00b7 ".join(about),
        measures=found.measures,
        baseline=named,
        baselines=() if comparison is None else baselines(comparison, named),
        gates=_gates(found.gates),
        alerts=tuple(f"{note}." for note in found.notices if note.urgent),
        verdict=tuple(verdicts(found)),
        main=tuple(_main(found, named)),
        sections=tuple(_sections(found)),
        made_by=found.made_by,
    )


def named_baseline(found: Report) -> str:
    """The run that differences are from; "" if it is the best by each measure."""
    two = len(found.parts.scores) == 2
    return found.chosen or ((found.baseline or "") if two else "")


def said_day(day: date) -> str:
    """A day in words.

    >>> said_day(date(2026, 11, 8))
    '8 November 2026'
    """
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def _gates(outcomes: Sequence[GateOutcome], of: str = "") -> tuple[tuple[str, str], ...]:
    """How each gate came out, and the rest of its sentence; of many, how many passed and the first that did not."""
    apart = f"{of}: " if of else ""
    told = [(one.outcome, apart + one.sentence.removeprefix(one.outcome).lstrip(": ")) for one in outcomes]
    if len(told) <= GATES:
        return tuple(told)
    missed = [one for one in told if one[0] != PASSED]
    worst = next((result for result in (FAILED, UNDECIDED) if any(result == one for one, _ in missed)), PASSED)
    counts = f"{apart}{len(told) - len(missed):,} of {len(told):,} gates passed."
    return ((worst, counts), *missed[:GATES])


def verdicts(found: Report) -> Iterator[Headline]:
    """The answer by each measure."""
    parts = found.parts
    named = named_baseline(found)
    for measure in found.measures:
        if parts.comparison is not None and parts.compared(measure) is not None:
            chosen = named if found.chosen or len(parts.scores) == 2 else ""
            yield verdict(parts.comparison, measure, chosen)
        else:
            yield _alone(found, measure)


def _alone(found: Report, measure: str) -> Headline:
    """The score of the best run, if there is nothing to compare it with."""
    scores = found.parts.scores
    run = scores.ranked(measure)[0]
    score = scores[run][measure]
    digits = decimals(score.std_error)
    low, high = score.interval()
    within_ = "" if math.isnan(low) else f" (95% CI {low:.{digits}f} to {high:.{digits}f})"
    mean = "undefined" if math.isnan(score.mean) else f"{score.mean:.{digits}f}"
    has = "has" if len(scores) == 1 else "is the highest with"
    text = f'"{run}" {has} {mean} {measure}{within_} on {counted(len(found.topics), "topic")}.'
    return Headline(text=text, detail="" if len(scores) == 1 else "Runs were not compared.", measure=measure)


def _main(found: Report, named: str) -> Iterator[Block]:
    """The table by each measure, what is worth knowing of it, and how numbers came about."""
    parts = found.parts
    choices = () if parts.comparison is None else baselines(parts.comparison, named)
    for place, measure in enumerate(found.measures):
        each = parts.compared(measure)
        name = f"leaderboard-{place}"
        if parts.comparison is None or each is None:
            yield _leaderboard(found, measure, name)
        elif len(each.runs) > FEW and each.ranks is not None:
            yield possible_ranks(parts.comparison, measure, name)
        else:
            yield differences(parts.comparison, PairTexts(each), named, choices, name, main=True)
        yield worth_knowing(parts, measure, named)
    if parts.comparison is not None:
        how = parts.comparison.caption("systems")
        yield Words(lines=(f"{how.brief or how}.",), kind="method")
    else:
        yield Words(lines=(f"{found.caption('runs')}.",), kind="method")


def page_of_all(found: SeveralReports) -> Page:
    """The page of several collections: all of them together, and then one after the other."""
    every = found.answers
    said = [
        Words(
            lines=(
                *(note for note in _of_all(found) if note.facts.get("measure") == measure),
                *(
                    f"{one.collection}: {each.text}"
                    for one in every
                    for each in verdicts(one)
                    if each.measure == measure
                ),
            ),
            measure=measure,
        )
        for measure in found.measures
    ]
    names = [one.collection for one in every]
    one_title = len({one.title for one in every}) == 1
    return Page(
        title=found.title if one_title else f"Runs on {', '.join(names[:-1])} and {names[-1]}",
        about=captions([(one.collection, one.caption("runs")) for one in every]),
        measures=found.measures,
        gates=tuple(gate for one in every for gate in _gates(one.gates, one.collection)),
        alerts=tuple(f"{one.collection}: {note}." for one in every for note in one.notices if note.urgent),
        verdict=tuple(said),
        sections=(
            _all_collections(found),
            *(
                within(section, f"c{place}", one.collection)
                for place, one in enumerate(every, 1)
                for section in (_one_of_several(one), *_sections(one))
            ),
        ),
        made_by=found.made_by,
    )


def _one_of_several(found: Report) -> Section:
    """The table of a collection, as a section."""
    return Section(name="runs", title="Runs", blocks=tuple(_main(found, named_baseline(found))))


def _of_all(found: SeveralReports) -> tuple[Note, ...]:
    """What is said over all collections; nothing where there is nothing to compare."""
    return () if found.comparison is None else tuple(found.comparison.own_notes("across"))


def _all_collections(found: SeveralReports) -> Section:
    """Runs over all collections: their means in each and over all, and where they could stand."""
    comparison = found.comparison
    blocks: list[Block] = []
    for place, measure in enumerate(found.measures):
        across = [] if comparison is None else [one for one in comparison.across if one.measure == measure]
        if across:
            blocks.append(_across(across[0], place))
    words: list[str] = [note for note in _of_all(found) if "measure" not in note.facts]
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
        Column("place", head="#", number=True, meaning="place by the mean over collections"),
        Column("run", meaning="the run"),
        *(Column(name, number=True, meaning=f"the mean over the topics of {name}") for name in names),
        Column("mean", number=True, meaning="the mean over collections, each of which counts the same"),
        Column("drawn", head="mean and interval", meaning="the mean with its 95% interval, on one scale"),
        Column("interval", head="95% interval", number=True, meaning="by a bootstrap of topics within collections"),
        Column("possible ranks", number=True, meaning="ranks that significant differences leave open"),
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


def _sections(found: Report) -> Iterator[Section]:
    """Topics, depth and warnings; then what a reader opens."""
    parts = found.parts
    same = {measure: measure for measure in found.measures}
    yield _topics(found)
    if parts.curves is not None:
        yield _depth(found, parts.curves)
    if parts.judges is not None:
        yield section_of(parts.judges, "agreement", "runs", name="judges", title="Who judged", measures=same)
    if parts.lint is not None:
        worse = dict.fromkeys(SEVERITIES[:-1], "worse")
        title = "Warnings" if parts.lint.findings else "No warnings"
        yield section_of(
            parts.lint,
            "findings",
            name="findings",
            title=title,
            measures=same,
            kinds=worse,
            without=f"{_folder(found)}/",
            folded=False,
        )
    if parts.comparison is not None and len(parts.scores) > 2:
        yield pairs_section(parts.comparison, named_baseline(found))
    if parts.ties is not None:
        yield section_of(parts.ties, "runs", name="ties", title="Ties", measures=same)
    if parts.unjudged is not None:
        yield section_of(parts.unjudged, "runs", name="unjudged", title="Unjudged documents", measures=same)
    yield _provenance(found)


def _depth(found: Report, curves: Curves) -> Section:
    """A figure by each measure without its cutoff, and how stable the order of runs is."""
    endless = {measure: str(endless_form(by)) for measure, by in zip(found.measures, found.wanted, strict=True)}
    known = {measure: name for measure, name in endless.items() if name in curves.measures}

    def drawn(name: str) -> tuple[Plot, str]:
        alone = replace(_only(curves, name), condensed=None)
        return plot_depth(alone, colours=coloured(curves)), _seen(curves, name)

    # With one run there is no order that could be stable; the figure says more than a table.
    said = ("stability",) if len(curves) > 1 else ()
    return section_of(curves, name="depth", title="Depth", measures=known, figure=drawn, said=said, folded=False)


def _only(curves: Curves, *measures: str) -> Curves:
    """The curves of some measures, also those without unjudged documents."""
    return replace(
        curves,
        wanted=tuple(one for one in curves.wanted if str(one) in measures),
        lines=tuple(line for line in curves.lines if line.measure in measures),
        per_topic={measure: values for measure, values in curves.per_topic.items() if measure in measures},
        condensed=None if curves.condensed is None else _only(curves.condensed, *measures),
    )


def _seen(curves: Curves, measure: str) -> str:
    """What a figure of curves shows."""
    pool = "" if curves.pool_depth is None else f"; the pool goes down to depth {curves.pool_depth}"
    lines = ", one line per run" if len(curves) > 1 else f" of {next(iter(curves))}"
    lines += ", some in colour" if len(curves) > FEW_LINES else ""
    first = f"{leads(curves, measure)}. " if len(curves) > 1 else ""
    return f"{first}{measure} at depths 1 to {curves.max_depth}{lines}{pool}."


def _leaderboard(found: Report, measure: str, name: str) -> Listing:
    """Means with their intervals, if runs were not compared."""
    rows = [row for row in found.standings if row.measure == measure]
    scores = found.parts.scores
    digits = decimals(median([scores[row.run][measure].std_error for row in rows]))
    ends = [end for row in rows for end in (row.low, row.mean, row.high) if not math.isnan(end)]
    scale = extent(ends, room=0.03)
    return Listing(
        name=name,
        caption=f"Runs by {measure}, the best first",
        columns=(
            Column("place", head="#", number=True, meaning="rank by the mean"),
            Column("run", meaning="the run"),
            Column("mean", head=measure, number=True, meaning="the mean over topics"),
            Column("drawn", head="mean and interval", meaning="the mean with its 95% interval, on one scale"),
            Column("interval", head="95% CI", number=True, meaning="of the mean, by Student's t"),
        ),
        rows=[
            (
                row.rank,
                row.run,
                "undefined" if math.isnan(row.mean) else f"{row.mean:.{digits}f}",
                Strip(row.mean, row.low, row.high),
                _range(row.low, row.high, digits),
            )
            for row in rows
        ],
        measure=measure,
        of="run",
        scales={"drawn": scale},
        ticks=steps(scale),
        main="means",
        by=("place", False),
    )


def _range(low: float | None, high: float | None, digits: int) -> str:
    """Both ends of an interval; nothing if it is undefined."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    return f"[{low:.{digits}f}, {high:.{digits}f}]"


def place_of(topic: str) -> str:
    """The id of a topic in the page.

    >>> place_of("401"), place_of("who am i")
    ('topic-401', 'topic-who_am_i')
    """
    return f"topic-{'_'.join(topic.split())}"


def _topics(found: Report) -> Section:
    """The heat map of each measure, and each topic with its lists."""
    scores = found.parts.scores
    values = [TopicValues.of(scores, measure) for measure in found.measures]
    maps = [heat_map(one, f"topics-{place}", place_of) for place, one in enumerate(values)]
    folds = [_topic(found, topic, at, values) for at, topic in enumerate(values[0].topics)]
    return Section(
        name="topics",
        title="Topics, the hardest first",
        blocks=(*maps, *folds),
    )


def _topic(found: Report, topic: str, at: int, values: Sequence[TopicValues]) -> Folded:
    first = values[0]
    parts = found.parts
    blocks: list[Block] = [Words(lines=tuple(_spread(one, topic) for one in values))]
    if parts.lists is not None:
        side = parts.lists.listing(topic, f"lists-{at}", parts.scores.max_rel)
        if side is not None:
            blocks.append(side)
    if said := parts.explained.get(topic, ()):
        blocks.append(Words(lines=said))
    mean = "undefined" if math.isnan(first.means[at]) else f"{first.means[at]:.2f}"
    one = next(iter(parts.scores)) if found.baseline is None else found.baseline
    return Folded(
        name=place_of(topic),
        title=f"{topic}: mean {first.measure} {mean}",
        blocks=tuple(blocks),
        of="topic",
        key=topic,
        command=f"{_explains(found, one)} --topic {shlex.quote(topic)} -m {shlex.quote(first.measure)}",
    )


def _explains(found: Report, run: str) -> str:
    path = next((one.path for one in found.inputs if one.role == "run" and one.name == run), "") or "RUN"
    return f"truerank explain {shlex.quote(found.inputs[0].path or 'QRELS')} {shlex.quote(path)}"


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


def _provenance(found: Report) -> Section:
    """What was read, how, and by what."""
    chosen = found.conventions.as_dict()
    conventions = Listing(
        name="conventions",
        caption="Conventions that scores were read under",
        columns=(Column("convention"), Column("value"), Column("what it is about")),
        rows=[(axis, "none" if value is None else str(value), AXES[axis].help) for axis, value in chosen.items()],
    )
    left_out = [f"Not here: {part}, for {reason}" for part, reason in found.parts.left_out.items()]
    comparison = found.parts.comparison
    how = () if comparison is None else (f"Compared: {comparison.caption('systems')}.",)
    notes = Words(lines=(f"Made by {found.made_by}.", *how, *left_out, *map(str, found.notices)))
    return Section(
        name="provenance",
        title="How it was made",
        blocks=(notes, conventions, files_listing(found.inputs)),
        commands=_commands(found),
        folded=True,
    )


def _commands(found: Report) -> tuple[str, ...]:
    """The commands that give what is on the page, with paths from the folder that all files are in."""
    lines = [found.command, *dict.fromkeys(found.parts.commands.values())]
    folder = _folder(found)
    if not folder:
        return tuple(lines)
    return (f"cd {shlex.quote(folder)}", *(line.replace(f"{folder}/", "") for line in lines))


def _folder(found: Report) -> str:
    """The folder that all files are in; "" if they have none in common."""
    paths = [one.path for one in found.inputs if one.path]
    if len({os.path.isabs(path) for path in paths}) != 1:
        return ""
    folder = os.path.commonpath([os.path.dirname(path) for path in paths])
    return folder if folder.strip("/") else ""
