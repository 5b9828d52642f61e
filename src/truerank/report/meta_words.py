"""What a comparison of measures means, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from truerank.analysis.criteria.merits import CRITERIA, Found
from truerank.analysis.criteria.results import Meta
from truerank.data.printing import counted
from truerank.report.percent import percent

CAVEAT = (
    "all criteria but coverage ask how consistent a measure is, and none whether it is what users want; with other "
    "runs or topics the order of measures may be another"
)
_SHOWN = {
    "summary": tuple(CRITERIA),
    "discrimination": ("discrimination",),
    "swap": ("sensitivity", "tau_halves", "minority"),
    "coverage": ("coverage",),
}


def said(found: Meta, show: str) -> Iterator[str]:
    """What there is to know."""
    if show == "summary":
        yield from _first(found)
    for name in _SHOWN.get(show, ()):
        if any(each.criteria()[name] == each.criteria()[name] for each in found.values()):
            yield f"{name}: {_ends(found, name)}"
    if show == "tau":
        yield from _alike(found)
    if show == "summary" and len(found) > 1:
        yield CAVEAT


def _first(found: Meta) -> Iterator[str]:
    """Who comes first, by how much, and by what."""
    if len(found) < 2:
        return
    # Of measures for which nothing is known there is no first.
    mean = {name: found.ranks[name]["mean_rank"] for name in found.ranked}
    places = [(rank, [*some]) for rank, some in groupby(found.ranked, key=lambda name: round(mean[name], 9))]
    places = [(rank, some) for rank, some in places if rank == rank]
    if not places:
        return
    rank, best = places[0]
    text = f"{_listed(best)} {'has' if len(best) == 1 else 'have'} the best mean rank, {rank:.1f} of {len(found)}"
    if len(best) == 1:
        text += f", and is first by {_first_by(found.ranks[best[0]])}"
    for rank, after in places[1:2]:
        text += f"; {_listed(after)} {'comes' if len(after) == 1 else 'come'} next with {rank:.1f}"
    yield text


def _first_by(ranks: Mapping[str, float]) -> str:
    known = [name for name in CRITERIA if ranks[name] == ranks[name]]
    first = [name for name in known if ranks[name] == 1]
    return {len(known): "every criterion", 0: "none of the criteria"}.get(len(first), _listed(first))


def _ends(found: Meta, name: str) -> str:
    """The best measure by a criterion, and the worst."""
    rank = {measure: ranks[name] for measure, ranks in found.ranks.items()}
    best, worst = min(rank, key=lambda measure: rank[measure]), max(rank, key=lambda measure: rank[measure])
    text = _sentence(found, name, best, _number(found[best], name))
    return text if rank[best] == rank[worst] else f"{text}; {worst} {_number(found[worst], name)}"


def _sentence(found: Meta, name: str, measure: str, number: str) -> str:
    settings = found.settings
    pairs = len(found[measure].discrimination.p)
    return {
        "discrimination": f"{measure} finds {number} of {counted(pairs, 'pair')} of runs to differ ({settings.test}, "
        f"p < {settings.alpha:g})",
        "sensitivity": f"by {measure}, {number} of the differences on half of the topics are so large that at most one "
        "in twenty is reversed on the other half",
        "tau_halves": f"by {measure}, halves of the topics agree on the order of runs by tau {number}",
        "minority": f"by {measure}, {number} of comparisons on topics drawn anew go the way rarer for their pair",
        "coverage": f"differences by {measure} go with improvements by all of {' '.join(map(str, found.reference))} by "
        f"rho {number}",
    }[name]


def _number(found: Found, name: str) -> str:
    value = found.criteria()[name]
    if value != value:
        return "undefined"
    if name == "tau_halves":
        return f"{value:.2f}, extrapolated to all topics {found.swaps.tau_full:.2f}"
    return f"{value:.3f}" if name == "coverage" else percent(value)


def _alike(found: Meta) -> Iterator[str]:
    taus = {(record["measure"], record["other"]): record["tau"] for record in found.to_records("tau")}
    if not taus:
        return
    most, least = max(taus, key=lambda pair: taus[pair]), min(taus, key=lambda pair: taus[pair])
    yield f"most alike are {most[0]} and {most[1]}, tau {taus[most]:.2f}"
    if len(taus) > 2:
        yield f"least alike are {least[0]} and {least[1]}, tau {taus[least]:.2f}"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
