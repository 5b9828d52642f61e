"""All questions about the same runs, asked one after the other; what one of them refuses is left out, and said."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timezone
from typing import Any, TypeVar, cast

from truerank.conventions.axes import Given
from truerank.conventions.judges import chosen
from truerank.conventions.presets import AxisRules
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.ids import text
from truerank.data.judges import Judges
from truerank.data.notes import ONLY_RELEVANT
from truerank.data.printing import counted
from truerank.data.run import Run
from truerank.io.judges import as_judgments
from truerank.io.load import Unread
from truerank.io.runs import Named, named_runs
from truerank.io.shell import is_path, typed_qrels, typed_runs
from truerank.io.source import is_stream
from truerank.io.topic_selection import select_topics
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.questions.compare.plan import baseline_places
from truerank.questions.compare.question import compare
from truerank.questions.depth.question import RULES as DEPTH_RULES
from truerank.questions.depth.question import Curves, depth
from truerank.questions.diff.question import diff
from truerank.questions.evaluate.question import Scores, evaluate
from truerank.questions.explain.question import explain
from truerank.questions.judges.question import RULES as JUDGES_RULES
from truerank.questions.judges.question import JudgesCompared, judges
from truerank.questions.lint.question import Lint, lint
from truerank.questions.report.answer import InputFile, Report, RunStanding, counted_to
from truerank.questions.report.lists import DEPTH, SideBySide, formulas
from truerank.questions.report.parts import ReportParts
from truerank.questions.report.question import ALPHA, RULES, TEST
from truerank.questions.ties.question import RULES as TIES_RULES
from truerank.questions.ties.question import ties
from truerank.questions.unjudged.question import RULES as UNJUDGED_RULES
from truerank.questions.unjudged.question import Unjudged, unjudged
from truerank.track.track import Progress
from truerank.version import __version__

LISTS = 4
"""Runs whose lists stand side by side: the baseline, and the best others."""
EXPLAINED = 2
"""Those of them whose scores are explained."""
TOPICS = 300
"""Topics up to which scores are explained, which takes longest."""
_PLAIN = ("qrels", "qrel", "judgments", "txt", "tsv", "csv", "json", "jsonl", "parquet", "gz", "bz2", "xz", "zst")
"""Parts of the name of a file that do not say what it is about."""
_PIECE = 1 << 20
Found = TypeVar("Found")


def asked(
    qrels: Any,
    runs: Any,
    measures: Any,
    given: Given,
    *,
    baseline: str | None,
    gate: str | Iterable[str] | None,
    title: str | None,
    test: str,
    alpha: float,
    progress: Progress | None,
) -> Report:
    """Ask everything, and put it together."""
    for library in ("altair", "vl_convert"):
        needed(library, "a report", extra="report")
    conventions, wanted = RULES.chosen(given), parse_all(measures)
    named = named_runs(runs)
    if baseline is not None:
        [place] = baseline_places(named, [baseline])
        baseline = named[place].name
    judgments: Any = as_judgments(qrels, several=conventions.judges_matter)
    counting = chosen(judgments, conventions)
    read_options: Mapping[str, Any] = {}
    if isinstance(qrels, Unread):
        qrels, read_options = qrels.data, qrels.options
    if read_options.get("topics") is not None:
        counting = select_topics(counting, read_options["topics"])
        judgments = Unread(judgments, {"topics": read_options["topics"]})
    track = Inquiry(qrels, judgments, counting.topics, named, wanted, given, progress, read_options)
    scores = evaluate(judgments, named, wanted, progress=progress, **given)
    best = scores.ranked()
    asked_for = baseline
    gates = () if gate is None else (gate,) if isinstance(gate, str) else tuple(gate)
    if baseline is None and gates:
        asked_for = named[0].name
    if baseline is None and len(named) > 1:
        baseline = named[0].name if len(named) == 2 or gates else best[0]
    parts = track.parts(scores, baseline, best, test=test, alpha=alpha, gates=gates)
    return Report(
        conventions=conventions,
        wanted=wanted,
        topics=scores.topics,
        standings=tuple(_standings(parts, wanted)),
        inputs=tuple(inputs(qrels, named)),
        baseline=baseline,
        title=title or _title(named, qrels),
        made_on=_today(),
        chosen=asked_for or "",
        made_by=f"truerank {__version__}",
        command=track.command("report", *_chosen(baseline, title, gates), *_tested(test, alpha)),
        parts=parts,
        notices=scores.notices,
    )


@dataclass
class Inquiry:
    """What is asked about; ``left_out`` has what a question refused."""

    given_qrels: Any
    judgments: Any
    topics: tuple[bytes, ...]
    named: list[Named]
    wanted: tuple[Measure, ...]
    given: Given
    progress: Progress | None
    read_options: Mapping[str, Any] = field(default_factory=dict)
    """How the judgments were read, and which topics of them were asked for."""
    left_out: dict[str, str] = field(default_factory=dict)

    def parts(
        self,
        scores: Scores,
        baseline: str | None,
        best: Sequence[str],
        *,
        test: str,
        alpha: float,
        gates: Sequence[str] = (),
    ) -> ReportParts:
        """An answer of each question."""
        judged, named, wanted = self.judgments, self.named, self.wanted
        endless = [*dict.fromkeys(one for measure in wanted if (one := endless_form(measure)) is not None)]
        cutoffs = sorted({*map(counted_to, wanted)})
        averaged = [measure for measure in wanted if measure.averages]
        for measure in wanted:
            if measure not in averaged:
                self.left_out[f"differences in {measure}"] = "it is no mean over topics, and tests compare means"
        comparison = None
        if baseline is not None and averaged:
            comparison = self._asked(
                "differences",
                lambda: compare(judged, named, averaged, test=test, alpha=alpha, progress=self.progress, **self.given),
            )
        gated = None
        if gates:
            # What cannot be gated is refused, not left out.
            told: dict[str, Any] = {"baseline": baseline, "test": test, "alpha": alpha, "settled": False, **self.given}
            gated = compare(judged, named, averaged or wanted, gate=gates, progress=self.progress, **told)
        lists, explained = self._lists(baseline, best)
        return ReportParts(
            scores=scores,
            comparison=comparison,
            gated=gated,
            ties=self._asked(
                "ties", lambda: ties(judged, named, wanted, progress=self.progress, **self._under(TIES_RULES))
            ),
            unjudged=self._asked(
                "unjudged documents",
                lambda: _known(
                    unjudged(
                        judged,
                        named,
                        wanted,
                        cutoff=cutoffs,
                        draws=0,
                        progress=self.progress,
                        **self._under(UNJUDGED_RULES),
                    )
                ),
            ),
            curves=self._asked("depth", lambda: self._curves(endless)) if endless else None,
            judges=self._judges(averaged),
            lint=self._lint(),
            lists=lists,
            explained=explained,
            commands=self._commands(endless, [*_tested(test, alpha)]),
            left_out=self.left_out,
        )

    def _curves(self, endless: Sequence[Measure]) -> Curves:
        found = depth(self.judgments, self.named, endless, progress=self.progress, **self.given)
        # How soon orderings settle is worked out when it is asked for, and may be refused then.
        _ = found.every_stability
        return found

    def _asked(self, part: str, ask: Callable[[], Found]) -> Found | None:
        """The answer, or None where the question refuses what is good enough for scores."""
        try:
            return ask()
        except InputError as refused:
            self.left_out[part] = str(refused)
            return None

    def _under(self, rules: AxisRules) -> Given:
        """The conventions given, without the one that the question is about."""
        return cast(Given, {name: value for name, value in self.given.items() if name not in rules.fixed})

    @property
    def _several(self) -> Judges | None:
        """The judges, where there are several."""
        at_hand = self.judgments.data if isinstance(self.judgments, Unread) else self.judgments
        return at_hand if isinstance(at_hand, Judges) and len(at_hand) > 1 else None

    def _judges(self, averaged: Sequence[Measure]) -> JudgesCompared | None:
        """What depends on who judged, where there are several judges."""
        at_hand = self._several
        if at_hand is None or not averaged:
            return None
        own: dict[str, Any] = {
            **self._under(JUDGES_RULES),
            "reference": RULES.chosen(self.given).judge or at_hand.given,
        }
        # Each of them is asked, whoever counts.
        own.pop("judges", None)
        return self._asked("judges", lambda: judges(at_hand, averaged, runs=self.named, **own))

    def _lint(self) -> Lint | None:
        """What is suspicious in files as they are; not where they can be read only once."""
        sources = [self.given_qrels, *(one.data for one in self.named)]
        if any(isinstance(one, str) and is_stream(one) for one in sources):
            self.left_out["lint"] = "files that come from standard input are not looked at line by line"
            return None
        if not all(map(is_path, sources)):
            self.left_out["lint"] = "data given in Python have no lines to look at"
            return None
        runs = {one.name: Named("", one.data, one.options) for one in self.named}
        columns = self.read_options.get("columns")
        qrels = self.given_qrels if columns is None else Unread(self.given_qrels, {"columns": columns})
        return self._asked("lint", lambda: lint(qrels, runs, progress=self.progress))

    def _lists(
        self, baseline: str | None, best: Sequence[str]
    ) -> tuple[SideBySide | None, Mapping[str, tuple[str, ...]]]:
        """The lists of the baseline and of the best others side by side, and how scores of two of them come about."""
        first = baseline or best[0]
        shown = [first, *[run for run in best if run != first][: LISTS - 1]]
        by_name = {one.name: one for one in self.named}
        read = {name: by_name[name].read() for name in shown}
        measure = self.wanted[0]
        side = self._asked(
            "lists",
            lambda: [
                diff(self.judgments, {first: read[first]}, {run: read[run]}, measure, depth=DEPTH, **self.given)
                for run in shown[1:] or shown
            ],
        )
        lists = None if side is None else SideBySide(side, shown, str(measure), len(self.named))
        if len(self.topics) > TOPICS:
            self.left_out["explanations"] = f"more than {TOPICS} topics"
            return lists, {}
        some = {name: read[name] for name in shown[:EXPLAINED]}
        return lists, self._asked("explanations", lambda: dict(self._explained(some))) or {}

    def _explained(self, runs: Mapping[str, Run]) -> Iterator[tuple[str, tuple[str, ...]]]:
        for topic in self.topics:
            said: list[str] = []
            for name, run in runs.items():
                if topic in run.topics:
                    at = run.topics.index(topic)
                    # One list is enough, and quicker to look at than all of them.
                    one = {name: run.of_topics(at, at + 1)}
                    said += formulas(explain(self.judgments, one, self.wanted[0], topic=text(topic), **self.given))
            yield text(topic), tuple(said)

    def command(self, question: str, *more: str, measures: Sequence[Measure] = (), rules: AxisRules = RULES) -> str:
        """The command that asks a question about the same data; ``rules`` are those of the question."""
        options = RULES.chosen(self.given).options(apart=rules.fixed)
        wanted = " ".join(f"{measure}" for measure in measures or self.wanted)
        parts = ["truerank", question, *self._data(), "-m", shlex.quote(wanted), *more, *options]
        return " ".join([*parts, *self._reading()])

    def _commands(self, endless: Sequence[Measure], tested: Sequence[str]) -> dict[str, str]:
        found = {
            "evaluate": self.command("evaluate"),
            "compare": self.command("compare", "--show", "pairs", *tested),
            "ties": self.command("ties", rules=TIES_RULES),
            "unjudged": self.command("unjudged", rules=UNJUDGED_RULES),
            "lint": " ".join(["truerank lint", *self._data(), *self._reading(topics=False)]),
        }
        if endless:
            found["depth"] = self.command("depth", measures=endless, rules=DEPTH_RULES)
        if self._several is None:
            return found
        wanted = shlex.quote(" ".join(map(str, self.wanted)))
        found["judges"] = f"truerank judges JUDGE... --runs {typed_runs(self.named)} -m {wanted} --show runs"
        return found

    def _data(self) -> tuple[str, str]:
        """Judgments and runs, as they are typed."""
        return typed_qrels(self.given_qrels), typed_runs(self.named)

    def _reading(self, *, topics: bool = True) -> Iterator[str]:
        """How the data are read, in the terms of the command line, and which topics of them."""
        yield from options_of(self.named[0].options)
        asked = self.read_options.get("topics") if topics else None
        yield from options_of({"qrels_columns": self.read_options.get("columns"), "topics": asked})


def endless_form(measure: Measure) -> Measure | None:
    """The measure without its cutoff, which has a value at every depth; None for one that looks at whole lists.

    >>> from truerank.measures.grammar import parse
    >>> str(endless_form(parse("nDCG@10"))), endless_form(parse("Rprec"))
    ('nDCG', None)
    """
    return replace(measure, cutoff=None) if measure.takes_cutoff else None


def _known(found: Unjudged) -> Unjudged:
    """What unjudged documents leave open; refused where a missing judgment says nothing."""
    if found.only_relevant:
        raise InputError(str(ONLY_RELEVANT()))
    return found


def _today() -> date:
    """The day on which a report is made; builds that are to be the same again set SOURCE_DATE_EPOCH."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), timezone.utc).date() if epoch.isdigit() else date.today()


def _chosen(baseline: str | None, title: str | None, gates: Sequence[str]) -> Iterator[str]:
    if baseline is not None:
        yield f"--baseline {shlex.quote(baseline)}"
    yield from (f"--gate {shlex.quote(gate)}" for gate in gates)
    if title is not None:
        yield f"--title {shlex.quote(title)}"


def _tested(test: str, alpha: float) -> Iterator[str]:
    if test != TEST:
        yield f"--test {test}"
    if alpha != ALPHA:
        yield f"--alpha {alpha:g}"


def options_of(read_options: Mapping[str, Any]) -> Iterator[str]:
    """Keywords of ``read_run`` as options; what only Python has is named alone.

    >>> [*options_of({"columns": {"topic": "qid"}, "higher_is_better": False, "topics": [401, 403], "chunks": None})]
    ['--columns topic=qid', '--lower-is-better', '--topics 401,403']
    """
    for name, value in read_options.items():
        option = f"--{name.replace('_', '-')}"
        if name == "higher_is_better" and value is False:
            yield "--lower-is-better"
        elif isinstance(value, bool):
            yield option
        elif isinstance(value, Mapping):
            yield f"{option} {shlex.quote(','.join(f'{part}={column}' for part, column in value.items()))}"
        elif isinstance(value, (list, tuple)):
            yield f"{option} {shlex.quote(','.join(map(str, value)))}"
        elif value is not None:
            yield f"{option} {shlex.quote(str(value)) if isinstance(value, (str, int)) else '...'}"


def _title(named: Sequence[Named], qrels: Any) -> str:
    """What is compared, on what."""
    names = [one.name for one in named]
    what = (
        counted(len(names), "run") if len(names) > 3 else " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    )
    on = _collection(os.fspath(qrels)) if is_path(qrels) and not is_stream(qrels) else ""
    return f"{what} on {on}" if on else what


def _collection(path: str) -> str:
    """What judgments are likely about: their file's name, or that of its folder if it only says that it has judgments.

    >>> _collection("trec8/qrels.gz"), _collection("med.qrels.txt"), _collection("qrels.txt")
    ('trec8', 'med', '')
    """
    folder, file = os.path.split(path)
    parts = [part for part in file.split(".") if part.lower() not in _PLAIN]
    return ".".join(parts) or os.path.basename(folder)


def _standings(parts: ReportParts, wanted: Sequence[Measure]) -> Iterator[RunStanding]:
    """The runs by each measure, the best first, with what each question says of them."""
    for by in wanted:
        measure = str(by)
        compared = parts.compared(measure)
        systems = {} if compared is None else compared.systems
        ties_ = () if parts.ties is None else parts.ties.board
        tied = {row.run: (row.worst, row.best) for row in ties_ if row.measure == measure}
        unjudged_ = () if parts.unjudged is None else parts.unjudged.open_scores
        open_ = {row.run: row for row in unjudged_ if row.measure == measure}
        for rank, run in enumerate(parts.scores.ranked(measure), 1):
            score, system, known = parts.scores[run][measure], systems.get(run), open_.get(run)
            low, high = score.interval()
            worst, best = tied.get(run, (None, None))
            yield RunStanding(
                measure=measure,
                rank=rank,
                run=run,
                mean=score.mean,
                low=low,
                high=high,
                rank_low=None if system is None else system.rank_low,
                rank_high=None if system is None else system.rank_high,
                ties_worst=worst,
                ties_best=best,
                unjudged=None if known is None else 1.0 - known.judged_at[counted_to(by)],
                unjudged_low=None if known is None else known.low,
                unjudged_high=None if known is None else known.high,
            )


def inputs(qrels: Any, named: Sequence[Named]) -> Iterator[InputFile]:
    """What was read, with hashes."""
    for role, name, data in (("judgments", "judgments", qrels), *(("run", one.name, one.data) for one in named)):
        path = os.fspath(data) if is_path(data) else ""
        if not path or not os.path.isfile(path):
            yield InputFile(role=role, name=name, path=path, size=None)
            continue
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
        yield InputFile(role=role, name=name, path=path, size=os.path.getsize(path), sha256=digest.hexdigest())
