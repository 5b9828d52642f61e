"""LaTeX of every question compiles as pasted, in the class article with booktabs alone, and fits its page."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.questions.test_screens import answers

import truerank as tr
from truerank.report.latex import escaped, render
from truerank.report.table import Bounded, Column, Rounded, Table

BEGIN = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
MOST = 3.0
"""Points that a box may stick out."""


def compiled(texts: dict[str, str], folder: Path) -> dict[str, list[float]]:
    """Points by which boxes of each text stick out of the page."""
    if shutil.which("pdflatex") is None or not _has("booktabs.sty"):
        pytest.skip("no LaTeX here; `make tex` installs it from Debian's packages")
    parts = (f"\\typeout{{BEGIN {name}}}\n{text}\n\\clearpage\n" for name, text in texts.items())
    (folder / "all.tex").write_text(f"{BEGIN}{''.join(parts)}\\end{{document}}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=300)
    assert done.returncode == 0, done.stdout[-3000:]
    found: dict[str, list[float]] = {}
    for part in done.stdout.split("\nBEGIN ")[1:]:
        name, _, log = part.partition("\n")
        found[name] = [float(points) for points in re.findall(r"Overfull \\[hv]box \(([\d.]+)pt", log)]
    return found


def _has(name: str) -> bool:
    return bool(subprocess.run(["kpsewhich", name], capture_output=True, text=True).stdout.strip())


@pytest.mark.thorough
def test_tables_of_every_question_compile_and_fit(tmp_path: Path) -> None:
    track = tr.simulate(systems=6, topics=12, seed=3)
    texts = {}
    for name, answer in answers(track.qrels, dict(track.runs)).items():
        for show in answer.sheets:
            texts[f"{name} {show}"] = answer.render("latex", show)
    found = compiled(texts, tmp_path)
    assert found.keys() == texts.keys()
    assert {name: boxes for name, boxes in found.items() if max(boxes, default=0.0) > MOST} == {}


def test_tables_of_many_runs_and_long_names_fit(tmp_path: Path) -> None:
    names = Column("run", whole=True)
    numbers = [Column(f"nDCG(gains={{1:{k}}})@10", number=True, best="high", minor=k) for k in range(9)]
    rows = tuple((f"laboratory_{k:03}_of_a_university", *(k / 97 - j for j in range(9))) for k in range(129))
    wide = Table((names, *numbers), rows)
    said = Table((names, Column("remedy")), (("a", 'give --corpus N, or 50% of _it_ < all | "none" ' * 5),))
    found = compiled({"wide": render(wide), "said": render(said)}, tmp_path)
    assert all(max(boxes, default=0.0) <= MOST for boxes in found.values())
    assert "% not shown: " in render(wide)


def test_numbers_are_set_as_numbers_and_stand_on_their_point() -> None:
    table = Table(
        (Column("run"), Column("AP", number=True, best="high"), Column("p", number=True, form="p")),
        (("a", Rounded(-0.25, 2), 0.5), ("b", Rounded(0.125, 3, "a"), 0.00001), ("c", Bounded(0.5, -0.25, 1.0), None)),
    )
    text = render(table)
    assert r"\begin{tabular}{lr@{}lr}" in text
    assert r"run & \multicolumn{2}{c}{AP} & p \\" in text
    assert r"a & $-0.25$\phantom{0} & & .50\phantom{00} \\" in text
    assert r"b & 0.125 & \textsuperscript{a} & $< .0001$ \\" in text
    assert r"$[-0.2500, 1.0000]$" in text


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("p < .0001", r"p $< .0001$"),
        ("x <= 1,000", r"x $\le  1{,}000$"),
        ("[-0.383, -0.122]", "$[-0.383, -0.122]$"),
        ("-1e-05", r"$-1\cdot 10^{-5}$"),
        ("bm25-01 by +0.2, -.5", "bm25-01 by $+0.2$, $-.5$"),
        ("--test t", r"\texttt{-{}-test} t"),
        ('"a" and "b"', "``a'' and ``b''"),
        ("a|b~c^d\\e", r"a\textbar{}b\textasciitilde{}c\textasciicircum{}d\textbackslash{}e"),
    ],
)
def test_text_is_set_as_it_reads(text: str, latex: str) -> None:
    assert escaped(text) == latex
