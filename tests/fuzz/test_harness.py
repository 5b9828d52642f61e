"""What the harness is made of: programs that are forked, figures that are looked at, and an end that somebody makes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("processes are those of POSIX", allow_module_level=True)

from fuzz.session import GROUPS, TARGETS
from fuzz.targets.commands import USUAL
from fuzz.targets.figures import KINDS
from fuzz.targets.target import Disagreement

from fuzz import programs
from truerank.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
RUN = b"q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


@pytest.mark.parametrize(
    ("args", "how", "code"),
    [
        (["evaluate", "qrels", "run", "-m", "AP"], "", 0),
        (["evaluate", "qrels", "-", "-m", "AP"], "-", 0),
        (["evaluate", "qrels", "/dev/stdin", "-m", "AP"], "stdin", 0),
        (["evaluate", "qrels", "fifo", "-m", "AP"], "fifo", 0),
        (["evaluate", "qrels", "none", "-m", "AP"], "", 2),
        (["evaluat"], "", 2),
        (["lint", "qrels", "run"], "", 0),
        (["--version"], "", 0),
    ],
)
def test_a_forked_program_does_what_one_does_that_starts_anew(
    args: list[str], how: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "qrels").write_bytes(b"q1 0 a 1\n")
    (tmp_path / "run").write_bytes(RUN)
    forked, anew = (programs.run(args, tmp_path, RUN, how, anew=each) for each in (False, True))
    assert forked == anew
    assert forked.code == code


def test_a_program_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST", 0.5)
    (tmp_path / "qrels").write_bytes(b"q1 0 a 1\n")
    os.mkfifo(tmp_path / "nobody-writes")
    with pytest.raises(programs.Endless):
        programs.run(["evaluate", "qrels", "nobody-writes"], tmp_path)
    monkeypatch.undo()
    assert programs.run(["--version"], tmp_path).code == 0


def test_no_program_outlives_whoever_started_it(tmp_path: Path) -> None:
    """The harness may be killed at any time, and a program may wait for ever."""
    (tmp_path / "qrels").write_bytes(b"q1 0 a 1\n")
    os.mkfifo(tmp_path / "nobody-writes")
    code = (
        "import os, signal, sys, threading\n"
        "from pathlib import Path\n"
        "from fuzz import programs\n"
        "programs.server()\n"
        "threading.Timer(3, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()\n"
        "programs.run(['evaluate', 'qrels', 'nobody-writes'], Path(sys.argv[1]))\n"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path], cwd=ROOT, check=False, timeout=60)
    for _ in range(600):
        left = [path for path in Path("/proc").glob("[0-9]*/cwd") if _leads_to(path, tmp_path)]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(left)


def _leads_to(link: Path, folder: Path) -> bool:
    try:
        return link.readlink() == folder
    except OSError:
        return False


def _png(*, cut: int = 0, crc: int = 0) -> bytes:
    def chunk(kind: bytes, inside: bytes) -> bytes:
        return len(inside).to_bytes(4, "big") + kind + inside + (zlib.crc32(kind + inside) ^ crc).to_bytes(4, "big")

    head = (2).to_bytes(4, "big") + (1).to_bytes(4, "big") + bytes([8, 6, 0, 0, 0])
    pixels = zlib.compress(bytes(1 + 2 * 4 - cut))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


PAGE = '<script>vega</script>\n<script>vegaEmbed("#plot", {});</script>\n</body>\n</html>\n'


@pytest.mark.parametrize(
    ("form", "content", "good"),
    [
        ("svg", SVG.format('<text x="1">a</text>').encode(), True),
        ("svg", SVG.format("<text>a").encode(), False),
        ("svg", SVG.format("<script>1</script>").encode(), False),
        ("svg", SVG.format('<text onclick="1">a</text>').encode(), False),
        ("svg", SVG.format('<use href="http://x"/>').encode(), False),
        ("svg", SVG.format("<text>\x01</text>").encode(), False),
        ("png", _png(), True),
        ("png", _png(cut=1), False),
        ("png", _png(crc=1), False),
        ("png", b"GIF89a" + bytes(40), False),
        ("pdf", b"%PDF-1.7\n1 0 obj\n%%EOF\n", True),
        ("pdf", b"%PDF-1.7\n1 0 obj\n", False),
        ("pdf", b"%PDF-1.7\n<< /JS (app.alert) >>\n%%EOF\n", False),
        ("html", PAGE.format('{"a": 1}').encode(), True),
        ("html", PAGE.format('{"a": "</script><b>"}').encode(), False),
        ("html", b"<html></html>", False),
        ("json", b'{"a": 1}', True),
        ("json", b'{"a": NaN}', False),
    ],
)
def test_a_figure_that_is_none_is_found(form: str, content: bytes, good: bool) -> None:
    if good:
        KINDS[form](content, "depth")
        return
    with pytest.raises(Disagreement):
        KINDS[form](content, "depth")


def test_no_group_of_targets_has_a_share_for_show() -> None:
    """Of a million inputs, thousands go to each, and no one target has more than a quarter."""
    whole = sum(target.share for target in TARGETS.values())
    for name, targets in GROUPS.items():
        if name != "growth":  # Each shape is tried once.
            assert sum(target.share for target in targets) >= 0.003 * whole, name
    assert max(target.share for target in TARGETS.values()) < 0.25 * whole


def test_every_command_is_tried() -> None:
    assert {usual.split()[0] for usual in USUAL} == {*COMMANDS}


def test_what_was_tried_is_told_when_somebody_ends_it(tmp_path: Path) -> None:
    given = ["--seconds", "600", "--jobs", "1", "--only", "gates", "--findings"]
    command = [sys.executable, "-m", "fuzz", *given, tmp_path]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as started:
        assert started.stderr is not None
        # However long it takes to begin.
        while (line := started.stderr.readline()).startswith("0 inputs"):
            pass
        assert line.endswith("0 findings so far\n")
        started.send_signal(signal.SIGTERM)
        out, _ = started.communicate(timeout=60)
    assert started.returncode == 0
    [told] = [line for line in out.splitlines() if "inputs tried in" in line]
    assert not told.startswith("0 inputs")
