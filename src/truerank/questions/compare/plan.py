"""What is compared with what, and how: everything that can be refused before a file is read."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.io.groups import Grouping, read_groups
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.questions.compare.answer import FAMILIES, RANKS
from truerank.questions.compare.gates import Gate, gates
from truerank.questions.compare.settled import Pair, elsewhere
from truerank.questions.compare.systems import Systems, systems_of
from truerank.statistics.agreeing import AGREEING
from truerank.statistics.corrections import CORRECTIONS
from truerank.statistics.intervals import METHODS, SIMULTANEOUS
from truerank.statistics.paired import PValues, no_surer_than_signs
from truerank.statistics.randomization import Drawing, Draws, Progress
from truerank.statistics.tests import Procedure, procedure

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SHORT = {"t": "student"}
_NAMES = {"holm": "Holm", "bonferroni": "Bonferroni", "benjamini-hochberg": "Benjamini-Hochberg", "none": "uncorrected"}
_INTERVALS = AGREEING | {name: name for name in SIMULTANEOUS}
"""The intervals that go with a test; the other tests are of no mean, and have those by t beside them."""
CORRECTED = "corrected"
"""The intervals that go with a test, at the levels that the correction leaves."""


@dataclass(frozen=True, kw_only=True)
class CompareSettings:
    """What was chosen; where the correction or the interval was not, they are those that go with the test.

    >>> CompareSettings(test="tukey").correction, CompareSettings(test="t").test, CompareSettings(test="t").correction
    ('none', 'student', 'holm')
    """

    test: str = "student"
    correction: str = ""
    """For the pairs of each measure; a test that allows for all pairs by itself has "none"."""
    family: str = "measure"
    """One of ``FAMILIES``."""
    alpha: float = 0.05
    margin: float | None = None
    """How far systems may be apart and still count as equivalent."""
    interval: str = ""
    """How intervals of differences are found: one of ``METHODS``, or "corrected" as verdicts are."""
    permutations: int = 10_000
    seed: int = 0
    ranks: str = ""
    """One of ``RANKS``; "" for what goes with the table that is shown."""

    def __post_init__(self) -> None:
        test = _SHORT.get(self.test, self.test)
        simultaneous = procedure(test, baseline=True).simultaneous
        correction = self.correction or ("none" if simultaneous else "holm")
        agrees = correction != "none" and test in AGREEING
        interval = self.interval or (CORRECTED if agrees else _INTERVALS.get(test, "t"))
        for name, value in (("test", test), ("correction", correction), ("interval", interval)):
            object.__setattr__(self, name, value)
        if correction not in CORRECTIONS:
            raise InputError(f"correction={correction!r} is not known; take one of {', '.join(CORRECTIONS)}")
        if simultaneous and correction != "none":
            raise InputError(f"test={test!r} allows for all pairs by itself; leave correction={correction!r} out")
        if interval not in (*METHODS, CORRECTED):
            raise InputError(f"interval={interval!r} is not known; take one of {', '.join((*METHODS, CORRECTED))}")
        if interval == CORRECTED and not agrees:
            which = f"test={test!r}" if correction != "none" else "correction='none'"
            raise InputError(f"interval='corrected' does not go with {which}; leave the interval out")
        if self.family not in FAMILIES:
            raise InputError(f"family={self.family!r} is not known; take one of {', '.join(FAMILIES)}")
        if self.family == "all" and correction == "none" and not simultaneous:
            raise InputError("family='all' corrects p for all measures, and correction='none' does not; leave one out")
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha={self.alpha!r}; give a number between 0 and 1, such as 0.05")
        if self.margin is not None and not 0 < self.margin < math.inf:
            raise InputError(f"margin={self.margin!r}; give a difference above 0 that does not matter")
        if self.ranks and self.ranks not in RANKS:
            raise InputError(f"ranks={self.ranks!r} is not known; take one of {', '.join(RANKS)}")
        if self.ranks and not self.at_once:
            raise InputError(
                f"ranks={self.ranks!r} needs verdicts that hold at once, and correction={correction!r} does not give "
                "them; take holm or bonferroni"
            )
        Draws(self.permutations, self.seed)

    @property
    def at_once(self) -> bool:
        """Whether all verdicts hold at once with the confidence 1 - alpha, and so what follows from all of them.

        >>> [CompareSettings(**one).at_once for one in ({}, {"test": "tukey"}, {"correction": "none"})]
        [True, True, False]
        """
        return self.procedure.simultaneous or self.correction in ("holm", "bonferroni")

    @property
    def procedure(self) -> Procedure:
        """The test itself."""
        return procedure(self.test, baseline=True)

    @property
    def title(self) -> str:
        """The test in words."""
        return self.procedure.title

    @property
    def correction_title(self) -> str:
        """The correction in words."""
        return _NAMES[self.correction]

    @property
    def confidence(self) -> float:
        """Of intervals."""
        return 1.0 - self.alpha

    @property
    def about_means(self) -> bool:
        """Whether the test is about means, and has intervals of its own."""
        return self.test in _INTERVALS

    @property
    def own_interval(self) -> bool:
        """Whether intervals of differences are those that go with the test."""
        return self.interval_method == _INTERVALS.get(self.test)

    @property
    def alone(self) -> bool:
        """Whether verdicts allow for all pairs, and an interval does not: each holds for its pair alone."""
        return self.correction != "none" and self.interval not in (CORRECTED, *SIMULTANEOUS)

    @property
    def corrects_intervals(self) -> bool:
        """Whether intervals have the levels that the correction leaves, and agree with verdicts."""
        return self.interval == CORRECTED

    @property
    def interval_method(self) -> str:
        """One of ``METHODS``: of corrected intervals, what is found at the levels that the correction leaves."""
        return AGREEING[self.test] if self.corrects_intervals else self.interval

    @property
    def test_interval(self) -> str:
        """The interval that goes with the test, whichever is shown; by t for a test that is of no mean."""
        return _INTERVALS.get(self.test, "t")

    def tested(self, scores: Floats, *, baseline: int = 0, **drawing: Unpack[Drawing]) -> PValues:
        """p-values of every pair, from scores (systems x what was drawn), no surer than signs of few topics can be."""
        found = self.procedure(scores, baseline=baseline, **drawing)
        return no_surer_than_signs(found, scores, self.alpha)

    def drawing(self, progress: Progress | None = None) -> Drawing:
        """The keywords of what draws at random."""
        return {"permutations": self.permutations, "seed": self.seed, "progress": progress}

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class ComparePlan:
    """What is compared with what, and how: everything that can be refused before a file is read."""

    settings: CompareSettings
    measures: tuple[Measure, ...]
    runs: tuple[Named, ...]
    baselines: tuple[int, ...] | None
    """Numbers of the runs that others are compared with; None where all are compared with each other."""
    gates: tuple[Gate, ...]
    settled: bool
    """Whether pairs are compared again under other readings of the data."""
    depths: tuple[int, ...] | None
    """Other depths to compare at; None for half and twice that of the measure."""
    systems: Systems | None = None
    """Which runs are of one system; None where each run is one."""
    groups: Grouping | None = None
    """The group of each topic."""
    cluster: bool = False
    """Whether groups were drawn, and not topics."""

    @classmethod
    def of(
        cls,
        settings: CompareSettings,
        runs: Any,
        measures: Any,
        *,
        baseline: str | Iterable[str] | None,
        gate: str | Iterable[str] | None,
        settled: bool | None,
        depths: int | Iterable[int] | None,
        system: Any = None,
        group: Any = None,
        cluster: bool | None = None,
    ) -> ComparePlan:
        """Take what callers give, and refuse what cannot work."""
        if settings.test == "tukey":
            needed("scipy.stats", "a comparison by Tukey's test")
        wanted = parse_all(measures)
        for measure in wanted:
            if not measure.averages:
                raise InputError(f"{measure} is no mean over topics, and tests compare means; choose another measure")
        wanted_gates = gates(gate, settings.alpha, wanted)
        names = _baselines(baseline)
        fixed = [name for one in wanted_gates for name in one.references]
        listed = named_runs(runs)
        named = _with_baselines(listed, [*(names or ()), *fixed])
        systems = _systems(systems_of(named, system), settings, settled=settled)
        compared = named if systems is None else [Named(name, None) for name in systems.names]
        if len(compared) < 2:
            one = "runs" if systems is None else "systems"
            raise InputError(f"a comparison is of two {one} or more, and there is one; give another")
        if cluster is not None and group is None:
            raise InputError("cluster says what groups of topics are for, and there are none; give group, too")
        if names is None and any(not one.references for one in wanted_gates):
            added = {one.name for one in named[: len(named) - len(listed)]}
            names = [next(one.name for one in compared if one.name not in added)]
        wanted_gates = tuple(
            replace(
                one,
                references=tuple(compared[at].name for at in baseline_places(compared, one.references or names or ())),
            )
            for one in wanted_gates
        )
        held = {name for one in wanted_gates for name in one.references}
        if held and all(one.name in held for one in compared):
            raise InputError(
                f"gates hold runs against {', '.join(sorted(held)):.200}, and there is no other run that could "
                "pass; give one"
            )
        places = baseline_places(compared, [*(names or ()), *fixed]) if names or fixed else None
        if settings.procedure.against_one and len(places or ()) != 1:
            given = "none is named" if not places else f"{len(places)} are named"
            raise InputError(f"test={settings.test!r} holds all runs against one baseline, and {given}; name one")
        if "dunnett" in settings.interval and len(places or ()) != 1:
            raise InputError(f"interval={settings.interval!r} is of differences from one baseline; name one")
        if settings.ranks and places is not None:
            raise InputError(
                "possible ranks are of runs that are all compared with each other; leave baseline out (and gates), or "
                "ranks"
            )
        return cls(
            settings=settings,
            measures=wanted,
            runs=tuple(named),
            baselines=places,
            gates=wanted_gates,
            settled=(depths is not None and systems is None) if settled is None else settled,
            depths=None if depths is None else _depths(depths),
            systems=systems,
            groups=None if group is None else read_groups(group),
            cluster=group is not None and cluster is not False,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The systems, or the runs where each is one."""
        return tuple(run.name for run in self.runs) if self.systems is None else self.systems.names

    @property
    def system_of(self) -> Rows | None:
        """The number of the system that each run is of; None where each is one."""
        return None if self.systems is None else self.systems.number

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs to compare."""
        return asked(len(self.names), self.baselines)

    @property
    def first(self) -> int:
        """Number of the run that others are held against; of several, the first."""
        return self.baselines[0] if self.baselines else 0

    @property
    def elsewhere(self) -> dict[str, tuple[Measure, ...]]:
        """By measure, the same at other depths."""
        return {str(measure): elsewhere(measure, self.depths) if self.settled else () for measure in self.measures}


def _systems(found: Systems | None, settings: CompareSettings, *, settled: bool | None) -> Systems | None:
    """Refuse what cannot be said of systems of several runs; where each has one, there is nothing to it."""
    if found is None or max(found.sizes) == 1:
        return None
    if (settings.test, settings.interval_method) != ("student", "t"):
        raise InputError(
            f"test={settings.test!r} with interval={settings.interval!r} takes a system for one run; with several, "
            "take test='student', and leave interval out"
        )
    if settled:
        raise InputError("other readings of the data are of single runs; leave settled out where systems have several")
    return found


def _baselines(baseline: str | Iterable[str] | None) -> list[str] | None:
    """The baselines that a caller names; None where all pairs are meant."""
    if baseline is None:
        return None
    names = [baseline] if isinstance(baseline, (str, os.PathLike)) else list(baseline)
    if not names:
        raise InputError("no baseline is named; name one, or leave baseline out to compare all pairs")
    return [os.fspath(name) for name in names]


def _with_baselines(named: list[Named], baselines: Sequence[str]) -> list[Named]:
    """The runs, and before them the baselines that are files which are not among them, read as the first run is."""
    new = [path for path in baselines if not any(_is(one, path) for one in named) and os.path.isfile(path)]
    return named_runs([*(Named("", path, named[0].options) for path in new), *named]) if new else named


def baseline_places(named: Sequence[Named], baselines: Sequence[str]) -> tuple[int, ...]:
    """Numbers of the runs that are baselines, by name or by the path they are read from."""
    found = []
    for name in baselines:
        at = [at for at, one in enumerate(named) if one.name == name]
        at = at or [at for at, one in enumerate(named) if _is(one, name)]
        if not at:
            every = ", ".join(one.name for one in named)
            raise InputError(f"there is no run {name!r} to be the baseline; there are {every:.200}")
        found.append(at[0])
    return tuple(dict.fromkeys(found))


def _is(one: Named, name: str) -> bool:
    """Whether a run has a name, or is read from the file of that name."""
    if one.name == name:
        return True
    return isinstance(one.data, (str, os.PathLike)) and os.path.abspath(os.fspath(one.data)) == os.path.abspath(name)


def _depths(depths: int | Iterable[int]) -> tuple[int, ...]:
    found = (depths,) if isinstance(depths, int) else tuple(depths)
    for depth in found:
        if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
            raise InputError(f"a depth is a whole number from 1 on, not {depth!r}")
    return found


def asked(systems: int, baselines: Sequence[int] | None) -> tuple[tuple[int, int], ...]:
    """Pairs (a, b): each baseline with every system, or each system with those after it.

    >>> asked(3, None), asked(3, [1])
    (((0, 1), (0, 2), (1, 2)), ((1, 0), (1, 2)))
    """
    if baselines is None:
        return tuple((a, b) for a in range(systems) for b in range(a + 1, systems))
    return tuple((a, b) for a in baselines for b in range(systems) if b > a or b not in baselines)
