"""truerank evaluate: score runs against judgments."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.old_options import convention_options, data_options, measure_option, output_options


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@click.option("--per-topic", is_flag=True, help="A row for every topic, the summary last.")
@data_options
@convention_options
@output_options
def evaluate(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_topic: bool,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Score runs against judgments.

    QRELS and RUN are files, compressed or not, or - for standard input: TREC files, CSV or TSV with a header line,
    JSON, JSON lines, parquet, responses of Elasticsearch, or the id of a data set of ir_datasets.
    Without -m the measures are nDCG@10 AP P@10 R@100 RR RBP(p=0.8).

    \b
    Example:
      truerank evaluate qrels.txt bm25.run dense.run -m "nDCG@10 AP" --unjudged bounds
      truerank evaluate beir/test.tsv passages.jsonl --lower-is-better --chunks "#"
    """
    from truerank.analysis.evaluate import DEFAULT_MEASURES, evaluate
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.report.formats import MACHINE
    from truerank.report.scores import scores_table

    form = chosen(form, out)
    given: Any = list(measures) or DEFAULT_MEASURES
    with progress(len(runs)) as step:
        scores = evaluate(qrels, list(runs), given, progress=step, **conventions)
    emit(scores_table(scores, per_topic=per_topic, by_run=True if form in MACHINE else None), form, out)
