"""What all tests share: the program, files to run it on, and patience."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

from truerank.cli.main import program

# A shared machine may take its time over one example; that is no failure.
settings.register_profile("patient", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=10)
settings.load_profile("patient")
THOROUGH = (
    *("tests/compat", "tests/every_measure", "tests/faults", "tests/fuzz", "tests/parity"),
    *("tests/cli/test_real_data.py", "tests/docs/test_examples.py", "tests/docs/test_notebooks.py"),
    "tests/questions/report/test_chromium.py",
    *("tests/questions/reproduce/test_documents.py", "tests/questions/reproduce/test_real.py"),
    "tests/questions/reproduce/test_chromium.py",
)
"""Brute force, other tools, faults, damaged input, real data, pages: what ``make check`` leaves to ``make test``."""

TOGETHER = (
    "tests/architecture/",
    *(f"tests/questions/{question}/" for question in ("depth", "properties", "report", "reproduce")),
)
"""Folders whose tests share something that takes long to make."""

Command = Callable[..., Result]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """One process has all tests of a file, or of a folder: what these share is made once."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((folder for folder in TOGETHER if nodeid.startswith(folder)), super()._split_scope(nodeid))

    return Scheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what takes its time."""
    for item in items:
        file = item.path.relative_to(config.rootpath).as_posix()
        needs_data = isinstance(item, pytest.Function) and "need" in item.function.__code__.co_names
        # What differs from another test by its seed alone is there to be sure, not to be quick.
        is_again = "callspec" in vars(item) and vars(item)["callspec"].indices.get("seed", 0) > 0
        if file.startswith(THOROUGH) or needs_data or is_again or "many" in getattr(item, "fixturenames", ()):
            item.add_marker("thorough")


@pytest.fixture
def truerank() -> Command:
    """Runs the program in this process, as in a pipe."""

    def run(*args: object, **extra: object) -> Result:
        return CliRunner().invoke(program, [str(arg) for arg in args], prog_name="truerank", **extra)  # type: ignore[arg-type]

    return run


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Judgments, two runs of which one has a tie, and a folder to work in."""
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\nq1 0 c 2\nq2 0 a 0\nq2 0 d 1\n")
    (tmp_path / "tied.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 2 t\nq2 Q0 d 1 1 t\n")
    (tmp_path / "good.run").write_text("q1 Q0 c 1 3 t\nq1 Q0 a 2 2 t\nq2 Q0 d 1 1 t\n")
    return tmp_path
