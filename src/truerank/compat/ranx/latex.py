"""A Report in LaTeX."""

from __future__ import annotations

from truerank.compat.ranx.metrics import label
from truerank.compat.ranx.report import Report
from truerank.report.latex import escaped
from truerank.report.letters import letters

TESTS = {
    "student": "Student's paired t-test",
    "fisher": "Fisher's randomisation test",
    "tukey": "Tukey's HSD test, blocked by topic,",
}


def latex(report: Report) -> str:
    """A table in booktabs' style: the best score of each metric is bold, letters say which systems it is better than.

    Letters that a score lacks are there without being seen, so that scores stand under one another.
    """
    best = {metric: max(_shown(report, model, metric) for model in report.model_names) for metric in report.metrics}
    rows = []
    for place, model in enumerate(report.model_names):
        cells = [_cell(report, model, metric, best[metric]) for metric in report.metrics]
        rows.append(" & ".join([letters(place), escaped(model), *cells]) + r" \\")
    header = " & ".join([r"\#", "Model", *(escaped(label(metric)) for metric in report.metrics)])
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            *(f"% {note}" for note in report.notes),
            r"\begin{table}",
            r"\centering",
            rf"\caption{{Effectiveness; the best are bold. Letters name the systems that one is better than by "
            rf"{TESTS[report.stat_test]} with $p \le {report.max_p}$.}}",
            rf"\begin{{tabular}}{{cl{'l' * len(report.metrics)}}}",
            r"\toprule",
            header + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\label{tab:results}",
            r"\end{table}",
        ]
    )


def _cell(report: Report, model: str, metric: str, best: float) -> str:
    shown = report.format_score(report.results[model][metric])
    bold = rf"\textbf{{{shown}}}" if _shown(report, model, metric) == best else shown
    better = report.better_than(model, metric)
    others = [letters(place) for place, other in enumerate(report.model_names) if other != model]
    separator = "," if len(report.model_names) > 26 else ""
    above = f"$^{{{separator.join(better)}}}$" if better else ""
    hidden = separator.join(letter for letter in others if letter not in better)
    return bold + above + (rf"\hphantom{{$^{{{hidden}}}$}}" if hidden else "")


def _shown(report: Report, model: str, metric: str) -> float:
    return float(report.format_score(report.results[model][metric]))
