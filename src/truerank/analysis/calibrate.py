"""Choosing e and beta: what they mean, and the value that means what is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from truerank.analysis.calibration.lengths import Listed, by_length, of_topic, written_out
from truerank.analysis.calibration.meaning import Hit, Meaning, meaning, price, solved
from truerank.analysis.calibration.results import Calibration
from truerank.conventions.presets import chosen
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import number, positive, whole
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given

DEFAULT_MEASURES = "FlatU RBPU DCGU RBU ERRU OIE"


def calibrate(
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    pays_for: int | None = None,
    silence_at: int | None = None,
    grade: float = 1,
    max_grade: float | None = None,
    num_rel: int | None = None,
    size: int | Iterable[int] | None = None,
    ranking: str | Sequence[float] | None = None,
    qrels: Any = None,
    run: Any = None,
    topic: str | None = None,
    **given: Unpack[Given],
) -> Calibration:
    """Say what e or beta means against silence, or find the value that means what is wanted.

    ``pays_for`` is a number of documents: the parameter is then the one with which a hit at rank 1, followed by
    documents without relevance, scores the same as silence when there are so many. ``silence_at`` is a rank: the one
    with which a lone hit at that rank, and nothing after it, scores the same as silence. Without either, parameters are
    taken as they are.

    A hit has ``grade``, by default 1, in a collection whose highest is ``max_grade``; each measure maps it to a gain as
    it always does. For OIE the collection has ``num_rel`` relevant documents, by default the hit alone, and ``size``
    documents; of several sizes each is tried.

    A list to score at every length is given as a ``ranking`` such as "0^10 1^90" (ten documents of grade 0, then ninety
    of grade 1; ``num_rel`` counts those that it lacks), or as the ``topic`` of a ``run`` with ``qrels``, read under the
    conventions of ``evaluate``. ``max_grade`` is then by default that of the list or of the judgments.

    >>> found = calibrate("FlatU RBPU(p=0.8)")
    >>> found["FlatU"].pays_for.last, found["RBPU"].pays_for.last, found["RBPU"].silence_at.last
    (20, inf, 8)
    >>> calibrate("RBPU(p=0.8) OIE(size=20000)", silence_at=20)
    Calibration(RBPU(e=0.0029159), OIE(beta=1.0464,size=20000))
    >>> calibrate("RBU(p=0.98)", ranking="0^10 1^90").lengths.best
    {'RBU(p=0.98)': 14}
    """
    choice = chosen(given, ending="none", limit=None, no_relevant="nan", relevant="judgments")
    _refuse_numbers(pays_for, silence_at, grade, max_grade, num_rel)
    listed = _listed(ranking, qrels, run, topic, grade, num_rel, max_grade)
    top = max_grade if max_grade is not None else max(grade, 0 if listed is None else listed.max_grade)
    if grade > top:
        raise InputError(f"grade={grade:g} is above max_grade={top:g}, the highest there is; choose a lower one")
    hit = Hit(grade, top, 1 if num_rel is None else num_rel)
    wanted = _sized(parse_all(measures), size)
    asked = {name: aim for name, aim in (("pays_for", pays_for), ("silence_at", silence_at)) if aim is not None}
    left_out: list[str] = []
    for name, aim in asked.items():
        wanted, left_out = _solved(wanted, hit, name, aim)
    found = {str(measure): meaning(measure, hit) for measure in wanted}
    return Calibration(
        scores=found,
        lengths=None if listed is None else by_length(listed, wanted, choice),
        conventions=choice,
        pays_for=pays_for,
        silence_at=silence_at,
        notices=(
            *(listed.notes if listed is not None else ()),
            *left_out,
            *(f"{measure}: {measure.assumes}" for measure in wanted if measure.assumes),
            *(text for name, aim in asked.items() for text in _missed(found, name, aim)),
        ),
    )


def _listed(
    ranking: str | Sequence[float] | None,
    qrels: Any,
    run: Any,
    topic: str | None,
    grade: float,
    num_rel: int | None,
    max_grade: float | None,
) -> Listed | None:
    of_run = {"qrels": qrels, "run": run, "topic": topic}
    missing = [name for name, value in of_run.items() if value is None]
    if ranking is not None and len(missing) < len(of_run):
        raise InputError("a list is given as a ranking, or as the topic of a run; leave one of them out")
    if ranking is not None:
        return written_out(ranking, grade, num_rel, max_grade)
    if topic is not None and not missing:
        return of_topic(qrels, run, str(topic), max_grade)
    if len(missing) < len(of_run):
        raise InputError(f"a list of a run needs qrels, run and topic; give {' and '.join(missing)} too")
    return None


def _sized(wanted: tuple[Measure, ...], size: int | Iterable[int] | None) -> tuple[Measure, ...]:
    if size is None:
        return wanted
    sizes = [*size] if isinstance(size, Iterable) else [size]
    if not any(measure.collection is not None for measure in wanted):
        raise InputError("size is the collection's for OIE, which is not among the measures; leave it out, or add OIE")
    every = [[m(size=each) for each in sizes] if m.collection is not None and sizes else [m] for m in wanted]
    return tuple(dict.fromkeys(measure for some in every for measure in some))


def _solved(wanted: tuple[Measure, ...], hit: Hit, name: str, aim: int) -> tuple[tuple[Measure, ...], list[str]]:
    """The measures with the parameters found, and why some of several are left out, for which there is none."""
    priced = {measure: price(measure, hit) is not None for measure in wanted}
    if not any(priced.values()):
        raise InputError(f"no measure has e or beta to be found; take one of {DEFAULT_MEASURES}")
    tried = {measure: _tried(measure, hit, name, aim) for measure in wanted}
    left_out = {measure: one for measure, one in tried.items() if isinstance(one, InputError)}
    if all(measure in left_out for measure in wanted if priced[measure]):
        raise next(iter(left_out.values()))
    found = dict.fromkeys(one for one in tried.values() if isinstance(one, Measure))
    return tuple(found), [f"{measure} is left out: {error}" for measure, error in left_out.items()]


def _tried(measure: Measure, hit: Hit, name: str, aim: int) -> Measure | InputError:
    try:
        return solved(measure, hit, name, aim)
    except InputError as error:
        return error


def _missed(found: dict[str, Meaning], name: str, aim: int) -> list[str]:
    """Where the parameter cannot be told from one that means something else."""
    reached = [(one, getattr(one, name)) for one in found.values() if one.parameter is not None]
    return [
        f"{one.label}: asked was {aim:,}, and no {one.parameter} can be told from one that means more"
        for one, reach in reached
        if reach is not None and reach.last != aim
    ]


def _refuse_numbers(
    pays_for: int | None, silence_at: int | None, grade: float, max_grade: float | None, num_rel: int | None
) -> None:
    if pays_for is not None and silence_at is not None:
        raise InputError("pays_for and silence_at each decide the parameter; give one of them")
    for name, value in (("pays_for", pays_for), ("silence_at", silence_at), ("num_rel", num_rel)):
        if value is not None:
            whole(name, value, least=1)
    positive("grade", grade)
    if max_grade is not None:
        number("max_grade", max_grade, least=0)
