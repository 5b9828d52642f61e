"""What people judged: a sample of the machine's documents, or whole topics; and what they are to judge next."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Rows, stretches
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.judges import Judges
from truerank.data.notes import Note
from truerank.data.qrels import Preferences, Qrels
from truerank.io.load import Unread, as_qrels
from truerank.questions.audit.question import INCOMPLETE, OUTSIDE, RANDOM, DrawnDocument
from truerank.statistics.jackknife import refuse_confidence
from truerank.statistics.sampled import KnownUnits, chances, drawn, with_floor
from truerank.track.track import Track


@dataclass(frozen=True, eq=False)
class AuditAim:
    """What is asked for."""

    people: Qrels | None
    drawn: Qrels | None
    next: int
    width: float | None
    gate: str | None
    margin: float | None
    confidence: float
    seed: int

    @classmethod
    def of(
        cls,
        people: Any,
        sample: Any,
        *,
        next: int = 0,  # noqa: A002 - the name of the option
        width: float | None = None,
        gate: str | None = None,
        margin: float | None = None,
        confidence: float = 0.95,
        seed: int = 0,
    ) -> AuditAim:
        """Read what people judged, and what they were given to judge; refuse what cannot be asked."""
        refuse_confidence(confidence)
        if width is not None and not 0 < width < math.inf:
            raise InputError(f"width={width!r}; give a width above 0")
        if margin is not None and not (gate and 0 < margin < math.inf):
            raise InputError(f"margin={margin!r} goes with gate=RUN, and is above 0; give both")
        if people is None and sample is not None:
            raise InputError("sample= says how people's documents were drawn, and people= is not given; give both")
        if people is None and gate:
            raise InputError("gate= needs people's judgments; give people=")
        if people is None and not next:
            raise InputError("there are no judgments of people; give people=, or next= for documents to be judged")
        judged = None if people is None else as_qrels(people)
        if isinstance(judged, Preferences):
            raise InputError("people= has preferences, and grades are needed; give qrels")
        drawn = None if sample is None else _probabilities(sample)
        return cls(judged, drawn, next, width, gate, margin, confidence, seed)

    def against(self, track: Track) -> HumanJudgments:
        """The same of what the machine judged."""
        machine = track.judgments
        if isinstance(machine, Preferences):
            raise InputError("the machine's judgments are preferences, and grades are needed; give qrels")
        if self.people is None:
            nothing = np.zeros(0, np.intp)
            return HumanJudgments(self, KnownUnits(nothing, np.zeros(0)), np.zeros(0), nothing, ())
        place = located(self.people, machine)
        known = place >= 0
        if not known.any():
            raise InputError(
                "people and the machine have judged no document of the same topic; check that both name topics and "
                "documents alike"
            )
        order = np.argsort(place[known], kind="stable")
        unit, grade = place[known][order], self.people.grade[known][order]
        notes: list[Note] = [OUTSIDE(outside=int((~known).sum()))] if not known.all() else []
        whole = _whole_topics(machine, unit)
        if self.drawn is None and len(whole) > 1 and np.isin(_topic(machine)[unit], whole).all():
            return HumanJudgments(self, KnownUnits(unit, np.ones(len(unit))), grade, whole, tuple(notes))
        sample, more = self._sampled(machine, unit)
        return HumanJudgments(self, sample, grade, np.zeros(0, np.intp), (*notes, *more))

    def _sampled(self, machine: Qrels, unit: Rows) -> tuple[KnownUnits, list[Note]]:
        if self.drawn is None:
            told = [RANDOM(judged=len(unit), documents=len(machine))] if len(unit) < len(machine) else []
            return KnownUnits.random(unit, len(machine)), told
        place = located(self.drawn, machine)
        chance = np.ones(len(machine))
        there = place[place >= 0]
        chance[there] = self.drawn.grade[place >= 0]
        judged = np.isin(there, unit)
        missing = int((~judged).sum() + (place < 0).sum())
        if not missing:
            return KnownUnits(unit, chance[unit]), []
        if not judged.any():
            raise InputError("people have judged no document that was drawn; give the sample that they judged")
        # Those that were taken for certain stay so only if all of them are judged.
        chance[there] *= judged.sum() / len(place)
        return KnownUnits(unit, chance[unit]), [INCOMPLETE(missing=missing, drawn=len(place))]


def _probabilities(sample: Any) -> Qrels:
    columns = {"topic": "topic", "doc": "doc", "grade": "probability"}
    found = as_qrels(sample if isinstance(sample, (dict, Qrels)) else Unread(sample, {"columns": columns}))
    wrong = np.flatnonzero(~((found.grade > 0) & (found.grade <= 1)))
    if len(wrong):
        first = int(wrong[0])
        raise InputError(
            f"sample: document {text(found.docs[first])!r} has the probability {found.grade[first]:g}; "
            "give probabilities above 0 and up to 1"
        )
    return found


def located(judgments: Qrels, among: Qrels) -> Rows:
    """For each of some judgments, which of the others is of the same document and topic; -1 for none.

    >>> from truerank.io.load import as_qrels
    >>> one, other = as_qrels({"q1": {"a": 1, "b": 0}}), as_qrels({"q1": {"b": 2}, "q2": {"a": 1}})
    >>> located(one, other).tolist()
    [-1, 0]
    """
    one, other = Judges(("one", "other"), (judgments, among)).place
    found = np.full(len(judgments), -1, np.intp)
    found[one[one >= 0]] = other[one >= 0]
    return found


def _topic(qrels: Qrels) -> Rows:
    return stretches(qrels.offsets)


def _whole_topics(machine: Qrels, unit: Rows) -> Rows:
    """The topics of which people judged everything."""
    count = np.bincount(_topic(machine)[unit], minlength=len(machine.topics))
    return np.flatnonzero((count == np.diff(machine.offsets)) & (count > 0))


@dataclass(frozen=True, eq=False)
class HumanJudgments:
    """What people judged, of what the machine judged."""

    aim: AuditAim
    sample: KnownUnits
    grade: Floats
    """What people say of the documents of the sample."""
    topics: Rows
    """The topics that people judged as a whole, where it is these that are a sample."""
    notes: tuple[Note, ...]

    @property
    def by_topics(self) -> bool:
        """Whether topics were sampled."""
        return len(self.topics) > 0

    @property
    def is_judged(self) -> bool:
        """Whether people have judged something."""
        return len(self.grade) > 0


def draw(machine: Qrels, worth: Floats, asked: HumanJudgments) -> tuple[DrawnDocument, ...]:
    """Documents for people to judge, mostly in proportion to what each is worth."""
    if not worth.any():
        raise InputError("no document is left whose judgment would tell anything of these runs and measures")
    chance = chances(with_floor(worth, asked.sample.others(len(machine))), asked.aim.next)
    topic = _topic(machine)
    return tuple(
        DrawnDocument(
            topic=text(machine.topics[topic[unit]]),
            doc=text(machine.docs[unit]),
            probability=float(chance[unit]),
            grade=float(machine.grade[unit]),
        )
        for unit in drawn(chance, asked.aim.seed).tolist()
    )
