"""The commands that are frozen: every question and every sheet on a real collection, the important ones on several."""

from __future__ import annotations

from typing import NamedTuple

FILES = {
    "trec8": "data/trec8/qrels.gz data/trec8/runs/*.gz",
    "trec8_13": "data/trec8/qrels.gz data/trec8/runs/*.gz::10",
    "trec8_5": "data/trec8/qrels.gz data/trec8/runs/*.gz::30",
    "covid2": "data/covid2/qrels.gz data/covid2/runs/*::14",
    "covid2_5": "data/covid2/qrels.gz data/covid2/runs/*::30",
    "dl21": "data/dl21/judges/nist.gz data/dl21/runs/*",
    "dl21_8": "data/dl21/judges/nist.gz data/dl21/runs/*::4",
    "cranfield": "data/classic/cranfield/qrels.txt data/classic/cranfield/runs/*::4",
    "med": "data/classic/med/qrels.txt data/classic/med/runs/*",
    "med_7": "data/classic/med/qrels.txt data/classic/med/runs/*::4",
    "med_2": "data/classic/med/qrels.txt data/classic/med/runs/*::20",
    "cisi": "data/classic/cisi/qrels.txt data/classic/cisi/runs/*",
    "cisi_7": "data/classic/cisi/qrels.txt data/classic/cisi/runs/*::4",
    "also_cisi": "--also data/classic/cisi/qrels.txt cisi_runs",
    "simulated": "simulated/qrels.txt simulated/*.run",
    "answers": "answers/qrels.txt answers/*.run",
    "bm25": "data/classic/med/runs/bm25_lucene_1.2_0.75_stem_stop.run.gz",
    "lsi": "data/classic/med/runs/lsi200.run.gz",
    "ties": "data/classic/med/runs/coord_match.run.gz",
}
"""Files by name: ``::N`` after a pattern takes every Nth of its files."""

TABLE = "--format tsv --out"
PREPARED = {
    "simulated": "simulate --out simulated --systems 12 --topics 30 --seed 3 --depth 200 --pool-depth 30",
    "answers": "simulate --out answers --systems 12 --topics 40 --seed 5 --depth 5 --nil 10 --nil-systems 0.5",
    "scores.tsv": f"evaluate {{med}} -m AP -m nDCG@10 {TABLE} scores.tsv",
    "sample.tsv": f"audit data/dl21/judges/umbrela-gpt4.gz data/dl21/runs/*::8 -m P@10 --next 200 {TABLE} sample.tsv",
    "rule.json": "stop fit data/classic/med/qrels.txt {bm25} -m F --rule gap --save rule.json",
}
"""Inputs that commands make, in this order; other inputs are made in ``inputs``."""


class Case(NamedTuple):
    """A command; its name begins with what the question was called before."""

    name: str
    command: str
    now: str = ""
    """The command line since it is another one."""
    sheets: str = ""
    """Sheets that JSON does not have."""
    figure: bool = False

    def line(self, *, old: bool) -> str:
        return self.command if old or not self.now else self.now


LLM = "data/dl21/judges/umbrela-gpt4.gz"
NIST = "data/dl21/judges/nist.gz"
DEEPER = "old=data/trec8/depth10.qrels new=data/trec8/qrels.gz"
PREFERENCES = "data/dl21/preferences-human.gz"

CASES = (
    Case("evaluate trec8", "evaluate {trec8} -m AP -m nDCG@10 -m P@10 -m RBP -m bpref"),
    Case("evaluate bounds", "evaluate {covid2} -m nDCG@10 -m RBP -m AP --unjudged bounds --ties bounds"),
    Case("evaluate groups", "evaluate {med_7} --group groups.tsv", sheets="topics"),
    Case("evaluate also", "evaluate {med_7} {also_cisi} -m AP -m RR"),
    Case("evaluate simulated", "evaluate {simulated} -m nDCG -m ERR -m RR -m Q --no-relevant skip", sheets="topics"),
    Case("evaluate judges", f"evaluate {{dl21_8}} --judge gpt={LLM} --judges each"),
    Case("compare trec8", "compare {trec8} -m AP", figure=True),
    Case("compare dl21", "compare {dl21_8} -m nDCG@10 -m RR", figure=True),
    Case(
        "compare gates",
        "compare {med_2} -m AP --gate --gate 'better by 0.01' --margin 0.02",
        sheets="topics paper",
    ),
    Case("compare across", "compare {med_7} {also_cisi} -m AP --test randomized-tukey --permutations 500"),
    Case("compare groups", "compare {med_7} -m AP --group groups.tsv"),
    Case("compare simulated", "compare {simulated} -m nDCG@10 --settled --baseline simulated/*.run::50"),
    Case("compare people", f"compare {LLM} data/dl21/runs/*::8 -m P@10 --people people.qrels --sample sample.tsv"),
    Case("design med", "design {med_7} -m AP -m nDCG@10 --difference 0.03 --systems 4"),
    Case("report trec8", "report {trec8_5}"),
    Case("report med", "report {med_2} {also_cisi} -m AP"),
    Case("diff med", "diff data/classic/med/qrels.txt {bm25} {lsi} -m AP -m nDCG@10 --draws 50", figure=True),
    Case(
        "explain med",
        "explain data/classic/med/qrels.txt {ties} --topic 1 -m AP -m nDCG@10 -m ERR",
        sheets="changes",
        figure=True,
    ),
    Case("curves med", "curves {med_7}", figure=True),
    Case("curves topic", "curves data/classic/med/qrels.txt {bm25} --topic 1"),
    Case("curves roc", "curves {med_7} --kind roc --size 1033", figure=True),
    Case("why med", "why data/classic/med/qrels.txt {ties} -m AP --value 0.35"),
    Case("lint covid2", "lint {covid2_5}"),
    Case("lint simulated", "lint {simulated}"),
    Case("depth trec8", "depth {trec8_5} -m AP -m nDCG --max-depth 100 --condensed", figure=True),
    Case("depth cranfield", "depth {cranfield} -m RBP -m P --max-depth 50 {also_cisi}"),
    Case("depth grid", "depth {trec8_13} -m AP --max-depth 100 --grid"),
    Case("ties trec8", "ties {trec8_13} -m AP -m nDCG@10 -m RR", figure=True),
    Case("ties med", "ties {med} -m AP -m nDCG@10 {also_cisi}"),
    Case("ties simulated", "ties {simulated} -m nDCG@10 -m RBP"),
    Case("unjudged covid2", "unjudged {covid2} -m nDCG@10 -m RBP --next 20 --draws 100"),
    Case("unjudged simulated", "unjudged {simulated} -m nDCG@10 -m AP"),
    Case("features letor", "features letor.txt -m nDCG@10 -m AP"),
    Case("judges dl21", "judges data/dl21/judges --reference nist --runs data/dl21/runs -m nDCG@10 -m AP", figure=True),
    Case("judges two", f"judges {NIST} {LLM} --runs data/dl21/runs -m P@10"),
    Case("judges alone", "judges data/dl21/judges"),
    Case(
        "rejudged trec8",
        "rejudged data/trec8/depth10.qrels data/trec8/qrels.gz data/trec8/runs/*.gz::3 -m nDCG@10 -m AP",
        f"judges {DEEPER} --runs trec8_runs -m nDCG@10 -m AP",
    ),
    Case(
        "rejudged covid2",
        "rejudged data/covid2/qrels.gz data/covid2/qrels-complete.gz data/covid2/runs/*::8 -m nDCG@10",
        "judges old=data/covid2/qrels.gz new=data/covid2/qrels-complete.gz --runs covid2_runs -m nDCG@10",
    ),
    Case("audit sample", f"audit {LLM} data/dl21/runs/*::8 -m P@10 -m RBP --people people.qrels --sample sample.tsv"),
    Case("audit topics", f"audit {LLM} data/dl21/runs/*::8 -m nDCG@10 --people {NIST} --width 0.1 --gate p_fusion00"),
    Case("audit next", f"audit {LLM} data/dl21/runs/*::8 -m P@10 --next 50"),
    Case("pool trec8", "pool {trec8}"),
    Case("pool losses", "pool {trec8_13} --leave-out run -m AP"),
    Case("nil answers", "nil {answers} --limit 5", sheets="topics", figure=True),
    Case("nil med", "nil {med} --limit 100", sheets="topics"),
    Case("nil also", "nil {answers} --also answers/qrels.txt answers -m RR"),
    Case("truncate cisi", "truncate {cisi_7}", figure=True),
    Case("truncate against", "truncate {med_7} -m F -m RBPU --against AP --against nDCG {also_cisi}"),
    Case("stop compare", "stop compare {med_7} -m F -m RBPU --against AP", figure=True),
    Case("stop fit", "stop fit data/classic/med/qrels.txt {bm25} -m F --rule learned"),
    Case("stop apply", "stop apply rule.json {bm25}"),
    Case("calibrate", "calibrate --silence-at 20"),
    Case("calibrate lengths", "calibrate -m RBU(p=0.98) -m DCGU --ranking '0^10 1^90'", figure=True),
    Case("fit reading", "fit {med_2} -m RBP -m INSQ --reading reading.tsv --resamples 100"),
    Case("fit preferences", "fit {med_2} -m RBPU -m RBP --preferences sides.tsv --resamples 100"),
    Case("agreement", "agreement scores.tsv scores.tsv --column AP --column nDCG@10"),
    Case(
        "order runs",
        "order {bm25} data/classic/med/runs/*::6",
        "agreement {bm25} data/classic/med/runs/*::6 --by-topic",
    ),
    Case("order grades", "order {cranfield} --grades", "agreement {cranfield} --grades"),
    Case("preferences dl21", f"preferences {PREFERENCES} data/dl21/runs/*::4 --qrels {NIST}", figure=True),
    Case("preferences judges", f"preferences {PREFERENCES} --other data/dl21/preferences-gpt.gz"),
    Case("preferences induced", "preferences {med_7} --induced"),
    Case("negatives simulated", "negatives {simulated} --negatives 20 --corpus 5000"),
    Case("negatives corpus", "negatives {dl21_8} -m RR --corpus 100000"),
    Case("choose", "choose --length --top --no-recall --no-redundancy --depth 10 --silence-at 20", figure=True),
    Case("choose data", "choose --no-length --top --no-exactly --no-single --recall --graded {med_2}"),
    Case("properties", "properties AP RBPU --longest 5", sheets="witnesses"),
    Case("properties regions", "properties RBPU --regions --longest 4 --property priority", figure=True),
    Case("meta trec8", "meta {trec8_13} -m AP -m nDCG@10 -m P@10 -m RR --splits 100", figure=True),
    Case("meta also", "meta {med_7} {also_cisi} -m AP -m RR -m OIE(size=1033) --splits 50 --pairs 100"),
    Case("measures", "measures"),
    Case("reproduce lu", "reproduce lu {med_7}"),
    Case("reproduce liu", "reproduce liu {answers}"),
    Case("reproduce mcsherry", "reproduce mcsherry {med_7}"),
    Case("reproduce amigo", "reproduce amigo {med_2}"),
    Case("reproduce slides", "reproduce slides {med_2}"),
    Case("demo", "demo --systems 8 --seed 3"),
)
