"""Every command, with files and options that are damaged: in this process, and as a program with pipes."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import random
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from fuzz import material, programs
from fuzz.case import Case
from fuzz.mutations import changed_text, damaged, word
from fuzz.targets.target import Disagreement, Light
from fuzz.targets.texts import MEASURES, WORDS
from truerank.cli.command import QuestionCommand
from truerank.cli.main import program

USUAL = {
    "evaluate": "QRELS RUN OTHER",
    "compare": "QRELS RUN OTHER -m AP --permutations 20",
    "diff": "QRELS RUN OTHER",
    "explain": "QRELS RUN --topic q1 -m AP",
    "curves": "QRELS RUN OTHER",
    "why": "QRELS RUN -m AP --value 0.5",
    "lint": "QRELS RUN OTHER",
    "depth": "QRELS RUN OTHER",
    "ties": "QRELS RUN OTHER",
    "unjudged": "QRELS RUN OTHER --next 3",
    "pool": "QRELS RUN OTHER",
    "nil": "QRELS RUN OTHER --limit 3",
    "truncate": "QRELS RUN OTHER -m F",
    "stop compare": "QRELS RUN --folds 2 -m F",
    "stop fit": "QRELS RUN -m F --rule tail",
    "stop apply": "RULE RUN",
    "calibrate": "-m RBPU",
    "agreement": "RUN OTHER --by-topic --grades",
    "preferences": "PREFS RUN",
    "choose": "--no-length --top --no-exactly --no-single --recall --graded QRELS RUN",
    "properties": "P@2 --longest 3",
    "meta": "QRELS RUN OTHER -m AP -m RR --splits 4 --pairs 5 --permutations 10",
    "judges": "QRELS bot=QRELS --runs RUN -m AP",
    "audit": "QRELS RUN OTHER -m P@3 --people QRELS",
    "negatives": "QRELS RUN OTHER --negatives 3",
    "reproduce": "slides",
    "design": "--deviation 0.2 --difference 0.05",
    "help": "evaluate",
    "measures": "AP",
    "report": "QRELS RUN OTHER -m AP",
    "demo": "--systems 2 --topics 3",
    "simulate": "--out FOLDER --systems 2 --topics 3",
    "trec_eval": "QRELS RUN",
}
"""Each command as it is mostly called."""
EFFORT = {"permutations", "splits", "pairs", "systems", "topics", "longest", "docs", "depth_of_lists"}
"""Options whose number says how much work is wanted: a large one is no damage, and takes its time."""
SLOW = {"report": 5, "reproduce": 1, "properties": 3, "demo": 3, "simulate": 3, "meta": 5, "choose": 5}
TREC_EVAL = (
    *(
        "-q",
        "-n",
        "-c",
        "-J",
        "-l",
        "-l2",
        "-M5",
        "-M",
        "-N",
        "100",
        "-m",
        "map",
        "P.5,10",
        "all_trec",
        "official",
        "ndcg_cut.3",
    ),
    *(
        "-R",
        "prefs",
        "qrels_prefs",
        "qrels_jg",
        "-Z",
        "-T",
        "-D",
        "--version",
        "9",
        "-h",
        "iprec_at_recall..1,.5",
        "utility.1,-1,0,0",
    ),
    *(
        "ndcg.1=3,2=9",
        "Rprec_mult.0.5",
        "relstring.20",
        "set_F.0.5",
        "P.0",
        "P.9223372036854775808",
        "success.1000000000000",
    ),
)
ANEW = 0.1
"""Share of programs that start with their imports, which takes as long as ten that are forked."""


def make(rng: random.Random, name: str, corpus: Sequence[Case]) -> Case:
    """A command with its files, some of them damaged, and options of its own."""
    kept = rng.choice(corpus) if corpus and rng.random() < 0.4 else None
    files = dict(kept.files) if kept else _files(rng)
    if kept:
        args = list(kept.given["args"])
    else:
        commands = [each for each in USUAL for _ in range(SLOW.get(each, 20))]
        command = rng.choice(commands)
        args = [*command.split(), *USUAL[command].split()]
    for file in rng.sample(list(files), rng.choice((0, 1, 1, 2))):
        files[file] = damaged(rng, files[file])
        if rng.random() < 0.1:
            files[file] = rng.choice([*material.COMPRESSIONS.values()])(files[file])
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        args = made_otherwise(rng, args)
    return Case(name, files, {"args": args})


def _files(rng: random.Random) -> dict[str, bytes]:
    qrels = material.judgments(rng)
    return {
        "QRELS": rng.choice([material.trec_qrels, *material.QRELS_FORMS.values()])(qrels),
        "RUN": rng.choice([material.trec_run, *material.RUN_FORMS.values()])(material.lists(rng, qrels)),
        "OTHER": material.trec_run(material.lists(rng, qrels)),
        "PREFS": material.trec_preferences(material.pairs(rng)),
        "RULE": b'{"truerank": "stopping rule", "version": 1, "rule": "fixed", "parameters": {"k": 2}}',
    }


def made_otherwise(rng: random.Random, args: list[str]) -> list[str]:
    """Arguments with one more option of the command, one less, or a word changed."""
    kind = rng.random()
    if kind < 0.7:
        if args[0] == "trec_eval":
            new = [rng.choice(TREC_EVAL) if rng.random() < 0.9 else word(rng)]
        else:
            new = _option(rng, _command(args))
        at = rng.randint(1, len(args)) if args[0] != "stop" else len(args)
        return [*args[:at], *new, *args[at:]]
    at = rng.randrange(1, len(args)) if len(args) > 1 else 0
    if kind < 0.8:
        return [*args[:at], *args[at + 1 :]] or args
    if kind < 0.9:
        return [*args[:at], word(rng).replace("\x00", ""), *args[at + 1 :]]
    return [*args[:at], changed_text(rng, args[at], WORDS).replace("\x00", ""), *args[at + 1 :]]


def _command(args: Sequence[str]) -> click.Command:
    found: Any = program
    context = click.Context(program)
    for name in args:
        inside = found.get_command(context, name) if isinstance(found, click.Group) else None
        if inside is None:
            break
        found = inside
    return found  # type: ignore[no-any-return]


def _option(rng: random.Random, command: click.Command) -> list[str]:
    options = [p for p in command.params if isinstance(p, click.Option) and p.name not in ("help", "debug", "ask")]
    if not options:
        return [word(rng).replace("\x00", "")]
    option = rng.choice(options)
    flag = rng.choice([*option.opts, *option.secondary_opts])
    return [flag] if option.is_flag else [flag, *(_value(rng, option) for _ in range(max(option.nargs, 1)))]


def _value(rng: random.Random, option: click.Option) -> str:
    if option.name in EFFORT:
        return rng.choice(("0", "1", "2", "7", "-1", "x", "1.5"))
    if isinstance(option.type, click.Choice) and rng.random() < 0.85:
        return str(rng.choice(list(option.type.choices)))
    if isinstance(option.type, click.Path):
        return rng.choice(
            (
                "out.txt",
                "out.json",
                "out.csv",
                "out.tsv",
                "out.md",
                "out.html",
                "out.tex",
                "-",
                "",
                "x.xyz",
                "none/out.txt",
                "RUN",
                "FOLDER",
            )
        )
    if option.name in ("measures", "measure", "against") and rng.random() < 0.8:
        return rng.choice(MEASURES)
    if option.name == "topic" and rng.random() < 0.8:
        return rng.choice(("q1", "q2", "extra"))
    return word(rng).replace("\x00", "")


def held(code: int, out: str, err: str, args: Sequence[str]) -> str:
    """Hold what a command printed to what is promised of it."""
    said = f"exit {code}"
    err = re.sub(r"\Atruerank \w+ is now truerank [^\n]*\n", "", err)
    if "Traceback (most" in err:
        raise Disagreement(f"traceback of {args[0]}", err[-1500:])
    if "internal error" in err:
        inside = re.search(r"internal error: (\w+)", err)
        raise Disagreement(f"internal error of {args[0]}: {inside[1] if inside else ''}", err[-600:])
    if "Warning: " in err:
        raise Disagreement(f"warning of {args[0]}", err[-600:])
    if args[0] == "trec_eval":
        if code not in (0, 1, 2, 4, 7):
            raise Disagreement(f"exit code {code} of {args[0]}", err)
        return said
    if code not in (0, 1, 2):
        raise Disagreement(f"exit code {code} of {args[0]}", err)
    if code == 2 and not (err.startswith("truerank: ") and len(err.rstrip("\n").split("\n")) == 1):
        raise Disagreement(f"refusal of {args[0]} in several lines", repr(err))
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]", err):
        raise Disagreement(f"control characters in the messages of {args[0]}", repr(err))
    return said


def shaped(out: str, args: Sequence[str]) -> None:
    """Hold output for programs to its shape: JSON is JSON, and a table has the same number of columns in every row."""
    # The last one counts.
    form = next((args[i + 1] for i in reversed(range(len(args) - 1)) if args[i] == "--format"), None)
    try:
        if form == "json":
            json.loads(out)
        elif form in ("csv", "tsv"):
            rows = list(
                csv.reader(
                    io.StringIO(out, newline=""),
                    delimiter="," if form == "csv" else "\t",
                    quoting=csv.QUOTE_MINIMAL if form == "csv" else csv.QUOTE_NONE,
                )
            )
            if len({len(row) for row in rows}) > 1:
                raise Disagreement(f"rows of unequal length from {args[0]} --format {form}", out[:600])
    except (ValueError, csv.Error) as error:
        raise Disagreement(f"unreadable {form} from {args[0]}", f"{error}: {out[:600]!r}") from None


@contextlib.contextmanager
def place(case: Case, folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """A folder of its own with the files, and the arguments with their names."""
    here = Path(tempfile.mkdtemp(dir=folder))
    try:
        known = {"FOLDER": "folder"}
        for name, content in case.files.items():
            known[name] = name.lower() + (".json" if name == "RULE" else ".txt")
            (here / known[name]).write_bytes(content)
        yield here, [known.get(arg, arg) for arg in case.given["args"]]
    finally:
        shutil.rmtree(here, ignore_errors=True)


class Commands(Light):
    """Commands in this process."""

    name, share, patience, room = "command", 12, 2.0, 3.0
    """``properties`` tries every measure on a world of lists, which takes half a gigabyte."""

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A command."""
        return make(rng, self.name, corpus)

    def run(self, case: Case, folder: Path) -> str:
        """Run it, and hold what it says to what is promised."""
        with place(case, folder) as (here, args):
            before = os.getcwd()
            os.chdir(here)
            try:
                done = CliRunner().invoke(program, args, prog_name="truerank")
            finally:
                os.chdir(before)
            if not args:
                return "nothing"
            if done.exception is not None and not isinstance(done.exception, SystemExit):
                raise done.exception
            said = held(done.exit_code, done.stdout, done.stderr, args)
            if done.exit_code in (0, 1) and "--out" not in args and isinstance(_command(args), QuestionCommand):
                shaped(done.stdout, args)
            _nothing_left(here, args)
        return f"{args[0]} {said}"


def _nothing_left(here: Path, args: Sequence[str]) -> None:
    """No file is half written."""
    if left := [path.name for path in here.rglob("*.part")]:
        raise Disagreement(f"a file left behind by {args[0]}", " ".join(left))


class Processes(Light):
    """Commands as programs, with files through pipes: the same answer as from the files, and the same exit codes."""

    name, share, patience = "process", 1, 2.0

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A command."""
        case = make(rng, self.name, corpus)
        how = {"pipe": rng.choice(("stdin", "fifo", "-")), "anew": rng.random() < ANEW}
        return Case(self.name, case.files, {**case.given, **how})

    def run(self, case: Case, folder: Path) -> str:
        """Run it on a file, and on the same bytes through a pipe."""
        with place(case, folder) as (here, args):
            # The last one is read, if another is written to: a pipe that nobody reads would wait for ever.
            at = len(args) - 1 - args[::-1].index("run.txt") if "run.txt" in args else 0
            if args[at - 1 : at] == [] or args[at - 1].startswith("--"):
                args = ["evaluate", "qrels.txt", "run.txt", "-m", "AP"]
                at = 2
            anew = case.given.get("anew", False)
            plain = self._ended(args, here, anew=anew)
            said = held(plain.code, plain.out, plain.err, args)
            for output in here.glob("out.*"):
                output.unlink()
            how = case.given["pipe"]
            name = {"stdin": "/dev/stdin", "fifo": "fifo", "-": "-"}[how]
            piped = self._ended([*args[:at], name, *args[at + 1 :]], here, case.files.get("RUN", b""), how, anew=anew)
            held(piped.code, piped.out, piped.err, args)
            if plain.code == 0 and args[0] == "evaluate" and args.count("run.txt") == 1 and not _named(args):
                ours, theirs = (_values(text) for text in (plain.out, piped.out))
                if piped.code != 0 or ours != theirs:
                    raise Disagreement(f"{how} and a file differ", f"{plain.out}\n{piped.out}\n{piped.err}")
        return f"{args[0]} {said}"

    def _ended(self, args: Sequence[str], here: Path, *piped: Any, anew: bool) -> programs.Ended:
        try:
            return programs.run(args, here, *piped, anew=anew)
        except programs.Endless:
            raise Disagreement(f"{args[0]} does not end", " ".join(map(repr, piped[1:]))) from None


def _named(args: Sequence[str]) -> bool:
    """Whether the table is for other eyes than those of programs."""
    return any(arg in ("--format", "--out", "--help") for arg in args)


def _values(table: str) -> list[list[str]]:
    """The numbers of a table; a run without a tag has the name of its file, which a pipe has not."""
    return [row.split("\t")[1:] for row in table.splitlines()[1:]]


TARGETS = (Commands(), Processes())
