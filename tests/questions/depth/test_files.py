"""Figures in files and notebooks."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from truerank.data.errors import InputError
from truerank.questions.depth.question import Curves
from truerank.report.plots.chart import Plot

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

Both = tuple[Curves, Curves]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def plot(both: Both) -> Plot:
    return both[0].plot(other=both[1])


class Elements(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str | None]] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def saved(plot: Plot, folder: Path, name: str) -> bytes:
    path = plot.save(folder / name)
    assert [one.name for one in folder.iterdir()] == [name], "nothing temporary is left"
    return path.read_bytes()


def test_svg_has_a_path_a_system_in_every_panel(plot: Plot, tmp_path: Path) -> None:
    root = ElementTree.fromstring(saved(plot, tmp_path, "depth.svg"))
    lines = [one for one in root.iter(f"{SVG}g") if "mark-line" in one.get("class", "").split()]
    assert len([path for line in lines for path in line.iter(f"{SVG}path")]) == 6 * 9
    words = {text.text for text in root.iter(f"{SVG}text")}
    assert {"nDCG", "pool depth 7", "system4 (upper quartile)", *plot.spec["title"].values()} <= words


@pytest.mark.parametrize(
    ("name", "signature"), [("a.png", b"\x89PNG\r\n\x1a\n"), ("a.PNG", b"\x89PNG\r\n\x1a\n"), ("a.pdf", b"%PDF-")]
)
def test_pictures_are_of_their_kind(plot: Plot, tmp_path: Path, name: str, signature: bytes) -> None:
    content = saved(plot, tmp_path, name)
    assert content.startswith(signature)
    assert len(content) > 10_000


def test_json_is_the_specification(plot: Plot, tmp_path: Path) -> None:
    assert json.loads(saved(plot, tmp_path, "a.json")) == plot.spec


def test_a_page_needs_nothing_else_and_holds_the_data(both: Both, plot: Plot, tmp_path: Path) -> None:
    page = saved(plot, tmp_path, "a.html").decode()
    elements = Elements(page)
    assert elements.tags == ["html", "head", "meta", "title", "style", "body", "div", "script", "script"]
    assert not {"src", "href", "srcset", "data"} & {name for name, _ in elements.attributes}
    assert all(f'"name": "{run}"' in page for run in both[0])
    assert '"views": ["hover_0_' in page


def test_names_cannot_end_the_script(both: Both, tmp_path: Path) -> None:
    [name, *_] = both[0]
    hostile = "</script><img src=x>"
    lines = tuple(replace(line, run=hostile) if line.run == name else line for line in both[0].lines)
    page = saved(replace(both[0], lines=lines).plot(), tmp_path, "a.html").decode()
    assert "img" not in Elements(page).tags
    assert "\\u003c/script>" in page


def test_notebooks_show_a_picture(plot: Plot) -> None:
    shown = plot._repr_mimebundle_()
    assert shown["image/svg+xml"] == plot.render("svg").decode()
    assert 'width="' in shown["image/svg+xml"][:300]
    assert len(shown["image/svg+xml"]) < 300_000
    assert shown["text/plain"].startswith("Plot('Scores by depth of evaluation.")


def test_light_and_dark_differ_in_colours_only(both: Both) -> None:
    light, dark = (both[0].plot(theme=theme) for theme in ("light", "dark"))
    assert light.render("svg") != dark.render("svg")
    assert light.spec["datasets"] == dark.spec["datasets"]
    assert f'fill="{dark.spec["config"]["background"]}"'.encode() in dark.render("svg")
    assert light.spec["usermeta"] != dark.spec["usermeta"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("depth", "depth does not say what figure to write; end it in one of .svg, .png, .pdf, .html, .json"),
        ("depth.docx", "depth.docx does not say what figure to write"),
        ("absent/depth.svg", "there is no folder .*absent; make it first"),
        ("folder.svg", "is a directory; name a file"),
    ],
)
def test_places_that_cannot_be_written_to_are_refused(plot: Plot, tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(InputError, match=message):
        plot.save(tmp_path / name)


@pytest.mark.parametrize("absent", ["altair", "vl_convert"])
def test_what_is_not_installed_is_named(
    both: Both, tmp_path: Path, absent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(InputError, match=rf"a figure needs {absent}; install truerank\[plot\]"):
        both[0].plot().save(tmp_path / "a.svg")
    assert not [*tmp_path.iterdir()]


def test_the_package_does_without_altair_until_something_is_drawn() -> None:
    program = "import sys, truerank.questions.depth.figure; print({'altair', 'vl_convert'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
