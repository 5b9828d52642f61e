"""The standings: scores under the usual conventions, then with each of them changed alone, then at another depth."""

from __future__ import annotations

import numpy as np

from truerank.measures.core.base import Measure
from truerank.questions.demo.question import Leaderboard, LeaderboardRow
from truerank.questions.evaluate.question import evaluate
from truerank.questions.simulate.track import SimulatedTrack
from truerank.statistics.level import level


def leaderboard(track: SimulatedTrack, measure: Measure, *, depth: int, page: str) -> Leaderboard:
    """Score the runs of a track by a measure with a cutoff."""
    deeper = measure @ depth
    ties = evaluate(track.qrels, track.runs, [measure, deeper], ties="bounds")
    unjudged = evaluate(track.qrels, track.runs, measure, unjudged="bounds")
    terminal = evaluate(track.qrels, track.runs, measure, ending="terminal")
    standings = []
    for run, scores in ties.items():
        score, bounds = scores[measure], unjudged[run][measure]
        ends = (score.low, score.high, bounds.low, bounds.high)
        worst, best, low, high = (score.mean if end is None else end for end in ends)
        standings.append(
            LeaderboardRow(
                run=run,
                mean=score.mean,
                worst=worst,
                best=best,
                low=low,
                high=high,
                terminal=terminal[run][measure].mean,
                deep=scores[deeper].mean,
            )
        )
    standings.sort(key=lambda one: one.run)
    order = np.argsort(-level([one.mean for one in standings]), kind="stable")
    return Leaderboard(
        measure=str(measure),
        deeper=str(deeper),
        num_topics=len(track.topics),
        judgments=len(track.qrels),
        standings=tuple(standings[at] for at in order.tolist()),
        track=track,
        page=page,
    )
