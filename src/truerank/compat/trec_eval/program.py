"""The program: arguments in, trec_eval's output and exit code out."""

from __future__ import annotations

from dataclasses import replace

from truerank.compat.trec_eval.absent import NoTopicError
from truerank.compat.trec_eval.arguments import Arguments, UsageError, arguments, help_text
from truerank.compat.trec_eval.files import ZScoresError, qrels_of, run_of, tag_of, zscores_of
from truerank.compat.trec_eval.graded import graded_values
from truerank.compat.trec_eval.groups import grouped_values
from truerank.compat.trec_eval.names import CalculationError, PrintedName, families, printed
from truerank.compat.trec_eval.output import Printout, Texts
from truerank.compat.trec_eval.pyserini import judged_shares, only_judged
from truerank.data.classes import dataclass
from truerank.data.errors import InputError, RepeatedError
from truerank.data.run import Run
from truerank.version import __version__

FILE = 2
"""The exit code of what is wrong with a file, or of an error that has no code of its own."""
CODES: dict[type[InputError], int] = {
    UsageError: 1,
    CalculationError: 4,
    RepeatedError: 4,
    NoTopicError: 7,
    ZScoresError: 255,
}
"""Exit codes of other errors."""

_VERSIONS = {9: "9.0", 10: "10.0"}
_FORMS = {"qrels": "qrels", "prefs": "prefs", "qrels_prefs": "prefs", "qrels_jg": "qrels_jg"}


@dataclass(frozen=True)
class Outcome:
    """What the program prints, and the code that it ends with."""

    text: str = ""
    """For standard output."""
    notes: tuple[str, ...] = ()
    """For standard error, a line each."""
    code: int = 0


def trec_eval(words: list[str]) -> Outcome:
    """Run trec_eval with a command line.

    >>> trec_eval(["-m", "nonsense", "qrels.txt", "run.txt"]).code
    1
    """
    try:
        asked = arguments(words)
        if asked.asks == "version":
            return Outcome(notes=(f"trec_eval version {_VERSIONS[asked.setting.version]} (truerank {__version__})",))
        if asked.asks == "help":
            return Outcome(help_text(asked))
        values, judged = _values(asked)
        if asked.zscores is not None:
            values = values.standardised(zscores_of(asked.zscores))
    except InputError as error:
        return Outcome(notes=(f"truerank: {' '.join(str(error).split())}",), code=CODES.get(type(error), FILE))
    text = values.printed(per_topic=asked.per_topic, summary=asked.summary) + judged
    return Outcome(text, tuple(f"note: {note}" for note in values.notes))


def _values(asked: Arguments) -> tuple[Printout, str]:
    """The values, and lines of judged shares."""
    form = _FORMS.get(asked.judgments)
    if form is None:
        raise InputError(f"there is no form of judgments {asked.judgments!r}; take one of {', '.join(_FORMS)}")
    if asked.results != "trec_results":
        raise InputError(f"there is no form of runs {asked.results!r}; there is trec_results")
    judgments = qrels_of(asked.qrels, asked.setting.version) if form == "qrels" else None
    run = run_of(asked.run, asked.setting.version)
    judged = ""
    if asked.removes_unjudged or asked.judged:
        if judgments is None:
            raise CalculationError("judged shares and -remove-unjudged are for -R qrels; leave them out")
        run = only_judged(run, judgments.qrels) if asked.removes_unjudged else run
        judged = judged_shares(run, judgments.qrels, asked.judged)
    wanted = _wanted(asked)
    for name, family, _ in wanted:
        if family.form not in (form, "any"):
            raise CalculationError(f"{name} is not for judgments of the form {asked.judgments}; choose others with -m")
    values = (
        graded_values(judgments, run, asked, wanted) if judgments is not None else grouped_values(run, asked, wanted)
    )
    if asked.only is not None:
        values = values.only(asked.only, count_all=asked.complete)
    if not values.topics:
        raise NoTopicError
    return _with_run(values, run, wanted), judged


def _wanted(asked: Arguments) -> list[PrintedName]:
    """Everything to be printed, in order."""
    known = families(asked.setting.version)
    return [each for name, given in asked.wanted for each in printed(known[name], given)]


def _with_run(values: Printout, run: Run, wanted: list[PrintedName]) -> Printout:
    """The values with the run's id in front, where it is wanted."""
    ids = tuple(Texts(name, family, (tag_of(run),)) for name, family, _ in wanted if family.name == "runid")
    return replace(values, columns=(*ids, *values.columns))
