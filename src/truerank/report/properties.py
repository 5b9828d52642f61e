"""Properties of measures, laid out: a table of verdicts, their witnesses, and the claims of the literature."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.properties.results import ScaleFound, Verdict, Verdicts
from truerank.report.table import Column, Table

SHORT = {
    "Priority": "Prio",
    "Top-weightedness": "TopW",
    "Deepness threshold": "Deep",
    "Shallowness threshold": "Shal",
    "Confidence": "Conf",
    "Recall": "Rec",
    "Redundancy": "Red",
    "Boundedness": "Bnd",
    "Monotonicity": "Mono",
    "Convergence": "Conv",
    "Localisation": "Loc",
    "Completeness": "Comp",
    "Realisability": "Real",
}
"""Names of columns."""
PAPER = "Amigó, Mizzaro & Spina (2022)"
_SIGNS = {
    "strict": "yes",
    "holds": "yes",
    "reversed": "no",
    "fails": "no",
    "equal": "=",
    "depends": "~",
    "undefined": "-",
}
_MEANING = (
    "yes: in every case; =: in some case no difference; no: in some case the other way round, or not so; "
    "~: depends on the reading; -: undefined"
)


def properties_table(found: Verdicts, show: str | None = None, *, whole: bool = False) -> Table:
    """A row a measure; or, of a single one or as ``show`` says, one a property; ``whole`` has all, for programs."""
    if show is None:
        show = "witnesses" if len(found.wanted) == 1 and not found.published else "verdicts"
    if whole or show == "readings":
        return _records(found, show)
    return _verdicts(found) if show == "verdicts" else _witnesses(found)


def word(verdict: Verdict) -> str:
    """A verdict in a word: of a property that asks for no more than "at least as good", whether it holds."""
    if verdict.about.satisfied != ("strict",) and verdict.holds is not None:
        return "holds" if verdict.holds else "fails"
    return verdict.outcome


def _verdicts(found: Verdicts) -> Table:
    names = [each.name for each in found.properties]
    claimed = "; Y, N, ?: as claimed, != where not so" * found.published
    return Table(
        columns=(Column("measure", whole=True), *(Column(SHORT[name], whole=True) for name in names)),
        rows=tuple(
            (measure, *(_cell(by_name[name], beside=found.published) for name in names))
            for measure, by_name in found.items()
        ),
        caption=f"{_MEANING}{claimed}; {_searched(found)}",
        notes=tuple(_compared(found)) if found.published else (),
        document=found.to_dict,
    )


def _cell(verdict: Verdict, *, beside: bool) -> str:
    """A verdict as a sign; ``beside`` it the paper's claim."""
    said, claim = _SIGNS[word(verdict)], verdict.claim
    if claim is None or not beside:
        return said
    claimed = "?" if claim.has is None else "Y" if claim.has else "N"
    return f"{said} {'!= ' * (verdict.agrees is False)}{claimed}"


def _witnesses(found: Verdicts) -> Table:
    several = len(found.wanted) > 1
    columns = [Column("measure", whole=True)] * several
    return Table(
        columns=(*columns, Column("property", whole=True), Column("verdict", whole=True), Column("witness")),
        rows=tuple(
            (
                *[verdict.measure] * several,
                verdict.about.name,
                word(verdict),
                verdict.scales[0].decisive.said,
            )
            for verdict in found.verdicts
        ),
        caption=f"relevance: {_scales(found)}; {_searched(found)}",
        notes=tuple(note for verdict in found.verdicts for note in _notes(verdict, several=several)),
        document=found.to_dict,
    )


def _records(found: Verdicts, show: str) -> Table:
    records = found.to_records(show)
    words = [name for name in records[0] if name != "tried"]
    return Table.of_records(records, words, broken=words, caption=_searched(found), document=found.to_dict)


def _compared(found: Verdicts) -> Iterator[str]:
    """How many claims there are, and what is to be said of those that are not confirmed."""
    agreed = [
        verdict.agrees for verdict in found.verdicts if verdict.claim is not None and verdict.claim.has is not None
    ]
    yield (
        f"{len(agreed)} claims of {PAPER}: {agreed.count(True)} confirmed, {agreed.count(False)} refuted, "
        f"{agreed.count(None)} by some readings only"
    )
    for verdict in found.verdicts:
        if verdict.claim is not None and verdict.claim.has is not None and not verdict.agrees:
            yield from _notes(verdict, several=True)


def _notes(verdict: Verdict, *, several: bool) -> Iterator[str]:
    """What there is to say beyond the witness."""
    name = f"{verdict.measure}, {verdict.about.name}" if several else verdict.about.name
    claim = verdict.claim
    if claim is not None and claim.has is not None and not verdict.agrees:
        who = "claimed" if several else f"{PAPER} claim"
        says = f"{name}: {who} {claim.text} ({claim.source}), here it "
        if verdict.agrees is None:
            yield f"{says}{_readings(verdict.scales[0])}{f'; {claim.why}' * bool(claim.why)}"
        else:
            yield f"{says}is {verdict.outcome}: {verdict.scales[0].decisive.said}{f'; {claim.why}' * bool(claim.why)}"
    elif verdict.outcome == "depends":
        yield f"{name} {_readings(verdict.scales[0])}"
    for other in verdict.others:
        yield f"{name} is {other.decisive.outcome} with {other.scale}: {other.decisive.said}"


def _readings(on: ScaleFound) -> str:
    """Each outcome, with the readings that have it and the first of their witnesses."""
    parts = []
    for outcome in dict.fromkeys(each.outcome for each in on.found if each.outcome != "undefined"):
        alike = [each for each in on.found if each.outcome == outcome]
        parts.append(f"{outcome} with {', '.join(each.reading for each in alike)} ({alike[0].said})")
    return f"is {'; '.join(parts)}"


def _scales(found: Verdicts) -> str:
    return ", ".join(dict.fromkeys(verdict.scales[0].scale for verdict in found.verdicts))


def _searched(found: Verdicts) -> str:
    longest = found.search.longest
    return f"all binary rankings up to length {longest} were tried, shorter graded ones, and longer ones at random"
