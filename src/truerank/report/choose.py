"""A choice of a measure, laid out: the way to it, its properties, and what to know before it is used."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.choosing.questions import written
from truerank.analysis.choosing.results import Choice, broken
from truerank.analysis.lint.findings import Finding
from truerank.analysis.properties.results import Verdict
from truerank.measures.catalogue import entry
from truerank.report.calibrate import said as meaning
from truerank.report.properties import PAPER
from truerank.report.table import Cell, Column, Table

_NUMBERS = ("broken", "tried")


def choice_table(found: Choice, show: str | None = None, *, whole: bool = False) -> Table:
    """A row a property, a question or an alternative; ``whole`` has all there is, for programs."""
    if whole or show in ("path", "alternatives"):
        records = found.to_records(show)
        return Table(
            columns=tuple(Column(name, number=name in _NUMBERS) for name in (records[0] if records else ())),
            rows=tuple(tuple(map(_plain, record.values())) for record in records),
            notes=(f"take {found.label}", f"run: {found.command}", *_notes(found)),
            document=found.to_dict,
        )
    names = ("property", "asked for", "has it", "shown by")
    return Table(
        columns=tuple(Column(name, whole=name != "shown by") for name in names),
        rows=tuple(
            (name, _yes(found.asked.get(name)), has(verdict), verdict.scales[0].decisive.said)
            for name, verdict in found.verdicts.items()
        ),
        caption=f"properties of {found.label}, by the rankings that truerank properties tries",
        lead=tuple(_lead(found)),
        notes=tuple(_notes(found)),
        document=found.to_dict,
    )


def has(verdict: Verdict) -> str:
    """Whether a measure has a property, and where not always, how often."""
    if verdict.holds is None:
        return verdict.outcome
    lost = broken(verdict)
    tried = verdict.scales[0].decisive.tried
    if verdict.holds or lost in (None, tried):
        return _yes(verdict.holds)
    return f"in {tried - lost:,} of {tried:,}"


def warned(finding: Finding) -> str:
    """A contradiction in a sentence."""
    kind = "data" if finding.severity == "info" else "warning"
    return f"{kind}: {finding.message}: {finding.effect}; {finding.remedy}"


def _lead(found: Choice) -> Iterator[str]:
    known = entry(found.measure)
    yield f"take {found.label}, since"
    for step in found.path:
        yield f"  {step.question.name} {written(step.answer)}: {step.said}"
    yield f"  formula: {known.formula} ({known.citation})"
    yield f"run: {found.command}"


def _notes(found: Choice) -> Iterator[str]:
    for finding in found.warnings:
        yield warned(finding)
    for each in found.parameters:
        yield f"{each.name} = {_short(each.value)}: {each.because}"
    if found.settled.calibration is not None:
        yield from map(meaning, found.settled.calibration.values())
    if found.leaf.remark:
        yield f"{found.measure.name}: {found.leaf.remark}"
    for verdict in found.published_lacking:
        assert found.published is not None
        yield f"{found.published.label}, the measure of {PAPER}: {_lacks(verdict)}"
    for verdict in found.lacking:
        yield f"{found.label}: {_lacks(verdict)}"
    for other in found.alternatives:
        yield f"alternative: {other.measure}, if {other.when}"
    yield from found.notices


def _lacks(verdict: Verdict) -> str:
    where = has(verdict)
    shown = verdict.scales[0].decisive.said
    if where in ("no", "depends"):
        holds = {"no": "does not hold", "depends": "depends on how it is read"}[where]
        return f"{verdict.about.name} was asked for, and {holds}: {shown}"
    return f"{verdict.about.name} was asked for, and holds {where} cases tried, but not here: {shown}"


def _short(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.5g}"


def _yes(answer: bool | None) -> str:
    return "" if answer is None else "yes" if answer else "no"


def _plain(value: object) -> Cell:
    cell: Cell = _yes(value) if isinstance(value, bool) else value  # type: ignore[assignment]
    return cell
