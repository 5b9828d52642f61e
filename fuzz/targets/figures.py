"""Figures of every command that draws: whatever names and numbers are in them, the file is one of its kind."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import struct
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from click.testing import CliRunner

from fuzz import material
from fuzz.case import Case
from fuzz.mutations import damaged, word
from fuzz.targets.commands import held, made_otherwise, place
from fuzz.targets.target import Disagreement, Light
from truerank.cli.main import program

DRAWN = {
    "compare": "QRELS RUN OTHER -m AP --permutations 20",
    "diff": "QRELS RUN OTHER -m AP",
    "explain": "QRELS RUN --topic q1 -m AP",
    "curves": "QRELS RUN OTHER",
    "depth": "QRELS RUN OTHER -m AP",
    "nil": "QRELS RUN OTHER --limit 3 -m RR",
    "truncate": "QRELS RUN OTHER -m F",
    "stop compare": "QRELS RUN --folds 2 -m F --rule fixed --rule gap",
    "calibrate": "-m RBPU --ranking 0011",
    "meta": "QRELS RUN OTHER -m AP -m RR --splits 4 --pairs 5 --permutations 10",
}
"""Each command that draws, with what it needs."""
FIGURES = {"depth": ("curves", "stability")}
FILE = "figure."
LINKS = ("href", "{http://www.w3.org/1999/xlink}href")


class Figures(Light):
    """Commands that draw a figure of damaged data, in this process."""

    name, share, patience = "figures", 4, 2.0

    def missing(self) -> str:
        """What draws, if it is not installed."""
        return "" if importlib.util.find_spec("vl_convert") else "vl_convert is not installed"

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A command with data that are mostly read, under names that mean something to somebody."""
        if corpus and rng.random() < 0.3:
            kept = rng.choice(corpus)
            files, args = dict(kept.files), list(kept.given["args"])
        else:
            command = rng.choice([*DRAWN])
            # The form of most is what pictures are made of; the others start from it.
            form = rng.choice(("svg", "svg", "svg", "png", "pdf", "html", "json"))
            show = ["--show", rng.choice(FIGURES[command])] if command in FIGURES else []
            args = [*command.split(), *DRAWN[command].split(), *show, "--plot", f"{FILE}{form}"]
            qrels = material.judgments(rng)
            files = {
                "QRELS": material.trec_qrels(qrels),
                "RUN": _tagged(rng, material.trec_run(material.lists(rng, qrels))),
                "OTHER": _tagged(rng, material.trec_run(material.lists(rng, qrels))),
            }
        for file in rng.sample(list(files), rng.choice((0, 0, 1, 1))):
            files[file] = damaged(rng, files[file])
        if rng.random() < 0.5:
            args = made_otherwise(rng, args)
        return Case(self.name, files, {"args": args})

    def run(self, case: Case, folder: Path) -> str:
        """Draw it, and look at what was written."""
        with place(case, folder) as (here, args):
            before = os.getcwd()
            os.chdir(here)
            try:
                done = CliRunner().invoke(program, args, prog_name="truerank")
            finally:
                os.chdir(before)
            if done.exception is not None and not isinstance(done.exception, SystemExit):
                raise done.exception
            if not args:
                return "nothing"
            said = held(done.exit_code, done.stdout, done.stderr, args)
            found = sorted(here.glob(f"{FILE}*"))
            if done.exit_code == 2 and found:
                raise Disagreement(f"a figure of {args[0]} that is refused", done.stderr)
            for path in found:
                KINDS[path.suffix.lower().removeprefix(".")](path.read_bytes(), args[0])
        forms = " ".join(path.suffix for path in found) or "no figure"
        return f"{args[0]} {said} {forms}"


def _tagged(rng: random.Random, run: bytes) -> bytes:
    """A run and its documents under other names, as long as these are words."""
    for known in (b" tag\n", b" a ", b"q1 "):
        new = word(rng).encode() if rng.random() < 0.5 else b""
        if new and not new.split()[1:]:
            run = run.replace(known, known.replace(known.strip(), new))
    return run


def _svg(content: bytes, command: str) -> None:
    try:
        tree = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise Disagreement(f"SVG of {command} is no XML", f"{error}: {content[:300]!r}") from None
    for node in tree.iter():
        kind = str(node.tag).rpartition("}")[2]
        handlers = [name for name in node.attrib if name.lower().startswith("on")]
        links = [node.attrib[name] for name in LINKS if name in node.attrib and not node.attrib[name].startswith("#")]
        if kind in ("script", "foreignObject", "a", "image") or handlers or links:
            raise Disagreement(f"SVG of {command} has more than shapes and text", f"{kind} {node.attrib}")


def _png(content: bytes, command: str) -> None:
    if content[:8] != b"\x89PNG\r\n\x1a\n" or content[12:16] != b"IHDR":
        raise Disagreement(f"PNG of {command} is none", repr(content[:40]))
    width, height, depth, colours = struct.unpack(">IIBB", content[16:26])
    packed, at = b"", 8
    while at < len(content):
        [size] = struct.unpack(">I", content[at : at + 4])
        kind, inside = content[at + 4 : at + 8], content[at + 8 : at + 8 + size]
        if zlib.crc32(kind + inside) != struct.unpack(">I", content[at + 8 + size : at + 12 + size])[0]:
            raise Disagreement(f"PNG of {command} is damaged", repr(kind))
        packed += inside if kind == b"IDAT" else b""
        at += 12 + size
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colours]
    if len(zlib.decompress(packed)) != height * (1 + (width * depth * samples + 7) // 8):
        raise Disagreement(f"PNG of {command} is cut short", f"{width} x {height}")


def _pdf(content: bytes, command: str) -> None:
    if not content.startswith(b"%PDF-") or not content.rstrip().endswith(b"%%EOF"):
        raise Disagreement(f"PDF of {command} is none", repr(content[:40]))
    if re.search(rb"/(JavaScript|JS|OpenAction|Launch|URI)\b", content):
        raise Disagreement(f"PDF of {command} does something", "")


def _html(content: bytes, command: str) -> None:
    text = content.decode()
    # A name that ended the script early would begin something else.
    spec = re.search(r'vegaEmbed\("#plot", (.*)\);</script>\n</body>\n</html>\n\Z', text)
    if spec is None or "</script" in spec[1].lower():
        raise Disagreement(f"page of {command} ends early", text[-300:])
    json.loads(spec[1])


def _json(content: bytes, command: str) -> None:
    try:
        json.loads(content, parse_constant=_refused)
    except ValueError as error:
        raise Disagreement(f"JSON of a figure of {command}", str(error)) from None


def _refused(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


KINDS: dict[str, Callable[[bytes, str], None]] = {"svg": _svg, "png": _png, "pdf": _pdf, "html": _html, "json": _json}
TARGETS = (Figures(),)
