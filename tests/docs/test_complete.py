"""What there is, is documented; what is documented, is there."""

from __future__ import annotations

import importlib.util
import re
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import truerank as tr
from truerank.cli.main import COMMANDS
from truerank.conventions.axes import AXES
from truerank.conventions.presets import PRESETS

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_readme(command: str) -> None:
    assert re.search(rf"^\| .*`{command}`", (ROOT / "README.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize("entry", tr.measures(), ids=lambda entry: entry.name)
def test_every_measure_is_in_the_reference(entry: tr.Entry) -> None:
    assert f"\n## {entry.name}\n" in (ROOT / "docs/reference/measures.md").read_text()


def test_the_reference_is_as_the_source_says() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs/generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for path, text in module.pages().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run make docs"


@pytest.mark.parametrize(("axis", "values"), [(axis.name, tuple(axis.values)) for axis in AXES.values() if axis.values])
def test_every_convention_and_value_is_in_the_reference(axis: str, values: tuple[str, ...]) -> None:
    sections = re.split(r"^## ", (ROOT / "docs/reference/conventions.md").read_text(), flags=re.MULTILINE)
    [section] = [text for text in sections if text.startswith(f"{axis}:")]
    assert [value for value in values if f"`{value}`" not in section] == []


@pytest.mark.parametrize(("tool", "chosen"), PRESETS.items())
def test_every_preset_is_in_the_reference(tool: str, chosen: dict[str, str]) -> None:
    said = " ".join(f"{axis}={value}" for axis, value in chosen.items())
    assert f"| `{tool}` | `{said}` |" in (ROOT / "docs/reference/conventions.md").read_text()


def _leads_somewhere(page: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    there = page.parent / path if path else page
    if there.parent == ROOT / "docs" / "images":
        # The site draws these when it is built, and a missing one stops it.
        return True
    if not anchor or not there.exists():
        return there.exists()
    titles = re.findall(r"^#+ (.*)$", there.read_text(), re.M)
    return anchor in {re.sub(r"[^\w-]", "", title.lower().replace(" ", "-")) for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"\s+", " ", page.read_text()))
    broken = [target for target in targets if not _leads_somewhere(page, target)]
    assert broken == []


def test_promises_name_what_holds_them() -> None:
    text = (ROOT / "docs/reference/promises.md").read_text()
    named = set(re.findall(r"`((?:tests|fuzz)/[\w/.]+)`", text)) - {"fuzz/findings/"}
    assert {name for name in named if not (ROOT / name).exists()} == set()
    # Every row of every table has its test.
    rows = [
        line for line in text.splitlines() if line.startswith("| ") and not line.startswith(("| promise", "| what"))
    ]
    assert [row for row in rows if "`tests/" not in row and "`fuzz/" not in row] == []


def test_the_citation_has_the_version() -> None:
    assert f"\nversion: {tr.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_every_figure_of_the_site_is_on_a_page() -> None:
    drawn = set(re.findall(r'^    "(\w+)": lambda', (ROOT / "docs/figures.py").read_text(), re.MULTILINE))
    shown = {name for page in PAGES for name in re.findall(r"images/(\w+)\.svg", page.read_text())}
    assert drawn == shown


def test_the_readme_of_a_package_index_has_no_link_that_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    # What builds packages need not be there: only the text is looked at.
    builder = SimpleNamespace(MetadataHookInterface=object)
    monkeypatch.setitem(sys.modules, "hatchling.metadata.plugin.interface", builder)
    hatch_build = runpy.run_path(str(ROOT / "hatch_build.py"))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((?!https?:|#)", text)
    assert re.findall(r"\]\((?!https?:|#)", hatch_build["published"](text)) == []
    led = hatch_build["published"](text, "https://example.org/x")
    assert "(https://example.org/x/blob/HEAD/docs/tutorial.md)" in led
    assert "(https://example.org/x/raw/HEAD/docs/depth.svg)" in led
    assert "(https://example.org/x/raw/HEAD/docs/report.png)" in led
    assert re.sub(r"https://example.org/x/(?:blob|raw)/HEAD/", "", led) == text
