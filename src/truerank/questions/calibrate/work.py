"""From what is wanted to measures with their parameters, and what these mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from truerank.conventions.axes import Conventions
from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import number, positive, whole
from truerank.measures.grammar import parse_all
from truerank.questions.calibrate.lengths import GradedList, by_length
from truerank.questions.calibrate.people import FittedMeasures
from truerank.questions.calibrate.price import EffortPrice, HitDocument, InformationPrice, Price, price
from truerank.questions.calibrate.question import Calibration, Meaning
from truerank.questions.calibrate.words import LEFT_OUT, MISSED
from truerank.track.facts import ASSUMED


@dataclass(frozen=True)
class Aim:
    """What a parameter is to mean."""

    name: str
    """"pays_for" or "silence_at"."""
    number: int
    """Documents that a hit at rank 1 pays for, or the rank at which a lone hit equals silence."""

    @classmethod
    def of(cls, pays_for: int | None, silence_at: int | None) -> Aim | None:
        """The one of both that is given; None where parameters are to be taken as they are."""
        if pays_for is not None and silence_at is not None:
            raise InputError("pays_for and silence_at each decide the parameter; give one of them")
        for name, value in (("pays_for", pays_for), ("silence_at", silence_at)):
            if value is not None:
                whole(name, value, least=1)
                return cls(name, value)
        return None


def refuse_numbers(grade: float, max_grade: float | None, num_rel: int | None) -> None:
    """Refuse numbers that no collection has."""
    if num_rel is not None:
        whole("num_rel", num_rel, least=1)
    positive("grade", grade)
    if max_grade is not None:
        number("max_grade", max_grade, least=0)


def sized(measures: Any, size: int | Iterable[int] | None) -> tuple[Measure, ...]:
    """The measures, OIE with each of the sizes."""
    wanted = parse_all(measures)
    if size is None:
        return wanted
    sizes = [*size] if isinstance(size, Iterable) else [size]
    if not any(measure.collection is not None for measure in wanted):
        raise InputError("size is the collection's for OIE, which is not among the measures; leave it out, or add OIE")
    every = [[m(size=each) for each in sizes] if m.collection is not None and sizes else [m] for m in wanted]
    return tuple(dict.fromkeys(measure for some in every for measure in some))


def calibrated(
    wanted: tuple[Measure, ...],
    aim: Aim | None,
    listed: GradedList | None,
    choice: Conventions,
    *,
    grade: float,
    max_grade: float | None,
    num_rel: int,
    fit: FittedMeasures | None = None,
) -> Calibration:
    """Find the parameters that are aimed at, and say what they mean; score the list at every length."""
    top = max_grade if max_grade is not None else max(grade, 0 if listed is None else listed.max_grade)
    if grade > top:
        raise InputError(f"grade={grade:g} is above max_grade={top:g}, the highest there is; choose a lower one")
    hit = HitDocument(float(grade), float(top), num_rel)
    left_out: list[Note] = []
    if aim is not None:
        wanted, left_out = _solved(wanted, hit, aim)
    found = tuple(meaning(measure, hit) for measure in wanted)
    more: dict[str, Any] = {} if aim is None else {aim.name: aim.number}
    if fit is not None:
        more = {
            "fitted": fit.parameters,
            "seen": fit.used.kind,
            "observations": len(fit.used.every),
            "clusters": fit.used.clusters,
            "clustered_by": fit.used.clustered_by,
            "confidence": fit.draws.confidence,
            "resamples": fit.draws.resamples,
        }
    return Calibration(
        meanings=found,
        lengths=None if listed is None else by_length(listed, wanted, choice),
        conventions=choice,
        **more,
        notices=(
            *(fit.notes if fit is not None else ()),
            *(listed.notes if listed is not None else ()),
            *left_out,
            *(ASSUMED(measure=str(measure), assumes=measure.assumes) for measure in wanted if measure.assumes),
            *(_missed(found, aim) if aim is not None else ()),
        ),
    )


def _solved(wanted: tuple[Measure, ...], hit: HitDocument, aim: Aim) -> tuple[tuple[Measure, ...], list[Note]]:
    """The measures with the parameters found, and why some of several are left out, for which there is none."""
    prices = {measure: price(measure, hit) for measure in wanted}
    priced = [measure for measure, one in prices.items() if one is not None]
    if not priced:
        raise InputError("no measure has e or beta to be found; take one of FlatU RBPU DCGU RBU ERRU OIE")
    tried = {measure: _aimed(measure, one, aim) for measure, one in prices.items()}
    left_out = {measure: one for measure, one in tried.items() if isinstance(one, InputError)}
    if all(measure in left_out for measure in priced):
        raise next(iter(left_out.values()))
    found = dict.fromkeys(one for one in tried.values() if isinstance(one, Measure))
    return tuple(found), [LEFT_OUT(measure=str(measure), why=str(error)) for measure, error in left_out.items()]


def _aimed(measure: Measure, charge: Price | None, aim: Aim) -> Measure | InputError:
    """The measure with the parameter that means what is wanted, or as it is where it has none; or why that fails."""
    if charge is None:
        return measure
    find = charge.for_first if aim.name == "pays_for" else charge.for_lone
    try:
        return measure(**{charge.parameter: find(aim.number)})
    except InputError as error:
        return error


def meaning(measure: Measure, hit: HitDocument) -> Meaning:
    """What the measure's parameter means."""
    found = price(measure, hit)
    if isinstance(found, EffortPrice):
        kind = "cascade" if found.cascades else "flat" if isinstance(found.measure.weight(), Flat) else "additive"
        return _priced(measure, hit, kind, found, gain=found.gain)
    if isinstance(found, InformationPrice):
        return _priced(measure, hit, "information", found, silence=found.silence, size=found.size)
    kind = "terminal" if measure.ends_by == "terminal" else "none"
    return Meaning(measure=str(measure), by=measure, hit=hit, kind=kind)


def _priced(measure: Measure, hit: HitDocument, kind: str, price: Price, **more: Any) -> Meaning:
    # With a beta below 1 documents without relevance raise the score: there is no price to speak of.
    free = isinstance(price, InformationPrice) and price.beta < 1
    return Meaning(
        measure=str(measure),
        by=measure,
        hit=hit,
        kind=kind,
        parameter=price.parameter,
        value=price.value,
        pays_for=None if free else price.pays_for(),
        silence_at=None if free else price.silence_at(),
        chances=() if free else price.chances(),
        **more,
    )


def _missed(meanings: Sequence[Meaning], aim: Aim) -> Iterator[Note]:
    """Where the parameter cannot be told from one that means something else."""
    for one in meanings:
        reach = getattr(one, aim.name)
        if one.parameter is not None and reach is not None and reach.last != aim.number:
            yield MISSED(measure=one.label, asked=aim.number, parameter=one.parameter)
