"""The question: do runs differ by more than chance?"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.data.errors import InputError
from truerank.questions.audit.question import Drawn, People
from truerank.questions.compare.answer import FAMILIES, RANKS, Comparison
from truerank.questions.signature import Also, Engines, Groups, Judgments, Measures, Runs, question
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RULES = AxisRules(
    refused=one_number("differences are between single ones, with bounds of their own"), takes=("expected",)
)
TESTS = (
    "student (paired t; or t), wilcoxon, sign, randomization, bootstrap-shift, tukey (blocked by topic) or "
    "randomized-tukey; with one baseline dunnett or randomized-dunnett."
)
CORRECTIONS = (
    "For the pairs of a measure: holm (the default), bonferroni, benjamini-hochberg or none; none for Tukey's and "
    "Dunnett's tests, which allow for all pairs."
)
INTERVALS = (
    "Of differences: corrected as verdicts are (the default where the test has intervals); t, bootstrap, bca, "
    "bootstrap-t, randomization, each for its pair alone; or those of Tukey's and Dunnett's tests."
)


@question(RULES)
def compare(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "nDCG@10",
    *,
    baseline: Annotated[
        str | Iterable[str] | None,
        Option("Compare all others with this run, by name or as a file; repeatable.", metavar="RUN", many=True),
    ] = None,
    test: Annotated[str, Option(TESTS)] = "student",
    correction: Annotated[str | None, Option(CORRECTIONS)] = None,
    family: Annotated[
        str, Option("What p is corrected for: the pairs of each measure, or of all.", choices=FAMILIES)
    ] = "measure",
    alpha: Annotated[float, Option("Significant is a corrected p below.")] = 0.05,
    ranks: Annotated[
        str | None,
        Option(
            "Show possible ranks: each run by its own comparisons (default for more than 12 runs), or all at once.",
            choices=RANKS,
        ),
    ] = None,
    margin: Annotated[
        float | None, Option("A difference that does not matter: which runs are equivalent, or no worse.", metavar="D")
    ] = None,
    interval: Annotated[str | None, Option(INTERVALS)] = None,
    gate: Annotated[
        str | Iterable[str] | None,
        Option(
            'Exit 1 unless it is passed, see above; repeatable. Alone, or last: "no worse".',
            metavar="[TEXT]",
            many=True,
            alone="no worse",
        ),
    ] = None,
    settled: Annotated[bool | None, Option("Also try the worst orders of ties, judgments and depths.")] = None,
    depths: Annotated[
        int | Iterable[int] | None, Option("Another depth to try; repeatable.", flags="--depth", many=True, least=1)
    ] = None,
    group: Groups = None,
    cluster: Annotated[
        bool | None, Option("Whether tests go by groups, as where those were drawn. Default: with --group.")
    ] = None,
    system: Annotated[
        Any,
        Option(
            "Runs of one system: dense=dense-seed*, or {}-seed* with {} for its name; repeatable.",
            metavar="NAME=PATTERN",
            many=True,
        ),
    ] = None,
    permutations: Annotated[int, Option("How often to draw.", least=1)] = 10_000,
    seed: Annotated[int, Option("Of what is drawn at random.", least=0, most=inf)] = 0,
    people: People = None,
    sample: Drawn = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Comparison:
    """Compare runs, and tell which differ by more than chance.

    All pairs, or all runs with each baseline; differences are scores of a run less those of what it is compared with.
    A note tells how likely a verdict is to change if the unjudged documents that these runs list were judged; --show
    changes has that for each pair. With --settled, pairs are also compared again with ties and unjudged documents in
    favour of either run, and at half and twice the depth of the measure: verdicts that change are not settled.

    A gate is one of these, for every run against the baseline, by default the first; D is in units of the measure, or
    a share of the baseline's mean as in 1%; "nDCG@10: better" is about that measure only:

      no worse than D           a loss of D is ruled out
      better [by D]             a gain (of more than D) is shown
      equivalent within D       a loss and a gain of D are ruled out
      not significantly worse   no loss is shown; "no worse" for short

    One 95% interval decides all gates, which allows for topics that were not seen unless it shows something: a gate is
    PASSED if it shows what is asked for, FAILED if it shows the opposite, otherwise UNDECIDED. After a gate may stand,
    in this order: "against RUN", a run or file that stays the same from gate to gate; "with losses up to L", what an
    unseen topic may lose, by default as much as the worst of these; "at ALPHA"; and "over N looks", which gives each
    of N such gates its part of alpha.

    Topics that belong together (sessions, paraphrases, questions about one need) tell less than as many drawn on their
    own: with --group, tests and intervals go by groups, and --show groups has each of them. Where groups are all there
    are, such as languages, add --no-cluster. Runs of one system that was trained several times are told with --system:
    its score is then their mean, and what other runs of it would do counts as chance, as other topics do.

    With --also, runs are compared in each collection, and those that all collections have, by name, over all of them:
    each collection counts the same, and topics are drawn anew within each, so that what is shown is about these
    collections. --show across has means and the ranks that runs can have, --show across_pairs the pairs.

    With --people, QRELS are by a machine that judged all documents, and people judged a sample of them: scores are
    corrected by how far the machine is off there, as in audit, and verdicts and gates are about what people would say.
    That is for measures that are sums over documents, such as P@10, DCG@10 and RBP.

    Example:
      truerank compare qrels.txt bm25.run dense.run -m "nDCG@10 AP"
      truerank compare qrels.txt *.run --test randomized-tukey --permutations 100000
      truerank compare qrels.txt base.run new.run -m nDCG@10 --gate "no worse"
      truerank compare qrels.txt last.run new.run --gate "no worse than 1% against release.run over 20 looks"
      truerank compare qrels.txt a.run b.run --group topics.tsv:session
      truerank compare qrels.txt runs/* --system "{}-seed*"
      truerank compare trec8.qrels trec8/*.run --also med=med/qrels.txt "med/*.run"
      truerank compare machine.qrels old.run new.run -m P@10 --people people.qrels --sample sample.tsv --gate "no worse"

    In Python, judgments and runs are given as to ``evaluate``, and ``baseline``, ``gate`` and ``depths`` are one or
    several; ``group`` may be a dict from topics to groups, and ``system`` one from names to patterns or runs. The same
    ``seed`` gives the same bits. ``progress`` is called with what is being done, how much of it is
    done, and of how much.

    >>> qrels = {f"q{n}": {"x": 1} for n in range(8)}
    >>> base = {f"q{n}": ["y", "z", "x"] if n % 3 else ["y", "x"] for n in range(8)}
    >>> new = {f"q{n}": ["x", "y"] if n else ["y", "z", "x"] for n in range(8)}
    >>> found = compare(qrels, {"base": base, "new": new}, "RR", settled=False)
    >>> pair = found["RR"].pair("base", "new")
    >>> pair.verdict, round(pair.difference, 3), (pair.wins, pair.ties, pair.losses), round(pair.p, 4)
    ('better', 0.521, (7, 0, 1), 0.0014)
    """
    from truerank.questions.compare.likely import applies
    from truerank.questions.compare.plan import ComparePlan, CompareSettings
    from truerank.questions.compare.work import score_run, summarise
    from truerank.track.track import Track

    settings = CompareSettings(
        test=test,
        correction=correction or "",
        family=family,
        alpha=alpha,
        ranks=ranks or "",
        margin=margin,
        interval=interval or "",
        permutations=permutations,
        seed=seed,
    )
    if RULES.chosen(given).averages_judgments:
        if settled:
            raise InputError(
                "other readings are tried of judgments that are sure, and judges='expected' takes the mean over random "
                "ones; leave settled out"
            )
        settled = False
    aim = None
    if people is not None or sample is not None:
        from truerank.questions.audit.sample import AuditAim

        aim, settled = AuditAim.of(people, sample), bool(settled)
    plan = ComparePlan.of(
        settings,
        runs,
        measures,
        baseline=baseline,
        gate=gate,
        settled=settled,
        depths=depths,
        system=system,
        group=group,
        cluster=cluster,
    )
    if aim is not None:
        from truerank.questions.compare.corrected import parts_of, refuse

        refuse(plan)
        track = Track.of(qrels, plan.runs, plan.measures, given, RULES, engine=engine)
        estimated, notes = parts_of(track, aim, progress)
        return summarise(track, estimated, plan, progress, notes=notes, worlds=False)
    track = Track.of(qrels, plan.runs, plan.measures, given, RULES, engine=engine)
    for place in range(len(track.runs)) if plan.settled else ():
        # Other readings are tried of two runs at a time, and there is no need to wait for what cannot be.
        track.pieces.whole(place, ", or leave settled out (--settled, --depth)")
    keep = plan.settled or applies(track, plan)
    parts = track.each(score_run, keep=keep, progress=progress, elsewhere=plan.elsewhere)
    return summarise(track, parts, plan, progress)
