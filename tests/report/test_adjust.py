"""What can be said of any figure: its size, its title, a run that stands out, and how many are drawn."""

import re

import pytest

import truerank as tr
from truerank.data.errors import InputError

pytest.importorskip("vl_convert")
TRACK = tr.simulate(systems=9, topics=8, seed=5, depth=50)
RUNS = [*TRACK.runs]


@pytest.fixture(scope="module")
def curves():
    return tr.depth(TRACK.qrels, TRACK.runs, "nDCG RBPU")


@pytest.fixture(scope="module")
def comparison():
    return tr.compare(TRACK.qrels, TRACK.runs, "nDCG@10 AP", test="t")


def size(plot):
    found = re.search(r'<svg[^>]*? width="([0-9.]+)" height="([0-9.]+)"', plot.render("svg").decode())
    return tuple(map(float, found.groups()))


@pytest.mark.parametrize("asked", [(400, 500), (900, 300)])
def test_a_figure_is_as_wide_and_high_as_asked(curves, asked):
    plot = curves.plot(width=asked[0], height=asked[1])
    assert size(plot) == pytest.approx(asked, abs=4)
    assert (plot.width, plot.height) == tuple(map(round, size(plot)))


def test_what_is_too_narrow_is_refused(curves):
    with pytest.raises(InputError, match=r"width=100 leaves no room for the figure; give \d+ or more"):
        curves.plot(width=100)


def test_a_title_is_what_it_says(curves):
    spec = curves.plot(title="Ours leads").spec
    assert spec["title"]["text"] == "Ours leads"
    assert spec["description"].startswith("Ours leads. ")


def test_a_run_stands_out_in_every_panel(curves):
    plain, bold = curves.plot().spec, curves.plot(highlight=RUNS[3]).spec
    for before, after in zip(plain["concat"], bold["concat"], strict=True):
        more = after["layer"][len(before["layer"]) :]
        assert [layer["mark"]["type"] for layer in more] == ["line", "text"]
        rows = [row["name"] for layer in more for row in bold["datasets"][layer["data"]["name"]]]
        assert {*rows} == {RUNS[3]}
    with pytest.raises(InputError, match="there is no 'nobody' in the figure; there are "):
        curves.plot(highlight="nobody")


def test_the_best_are_drawn_and_who_stands_out(comparison):
    order = [comparison["nDCG@10"].runs[at] for at in comparison["nDCG@10"].order]
    plot = comparison.plot(top=3, highlight=order[-1])
    names = {row["name"] for rows in plot.spec["datasets"].values() for row in rows if row.get("name")}
    assert names == {*order[:3], order[-1]}
    assert plot.spec["title"]["subtitle"].endswith("; the best 3 of 9")
    assert plot.spec["concat"][0]["height"] < comparison.plot().spec["concat"][0]["height"]
    with pytest.raises(InputError, match="this one has none"):
        tr.explain(TRACK.qrels, {"x": TRACK.runs[RUNS[0]]}, "AP", topic=TRACK.topics[0]).plot(top=2)


def test_the_same_run_has_the_same_colour_in_every_panel(curves):
    spec = curves.plot().spec
    found: dict[str, set[str]] = {}
    for rows in spec["datasets"].values():
        for row in rows:
            if row.get("name") in TRACK.runs:
                found.setdefault(row["name"], set()).add(row["group"])
    assert {*found} == {*TRACK.runs}
    assert all(len(one) == 1 for one in found.values())


def test_parameters_are_named(curves):
    titles = [
        layer["encoding"]["y"]["axis"]["title"]
        for panel in curves.plot().spec["concat"]
        for layer in panel["layer"][:1]
    ]
    assert titles == ["nDCG", "RBPU(p=0.8)"]


@pytest.mark.parametrize("name", ["depth", "compare", "curves", "meta", "truncate", "nil", "stop", "diff", "explain"])
def test_every_command_with_a_figure_has_the_options(truerank, name):
    command = ["stop", "compare"] if name == "stop" else [name]
    said = truerank(*command, "--help-all").stdout
    for option in ("--width", "--height", "--title", "--highlight", "--top", "--theme"):
        assert option in said, (name, option)
