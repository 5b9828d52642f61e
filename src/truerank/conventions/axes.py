"""The conventions of an evaluation: one table of axes, from which keywords, options, presets and the reference come."""

from __future__ import annotations

import operator
import re
from collections.abc import Collection, Hashable, Mapping
from dataclasses import asdict, field, fields
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.printing import brief
from truerank.data.reading import Reading

_SAMPLE = re.compile(r"sample\(([0-9]+)\)")
_DIGITS = 18
"""Digits of a seed that always fit into 64 bits."""
_LONGEST = 10**15
"""Documents that no list has."""


class Value(NamedTuple):
    """What a value of an axis means."""

    answers: str
    """The question about a run that a score under it answers."""
    because: str = ""
    """What is done under it, in a clause; "" where a score would be no single number, or none that can be repeated."""


@dataclass(frozen=True, eq=False)
class Axis:
    """One choice that a score hides."""

    name: str
    default: str | int | None
    help: str
    """What is chosen, in one line."""
    values: Mapping[str, Value]
    """The values, in words; none where it is a number."""
    named: bool = False
    """Whether a name that is none of these words is a value, too: what it names is known with the data."""

    @property
    def option(self) -> str:
        """Its name on the command line."""
        return f"--{self.name.replace('_', '-')}"

    def checked(self, given: object) -> object:
        """A value as it is kept; one that the axis does not have is refused."""
        if not isinstance(given, Hashable):
            raise InputError(f"{self.name} is one choice, not a {type(given).__name__}; give a word or a number")
        if not self.values:
            if self.default == 0:
                return _count(self.name, given)
            return None if given is None else _length(self.name, given)
        plain = given
        if isinstance(given, str) and (seeded := _SAMPLE.fullmatch(given)):
            plain = "sample"
            if len(seeded[1]) > _DIGITS:
                raise InputError(
                    f"{self.name}=sample(SEED) takes a seed of up to {_DIGITS} digits, not {len(seeded[1]):,}"
                )
        if self.named and isinstance(given, str) and given:
            return given
        if plain not in self.values:
            raise InputError(f"{self.name}={brief(given)} is not a choice; take one of {', '.join(self.values)}")
        return given


def _axis(default: str | int | None, help: str, /, *, named: bool = False, **values: Value) -> Any:  # noqa: A002 - what it is called on screen
    """A field of ``Conventions``; an underscore in the name of a value stands for a hyphen."""
    told = {name.replace("_", "-"): value for name, value in values.items()}
    return field(default=default, metadata={"help": help, "values": told, "named": named})


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """How ties, unjudged documents, the end of the list, absent topics and scores are read.

    >>> Conventions(ties="sample(3)").seed
    3
    >>> Conventions(ties="random")
    Traceback (most recent call last):
    ...
    truerank.data.errors.InputError: ties='random' is not a choice; take one of expected, best, worst, bounds, docid, \
docid-asc, input, rank, sample
    """

    ties: str = _axis(
        "expected",
        "Order of documents with equal scores: the mean over all orders, an extreme, both extremes, or one order.",
        expected=Value(
            "What is the score on average, if ties are broken at random? Exact: the mean over all orders.",
            "ties count with the mean over all their orders",
        ),
        best=Value("What is the most that an order of the ties can give?", "tied documents stand in the best order"),
        worst=Value("What is the least?", "tied documents stand in the worst order"),
        bounds=Value("All three: the mean with `low` and `high`."),
        docid=Value(
            "What does trec_eval say? Document ids in descending order of their bytes.",
            "tied documents stand in descending order of their ids",
        ),
        docid_asc=Value("The same, ascending.", "tied documents stand in ascending order of their ids"),
        input=Value("The order of the rows in the file.", "tied documents stand in the order of the rows"),
        rank=Value(
            "The order of the rank column, and of the rows where ranks are equal; a run without the column is refused.",
            "tied documents stand in the order of the rank column",
        ),
        sample=Value(
            "One random order, `sample(SEED)` another. It depends on the seed and on the ids of topic and documents, "
            "not on the order of rows."
        ),
    )
    unjudged: str = _axis(
        "nonrelevant",
        "What documents without a judgment count as.",
        nonrelevant=Value(
            "What is the score, if assessors would have found nothing more?", "unjudged documents count as not relevant"
        ),
        condensed=Value(
            "What is the score of the judged documents alone? Unjudged ones leave the list, the others move up.",
            "unjudged documents are taken out of the lists",
        ),
        bounds=Value(
            "What can the score be once more is judged? The mean as under `nonrelevant`, with `low` and `high`, over "
            "all judgments of the documents that the runs list, and of `unseen` further ones."
        ),
        residual=Value(
            "How much weight is not judged? `low` and `high` as well, with none and with all unjudged documents "
            "relevant and everything else as judged now: what a score is divided by does not change."
        ),
    )
    unseen: int = _axis(
        0,
        "How many relevant documents that no run lists judging more might find in a topic, as bounds have it.",
    )
    ending: str = _axis(
        "none",
        "Whether the end of a list is an answer of its own.",
        none=Value(
            "How good are the documents in the list? Stopping says nothing.", "the end of a list is not an answer"
        ),
        terminal=Value("Was it right to stop here?", "the end of a list is an answer (terminal document)"),
        terminal_once=Value(
            "How good is the list with its end as one more document?",
            "the end of a list is an answer, once (terminal document)",
        ),
    )
    limit: int | None = _axis(
        None, "Most documents that a list could have: one of so many, without NIL, was not ended by its system."
    )
    nil: str = _axis(
        "end",
        "What a document named NIL is: the end of its list, where that counts, or an answer as in TREC 2001.",
        end=Value(
            "Was it right to stop here? With an ending, the list stops before its NIL; without one, NIL is a document "
            "like any other, as it is to other tools.",
            "a NIL is the end of its list, where that is an answer",
        ),
        answer=Value(
            "What did TREC 2001 say? NIL is a document of the list, relevant if and only if nothing else is, and the "
            "list goes on below it.",
            "a NIL is an answer, right where nothing is relevant",
        ),
    )
    missing: str = _axis(
        "empty",
        "What a judged topic counts as that the run leaves out.",
        empty=Value(
            "How good is the system on all topics? The list is empty.",
            "topics that the run leaves out count as empty lists",
        ),
        skip=Value(
            "How good is it where it answers? The topic is left out of the mean.",
            "topics that the run leaves out are not in the mean",
        ),
        error=Value("Refuse such a run."),
    )
    no_relevant: str = _axis(
        "zero",
        "What topics without relevant documents count as.",
        zero=Value(
            "What is the mean over all topics, as most tools report it? A note says how many topics have no relevant "
            "document, and how high a score can be. AUC and preference losses stay undefined there.",
            "topics without relevant documents count as 0",
        ),
        skip=Value(
            "What is the mean over the topics that have a relevant document? The others are left out for all measures.",
            "topics without relevant documents are not in the mean",
        ),
        nan=Value("Is everything defined? If not, the mean is NaN, and null in JSON."),
    )
    relevant: str = _axis(
        "judgments",
        "Where relevant documents are counted.",
        judgments=Value("How much of what there is was found?", "relevant documents are counted in the judgments"),
        run=Value(
            "How well is the list ordered, given what it holds? Relevant documents are those in the list (McSherry & "
            "Najork 2008).",
            "only relevant documents that the run found are counted",
        ),
    )
    negative: str = _axis(
        "judged",
        "Whether a grade below 0 is a judgment or none.",
        judged=Value(
            "A judgment of non-relevance: it stays in a condensed list, and counts against bpref.",
            "negative grades count as judged",
        ),
        unjudged=Value("No judgment, as in trec_eval.", "negative grades count as unjudged"),
    )
    precision: str = _axis(
        "float64",
        "How scores are compared.",
        float64=Value("As they are written.", "scores are compared in double precision"),
        float32=Value(
            "Rounded first, as trec_eval 9 does: 100000.1546 and 100000.1552 are then tied.",
            "scores are compared in single precision, so that near ones tie",
        ),
    )
    identical: str = _axis(
        "keep",
        "What becomes of a document that has the id of its topic.",
        keep=Value("It is ranked like any other.", "documents with the id of their topic stay"),
        drop=Value(
            "It is taken out of the list, as BEIR does: some of its collections take their queries from among the "
            "documents.",
            "documents with the id of their topic are dropped",
        ),
    )

    judges: str = _axis(
        "given",
        "Whose judgments count, where several judges gave them or they are not sure: a judge by name, one grade of "
        "all, all of them, or the mean over random judgments.",
        named=True,
        given=Value(
            "What is the score by the judgments that are given? They are by one judge, and are sure.",
            "the judgments are those that are given",
        ),
        majority=Value("What by the grade that most judges give, or the most likely one? Of several the lowest."),
        median=Value("What by the median grade? Half way between two, if as many judges are above as below."),
        mean=Value("What by the mean grade?"),
        each=Value("What by each judge? A result for each of them."),
        bounds=Value(
            "How far does it depend on who judged? The mean over judges, with `low` and `high`: of a topic the lowest "
            "and highest score by any judge, and of the mean the lowest and highest mean."
        ),
        expected=Value(
            "What is the score on average, if every pair is judged at random: with the probabilities that are given, "
            "or by any of its judges? Exact where a measure allows it, otherwise the mean over 1,000 draws of all "
            "judgments."
        ),
    )

    def __post_init__(self) -> None:
        for axis in AXES.values():
            object.__setattr__(self, axis.name, axis.checked(getattr(self, axis.name)))

    def __getstate__(self) -> dict[str, Any]:
        """The axes alone: what follows from them follows again elsewhere, so that equal conventions are equal bytes."""
        return {axis: getattr(self, axis) for axis in AXES}

    @cached_property
    def seed(self) -> int:
        """Seed of ``ties="sample(seed)"``; 0 where none is given."""
        found = _SAMPLE.fullmatch(self.ties)
        return int(found[1]) if found else 0

    @cached_property
    def averages_ties(self) -> bool:
        """Whether a score is the mean over all orders of ties, with nothing beside it."""
        return self.ties == "expected"

    @cached_property
    def tie_bounds(self) -> bool:
        """Whether a score has the worst and the best order of ties beside it."""
        return self.ties == "bounds"

    @cached_property
    def unjudged_bounds(self) -> bool:
        """Whether a score has beside it what unjudged documents could make of it."""
        return self.unjudged in ("bounds", "residual")

    @cached_property
    def frees_relevant(self) -> bool:
        """Whether these bounds let judgments find more relevant documents, which scores are then divided by."""
        return self.unjudged == "bounds"

    @cached_property
    def order(self) -> str:
        """What ties are read as where a score is one number: the mean over all orders, an extreme, or an order."""
        return "expected" if self.tie_bounds else self.ties

    @cached_property
    def untied_order(self) -> str:
        """The order that lists without ties are read in, where extremes have nothing to choose from."""
        return "expected" if self.extreme else self.order

    @cached_property
    def extreme(self) -> bool:
        """Whether tied documents stand in the best order, or the worst."""
        return self.ties in EXTREMES

    @cached_property
    def breaks_ties(self) -> bool:
        """Whether tied documents stand in one order, the same for every measure."""
        return self.order != "expected" and not self.extreme

    @cached_property
    def assumed(self) -> str:
        """What unjudged documents are taken for where a score is one number."""
        return "nonrelevant" if self.unjudged_bounds else self.unjudged

    @cached_property
    def condenses(self) -> bool:
        """Whether unjudged documents are taken out of the lists."""
        return self.unjudged == "condensed"

    @cached_property
    def ends(self) -> bool:
        """Whether the end of a list is an answer."""
        return self.ending != "none"

    @cached_property
    def nil_ends(self) -> bool:
        """Whether a list stops at its NIL, where its end is an answer; otherwise NIL is an answer of its own."""
        return self.nil == "end"

    @cached_property
    def negative_judged(self) -> bool:
        """Whether a negative grade is a judgment."""
        return self.negative == "judged"

    @cached_property
    def skips_missing(self) -> bool:
        """Whether a topic that the run leaves out is not in the mean."""
        return self.missing == "skip"

    @cached_property
    def fills_missing(self) -> bool:
        """Whether a topic that the run leaves out is an empty list."""
        return self.missing == "empty"

    @cached_property
    def refuses_missing(self) -> bool:
        """Whether a run that leaves out a topic is refused."""
        return self.missing == "error"

    @cached_property
    def skips_undefined(self) -> bool:
        """Whether a topic where a measure has no value is not in its mean."""
        return self.no_relevant == "skip"

    @cached_property
    def skips_no_relevant(self) -> bool:
        """Whether a topic without relevant documents is left out for every measure, and will stay so.

        Bounds over all judgments have it come in with its first relevant document.
        """
        return self.skips_undefined and not self.frees_relevant

    @cached_property
    def counts_undefined(self) -> bool:
        """Whether a topic where a measure has no value counts as the worst; otherwise it is left out, or undefined."""
        return self.no_relevant == "zero"

    @cached_property
    def relevant_in_run(self) -> bool:
        """Whether relevant documents are those that the run found."""
        return self.relevant == "run"

    @cached_property
    def drops_identical(self) -> bool:
        """Whether documents with the id of their topic are taken out of the lists."""
        return self.identical == "drop"

    @cached_property
    def judge(self) -> str | None:
        """The judge whose judgments count, by name; None where that is not how they are chosen."""
        return None if self.judges in AXES["judges"].values else self.judges

    @cached_property
    def one_judge(self) -> bool:
        """Whether the judgments of one judge count, the one that is given or one by name."""
        return self.judges == "given" or self.judge is not None

    @cached_property
    def judges_matter(self) -> bool:
        """Whether judgments are looked at for several judges, or for probabilities."""
        return self.judges != "given"

    @cached_property
    def combines_judges(self) -> bool:
        """Whether one grade is made of those that judges give."""
        return self.judges in ("majority", "median", "mean")

    @cached_property
    def each_judge(self) -> bool:
        """Whether there is a result for each judge."""
        return self.judges == "each"

    @cached_property
    def judge_bounds(self) -> bool:
        """Whether a score is the mean over judges, with the lowest and highest beside it."""
        return self.judges == "bounds"

    @cached_property
    def averages_judgments(self) -> bool:
        """Whether a score is the mean over random judgments."""
        return self.judges == "expected"

    def ending_of(self, measure: Ended) -> str:
        """The ending that a measure is read with: its own, or the one chosen."""
        return measure.ending if measure.ending != "none" else self.ending

    def ends_for(self, measure: Ended) -> bool:
        """Whether the end of a list is an answer to a measure."""
        return self.ending_of(measure) != "none"

    def judges_negative(self, measure: Sampled) -> bool:
        """Whether a negative grade is a judgment to a measure: not where the grade marks what was left unsampled."""
        return self.negative_judged and not measure.negative_unsampled

    def as_dict(self) -> dict[str, str | int | None]:
        """Every axis and its value."""
        return asdict(self)

    def unusual(self, *always: str, apart: Collection[str] = ()) -> dict[str, str | int | None]:
        """The axes that are not as by default, with those to be named ``always`` and without those told ``apart``.

        >>> Conventions(missing="skip", nil="answer").unusual("ties", apart=["nil"])
        {'ties': 'expected', 'missing': 'skip'}
        """
        chosen = {axis: value for axis, value in self.as_dict().items() if axis not in apart}
        return {axis: value for axis, value in chosen.items() if axis in always or value != AXES[axis].default}

    def options(self, apart: Collection[str] = ()) -> list[str]:
        """The options of the command line that choose these conventions, without axes told ``apart``.

        >>> Conventions(no_relevant="skip").options()
        ['--no-relevant skip']
        """
        return [f"{AXES[axis].option} {value}" for axis, value in self.unusual(apart=apart).items()]


class Ended(Protocol):
    """A measure, as far as its ending goes."""

    @property
    def ending(self) -> str:
        """The ending that it is read with where none is chosen."""


class Sampled(Protocol):
    """A measure, as far as samples of judgments go."""

    @property
    def negative_unsampled(self) -> bool:
        """Whether a negative grade is to it a document of the pool that nobody judged, whatever it is to others."""


AXES: dict[str, Axis] = {f.name: Axis(f.name, getattr(Conventions, f.name), **f.metadata) for f in fields(Conventions)}
"""The table of axes."""
EXTREMES = ("best", "worst")
"""Orders of ties that are a measure's own."""
ORDERS = tuple(value for value in AXES["ties"].values if value not in ("expected", "bounds", *EXTREMES))
"""Orders of ties that are the same for every measure; ``data.ties`` has their arithmetic."""
USUAL_ORDERS = tuple(order for order in ORDERS if order != "sample")
"""Those that tools take: by document (trec_eval descends), by the input, by the rank column."""


class Always(Reading, total=False):
    """Conventions as keywords, but for those that some questions have a parameter of their own for.

    How runs are read is beside them for type checkers; questions take it away first.
    """

    ties: str | None
    unseen: int | None
    ending: str | None
    limit: int | None
    nil: str | None
    missing: str | None
    no_relevant: str | None
    relevant: str | None
    negative: str | None
    precision: str | None
    identical: str | None
    like: str | None


class Apart(Always, total=False):
    """The same with ``judges``, and without ``unjudged``, which some questions take several values of."""

    judges: str | None


class Judging(Always, total=False):
    """The same with ``unjudged``, and without ``judges``, who are what a question is about."""

    unjudged: str | None


class Given(Apart, total=False):
    """Conventions as keywords: each axis, and the tool whose conventions the others are; None is not given."""

    unjudged: str | None


def _length(name: str, given: object) -> int:
    try:
        found = 0 if isinstance(given, bool) else operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        found = 0
    if not 1 <= found <= _LONGEST:
        raise InputError(f"{name}={brief(given)} is no length of a list; give a whole number from 1 on")
    return found


def _count(name: str, given: object) -> int:
    try:
        found = -1 if isinstance(given, bool) else operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        found = -1
    if not 0 <= found <= _LONGEST:
        raise InputError(f"{name}={brief(given)} is no number of documents; give a whole number from 0 on")
    return found
