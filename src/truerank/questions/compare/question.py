"""The question: do runs differ by more than chance?"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, get_args

from truerank.conventions.presets import AxisRules, one_number
from truerank.data.errors import InputError
from truerank.questions.audit.question import Drawn, People
from truerank.questions.compare.answer import FAMILIES, RANKS, Comparison
from truerank.questions.signature import Also, Engines, Groups, Judgments, Measures, Runs, question
from truerank.report.signature import Option, OptionGroup

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RULES = AxisRules(
    refused=one_number("differences are between single ones, with bounds of their own"), takes=("expected",)
)
TEST = OptionGroup("How to test", "")
GATE = OptionGroup("Gate: exit 1 unless it passes", "")
HUMAN = OptionGroup("Human judgments beside machine judgments", "human judgments")
ByPeople = Annotated[Any, get_args(People)[1]._replace(group=HUMAN, everyday=False)]
BySample = Annotated[Any, get_args(Drawn)[1]._replace(group=HUMAN, everyday=False)]
TESTS = (
    "Test of significance: student (paired t-test; also t), wilcoxon, sign, randomization, bootstrap-shift, tukey "
    "(blocked by topic), randomized-tukey; with one baseline also dunnett, randomized-dunnett."
)
CORRECTIONS = (
    "Correction for several pairs: holm (default), bonferroni, benjamini-hochberg or none. Tukey's and Dunnett's tests "
    "need none: they already allow for all pairs."
)
INTERVALS = (
    "Intervals of differences. By default they are corrected as p-values are, if the test has intervals. t, bootstrap, "
    "bca, bootstrap-t and randomization give one for each pair alone; tukey and dunnett give those of their tests."
)


@question(RULES)
def compare(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "nDCG@10",
    *,
    baseline: Annotated[
        str | Iterable[str] | None,
        Option(
            "Compare every other run with this one; repeatable. Give its name or its file.", metavar="RUN", many=True
        ),
    ] = None,
    test: Annotated[
        str,
        Option(
            TESTS,
            metavar="NAME",
            group=TEST,
            brief="student (default), wilcoxon, sign, randomization, tukey, dunnett, ...",
        ),
    ] = "student",
    correction: Annotated[
        str | None,
        Option(
            CORRECTIONS,
            metavar="NAME",
            group=TEST,
            brief="holm (default), bonferroni, benjamini-hochberg or none",
        ),
    ] = None,
    family: Annotated[
        str,
        Option(
            "Correct p-values for the pairs of each measure, or for the pairs of all measures together.",
            choices=FAMILIES,
            group=TEST,
            everyday=False,
        ),
    ] = "measure",
    alpha: Annotated[
        float, Option("Significance level: a corrected p-value below it is significant.", metavar="P", group=TEST)
    ] = 0.05,
    ranks: Annotated[
        str | None,
        Option(
            "Show possible ranks: each run by its own comparisons (default for more than 12 runs), or all at once.",
            choices=RANKS,
            group=TEST,
            everyday=False,
        ),
    ] = None,
    margin: Annotated[
        float | None,
        Option(
            "Differences up to D do not matter: also show which runs are equivalent within D, or no worse by D.",
            metavar="D",
            group=TEST,
            everyday=False,
        ),
    ] = None,
    interval: Annotated[str | None, Option(INTERVALS, metavar="NAME", group=TEST, everyday=False)] = None,
    gate: Annotated[
        str | Iterable[str] | None,
        Option(
            'A condition, as described above; repeatable. Without a text, as the last word: "no worse".',
            metavar="[TEXT]",
            many=True,
            alone="no worse",
            group=GATE,
            brief='"no worse than 1%" of the baseline\'s score; "better"; or "not significantly worse", which may miss '
            "small losses",
        ),
    ] = None,
    settled: Annotated[
        bool | None,
        Option(
            "Test again with ties and unjudged documents in favour of either run, and at other depths.",
            group=TEST,
            everyday=False,
        ),
    ] = None,
    depths: Annotated[
        int | Iterable[int] | None,
        Option(
            "Test again at this depth; repeatable. Default: half and twice the cutoff of the measure.",
            flags="--depth",
            many=True,
            least=1,
            group=TEST,
            everyday=False,
        ),
    ] = None,
    group: Groups = None,
    cluster: Annotated[
        bool | None,
        Option(
            "With --group: whether groups were sampled, and not topics. Tests and intervals then go by groups. "
            "Default: --cluster.",
            group=TEST,
            everyday=False,
        ),
    ] = None,
    system: Annotated[
        Any,
        Option(
            "Treat several runs (seeds) as one system, as in dense=dense-seed*; repeatable. {}-seed* does so for every "
            "name that fits {}.",
            metavar="NAME=PATTERN",
            many=True,
        ),
    ] = None,
    permutations: Annotated[int, Option("Number of random draws, for tests that draw.", least=1, group=TEST)] = 10_000,
    seed: Annotated[int, Option("Seed of random draws.", least=0, most=inf, group=TEST)] = 0,
    people: ByPeople = None,
    sample: BySample = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Comparison:
    """Test which runs differ, and by how much; gate a change in CI.

    Of two runs, the second is compared with the first. Of more, all pairs are tested, or each run against each
    baseline. A difference is the score of a run minus the score of the run that it is compared with. A note tells how
    likely a verdict is to change if the unjudged documents that these runs list were judged; --show changes has that
    for each pair. With --settled, pairs are tested again with ties and unjudged documents in favour of either run, and
    at half and twice the depth of the measure. JSON has everything.

    A gate is one of these conditions, for every run against the baseline (the first run, unless --baseline is given).
    D is in units of the measure, or a share of the baseline's mean such as 1%. "nDCG@10: better" is about that measure
    only:

      no worse than D           a loss of D is ruled out
      better [by D]             a gain (of more than D) is shown
      equivalent within D       a loss and a gain of D are ruled out
      not significantly worse   no loss is shown; "no worse" for short

    One 95% interval decides each gate. A gate is PASSED if the interval shows what is asked for, FAILED if it shows
    the opposite, and otherwise UNDECIDED. The interval allows for topics that were not seen, unless it shows
    something. A gate may go on, in this order, with "against RUN", a run or file that stays the same from gate to
    gate; "with losses up to L", the largest loss that an unseen topic may have (by default the largest loss in these
    topics); "at ALPHA"; and "over N looks", which shares alpha among N such gates.

    With --group, tests and intervals go by groups, since topics that belong together (sessions, paraphrases, questions
    about one need) tell less than independent topics. --show groups has the scores of each group. If the groups are
    all that exist, such as languages, add --no-cluster. With --system, the score of a system is the mean of its runs,
    and variation between its runs counts as chance, like variation between topics.

    With --also, runs are compared in each collection, and runs that all collections have, by name, also over all of
    them. Each collection counts the same. Topics are drawn anew within each collection, so that conclusions are about
    these collections. --show across has the means and the possible ranks of runs, --show across_pairs the pairs.

    With --people, QRELS are machine judgments of all documents, and people judged a sample of these. Scores are
    corrected by the difference between both in the sample, as in truerank audit, so that verdicts and gates are about
    human judgments. This works for measures that are sums over documents, such as P@10, DCG@10 and RBP.

    Example:
      truerank compare qrels.txt bm25.run dense.run -m "nDCG@10 AP"
      truerank compare qrels.txt base.run new.run -m nDCG@10 --gate "no worse than 1%"
      truerank compare qrels.txt *.run --test randomized-tukey --permutations 100000
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
