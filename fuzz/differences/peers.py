"""Stand-ins against what they stand in for, and trec_eval where it is on the PATH."""

from __future__ import annotations

import importlib.util
import random
import shutil
import subprocess
import warnings
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.parity.known_differences import differs

import truerank as tr
from fuzz import material
from fuzz.case import Case
from fuzz.differences.brute_force import same
from fuzz.targets.target import Disagreement, Light

IR_MEASURES = (
    "P@5 P(rel=2)@10 R@10 R(rel=2)@20 AP AP@20 AP(rel=2) nDCG nDCG@10 RR RR(rel=2) Rprec Bpref infAP SetP SetR SetF "
    "SetAP Success@5 NumRet NumRet(rel=1) NumRel"
)
RANX = (
    "precision@5",
    "recall@3",
    "f1",
    "r-precision",
    "mrr",
    "map",
    "map@5",
    "dcg",
    "ndcg@10",
    "ndcg_burges",
    "rbp.8",
    "hits@3",
)


def _collection(rng: random.Random) -> dict[str, Any]:
    qrels = material.judgments(rng, whole=True)
    if rng.random() < 0.3:
        # Not all of a topic's: pytrec_eval does not survive that.
        qrels = {
            t: {d: rng.choice((-1, g)) if place else g for place, (d, g) in enumerate(docs.items())}
            for t, docs in qrels.items()
        }
    run = material.lists(rng, qrels)
    return {"qrels": {t: {d: int(g) for d, g in docs.items()} for t, docs in qrels.items()}, "run": run}


def _whole(given: dict[str, Any]) -> bool:
    return bool(given["qrels"] and given["run"]) and all(given["qrels"].values()) and all(given["run"].values())


def _some(names: Sequence[str], given: dict[str, Any]) -> list[str]:
    return random.Random(repr(given)).sample(names, 8)


class Peer(Light):
    """A tool that may not be installed."""

    name = module = ""

    def missing(self) -> str:
        """The library, if it is not installed."""
        return "" if importlib.util.find_spec(self.module) else f"{self.module} is not installed"

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A collection with whole grades."""
        return Case(
            self.name, given={**_collection(rng), "level": rng.choice((1, 1, 2)), "judged_only": rng.random() < 0.3}
        )


class PytrecEval(Peer):
    """pytrec_eval and its stand-in: the same keys and values."""

    name, share, module = "pytrec_eval", 6, "pytrec_eval"

    def run(self, case: Case, folder: Path) -> str:
        """Evaluate with both."""
        if not _whole(case.given):
            return "nothing"
        import pytrec_eval as theirs

        from truerank.compat import pytrec_eval as ours

        given = case.given
        # Some of them each time, drawn from the input, so that they can be drawn again.
        names = _some(sorted(theirs.supported_measures), given)
        made = [
            tool.RelevanceEvaluator(given["qrels"], names, given["level"], given["judged_only"]).evaluate(given["run"])
            for tool in (theirs, ours)
        ]
        if list(made[0]) != list(made[1]):
            raise Disagreement("topics of pytrec_eval", f"{list(made[1])}, not {list(made[0])}")
        for topic, values in made[0].items():
            for name, value in values.items():
                # Those that are known have their reasons where the tests of parity list them.
                if not differs("pytrec_eval", name) and not same(made[1][topic][name], value):
                    raise Disagreement(f"{name} of pytrec_eval", f"{topic}: {made[1][topic][name]}, not {value}")
        return "the same"


class IrMeasures(Peer):
    """ir_measures and our measures under its conventions."""

    name, share, module = "ir_measures", 4, "ir_measures"

    def run(self, case: Case, folder: Path) -> str:
        """Evaluate with both, topic by topic."""
        if not _whole(case.given):
            return "nothing"
        import ir_measures

        given = case.given
        names = _some(IR_MEASURES.split(), given)
        wanted = [ir_measures.parse_measure(text) for text in names]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = list(ir_measures.iter_calc(wanted, given["qrels"], given["run"]))
        scores = tr.evaluate(
            given["qrels"], {"run": given["run"]}, names, ties="docid", precision="float32", negative="unjudged"
        )["run"]
        for found in theirs:
            if found.query_id not in given["run"]:
                # Everything is 0 there, also what counts the judgments.
                continue
            ours = scores[str(found.measure)].per_topic[found.query_id]
            if not same(ours, found.value):
                raise Disagreement(f"{found.measure} of ir_measures", f"{found.query_id}: {ours}, not {found.value}")
        return "the same"


class Ranx(Peer):
    """ranx and its stand-in, where there are no ties and every topic has all grades."""

    name, share, module, heavy, patience = "ranx", 2, "ranx", True, 20.0
    room = 4.0
    """Its functions are compiled when they are first called."""

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """Ids of one length: ranx is compiled anew for every other."""
        qrels: dict[str, dict[str, int]] = {}
        run: dict[str, dict[str, float]] = {}
        for topic in rng.sample(range(100, 1000), 4):
            docs = [f"d{n}" for n in rng.sample(range(100, 1000), 20)]
            judged = rng.sample(docs, rng.randint(6, 12))
            qrels[f"q{topic}"] = {doc: place % 4 for place, doc in enumerate(judged)}
            listed = rng.sample(docs, 15)
            run[f"q{topic}"] = {doc: score / 7 for doc, score in zip(listed, rng.sample(range(100), 15), strict=True)}
        return Case(self.name, given={"qrels": qrels, "run": run})

    def run(self, case: Case, folder: Path) -> str:
        """Evaluate with both."""
        if not _whole(case.given):
            return "nothing"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = import_module("ranx")

            from truerank.compat import ranx as ours

            qrels, run = case.given["qrels"], case.given["run"]
            found = [
                tool.evaluate(tool.Qrels(qrels), tool.Run(run), list(RANX), make_comparable=True)
                for tool in (theirs, ours)
            ]
        for name, value in found[0].items():
            if abs(found[1][name] - value) > 1e-9:
                raise Disagreement(f"{name} of ranx", f"{found[1][name]}, not {value}")
        return "the same"


class TrecEval(Light):
    """trec_eval's own output and ours, byte for byte."""

    name, share = "trec_eval", 6

    def missing(self) -> str:
        """The program, if it is not on the PATH."""
        return "" if shutil.which("trec_eval") else "trec_eval is not on the PATH"

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A collection with whole grades, and arguments."""
        drawn = _collection(rng)
        args = rng.sample(("-q", "-c", "-J", "-l2", "-M3", "-n"), rng.choice((0, 1, 2)))
        measures = rng.choice(
            (
                "official",
                "set",
                "map",
                "ndcg",
                "ndcg_cut",
                "P",
                "recall",
                "bpref",
                "infAP",
                "G",
                "binG",
                "Rndcg",
                "ndcg_rel",
                "success",
                "11pt_avg",
                "utility",
                "relstring",
            )
        )
        return Case(
            self.name,
            {"qrels": material.trec_qrels(drawn["qrels"]), "run": material.trec_run(drawn["run"])},
            {"args": [*args, "-m", measures]},
        )

    def run(self, case: Case, folder: Path) -> str:
        """Run both on the same files; what trec_eval refuses is not compared."""
        from truerank.compat.trec_eval.program import trec_eval

        places = case.written(folder)
        args = [*case.given["args"], places["qrels"], places["run"]]
        try:
            theirs = subprocess.run(["trec_eval", *args], capture_output=True, timeout=20, check=False)
        except subprocess.TimeoutExpired:
            return "trec_eval does not end"
        if theirs.returncode != 0:
            return "refused by trec_eval"
        ours = trec_eval(args)
        if ours.text.encode() != theirs.stdout:
            ours_lines, their_lines = ours.text.splitlines(), theirs.stdout.decode("utf-8", "replace").splitlines()
            differing = [(a, b) for a, b in zip(ours_lines, their_lines, strict=False) if a != b]
            name = differing[0][1].split()[0] if differing else "lines"
            raise Disagreement(f"{name} of trec_eval", f"{differing[:3]} {ours.notes}")
        return "the same"


TARGETS = (PytrecEval(), IrMeasures(), Ranx(), TrecEval())
