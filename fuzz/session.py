"""A session: several processes that try inputs until their time or their number is over."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import pickle
import random
import re
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from fuzz import corpus, growth
from fuzz.case import Case, case_of
from fuzz.differences import brute_force, forms, identities, layouts, peers
from fuzz.judging import Limits, Outcome, judge
from fuzz.shrinking import shrunk
from fuzz.targets import commands, figures, objects, readers, texts
from fuzz.targets.target import Target

GROUPS: dict[str, tuple[Target, ...]] = {
    "files": readers.TARGETS,
    "texts": texts.TARGETS,
    "Python data": objects.TARGETS,
    "commands": commands.TARGETS,
    "figures": figures.TARGETS,
    "brute force": brute_force.TARGETS,
    "identities": identities.TARGETS,
    "forms": forms.TARGETS,
    "layouts": layouts.TARGETS,
    "other tools": peers.TARGETS,
    "growth": growth.TARGETS,
}
"""All targets, by what they are about."""
TARGETS: dict[str, Target] = {target.name: target for targets in GROUPS.values() for target in targets}
IN_MEMORY = Path("/dev/shm")
"""Where small files are written and removed in no time."""
FIRST, EVERY = 2.0, 30.0
"""Seconds after which it is said how far it is: at first, then after twice as long each time, up to the most."""
MEMORY = 4 * 2**30
"""What a process may ask for beyond what it has when it starts: more is refused, and found."""


@dataclass(frozen=True)
class Plan:
    """What is tried, and for how long."""

    seed: int = 0
    seconds: float | None = None
    inputs: int | None = None
    jobs: int = 1
    only: tuple[str, ...] = ()
    heavy: bool = True
    """Whether targets that take long to start, and inputs that grow, are among them."""
    ignore: tuple[str, ...] = ()
    """Findings that are not counted, by a part of their signature."""
    limits: Limits = field(default_factory=Limits)

    def targets(self) -> list[Target]:
        """The targets that are wanted and can be tried."""
        wanted = [TARGETS[name] for name in self.only] or [t for t in TARGETS.values() if self.heavy or not t.heavy]
        return [target for target in wanted if not target.missing()]


@dataclass
class Finding:
    """Something that is not as it has to be."""

    signature: str
    case: Case
    detail: str
    count: int = 1

    def to_json(self) -> str:
        """A reproducer."""
        return json.dumps({"finding": self.signature, "detail": self.detail, **self.case.to_dict()}, indent=1) + "\n"

    @property
    def file(self) -> str:
        """A name for its reproducer."""
        return re.sub(r"\W+", "-", self.signature)[:80].strip("-") + f"-{self.case.key[:6]}.json"


@dataclass
class Report:
    """What came of a session."""

    tried: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Finding] = field(default_factory=dict)
    kept: dict[str, dict[str, Case]] = field(default_factory=dict)
    """Inputs that show something new, by target."""

    def add(self, other: Report) -> None:
        """Put two reports together."""
        self.tried += other.tried
        self.refused += other.refused
        for signature, finding in other.findings.items():
            if signature not in self.findings:
                self.findings[signature] = finding
                continue
            known = self.findings[signature]
            best = min(known, finding, key=lambda each: each.case.size)
            best.count = known.count + finding.count
            self.findings[signature] = best
        for target, found in other.kept.items():
            known_cases = self.kept.setdefault(target, {})
            for shows, case in found.items():
                if shows not in known_cases or case.size < known_cases[shows].size:
                    known_cases[shows] = case


class Worker:
    """One process's part of a session."""

    def __init__(self, plan: Plan, number: int, folder: Path) -> None:
        self.plan, self.number, self.folder = plan, number, folder
        self.targets = plan.targets()
        self.corpus = corpus.load()
        self.report = Report()
        self._usable: dict[str, list[Case]] = {}
        self._current = (folder / f"current-{number}").open("wb", buffering=0)
        (folder / f"work-{number}").mkdir(exist_ok=True)
        self.work = folder / f"work-{number}"

    def run(self, first: int = 0) -> None:
        """Try what was kept, everything that grows, and then new inputs from number ``first`` on."""
        end = time.monotonic() + (self.plan.seconds or float("inf"))
        share = self.plan.jobs
        if first == 0:
            names = {target.name for target in self.targets}
            again = [case for name in sorted(names) for _, case in sorted(self.corpus[name].items())]
            if "growth" in names and self.plan.heavy:
                again += growth.cases()
            for case in again[self.number % share :: share]:
                if time.monotonic() < end:
                    self.tried(case)
        drawn = [target for target in self.targets if target.share]
        weights = [target.share for target in drawn]
        most = (self.plan.inputs or 0) // share if self.plan.inputs is not None else None
        index = first
        parent = os.getppid()
        # Whoever started it may have been ended, and nobody wants to know any more.
        while drawn and time.monotonic() < end and (most is None or index < most) and os.getppid() == parent:
            rng = random.Random(f"{self.plan.seed}/{self.number}/{index}")
            index += 1
            [target] = rng.choices(drawn, weights)
            self.tried(target.make(rng, self._material(target.name)))
        self.save()

    def _material(self, name: str) -> list[Case]:
        """What to make inputs of: more often what was answered, since damage to what is refused is refused, too."""
        if name not in self._usable:
            answered = [case for shows, case in self.corpus[name].items() if "refused" not in shows]
            self._usable[name] = [*answered * 3, *self.corpus[name].values()]
        return self._usable[name]

    def tried(self, case: Case) -> Outcome:
        """Try an input, and keep what is worth it."""
        self._current.seek(0)
        self._current.truncate()
        self._current.write(pickle.dumps(case))
        target = TARGETS[case.target]
        outcome = judge(target, case, self.work, self.plan.limits)
        self.report.tried[case.target] += 1
        if self.report.tried.total() % 500 == 0:
            self.save()
        if outcome.kind == "finding":
            self._found(target, case, outcome)
            return outcome
        self.report.refused[case.target] += outcome.kind == "refused"
        if target.share and corpus.wanted(self.corpus, outcome.signature, case):
            self.corpus[case.target][outcome.signature] = case
            self._usable.pop(case.target, None)
            self.report.kept.setdefault(case.target, {})[outcome.signature] = case
        return outcome

    def _found(self, target: Target, case: Case, outcome: Outcome) -> None:
        if any(part in outcome.signature for part in self.plan.ignore):
            return
        known = self.report.findings.get(outcome.signature)
        if known:
            known.count += 1
            return

        def shows(candidate: Case) -> bool:
            return judge(target, candidate, self.work, self.plan.limits).signature == outcome.signature

        slow = ": time" in outcome.signature or ": memory" in outcome.signature or target.patience > 1
        small = case if slow else shrunk(case, shows)
        detail = judge(target, small, self.work, self.plan.limits).detail or outcome.detail
        self.report.findings[outcome.signature] = Finding(outcome.signature, small, detail)

    def save(self) -> None:
        """Leave the report where the session looks for it, also if this process should not live long."""
        path = self.folder / f"report-{self.number}"
        path.with_suffix(".new").write_bytes(pickle.dumps(self.report))
        path.with_suffix(".new").replace(path)


def start(plan: Plan, number: int, folder: str, first: int) -> None:
    """What a process does."""
    limit_memory()
    # What is imported stays; looking through all of it for garbage again and again takes a tenth of the time.
    gc.freeze()
    gc.set_threshold(20_000)
    Worker(plan, number, Path(folder)).run(first)


def limit_memory() -> None:
    """Refuse the process more memory than any small input can need; the machine has other work to do."""
    for library in ("pandas", "polars", "pyarrow.parquet", "scipy.stats"):
        # Libraries map much when they are imported, which is not what is to be limited.
        import_module(library)
    status = Path("/proc/self/status")
    if status.exists():
        [held] = (int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmData:"))
        # Data, not addresses: what draws figures reserves more of these than it will ever use.
        resource.setrlimit(resource.RLIMIT_DATA, (held * 1024 + MEMORY, resource.RLIM_INFINITY))


def session(plan: Plan, watch: Callable[[Report], object] = lambda report: None) -> Report:
    """Try inputs in several processes; one that dies has found something, and is replaced.

    ``watch`` is given what came of it so far, every now and then. Ctrl-C ends it, and what was found until then counts.
    """
    report = Report()
    context = multiprocessing.get_context("spawn")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        seen, pause = began, FIRST
        running = {
            number: context.Process(target=start, args=(plan, number, folder, 0), daemon=True)
            for number in range(plan.jobs)
        }
        for process in running.values():
            process.start()
        next_number = plan.jobs
        try:
            while running:
                if time.monotonic() > seen + pause:
                    seen, pause = time.monotonic(), min(2 * pause, EVERY)
                    watch(_so_far(report, Path(folder), running))
                for number, process in [*running.items()]:
                    process.join(0.2)
                    if process.is_alive():
                        continue
                    del running[number]
                    report.add(_left(Path(folder), number))
                    if process.exitcode != 0:
                        _died(report, Path(folder), number, process.exitcode or 0)
                        left = None if plan.seconds is None else plan.seconds - (time.monotonic() - began)
                        if next_number < plan.jobs + 20 and (left is None or left > 5):
                            # Numbers are seeds: another one goes on with other inputs, past what is tried once.
                            again = Plan(**{**vars(plan), "seconds": left})
                            running[next_number] = context.Process(
                                target=start, args=(again, next_number, folder, 1), daemon=True
                            )
                            running[next_number].start()
                            next_number += 1
        except KeyboardInterrupt:
            for number, process in running.items():
                process.terminate()
                process.join()
                report.add(_left(Path(folder), number))
    return report


def _so_far(ended: Report, folder: Path, running: Iterable[int]) -> Report:
    found = Report()
    for part in (ended, *(_left(folder, number) for number in running)):
        found.add(part)
    return found


def _left(folder: Path, number: int) -> Report:
    path = folder / f"report-{number}"
    if not path.exists():
        return Report()
    found: Report = pickle.loads(path.read_bytes())
    return found


def _died(report: Report, folder: Path, number: int, code: int) -> None:
    path = folder / f"current-{number}"
    case = pickle.loads(path.read_bytes()) if path.exists() and path.stat().st_size else Case("none")
    signature = f"{case.target}: the process ended with {code}"
    report.add(Report(findings={signature: Finding(signature, case, "")}))


def replay(paths: Sequence[Path], limits: Limits) -> list[tuple[Path, Outcome]]:
    """Try reproducers again."""
    limit_memory()
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        cases = [(path, case_of(json.loads(path.read_text(encoding="utf-8")))) for path in paths]
        return [(path, judge(TARGETS[case.target], case, Path(folder), limits)) for path, case in cases]
